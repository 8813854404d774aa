// Attributes (L7.8): what the type of a value says of its shape.
#include "sema/component/component.h"
#include "sema/expr.h"

#include <string.h>

bool check_note_hidden_space(Checker *checker, Diag *diag, const AstExpr *object) {
    if (object->kind != AST_ATTR || object->attr.object->kind != AST_NAME) {
        return false;
    }
    const Unit *unit = checker->at.unit;
    Name name = object->attr.object->name.name;
    bool has_space = unit->kind == FILE_COMPONENT
                         ? check_is_space_name(name)
                         : unit->has_constants && strcmp(name->text, "n") == 0;
    if (!has_space) {
        return false;
    }
    const Symbol *symbol = scope_find(checker->at.scope, name);
    diag_note(diag, "`%s` is a %s here, and hides the namespace", name->text,
              symbol == NULL || symbol->kind != SYMBOL_CONSTANT ? "variable" : "constant");
    // Errors of a test may be expected, and others go on.
    if (symbol != NULL && symbol->kind == SYMBOL_VAR && !check_in_test(checker)) {
        symbol->var->type = checker->poison->type; // other uses of it stay silent
    }
    return true;
}

static TirExpr *size_attribute(Checker *checker, const Type *type, Span span) {
    TirScalar *data = ARENA_ARRAY(checker->arena, TirScalar, type->rank);
    for (size_t d = 0; d < type->rank; d++) {
        data[d].uint = type->dims[d];
    }
    uint32_t rank = type->rank;
    const Type *vector =
        type_tensor(checker->tir.types, type_scalar(checker->tir.types, ROOT_UINT), 1, &rank);
    return tir_const(&checker->tir, vector, data, span);
}

static TirExpr *report_attribute(Checker *checker, const AstExpr *ast, const Type *type) {
    const char *name = ast->attr.name.name->text;
    static const char *const known[] = {
#define ATTRIBUTE(name, help) name,
#include "sema/attribute.def"
    };
    bool exists = false;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        exists = exists || strcmp(known[k], name) == 0;
    }
    Diag *diag = check_error(checker, DIAG_E0606, ast->attr.name.span, "%s has no attribute `%s`",
                             check_type_text(checker, type), name);
    if (!check_note_hidden_space(checker, diag, ast) && !exists &&
        !check_offer_attribute(diag, ast, type)) {
        diag_note(diag, "the attributes are `size`, `len`, `numel`, `rows`, `cols` and `type`");
    }
    return checker->poison;
}

TirExpr *check_attribute(Checker *checker, const AstExpr *ast) {
    if (check_foreign_member(checker, ast)) {
        return checker->poison;
    }
    TirExpr *object = check_unevaluated(checker, ast->attr.object);
    const Type *type = object->type;
    if (type_is_poison(type)) {
        return checker->poison;
    }
    const char *name = ast->attr.name.name->text;
    bool is_len = strcmp(name, "len") == 0;
    bool is_numel = strcmp(name, "numel") == 0;
    int64_t value = -1;
    if (type->root >= ROOT_CHAR) {
        value = is_len ? (int64_t)check_text_value(checker, object).len : -1;
    } else if (type_is_scalar(type)) {
        value = is_len || is_numel ? 1 : -1;
    } else if (strcmp(name, "size") == 0) {
        return size_attribute(checker, type, ast->span);
    } else if (is_len || strcmp(name, "rows") == 0) {
        value = type->dims[0];
    } else if (is_numel) {
        value = type->numel / type->base->numel;
    } else if (type->rank >= 2 && strcmp(name, "cols") == 0) {
        value = type->dims[1];
    }
    return value < 0 ? report_attribute(checker, ast, type)
                     : tir_const_uint(&checker->tir, (uint32_t)value, ast->span);
}

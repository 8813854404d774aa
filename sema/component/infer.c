// See infer.h: the names, and what becomes of them.
#include "sema/component/infer.h"

#include "parser/ast_visit.h"
#include "parser/parse.h"
#include "sema/component/component.h"
#include "sema/system/system.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

static Infer *infer_of(const Checker *checker) {
    return checker->options->infer;
}

bool infer_is_on(const Checker *checker) {
    return infer_of(checker) != NULL;
}

static InferName *find_name(const Infer *infer, char space, Name name) {
    for (size_t k = 0; k < infer->names.count; k++) {
        InferName *at = infer->names.items[k];
        if (at->space == space && at->name == name) {
            return at;
        }
    }
    return NULL;
}

// That of a terminal, property or constant which nothing declares; NULL for others.
static InferName *name_of(const Checker *checker, const TirInterface *item) {
    InferName *name =
        infer_is_on(checker) ? find_name(infer_of(checker), item->space, item->name) : NULL;
    return name != NULL && name->item == item ? name : NULL;
}

// The same of an expression that is such a name, or an element of it.
static InferName *name_in(Checker *checker, const AstExpr *ast) {
    while (ast->kind == AST_INDEX || ast->kind == AST_OPTIONAL) {
        ast = ast->kind == AST_INDEX ? ast->index.object : ast->optional;
    }
    bool is_name = infer_is_on(checker) && check_is_interface(checker, ast);
    const TirInterface *item = is_name ? check_find_interface(checker, ast) : NULL;
    return item == NULL ? NULL : name_of(checker, item);
}

// `in_0_1` as `in{0, 1}`, where it is written with indices.
static const char *declared_text(Infer *infer, const AstName *written, Name name) {
    if (written->macro_indices.count == 0) {
        return name->text;
    }
    Buffer text = {0};
    buffer_append(&text, written->name->text, written->name->len);
    const char *separator = "{";
    for (const char *at = name->text + written->name->len; *at != '\0'; at++) {
        buffer_append(&text, *at == '_' ? separator : at, *at == '_' ? strlen(separator) : 1);
        separator = *at == '_' ? ", " : separator;
    }
    buffer_text(&text, "}");
    const char *copy = arena_copy_text(infer->context->arena, text.data, text.len);
    buffer_free(&text);
    return copy;
}

static const char *default_text(Root root, bool second) {
    switch (root) {
    case ROOT_BOOL: return second ? "true" : "false";
    case ROOT_UINT:
    case ROOT_INT: return second ? "2" : "1";
    case ROOT_REAL: return second ? "2.0" : "1.0";
    case ROOT_CHAR:
    case ROOT_STR: return second ? "\"x\"" : "\"\"";
    }
    UNREACHABLE();
}

void infer_print(const InferName *name, bool second, Buffer *out) {
    if (name->space == 't') {
        buffer_format(out, "%s%s%s ", name->has_feedthrough ? "" : "not feedthrough ",
                      name->is_optional ? "optional " : "", name->is_output ? "out" : "in");
    }
    if (name->type == NULL) {
        buffer_text(out, "real");
    } else {
        type_print(out, name->type);
    }
    buffer_format(out, " %c.%s", name->space, name->text);
    if (name->space != 't') {
        Root root = name->type == NULL ? ROOT_REAL : name->type->root;
        buffer_format(out, " = %s", default_text(root, second));
    }
}

// The declaration as the source would have it.
static const AstStmt *declaration_of(Infer *infer, const InferName *name) {
    Buffer text = {0};
    infer_print(name, infer->is_second, &text);
    SourceFile *source =
        sources_add(infer->context->sources, "tmlc interface", text.data, text.len);
    buffer_free(&text);
    if (source == NULL) {
        return NULL;
    }
    const AstFile *file = parse_file(infer->context, source);
    CHECK(file->statements.count == 1 && file->statements.items[0]->kind == AST_TERMINAL);
    AstStmt *stmt = file->statements.items[0];
    if (name->type == NULL) {
        stmt->terminal.type->kind = AST_TYPE_ERROR;
    }
    return stmt;
}

static InferName *create_name(Infer *infer, const AstExpr *ast, Name name) {
    InferName *created = ARENA_NEW(infer->context->arena, InferName);
    *created = (InferName){
        .space = ast->attr.object->name.name->text[0],
        .name = name,
        .text = declared_text(infer, &ast->attr.name, name),
        .at = ast->span.start,
        .has_feedthrough = true,
        .reads.space = 't',
        .writes.space = 't',
    };
    LIST_PUSH(infer->context->arena, &infer->names, created);
    infer->has_news = true;
    return created;
}

Symbol *infer_declare(Checker *checker, const AstExpr *ast, Name name) {
    Infer *infer = infer_of(checker);
    Unit *unit = checker->at.unit;
    if (infer == NULL || unit->index != 0) {
        return NULL;
    }
    InferName *known = find_name(infer, ast->attr.object->name.name->text[0], name);
    known = known == NULL ? create_name(infer, ast, name) : known;
    known->at = ast->span.start < known->at ? ast->span.start : known->at;
    const AstStmt *stmt = declaration_of(infer, known);
    if (stmt == NULL) {
        return NULL;
    }
    CheckPlace outside = checker->at;
    TirBlock nowhere = {0};
    checker->at = (CheckPlace){.unit = unit,
                               .function = outside.function,
                               .scope = scope_create(checker->arena, NULL),
                               .block = &nowhere,
                               .mode = {.at_file_level = true, .pure = true}};
    check_interface_declaration(checker, stmt);
    checker->at = outside;
    Symbol *symbol = scope_find(unit->interface[check_space_index(known->space)], name);
    known->item = symbol == NULL ? NULL : symbol->interface;
    return symbol;
}

void infer_read(Checker *checker, const TirInterface *item) {
    InferName *name = name_of(checker, item);
    if (name == NULL || checker->at.mode.unevaluated) {
        return;
    }
    check_note_terminal(checker, &name->reads);
    const System *system = checker->at.wire == NULL ? NULL : checker->at.unit->system;
    name->wired_first |= system != NULL && checker->at.function == system->output;
    name->wired_second |= system != NULL && checker->at.function == system->update;
}

void infer_connected(Checker *checker, const TirInterface *item, bool is_late) {
    InferName *name = name_of(checker, item);
    if (name != NULL) {
        name->is_connected = true;
        name->is_late |= is_late;
    }
}

void infer_written(Checker *checker, const TirInterface *item) {
    InferName *name = name_of(checker, item);
    if (name != NULL && name->space == 't') {
        infer_of(checker)->has_news |= !name->is_output;
        name->is_output = true;
        name->is_written |= !infer_of(checker)->is_skipping;
        check_note_terminal(checker, &name->writes);
    }
}

void infer_optional(Checker *checker, const AstExpr *ast) {
    InferName *name = name_in(checker, ast);
    if (name != NULL && name->space == 't') {
        infer_of(checker)->has_news |= !name->is_optional;
        name->is_optional = true;
    }
}

static const Type *join(TypeTable *types, const Type *a, const Type *b) {
    if (a == NULL || b == NULL) {
        return a == NULL ? b : a;
    }
    Root root = a->root > b->root ? a->root : b->root;
    const Type *least[] = {type_with_root(types, a, root), type_with_root(types, b, root)};
    return shape_assign(least[0], least[1], false).why == SHAPE_OK ? least[0] : least[1];
}

void infer_assigned(Checker *checker, const AstExpr *target, const TirExpr *value, bool part) {
    InferName *name = name_in(checker, target);
    if (name == NULL) {
        return;
    }
    TypeTable *types = checker->tir.types;
    part = part || target->kind == AST_INDEX;
    name->has_parts |= target->kind == AST_INDEX;
    if (!type_has_value(value->type)) {
        *(part ? &name->is_part_waiting : &name->is_waiting) = true;
    } else if (part) {
        name->part_root = value->type->root > name->part_root ? value->type->root : name->part_root;
    } else if (value->type->root == ROOT_INT && constant_values(&checker->tir, (TirExpr *)value)) {
        name->counted = join(types, name->counted, value->type);
        name->has_negative |= !constant_is_nonnegative(&checker->tir, value);
    } else {
        name->assigned = join(types, name->assigned, value->type);
    }
}

static bool is_access(const Infer *infer, const TirInterface *item) {
    for (size_t k = 0; k < infer->names.count; k++) {
        const InferName *name = infer->names.items[k];
        if (item == &name->reads || item == &name->writes) {
            return true;
        }
    }
    return false;
}

void infer_leave_out(Checker *checker, TerminalSet *used) {
    size_t kept = 0;
    for (size_t k = 0; infer_is_on(checker) && k < used->count; k++) {
        if (!is_access(infer_of(checker), used->items[k])) {
            used->items[kept++] = used->items[k];
        }
    }
    used->count = infer_is_on(checker) ? kept : used->count;
}

// What is not checked: names are all that is known of it.

static bool skip_expr(const AstExpr *expr, void *data) {
    Checker *checker = data;
    if (check_is_interface(checker, expr) && expr->attr.name.macro_indices.count == 0) {
        check_find_interface(checker, expr);
    }
    if (expr->kind == AST_OPTIONAL) {
        infer_optional(checker, expr);
    }
    return false;
}

static bool skip_stmt(const AstStmt *stmt, void *data) {
    Checker *checker = data;
    const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.target : NULL;
    InferName *name = target == NULL ? NULL : name_in(checker, target);
    if (name != NULL) {
        infer_written(checker, name->item);
    }
    bool guards = stmt->kind == AST_GUARD && !stmt->guard.feedthrough;
    for (size_t k = 0; guards && k < stmt->guard.names.count; k++) {
        infer_optional(checker, stmt->guard.names.items[k]);
    }
    return false;
}

void infer_skipped(Checker *checker, const AstBlock *block) {
    if (infer_is_on(checker)) {
        AstVisitor visitor = {.expr = skip_expr, .stmt = skip_stmt, .data = checker};
        infer_of(checker)->is_skipping = true;
        ast_visit_block(block, &visitor);
        infer_of(checker)->is_skipping = false;
    }
}

// The end of a round.

// Whether the entry function of that name does it, itself or in a call.
static bool does(const Checker *checker, const char *entry, const TirInterface *access) {
    const Unit *unit = checker->units.items[0];
    for (size_t k = 0; k < unit->functions.count; k++) {
        const FunctionDecl *decl = unit->functions.items[k];
        bool is_entry = decl->is_entry && strcmp(decl->name->text, entry) == 0;
        for (size_t i = 0; is_entry && i < decl->instances.count; i++) {
            if (check_has_terminal(&decl->instances.items[i]->used, access)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_fed(const Checker *checker, const InferName *name) {
    const TirInterface *access = name->is_output ? &name->writes : &name->reads;
    bool elsewhere = does(checker, "update_fnc", access) || does(checker, "init_fnc", access) ||
                     name->wired_second;
    return does(checker, "output_fnc", access) || name->wired_first || !elsewhere;
}

// Whether functions read an output before a wire feeds it, which without feedthrough has a value.
static bool is_read_early(const Checker *checker, const InferName *name) {
    return does(checker, "init_fnc", &name->reads) ||
           (name->is_late && does(checker, "output_fnc", &name->reads));
}

void infer_end(Checker *checker) {
    Infer *infer = infer_of(checker);
    if (infer == NULL) {
        return;
    }
    Unit *unit = checker->units.items[0];
    checker->at.unit = unit;
    checker->at.scope = unit->scope;
    for (size_t k = 0; k < unit->functions.count; k++) {
        if (unit->functions.items[k]->instances.count == 0) {
            infer_skipped(checker, &unit->functions.items[k]->ast->function.body);
        }
    }
    for (size_t k = 0; k < infer->names.count; k++) {
        InferName *name = infer->names.items[k];
        name->is_fed = name->is_connected ? !is_read_early(checker, name) : is_fed(checker, name);
    }
}

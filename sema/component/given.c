// What properties, constants and optional terminals are given: in the source, on the command line
// (option.c), or by the declaration of the instance that is checked (L15.1).
#include "sema/component/component.h"

#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/value.h"
#include "tir/constant.h"

// A text as the value of a str, or of a char if it is one character.
static TirExpr *fit_text(Checker *checker, const TirInterface *item, TirExpr *value) {
    bool is_character = item->type->root == ROOT_CHAR && value->type->root == ROOT_STR &&
                        type_is_scalar(value->type) && check_text_value(checker, value).len == 1;
    return is_character
               ? check_character(checker, check_text_value(checker, value).data[0], value->span)
               : value;
}

static TirExpr *lower_text_value(Checker *checker, TirInterface *item, const AstExpr *ast) {
    TirExpr *value = fit_text(checker, item, check_expr(checker, ast));
    if (!type_is_poison(value->type) && value->type != item->type) {
        Diag *diag =
            check_error(checker, DIAG_E0401, ast->span, "`%s` is a `%s`, this is %s",
                        check_interface_text(checker, item), check_type_text(checker, item->type),
                        check_type_text(checker, value->type));
        if (item->type->root == ROOT_CHAR && value->type->root == ROOT_STR) {
            diag_note(diag, "a `char` is a text of one character");
        }
        return checker->poison;
    }
    return value;
}

// The constant that a property or namespace constant is, or the default of an input; poison after
// an error.
static TirExpr *lower_constant_value(Checker *checker, TirInterface *item, const AstExpr *ast) {
    if (!type_has_value(item->type)) {
        return lower_text_value(checker, item, ast);
    }
    const char *name = check_interface_text(checker, item);
    CheckMode mode = checker->at.mode;
    checker->at.mode.unevaluated = true;
    TirExpr *value = check_constant(checker, ast);
    checker->at.mode = mode;
    value = check_assignable(checker, item->type, value, arena_format(checker->arena, "`%s`", name),
                             item->span);
    if (type_is_poison(value->type)) {
        return value;
    }
    const TirScalar *data = constant_values(&checker->tir, value);
    if (data == NULL) {
        Diag *diag = check_error(checker, DIAG_E0702, ast->span,
                                 "the value of `%s` must be a constant expression", name);
        if (value->is_constant) {
            diag_note(diag, "it traps, or has too many elements to be computed");
        }
        check_note_not_constant(checker, diag, ast);
        return checker->poison;
    }
    return tir_const(&checker->tir, item->type, data, ast->span);
}

// What the instance that is checked has for a property or constant; NULL: nothing.
static UseSetting *find_setting(const Checker *checker, const TirInterface *item) {
    for (size_t k = 0; checker->use != NULL && k < checker->use->setting_count; k++) {
        UseSetting *setting = &checker->use->settings[k];
        if (setting->space == item->space && setting->name == item->name) {
            return setting;
        }
    }
    return NULL;
}

TirExpr *check_setting(Checker *checker, const TirInterface *item, const UseSetting *setting,
                       const ComponentUse *use) {
    bool is_text = item->type->root >= ROOT_CHAR;
    if (setting->is_text) {
        TirExpr *text = check_string(checker, setting->text, setting->span);
        text = fit_text(checker, item, text);
        if (text->type == item->type) {
            return text;
        }
    }
    if (setting->is_text || is_text) {
        return check_fail(checker, DIAG_E0401, setting->span, "`%s` is a `%s`, this is %s",
                          check_interface_text(checker, item), check_type_text(checker, item->type),
                          setting->is_text ? "a text"
                                           : check_type_text(checker, setting->value->type));
    }
    TirExpr *value = setting->value;
    const Type *type = value->type;
    if (item->space == 'p' && use->count > 0 && shape_is_vector_of(type, use->count)) {
        const TirScalar *data = value->data + (size_t)use->element * type->base->numel;
        TirExpr *one = tir_const(&checker->tir, type->base, data, value->span);
        one = item->type->root == ROOT_UINT ? check_adapt(checker, one) : one;
        bool fits = shape_assign(item->type, one->type, false).why == SHAPE_OK;
        value = fits ? one : value;
    }
    const char *what = arena_format(checker->arena, "`%s`", check_interface_text(checker, item));
    bool is_list = item->space == 'p' && use->count > 0 && value == setting->value &&
                   type_is_tensor(type) && type_is_scalar(item->type) &&
                   shape_assign(item->type, type->base, false).why == SHAPE_OK;
    if (is_list) {
        return check_fail(checker, DIAG_E0510, value->span,
                          "%s does not fit %s of %u instances: it takes one value for all of them, "
                          "or %u",
                          check_type_text(checker, type), what, use->count, use->count);
    }
    value = check_assignable(checker, item->type, value, what, item->span);
    const TirScalar *data =
        type_is_poison(value->type) ? NULL : constant_values(&checker->tir, value);
    return data == NULL ? checker->poison
                        : tir_const(&checker->tir, item->type, data, setting->span);
}

// The value of the source is checked also where a -D replaces it.
void check_give_value(Checker *checker, TirInterface *item, const AstExpr *ast) {
    TirExpr *value = lower_constant_value(checker, item, ast);
    item->written = value;
    SourceFile *option =
        check_find_option(&checker->options->definitions, check_interface_text(checker, item));
    Slice text;
    bool is_text =
        option != NULL && item->type->root >= ROOT_CHAR && check_unquoted_text(option, &text);
    if (is_text && (item->type->root == ROOT_STR || text.len == 1)) {
        value = fit_text(checker, item, check_string(checker, text, ast->span));
    } else if (option != NULL) {
        const AstExpr *given = check_parse_option(checker, option);
        value = given == NULL ? checker->poison : lower_constant_value(checker, item, given);
    }
    UseSetting *setting = find_setting(checker, item);
    if (setting != NULL) {
        setting->is_used = true;
        notes_interface(checker, item, setting->span, true);
        // A tunable property has a value for each instance.
        bool is_shared = item->kind == INTERFACE_TUNABLE && !checker->use->fixes_tunables;
        value = is_shared ? value : check_setting(checker, item, setting, checker->use);
    }
    item->value = value;
    if (!type_is_poison(value->type) && value->type->root >= ROOT_CHAR) {
        item->text = check_text_value(checker, value);
    }
}

static bool use_connects(const ComponentUse *use, Name name) {
    for (size_t k = 0; k < use->connected_count; k++) {
        if (use->connected[k] == name) {
            return true;
        }
    }
    return false;
}

bool check_is_connected(const Checker *checker, const TirInterface *item) {
    if (checker->use == NULL) {
        const char *name = arena_format(checker->arena, "%c.%s", item->space, item->name->text);
        return check_find_option(&checker->options->connections, name) != NULL;
    }
    return use_connects(checker->use, item->name);
}

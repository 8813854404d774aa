// The interface of a component (L10.1): declarations in the namespaces `t`, `p` and `n`, values
// from the command line, and what reads or writes these names.
#include "sema/component/component.h"

#include "parser/parse.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

static const char spaces[INTERFACE_SPACES + 1] = "tpn";

// Position of a namespace in `spaces`, or -1.
static int space_index(Name name) {
    const char *at = name->len == 1 ? strchr(spaces, name->text[0]) : NULL;
    return at == NULL ? -1 : (int)(at - spaces);
}

bool check_is_space_name(Name name) {
    return space_index(name) >= 0;
}

void check_file_level_name(Checker *checker, const Unit *unit, Name name, Span span) {
    if (unit->kind == FILE_COMPONENT && check_is_space_name(name)) {
        check_error(checker, DIAG_E0305, span,
                    "`%s` is the namespace of %s and cannot be declared here", name->text,
                    name->text[0] == 't'   ? "terminals"
                    : name->text[0] == 'p' ? "properties"
                                           : "constants");
    }
}

bool check_is_interface(const Checker *checker, const AstExpr *ast) {
    if (ast->kind != AST_ATTR || ast->attr.object->kind != AST_NAME) {
        return false;
    }
    const Unit *unit = checker->at.unit;
    const AstName *space = &ast->attr.object->name;
    int index = space_index(space->name);
    bool is_component = unit->kind == FILE_COMPONENT;
    bool has_some =
        index >= 0 && (index == CONSTANT_SPACE ? unit->has_constants
                                               : unit->interface[index] != NULL &&
                                                     unit->interface[index]->symbols.count > 0);
    if (!is_component && !has_some) {
        return false;
    }
    const Symbol *symbol = scope_find(checker->at.scope, space->name);
    // At file level of a component the name is an error (E0305), and hides nothing.
    bool hidden =
        symbol != NULL && (!is_component || symbol != scope_find_here(unit->scope, space->name));
    return space->macro_indices.count == 0 && check_is_space_name(space->name) && !hidden &&
           check_macro_variable(checker, space->name) == NULL;
}

// How messages call a name of the interface: `t.u`.
static const char *full_name(Checker *checker, char space, Name name) {
    return arena_format(checker->arena, "%c.%s", space, name->text);
}

static const char *space_text(char space) {
    return space == 't' ? "terminal" : space == 'p' ? "property" : "namespace constant";
}

// Where the file declares a name of a namespace that is not known yet; NULL when it does not.
static const AstStmt *find_declaration(const Checker *checker, const AstExpr *ast, Name name) {
    const AstBlock *statements = &checker->at.unit->file->statements;
    for (size_t k = 0; k < statements->count; k++) {
        const AstStmt *stmt = statements->items[k];
        if (stmt->kind == AST_TERMINAL && stmt->terminal.name.name == name &&
            stmt->terminal.name.macro_indices.count == 0 &&
            stmt->terminal.space.name == ast->attr.object->name.name) {
            return stmt;
        }
    }
    return NULL;
}

// What may have been meant by a name that its namespace does not have.
static void suggest_name(Checker *checker, Diag *diag, const AstExpr *ast, Name name) {
    const AstStmt *later = find_declaration(checker, ast, name);
    if (later != NULL) {
        diag_note_at(diag, later->terminal.name.span, "it is declared further down");
        return;
    }
    int space = space_index(ast->attr.object->name.name);
    CHECK(space >= 0);
    const char *text = NULL;
    const char *nearest = scope_nearest(checker->at.unit->interface[space], name);
    if (nearest != NULL) {
        text = arena_format(checker->arena, "%c.%s", spaces[space], nearest);
    }
    for (int other = 0; text == NULL && other < INTERFACE_SPACES; other++) {
        if (scope_find(checker->at.unit->interface[other], name) != NULL) {
            text = full_name(checker, spaces[other], name);
        }
    }
    if (text != NULL) {
        diag_help(diag, "did you mean `%s`?", text);
        diag_edit(diag, ast->span, "%s", text);
    }
}

// What the namespace before the dot has under that name; NULL when it has none.
static Symbol *find_symbol(const Checker *checker, const AstExpr *ast, Name name) {
    int space = space_index(ast->attr.object->name.name);
    CHECK(space >= 0);
    return scope_find(checker->at.unit->interface[space], name);
}

TirInterface *check_find_interface(Checker *checker, const AstExpr *ast) {
    Name name = check_macro_name(checker, &ast->attr.name);
    if (name == NULL) {
        return NULL;
    }
    Symbol *symbol = find_symbol(checker, ast, name);
    if (symbol != NULL) {
        symbol->used = true;
        check_note_terminal(checker, symbol->interface);
        return symbol->interface;
    }
    char space = ast->attr.object->name.name->text[0];
    Diag *diag = check_error(checker, DIAG_E0301, ast->span, "unknown %s `%s`", space_text(space),
                             full_name(checker, space, name));
    suggest_name(checker, diag, ast, name);
    return NULL;
}

const char *check_interface_text(Checker *checker, const TirInterface *item) {
    return full_name(checker, item->space, item->name);
}

const TirInterface *check_find_optional(Checker *checker, const AstExpr *ast) {
    bool is_terminal = ast->kind == AST_ATTR && check_is_interface(checker, ast);
    if (!is_terminal && ast->kind != AST_NAME) {
        return NULL;
    }
    Name name = check_macro_name(checker, is_terminal ? &ast->attr.name : &ast->name);
    if (name == NULL || (!is_terminal && check_macro_variable(checker, name) != NULL)) {
        return NULL;
    }
    if (!is_terminal) {
        const Symbol *symbol = scope_find(checker->at.scope, name);
        return symbol == NULL ? NULL : symbol->optional;
    }
    const Symbol *symbol = find_symbol(checker, ast, name);
    return symbol != NULL && symbol->interface->is_optional ? symbol->interface : NULL;
}

static Span source_span(const SourceFile *source) {
    return (Span){source->base, source->base + (uint32_t)source->len};
}

// What stands before the `=` of a -D, or the whole of a --with, without spaces around it.
static Slice option_name(const SourceFile *source) {
    Slice text = {source->text, source->len};
    const char *equals = memchr(text.data, '=', text.len);
    text.len = equals == NULL ? text.len : (size_t)(equals - text.data);
    while (text.len > 0 && text.data[0] == ' ') {
        text = (Slice){text.data + 1, text.len - 1};
    }
    while (text.len > 0 && text.data[text.len - 1] == ' ') {
        text.len--;
    }
    return text;
}

// The last of the texts with this name; NULL when there is none.
static SourceFile *find_option(const CheckTexts *texts, const char *name) {
    for (size_t k = texts->count; k-- > 0;) {
        Slice given = option_name(texts->items[k]);
        if (given.len == strlen(name) && memcmp(given.data, name, given.len) == 0) {
            return texts->items[k];
        }
    }
    return NULL;
}

// The text behind the `=`.
static Slice option_value(const SourceFile *source) {
    const char *equals = memchr(source->text, '=', source->len);
    CHECK(equals != NULL);
    return (Slice){equals + 1, (size_t)(source->text + source->len - equals - 1)};
}

// The value of a -D as an expression; NULL after an error.
static const AstExpr *parse_option(Checker *checker, SourceFile *source) {
    size_t errors = checker->context->diags->error_count;
    const AstFile *file = parse_file(checker->context, source);
    const AstStmt *stmt = file->statements.count == 1 ? file->statements.items[0] : NULL;
    if (stmt != NULL && stmt->kind == AST_ASSIGN && !stmt->assign.compound &&
        !stmt->assign.optional && stmt->assign.target->kind == AST_ATTR) {
        return stmt->assign.value;
    }
    if (checker->context->diags->error_count == errors) {
        check_error(checker, DIAG_E0304, source_span(source),
                    "`-D` gives one name one value: `-D p.name=2.5`");
    }
    return NULL;
}

// The namespace of a file that an option names, and the name in it; NULL when it names none.
static Scope *option_space(Checker *checker, const Unit *unit, Slice option, Name *name) {
    const char *at = option.len > 2 && option.data[1] == '.'
                         ? memchr(spaces, option.data[0], INTERFACE_SPACES)
                         : NULL;
    if (at == NULL) {
        return NULL;
    }
    *name = names_intern(checker->context->names, option.data + 2, option.len - 2);
    return unit->interface[at - spaces];
}

static void report_option(Checker *checker, const SourceFile *source, const char *usage) {
    Slice option = option_name(source);
    Diag *diag =
        check_error(checker, DIAG_E0304, source_span(source), "`%s` has no `%.*s`",
                    checker->units.items[0]->file->source->path, (int)option.len, option.data);
    Name name;
    const Scope *space = option_space(checker, checker->units.items[0], option, &name);
    const char *nearest = space == NULL ? NULL : scope_nearest(space, name);
    if (nearest != NULL) {
        diag_help(diag, "did you mean `%c.%s`?", option.data[0], nearest);
    } else if (space == NULL) {
        diag_note(diag, "%s", usage);
    } else if (checker->units.items[0]->kind != FILE_COMPONENT && option.data[0] != 'n') {
        diag_note(diag, "it is no component; every file may have constants in `n`");
    }
}

// What a file of the program declares under the name of an option; NULL when none does.
static const Symbol *option_symbol(Checker *checker, const SourceFile *source) {
    for (size_t k = 0; k < checker->units.count; k++) {
        Name name;
        const Scope *space =
            option_space(checker, checker->units.items[k], option_name(source), &name);
        const Symbol *symbol = space == NULL ? NULL : scope_find_here(space, name);
        if (symbol != NULL) {
            return symbol;
        }
    }
    return NULL;
}

static void require_definition_used(Checker *checker, const SourceFile *source) {
    const Symbol *symbol = option_symbol(checker, source);
    if (symbol == NULL) {
        report_option(checker, source, "`-D` takes `p.name=value` or `n.name=value`");
    } else if (symbol->interface->space == 't') {
        check_error(checker, DIAG_E0304, source_span(source),
                    "`t.%s` is a terminal: `-D` gives values to properties and constants",
                    symbol->name->text);
    }
}

static void require_connection_used(Checker *checker, const SourceFile *source) {
    const Symbol *symbol = option_symbol(checker, source);
    if (symbol == NULL || symbol->interface->space != 't') {
        report_option(checker, source,
                      "`--with` takes the name of an optional terminal: `--with t.name`");
    } else if (!symbol->interface->is_optional) {
        Diag *diag = check_error(checker, DIAG_E0304, source_span(source), "`t.%s` is not optional",
                                 symbol->name->text);
        diag_note_at(diag, symbol->span, "it is declared here");
    }
}

void check_options_used(Checker *checker) {
    for (size_t k = 0; k < checker->options->definitions.count; k++) {
        require_definition_used(checker, checker->options->definitions.items[k]);
    }
    for (size_t k = 0; k < checker->options->connections.count; k++) {
        require_connection_used(checker, checker->options->connections.items[k]);
    }
}

// Which modifiers and which value fit the namespace. False after an error.
static bool require_form(Checker *checker, const AstStmt *stmt, char space, const char *name) {
    unsigned modifiers = stmt->terminal.modifiers;
    bool has_value = stmt->terminal.value != NULL;
    bool directed = (modifiers & (AST_MODIFIER_IN | AST_MODIFIER_OUT)) != 0;
    bool tunable = (modifiers & AST_MODIFIER_TUNABLE) != 0;
    const char *wrong = NULL;
    if (space == 't') {
        bool is_output = (modifiers & AST_MODIFIER_OUT) != 0;
        wrong = !directed                ? "a terminal is `in` or `out`"
                : has_value && is_output ? "only an input has a value, its default"
                                         : NULL;
    } else {
        bool allowed = modifiers == 0 || (space == 'p' && modifiers == AST_MODIFIER_TUNABLE);
        wrong = !allowed && tunable && space == 'n' ? "only properties are `tunable`"
                : !allowed                          ? "only terminals have such a modifier"
                : !has_value                        ? "it needs a value"
                                                    : NULL;
    }
    if (wrong != NULL) {
        check_error(checker, DIAG_E0706, stmt->span, "%s `%s`: %s", space_text(space), name, wrong);
        return false;
    }
    return true;
}

// L10.10: of an input that may be absent `exists`, `?` and `?:` say what holds where it is.
static bool require_default_fits(Checker *checker, const AstStmt *stmt, const char *name) {
    bool is_optional = (stmt->terminal.modifiers & AST_MODIFIER_OPTIONAL) != 0;
    if (stmt->terminal.value == NULL || !is_optional) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0735, stmt->terminal.value->span,
                             "`%s` is optional and has no default", name);
    diag_help(diag, "`%s ?: value` where it is read has a value for when it is absent", name);
    return false;
}

static bool lower_interface_type(Checker *checker, const AstStmt *stmt, const Type *type,
                                 char space) {
    bool tunable = (stmt->terminal.modifiers & AST_MODIFIER_TUNABLE) != 0;
    if (type_is_poison(type)) {
        return false;
    }
    if (type_has_value(type) || (space != 't' && !tunable && type_is_scalar(type))) {
        return true;
    }
    return check_refuse(checker, DIAG_E0407, stmt->terminal.type->span, "a %s cannot be a `%s`",
                        tunable ? "tunable property" : space_text(space),
                        check_type_text(checker, type));
}

// The text that a -D gives a str: without quotes, all that stands behind the `=`.
static bool unquoted_text(const SourceFile *option, Slice *text) {
    *text = option_value(option);
    size_t first = 0;
    while (first < text->len && text->data[first] == ' ') {
        first++;
    }
    return first == text->len || (text->data[first] != '"' && text->data[first] != '\'');
}

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
        check_note_not_constant(checker, diag);
        return checker->poison;
    }
    return tir_const(&checker->tir, item->type, data, ast->span);
}

// The value of the source is checked also where a -D replaces it.
static void give_value(Checker *checker, TirInterface *item, const AstExpr *ast) {
    TirExpr *value = lower_constant_value(checker, item, ast);
    SourceFile *option =
        find_option(&checker->options->definitions, check_interface_text(checker, item));
    Slice text;
    bool is_text = option != NULL && item->type->root >= ROOT_CHAR && unquoted_text(option, &text);
    if (is_text && (item->type->root == ROOT_STR || text.len == 1)) {
        value = fit_text(checker, item, check_string(checker, text, ast->span));
    } else if (option != NULL) {
        const AstExpr *given = parse_option(checker, option);
        value = given == NULL ? checker->poison : lower_constant_value(checker, item, given);
    }
    item->value = value;
    if (value->type->root == ROOT_STR && !type_is_poison(value->type)) {
        item->text = check_text_value(checker, value);
    }
}

static TirVar *create_interface_var(Checker *checker, const TirInterface *item) {
    TirVarRole role = item->kind == INTERFACE_INPUT    ? VAR_INPUT
                      : item->kind == INTERFACE_OUTPUT ? VAR_OUTPUT
                                                       : VAR_TUNABLE;
    if (!item->is_present) { // only code that never runs reads or writes it
        TirVar *var = ARENA_NEW(checker->arena, TirVar);
        *var = (TirVar){.role = role, .name = item->name, .type = item->type, .span = item->span};
        return var;
    }
    TirVar *var = tir_var_create(&checker->tir, NULL, role, item->name, item->type, item->span);
    LIST_PUSH(checker->arena, &checker->program->globals, var);
    return var;
}

static TirInterfaceKind interface_kind(unsigned modifiers) {
    return (modifiers & AST_MODIFIER_IN) != 0        ? INTERFACE_INPUT
           : (modifiers & AST_MODIFIER_OUT) != 0     ? INTERFACE_OUTPUT
           : (modifiers & AST_MODIFIER_TUNABLE) != 0 ? INTERFACE_TUNABLE
                                                     : INTERFACE_CONSTANT;
}

// The entry in the namespace; NULL after E0302.
static Symbol *declare_name(Checker *checker, Scope *scope, char space, Name name, Span span) {
    Symbol *old = scope_find_here(scope, name);
    if (old != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, span, "`%s` is declared twice",
                                 full_name(checker, space, name));
        diag_label(diag, old->span, "first declared here");
        old->interface->type = checker->poison->type; // which one is meant is not known
        return NULL;
    }
    return scope_add(scope, SYMBOL_INTERFACE, name, span);
}

// A property of a file of another kind; uses of it stay silent. Always false.
static bool report_no_component(Checker *checker, const AstStmt *stmt) {
    Diag *diag =
        check_error(checker, DIAG_E0701, stmt->span, "a property stands in a component only");
    diag_note(diag, "every file may have constants in `n`, and `-D n.name=value` sets them");
    return false;
}

void check_interface_declaration(Checker *checker, const AstStmt *stmt) {
    const Unit *unit = checker->at.unit;
    bool is_component = unit->kind == FILE_COMPONENT && unit->index == 0;
    int index = space_index(stmt->terminal.space.name);
    if (!checker->at.mode.at_file_level) {
        check_error(checker, DIAG_E0706, stmt->span,
                    index == CONSTANT_SPACE
                        ? "constants stand at file level only"
                        : "terminals and properties stand at the file level of a component only");
        return;
    }
    if (index < 0) {
        check_error(checker, DIAG_E0301, stmt->terminal.space.span,
                    "unknown namespace `%s`: terminals are in `t`, properties in `p`, constants "
                    "in `n`",
                    stmt->terminal.space.name->text);
        return;
    }
    char space = spaces[index];
    Name name = check_macro_name(checker, &stmt->terminal.name);
    const Type *type = check_type(checker, stmt->terminal.type);
    if (name == NULL) {
        return;
    }
    const char *text = full_name(checker, space, name);
    bool form_fits =
        (is_component || index == CONSTANT_SPACE || report_no_component(checker, stmt)) &&
        require_form(checker, stmt, space, text);
    Symbol *symbol = declare_name(checker, unit->interface[index], space, name,
                                  span_join(stmt->terminal.space.span, stmt->terminal.name.span));
    if (symbol == NULL) {
        return;
    }
    bool fits = form_fits && lower_interface_type(checker, stmt, type, space) &&
                require_default_fits(checker, stmt, text);
    unsigned modifiers = stmt->terminal.modifiers;
    TirInterface *item = ARENA_NEW(checker->arena, TirInterface);
    *item = (TirInterface){
        .kind = interface_kind(modifiers),
        .space = space,
        .name = name,
        .span = symbol->span,
        .type = fits ? type : checker->poison->type,
        .is_optional = (modifiers & AST_MODIFIER_OPTIONAL) != 0,
        .has_feedthrough = (modifiers & AST_MODIFIER_NOT_FEEDTHROUGH) == 0,
    };
    item->is_present = !item->is_optional || find_option(&checker->options->connections,
                                                         full_name(checker, space, name)) != NULL;
    symbol->interface = item;
    if (!fits) {
        return; // uses of it stay silent
    }
    if (stmt->terminal.value != NULL) {
        give_value(checker, item, stmt->terminal.value);
    }
    if (item->kind != INTERFACE_CONSTANT) {
        item->var = create_interface_var(checker, item);
        check_note_use(checker, item->var, item->span);
    }
    if (is_component) {
        LIST_PUSH(checker->arena, &checker->program->interface, item);
    }
}

TirExpr *check_interface_read(Checker *checker, const AstExpr *ast) {
    const TirInterface *item = check_find_interface(checker, ast);
    if (item == NULL || type_is_poison(item->type)) {
        return checker->poison;
    }
    if (item->value == NULL && item->var == NULL) {
        return check_fail(checker, DIAG_E0301, ast->span, "`%s` has no value yet: this is its own",
                          check_interface_text(checker, item));
    }
    if (item->kind == INTERFACE_CONSTANT) {
        TirExpr *value = item->value;
        CHECK(value != NULL);
        if (type_is_poison(value->type)) {
            return value;
        }
        TirExpr *copy = tir_copy_node(&checker->tir, value);
        copy->span = ast->span;
        return copy;
    }
    if (item->kind != INTERFACE_TUNABLE && checker->at.mode.pure && !checker->at.mode.unevaluated) {
        return check_fail(checker, DIAG_E0702, ast->span,
                          "a file-level value cannot read a terminal");
    }
    if (!check_is_present(checker, item->is_optional ? item : NULL, ast, false)) {
        return checker->poison;
    }
    check_note_use(checker, item->var, ast->span);
    return check_read(checker, item->var, ast->span);
}

bool check_names_text(Checker *checker, const AstExpr *ast, size_t *length) {
    if (!check_is_interface(checker, ast) || !check_knows_name(checker, &ast->attr.name)) {
        return false;
    }
    Name name = check_macro_name(checker, &ast->attr.name);
    const Symbol *symbol = name == NULL ? NULL : find_symbol(checker, ast, name);
    const TirExpr *value = symbol == NULL ? NULL : symbol->interface->value;
    *length = symbol == NULL ? 0 : symbol->interface->text.len;
    return value != NULL && value->type->root == ROOT_STR && !type_is_poison(value->type);
}

TirVar *check_interface_target(Checker *checker, const AstExpr *ast) {
    const TirInterface *item = check_find_interface(checker, ast);
    if (item == NULL || type_is_poison(item->type)) {
        return NULL;
    }
    if (item->kind != INTERFACE_OUTPUT) {
        Diag *diag =
            check_error(checker, DIAG_E0720, ast->span, "`%s` is %s and cannot be assigned to",
                        check_interface_text(checker, item),
                        item->kind == INTERFACE_INPUT ? "an input"
                        : item->space == 'p'          ? "a property"
                                                      : "a constant");
        diag_note_at(diag, item->span, "it is declared here");
        return NULL;
    }
    if (!check_is_present(checker, item->is_optional ? item : NULL, ast, true)) {
        return NULL;
    }
    check_note_use(checker, item->var, ast->span);
    return item->var;
}

// What is meant by names, attributes and calls that other languages have: `np.sin(x)`, `x.sum()`,
// `a.shape`, `sort(x)`, a name of the interface without its namespace.
#include "sema/expr.h"

#include "parser/mistakes/foreign.h"
#include "sema/builtin/builtin.h"
#include "sema/component/component.h"
#include "sema/help.h"
#include "sema/library/library.h"
#include "sema/stmt.h"
#include "sema/system/system.h"

#include <string.h>

static Slice slice_of(Name name) {
    return (Slice){name->text, name->len};
}

bool check_is_given(const Checker *checker, Name name) {
    return builtin_find(name) != NULL || library_find(checker, name) != NULL;
}

// `u` for `t.u`: what the component's interface has under that name.
static bool suggest_interface(Checker *checker, Diag *diag, const AstName *name) {
    static const char spaces[INTERFACE_SPACES + 1] = "tpn";
    const Unit *unit = checker->at.unit;
    const SourceFile *source = unit->file->source;
    if (source->text[name->span.end - source->base] == '?') {
        return false; // what may be absent is another question
    }
    for (int k = 0; k < INTERFACE_SPACES; k++) {
        bool has_space = unit->kind == FILE_COMPONENT || k == CONSTANT_SPACE;
        if (has_space && scope_find_here(unit->interface[k], name->name) != NULL) {
            diag_help(diag, "did you mean `%c.%s`?", spaces[k], name->name->text);
            diag_edit(diag, name->span, "%c.%s", spaces[k], name->name->text);
            return true;
        }
    }
    return false;
}

// `#define N 4`
static bool explain_define(Checker *checker, Diag *diag, const char *name, const char *source) {
    const char *define = arena_format(checker->arena, "#define %s ", name);
    const char *found = strstr(source, define);
    if (found == NULL) {
        return false;
    }
    const char *value = found + strlen(define);
    value += strspn(value, " ");
    int len = (int)strspn(value, "0123456789.");
    bool whole = memchr(value, '.', (size_t)len) == NULL;
    diag_note(diag,
              "`%s...` is a comment; a constant is declared like `%s n.%s = %.*s`, and read as "
              "`n.%s`",
              define, whole ? "int" : "real", name, len == 0 ? 1 : len, len == 0 ? "3" : value,
              name);
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// A comment that is none, or that hides what was meant.
static bool explain_comment(Checker *checker, Diag *diag, const AstName *name) {
    const SourceFile *source = checker->at.unit->file->source;
    uint32_t start = name->span.start - source->base;
    uint32_t before = start;
    while (before > 0 && is_blank(source->text[before - 1])) {
        before--;
    }
    uint32_t len = before > 1 && memcmp(source->text + before - 2, "--", 2) == 0 ? 2 : 1;
    bool marked = len == 2 ? before < start : before > 0 && source->text[before - 1] == '%';
    uint32_t blank = before - (marked ? len : 0);
    while (marked && blank > 0 && is_blank(source->text[blank - 1])) {
        blank--;
    }
    bool first = blank == 0 || source->text[blank - 1] == '\n';
    if (marked && (first || (len == 2 && blank < before - len))) {
        diag_help(diag, "a comment begins with `#`");
        diag_edit(diag, (Span){source->base + before - len, source->base + before}, "#");
        return true;
    }
    if (source->text[name->span.end - source->base] == '#') {
        diag_note(diag, "what follows `#` is a comment");
        return true;
    }
    return explain_define(checker, diag, name->name->text, source->text);
}

// `Ts = 0.01 % s`, where nothing is called like the one word behind the `%`.
static bool explain_percent(Checker *checker, Diag *diag, const AstName *name) {
    const SourceFile *source = checker->at.unit->file->source;
    uint32_t start = name->span.start - source->base;
    const char *behind = source->text + (name->span.end - source->base);
    behind += strspn(behind, " \t\r");
    if (start < 2 || memcmp(source->text + start - 2, "% ", 2) != 0 ||
        (*behind != '\n' && *behind != '\0')) {
        return false;
    }
    diag_note(diag, "`%%` is the remainder; a comment begins with `#`");
    return true;
}

// An operand of `%`.
static const char *operand_text(Checker *checker, const AstExpr *ast, const char *fallback) {
    const char *text = check_expr_text(checker, ast->span, fallback);
    bool is_long = ast->kind == AST_BINARY && !ast->parenthesized && text != fallback;
    return is_long ? arena_format(checker->arena, "(%s)", text) : text;
}

// `mod(x, 2*M_PI)`
static bool tell_remainder(Checker *checker, Diag *diag, const char *sentence,
                           const AstExpr *call) {
    if (call == NULL || call->call.args.count != 2 || strstr(sentence, "`x % y`") == NULL) {
        return false;
    }
    const char *first = operand_text(checker, call->call.args.items[0], "x");
    diag_note(diag, "the remainder is `%s %% %s`, with the sign of what stands before `%%`", first,
              operand_text(checker, call->call.args.items[1], "y"));
    return true;
}

// `call` is NULL where the name is not called.
static void tell_foreign(Checker *checker, Diag *diag, const ForeignWord *foreign, Span span,
                         const AstExpr *call) {
    if ((foreign->roles & FOREIGN_NAME) != 0) {
        diag_help(diag, "TML writes `%s`", foreign->tml);
        diag_edit(diag, span, "%s", foreign->tml);
    } else if (!tell_remainder(checker, diag, foreign->tml, call)) {
        diag_note(diag, "%s", foreign->tml);
    }
}

// `total = total + x` of an unknown `total`, with a type before it if `declared`: one of the two is
// misspelt, both are, or it lacks a value to start with.
bool check_is_updated_there(const Checker *checker, const AstName *name, bool declared) {
    const SourceFile *source = checker->at.unit->file->source;
    const char *at = source->text + (name->span.start - source->base);
    const char *line = at;
    while (line > source->text && line[-1] != '\n') {
        line--;
    }
    line += strspn(line, " \t");
    const char *end = memchr(line, '=', (size_t)(at - line));
    if (line >= at || end == NULL || end[1] == '=') {
        return false;
    }
    while (end > line && end[-1] == ' ') {
        end--;
    }
    size_t len = (size_t)(end - line);
    const char *target = len < name->name->len ? line : end - name->name->len;
    return (declared ? target > line && target[-1] == ' ' : len == name->name->len) &&
           strncmp(target, name->name->text, name->name->len) == 0;
}

// How far the line that ends before `end` is indented, and its last character, a comment left out.
static size_t line_before(const char *text, const char *end, const char **start, char *last) {
    const char *line = end;
    while (line > text && line[-1] != '\n') {
        line--;
    }
    const char *comment = memchr(line, '#', (size_t)(end - line));
    const char *stop = comment == NULL ? end : comment;
    while (stop > line && strchr(" \t\r", stop[-1]) != NULL) {
        stop--;
    }
    *start = line;
    *last = stop == line ? '\0' : stop[-1];
    return strspn(line, " \t");
}

bool check_note_goes_on(Checker *checker, Diag *diag, Span span) {
    SourcePlace place = sources_place(checker->context->sources, span.start);
    const char *text = place.file->text;
    const char *line;
    char last;
    size_t indent = line_before(text, text + place.offset, &line, &last);
    if (line == text || line_before(text, line - 1, &line, &last) != indent || last == '\0' ||
        strchr("+-*/%\\&|^<>=", last) == NULL) {
        return false;
    }
    diag_note(diag, "the expression goes on from the line above, which ends with `%c`", last);
    return true;
}

// A function of a file that only another import reads.
static bool explain_import(Checker *checker, Diag *diag, const AstName *name) {
    for (size_t k = 0; k < checker->units.count; k++) {
        const Unit *unit = checker->units.items[k];
        const Symbol *symbol = scope_find_here(unit->scope, name->name);
        if (!unit->trusted && symbol != NULL && symbol->kind == SYMBOL_FUNCTION) {
            diag_note_at(diag, symbol->span,
                         "`%s` is declared here; an import does not bring what its file imports",
                         name->name->text);
            return true;
        }
    }
    return false;
}

bool check_suggest(Checker *checker, Diag *diag, const AstName *name, const AstExpr *call) {
    bool is_call = call != NULL;
    if (!diag_is_shown(diag)) {
        return true; // thousands of unknown names among thousands of known ones
    }
    if (suggest_interface(checker, diag, name) || explain_comment(checker, diag, name)) {
        return true;
    }
    if (is_call && explain_import(checker, diag, name)) {
        return true;
    }
    const ForeignWord *type = is_call ? foreign_find(slice_of(name->name), FOREIGN_TYPE) : NULL;
    if (type != NULL && *foreign_width(type) != '\0') {
        diag_note(diag, "TML writes `%s(x)`%s", type->tml, foreign_width(type));
        return true;
    }
    // A function is what it is called elsewhere before it is a misspelt one.
    const char *nearest = scope_nearest(checker->at.scope, name->name);
    const ForeignWord *foreign =
        foreign_find(slice_of(name->name), FOREIGN_NAME | FOREIGN_SENTENCE);
    bool same = foreign != NULL && strcmp(foreign->tml, name->name->text) == 0;
    if (foreign != NULL && !same && (is_call || nearest == NULL)) {
        tell_foreign(checker, diag, foreign, name->span, call);
        return true;
    }
    const char *elsewhere =
        is_call && foreign == NULL ? help_of_foreign(checker->arena, slice_of(name->name)) : NULL;
    if (elsewhere != NULL) {
        diag_note(diag, "TML has %s", elsewhere);
        return true;
    }
    const char *source = checker->at.unit->file->source->text;
    if (nearest == NULL && is_call && strstr(source, "#include \"") != NULL) {
        diag_note(diag, "`#include` begins a comment; `import \"file.tml\"` reads another file");
        return true;
    }
    const char *meant = nearest != NULL || !is_call ? nearest : builtin_nearest(name->name);
    if (meant != NULL) {
        diag_help(diag, "did you mean `%s`?", meant);
        if (is_call || !check_is_updated_there(checker, name, false)) {
            diag_edit(diag, name->span, "%s", meant);
        }
    }
    return meant != NULL || (!is_call && !check_is_updated_there(checker, name, false) &&
                             explain_percent(checker, diag, name));
}

bool check_foreign_index(Checker *checker, const AstExpr *index) {
    if (index->kind != AST_NAME || strcmp(index->name.name->text, "None") != 0 ||
        scope_find(checker->at.scope, index->name.name) != NULL) {
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0301, index->span, "unknown name `None`");
    Slice new_axis = {"newaxis", strlen("newaxis")};
    tell_foreign(checker, diag, foreign_find(new_axis, FOREIGN_SENTENCE), index->span, NULL);
    return true;
}

static const AstExpr *root_of(const AstExpr *ast) {
    while (ast->kind == AST_ATTR || ast->kind == AST_INDEX) {
        ast = ast->kind == AST_ATTR ? ast->attr.object : ast->index.object;
    }
    return ast;
}

// Whether `np.linalg.inv` begins with the name of a module of another language that is nothing
// here.
static bool is_in_module(const Checker *checker, const AstExpr *ast) {
    const AstExpr *root = root_of(ast);
    return ast->kind == AST_ATTR && root->kind == AST_NAME &&
           scope_find(checker->at.scope, root->name.name) == NULL &&
           foreign_find(slice_of(root->name.name), FOREIGN_MODULE) != NULL;
}

// `t.u` for `inputs.u`, `x` for `self.x`: what the file has under the name behind the dot of what
// is nothing here; NULL: nothing.
static const char *meant_member(Checker *checker, const AstExpr *ast) {
    const AstExpr *object = ast->attr.object;
    if (object->kind != AST_NAME || check_is_space_name(object->name.name) ||
        scope_find(checker->at.scope, object->name.name) != NULL) {
        return NULL;
    }
    static const char spaces[INTERFACE_SPACES + 1] = "tpn";
    Name name = ast->attr.name.name;
    const Unit *unit = checker->at.unit;
    for (int k = 0; k < INTERFACE_SPACES; k++) {
        if (unit->interface[k] != NULL && scope_find_here(unit->interface[k], name) != NULL) {
            return arena_format(checker->arena, "%c.%s", spaces[k], name->text);
        }
    }
    const Symbol *symbol = scope_find(checker->at.scope, name);
    return symbol != NULL && symbol->kind == SYMBOL_VAR ? name->text : NULL;
}

static void offer_member(Diag *diag, const AstExpr *ast, const char *meant) {
    diag_help(diag, "did you mean `%s`?", meant);
    diag_edit(diag, ast->span, "%s", meant);
}

// `np.pi`, or `np.sin` of a call.
static bool report_member(Checker *checker, const AstExpr *ast, const AstExpr *call) {
    if (!is_in_module(checker, ast)) {
        const char *meant = meant_member(checker, ast);
        if (meant != NULL) {
            Diag *diag = check_error(checker, DIAG_E0301, ast->span, "unknown name `%s.%s`",
                                     ast->attr.object->name.name->text, ast->attr.name.name->text);
            offer_member(diag, ast, meant);
        }
        return meant != NULL;
    }
    Name name = ast->attr.name.name;
    Diag *diag = check_error(checker, DIAG_E0301, ast->span, "unknown name `%s`",
                             check_expr_text(checker, ast->span, name->text));
    const ForeignWord *foreign = foreign_find(slice_of(name), FOREIGN_NAME | FOREIGN_SENTENCE);
    if (check_is_given(checker, name)) {
        diag_help(diag, "functions are built in: `%s`", name->text);
        diag_edit(diag, ast->span, "%s", name->text);
    } else if (foreign != NULL) {
        tell_foreign(checker, diag, foreign, ast->span, call);
    } else {
        diag_note(diag, "functions are built in, and have no module before them");
    }
    return true;
}

bool check_foreign_member(Checker *checker, const AstExpr *ast) {
    return report_member(checker, ast, NULL);
}

static const char *source_of(Checker *checker, Span span) {
    Slice text = sources_text(checker->context->sources, span);
    return arena_copy_text(checker->arena, text.data, text.len);
}

// Whether a function that is given takes the value and so many arguments behind it.
static bool takes_method(Checker *checker, const char *function, const AstExprs *args) {
    for (size_t k = 0; k < args->count; k++) {
        if (args->items[k]->kind == AST_NAMED_ARG) {
            return false;
        }
    }
    const Builtin *builtin = builtin_find(names_intern_text(checker->context->names, function));
    return builtin != NULL ? builtin_takes(builtin, args->count + 1)
                           : library_named(function) == NULL ||
                                 library_taking(checker, function, args->count + 1) != NULL;
}

static void note_function(Checker *checker, Diag *diag, const char *function) {
    const Builtin *builtin = builtin_find(names_intern_text(checker->context->names, function));
    const LibraryRow *row = library_named(function);
    if (builtin != NULL && builtin_note_more(diag, builtin)) {
        return;
    }
    if (row != NULL && row->form == LIBRARY_ROWS) {
        diag_note(diag, "of a matrix, `%s(m)` goes along each row, `%s(m')` along each column",
                  function, function);
    } else {
        diag_note(diag, "functions are called as `%s(x)`", function);
    }
}

// `x.sum()` as `sum(x)`, `x.reshape(2, 2)` as `reshape(x, 2, 2)`; of `x.sum(axis=0)` what there is
// instead.
static void offer_function(Checker *checker, Diag *diag, const AstExpr *ast, const char *function) {
    const AstExpr *callee = ast->call.callee;
    if (!takes_method(checker, function, &ast->call.args)) {
        note_function(checker, diag, function);
        return;
    }
    const char *text = arena_format(checker->arena, "%s(%s", function,
                                    source_of(checker, callee->attr.object->span));
    for (size_t k = 0; k < ast->call.args.count; k++) {
        text = arena_format(checker->arena, "%s, %s", text,
                            source_of(checker, ast->call.args.items[k]->span));
    }
    diag_help(diag, "write `%s)`", text);
    diag_edit(diag, ast->span, "%s)", text);
}

// `units.to_rpm(x)` after `import "lib/units.tml"`.
static bool report_file_as_module(Checker *checker, const AstExpr *callee) {
    const AstExpr *object = callee->attr.object;
    if (object->kind != AST_NAME || scope_find(checker->at.scope, object->name.name) != NULL) {
        return false;
    }
    Name stem = object->name.name;
    bool is_file = false;
    for (size_t k = 0; k < checker->at.unit->imports.count; k++) {
        const char *path = checker->at.unit->imports.items[k]->file->source->path;
        const char *slash = strrchr(path, '/');
        const char *base = slash == NULL ? path : slash + 1;
        is_file = is_file || (strncmp(base, stem->text, stem->len) == 0 &&
                              strcmp(base + stem->len, ".tml") == 0);
    }
    if (!is_file) {
        return false;
    }
    Name name = callee->attr.name.name;
    Diag *diag = check_error(checker, DIAG_E0301, callee->span,
                             "names of an imported file have nothing before them");
    const Symbol *symbol = scope_find(checker->at.scope, name);
    if (symbol != NULL && symbol->kind == SYMBOL_FUNCTION) {
        diag_help(diag, "write `%s`", name->text);
        diag_edit(diag, callee->span, "%s", name->text);
    }
    return true;
}

void check_foreign_call(Checker *checker, const AstExpr *ast) {
    const AstExpr *callee = ast->call.callee;
    if (callee->kind != AST_ATTR) {
        check_error(checker, DIAG_E0719, callee->span, "only functions can be called");
        return;
    }
    if (check_is_interface(checker, callee) || system_is_member(checker, callee)) {
        Diag *diag = check_error(checker, DIAG_E0719, callee->span, "`%s` is a value, no function",
                                 source_of(checker, callee->span));
        diag_note(diag, "indices stand in square brackets, and count from 0");
        return;
    }
    const AstExpr *root = root_of(callee);
    bool is_unknown = root->kind == AST_NAME && !is_in_module(checker, callee) &&
                      scope_find(checker->at.scope, root->name.name) == NULL;
    if (is_in_module(checker, callee) ? report_member(checker, callee, ast)
                                      : report_file_as_module(checker, callee)) {
        return;
    }
    if (is_unknown && !check_is_space_name(root->name.name)) {
        check_unevaluated(checker, root); // which says so
        return;
    }
    static const char *const attributes[] = {"size", "len", "numel", "rows", "cols"};
    Name name = callee->attr.name.name;
    Diag *diag = check_error(checker, DIAG_E0719, callee->attr.name.span,
                             "a value has no methods such as `%s`", name->text);
    for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++) {
        if (strcmp(attributes[k], name->text) == 0 && ast->call.args.count == 0) {
            diag_help(diag, "`%s` is written without parentheses", name->text);
            diag_edit(diag, (Span){callee->span.end, ast->span.end}, "%s", "");
            return;
        }
    }
    const Symbol *symbol = scope_find(checker->at.scope, name);
    bool function =
        symbol != NULL ? symbol->kind == SYMBOL_FUNCTION : check_is_given(checker, name);
    const ForeignWord *foreign = foreign_find(slice_of(name), FOREIGN_NAME | FOREIGN_SENTENCE);
    if (function) {
        offer_function(checker, diag, ast, name->text);
    } else if (foreign != NULL && (foreign->roles & FOREIGN_NAME) != 0) {
        offer_function(checker, diag, ast, foreign->tml);
    } else if (foreign != NULL) {
        diag_note(diag, "%s", foreign->tml);
    } else {
        diag_note(diag, "functions are called as `f(x)`");
    }
}

bool check_offer_attribute(Diag *diag, const AstExpr *ast, const Type *type) {
    static const struct {
        const char *foreign;
        const char *tml; // behind the value
    } rows[] = {
        {"shape", ".size"}, {"ndim", ".size.len"}, {"length", ".len"},
        {"T", "'"},         {"columns", ".cols"},
    };
    if (!type_is_tensor(type)) {
        return false;
    }
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        bool fits = type->rank == 2 || rows[k].tml[0] == '.';
        if (fits && strcmp(rows[k].foreign, ast->attr.name.name->text) == 0) {
            diag_help(diag, "TML writes `%s`", rows[k].tml);
            diag_edit(diag, (Span){ast->attr.object->span.end, ast->span.end}, "%s", rows[k].tml);
            return true;
        }
    }
    return false;
}

// `m = x.rows`, `n = x.cols`
static const char *lengths_text(Checker *checker, const AstExprs *targets, const char *object,
                                bool is_matrix) {
    static const char *const of_matrix[] = {"rows", "cols"};
    const char *text = "";
    for (size_t k = 0; k < targets->count; k++) {
        const char *target = check_expr_text(checker, targets->items[k]->span, "n");
        if (strcmp(target, "_") == 0) {
            continue;
        }
        const char *length =
            is_matrix ? of_matrix[k] : arena_format(checker->arena, "size[%zu]", k);
        text = arena_format(checker->arena, "%s%s`%s = %s.%s`", text, *text == '\0' ? "" : ", ",
                            target, object, length);
    }
    return text;
}

bool check_foreign_lengths(Checker *checker, const AstStmt *stmt) {
    const AstExprs *targets = &stmt->assign_all.targets;
    const AstExpr *value = stmt->assign_all.value;
    if (value->kind != AST_ATTR || (strcmp(value->attr.name.name->text, "shape") != 0 &&
                                    strcmp(value->attr.name.name->text, "size") != 0)) {
        return false;
    }
    const Type *type = check_unevaluated(checker, value->attr.object)->type;
    if (!type_is_tensor(type)) {
        return false;
    }
    const char *object = check_expr_text(checker, value->attr.object->span, "x");
    Diag *diag =
        check_error(checker, DIAG_E0712, value->span, "this is 1 value, not %u", targets->count);
    if (type->rank != targets->count) {
        diag_note(diag, "the lengths of `%s` are `%s.size`, of %u elements", object, object,
                  type->rank);
        return true;
    }
    const char *lengths = lengths_text(checker, targets, object, type->rank == 2);
    if (*lengths != '\0') {
        diag_note(diag, "lengths are assigned one by one: %s", lengths);
    }
    return true;
}

void check_explain_member(Checker *checker, Diag *diag, const AstExpr *target) {
    bool member = target->kind == AST_ATTR && target->attr.object->kind == AST_NAME;
    if (check_note_hidden_space(checker, diag, target) || !member) {
        return;
    }
    const char *meant = meant_member(checker, target);
    if (meant != NULL) {
        offer_member(diag, target, meant);
        return;
    }
    diag_note(diag, "there are no structures: what belongs together has names in common");
    check_declare_unknown(checker, &target->attr.object->name);
}

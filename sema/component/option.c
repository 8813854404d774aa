// What the command line says of an interface: -D gives values, --with connects terminals (L10.1).
#include "sema/component/component.h"

#include "parser/parse.h"
#include "support/bug.h"
#include "support/suggest.h"

#include <string.h>

static Span source_span(const SourceFile *source) {
    return (Span){source->base, source->base + (uint32_t)source->len};
}

// What stands before the `=` of a -D, or the whole of a --with, without spaces around it.
static Slice option_name(const SourceFile *source) {
    Slice text = {source->text, source->len};
    const char *equals = memchr(text.data, '=', text.len);
    text.len = equals == NULL ? text.len : (size_t)(equals - text.data);
    return slice_trim(text);
}

SourceFile *check_find_option(const CheckTexts *texts, const char *name) {
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

const AstExpr *check_parse_option(Checker *checker, SourceFile *source) {
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

bool check_unquoted_text(const SourceFile *option, Slice *text) {
    *text = option_value(option);
    size_t first = 0;
    while (first < text->len && text->data[first] == ' ') {
        first++;
    }
    return first == text->len || (text->data[first] != '"' && text->data[first] != '\'');
}

// The namespace of a file that an option names, and the name in it; NULL when it names none.
static Scope *option_space(Checker *checker, const Unit *unit, Slice option, Name *name) {
    bool has_space = option.len > 2 && option.data[1] == '.';
    int index = has_space ? check_space_index(option.data[0]) : -1;
    if (index < 0) {
        return NULL;
    }
    *name = names_intern(checker->context->names, option.data + 2, option.len - 2);
    return unit->interface[index];
}

// Properties and constants of the file, which -D gives values, in a list.
static const char *list_given(Checker *checker, const Unit *unit) {
    const char *list = "";
    for (int k = 0; k < INTERFACE_SPACES; k++) {
        const Scope *space = unit->interface[k];
        for (size_t i = 0; space != NULL && i < space->symbols.count; i++) {
            const TirInterface *item = space->symbols.items[i]->interface;
            if (item->space != 't') {
                list = arena_format(checker->arena, "%s%s`%s`", list, *list == '\0' ? "" : ", ",
                                    check_interface_text(checker, item));
            }
        }
    }
    return list;
}

// `p.N` of a constant `n.N`, and the other way round; NULL when the file has neither.
static const char *other_space(Checker *checker, const Unit *unit, char letter, Name name) {
    char other = letter == 'p' ? 'n' : 'p';
    const Scope *space = unit->interface[check_space_index(other)];
    bool has_it = letter != 't' && space != NULL && scope_find_here(space, name) != NULL;
    return has_it ? arena_format(checker->arena, "%c.%s", other, name->text) : NULL;
}

// The property or constant whose name is that of an option without a namespace, or near it.
static const char *named_in_spaces(Checker *checker, const Unit *unit, Slice option) {
    Suggestion suggestion = suggestion_for_word(option.data, option.len);
    const TirInterface *found = NULL;
    for (int k = 0; k < INTERFACE_SPACES; k++) {
        const Scope *space = unit->interface[k];
        for (size_t i = 0; space != NULL && i < space->symbols.count; i++) {
            const TirInterface *item = space->symbols.items[i]->interface;
            Name name = item->name;
            if (item->space == 't') {
                break;
            }
            if (name->len == option.len && memcmp(name->text, option.data, option.len) == 0) {
                return check_interface_text(checker, item);
            }
            suggestion_try(&suggestion, name->text);
            found = suggestion.nearest == name->text ? item : found;
        }
    }
    return found == NULL ? NULL : check_interface_text(checker, found);
}

static void report_option(Checker *checker, const SourceFile *source, const char *usage) {
    const Unit *unit = checker->units.items[0];
    Slice option = option_name(source);
    Diag *diag = check_error(checker, DIAG_E0304, source_span(source), "`%s` has no `%.*s`",
                             unit->file->source->path, (int)option.len, option.data);
    Name name;
    const Scope *space = option_space(checker, unit, option, &name);
    if (space == NULL) {
        const char *named = named_in_spaces(checker, unit, option);
        if (named != NULL) {
            diag_help(diag, "did you mean `%s`?", named);
        } else {
            diag_note(diag, "%s", usage);
        }
        return;
    }
    char letter = option.data[0];
    const char *nearest = scope_nearest(space, name);
    const char *meant = nearest != NULL ? arena_format(checker->arena, "%c.%s", letter, nearest)
                                        : other_space(checker, unit, letter, name);
    const char *list = letter == 't' ? "" : list_given(checker, unit);
    if (meant != NULL) {
        diag_help(diag, "did you mean `%s`?", meant);
    } else if (unit->kind != FILE_COMPONENT && letter != 'n') {
        diag_note(diag, "it is no component; every file may have constants in `n`");
    } else if (*list != '\0') {
        diag_note(diag, "it has %s", list);
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
    const CheckOptions *options = checker->options;
    for (size_t k = options->shared_definitions; k < options->definitions.count; k++) {
        require_definition_used(checker, options->definitions.items[k]);
    }
    for (size_t k = options->shared_connections; k < options->connections.count; k++) {
        require_connection_used(checker, options->connections.items[k]);
    }
}

// See interface_file.h. The kind of a file decides how its names bind, so the files are read before
// anything is checked, and their declarations are kept; they are checked like those of the file
// itself, but see nothing of it.
#include "sema/component/interface_file.h"

#include "sema/component/component.h"
#include "sema/expr.h"
#include "sema/file_kind.h"
#include "support/path.h"
#include "support/table.h"

#include <math.h>
#include <string.h>

// Which files were read, and which are still being read: an import of one closes a cycle.
typedef enum FileState { FILE_UNREAD, FILE_LOADING, FILE_LOADED } FileState;

typedef struct Reading {
    Checker *checker;
    Unit *unit;
    Table states; // FileState by the name of the file
} Reading;

static void set_state(Reading *reading, Name file, FileState state) {
    table_set(reading->checker->arena, &reading->states, file, (void *)(uintptr_t)state);
}

static void read_file(Reading *reading, const char *path, Span span);

// False after E0701.
static bool take_statement(Reading *reading, const AstFile *file, AstStmt *stmt) {
    Checker *checker = reading->checker;
    if (stmt->kind == AST_IMPORT) {
        read_file(reading, path_from(checker->arena, file->source->path, stmt->import.path),
                  stmt->import.path_span);
    } else if (stmt->kind == AST_TERMINAL) {
        LIST_PUSH(checker->arena, &reading->unit->outside, stmt);
    } else if (stmt->kind != AST_ERROR_STMT) {
        reading->unit->lacks_names = true;
        return check_refuse(checker, DIAG_E0701, stmt->span,
                            "an interface file has only declarations of terminals, properties and "
                            "constants, and imports of such files");
    }
    return true;
}

static void read_file(Reading *reading, const char *path, Span span) {
    Checker *checker = reading->checker;
    Name name = unit_identify(checker, path);
    FileState state = (FileState)(uintptr_t)table_get(&reading->states, name);
    if (state == FILE_LOADING) {
        check_error(checker, DIAG_E0704, span, "this import closes a cycle");
    }
    if (state != FILE_UNREAD) {
        return;
    }
    const char *error = NULL;
    const AstFile *file = checker->options->load(checker->options->load_data, path, &error);
    if (file == NULL) {
        unit_report_unread(checker, span, path, error);
        reading->unit->lacks_names = true;
        return;
    }
    set_state(reading, name, FILE_LOADING);
    for (size_t k = 0; k < file->statements.count; k++) {
        if (!take_statement(reading, file, file->statements.items[k])) {
            break; // one message is enough
        }
    }
    set_state(reading, name, FILE_LOADED);
}

void interface_files_read(Checker *checker, Unit *unit) {
    const TextList *paths = &checker->options->interfaces;
    Reading reading = {.checker = checker, .unit = unit};
    for (size_t k = 0; k < paths->count; k++) {
        read_file(&reading, path_normal(checker->arena, paths->items[k]), (Span){0, 0});
    }
    for (size_t k = 0; k < unit->outside.count; k++) {
        const char *space = unit->outside.items[k]->terminal.space.name->text;
        unit->has_constants = unit->has_constants || strcmp(space, "n") == 0;
        unit->kind = strcmp(space, "t") == 0 ? FILE_COMPONENT : unit->kind;
    }
}

void interface_files_check(Checker *checker, Unit *unit) {
    CheckPlace outside = checker->at;
    checker->at.unit = unit;
    checker->at.scope = scope_create(checker->arena, NULL);
    checker->at.mode.at_file_level = true;
    checker->at.mode.pure = true;
    for (size_t k = 0; k < unit->outside.count; k++) {
        check_interface_declaration(checker, unit->outside.items[k]);
    }
    checker->at = outside;
}

// Of two values of one type.
static bool is_same_value(Checker *checker, const TirExpr *a, const TirExpr *b) {
    if (a == NULL || b == NULL || type_is_poison(a->type) || type_is_poison(b->type)) {
        return a == b || (a != NULL && b != NULL);
    }
    if (a->type->root >= ROOT_CHAR) {
        Slice text = check_text_value(checker, a);
        Slice other = check_text_value(checker, b);
        return text.len == other.len && memcmp(text.data, other.data, text.len) == 0;
    }
    bool is_same = true;
    for (size_t k = 0; k < a->type->numel; k++) {
        const TirScalar *x = &a->data[k];
        const TirScalar *y = &b->data[k];
        is_same = is_same && (a->type->root == ROOT_REAL
                                  ? x->real == y->real || (isnan(x->real) && isnan(y->real))
                              : a->type->root == ROOT_BOOL ? x->boolean == y->boolean
                                                           : x->uint == y->uint);
    }
    return is_same;
}

void interface_require_equal(Checker *checker, const TirInterface *first,
                             const TirInterface *second) {
    bool has_type = !type_is_poison(first->type) && !type_is_poison(second->type);
    const char *differs = first->kind != second->kind                         ? "kind"
                          : has_type && first->type != second->type           ? "type"
                          : first->is_optional != second->is_optional         ? "`optional`"
                          : first->has_feedthrough != second->has_feedthrough ? "`feedthrough`"
                          : has_type && !is_same_value(checker, first->written, second->written)
                              ? "value"
                              : NULL;
    if (differs != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, second->span,
                                 "`%s` is declared twice, and the two differ in their %s",
                                 check_interface_text(checker, second), differs);
        diag_note_at(diag, first->span, "the first declaration is this");
    }
}

// See file_kind.h. Works on the syntax alone: the kind decides how names bind, so it must be known
// before any name is bound.
#include "sema/file_kind.h"

#include "parser/ast_visit.h"
#include "support/suggest.h"
#include "support/table.h"

#include <string.h>
#include <strings.h>

struct NameSet {
    Arena *arena;
    Table table;
    LIST_OF(Name) names; // those of the table
    Table stem_table;
    LIST_OF(Name) stems; // of which all names with indices of macros are in the set
};

NameSet *name_set_create(Arena *arena) {
    NameSet *set = ARENA_NEW(arena, NameSet);
    set->arena = arena;
    return set;
}

void name_set_add(NameSet *set, Name name) {
    if (table_get(&set->table, name) == NULL) {
        table_set(set->arena, &set->table, name, set);
        LIST_PUSH(set->arena, &set->names, name);
    }
}

void name_set_add_written(NameSet *set, const AstName *name) {
    if (name->macro_indices.count == 0) {
        name_set_add(set, name->name);
    } else if (table_get(&set->stem_table, name->name) == NULL) {
        table_set(set->arena, &set->stem_table, name->name, set);
        LIST_PUSH(set->arena, &set->stems, name->name);
    }
}

bool name_set_has(const NameSet *set, Name name) {
    bool found = table_get(&set->table, name) != NULL;
    for (size_t k = 0; k < set->stems.count && !found; k++) {
        found = ast_is_indexed(name, set->stems.items[k]);
    }
    return found;
}

// Whether a name as it is written may be one of the set.
static bool may_have(const NameSet *set, const AstName *name) {
    if (name->macro_indices.count == 0) {
        return name_set_has(set, name->name);
    }
    bool found = table_get(&set->stem_table, name->name) != NULL;
    for (size_t k = 0; k < set->names.count && !found; k++) {
        found = ast_is_indexed(set->names.items[k], name->name);
    }
    return found;
}

bool is_main_name(Name name) {
    return strcmp(name->text, "main_fnc") == 0;
}

bool is_component_entry_name(Name name) {
    return strcmp(name->text, "init_fnc") == 0 || strcmp(name->text, "output_fnc") == 0 ||
           strcmp(name->text, "update_fnc") == 0;
}

const char *entry_name_meant(Name name) {
    static const char *const entries[] = {"init_fnc", "output_fnc", "update_fnc", "main_fnc"};
    static const char *const endings[] = {"", "fnc", "fcn", "fn", "func", "function"};
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        size_t len = strcspn(entries[k], "_");
        if (strncasecmp(name->text, entries[k], len) != 0) {
            continue;
        }
        const char *rest = name->text + len + (name->text[len] == '_');
        for (size_t e = 0; e < sizeof endings / sizeof endings[0]; e++) {
            if (strcasecmp(rest, endings[e]) == 0) {
                return entries[k];
            }
        }
    }
    Suggestion suggestion = suggestion_for_name(name);
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        suggestion_try(&suggestion, entries[k]);
    }
    return suggestion.nearest;
}

static const AstName *name_of(const AstExpr *target) {
    return target->kind == AST_NAME ? &target->name : NULL;
}

// The names that a statement at file level declares, for k = 0, 1, ...: NULL behind the last one.
// Of several targets those behind one that is no name are not told.
static const AstName *declared_name(const AstStmt *stmt, size_t k) {
    if (stmt->kind == AST_ASSIGN_ALL) {
        const AstExprs *targets = &stmt->assign_all.targets;
        return k < targets->count ? name_of(targets->items[k]) : NULL;
    }
    if (k > 0 || stmt->kind == AST_DECL) {
        return k > 0 ? NULL : &stmt->decl.name;
    }
    bool plain = stmt->kind == AST_ASSIGN && !stmt->assign.compound && !stmt->assign.optional;
    return plain ? name_of(stmt->assign.target) : NULL;
}

NameSet *file_level_names(Arena *arena, const AstFile *file) {
    NameSet *names = name_set_create(arena);
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstName *name;
        for (size_t i = 0; (name = declared_name(file->statements.items[k], i)) != NULL; i++) {
            name_set_add_written(names, name);
        }
    }
    return names;
}

static bool collect_name(const AstExpr *expr, void *data) {
    if (expr->kind == AST_NAME) {
        name_set_add_written(data, &expr->name);
    }
    return false;
}

NameSet *file_function_names(Arena *arena, const AstFile *file, const AstBlock *tests) {
    NameSet *names = name_set_create(arena);
    AstVisitor visitor = {.expr = collect_name, .data = names};
    ast_visit_block(tests, &visitor);
    for (size_t k = 0; k < file->statements.count; k++) {
        // Macros may hold functions; their other names cost a variable its register at most.
        const AstStmt *stmt = file->statements.items[k];
        if (stmt->kind == AST_FUNCTION || ast_is_macro(stmt)) {
            ast_visit_stmt(stmt, &visitor);
        }
    }
    return names;
}

static bool target_has_name(const AstExpr *target, Name name) {
    while (target->kind == AST_INDEX) {
        target = target->index.object;
    }
    return target->kind == AST_NAME && ast_name_may_be(&target->name, name);
}

static bool assigns_name(const AstStmt *stmt, void *name) {
    if (stmt->kind == AST_ASSIGN) {
        return target_has_name(stmt->assign.target, name);
    }
    bool found = false;
    for (size_t k = 0; stmt->kind == AST_ASSIGN_ALL && k < stmt->assign_all.targets.count; k++) {
        found = found || target_has_name(stmt->assign_all.targets.items[k], name);
    }
    return found;
}

bool block_assigns(const AstBlock *block, Name name) {
    AstVisitor visitor = {.stmt = assigns_name, .data = (void *)name};
    return ast_visit_block(block, &visitor);
}

// What the search for impure file-level values needs to know.
typedef struct Purity {
    Arena *arena;
    NameSet *file_level;               // variables of the file
    Table functions;                   // AstStmt by name, those that nothing has reached yet
    LIST_OF(const AstStmt *) families; // those with indices of macros in their names
    LIST_OF(const AstStmt *) reached;  // functions that file-level values call, on the way too
    NameSet *own; // names that the function at hand declares; NULL outside of functions
} Purity;

// Whether a name, as an expression or as a function that is called, touches the file's variables.
static bool is_impure_name(Purity *purity, const AstName *name) {
    if (purity->own != NULL && !may_have(purity->own, name) && may_have(purity->file_level, name)) {
        return true;
    }
    const AstStmt *function = table_get(&purity->functions, name->name);
    if (function != NULL) {
        LIST_PUSH(purity->arena, &purity->reached, function);
        table_set(purity->arena, &purity->functions, name->name, NULL);
    }
    for (size_t k = 0; k < purity->families.count; k++) {
        const AstStmt *family = purity->families.items[k];
        if (family != NULL && ast_names_may_meet(&family->function.name, name)) {
            LIST_PUSH(purity->arena, &purity->reached, family);
            purity->families.items[k] = NULL;
        }
    }
    return false;
}

static bool is_impure_expr(const AstExpr *expr, void *data) {
    if (expr->kind == AST_NAME) {
        return is_impure_name(data, &expr->name);
    }
    if (expr->kind != AST_CALL || expr->call.callee->kind != AST_NAME) {
        return false;
    }
    const char *text = expr->call.callee->name.name->text;
    return strcmp(text, "print") == 0 || strcmp(text, "input") == 0 ||
           strcmp(text, "output") == 0 || strcmp(text, "assert") == 0;
}

static bool is_impure_stmt(const AstStmt *stmt, void *data) {
    const Purity *purity = data;
    return purity->own != NULL && stmt->kind == AST_WHILE;
}

static bool collect_declaration(const AstStmt *stmt, void *data) {
    if (stmt->kind == AST_DECL || stmt->kind == AST_FOR) {
        name_set_add_written(data,
                             stmt->kind == AST_DECL ? &stmt->decl.name : &stmt->for_loop.name);
    }
    return false;
}

// The parameters of a function, and what it declares.
static NameSet *own_names(Arena *arena, const AstStmt *function) {
    NameSet *names = name_set_create(arena);
    AstVisitor visitor = {.stmt = collect_declaration, .data = names};
    for (size_t k = 0; k < function->function.param_count; k++) {
        name_set_add_written(names, &function->function.params[k].name);
    }
    ast_visit_stmt(function, &visitor);
    return names;
}

static bool note_function(const AstStmt *stmt, void *data) {
    Purity *purity = data;
    if (stmt->kind == AST_FUNCTION && stmt->function.name.macro_indices.count > 0) {
        LIST_PUSH(purity->arena, &purity->families, stmt);
    } else if (stmt->kind == AST_FUNCTION) {
        table_set(purity->arena, &purity->functions, stmt->function.name.name, (void *)stmt);
    }
    return false;
}

static bool is_function(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_FUNCTION;
}

// Whether a file-level value prints, reads, or calls a function that does, loops without bound, or
// touches the file's variables, directly or through calls.
static bool has_impure_value(Arena *arena, const AstFile *file) {
    Purity purity = {.arena = arena, .file_level = file_level_names(arena, file)};
    AstVisitor functions = {.stmt = note_function, .data = &purity};
    ast_visit_block(&file->statements, &functions);
    AstVisitor values = {
        .expr = is_impure_expr, .stmt = is_impure_stmt, .passes = is_function, .data = &purity};
    bool is_impure = ast_visit_block(&file->statements, &values);
    AstVisitor visitor = {.expr = is_impure_expr, .stmt = is_impure_stmt, .data = &purity};
    for (size_t k = 0; k < purity.reached.count && !is_impure; k++) {
        purity.own = own_names(arena, purity.reached.items[k]);
        is_impure = ast_visit_stmt(purity.reached.items[k], &visitor);
    }
    return is_impure;
}

// Whether the statement does nothing but declare names that are not in the set, which takes them.
static bool declares_new(const AstStmt *stmt, NameSet *seen) {
    size_t count = 0;
    const AstName *name;
    for (; (name = declared_name(stmt, count)) != NULL; count++) {
        bool is_dropped = stmt->kind == AST_ASSIGN_ALL && strcmp(name->name->text, "_") == 0;
        if (may_have(seen, name) && !is_dropped) {
            return false;
        }
        name_set_add_written(seen, name);
    }
    return count == (stmt->kind == AST_ASSIGN_ALL ? stmt->assign_all.targets.count : 1);
}

// L4.4: everything beside the functions is an import or a pure declaration of a new name.
static bool is_library(Arena *arena, const AstFile *file) {
    NameSet *seen = name_set_create(arena);
    bool has_function = false;
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstStmt *stmt = file->statements.items[k];
        if (stmt->kind == AST_FUNCTION) {
            has_function = true;
            continue;
        }
        bool is_declarative =
            stmt->kind == AST_IMPORT || stmt->kind == AST_TERMINAL || stmt->kind == AST_IO;
        if (!is_declarative && !declares_new(stmt, seen)) {
            return false;
        }
    }
    return has_function && !has_impure_value(arena, file);
}

// L10.9: constants may stand in every file, and properties do not make one a component.
static bool is_constant_space(const AstStmt *stmt) {
    const char *space = stmt->terminal.space.name->text;
    return strcmp(space, "n") == 0 || strcmp(space, "p") == 0;
}

// Statements of the file that are searched for: those in macros too, whichever of them remain.
static bool has_stmt(const AstFile *file, bool (*is_one)(const AstStmt *stmt, void *data)) {
    AstVisitor visitor = {.stmt = is_one};
    return ast_visit_block(&file->statements, &visitor);
}

static bool is_constant(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_TERMINAL && strcmp(stmt->terminal.space.name->text, "n") == 0;
}

bool file_has_constants(const AstFile *file) {
    return has_stmt(file, is_constant);
}

static bool is_of_component(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_INSTANCE || stmt->kind == AST_CONNECT ||
           (stmt->kind == AST_TERMINAL && !is_constant_space(stmt)) ||
           (stmt->kind == AST_FUNCTION && is_component_entry_name(stmt->function.name.name));
}

static bool is_main(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_FUNCTION && is_main_name(stmt->function.name.name);
}

FileKind file_kind(Arena *arena, const AstFile *file) {
    if (has_stmt(file, is_of_component)) {
        return FILE_COMPONENT;
    }
    if (has_stmt(file, is_main)) {
        return FILE_PROGRAM;
    }
    return is_library(arena, file) ? FILE_LIBRARY : FILE_SCRIPT;
}

// See file_kind.h. Works on the syntax alone: the kind decides how names bind, so it must be known
// before any name is bound.
#include "sema/file_kind.h"

#include "parser/ast_visit.h"
#include "support/bug.h"

#include <string.h>

// A hash set of names; linear probing, at most half full.
struct NameSet {
    Arena *arena;
    Name *slots;
    size_t size; // a power of two, or 0
    size_t count;
};

NameSet *name_set_create(Arena *arena) {
    NameSet *set = ARENA_NEW(arena, NameSet);
    set->arena = arena;
    return set;
}

static size_t find_slot(const NameSet *set, Name name) {
    size_t slot = (name->id * 2654435769U) & (set->size - 1);
    while (set->slots[slot] != NULL && set->slots[slot] != name) {
        slot = (slot + 1) & (set->size - 1);
    }
    return slot;
}

bool name_set_has(const NameSet *set, Name name) {
    return set->size != 0 && set->slots[find_slot(set, name)] == name;
}

void name_set_add(NameSet *set, Name name) {
    if (2 * (set->count + 1) > set->size) {
        NameSet old = *set;
        set->size = old.size == 0 ? 16 : 2 * old.size;
        set->slots = ARENA_ARRAY(set->arena, Name, set->size);
        for (size_t k = 0; k < old.size; k++) {
            if (old.slots[k] != NULL) {
                set->slots[find_slot(set, old.slots[k])] = old.slots[k];
            }
        }
    }
    size_t slot = find_slot(set, name);
    if (set->slots[slot] == NULL) {
        set->slots[slot] = name;
        set->count++;
    }
}

bool is_main_name(Name name) {
    return strcmp(name->text, "main_fnc") == 0;
}

bool is_component_entry_name(Name name) {
    return strcmp(name->text, "init_fnc") == 0 || strcmp(name->text, "output_fnc") == 0 ||
           strcmp(name->text, "update_fnc") == 0;
}

// The plain name that a statement at file level declares, or NULL.
static Name declared_name(const AstStmt *stmt) {
    if (stmt->kind == AST_DECL) {
        return stmt->decl.name.name;
    }
    bool plain = stmt->kind == AST_ASSIGN && !stmt->assign.compound && !stmt->assign.optional &&
                 stmt->assign.target->kind == AST_NAME;
    return plain ? stmt->assign.target->name.name : NULL;
}

NameSet *file_level_names(Arena *arena, const AstFile *file) {
    NameSet *names = name_set_create(arena);
    for (size_t k = 0; k < file->statements.count; k++) {
        Name name = declared_name(file->statements.items[k]);
        if (name != NULL) {
            name_set_add(names, name);
        }
    }
    return names;
}

static void collect_name(const AstExpr *expr, void *data) {
    if (expr->kind == AST_NAME) {
        name_set_add(data, expr->name.name);
    }
}

NameSet *file_function_names(Arena *arena, const AstFile *file) {
    NameSet *names = name_set_create(arena);
    AstVisitor visitor = {.expr = collect_name, .data = names};
    for (size_t k = 0; k < file->statements.count; k++) {
        // Macros may hold functions; their other names cost a variable its register at most.
        AstStmtKind kind = file->statements.items[k]->kind;
        if (kind == AST_FUNCTION || kind == AST_MACRO_FOR || kind == AST_MACRO_IF) {
            ast_visit_stmt(file->statements.items[k], &visitor);
        }
    }
    return names;
}

typedef struct AssignSearch {
    Name name;
    bool found;
} AssignSearch;

static void search_assign(const AstStmt *stmt, void *data) {
    AssignSearch *search = data;
    if (stmt->kind != AST_ASSIGN) {
        return;
    }
    const AstExpr *target = stmt->assign.target;
    while (target->kind == AST_INDEX) {
        target = target->index.object;
    }
    search->found =
        search->found || (target->kind == AST_NAME && target->name.name == search->name);
}

bool block_assigns(const AstBlock *block, Name name) {
    AssignSearch search = {.name = name};
    AstVisitor visitor = {.stmt = search_assign, .data = &search};
    ast_visit_block(block, &visitor);
    return search.found;
}

// What the search for impure file-level values needs to know.
typedef struct Purity {
    NameSet *file_level; // variables of the file
    NameSet *impure;     // functions found impure so far
    bool in_function;
    bool is_impure;
} Purity;

static void judge_expr(const AstExpr *expr, void *data) {
    Purity *purity = data;
    if (expr->kind == AST_NAME) {
        bool variable = purity->in_function && name_set_has(purity->file_level, expr->name.name);
        purity->is_impure =
            purity->is_impure || variable || name_set_has(purity->impure, expr->name.name);
    } else if (expr->kind == AST_CALL && expr->call.callee->kind == AST_NAME) {
        const char *text = expr->call.callee->name.name->text;
        purity->is_impure = purity->is_impure || strcmp(text, "print") == 0 ||
                            strcmp(text, "input") == 0 || strcmp(text, "output") == 0 ||
                            strcmp(text, "assert") == 0;
    }
}

static void judge_stmt(const AstStmt *stmt, void *data) {
    Purity *purity = data;
    purity->is_impure = purity->is_impure || stmt->kind == AST_WHILE;
}

// Functions that print, read, loop without bound, or touch the file's variables, directly or
// through calls; found by iterating until nothing changes.
static void find_impure_functions(const AstFile *file, Purity *purity) {
    AstVisitor visitor = {.expr = judge_expr, .stmt = judge_stmt, .data = purity};
    purity->in_function = true;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t k = 0; k < file->statements.count; k++) {
            const AstStmt *stmt = file->statements.items[k];
            if (stmt->kind != AST_FUNCTION ||
                name_set_has(purity->impure, stmt->function.name.name)) {
                continue;
            }
            purity->is_impure = false;
            ast_visit_stmt(stmt, &visitor);
            if (purity->is_impure) {
                name_set_add(purity->impure, stmt->function.name.name);
                changed = true;
            }
        }
    }
    purity->in_function = false;
}

// L4.4: everything beside the functions is an import or a pure declaration of a new name.
static bool is_library(Arena *arena, const AstFile *file) {
    Purity purity = {.file_level = file_level_names(arena, file), .impure = name_set_create(arena)};
    NameSet *seen = name_set_create(arena);
    AstVisitor visitor = {.expr = judge_expr, .data = &purity};
    bool has_function = false;
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstStmt *stmt = file->statements.items[k];
        if (stmt->kind == AST_FUNCTION) {
            has_function = true;
            continue;
        }
        Name name = declared_name(stmt);
        if (stmt->kind != AST_IMPORT && (name == NULL || name_set_has(seen, name))) {
            return false;
        }
        if (name != NULL) {
            name_set_add(seen, name);
        }
    }
    if (!has_function) {
        return false;
    }
    find_impure_functions(file, &purity);
    purity.is_impure = false;
    for (size_t k = 0; k < file->statements.count; k++) {
        if (file->statements.items[k]->kind != AST_FUNCTION) {
            ast_visit_stmt(file->statements.items[k], &visitor);
        }
    }
    return !purity.is_impure;
}

FileKind file_kind(Arena *arena, const AstFile *file) {
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstStmt *stmt = file->statements.items[k];
        if (stmt->kind == AST_TERMINAL) {
            return FILE_COMPONENT;
        }
        if (stmt->kind == AST_FUNCTION && is_component_entry_name(stmt->function.name.name)) {
            return FILE_COMPONENT;
        }
    }
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstStmt *stmt = file->statements.items[k];
        if (stmt->kind == AST_FUNCTION && is_main_name(stmt->function.name.name)) {
            return FILE_PROGRAM;
        }
    }
    return is_library(arena, file) ? FILE_LIBRARY : FILE_SCRIPT;
}

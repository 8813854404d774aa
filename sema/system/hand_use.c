// Whether an instance is by hand or wired (L15.3): by hand where a function of the file assigns an
// input of it or calls it.
#include "sema/system/system.h"

#include "parser/ast_visit.h"
#include "sema/stmt.h"

#include <stdlib.h>
#include <string.h>

// The name of the instance that an expression is a member of: `speed.u`, `speed[1].u`,
// `speed.u[0]`.
static const AstName *member_owner(const AstExpr *expr, const AstName **member) {
    while (expr->kind == AST_INDEX || expr->kind == AST_OPTIONAL) {
        expr = expr->kind == AST_INDEX ? expr->index.object : expr->optional;
    }
    if (expr->kind != AST_ATTR) {
        return NULL;
    }
    *member = &expr->attr.name;
    expr = expr->attr.object;
    expr = expr->kind == AST_INDEX ? expr->index.object : expr;
    return expr->kind == AST_NAME ? &expr->name : NULL;
}

typedef struct Search {
    Checker *checker;
    const Part *part;
    HandUse use;
} Search;

// Whether a name may stand for the instance: an index of a macro that is not known may be any
// number, unless it is written as one.
static bool may_name(Checker *checker, const AstName *ast, Name name) {
    if (check_knows_name(checker, ast)) {
        DiagMark mark = diags_mark(checker->context->diags);
        Name full = check_macro_name(checker, ast);
        diags_undo(checker->context->diags, &mark);
        if (full != NULL) {
            return full == name;
        }
    }
    const char *rest = name->text;
    if (strncmp(rest, ast->name->text, ast->name->len) != 0) {
        return false;
    }
    rest += ast->name->len;
    for (size_t k = 0; k < ast->macro_indices.count; k++) {
        const AstExpr *index = ast->macro_indices.items[k];
        char *end;
        if (*rest != '_' || rest[1] < '0' || rest[1] > '9') {
            return false;
        }
        unsigned long number = strtoul(rest + 1, &end, 10);
        if (index->kind == AST_INTEGER && index->integer.value != number) {
            return false;
        }
        rest = end;
    }
    return *rest == '\0';
}

static void note_use(Search *search, Span span) {
    if (span_is_nowhere(search->use.first)) {
        search->use.first = span;
    }
}

static bool is_variable(const AstStmt *stmt, void *name) {
    bool assigns = stmt->kind == AST_ASSIGN && stmt->assign.target->kind == AST_NAME;
    return (stmt->kind == AST_DECL && stmt->decl.name.name == name) ||
           (assigns && stmt->assign.target->name.name == name);
}

// Whether the component has something else of that name, which is no reason to run it by hand.
static bool is_no_input(const Part *part, Name name) {
    if (part->file == NULL || system_file_declares(part->file, name, AST_MODIFIER_IN)) {
        return false;
    }
    AstVisitor variables = {.stmt = is_variable, .data = (void *)name};
    return system_file_declares(part->file, name, AST_MODIFIER_OUT) ||
           ast_visit_block(&part->file->statements, &variables);
}

static void note_target(Search *search, const AstExpr *target) {
    const AstName *member;
    const AstName *owner = member_owner(target, &member);
    if (owner == NULL || !may_name(search->checker, owner, search->part->name)) {
        return;
    }
    if (is_no_input(search->part, member->name)) {
        search->use.is_wrong = true;
    } else {
        note_use(search, target->span);
        LIST_PUSH(search->checker->arena, &search->use.assigned, member->name);
    }
}

static bool note_hand_stmt(const AstStmt *stmt, void *data) {
    Search *search = data;
    search->use.is_wrong |= stmt->kind == AST_CONNECT;
    if (stmt->kind == AST_ASSIGN) {
        note_target(search, stmt->assign.target);
    }
    for (size_t k = 0; stmt->kind == AST_ASSIGN_ALL && k < stmt->assign_all.targets.count; k++) {
        note_target(search, stmt->assign_all.targets.items[k]);
    }
    return false;
}

static bool note_hand_call(const AstExpr *expr, void *data) {
    Search *search = data;
    Name instance = search->part->name;
    const AstName *member;
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.callee : NULL;
    const AstName *owner = callee != NULL ? member_owner(callee, &member) : NULL;
    if (owner != NULL && may_name(search->checker, owner, instance)) {
        note_use(search, callee->span);
    }
    search->use.is_wrong |=
        callee != NULL && callee->kind == AST_NAME &&
        may_name(search->checker, &callee->name, instance); // as if it were a function
    return false;
}

static void search_block(const AstBlock *block, void *data);

// Macros are searched as far as they remain.
static bool passes_macro(const AstStmt *stmt, void *data) {
    Search *search = data;
    if (ast_is_macro(stmt)) {
        check_macro_walk(search->checker, stmt, search_block, search);
    }
    return ast_is_macro(stmt);
}

static void search_block(const AstBlock *block, void *data) {
    AstVisitor visitor = {
        .stmt = note_hand_stmt, .expr = note_hand_call, .passes = passes_macro, .data = data};
    ast_visit_block(block, &visitor);
}

// Functions that macros drop are none.
HandUse system_hand_use(Checker *checker, const Part *part) {
    const Unit *unit = checker->at.unit;
    Search search = {.checker = checker, .part = part};
    MacroBinding *outside = checker->at.macros;
    for (size_t k = 0; k < unit->functions.count; k++) {
        checker->at.macros = unit->functions.items[k]->macros;
        search_block(&unit->functions.items[k]->ast->function.body, &search);
    }
    checker->at.macros = outside;
    return search.use;
}

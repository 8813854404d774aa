// See visible.h. TIR has the variables of all blocks in one list: whether a block has declared one,
// and so has ended with it, is asked of the tree.
#include "driver/repl/visible.h"

#include "parser/ast_visit.h"

static bool opens_block(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_IF || stmt->kind == AST_WHILE || stmt->kind == AST_FOR ||
           stmt->kind == AST_GUARD || stmt->kind == AST_FUNCTION || stmt->kind == AST_TEST;
}

static bool declares_at(const AstStmt *stmt, void *data) {
    const uint32_t *start = data;
    bool found = (stmt->kind == AST_ASSIGN && stmt->assign.target->span.start == *start) ||
                 (stmt->kind == AST_DECL && stmt->decl.name.span.start == *start);
    for (size_t i = 0; stmt->kind == AST_ASSIGN_ALL && i < stmt->assign_all.targets.count; i++) {
        found |= stmt->assign_all.targets.items[i]->span.start == *start;
    }
    return found;
}

static bool is_visible(const Compilation *compilation, const TirVar *var) {
    uint32_t start = var->span.start;
    AstVisitor visitor = {.stmt = declares_at, .passes = opens_block, .data = &start};
    return var->name != NULL &&
           (sources_place(compilation->context->sources, start).file != compilation->source ||
            ast_visit_block(&compilation->ast->statements, &visitor));
}

void visible_each(const Compilation *compilation, void (*take)(const TirVar *var, void *data),
                  void *data) {
    const TirProgram *program = compilation->program;
    for (size_t i = 0; i < program->globals.count; i++) {
        if (is_visible(compilation, program->globals.items[i])) {
            take(program->globals.items[i], data);
        }
    }
    for (size_t i = 0; i < program->entry->vars.count; i++) {
        if (is_visible(compilation, program->entry->vars.items[i])) {
            take(program->entry->vars.items[i], data);
        }
    }
}

// Variables of the file in functions that use them like their own: `s = 0.0`, then `s += x[i]`, and
// `return s` at the end. In most languages that would be another variable.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"

// What a body does with one variable.
typedef struct Uses {
    Name name;
    bool is_read, is_changed, is_returned;
} Uses;

static bool is_name(const AstExpr *expr, void *data) {
    const Uses *uses = data;
    return expr->kind == AST_NAME && ast_name_may_be(&expr->name, uses->name);
}

static bool note_stmt(const AstStmt *stmt, void *data) {
    Uses *uses = data;
    AstVisitor visitor = {.expr = is_name, .data = uses};
    if (stmt->kind == AST_ASSIGN && is_name(stmt->assign.target, uses)) {
        uses->is_changed |= stmt->assign.compound || ast_visit_expr(stmt->assign.value, &visitor);
    } else if (stmt->kind == AST_RETURN) {
        for (size_t k = 0; k < stmt->values.count; k++) {
            uses->is_returned |= ast_visit_expr(stmt->values.items[k], &visitor);
        }
    }
    return false;
}

static bool mentions(const AstStmt *stmt, Uses *uses) {
    AstVisitor visitor = {.expr = is_name, .data = uses};
    return ast_visit_stmt(stmt, &visitor);
}

// The variable of the file that a statement begins with a literal; NULL: it does something else.
static const Symbol *begun_by(const Checker *checker, const AstStmt *stmt) {
    if (stmt->kind != AST_ASSIGN || stmt->assign.compound ||
        stmt->assign.target->kind != AST_NAME ||
        stmt->assign.target->name.macro_indices.count > 0 ||
        !warn_is_literal(checker, stmt->assign.value->span)) {
        return NULL;
    }
    Name name = stmt->assign.target->name.name;
    const Symbol *symbol = scope_find_here(checker->at.unit->scope, name);
    bool is_of_file = symbol != NULL && symbol->kind == SYMBOL_VAR &&
                      scope_find(checker->at.scope, name) == symbol;
    return is_of_file ? symbol : NULL;
}

void warn_shared(Checker *checker, const AstStmt *function) {
    const AstBlock *body = &function->function.body;
    for (size_t k = 0; k < body->count && warn_is_wanted(checker); k++) {
        const Symbol *symbol = begun_by(checker, body->items[k]);
        Uses uses = {.name = symbol == NULL ? NULL : symbol->name};
        for (size_t i = 0; i < k && symbol != NULL; i++) {
            uses.is_read |= mentions(body->items[i], &uses);
        }
        if (symbol == NULL || uses.is_read) {
            continue;
        }
        AstVisitor visitor = {.stmt = note_stmt, .data = &uses};
        const AstBlock rest = {.items = body->items + k + 1, .count = body->count - k - 1};
        (void)ast_visit_block(&rest, &visitor);
        if (uses.is_changed && uses.is_returned) {
            const AstExpr *target = body->items[k]->assign.target;
            Diag *diag = warn_at(checker, WARNING_FILE_VARIABLE, target->span,
                                 "`%s` is the variable of the file, and not one of this function",
                                 symbol->name->text);
            diag_label(diag, symbol->span, "declared here");
            diag_help(diag, "with its type before it, it is one of the function: `%s %s = ...`",
                      check_type_text(checker, symbol->var->type), symbol->name->text);
        }
    }
}

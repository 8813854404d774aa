// Loops over strings (L10.8): a `for` whose variable indexes a string is resolved while checking,
// with the variable as a constant, because strings never reach the object.
#include "sema/stmt.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/notes/record.h"

typedef struct TextSearch {
    Checker *checker;
    Name variable;
} TextSearch;

static bool is_name(const AstExpr *expr, void *name) {
    return expr->kind == AST_NAME && expr->name.name == name;
}

// A string in the source, or a property, of which not every index reaches the same character.
static bool is_long_text(Checker *checker, const AstExpr *expr) {
    if (expr->kind == AST_STRING) {
        return expr->string.len != 1;
    }
    size_t length;
    return check_names_text(checker, expr, &length) && length != 1;
}

static bool indexes_text(const AstExpr *expr, void *data) {
    const TextSearch *search = data;
    AstVisitor visitor = {.expr = is_name, .data = (void *)search->variable};
    return expr->kind == AST_INDEX && is_long_text(search->checker, expr->index.object) &&
           ast_visit_exprs(&expr->index.indices, &visitor);
}

bool check_indexes_text(Checker *checker, const AstStmt *loop) {
    TextSearch search = {.checker = checker, .variable = loop->for_loop.name.name};
    AstVisitor visitor = {.expr = indexes_text, .data = &search};
    return ast_visit_block(&loop->for_loop.body, &visitor);
}

static bool is_jump(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_BREAK || stmt->kind == AST_CONTINUE;
}

// Note [Jumps out of copies]
// TIR has no jump over statements. Each copy of a body with `break` or `continue` stands in a loop
// that runs once, which both leave; `break` sets a flag first, and later copies run only without
// it. The first one surely runs: what it assigns counts for L10.3.

// Where a copy goes that runs only without the flag.
static TirBlock *unless_broken(Checker *checker, const AstStmt *stmt, TirVar *broken) {
    Tir *tir = &checker->tir;
    TirStmt *branch = tir_stmt(tir, checker->at.block, STMT_IF, stmt->span);
    const Type *boolean = type_scalar(tir->types, ROOT_BOOL);
    branch->branch.condition =
        tir_map(tir, OP_NOT, boolean, tir_read(tir, broken, stmt->span), NULL, NULL, stmt->span);
    return &branch->branch.then;
}

// Checks one copy of the body; `broken` is NULL when there are no jumps.
static void lower_copy(Checker *checker, const AstStmt *stmt, TirVar *broken, bool first) {
    if (broken == NULL) {
        check_block(checker, &stmt->for_loop.body, checker->at.block);
        return;
    }
    Tir *tir = &checker->tir;
    TirBlock *block = first ? checker->at.block : unless_broken(checker, stmt, broken);
    TirStmt *once = tir_stmt(tir, block, STMT_FOR, stmt->span);
    once->for_loop.var = tir_var_create(tir, checker->at.function, VAR_LOOP, NULL,
                                        type_scalar(tir->types, ROOT_INT), stmt->span);
    once->for_loop.first = tir_const_int(tir, 0, stmt->span);
    once->for_loop.last = once->for_loop.step = tir_const_int(tir, 1, stmt->span);
    once->for_loop.step_span = stmt->span;
    check_block(checker, &stmt->for_loop.body, &once->for_loop.body);
}

// The flag that `break` sets, false so far; NULL when the body has no jumps.
static TirVar *create_flag(Checker *checker, const AstStmt *stmt) {
    AstVisitor visitor = {.stmt = is_jump};
    if (!ast_visit_block(&stmt->for_loop.body, &visitor)) {
        return NULL;
    }
    Tir *tir = &checker->tir;
    TirVar *flag = tir_var_create(tir, checker->at.function, VAR_TEMP, NULL,
                                  type_scalar(tir->types, ROOT_BOOL), stmt->span);
    tir_set_var(tir, checker->at.block, flag, tir_const_bool(tir, false, stmt->span), stmt->span);
    return flag;
}

void check_unrolled_for(Checker *checker, const AstStmt *stmt, const int64_t bounds[3]) {
    const AstName *variable = &stmt->for_loop.name;
    if (!check_is_no_macro_variable(checker, variable->name, variable->span, DIAG_E0302)) {
        return;
    }
    DiagList *diags = checker->context->diags;
    Scope *outside = checker->at.scope;
    LoopFrame frame = {.outer = checker->at.loop, .broken = create_flag(checker, stmt)};
    checker->at.loop = &frame;
    size_t errors = diags->error_count;
    bool first = true;
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1]; i += bounds[2]) {
        if (errors != diags->error_count || !check_count_repeat(checker, stmt->span)) {
            break; // later copies would say the same again
        }
        size_t messages = diags->all.count;
        checker->at.scope = scope_create(checker->arena, outside);
        Symbol *symbol =
            scope_add(checker->at.scope, SYMBOL_CONSTANT, variable->name, variable->span);
        symbol->constant = tir_const_int(&checker->tir, (int32_t)i, variable->span);
        symbol->is_loop = true;
        notes_declared(checker, symbol);
        lower_copy(checker, stmt, frame.broken, first);
        if (!first && errors == diags->error_count) {
            diags->all.count = messages; // the warnings of the first copy stand for all
        }
        first = false;
    }
    checker->at.loop = frame.outer;
    checker->at.scope = outside;
}

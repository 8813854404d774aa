// What an expression may not do of which derivatives are made (L17.1, L17.2): have side effects, or
// reach a variable by which it is differentiated on a way that its text does not show.
#include "sema/builtin/derivative.h"

#include "tir/uses.h"

// What is looked for in the body and in all that it calls, and where it was found.
typedef struct Search {
    Checker *checker;
    const TirFunction *body;
    const TirVar *var; // a variable that is read; NULL: a side effect
    CallPath path;     // to the function that does it
    Span span;
} Search;

static bool is_outside(const Search *search, const TirFunction *function, const TirVar *var) {
    bool is_own = var->id < function->vars.count && function->vars.items[var->id] == var;
    return tir_var_is_global(var) || (function == search->body && !is_own);
}

static bool has_effect(const Search *search, const TirFunction *function, const TirStmt *stmt) {
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (is_outside(search, function, var)) {
            return true;
        }
    }
    return stmt->kind == STMT_PRINT || stmt->kind == STMT_INPUT || stmt->kind == STMT_OUTPUT ||
           stmt->kind == STMT_ASSERT ||
           (stmt->kind == STMT_CALL && stmt->call.function->instance != NULL);
}

// Hardware that is accessed in place (L16): each read is one.
static bool is_accessed(const Checker *checker, const TirVar *var) {
    const TirProgram *program = checker->program;
    for (size_t k = 0; k < program->interface.count && checker->options->mmio; k++) {
        const TirInterface *item = program->interface.items[k];
        if (item->var == var && item->io != NULL) {
            return !item->io->is_dma;
        }
    }
    return false;
}

typedef struct ReadSearch {
    const Search *search;
    const TirExpr *found;
} ReadSearch;

static void look_for_read(const TirExpr *expr, void *data) {
    ReadSearch *read = data;
    const Search *search = read->search;
    if (expr->kind == EXPR_VAR && (search->var == NULL ? is_accessed(search->checker, expr->var)
                                                       : expr->var == search->var)) {
        read->found = expr;
    }
    tir_read_operands(expr, look_for_read, data);
}

// Whether a function that is called may do it.
static bool may_do(const Search *search, const TirFunction *callee) {
    bool may_read = callee->reads_globals || callee->uses_interface;
    return search->var == NULL ? callee->has_effects || callee->writes_globals ||
                                     (may_read && search->checker->options->mmio)
                               : may_read;
}

static bool search_block(Search *search, const TirFunction *function, const TirBlock *block);

static bool search_stmt(Search *search, const TirFunction *function, TirStmt *stmt) {
    ReadSearch read = {.search = search};
    if (search->var == NULL || function != search->body) {
        tir_read_values(stmt, look_for_read, &read);
    }
    if (read.found != NULL || (search->var == NULL && has_effect(search, function, stmt))) {
        search->span = read.found != NULL ? read.found->span : stmt->span;
        return true;
    }
    if (stmt->kind == STMT_CALL && may_do(search, stmt->call.function)) {
        CallStep step = {function, stmt->call.function, stmt->span};
        LIST_PUSH(search->checker->arena, &search->path, step);
        if (search_block(search, stmt->call.function, &stmt->call.function->body)) {
            return true;
        }
        search->path.count--;
    }
    TirBlock *nested[2];
    size_t count = tir_stmt_blocks(stmt, nested);
    for (size_t k = 0; k < count; k++) {
        if (search_block(search, function, nested[k])) {
            return true;
        }
    }
    return false;
}

static bool search_block(Search *search, const TirFunction *function, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (search_stmt(search, function, block->items[i])) {
            return true;
        }
    }
    return false;
}

// Where the message is about: the call in the expression, or what stands in it.
static Span place_of(const Search *search) {
    return search->path.count > 0 ? search->path.items[0].span : search->span;
}

static void note_way(Diag *diag, const Search *search, const char *what) {
    check_note_path(diag, &search->path);
    if (search->path.count > 0) {
        diag_note_at(diag, search->span, "%s", what);
    }
}

static bool require_no_effects(const Derivation *derivation) {
    Checker *checker = derivation->checker;
    Search search = {.checker = checker, .body = derivation->function};
    if (search_block(&search, derivation->function, &derivation->function->body)) {
        Diag *diag =
            check_error(checker, DIAG_E0764, place_of(&search),
                        "`%s` is of a value, and this has side effects", derivation->call->name);
        note_way(diag, &search, "this has effects");
        return false;
    }
    return !derivation->has_debug ||
           check_refuse(
               checker, DIAG_E0764, builtin_argument(derivation->call, 0)->span,
               "`%s` is of a value, and a debug signal in what this calls is a side effect",
               derivation->call->name);
}

bool derivative_is_pure(const Derivation *derivation) {
    Checker *checker = derivation->checker;
    for (size_t k = 0; k < derivation->outside.count; k++) {
        const TirVar *var = derivation->outside.items[k];
        Search search = {.checker = checker, .body = derivation->function, .var = var};
        if (tir_var_is_global(var) &&
            search_block(&search, derivation->function, &derivation->function->body)) {
            const char *name =
                arena_format(checker->arena, "%s%s", tir_var_space(var), var->name->text);
            Diag *diag =
                check_error(checker, DIAG_E0762, place_of(&search),
                            "`%s` reads `%s` by itself, which is no part of this expression",
                            search.path.items[0].callee->name->text, name);
            note_way(diag, &search, "it is read here");
            diag_note(diag,
                      "only `%s` in the expression itself is differentiated by: give it as an "
                      "argument",
                      name);
            return false;
        }
    }
    return require_no_effects(derivation);
}

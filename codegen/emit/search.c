// A search is a loop in each turn, as over tables that are halved, or written out: an element whose
// place comes from another one. 256 points in a table of 256 take half of the time one by one, and
// two tables of nine knots a third. Small tables that registers hold are not gathered.
#include "codegen/emit/search.h"

#include "codegen/emit/table.h"
#include "codegen/emit/types.h"
#include "tir/lanes_body.h"
#include "tir/visit.h"

typedef struct Search {
    Gen *gen;
    LanesBody body; // of the loop whose elements are looked at
    Table found;    // scalars of a turn that come from elements anywhere
    bool is_inside; // a loop of a turn
    bool is_one;
    bool is_found; // the value at hand comes from such an element
} Search;

// Whether registers hold all of a table, so that nothing is gathered.
static bool is_in_registers(Gen *gen, const TirExpr *view) {
    const Type *type = view->view.operand->type;
    unsigned bytes = (unsigned)gen_root_bytes(gen, type->root);
    return table_fits(gen, type, gen->facts.vector_bytes / bytes);
}

// Whether it is an element that lies anywhere.
static bool is_gathered(const Search *search, const TirExpr *expr) {
    int64_t step;
    return expr->kind == EXPR_VIEW && type_is_scalar(expr->type) &&
           !lanes_step(&search->body, NULL, expr, &step) && !is_in_registers(search->gen, expr);
}

static void see_expr(const TirExpr *expr, void *data) {
    Search *search = data;
    bool was_found = search->is_found;
    search->is_found = false;
    tir_read_operands(expr, see_expr, data);
    bool comes_from_one = expr->kind == EXPR_VAR && table_get(&search->found, expr->var) != NULL;
    bool is_gather = is_gathered(search, expr);
    search->is_one |= is_gather && (search->is_inside || search->is_found);
    search->is_found |= was_found || comes_from_one || is_gather;
}

static void see_block(Search *search, const TirBlock *block) {
    for (size_t i = 0; i < block->count && !search->is_one; i++) {
        TirStmt *stmt = block->items[i];
        search->is_found = false;
        tir_read_exprs(stmt, see_expr, search);
        if (search->is_found && tir_sets_scalar(stmt)) {
            TirVar *var = stmt->set.place->var;
            table_set(search->gen->arena, &search->found, var, var);
        }
        LanesBody outer = search->body;
        bool was_inside = search->is_inside;
        if (stmt->kind == STMT_FOR && !was_inside) {
            search->body = lanes_body(search->gen->arena, stmt);
            search->is_inside = true;
        }
        TirBlock *nested[2];
        size_t count = stmt->kind == STMT_WHILE ? 0 : tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            see_block(search, nested[k]);
        }
        search->body = outer;
        search->is_inside = was_inside;
    }
}

bool search_is_one(Gen *gen, TirStmt *loop) {
    if (!gen->target.is_zen && gen->facts.mask_registers) {
        return false;
    }
    Search search = {.gen = gen, .body = lanes_body(gen->arena, loop)};
    see_block(&search, &loop->for_loop.body);
    return search.is_one;
}

// A row that ends within a register of 32 bytes is put together of halves where it is read and
// taken apart where it is stored. Pieces that are powers of two are not, but may take more
// registers. Small arrays are held in these where all indices into them are constants.
#include "codegen/plan/parted.h"

#include "codegen/plan/limits.h"
#include "support/table.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/memory.h"

// A row in one register, which takes two as pieces.
static bool takes_two(uint64_t bytes) {
    return PARTED_BYTES / 2 < bytes && bytes < PARTED_BYTES;
}

unsigned parted_lanes(const PlanFacts *facts, uint32_t row, uint64_t bytes) {
    bool is_parted = facts->vector_bytes == PARTED_BYTES && facts->opt_level > 0 && !facts->small &&
                     PARTED_BYTES / 2 < row * bytes &&
                     (facts->few_parted || !takes_two(row * bytes));
    unsigned lanes = 1;
    while (is_parted && 2 * lanes <= row) {
        lanes *= 2;
    }
    return is_parted ? lanes : row;
}

typedef struct Search {
    Arena *arena;
    bool single;
    Table seen, in_memory; // variables; those that some index is not a constant of
} Search;

static void see_index(const TirExpr *expr, void *data) {
    Search *search = data;
    const TirExpr *bottom = tir_bottom(expr);
    if (expr->kind == EXPR_VAR) {
        table_set(search->arena, &search->seen, expr->var, expr->var);
    } else if (bottom->kind == EXPR_VAR && view_bottom(expr) == NULL) {
        table_set(search->arena, &search->in_memory, bottom->var, bottom->var);
    }
    tir_read_operands(expr, see_index, search);
}

static uint64_t rows_of(const Search *search, const TirVar *var) {
    const Type *type = var->type;
    if (type->flat_rank == 0 || type->numel > KEPT_LIMIT) {
        return 0;
    }
    uint32_t row = type->dims[type->flat_rank - 1];
    bool is_terminal = var->role == VAR_INPUT || var->role == VAR_OUTPUT ||
                       var->role == VAR_TUNABLE || var->role == VAR_PARAM;
    bool is_held = !is_terminal && table_get(&search->seen, var) != NULL &&
                   table_get(&search->in_memory, var) == NULL;
    return is_held && takes_two(row * root_bytes(type->root, search->single)) ? type->numel / row
                                                                              : 0;
}

bool parted_are_few(Arena *arena, const TirProgram *program) {
    Search search = {.arena = arena, .single = program->single};
    uint64_t most = 0, shared = 0;
    for (size_t i = 0; i < program->functions.count; i++) {
        tir_read_exprs_in(&program->functions.items[i]->body, see_index, &search);
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        shared += rows_of(&search, program->globals.items[i]);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        const TirFunction *function = program->functions.items[i];
        uint64_t rows = shared;
        for (size_t k = 0; k < function->vars.count; k++) {
            rows += rows_of(&search, function->vars.items[k]);
        }
        most = rows > most ? rows : most;
    }
    return most <= PARTED_ROWS_MOST;
}

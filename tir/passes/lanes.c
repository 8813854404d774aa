// Marks loops whose turns may run side by side, as lanes of vectors, where that gains something.
// Reads any valid TIR and writes nothing but the marks. The outermost loop of a nest that can is
// taken; those inside of it are walked by all lanes together.
//
// Straight bodies are left to LLVM, which vectorises them too.
#include "tir/passes/passes.h"

#include "tir/lanes_loop.h"
#include "tir/ranges.h"
#include "tir/visit.h"

enum { TURNS_LEAST = 8 }; // the lanes of the longest vectors of reals

typedef struct Marker {
    Tir *tir;
    const uint32_t *uses;
} Marker;

static bool has_loop(TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE) {
            return true;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (has_loop(nested[k])) {
                return true;
            }
        }
    }
    return false;
}

// Also whether the body of the loop is to be left out.
static bool mark_loop(Ranges *ranges, TirStmt *loop, void *data) {
    const Marker *marker = data;
    Interval range = ranges->vars[loop->for_loop.var->id];
    bool is_long = range.most - range.least + 1 >= TURNS_LEAST;
    loop->for_loop.has_lanes =
        is_long && has_loop(&loop->for_loop.body) &&
        lanes_loop_obstacle(marker->tir->arena, marker->uses, ranges->vars, loop) == NULL;
    return loop->for_loop.has_lanes;
}

void pass_lanes(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Marker marker = {.tir = tir, .uses = lanes_loop_uses(tir->arena, function)};
        RangesVisitor visitor = {.loop = mark_loop, .data = &marker};
        Ranges ranges;
        ranges_walk_function(&ranges, tir->arena, function, &visitor);
    }
}

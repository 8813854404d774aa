// Marks loops whose turns may run side by side, as lanes of vectors, where that gains something.
// Reads any valid TIR and writes nothing but the marks. The outermost loop of a nest that can is
// taken; those inside of it are walked by all lanes together.
//
// Straight bodies, and those whose loops it writes out, are left to LLVM, which vectorises them
// too.
#include "tir/passes/passes.h"

#include "tir/lanes_loop.h"
#include "tir/ranges.h"
#include "tir/visit.h"

enum {
    TURNS_LEAST = 8, // the lanes of the longest vectors of reals
    // Turns of loops inside that LLVM writes out, so that it vectorises the loop around them: with
    // 16 it takes 0.8 to 0.9 of the time of lanes, with 48 more than four times as long.
    UNROLLED = 16,
};

typedef struct Marker {
    Tir *tir;
    const uint32_t *uses;
} Marker;

// Whether there is a loop inside that is long, or in which turns part.
static bool has_loop(const Ranges *ranges, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        uint64_t turns = 0;
        if (stmt->kind == STMT_FOR) {
            interval_of_loop(ranges->vars, stmt, &turns);
        }
        if (stmt->kind == STMT_WHILE || stmt->kind == STMT_BREAK || turns > UNROLLED) {
            return true;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (has_loop(ranges, nested[k])) {
                return true;
            }
        }
    }
    return false;
}

// Also whether the body of the loop is to be left out.
static bool mark_loop(Ranges *ranges, TirStmt *loop, void *data) {
    const Marker *marker = data;
    if (loop->for_loop.has_lanes) { // pass_batch
        return true;
    }
    Interval range = ranges->vars[loop->for_loop.var->id];
    bool is_long = range.most - range.least + 1 >= TURNS_LEAST;
    loop->for_loop.has_lanes =
        is_long && has_loop(ranges, &loop->for_loop.body) &&
        lanes_loop_obstacle(marker->tir->arena, marker->uses, ranges->vars, loop) == NULL;
    if (loop->for_loop.has_lanes) {
        loop->for_loop.has_lanes = !lanes_are_for_loops_inside(marker->tir->arena, loop);
    }
    return loop->for_loop.has_lanes;
}

void pass_lanes(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Marker marker = {.tir = tir,
                         .uses = lanes_loop_uses(tir->arena, function, &function->body)};
        RangesVisitor visitor = {.loop = mark_loop, .data = &marker};
        Ranges ranges;
        ranges_walk_function(&ranges, tir->arena, function, &visitor);
    }
}

// Marks loops whose turns may run side by side, as lanes of vectors, where that gains something.
// Reads any valid TIR and writes nothing but the marks. The outermost loop of a nest that can is
// taken; those inside of it are walked by all lanes together.
//
// Straight bodies, and those whose loops it writes out, are left to LLVM, which vectorises them
// too, but where they branch, or read tables: it takes what that costs to be more than all that is
// gained.
#include "tir/passes/passes.h"

#include "tir/lanes_loop.h"
#include "tir/lanes_reads.h"
#include "tir/ranges.h"
#include "tir/visit.h"

enum {
    TURNS_LEAST = 8, // the lanes of the longest vectors of reals
    // Turns of loops inside that LLVM writes out, so that it vectorises the loop around them: with
    // 16 it takes 0.8 to 0.9 of the time of lanes, with 48 more than four times as long.
    UNROLLED = 16,
    // Turns of sums over rows, where the processor has several rows at hand at a time: 31 sums of
    // 24 products take twice as long in lanes, those of 100 a third of the time.
    OVERLAPPED = 48,
};

typedef struct Marker {
    Tir *tir;
    const uint32_t *uses;
} Marker;

// What loops there are inside.
typedef struct LoopsInside {
    uint64_t turns; // of the longest
    bool part;      // turns part in one
    bool branch;    // in one
} LoopsInside;

static void see_loops(const Ranges *ranges, TirBlock *block, LoopsInside *inside, bool in_loop) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        uint64_t turns = 0;
        if (stmt->kind == STMT_FOR) {
            interval_of_loop(ranges->vars, stmt, &turns);
        }
        inside->turns = turns > inside->turns ? turns : inside->turns;
        inside->part = inside->part || stmt->kind == STMT_WHILE || stmt->kind == STMT_BREAK;
        inside->branch = inside->branch || (in_loop && stmt->kind == STMT_IF);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            see_loops(ranges, nested[k], inside, in_loop || stmt->kind == STMT_FOR);
        }
    }
}

static bool has_branch(TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->items[i]->kind == STMT_IF) {
            return true;
        }
    }
    return false;
}

// Whether vectors gain something in the body: in loops whose turns part together, in branches, in
// what is computed from tables.
static bool gains(const Ranges *ranges, Arena *arena, TirStmt *loop) {
    TirBlock *block = &loop->for_loop.body;
    LoopsInside inside = {0};
    see_loops(ranges, block, &inside, false);
    if (inside.part || has_branch(block)) {
        return true;
    }
    LanesBody body = lanes_body(arena, loop);
    LanesReads reads = lanes_reads(&body, block);
    if (inside.turns <= UNROLLED) {
        return reads.anywhere > 0 && lanes_reads_pay(&reads, reads.anywhere);
    }
    return inside.branch || inside.turns > OVERLAPPED || lanes_reads_pay(&reads, reads.apart);
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
        is_long && gains(ranges, marker->tir->arena, loop) &&
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

// Marks loops whose turns may run side by side, as lanes of vectors, where that gains something.
// Reads any valid TIR and writes nothing but the marks. The outermost loop of a nest that can is
// taken; those inside of it are walked by all lanes together.
//
// Straight bodies, and those whose loops it writes out, are left to LLVM, which vectorises them
// too, but where they branch, or read tables: it takes what that costs to be more than all that is
// gained.
#include "tir/passes/passes.h"

#include "tir/lanes_loop.h"
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
    // Operations for each element of a table, or of such a row, beyond which lanes gain. With as
    // many, what is read at clamped indices and doubled, they take 1.1 of the time; with four, two
    // ways between the rows of a table, 0.6.
    OPS_PER_READ = 3,
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

typedef struct Reads {
    const LanesBody *body;
    uint64_t ops;
    uint64_t anywhere; // elements whose place is not known before the loop runs
    uint64_t apart;    // those that lie apart from turn to turn
} Reads;

static void count_read(const TirExpr *expr, void *data) {
    Reads *reads = data;
    int64_t step;
    if (expr->kind == EXPR_VIEW && type_is_scalar(expr->type)) {
        bool is_known = lanes_step(reads->body, NULL, expr, &step);
        reads->anywhere += !is_known;
        reads->apart += is_known && step != 0 && step != 1;
        return;
    }
    reads->ops += expr->kind == EXPR_MAP || expr->kind == EXPR_CONVERT;
    tir_read_operands(expr, count_read, reads);
}

static void count_reads(TirBlock *block, Reads *reads) {
    for (size_t i = 0; i < block->count; i++) {
        tir_read_exprs(block->items[i], count_read, reads);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            count_reads(nested[k], reads);
        }
    }
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
    Reads reads = {.body = &body};
    count_reads(block, &reads);
    if (inside.turns <= UNROLLED) {
        return reads.anywhere > 0 && reads.ops > OPS_PER_READ * reads.anywhere;
    }
    return inside.branch || inside.turns > OVERLAPPED || reads.ops > OPS_PER_READ * reads.apart;
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

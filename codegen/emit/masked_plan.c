// See masked_plan.h. A lane is as wide as the widest value of the loop, and there are as many as
// fill a register.
#include "codegen/emit/masked_plan.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/masked_rows.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/estimate.h"
#include "codegen/target/target.h"
#include "support/bug.h"
#include "tir/lanes_reads.h"
#include "tir/lanes_rows.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    // Scalars for each register where loops inside wait from turn to turn, and no masks are held:
    // 20 Runge-Kutta steps with 27 scalars take 0.63 of the time by four vectors at once, in 16
    // registers. Sums of windows of 16 to 48 take half of the time by sharing what they read; with
    // products, which hold as many factors beside, they take 1.1 times as long.
    SCALARS_SHARE = 8,
    WAY_BYTES = 4096,       // of a cache of the first level, lines of which come to the same place
    MASKED_LOADS_FROM = 32, // bytes of a vector: AVX has loads of these, SSE and NEON have not
};

typedef struct Shape {
    Gen *gen;
    uint64_t widest; // bytes of a scalar
} Shape;

static void note_width(const TirExpr *expr, void *data) {
    Shape *shape = data;
    uint64_t bytes = element_widest(&shape->gen->facts, expr);
    shape->widest = bytes > shape->widest ? bytes : shape->widest;
}

// Whether so many turns at once are too many for a loop of `count`, NULL where nobody knows: more
// than an eighth of its lanes would have nothing to do at its end.
static bool leaves_lanes(LLVMValueRef count, uint64_t at_once) {
    if (LLVMIsAConstantInt(count) == NULL) {
        return true;
    }
    int64_t turns = LLVMConstIntGetSExtValue(count);
    uint64_t left = turns > 0 ? (uint64_t)turns % at_once : 0;
    return left != 0 && (at_once - left) * 8 > (uint64_t)turns;
}

// How many scalars the parts may have in all: more than registers, where turns wait in loops inside
// or read what their neighbours do.
static uint64_t scalars_most(Gen *gen, const Masked *masked) {
    LanesReads reads = lanes_reads(&masked->body, &masked->loop->for_loop.body);
    bool has_windows = reads.sums > 0 && reads.products == 0;
    bool is_more = !reads.has_branches && (reads.has_loops || has_windows);
    return (uint64_t)target_vector_registers(&gen->target) * (is_more ? SCALARS_SHARE : 1);
}

static bool is_while(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_WHILE;
}

static bool has_while(const Masked *masked) {
    return tir_any_stmt(&masked->loop->for_loop.body, is_while, NULL);
}

enum {
    LANES_LEAST = 4, // of a loop of few turns
    ROWS_FEW = 2,    // that a loop inside reads
};

// The rows that loops inside move.
typedef struct RowsMoved {
    Gen *gen;
    const Masked *masked;
    bool are_written;
    bool collide;  // those that are written are all at the same places of a cache
    bool are_many; // that one loop reads
} RowsMoved;

static void note_rows_moved(TirStmt *stmt, void *data) {
    RowsMoved *moved = data;
    if (stmt->kind != STMT_FOR) {
        return;
    }
    LanesRows rows = lanes_rows(moved->gen->arena, &moved->masked->body, stmt);
    moved->are_many = moved->are_many || rows.places > ROWS_FEW;
    for (size_t i = 0; i < rows.writes.count; i++) {
        const TirExpr *view = rows.writes.items[i];
        int64_t step;
        CHECK(lanes_step(&moved->masked->body, NULL, view, &step));
        uint64_t bytes = (uint64_t)step * gen_root_bytes(moved->gen, view->type->root);
        moved->are_written = true;
        moved->collide = moved->collide || bytes % WAY_BYTES == 0;
    }
}

// Filters of 16 rows of 1000 take half of the time by two vectors that they take by four, and by
// four in rows of 1024, of which a cache holds eight lines, twice as long as one after the other.
// Sums of products of three rows take half of the time by one that they take by four.
static unsigned parts_most(Gen *gen, const Masked *masked) {
    RowsMoved moved = {.gen = gen, .masked = masked};
    tir_visit_stmts(&masked->loop->for_loop.body, note_rows_moved, &moved);
    bool is_one = moved.collide || moved.are_many;
    return is_one ? 1 : moved.are_written ? MASKED_PARTS_FEW : MASKED_PARTS;
}

uint64_t masked_turns_most(const TirStmt *loop, LLVMValueRef count) {
    if (LLVMIsAConstantInt(count) != NULL) {
        int64_t turns = LLVMConstIntGetSExtValue(count);
        return turns > 0 ? (uint64_t)turns : 0;
    }
    return loop->for_loop.most > 0 ? loop->for_loop.most : UINT64_MAX;
}

void masked_plan(Gen *gen, Masked *masked, LLVMValueRef count) {
    TirBlock *body = &masked->loop->for_loop.body;
    Shape shape = {.gen = gen, .widest = 4};
    tir_read_exprs_in(body, note_width, &shape);
    unsigned bytes = target_vector_bytes(&gen->target);
    masked->lanes = bytes / (unsigned)shape.widest;
    masked->parts = parts_most(gen, masked);
    while (masked->parts > MASKED_PARTS_FEW &&
           leaves_lanes(count, (uint64_t)masked->parts * masked->lanes)) {
        masked->parts /= 2;
    }
    uint64_t most = scalars_most(gen, masked);
    while (masked->parts > 1 &&
           (masked->parts * masked->body.scalars.count > most || masked_has_rows(masked, body))) {
        masked->parts /= 2;
    }
    uint64_t turns = masked_turns_most(masked->loop, count);
    while (masked->parts > 1 && turns < (uint64_t)masked->parts * masked->lanes) {
        masked->parts /= 2;
    }
    while (masked->lanes > LANES_LEAST && turns <= masked->lanes / 2) {
        masked->lanes /= 2; // all of which may be turns then
    }
    bool waits_for_sums = masked->body.totals.count > 0 && !has_while(masked);
    if (waits_for_sums && masked->parts > MASKED_PARTS_FEW) {
        masked->parts = MASKED_PARTS_FEW;
    }
    masked->has_mask_registers = gen->facts.mask_registers;
    LLVMTypeRef wide = shape.widest == 8 ? gen->i64 : gen->i32;
    masked->mask_type = lanes_type(masked->has_mask_registers ? gen->i1 : wide, masked->lanes);
}

typedef struct Gathers {
    const Masked *masked;
    bool found;
} Gathers;

static void note_gather(const TirExpr *expr, void *data) {
    Gathers *gathers = data;
    gathers->found = gathers->found || (expr->kind == EXPR_VIEW && type_is_scalar(expr->type) &&
                                        lanes_gathers(&gathers->masked->body, expr) &&
                                        !masked_strides(gathers->masked, expr));
    tir_read_operands(expr, note_gather, data);
}

static void note_gathers(Gathers *gathers, TirBlock *block, bool is_inside) {
    for (size_t i = 0; i < block->count && !gathers->found; i++) {
        TirStmt *stmt = block->items[i];
        bool is_loop = stmt->kind == STMT_WHILE || stmt->kind == STMT_FOR;
        if (is_inside || stmt->kind == STMT_WHILE) {
            tir_read_exprs(stmt, note_gather, gathers);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            note_gathers(gathers, nested[k], is_inside || is_loop);
        }
    }
}

bool masked_gathers_inside(Gen *gen, const Masked *masked) {
    Gathers gathers = {.masked = masked};
    if (!gen->facts.mask_registers) {
        note_gathers(&gathers, &masked->loop->for_loop.body, false);
    }
    return gathers.found;
}

static void note_masked(const TirExpr *expr, void *data) {
    Gathers *gathers = data;
    int64_t step;
    gathers->found =
        gathers->found || (expr->kind == EXPR_VIEW && type_is_scalar(expr->type) &&
                           !tir_is_free(expr) && !lanes_gathers(&gathers->masked->body, expr) &&
                           lanes_step(&gathers->masked->body, NULL, expr, &step) && step == 1);
    tir_read_operands(expr, note_masked, data);
}

static void note_masked_in(Gathers *gathers, TirBlock *block, bool is_inside) {
    for (size_t i = 0; i < block->count && !gathers->found; i++) {
        if (is_inside) {
            tir_read_values(block->items[i], note_masked, gathers);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            note_masked_in(gathers, nested[k], true);
        }
    }
}

bool masked_needs_masked_loads(Gen *gen, const Masked *masked) {
    Gathers reads = {.masked = masked};
    if (gen->facts.vector_bytes < MASKED_LOADS_FROM) {
        note_masked_in(&reads, &masked->loop->for_loop.body, masked->has_jumps);
    }
    return reads.found;
}

static bool writes_arrays(const LanesBody *body) {
    for (size_t i = 0; i < body->all.count; i++) {
        if (!type_is_scalar(body->all.items[i]->type)) {
            return true;
        }
    }
    return false;
}

bool masked_adds_freely(Gen *gen, const Masked *masked) {
    return gen->options->fp == FP_FAST && masked->body.totals.count > 0 && !has_while(masked) &&
           !writes_arrays(&masked->body);
}

// Whether a turn that runs twice leaves what it left the first time.
static bool is_repeatable(const Masked *masked) {
    const LanesBody *body = &masked->body;
    for (size_t i = 0; i < body->all.count; i++) {
        const TirVar *var = body->all.items[i];
        if (!type_is_scalar(var->type) && tir_stmt_reads(masked->loop, var) > 0) {
            return false;
        }
    }
    return !lanes_have_order(body);
}

unsigned masked_repeated_parts(const Masked *masked, LLVMValueRef count) {
    if (LLVMIsAConstantInt(count) == NULL || has_while(masked) || !is_repeatable(masked)) {
        return 0;
    }
    int64_t turns = LLVMConstIntGetSExtValue(count);
    uint64_t left = turns > 0 ? (uint64_t)turns % (masked->parts * masked->lanes) : 0;
    uint64_t parts = (left + masked->lanes - 1) / masked->lanes;
    return parts * masked->lanes <= (uint64_t)turns ? (unsigned)parts : 0;
}

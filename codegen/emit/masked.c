// Some vectors of turns are walked at once, so that one need not wait for another: each statement
// is generated for one part after the other. All lanes compute everything; what a lane may not
// change while it is not active is kept by selects, and stores to memory are masked. Nothing that
// is generated here can trap (tir/lanes_loop.h), and each lane rounds as the scalar would.
//
// A block has a mask of the lanes for which it runs (`active`); `break` and `continue` take lanes
// out of it and of all masks around it up to that of the body of their loop, and `break` also out
// of the lanes for which the loop goes on (`running`).
#include "codegen/emit/masked.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/limit.h"
#include "codegen/emit/masked_ahead.h"
#include "codegen/emit/masked_plan.h"
#include "codegen/emit/masked_record.h"
#include "codegen/emit/masked_rows.h"
#include "codegen/emit/masked_total.h"
#include "codegen/emit/masked_value.h"
#include "codegen/emit/outline.h"
#include "codegen/emit/parallel.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/estimate.h"
#include "support/table.h"
#include "tir/interval.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

enum {
    BRANCH_COST = 32, // scalar operations that are worth a jump around them
    SHORT_LOOP = 8,   // turns of so few that are run to the end, as a jump costs more
};

static void masked_block(Gen *gen, TirBlock *block, const Parts *active, const Parts *running);

// What is read again soon waits until a store under a mask is in memory: what a function holds,
// what the next step of a component finds, and what the loop itself reads.
static bool reads_soon(const Masked *masked, const TirVar *array) {
    return array->storage == STORAGE_STACK || array->storage == STORAGE_STATE ||
           tir_stmt_reads(masked->loop, array) > 0;
}

static void set_element(Gen *gen, const TirExpr *place, LLVMValueRef value, LLVMValueRef mask) {
    Masked *masked = gen->masked;
    Root root = place->type->root;
    bool scatters = lanes_gathers(&masked->body, place);
    // All lanes have an element of their own, though not all write it: a store under a mask is slow
    // on some processors, and a branch for each lane on others. Where a condition keeps the index
    // inside, those that do not write may have none.
    if (!scatters && masked->is_full && tir_is_free(place) &&
        (reads_soon(masked, lanes_array(place)) || !masked->has_mask_registers)) {
        Address to = {.pointer = masked_address(gen, place), .var = lanes_array(place), .step = 1};
        LLVMValueRef old = index_load(gen, root, to, masked->lanes);
        value = LLVMBuildSelect(gen->builder, mask, value, old, "");
        index_store(gen, root, value, to, masked->lanes);
        return;
    }
    if (root == ROOT_BOOL) {
        value = LLVMBuildZExt(gen->builder, value, lanes_type(gen->i8, masked->lanes), "");
    }
    LLVMValueRef at = scatters ? masked_places(gen, place) : masked_address(gen, place);
    LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(at)};
    LLVMValueRef args[] = {value, at, gen_i32(gen, (int64_t)gen_root_bytes(gen, root)), mask};
    const char *name = scatters ? "llvm.masked.scatter" : "llvm.masked.store";
    alias_mark(gen, gen_intrinsic(gen, name, types, 2, args, 4), lanes_array(place));
}

static void masked_set(Gen *gen, TirBlock *block, const TirStmt *stmt, const Parts *active) {
    Masked *masked = gen->masked;
    const TirExpr *place = stmt->set.place;
    if (masked_add(gen, stmt, active)) {
        return;
    }
    bool is_scalar = place->kind == EXPR_VAR;
    bool has_mask = !is_scalar || lanes_values_keep(&masked->values, place->var, block);
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef value = masked_lanes(gen, stmt->set.value);
        LLVMValueRef mask = NULL;
        if (has_mask) {
            mask = masked_bits(gen, masked_load_mask(gen, active->of[masked->part]));
        }
        if (is_scalar) {
            masked_assign(gen, place->var, value, mask);
        } else if (!masked_ahead_keep(gen, place, value)) {
            set_element(gen, place, value, mask);
        }
    }
}

static void add_expr_cost(const TirExpr *expr, void *data) {
    uint64_t *cost = data;
    *cost += element_cost(expr);
}

static bool is_costly(TirStmt *stmt, void *data) {
    uint64_t *cost = data;
    tir_read_exprs(stmt, add_expr_cost, cost);
    return stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || *cost >= BRANCH_COST;
}

// Whether it gains something not to run a block that no lane is active for.
static bool is_worth_a_jump(TirBlock *block) {
    uint64_t cost = 0; // up to where it is
    return tir_any_stmt(block, is_costly, &cost);
}

static void masked_branch(Gen *gen, TirBlock *block, const Parts *active, const Parts *running) {
    if (block->count == 0) {
        return;
    }
    LLVMBasicBlockRef after = NULL;
    if (is_worth_a_jump(block)) {
        LLVMBasicBlockRef then = gen_block(gen, "then");
        after = gen_block(gen, "end");
        LLVMBuildCondBr(gen->builder, masked_any(gen, active), then, after);
        gen_enter(gen, then);
    }
    gen->masked->conditions++;
    masked_block(gen, block, active, running);
    gen->masked->conditions--;
    if (after != NULL) {
        gen_jump(gen, after);
        gen_enter(gen, after);
    }
}

static bool is_break_only(const TirStmt *stmt) {
    return stmt->branch.otherwise.count == 0 && stmt->branch.then.count == 1 &&
           stmt->branch.then.items[0]->kind == STMT_BREAK;
}

// `if c: break` of the lanes that are in the loop.
static void leave_if(Gen *gen, const TirExpr *condition, const Parts *active,
                     const Parts *running) {
    Masked *masked = gen->masked;
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef leave = masked_widen(gen, masked_lanes(gen, condition));
        LLVMValueRef mask = masked_load_mask(gen, running->of[masked->part]);
        mask = LLVMBuildAnd(gen->builder, mask, LLVMBuildNot(gen->builder, leave, ""), "");
        masked_store_mask(gen, mask, running->of[masked->part]);
        LLVMBuildStore(gen->builder, masked_load_mask(gen, running->of[masked->part]),
                       active->of[masked->part]);
    }
}

static bool sets_scalars(const LanesBody *body, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        if (!tir_sets_whole(stmt) || lanes_total_term(body, stmt) != NULL) {
            return false;
        }
    }
    return true;
}

// `if c: x = v` of scalars, which are selects: LLVM makes `max` and `min` of those that are.
static bool is_choice(const LanesBody *body, TirStmt *stmt) {
    TirBlock *then = &stmt->branch.then;
    TirBlock *otherwise = &stmt->branch.otherwise;
    return sets_scalars(body, then) && sets_scalars(body, otherwise) && !is_worth_a_jump(then) &&
           !is_worth_a_jump(otherwise);
}

static void choose_in(Gen *gen, const TirBlock *block, LLVMValueRef mask) {
    unsigned lanes = gen->masked->lanes;
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *set = block->items[i];
        gen->masked->chosen = mask;
        LLVMValueRef value = lanes_splat(gen, masked_if_reached(gen, set->set.value), lanes);
        gen->masked->chosen = NULL;
        masked_assign(gen, set->set.place->var, value, mask);
    }
}

static void choose(Gen *gen, const TirStmt *stmt, const Parts *active) {
    Masked *masked = gen->masked;
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef condition = masked_lanes(gen, stmt->branch.condition);
        limit_branch(gen, condition, stmt);
        LLVMValueRef mask = masked_bits(gen, masked_load_mask(gen, active->of[masked->part]));
        choose_in(gen, &stmt->branch.then, LLVMBuildAnd(gen->builder, mask, condition, ""));
        LLVMValueRef other = LLVMBuildNot(gen->builder, condition, "");
        choose_in(gen, &stmt->branch.otherwise, LLVMBuildAnd(gen->builder, mask, other, ""));
    }
}

static void masked_if(Gen *gen, TirStmt *stmt, const Parts *active, const Parts *running) {
    Masked *masked = gen->masked;
    if (is_break_only(stmt) && active == masked->in_step) {
        leave_if(gen, stmt->branch.condition, active, running);
        return;
    }
    if (masked_record(gen, stmt, active)) {
        return;
    }
    if (is_choice(&masked->body, stmt)) {
        choose(gen, stmt, active);
        return;
    }
    Parts then = masked_new_masks(gen);
    Parts otherwise = masked_new_masks(gen);
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef condition = masked_lanes(gen, stmt->branch.condition);
        limit_branch(gen, condition, stmt);
        condition = masked_widen(gen, condition);
        LLVMValueRef mask = masked_load_mask(gen, active->of[masked->part]);
        masked_store_mask(gen, LLVMBuildAnd(gen->builder, mask, condition, ""),
                          then.of[masked->part]);
        LLVMValueRef other = LLVMBuildNot(gen->builder, condition, "");
        masked_store_mask(gen, LLVMBuildAnd(gen->builder, mask, other, ""),
                          otherwise.of[masked->part]);
    }
    masked_branch(gen, &stmt->branch.then, &then, running);
    masked_branch(gen, &stmt->branch.otherwise, &otherwise, running);
    if (!tir_block_has_jumps(&stmt->branch.then) && !tir_block_has_jumps(&stmt->branch.otherwise)) {
        return;
    }
    for (unsigned p = 0; p < masked->parts; p++) {
        LLVMValueRef left = LLVMBuildOr(gen->builder, masked_load_mask(gen, then.of[p]),
                                        masked_load_mask(gen, otherwise.of[p]), "");
        masked_store_mask(gen, left, active->of[p]);
    }
}

static void masked_jump(Gen *gen, bool is_break, const Parts *active, const Parts *running) {
    LLVMValueRef none = LLVMConstNull(gen->masked->mask_type);
    CHECK(!is_break || running != NULL);
    for (unsigned p = 0; p < gen->masked->parts; p++) {
        if (is_break) {
            LLVMValueRef leave =
                LLVMBuildNot(gen->builder, masked_load_mask(gen, active->of[p]), "");
            LLVMValueRef stay = masked_load_mask(gen, running->of[p]);
            masked_store_mask(gen, LLVMBuildAnd(gen->builder, stay, leave, ""), running->of[p]);
        }
        LLVMBuildStore(gen->builder, none, active->of[p]);
    }
}

// One turn of a loop inside, for the lanes for which it runs.
static void masked_turn(Gen *gen, TirBlock *body, const Parts *running) {
    Parts turn = masked_copy_masks(gen, running);
    const Parts *outer = gen->masked->in_step;
    unsigned conditions = gen->masked->conditions;
    gen->masked->conditions += tir_block_has_jumps(body);
    gen->masked->in_step = tir_block_jumps(body, STMT_CONTINUE) ? NULL : &turn;
    masked_block(gen, body, &turn, running);
    gen->masked->conditions = conditions;
    gen->masked->in_step = outer;
}

static void masked_while(Gen *gen, TirStmt *stmt, const Parts *active) {
    Masked *masked = gen->masked;
    Parts running = masked_copy_masks(gen, active);
    LLVMBasicBlockRef test = gen_block(gen, "while");
    LLVMBasicBlockRef body = gen_block(gen, "do");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(gen->builder, test);
    gen_enter(gen, test);
    masked->conditions++;
    masked_block(gen, &stmt->while_loop.before, &running, NULL);
    masked->active = &running;
    masked->is_whole = false;
    debug_place(gen, stmt->span);
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef condition = masked_widen(gen, masked_lanes(gen, stmt->while_loop.condition));
        LLVMValueRef slot = running.of[masked->part];
        masked_store_mask(
            gen, LLVMBuildAnd(gen->builder, masked_load_mask(gen, slot), condition, ""), slot);
    }
    LLVMBuildCondBr(gen->builder, masked_any(gen, &running), body, after);
    gen_enter(gen, body);
    masked_turn(gen, &stmt->while_loop.body, &running);
    masked->conditions--;
    gen_jump(gen, test);
    gen_enter(gen, after);
}

// Whether it gains something to ask before each turn if a lane is still in the loop.
static bool is_worth_leaving(TirStmt *loop) {
    if (loop->for_loop.first->kind != EXPR_CONST || loop->for_loop.last->kind != EXPR_CONST) {
        return true;
    }
    uint64_t turns;
    interval_of_loop(NULL, loop, &turns);
    return turns > SHORT_LOOP || is_worth_a_jump(&loop->for_loop.body);
}

// A loop inside whose variable is a scalar, as its bounds are the same in all lanes.
typedef struct InnerFor {
    TirStmt *loop;
    LLVMValueRef last;
    Parts running;
    MaskedAhead ahead;
} InnerFor;

static void set_inner(Gen *gen, const InnerFor *inner, LLVMValueRef value) {
    const TirVar *var = inner->loop->for_loop.var;
    table_set(gen->arena, &gen->wides, var, value);
    gen_store(gen, ROOT_INT, LLVMBuildTrunc(gen->builder, value, gen->i32, ""),
              frame_var_address(gen, var));
}

// Turns from `value` on; what they read of rows is read first.
static void inner_turns(Gen *gen, const InnerFor *inner, LLVMValueRef value, unsigned count) {
    int64_t step = inner->loop->for_loop.step->data[0].integer;
    set_inner(gen, inner, value);
    masked_ahead_read(gen, &inner->ahead, count);
    for (unsigned turn = 0; turn < count; turn++) {
        masked_ahead_begin(gen, &inner->ahead, turn);
        set_inner(gen, inner, gen_index_add(gen, value, gen_i64(gen, turn * step)));
        masked_turn(gen, &inner->loop->for_loop.body, &inner->running);
    }
    masked_ahead_end(gen, &inner->ahead);
    set_inner(gen, inner, value);
    masked_ahead_write(gen, &inner->ahead, count);
}

// Turns from `first` on, `count` at once while there are as many. What is returned is the variable
// of the first one that is left.
static LLVMValueRef walk_inner(Gen *gen, const InnerFor *inner, LLVMValueRef first,
                               unsigned count) {
    LLVMBuilderRef builder = gen->builder;
    TirStmt *loop = inner->loop;
    int64_t step = (int64_t)count * loop->for_loop.step->data[0].integer;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = gen_block(gen, "for");
    LLVMBasicBlockRef body = gen_block(gen, "do");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(builder, test);
    gen_enter(gen, test);
    LLVMValueRef value = LLVMBuildPhi(builder, gen->i64, "");
    LLVMAddIncoming(value, &first, &before, 1);
    LLVMValueRef following = LLVMBuildNSWAdd(builder, value, gen_i64(gen, step), "");
    LLVMValueRef goes_on =
        count > 1
            ? LLVMBuildICmp(builder, step > 0 ? LLVMIntSLE : LLVMIntSGE, following, inner->last, "")
            : LLVMBuildICmp(builder, step > 0 ? LLVMIntSLT : LLVMIntSGT, value, inner->last, "");
    if (tir_block_has_jumps(&loop->for_loop.body) && is_worth_leaving(loop)) {
        goes_on = LLVMBuildAnd(builder, goes_on, masked_any(gen, &inner->running), "");
    }
    LLVMBuildCondBr(builder, goes_on, body, after);
    gen_enter(gen, body);
    inner_turns(gen, inner, value, count);
    debug_place(gen, loop->span);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
    LLVMAddIncoming(value, &following, &end, 1);
    LLVMBuildBr(builder, test);
    gen_enter(gen, after);
    return value;
}

// What some turns at once leave.
static void walk_rest(Gen *gen, const InnerFor *inner, LLVMValueRef first, LLVMValueRef left) {
    if (LLVMIsAConstantInt(first) == NULL || LLVMIsAConstantInt(inner->last) == NULL) {
        walk_inner(gen, inner, left, 1);
        return;
    }
    int64_t way = LLVMConstIntGetSExtValue(inner->last) - LLVMConstIntGetSExtValue(first);
    int64_t turns = inner->ahead.rows.is_backward ? -way : way;
    if (turns > 0 && turns % MASKED_AHEAD > 0) {
        inner_turns(gen, inner, left, (unsigned)(turns % MASKED_AHEAD));
    }
}

static void masked_inner_for(Gen *gen, TirStmt *stmt, const Parts *active) {
    LLVMValueRef first = masked_first(gen, stmt->for_loop.first);
    InnerFor inner = {.loop = stmt,
                      .last = masked_first(gen, stmt->for_loop.last),
                      .running = masked_copy_masks(gen, active),
                      .ahead = masked_ahead_find(gen, stmt)};
    if (inner.ahead.rows.reads.count + inner.ahead.rows.writes.count == 0) {
        walk_inner(gen, &inner, first, 1);
        return;
    }
    walk_rest(gen, &inner, first, walk_inner(gen, &inner, first, MASKED_AHEAD));
}

static bool is_jump(const TirStmt *stmt) {
    return stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE;
}

static void masked_block(Gen *gen, TirBlock *block, const Parts *active, const Parts *running) {
    for (size_t i = 0; i < block->count && (i == 0 || !is_jump(block->items[i - 1])); i++) {
        TirStmt *stmt = block->items[i];
        gen->masked->active = active;
        gen->masked->is_whole = active == gen->masked->whole;
        debug_place(gen, stmt->span);
        size_t rows = masked_rows(gen, block, i);
        if (rows > 0) {
            i += rows - 1;
            continue;
        }
        switch (stmt->kind) {
        case STMT_SET: masked_set(gen, block, stmt, active); break;
        case STMT_IF: masked_if(gen, stmt, active, running); break;
        case STMT_FOR: masked_inner_for(gen, stmt, active); break;
        case STMT_WHILE: masked_while(gen, stmt, active); break;
        case STMT_BREAK:
        case STMT_CONTINUE: masked_jump(gen, stmt->kind == STMT_BREAK, active, running); break;
        case STMT_NEST:
        case STMT_CALL:
        case STMT_RETURN:
        case STMT_PRINT:
        case STMT_INPUT:
        case STMT_OUTPUT:
        case STMT_ASSERT: BUG("a statement that is not for lanes");
        }
    }
}

static LLVMValueRef lane_count(Gen *gen) {
    return gen_i64(gen, (int64_t)gen->masked->parts * gen->masked->lanes);
}

// As many turns as there are lanes in all parts, or fewer: those from number `done` on that come
// before `count`; NULL: all lanes are turns.
static void run_turns(Gen *gen, LLVMValueRef first, LLVMValueRef done, LLVMValueRef count) {
    Masked *masked = gen->masked;
    LLVMBuilderRef builder = gen->builder;
    masked->counter = LLVMBuildNSWAdd(builder, first, done, "");
    masked->is_full = count == NULL;
    memset(masked->row_turns, 0, sizeof(masked->row_turns));
    LLVMValueRef left = NULL;
    if (count != NULL) {
        LLVMTypeRef wide = gen->i64;
        LLVMValueRef limits[] = {LLVMBuildNSWSub(builder, count, done, ""), lane_count(gen)};
        left = gen_intrinsic(gen, "llvm.smin", &wide, 1, limits, 2);
        left = LLVMBuildTrunc(builder, left, gen->i32, "");
        left = lanes_splat(gen, left, masked->lanes);
    }
    Parts active = masked_new_masks(gen);
    for (unsigned p = 0; p < masked->parts; p++) {
        LLVMValueRef numbers =
            lanes_count(gen, gen_i64(gen, (int64_t)p * masked->lanes), 1, masked->lanes);
        masked->turns.of[p] = count == NULL
                                  ? LLVMConstAllOnes(LLVMVectorType(gen->i1, masked->lanes))
                                  : LLVMBuildICmp(builder, LLVMIntULT, numbers, left, "");
        masked_store_mask(gen, masked_widen(gen, masked->turns.of[p]), active.of[p]);
    }
    masked->whole = count == NULL && !masked->has_jumps ? &active : NULL;
    masked_totals_begin(gen);
    masked_block(gen, &masked->loop->for_loop.body, &active, NULL);
    masked_totals_end(gen);
    masked->whole = NULL;
}

// Runs the turns from number `done` on, with `is_full` only while all lanes are turns. What is
// returned is the number of the first turn that is left.
static LLVMValueRef walk_turns(Gen *gen, LLVMValueRef first, LLVMValueRef count, LLVMValueRef done,
                               bool is_full) {
    LLVMBuilderRef builder = gen->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = gen_block(gen, "for");
    LLVMBasicBlockRef body = gen_block(gen, "do");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(builder, test);
    gen_enter(gen, test);
    LLVMValueRef number = LLVMBuildPhi(builder, gen->i64, "");
    LLVMAddIncoming(number, &done, &before, 1);
    LLVMValueRef next = LLVMBuildNSWAdd(builder, number, lane_count(gen), "");
    LLVMValueRef goes_on = is_full ? LLVMBuildICmp(builder, LLVMIntSLE, next, count, "")
                                   : LLVMBuildICmp(builder, LLVMIntSLT, number, count, "");
    LLVMBuildCondBr(builder, goes_on, body, after);
    gen_enter(gen, body);
    run_turns(gen, first, number, is_full ? NULL : count);
    debug_place(gen, gen->masked->loop->span);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
    LLVMAddIncoming(number, &next, &end, 1);
    LLVMBuildBr(builder, test);
    gen_enter(gen, after);
    return number;
}

// `count` turns from `first` on, up to masked->last.
static void walk_loop(Gen *gen, Masked *masked, LLVMValueRef first, LLVMValueRef count) {
    gen->masked = masked;
    for (size_t i = 0; i < masked->body.scalars.count; i++) {
        const TirVar *var = masked->body.scalars.items[i];
        if (table_get(&masked->body.totals, var) == NULL &&
            table_get(&masked->body.kept, var) == NULL) {
            masked_create_slots(gen, var);
        }
    }
    // Whole vectors read rows side by side, and a load under a mask may be a branch for each lane.
    LLVMValueRef done = gen_i64(gen, 0);
    if (masked_turns_most(masked->loop, count) >= (uint64_t)masked->parts * masked->lanes) {
        done = walk_turns(gen, first, count, done, true);
    }
    unsigned repeated = masked_repeated_parts(masked, count);
    if (repeated > 0) {
        masked->parts = repeated;
        done = LLVMBuildNSWSub(gen->builder, count, lane_count(gen), "");
        run_turns(gen, first, done, NULL);
    } else {
        walk_turns(gen, first, count, done, false);
    }
    gen->masked = NULL;
}

// A loop whose turns threads share.
typedef struct MaskedLoop {
    Masked *masked;
    LLVMValueRef first; // turn, as the loop's variable has it
} MaskedLoop;

static void walk_part(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    const MaskedLoop *whole = data;
    whole->masked->last = gen_index_add(gen, end, whole->first);
    walk_loop(gen, whole->masked, gen_index_add(gen, first, whole->first),
              LLVMBuildNSWSub(gen->builder, end, first, ""));
}

bool masked_for(Gen *gen, TirStmt *loop) {
    if (!loop_in_lanes(&gen->facts, loop)) {
        return false;
    }
    LLVMValueRef first = element_wide(gen, loop->for_loop.first);
    LLVMValueRef last = element_wide(gen, loop->for_loop.last);
    Masked masked = {.loop = loop,
                     .body = lanes_body(gen->arena, loop),
                     .values = lanes_values(gen->arena, loop),
                     .has_jumps = tir_block_has_jumps(&loop->for_loop.body)};
    if (masked_gathers_inside(gen, &masked) || masked_needs_masked_loads(gen, &masked) ||
        masked_adds_freely(gen, &masked)) {
        return false;
    }
    LLVMValueRef count = LLVMBuildNSWSub(gen->builder, last, first, "");
    masked_plan(gen, &masked, count);
    SplitPlan split = split_loop(&gen->facts, loop);
    if (split.kind == SPLIT_NONE || lanes_have_order(&masked.body)) {
        masked.last = last;
        walk_loop(gen, &masked, first, count);
        return true;
    }
    outline_prepare_block(gen, &loop->for_loop.body);
    MaskedLoop whole = {&masked, first};
    parallel_turns_of(gen, count, split.grain, walk_part, &whole);
    return true;
}

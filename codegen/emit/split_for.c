// Variables of which each turn has its own are in the frame of the thread.
#include "codegen/emit/split_for.h"

#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/outline.h"
#include "codegen/emit/parallel.h"
#include "codegen/emit/stmt.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/turns.h"
#include "support/table.h"

// A loop whose turns threads share.
typedef struct SplitFor {
    const TirStmt *stmt;
    const TurnsPlan *plan;
    LLVMValueRef first; // value of the loop's variable
} SplitFor;

static void split_for_part(Gen *gen, void *data, LLVMValueRef first, LLVMValueRef end) {
    const SplitFor *split = data;
    for (size_t i = 0; i < split->plan->own.count; i++) {
        const TirVar *var = split->plan->own.items[i];
        table_set(gen->arena, &gen->vars, var, frame_slot(gen, var->type));
    }
    Loop loop;
    loop_begin(gen, &loop, LLVMBuildNSWSub(gen->builder, end, first, ""), NULL, 0);
    loop.left_to_llvm = true;
    LLVMValueRef turn = gen_index_add(gen, first, loop.index);
    LLVMValueRef value = gen_index_add(gen, turn, split->first);
    const TirVar *var = split->stmt->for_loop.var;
    table_set(gen->arena, &gen->wides, var, value);
    gen_store(gen, ROOT_INT, LLVMBuildTrunc(gen->builder, value, gen->i32, ""),
              frame_var_address(gen, var));
    stmt_block(gen, &split->stmt->for_loop.body);
    loop_end(gen, &loop, NULL);
}

// Behind the loop these variables have their addresses of before, though nothing uses them.
bool split_for(Gen *gen, TirStmt *stmt) {
    if (gen->facts.threads < 2) {
        return false;
    }
    TurnsPlan plan = turns_plan(gen->arena, &gen->facts, gen->function, stmt);
    if (plan.split.kind == SPLIT_NONE) {
        return false;
    }
    LLVMValueRef first = element_wide(gen, stmt->for_loop.first);
    LLVMValueRef last = element_wide(gen, stmt->for_loop.last);
    outline_prepare_block(gen, &stmt->for_loop.body);
    LLVMValueRef *before = ARENA_ARRAY(gen->arena, LLVMValueRef, plan.own.count + 1);
    for (size_t i = 0; i < plan.own.count; i++) {
        before[i] = frame_var_address(gen, plan.own.items[i]);
    }
    SplitFor split = {stmt, &plan, first};
    parallel_turns_of(gen, LLVMBuildNSWSub(gen->builder, last, first, ""), plan.split.grain,
                      split_for_part, &split);
    for (size_t i = 0; i < plan.own.count; i++) {
        table_set(gen->arena, &gen->vars, plan.own.items[i], before[i]);
    }
    return true;
}

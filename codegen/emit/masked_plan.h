// How a loop whose turns run side by side is walked.
#ifndef TMLC_CODEGEN_EMIT_MASKED_PLAN_H
#define TMLC_CODEGEN_EMIT_MASKED_PLAN_H

#include "codegen/emit/masked_value.h"

// How many lanes and parts: as many parts as have their values in registers and turns to run, and
// one where rows are turned, which is work enough side by side. Where all turns wait for sums in
// their order, more parts gain nothing: three sums of four take 1.17 of the time of two.
void masked_plan(Gen *gen, Masked *masked, LLVMValueRef count);
// How many turns the loop has at most, `count` being their number.
uint64_t masked_turns_most(const TirStmt *loop, LLVMValueRef count);
// Whether lanes would gather in loops inside, on a machine that reads one by one in less time: a
// table of 17 knots that is halved takes 1.6 times as long by vectors of 32 bytes.
bool masked_gathers_inside(Gen *gen, const Masked *masked);
// In how many parts the turns that are left over run together with some that have run before,
// `count` being the number of all: as full vectors they need no masks, and write the same once
// more. 0: they do not.
unsigned masked_repeated_parts(const Masked *masked, LLVMValueRef count);
// Whether conditions alone keep indices inside of what is read side by side, and the target has no
// loads under masks but one by one.
bool masked_needs_masked_loads(Gen *gen, const Masked *masked);
// Whether LLVM may add what turns add in any order, and can, as no `while` parts them and no array
// is written besides: lanes take two to four times as long to add in theirs.
bool masked_adds_freely(Gen *gen, const Masked *masked);

#endif

// See sharing.h. What is short is counted in LLVM's instructions, before optimisation.
#include "codegen/unit/sharing.h"

#include "tir/stateless.h"
#include "tir/uses.h"
#include "types/memory.h"

enum {
    // Instructions of a step that the loop of `step_n` takes in where the state stays in registers,
    // with those that it calls, as many as solving four equations; at -O3 and with --batch, of each
    // of its two functions.
    INLINED_LIMIT = 900,
    // The same where steps may run side by side, as many as there are lanes.
    INLINED_IN_LANES = 4 * INLINED_LIMIT,
    // The same where there are no vectors, and so few registers and little memory: beyond it the
    // loop calls. A controller on a Cortex-M4 takes 1098 bytes so, instead of 2732.
    CALLED_FROM = 48,
    // The same of a function that `output` or `update` shares with `step`: so many instructions
    // take 20 times as long as the call.
    SHARED_FROM = 300,
    // With -Os, of one that `step` takes in, which saves a host that calls `step` alone the call,
    // and is there twice for others. All examples take 21.5 KB on a Cortex-M4 so, and what such a
    // host links of them 11.3; with 900 it is 25.5 and 11.2.
    TAKEN_IN_LIMIT = 500,
};

// Of the state that a step changes the next one finds so much in registers: of 16, some are for the
// work.
static unsigned kept_limit(const Gen *gen) {
    return 3 * gen->facts.vector_registers / 4;
}

// Counts the instructions of a function and of those that it calls, once per call, up to the most
// that anyone asks for.
static unsigned instruction_count(LLVMValueRef function, unsigned count) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
         block != NULL && count <= INLINED_IN_LANES; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block);
             at != NULL && count <= INLINED_IN_LANES; at = LLVMGetNextInstruction(at)) {
            LLVMValueRef called = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
            bool is_function = called != NULL && LLVMIsAFunction(called) != NULL;
            count = is_function ? instruction_count(called, count + 1) : count + 1;
        }
    }
    return count;
}

static bool is_odd(TirStmt *stmt, void *data) {
    (void)data;
    return (stmt->kind != STMT_SET || !type_is_scalar(stmt->set.place->type)) &&
           stmt->kind != STMT_IF;
}

// Of the loop of `step_n`: steps that are straight code and leave nothing behind may run side by
// side.
static unsigned inlined_limit(const Gen *gen) {
    TirFunction *output = gen->program->output;
    bool in_lanes = output != NULL && tir_is_stateless_step(gen->program, output) &&
                    !tir_any_stmt(&output->body, is_odd, NULL);
    return in_lanes || sharing_takes_side(gen) ? INLINED_IN_LANES : INLINED_LIMIT;
}

const char *sharing_fact(const Gen *gen, LLVMValueRef function, Inlining inlining) {
    unsigned count = instruction_count(function, 0);
    switch (inlining) {
    case INLINE_SHORT: {
        unsigned limit = gen->options->size == SIZE_ANY ? inlined_limit(gen) : TAKEN_IN_LIMIT;
        return count <= limit ? "alwaysinline" : NULL;
    }
    case INLINE_SHORTEST: return count > CALLED_FROM ? "noinline" : NULL;
    case INLINE_BY_LLVM:
        return count > SHARED_FROM && gen->options->opt_level < 3 ? "noinline" : NULL;
    }
    UNREACHABLE();
}

Inlining sharing_in_part(const Gen *gen, bool is_step) {
    // A host that wants little code calls `step`, and the linker drops what else there is.
    return gen->options->size != SIZE_ANY && is_step ? INLINE_SHORT : INLINE_BY_LLVM;
}

Inlining sharing_in_loop(const Gen *gen) {
    if (gen->options->size != SIZE_ANY) {
        return INLINE_BY_LLVM;
    }
    return gen->options->opt_level >= (gen->facts.vectors ? 2 : 3) ? INLINE_SHORT : INLINE_SHORTEST;
}

// Both functions of a step; one may be missing.
static bool is_step_short(const Gen *gen, const TirFunction *output, const TirFunction *update) {
    const TirFunction *parts[] = {output, update};
    unsigned count = 0;
    for (size_t i = 0; i < 2; i++) {
        if (parts[i] != NULL) {
            count = instruction_count(table_get(&gen->functions, parts[i]), count);
        }
    }
    return count <= inlined_limit(gen);
}

static bool writes(const TirFunction *function, const TirVar *var) {
    return function != NULL && tir_block_writes(&function->body, var);
}

// Registers for all of a variable: arrays as long as two of them or longer are written in vectors,
// and shorter ones where nothing asks for single elements. Longer ones than registers take stay in
// memory, as a ring of past values does, beside scalars that are kept. What is turned is not to be
// turned in every step, in registers or not.
static uint64_t registers_of(const Gen *gen, const TirVar *var) {
    if (var->is_turned) {
        return 0;
    }
    uint64_t lanes = gen->facts.vector_bytes / root_bytes(var->type->root, gen->facts.single);
    uint64_t count = (uint64_t)var->type->numel;
    bool is_apart = var->has_elements && count < 2 * lanes;
    count = is_apart ? count : (count + lanes - 1) / lanes;
    return count <= kept_limit(gen) ? count : 0;
}

// Of the state of a component, with its instances, the registers for what a step writes; counts to
// just above the limit.
static uint64_t kept_registers(const Gen *gen, const TirProgram *component) {
    uint64_t count = 0;
    uint64_t limit = kept_limit(gen);
    for (size_t i = 0; i < component->globals.count && count <= limit; i++) {
        const TirVar *var = component->globals.items[i];
        if (var->storage == STORAGE_STATE && var->instance == NULL &&
            (writes(component->output, var) || writes(component->update, var))) {
            count += registers_of(gen, var);
        }
    }
    for (size_t i = 0; i < component->instances.count && count <= limit; i++) {
        count += kept_registers(gen, component->instances.items[i]->component);
    }
    return count;
}

bool sharing_copies_state(const Gen *gen) {
    const TirProgram *program = gen->program;
    if (gen->options->opt_level < 2 || gen->options->size != SIZE_ANY || !gen->facts.vectors ||
        gen->options->batch > 0 || gen->trap != NULL || program->instances.count > 0 ||
        program->scratch_bytes > 0 || !is_step_short(gen, program->output, program->update) ||
        kept_registers(gen, program) > kept_limit(gen)) {
        return false;
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        if (var->storage == STORAGE_STATE && !type_is_scalar(var->type)) {
            return false;
        }
    }
    return true;
}

bool sharing_reads_past(const Gen *gen) {
    return gen->facts.vectors && gen->options->batch == 0;
}

bool sharing_takes_side(const Gen *gen) {
    return gen->program->side != NULL && gen->facts.vectors && gen->options->batch == 0 &&
           gen->options->size == SIZE_ANY;
}

static bool takes_invariants(const Gen *gen) {
    const TirInvariants *invariants = &gen->program->invariants;
    return invariants->output != NULL && gen->facts.vectors && gen->options->batch == 0 &&
           gen->options->size == SIZE_ANY &&
           is_step_short(gen, invariants->output, invariants->update);
}

StepSharing sharing_of_steps(const Gen *gen) {
    const CodegenOptions *options = gen->options;
    if (takes_invariants(gen)) {
        return STEPS_WITHIN;
    }
    if (options->opt_level != 2 || options->size != SIZE_ANY || !gen->facts.vectors ||
        options->batch > 0) {
        return STEPS_APART;
    }
    const TirProgram *program = gen->program;
    bool stays = is_step_short(gen, program->output, program->update) &&
                 kept_registers(gen, program) <= kept_limit(gen);
    return stays ? STEP_OF_ONE : STEPS_OF_STEP;
}

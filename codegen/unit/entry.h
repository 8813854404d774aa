// What other objects see of a module. Its entry points are what a host, which for programs is the
// runtime, calls to initialise and to step.
#ifndef TMLC_CODEGEN_UNIT_ENTRY_H
#define TMLC_CODEGEN_UNIT_ENTRY_H

#include "codegen/gen.h"
#include "codegen/runs/runs.h"

typedef struct EntryPoints {
    LLVMValueRef init, output, update, step, step_n;
    RunsEntries batch; // of a component; nulls without --batch
} EntryPoints;

// PREFIX_init_HASH and PREFIX_output, _update, _step, _step_n of a component, when all functions
// are there.
EntryPoints entry_component(Gen *gen);
// The step of a program, which runs all of it; the others are null.
EntryPoints entry_program(Gen *gen);
// PREFIX_init_HASH(state) of a library.
void entry_library(Gen *gen);
// What an object tells about itself: the tml_model of runtime/abi/model.h, and PREFIX_defaults, the
// tunable properties of a component as the source gives them. NULL with --no-table.
LLVMValueRef model_table(Gen *gen, const EntryPoints *entries);
// PREFIX_fn_NAME of each exported function, as far as the program's kind has a state for it.
void export_functions(Gen *gen);

#endif

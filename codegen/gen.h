// What the files of codegen share while one module is built: a Gen, and the small helpers that
// every family of code needs. Nothing outside of codegen includes this.
#ifndef TMLC_CODEGEN_GEN_H
#define TMLC_CODEGEN_GEN_H

#include "codegen/options.h"
#include "codegen/plan/facts.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/scope.h"
#include "codegen/target/frames.h"
#include "codegen/target/target.h"
#include "codegen/unit/instances.h"
#include "codegen/unit/layout.h"
#include "support/arena.h"
#include "support/bug.h"
#include "support/context.h"
#include "support/table.h"
#include "tir/visit.h"
#include "types/memory.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdint.h>

enum { GEN_STACK_ALIGN = 16 }; // of frames on 64-bit targets, whatever is in them

// A named input or output of the program.
typedef struct GenPort {
    Slice name;
    bool is_output;
    const Type *type;
    LLVMValueRef text; // the name as a C string
} GenPort;

// A variable that a debugger can show: at `slot`, or where the pointer in it plus `offset` says.
typedef struct GenDebugVariable {
    const TirVar *var;
    LLVMValueRef slot;
    bool is_indirect;
    uint64_t offset;
    unsigned number; // of a parameter, from 1
} GenDebugVariable;

// A square of elements, as many rows as lanes, is being generated row by row (tile.h).
typedef struct GenTile {
    unsigned size;
    unsigned row;  // at hand
    unsigned next; // turned read of the row at hand
    struct {
        LLVMValueRef (*items)[TILE_LIMIT]; // its rows
        size_t count, capacity;
    } reads;
} GenTile;

// What every function is handed before its parameters: the state, and in components the other
// structs of the host.
typedef struct GenContext {
    LLVMValueRef state;
    LLVMValueRef params, inputs, outputs; // NULL outside of components
    LLVMValueRef
        host; // the state of the program, with scratch and fault; that of an instance has none
} GenContext;

// Where `break` and `continue` go.
typedef struct GenLoop {
    LLVMBasicBlockRef next;
    LLVMBasicBlockRef after;
    struct GenLoop *outer;
} GenLoop;

// Where the next faults of the function leave it (Note [Exits] in trap.c).
typedef struct GenExit {
    LLVMBasicBlockRef block;
    LLVMValueRef status; // its phi
    unsigned count;      // of the places that leave so far, by this exit and those before
} GenExit;

typedef struct Gen {
    Context *context;
    Arena *arena;
    const TirProgram *program; // or one of its components, while the functions of that are made
    const CodegenOptions *options;
    Target target;
    PlanFacts facts;
    PlanScope scope;
    const char *name;   // of the program: its file without folders and suffix
    const char *prefix; // of exported symbols: the name as a C identifier
    uint64_t hash;      // in the link name of each (unit/link_name.h)

    Frames *frames; // that the diagnostics of the back end tell about
    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i1, i8, i16, i32, i64, real, pointer;
    LLVMTypeRef real_bits; // the integer that is as long as a real
    LLVMTypeRef size;      // size_t of the target
    StateLayout layout;
    InstanceMembers instance_members;
    bool is_embedded;    // a component or library: no symbol from outside but libm's
    bool has_c_pointers; // arrays may be a host's: aligned as in C, and no better

    // Of what gen_constant makes: linkers may leave out a section that nothing refers to.
    const char *constant_section; // NULL: by what they are
    bool is_table;                // those of the table of a model are made

    Table functions;       // TirFunction to LLVM function
    Table faultless;       // LLVM functions that are defined and never return a fault
    Table type_tables;     // Type to its tml_type constant
    bool has_alias_scopes; // the two maps are made
    Table alias_own;       // TirVar of the state to its alias scope, and to those of the others
    Table alias_others;    // (alias.h)
    Table const_tables;    // the data of a EXPR_CONST to its ConstTable (emit/element.c)
    LLVMValueRef trap;     // stores a fault, see trap.h; NULL until needed
    LLVMValueRef overlap;  // compares what a host hands over (unit/export.c); NULL until needed
    LIST_OF(GenPort) ports;
    SliceList texts;            // of assertions
    LIST_OF(SourcePlace) traps; // the first of each line
    bool **has_trap;            // by file and line: it is among these

    LLVMDIBuilderRef debug;       // NULL without -g and --batch
    LLVMMetadataRef *debug_files; // by index of the source file
    Table debug_types;

    // The function being generated.
    const TirFunction *function;
    LLVMValueRef value;
    GenContext at;
    LLVMBuilderRef at_entry; // the entry block: allocas and addresses of variables
    LLVMBasicBlockRef leave; // returns TML_OK
    LLVMMetadataRef debug_scope, debug_file;
    GenContext debug_at; // slots that hold these addresses; NULL until needed
    LIST_OF(GenDebugVariable) debug_variables;
    Table vars;     // TirVar to its address
    Table left_out; // statements that need no code (unit/start.h)
    Table late;     // operands that wait for the turn before (plan/late.h)
    Table wides;    // TirVar of a loop to its value as i64
    Table indices;  // TirAxis to its checked index as i64, for the statement at hand
    Table reduced;  // reductions to their values, where one loop made several (together.h)
    GenLoop *loop;
    size_t long_loops; // of more than a few turns, that have ended (emit/loop.c)
    GenExit exit;
    GenTile *tile;         // NULL outside of tiles
    struct Masked *masked; // of a loop whose turns are lanes (masked.h); NULL outside
    struct GenNest *nest;  // NULL outside of nests
    bool regroups;         // with --fp=fast: LLVM may group sums and products in another way
} Gen;

#endif

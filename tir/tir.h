// TIR, the typed tensor IR: array statements over views. After checking, everything implicit in the
// language is explicit here and every node has its exact type. docs/tir.md is the manual.
//
// Expressions are pure trees (they may trap, they never write); calls, input and all effects are
// statements. An index space is always the flat dims of a type (types/type.h): element (i0, i1,
// ...) of an expression is a scalar of the type's root.
#ifndef TMLC_TIR_TIR_H
#define TMLC_TIR_TIR_H

#include "tir/node.h"

// What an instance is asked to do: the functions of its component.
typedef enum TirPhase { TIR_INIT, TIR_OUTPUT, TIR_UPDATE } TirPhase;

// How calls of a function are differentiated where that is not done by its statements.
typedef struct TirRule {
    // The function itself, or one that gives the same results, and behind them what the others need
    // of its work.
    TirFunction *kept;
    // Of its parameters, and then of all results of `kept`: while these stay, its results change
    // with the parameters as those of the function do. Further results do not change. Forward it is
    // for changes of the first parameter; where that stays the function is linear, and statements
    // take less. NULL: forward is by statements.
    TirFunction *slope;
    // Of the same, and then of an adjoint for each real result of the function: the adjoints of its
    // real parameters, but for the last ones, which are constants. NULL: `slope` in reverse, or the
    // statements.
    TirFunction *adjoint;
} TirRule;

struct TirFunction {
    uint32_t id;
    Name name;          // in the source
    const char *symbol; // unique; instances carry their sizes and the guards they need
    Span span;
    TirVar **params; // VAR_PARAM or VAR_INOUT
    size_t param_count;
    TirVars results;
    TirVars vars; // params, results, locals, temps, loops
    TirBlock body;
    // These include what called functions do.
    bool reads_globals; // file-level variables and terminals
    bool writes_globals;
    bool has_effects;    // print, input, output, assert
    bool has_io;         // the first three of these
    bool uses_interface; // terminals or tunable properties
    uint8_t derivatives; // how deep marked calls stand in one another
    bool has_errors;     // some were reported in it or in what it calls
    bool exported;       // hosts may call it: see docs/embedding.md
    bool is_made;        // stands in no source: it runs functions that do
    const TirRule *rule; // of its derivative; NULL: its statements
    // 1 + the position of the parameter in which the results are linear while the others stay, term
    // by term of its statements; 0: none is known.
    uint32_t linear_in;
    uint8_t refused; // a bit for each result that has none (E0765)
    bool is_shared;  // its derivatives give its result, too (tir/derive/share.h)
    // NULL, or it has no body and runs `phase` of this instance.
    const TirInstance *instance;
    TirPhase phase;
    uint64_t scratch_offset; // of this function's frame in the scratch; set by planning
    uint64_t scratch_bytes;
    uint64_t stack_bytes; // of STORAGE_STACK variables
    bool needs_scratch;   // it or a function that it calls; set by planning
};

typedef enum TirProgramKind {
    PROGRAM_SCRIPT,
    PROGRAM_MAIN,
    PROGRAM_LIBRARY,
    PROGRAM_COMPONENT
} TirProgramKind;

// A declaration of a component's interface (L10.1), in the order of the source.
typedef enum TirInterfaceKind {
    INTERFACE_INPUT,
    INTERFACE_OUTPUT,
    INTERFACE_TUNABLE,
    INTERFACE_CONSTANT, // a property or namespace constant
} TirInterfaceKind;

// Where a terminal of hardware lies (L16).
struct TirIo {
    uint64_t address;
    const char *range; // of addresses: "hil", ...; NULL where none is named
    bool is_dma;
    Name name; // in the source
};

struct TirInterface {
    TirInterfaceKind kind;
    char space; // 't', 'p' or 'n'
    Name name;
    Span span; // of the name
    const Type *type;
    TirVar *var; // NULL: a constant
    // Tunables and inputs (their default) and constants: a EXPR_CONST of `type`. NULL: a text, an
    // output, an input without default.
    TirExpr *value;
    const TirExpr *written; // the value that the source gives, where -D may replace it
    Slice text;             // of a constant of type str
    const TirIo *io;        // NULL: not of hardware. Inputs have feedthrough, outputs have none
    bool is_optional;
    bool is_present; // not optional, or connected by --with
    bool has_feedthrough;
    bool is_direct;  // an output that output_fnc always gives all of its value and nothing else
                     // touches: it is written to the host's memory. Others live in the state.
    uint64_t offset; // in the struct of its kind (inputs, outputs, params); set by planning
};

typedef LIST_OF(const TirInterface *) TirHardwareItems;

// What elementary functions of tensors are (L5.6): a choice of code generation, by which the
// reference evaluator goes to have its bits.
typedef enum TirMath {
    TIR_MATH_LIBRARY, // the C library's, as those of scalars
    TIR_MATH_OWN,     // of tir/math
    TIR_MATH_FUSED    // the same with a multiply-add that rounds once
} TirMath;

typedef struct TirProgram TirProgram;

// A test (L19).
typedef struct TirTest {
    Name name;
    Span span;                  // of it
    int trap;                   // with which it has to end: 1001; 0: without one
    TirFunction *function;      // NULL: it was decided when it was checked
    const struct Diag *failure; // why it fails; NULL where the check found nothing
} TirTest;

// An instance of a component, or one element of an array of them (L15.1). Its inputs, outputs and
// state lie in the state of the component that holds it, its tunable properties in the params of
// that: the offsets of these, set by planning.
struct TirInstance {
    Name name;       // of the declaration
    bool is_element; // of an array, which has `count` of them: number `element`
    uint32_t element, count;
    Span span; // of the name
    TirProgram *component;
    TirExpr **defaults;     // by position in the component's interface: of tunable properties
    uint32_t every, offset; // runs in cycles k with k % every == offset
    bool by_hand;
    uint64_t inputs_at, outputs_at, state_at, params_at;
};

// What a wire reads: a terminal of this file, or of an instance.
typedef struct TirWireEnd {
    const TirInstance *instance; // NULL: of this file
    Name terminal;
    bool is_delayed; // in the cycle before
} TirWireEnd;

// A wire of a system, for those who show it: its work is in the functions.
typedef struct TirWire {
    Slice value;           // its right side in the source
    bool is_all;           // feeds all of an array
    const TirInstance *to; // NULL: an output of this file; of an array the first one
    Name terminal;
    bool has_feedthrough; // of the target
    LIST_OF(TirWireEnd) from;
} TirWire;

// What a loop keeps for a derivative in reverse.
typedef struct TirTape {
    Span loop;
    uint32_t turns;
    uint32_t sections,
        length;           // 0: all turns are kept; else starts of sections, and the turns of one
    uint64_t turn, start; // bytes of a turn, and of the start of a section
    uint64_t kept, bytes; // behind the loop, in all
} TirTape;

typedef LIST_OF(TirTape) TirTapes;

// How a derivative is computed that was asked for (--report). Figures are those of one.
typedef struct TirDerived {
    Span span;
    bool is_reverse;
    uint32_t directions; // forward
    uint64_t cost;       // by which the way was chosen
    uint64_t other;      // that of the other way; 0: there is none
    bool is_endless;     // of the operations: nothing bounds them
    uint64_t flops, calls;
    uint64_t function_flops, function_calls; // of what it is the derivative of
    uint64_t tape;                           // bytes of logs
    TirTapes tapes;
} TirDerived;

typedef LIST_OF(TirDerived) TirDerivedList;

// An array of the state that holds the last values of an input, newest first.
typedef struct TirPast {
    TirVar *array;
    uint64_t offset; // of its first row in the inputs of the step
} TirPast;

// Found by pass_past.
typedef struct TirPasts {
    LIST_OF(TirPast) arrays;
    // What stands for `output` where as many steps went before as the longest has values: its
    // parameters are, for each array, a row for each of the last steps, as the host has their
    // inputs. NULL: there are none.
    TirFunction *output;
} TirPasts;

// An integer of the state that steps leave in a range if they find it there.
typedef struct TirInvariant {
    TirVar *var;
    int64_t least, most;
} TirInvariant;

// Found by pass_invariant.
typedef struct TirInvariants {
    LIST_OF(TirInvariant) vars;
    // What stands for `output` and `update` while each of these is in its range. They are given
    // what these are, in this order, and never fail. NULL: there is none.
    TirFunction *output, *update;
} TirInvariants;

struct TirProgram {
    TirProgramKind kind;
    TirMath math; // for the evaluator; set by whoever compares it with code (codegen_math)
    bool single;  // reals are IEEE single
    const char *path;
    TypeTable *types; // of all types in it; set by checking
    // What lives longer than a call: file-level variables, and terminals that are present and
    // tunable properties of a component.
    LIST_OF(TirVar *) globals;
    // Variables of the file whose values are constants of the object (L10.9): nothing names them.
    LIST_OF(TirVar *) constants;
    LIST_OF(TirInterface *) interface;
    // Variables of hardware that are not of the interface: with --io=mmio those that are accessed
    // in place, here and in instances; of an instance those that the file which holds it gives and
    // shows.
    TirHardwareItems hardware;
    // Callees before callers. For programs and scripts the last one is `entry`, which initialises
    // the globals and runs everything.
    LIST_OF(TirFunction *) functions;
    TirFunction *entry;  // NULL for libraries
    TirFunction *init;   // libraries and components: gives the globals their values, then runs
                         // init_fnc; else NULL
    TirFunction *output; // output_fnc and update_fnc of a component; NULL when it has none
    TirFunction *update;
    TirPasts past;
    TirInvariants invariants;
    TirFunction *side;    // what stands for `output` in `step_n`, made by pass_side; NULL: nothing
    uint64_t state_bytes; // of globals and instances in the state; set by planning
    uint64_t inputs_bytes, outputs_bytes, params_bytes; // of a component's structs; the same
    uint64_t state_align, inputs_align, outputs_align, params_align; // as C has them; the same
    uint64_t scratch_bytes; // of all frames, shared by functions never active together
    bool is_tested;         // it is made to run its tests, and has the runtime below it
    LIST_OF(TirTest *) tests;
    LIST_OF(const char *) replays; // ports of tests that go through a file (sema/builtin/test.c)
    // Of a component.
    LIST_OF(TirInstance *) instances;   // in the order of declaration
    LIST_OF(const TirInstance *) order; // wired ones, as they run in the first half of a cycle
    LIST_OF(TirWire *) wires;           // in the order of the source
    // The components of all instances below, of instances of these too, before those that hold
    // them.
    LIST_OF(struct TirProgram *) components;
    TirDerivedList derivatives;     // in the order of the source; made by pass_derive
    const struct TirLinear *linear; // of the program, where it is wanted (tir/linear/linear.h)
    const char *symbol;             // unique in the program; NULL for the program itself
    uint64_t scratch_at;            // where its frames begin; set by planning
};

#endif

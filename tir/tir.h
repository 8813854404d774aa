// TIR, the typed tensor IR: array statements over views. After checking, everything implicit in the
// language is explicit here and every node has its exact type. docs/tir.md is the manual.
//
// Expressions are pure trees (they may trap, they never write); calls, input and all effects are
// statements. An index space is always the flat dims of a type (types/type.h): element (i0, i1,
// ...) of an expression is a scalar of the type's root.
#ifndef TMLC_TIR_TIR_H
#define TMLC_TIR_TIR_H

#include "support/arena.h"
#include "support/intern.h"
#include "support/source.h"
#include "types/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One scalar; the root says which member.
typedef union TirScalar {
    bool boolean;
    uint32_t uint;
    int32_t integer;
    double real; // rounded to single where the program's reals are single
} TirScalar;

typedef enum TirOp {
#define TIR_OP(NAME, text, arity, signature, cost) OP_##NAME,
#include "tir/ops.def"
} TirOp;

enum {
    TIR_OPS = 0
#define TIR_OP(NAME, text, arity, signature, cost) +1
#include "tir/ops.def"
};

typedef enum TirReduction {
#define TIR_REDUCTION(NAME, text) REDUCE_##NAME,
#include "tir/ops.def"
} TirReduction;

typedef enum TirStorage {
    STORAGE_NONE,     // not planned yet, or never used
    STORAGE_REGISTER, // a scalar local
    STORAGE_STACK,    // a small array local
    STORAGE_ELEMENT,  // an array of which only the element at hand lives, within one nest
    STORAGE_STATE,    // `offset` bytes into the program's state: file-level variables
    STORAGE_SCRATCH,  // `offset` bytes into the program's scratch: large array locals
    STORAGE_ARGUMENT, // an array parameter or result: the caller's memory
    STORAGE_INPUTS,   // `offset` bytes into the inputs that the host passes
    STORAGE_OUTPUTS,  // the same of the outputs
    STORAGE_PARAMS,   // the same of the tunable properties
} TirStorage;

typedef enum TirVarRole {
    VAR_LOCAL,   // named in the source
    VAR_TEMP,    // made by the compiler
    VAR_PARAM,   // read-only: checking copies a parameter that is assigned into a local
    VAR_INOUT,   // a parameter that is the caller's variable: it has a value and is written
    VAR_RESULT,  // what the function returns, or one of several
    VAR_LOOP,    // int, set by its `for` only
    VAR_GLOBAL,  // file level; lives in the state
    VAR_INPUT,   // an input terminal; nothing writes it
    VAR_OUTPUT,  // an output terminal
    VAR_TUNABLE, // a property that the host may change; nothing writes it
} TirVarRole;

typedef struct TirVar {
    uint32_t id; // position in its function's vars (global ones: in the program's)
    TirVarRole role;
    Name name; // NULL for temporaries
    const Type *type;
    Span span; // declaration
    TirStorage storage;
    const char *debug; // a debug signal (L10.11): its text, or ""; else NULL
    bool has_parts;    // some statement reads or writes a part of one of its rows (tir/parts.h)
    uint64_t offset;
} TirVar;

typedef LIST_OF(TirVar *) TirVars;

typedef struct TirExpr TirExpr;
typedef struct TirStmt TirStmt;
typedef struct TirFunction TirFunction;

typedef enum TirExprKind {
    EXPR_CONST,   // literal data: numel scalars, row-major over the flat dims
    EXPR_VAR,     // the value of a variable
    EXPR_MAP,     // op, element by element; operands have the same flat dims
    EXPR_CONVERT, // to another root, element by element (L2.9)
    EXPR_VIEW,    // an affine index map, see TirAxis
    EXPR_RESHAPE, // the same scalars in the same row-major order under other flat dims
    EXPR_LITERAL, // operands stacked row-major: they fill the result one after the other
    EXPR_CONCAT,  // operands joined along one flat axis
    EXPR_REDUCE,  // flat axes [axis, axis + axis_count) of the operand reduced away
    EXPR_CUMSUM,  // running sums along the last flat axis
    EXPR_DOT,     // vectors and matrices: last axis of left times first axis of right
    EXPR_IOTA,    // int: the position along the only axis
} TirExprKind;

// How a view reads one flat dim of its operand. With r = the index along result axis `axis`:
// position = start + step * r, or just start when axis < 0. `start` is a constant unless `index`
// is set: then it is the value of `index` (a scalar of root int or uint, evaluated once per
// statement execution before any element), which traps E1001 unless 0 <= index < length of the dim
// (`bound`). Several dims may use one axis (a diagonal); an axis no dim uses is a stretched one.
typedef struct TirAxis {
    int32_t axis;
    int64_t start;
    int64_t step;
    TirExpr *index; // NULL, or what to check and use; then axis < 0
    bool unchecked; // index needs no check: proven, or checks are off
    Span span;      // of the index in the source
} TirAxis;

// Nodes are as large as their kind needs (tir_new_expr): tir_copy_node copies one, and a kind does
// not change.
struct TirExpr {
    TirExprKind kind;
    bool is_constant; // a constant expression of the language (L2.8)
    const Type *type;
    Span span;
    union {
        const TirScalar *data;
        TirVar *var;
        struct {
            TirOp op;
            TirExpr *args[3];
        } map;
        TirExpr *operand; // EXPR_CONVERT, EXPR_RESHAPE, EXPR_CUMSUM
        struct {
            TirExpr *operand;
            TirAxis *axes;
        } view; // one TirAxis per flat dim of operand
        struct {
            TirExpr **items;
            size_t count;
        } literal;
        struct {
            TirExpr **items;
            size_t count;
            uint32_t axis;
        } concat;
        struct {
            TirReduction op;
            TirExpr *operand;
            uint32_t axis, axis_count;
        } reduce;
        struct {
            TirExpr *left, *right;
        } dot;
    };
};

typedef LIST_OF(TirStmt *) TirBlock;

typedef enum TirStmtKind {
    STMT_SET,  // place = value; flat dims and root agree. Else only calls and inputs write arrays.
    STMT_NEST, // several sets over one index space, element by element (see below)
    STMT_CALL, // function(args...) into the variables `results`, no two of which are the same
    STMT_IF,
    STMT_FOR,   // var from first while before last (step > 0) or after last (step < 0)
    STMT_WHILE, // runs `before`, then tests `condition`, then runs `body`, and again
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_RETURN, // the result variables have their values already
    STMT_PRINT,  // values and texts, separated by one space, and a newline
    STMT_INPUT,  // reads a value into the variable `var`; name is "" for standard input
    STMT_OUTPUT,
    STMT_ASSERT, // traps E1004
} TirStmtKind;

typedef struct TirPrintItem {
    TirExpr *value; // NULL: text
    Slice text;     // of the note of an assertion: the source of the value
} TirPrintItem;

enum { ASSERTION_NOTES = 2 };

// As large as its kind needs, too.
struct TirStmt {
    TirStmtKind kind;
    Span span;
    union {
        // place: EXPR_VAR, or EXPR_VIEW and EXPR_RESHAPE over one in which no two elements share
        // a scalar. The value may read the variable written: it is complete before the place
        // changes (L6.3), until `pass_alias` has made every such statement safe element by element.
        struct {
            TirExpr *place;
            TirExpr *value;
            bool is_update; // an `op=`: gives a place that has no value yet none (L10.3)
            bool is_kept;   // what it reads is only written back, so it needs no value (L10.3)
        } set;
        // `set`s whose places have the same flat dims. For each position of these, in any order,
        // all of them run for that element, one after the other; at no position does one read or
        // write a scalar that another one writes elsewhere (tir_nest_takes), so it is the same as
        // running each of them whole. What lives in one element only is never in memory
        // (STORAGE_ELEMENT).
        TirBlock nest;
        // For a parameter that is VAR_INOUT the argument is a variable, which is neither a result
        // nor given to another such parameter, and which the function touches in no other way.
        struct {
            TirFunction *function;
            TirExpr **args;
            size_t arg_count;
            TirVars results;
        } call;
        struct {
            TirExpr *condition;
            TirBlock then, otherwise;
            bool is_debug; // a call of `debug`, while it is checked (L10.11)
        } branch;
        // Bounds are int scalars, evaluated once. A step of zero traps E1003 at step_span. The
        // loop variable may wrap past the ends of int without looping forever.
        struct {
            TirVar *var;
            TirExpr *first, *last, *step;
            Span step_span;
            bool has_lanes; // its turns may run side by side (tir/lanes_loop.h)
            TirBlock body;
        } for_loop;
        struct {
            TirBlock before;
            TirExpr *condition;
            TirBlock body;
        } while_loop;
        struct {
            TirPrintItem *items;
            size_t count;
        } print;
        struct {
            TirVar *var;
            Slice name;
        } input;
        struct {
            Slice name;
            TirExpr *value;
        } output;
        // The values of the notes, scalars that the trap shows, are read where it does not hold.
        struct {
            TirExpr *condition;
            Slice text;
            TirPrintItem notes[ASSERTION_NOTES];
            size_t note_count;
        } assertion;
    };
};

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
    bool has_effects;        // print, input, output, assert
    bool has_io;             // the first three of these
    bool uses_interface;     // terminals or tunable properties
    bool has_errors;         // some were reported in it or in what it calls
    bool exported;           // hosts may call it: see docs/embedding.md
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

typedef struct TirInterface {
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
    bool is_optional;
    bool is_present; // not optional, or connected by --with
    bool has_feedthrough;
    bool is_direct;  // an output that output_fnc always gives all of its value and nothing else
                     // touches: it is written to the host's memory. Others live in the state.
    uint64_t offset; // in the struct of its kind (inputs, outputs, params); set by planning
} TirInterface;

// What elementary functions of tensors are (L5.6): a choice of code generation, by which the
// reference evaluator goes to have its bits.
typedef enum TirMath {
    TIR_MATH_LIBRARY, // the C library's, as those of scalars
    TIR_MATH_OWN,     // of tir/math
    TIR_MATH_FUSED    // the same with a multiply-add that rounds once
} TirMath;

typedef struct TirProgram {
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
    // Callees before callers. For programs and scripts the last one is `entry`, which initialises
    // the globals and runs everything.
    LIST_OF(TirFunction *) functions;
    TirFunction *entry;  // NULL for libraries
    TirFunction *init;   // libraries and components: gives the globals their values, then runs
                         // init_fnc; else NULL
    TirFunction *output; // output_fnc and update_fnc of a component; NULL when it has none
    TirFunction *update;
    uint64_t state_bytes;                               // of globals in the state; set by planning
    uint64_t inputs_bytes, outputs_bytes, params_bytes; // of a component's structs; the same
    uint64_t scratch_bytes; // of all frames, shared by functions never active together
} TirProgram;

#endif

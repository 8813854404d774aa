// The nodes of TIR: variables, expressions and statements. tir/tir.h says what they are for, and
// has what holds them.
#ifndef TMLC_TIR_NODE_H
#define TMLC_TIR_NODE_H

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
    STORAGE_PART,     // a copy of a part of an array, which is read where that part lies
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

typedef struct TirInstance TirInstance;
typedef struct TirInterface TirInterface;
typedef struct TirIo TirIo;

typedef struct TirVar {
    uint32_t id; // position in its function's vars (global ones: in the program's)
    TirVarRole role;
    Name name; // NULL for temporaries
    const Type *type;
    Span span; // declaration
    TirStorage storage;
    const char *debug; // a debug signal (L10.11): its text, or ""; else NULL
    bool is_turned;    // a loop over few channels turns it and turns it back (tir/bank.h)
    bool has_parts;    // some statement reads or writes a part of one of its rows (tir/parts.h)
    bool has_elements; // some statement reads or writes single elements of it, each by its place
    bool has_wholes;   // something but such, and operations element by element, has to do with it
    bool has_rows;     // or some statement that is not element by element throughout
    uint64_t offset;
    struct TirVar *part_of;        // of STORAGE_PART: the array
    const struct Interval *within; // of a parameter: what it is given; NULL: anything
    // Of an instance (NULL: its own): there it is `inner`, a global of the component, or, where
    // that is NULL, what others see of the output `published` until it is published again.
    const TirInstance *instance;
    struct TirVar *inner;
    const TirInterface *published;
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
    // It needs none, nor does what it is computed from, where conditions around would keep it from
    // being computed either.
    bool is_free;
    bool never_wraps; // no part of it does (unchecked ones only)
    Span span;        // of the index in the source
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
            bool is_natural; // OP_DIV, OP_REM of integers: neither operand is below 0
            TirExpr *args[3];
        } map;
        struct {
            TirExpr *operand; // EXPR_CONVERT, EXPR_RESHAPE, EXPR_CUMSUM
            bool is_small;    // EXPR_CONVERT of a real: it is an int, or nan, but for its fraction
        };
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
            const TirExpr *whole; // it is one element of this product, and its terms are grouped
                                  // as there; NULL: it is a whole one
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

// What an input or output accesses in place of a port: the elements of a variable of hardware from
// `position` (an int scalar) on, each `step` behind the one before, in order.
typedef struct TirHardware {
    const TirIo *io; // NULL: a port
    TirExpr *position;
    int64_t step;
} TirHardware;

// What a call asks of its function instead of the result: how it changes with parameters.
typedef enum TirDerivativeKind {
    DERIVATIVE_JACOBIAN, // each element of it with each of one parameter
    DERIVATIVE_GRADIENT, // a scalar one with each element of each of several parameters
    DERIVATIVE_ALONG,    // all of it along a direction of one parameter
} TirDerivativeKind;

typedef struct TirDerivative {
    TirDerivativeKind kind;
    const uint32_t *by; // positions of these parameters
    size_t by_count;
    TirExpr *along; // the direction; NULL but for DERIVATIVE_ALONG
} TirDerivative;

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
            // NULL: an ordinary call. Else the function is pure and has one result, of reals, and
            // the results of the call are its derivatives: the flat dims of a Jacobian are those of
            // the result, then those of the parameter. pass_derive makes ordinary calls of them.
            TirDerivative *derivative;
        } call;
        struct {
            TirExpr *condition;
            TirBlock then, otherwise;
            bool is_debug; // a call of `debug`, while it is checked (L10.11)
            // Asks whether the first branch may gather in lanes; the second one does the same.
            bool asks_lanes;
        } branch;
        // Bounds are int scalars, evaluated once. A step of zero traps E1003 at step_span. The
        // loop variable may wrap past the ends of int without looping forever.
        struct {
            TirVar *var;
            TirExpr *first, *last, *step;
            Span step_span;
            bool has_lanes; // its turns may run side by side (tir/lanes_loop.h)
            uint8_t most;   // then: it has no more turns than these; 0: nobody knows
            bool in_order;  // what goes on from turn to turn does so in their order
            bool of_tables; // that gains where small tables are held in registers only
            bool of_rows;   // that gains where a vector has several reals only
            bool is_brief;  // it has few turns
            bool is_rare;   // others are meant to run instead, or run longer
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
            TirHardware at;
        } input;
        struct {
            Slice name;
            TirExpr *value;
            TirHardware at;
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

#endif

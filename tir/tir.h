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
#include "tir/var.h"
#include "types/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

typedef struct TirBlock {
    TirStmt **items;
    size_t count;
    size_t capacity;
} TirBlock;

typedef enum TirStmtKind {
    STMT_SET,  // place = value; flat dims and root agree. Else only calls and inputs write arrays.
    STMT_NEST, // several sets over one index space, element by element (see below)
    STMT_CALL, // function(args...) into the variable `result` (NULL when there is none)
    STMT_IF,
    STMT_FOR,   // var from first while before last (step > 0) or after last (step < 0)
    STMT_WHILE, // runs `before`, then tests `condition`, then runs `body`, and again
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_RETURN, // the result variable has its value already
    STMT_PRINT,  // values and texts, separated by one space, and a newline
    STMT_INPUT,  // reads a value into the variable `var`; name is "" for standard input
    STMT_OUTPUT,
    STMT_ASSERT, // traps E1004
} TirStmtKind;

typedef struct TirPrintItem {
    TirExpr *value; // NULL: text
    Slice text;
} TirPrintItem;

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
        } set;
        // `set`s whose places have the same flat dims. For each position of these, in any order,
        // all of them run for that element, one after the other; at no position does one read or
        // write a scalar that another one writes elsewhere (tir_nest_takes), so it is the same as
        // running each of them whole. What lives in one element only is never in memory
        // (STORAGE_ELEMENT).
        TirBlock nest;
        struct {
            TirFunction *function;
            TirExpr **args;
            size_t arg_count;
            TirVar *result;
        } call;
        struct {
            TirExpr *condition;
            TirBlock then, otherwise;
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
        struct {
            TirExpr *condition;
            Slice text;
        } assertion;
    };
};

struct TirFunction {
    uint32_t id;
    Name name;          // in the source
    const char *symbol; // unique; instances carry their sizes and the guards they need
    Span span;
    TirVar **params;
    size_t param_count;
    TirVar *result; // NULL when there is none
    struct {
        TirVar **items;
        size_t count, capacity;
    } vars; // params, result, locals, temps, loops
    TirBlock body;
    // These include what called functions do.
    bool reads_globals; // file-level variables and terminals
    bool writes_globals;
    bool has_effects;        // print, input, output, assert
    bool has_io;             // the first three of these
    bool uses_interface;     // terminals or tunable properties
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
    TirExpr
        *value; // tunables (their default) and constants: a EXPR_CONST; NULL: a text or terminal
    Slice text; // of a constant of type str
    bool is_optional;
    bool is_present; // not optional, or connected by --with
    bool has_feedthrough;
    bool is_direct;  // an output that output_fnc always gives all of its value and nothing else
                     // touches: it is written to the host's memory. Others live in the state.
    uint64_t offset; // in the struct of its kind (inputs, outputs, params); set by planning
} TirInterface;

typedef struct TirProgram {
    TirProgramKind kind;
    bool single; // reals are IEEE single
    const char *path;
    TypeTable *types; // of all types in it; set by checking
    // What lives longer than a call: file-level variables, and terminals that are present and
    // tunable properties of a component.
    struct {
        TirVar **items;
        size_t count, capacity;
    } globals;
    struct {
        TirInterface **items;
        size_t count, capacity;
    } interface;
    // Callees before callers. For programs and scripts the last one is `entry`, which initialises
    // the globals and runs everything.
    struct {
        TirFunction **items;
        size_t count, capacity;
    } functions;
    TirFunction *entry;  // NULL for libraries
    TirFunction *init;   // libraries and components: gives the globals their values, then runs
                         // init_fnc; else NULL
    TirFunction *output; // output_fnc and update_fnc of a component; NULL when it has none
    TirFunction *update;
    uint64_t state_bytes;                               // of globals in the state; set by planning
    uint64_t inputs_bytes, outputs_bytes, params_bytes; // of a component's structs; the same
    uint64_t scratch_bytes; // of all frames, shared by functions never active together
} TirProgram;

// What builders, passes and their tests need.
typedef struct Tir {
    Arena *arena;
    TypeTable *types;
    NameTable *names;
    bool single;
    uint32_t global_count; // ids given to globals so far
} Tir;

// Adds the variable to `function`. A global has none (NULL): the caller adds it to its program.
TirVar *tir_var_create(Tir *tir, TirFunction *function, TirVarRole role, Name name,
                       const Type *type, Span span);

// A node without content, for those who build what the builders below do not.
TirExpr *tir_new_expr(Arena *arena, TirExprKind kind, const Type *type, Span span);

// Expression builders. Each checks its operands with BUG and sets is_constant where all operands
// are constant (never for EXPR_VAR). `data` and item arrays are kept, not copied.
TirExpr *tir_const(Tir *tir, const Type *type, const TirScalar *data, Span span);
TirExpr *tir_const_bool(Tir *tir, bool value, Span span);
TirExpr *tir_const_uint(Tir *tir, uint32_t value, Span span);
TirExpr *tir_const_int(Tir *tir, int32_t value, Span span);
TirExpr *tir_const_real(Tir *tir, double value, Span span); // rounds when reals are single
TirExpr *tir_read(Tir *tir, TirVar *var, Span span);
TirExpr *tir_map(Tir *tir, TirOp op, const Type *type, TirExpr *a, TirExpr *b, TirExpr *c,
                 Span span);
// To the operand's shape with another root; the operand itself when it has that root.
TirExpr *tir_convert(Tir *tir, Root root, TirExpr *operand, Span span);
// `axes` (one per flat dim of operand) is copied. Views of views are composed into one where the
// inner one has no `index` on a dim that the outer one moves along.
TirExpr *tir_view(Tir *tir, const Type *type, TirExpr *operand, const TirAxis *axes, Span span);
// The operand itself when the type is the same.
TirExpr *tir_reshape(Tir *tir, const Type *type, TirExpr *operand, Span span);
TirExpr *tir_literal(Tir *tir, const Type *type, TirExpr **items, size_t count, Span span);
TirExpr *tir_concat(Tir *tir, const Type *type, TirExpr **items, size_t count, uint32_t axis,
                    Span span);
TirExpr *tir_reduce(Tir *tir, TirReduction op, const Type *type, TirExpr *operand, uint32_t axis,
                    uint32_t axis_count, Span span);
TirExpr *tir_cumsum(Tir *tir, TirExpr *operand, Span span);
TirExpr *tir_dot(Tir *tir, const Type *type, TirExpr *left, TirExpr *right, Span span);
TirExpr *tir_iota(Tir *tir, const Type *type, Span span);

TirStmt *tir_stmt(Tir *tir, TirBlock *block, TirStmtKind kind, Span span); // appended to block
TirStmt *tir_set(Tir *tir, TirBlock *block, TirExpr *place, TirExpr *value, Span span);

// Whether it lives longer than a call: in the program's globals, without a function.
bool tir_var_is_global(const TirVar *var);
// What stands before its name in the source: "t.", "p.", or nothing.
const char *tir_var_space(const TirVar *var);
// What lies below views and reshapes.
const TirExpr *tir_bottom(const TirExpr *expr);
// The variable at the bottom of a place.
TirVar *tir_place_var(const TirExpr *place);
// `and` or `or` of scalars: the right side is evaluated only where the left does not decide.
bool tir_is_short_circuit(const TirExpr *expr);
// The C library has it as a function whose result is not always exactly rounded.
bool tir_op_is_function(TirOp op);
// Evaluating it may trap: an index that is checked, or an integer division or remainder whose
// divisor is not a nonzero constant.
bool tir_may_trap(const TirExpr *expr);
// The same of this one node, without its operands.
bool tir_node_may_trap(const TirExpr *expr);
// Calls visit on each direct operand in order of evaluation; a view's indices come before what it
// views.
typedef void TirVisitor(TirExpr **operand, void *data);
void tir_visit_operands(TirExpr *expr, TirVisitor *visit, void *data);
// Calls visit on each expression of the statement itself (places included), not of nested blocks.
void tir_visit_exprs(TirStmt *stmt, TirVisitor *visit, void *data);
// The same for those that change nothing.
typedef void TirReader(const TirExpr *operand, void *data);
void tir_read_operands(const TirExpr *expr, TirReader *read, void *data);
void tir_read_exprs(const TirStmt *stmt, TirReader *read, void *data);
// A copy of the node whose operands may be replaced; they themselves are not copied.
TirExpr *tir_copy_node(Tir *tir, const TirExpr *expr);
// The nested blocks of a statement, 0 to 2 of them; the sets of a nest are one.
size_t tir_stmt_blocks(TirStmt *stmt, TirBlock *blocks[2]);

#endif

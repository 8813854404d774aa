// The syntax tree, as the source says it: immutable after parsing, without types. Kinds are listed
// in parser/ast.def; `parser/ast_print.h` prints it.
#ifndef TMLC_PARSER_AST_H
#define TMLC_PARSER_AST_H

#include "support/arena.h"
#include "support/intern.h"
#include "support/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AstExpr AstExpr;
typedef struct AstStmt AstStmt;
typedef struct AstType AstType;

// The AST may be at most this deep (expressions and blocks together); beyond is E0901. Later
// phases recurse over it without further checks. A chain, which has a limit of its own, is one
// level: what walks a tree goes along chains in a loop.
enum { AST_DEPTH_LIMIT = 1000, AST_CHAIN_LIMIT = 150000 };

typedef enum AstExprKind {
#define AST_EXPR(KIND, name, member) AST_##KIND,
#include "parser/ast.def"
} AstExprKind;

typedef enum AstStmtKind {
#define AST_STMT(KIND, name, member) AST_##KIND,
#include "parser/ast.def"
} AstStmtKind;

typedef enum AstUnaryOp {
#define AST_UNARY_OP(NAME, text) AST_UNARY_##NAME,
#include "parser/ast.def"
} AstUnaryOp;

typedef enum AstBinaryOp {
#define AST_BINARY_OP(NAME, text) AST_BINARY_##NAME,
#include "parser/ast.def"
} AstBinaryOp;

// The source text of an operator: "+", ".*", "and".
const char *ast_unary_text(AstUnaryOp op);
const char *ast_binary_text(AstBinaryOp op);
bool ast_is_binary_text(const char *text);

// A variable, a terminal, or an element or slice of one, as far as the syntax tells.
bool ast_is_place(const AstExpr *expr);

// Chains are `a + b - c * d` (AST_BINARY, on the left) and `a[0][1, 2][3]` (AST_INDEX, the object).
// Whether the left or the object of a node of `kind` is a node of that kind, without parentheses.
bool ast_goes_on(const AstExpr *below, AstExprKind kind);
// The left or the object of such a node.
AstExpr *ast_chain_next(const AstExpr *expr);
// The expr->chain nodes of the chain that begins with `expr`, from outside in (malloc'd, caller
// frees).
const AstExpr **ast_chain_nodes(const AstExpr *expr);

typedef struct AstExprs {
    AstExpr **items;
    uint32_t count;
    uint32_t capacity;
} AstExprs;

typedef LIST_OF(AstStmt *) AstBlock;

// `name` or, inside macros, `name{i, j}`.
typedef struct AstName {
    Name name;
    Span span;
    AstExprs macro_indices;
} AstName;

// Whether a name is a stem with indices of macros, as `gain_3` is `gain` with one (L10.7).
bool ast_is_indexed(Name name, Name stem);
// Whether a name as it is written may be that one: `gain{i}` may be `gain_3`.
bool ast_name_may_be(const AstName *written, Name name);
// The same of two as they are written.
bool ast_names_may_meet(const AstName *a, const AstName *b);

typedef enum AstTypeKind {
    AST_TYPE_SCALAR, // bool uint int real str char
    AST_TYPE_TENSOR, // tensor<base, dims...>
    AST_TYPE_OF,     // expr.type; expr may end in empty brackets: x[].type
    AST_TYPE_ERROR,
} AstTypeKind;

typedef enum AstScalar {
    AST_SCALAR_BOOL,
    AST_SCALAR_UINT,
    AST_SCALAR_INT,
    AST_SCALAR_REAL,
    AST_SCALAR_STR,
    AST_SCALAR_CHAR,
} AstScalar;

struct AstType {
    AstTypeKind kind;
    uint16_t depth; // of the tree below, at least 1
    Span span;
    union {
        AstScalar scalar;
        struct {
            AstType *base;
            AstExprs dims;
        } tensor;
        AstExpr *of;
    };
};

// Nodes are as large as their kind needs (ast_new_expr): a node is never copied as a whole, and its
// kind does not change.
struct AstExpr {
    AstExprKind kind;
    uint16_t depth; // of the tree below, at least 1
    bool parenthesized;
    uint32_t chain; // nodes in the chain that begins here; 0 for kinds without chains
    Span span;      // without enclosing parentheses' own span unless parenthesized
    union {
        // A literal's magnitude. 2147483648 may only stand directly under unary minus; larger int
        // literals are reported by the lexer (E0104).
        struct {
            uint32_t value;
            bool is_unsigned;
        } integer;
        struct {
            double value;
            float single; // the same rounded once, for --real=f32
        } real;
        bool boolean;
        Slice string; // escapes resolved; bytes, not zero-terminated
        AstName name;
        struct {
            AstExpr *object;
            AstName name;
        } attr; // object.name
        // object[a, b:c, ...]; no index at all only below `.type` (L2.5)
        struct {
            AstExpr *object;
            AstExprs indices;
        } index;
        // name(args) or name!(args). An argument may be an AST_TYPE_ARG (`input(real)`) or an
        // AST_NAMED_ARG (`gain = 2.0`).
        struct {
            AstExpr *callee;
            bool bang;
            AstExprs args;
        } call;
        struct {
            AstType *type;
            AstExpr *arg;
        } cast; // int(e), x.type(e)
        struct {
            AstUnaryOp op;
            Span op_span;
            AstExpr *operand;
        } unary;
        struct {
            AstBinaryOp op;
            Span op_span;
            AstExpr *left, *right;
        } binary; // elvis too
        struct {
            AstExpr *operand;
            Span op_span;
        } transpose;
        // [a, b; c, d | ...]: elements in order, and the layout. Rows of page p are
        // row_lengths[first_row(p) .. + page_rows[p]).
        struct {
            AstExprs elements;
            uint32_t *row_lengths; // elements in each row
            uint32_t row_count;
            uint32_t *page_rows; // rows in each page
            uint32_t page_count;
            uint8_t rank; // 1, 2 or 3: the highest separator used, trailing ones included
        } tensor;
        struct {
            AstExpr *first, *last, *step;
        } range;           // each may be NULL
        AstExpr *optional; // x?
        AstType *type;     // a type as an argument
        struct {
            AstName name;
            AstExpr *value;
        } named;      // an argument by name
        bool nothing; // of kinds that say it all
    };
};

typedef enum AstModifier {
    AST_MODIFIER_IN = 1,
    AST_MODIFIER_OUT = 2,
    AST_MODIFIER_OPTIONAL = 4,
    AST_MODIFIER_TUNABLE = 8,
    AST_MODIFIER_FEEDTHROUGH = 16,
    AST_MODIFIER_NOT_FEEDTHROUGH = 32,
} AstModifier;

typedef struct AstArm {
    AstExpr *condition;
    Span span; // the keyword: if, elseif
    AstBlock body;
} AstArm;

typedef struct AstParam {
    AstType *type;
    AstName name;
    AstExpr *value; // its default, or NULL
    bool is_var;    // copied back to the argument
} AstParam;

// What an instance has for a property or constant: `p.kp = 2.0`.
typedef struct AstSetting {
    AstName space, name;
    AstExpr *value;
} AstSetting;

// As large as its kind needs, too.
struct AstStmt {
    AstStmtKind kind;
    Span span; // blocks: the header only
    union {
        // target = value, or target op= value; `optional` is `x? = e`. Also target <- value.
        struct {
            AstExpr *target;
            AstExpr *value;
            Span op_span;
            AstBinaryOp op; // of op=
            bool compound;
            bool optional;
        } assign;
        // target, target = value: each result of a call to one (L9.5)
        struct {
            AstExprs targets; // at least two
            AstExpr *value;
            Span op_span;
        } assign_all;
        // type name = value; `optional` is `t.x?.type name? = e`, told by both marks.
        struct {
            AstType *type;
            AstName name;
            AstExpr *value;
            bool type_optional, name_optional;
        } decl;
        // An interface declaration (L10.1): modifiers type space.name [= value].
        struct {
            unsigned modifiers;
            AstType *type;
            AstName space;
            AstName name;
            AstExpr *value; // NULL for terminals
        } terminal;
        // A variable of hardware (L16): in<type, arguments> name.
        struct {
            bool is_output;
            AstType *type;
            AstExprs arguments; // the address, and words behind it
            AstName name;
        } io;
        // if / elseif / else, and `macro if`.
        struct {
            AstArm *arms;
            size_t arm_count;
            AstBlock otherwise;
            bool has_otherwise;
        } branch;
        struct {
            AstExpr *condition;
            AstBlock body;
        } loop; // while
        struct {
            AstName name;
            AstExpr *range;
            AstBlock body;
        } for_loop; // and `macro for`
        // return; may be empty. Of an error, names that it would have declared.
        AstExprs values;
        AstExpr *call;
        // exists / feedthrough, with the names (attributes like t.a) it guards.
        struct {
            bool feedthrough;
            bool negated;
            AstExprs names;
            AstBlock body;
            AstBlock otherwise;
            bool has_otherwise;
        } guard;
        struct {
            Slice path;
            Span path_span;
        } import;
        // instance name[count] = "path"(settings) every N offset K (L15.1, L15.6)
        struct {
            AstName name;
            AstExpr *count; // NULL: one instance, no array
            Slice path;
            Span path_span;
            AstSetting *settings;
            size_t setting_count;
            AstExpr *every, *offset; // NULL where absent
        } instance;
        struct {
            AstExpr *target, *value;
        } connect; // connect target = value (L15.4)
        // A test (L19.1) has neither parameters nor results; its name is its text.
        struct {
            AstName name;
            AstName error; // of a test: the code of the error that it has to have, or NULL
            AstParam *params;
            size_t param_count;
            AstType **results;
            size_t result_count;
            AstBlock body;
            Span end_span; // its `end`
        } function;
        bool nothing; // of kinds that say it all
    };
};

// A node of `kind` without content. Kinds that use the same member of the union may take each
// other's place.
AstExpr *ast_new_expr(Arena *arena, AstExprKind kind, Span span);
AstStmt *ast_new_stmt(Arena *arena, AstStmtKind kind, Span span);
// `macro for` or `macro if`.
bool ast_is_macro(const AstStmt *stmt);

typedef struct AstFile {
    SourceFile *source;
    AstBlock statements;
} AstFile;

#endif

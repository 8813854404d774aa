// What the files of the checker share. The checker walks the syntax tree
// once and emits TIR as it goes; docs/architecture.md tells the story.
#ifndef TMLC_SEMA_CHECKER_H
#define TMLC_SEMA_CHECKER_H

#include "parser/ast.h"
#include "sema/check.h"
#include "sema/file_kind.h"
#include "sema/scope.h"
#include "support/context.h"
#include "support/name_map.h"
#include "tir/tir.h"
#include "types/shape.h"

typedef struct MacroBinding MacroBinding;

enum { INTERFACE_SPACES = 3 }; // t, p, n

// One source file of the program.
typedef struct Unit {
    AstFile *file;
    FileKind kind;
    uint32_t index;                     // 0 is the main file
    Scope *scope;                       // functions and file-level variables
    Scope *imported;                    // those of imported files; the parent of `scope`
    Scope *interface[INTERFACE_SPACES]; // of a component
    struct {
        FunctionDecl **items;
        size_t count, capacity;
    } functions;
    struct {
        struct Unit **items;
        size_t count, capacity;
    } imports;
    NameSet *file_level;     // every name that file level assigns or declares
    NameSet *function_names; // every name that occurs in the body of a function
    bool trusted;            // the built-in library: its indices need no checks
    bool import_failed;      // names that are not known may be those of an import
    bool loading;            // its imports are being read: another import of it is a cycle
    Span import_span;        // the import that brought it
} Unit;

// A terminal that is present where the checker stands, because of a guard around (L10.5).
typedef struct GuardFact {
    const TirInterface *terminal;
    const struct GuardFact *outer;
} GuardFact;

// What a function needed to know of the guards around its call.
typedef struct GuardQuestion {
    const TirInterface *terminal;
    bool is_guarded;
} GuardQuestion;

typedef struct TerminalSet {
    const TirInterface **items;
    size_t count, capacity;
} TerminalSet;

// One set of sizes of a function, and of guards where it depends on them; other functions have one
// instance.
typedef struct Instance {
    FunctionDecl *decl;
    uint32_t *sizes; // decl->sizes.count of them
    TirFunction *tir;
    Scope *scope;            // holds the sizes
    bool has_while;          // it or a function that it calls
    struct Instance *caller; // the instance whose call made this one
    Span call_span;
    const GuardFact *guards; // around the call that made it
    struct {
        GuardQuestion *items;
        size_t count, capacity;
    } asked;          // calls under guards with the same answers share the instance
    TerminalSet used; // the terminals that it and what it calls name
} Instance;

struct FunctionDecl {
    AstStmt *ast;
    Name name;            // with macro indices resolved
    MacroBinding *macros; // those around its declaration
    Unit *unit;
    bool is_entry;         // main_fnc, init_fnc, output_fnc, update_fnc
    bool signature_failed; // its types have errors: calls stay silent
    bool is_being_checked; // an instance of it is: a call is recursion
    struct {
        AstName *items;
        size_t count, capacity;
    } sizes; // size parameters, in order
    struct {
        Instance **items;
        size_t count, capacity;
    } instances;
};

// Where the checker stands; saved and replaced while another function is checked.
typedef struct CheckPosition {
    Unit *unit;
    Instance *instance; // NULL at file level
    TirFunction *function;
    Scope *scope;
    TirBlock *block; // takes the statements that are emitted
    unsigned loop_depth;
    bool saw_break;               // of the innermost loop
    TirVar *broken;               // the innermost loop is unrolled: the flag that `break` sets
    MacroBinding *macros;         // variables of the macros around, the innermost first
    bool in_index;                // side effects are E0604
    bool at_file_level;           // directly in the file, outside every block
    bool left_is_place;           // of the operator that is applied: it is that of an `op=`
    bool pure;                    // in the initialiser of a declaration that must be pure (E0702)
    bool is_pruned;               // constants keep this code from running: it cannot trap
    bool unevaluated;             // only a type or constant value is asked for
    const GuardFact *guards;      // those around, the innermost first
    TerminalSet *used;            // takes the terminals that are named; or NULL
    const AstExpr *optional_read; // the name that is read though it may be absent
    // What blocks declared that have ended: messages tell it from what was never there.
    struct {
        const Symbol **items;
        size_t count, capacity;
    } ended;
    // Operands already built whose statement is not finished: what a call could change is spilled.
    struct {
        TirExpr ***items;
        size_t count, capacity;
    } held;
} CheckPosition;

typedef struct Checker {
    Context *context;
    Arena *arena;
    Tir tir;
    TirProgram *program;
    const CheckOptions *options;
    struct {
        Unit **items;
        size_t count, capacity;
    } units;
    NameMap units_by_file; // by the name that CheckOptions.identify gives
    NameMap file_names;    // of paths in normal form
    struct {
        Slice *items;
        size_t count, capacity;
    } strings;     // values of ROOT_STR constants
    Unit *prelude; // functions written in TML; NULL until one is used
    TirExpr *poison;
    unsigned repeats; // copies of bodies of `macro for` and unrolled loops so far
    bool too_deep;    // E0901 was reported
    CheckPosition at;
} Checker;

// --- unit.c ---

// A file of the program; `import_span` is the import that brought it.
Unit *unit_create(Checker *checker, AstFile *file, Span import_span);
// Imports first, then functions by name, then file-level statements in order, then functions that
// nothing called, unless it is the main file.
void unit_check(Checker *checker, Unit *unit);
void unit_check_main(Checker *checker, Unit *unit);
void unit_check_uncalled(Checker *checker, Unit *unit);

// --- message.c ---

// An error at `span`, with a note that names the call when a sized instance is being checked.
Diag *check_error(Checker *checker, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Diag *check_warning(Checker *checker, Warning warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Nesting that the syntax tree does not bound by itself: arms of an `if`, calls of functions that
// are checked on the way. False, after one E0901, when it is too deep to go on.
bool check_has_room(Checker *checker, Span span);
const char *check_type_text(Checker *checker, const Type *type);
// How messages call an expression: its source text when short, else `fallback`.
const char *check_expr_text(Checker *checker, Span span, const char *fallback);
TirExpr *check_poison(Checker *checker);

// --- type.c -------------------------------------------------------------------------------------

// The type that is written, or poison after an error.
const Type *check_type(Checker *checker, const AstType *type);
// A dim or size: a constant int or uint >= 1. False after an error.
bool check_length(Checker *checker, const AstExpr *expr, uint32_t *length);
// tensor<base, dims>, or poison after E0902.
const Type *check_tensor_type(Checker *checker, const Type *base, size_t rank, const uint32_t *dims,
                              Span span);

// --- expr.c -------------------------------------------------------------------------------------

// Any expression, strings too. Never NULL; has poison type after an error.
TirExpr *check_expr(Checker *checker, const AstExpr *expr);
// An expression that has a value at run time: not a string, not a call without result.
TirExpr *check_value(Checker *checker, const AstExpr *expr);
// Reports an expression that has no value at run time (E0407, E0712), and is then poison.
TirExpr *check_has_value(Checker *checker, TirExpr *expr);
// An expression whose statements go to `statements`, to run under a condition or never: operands
// held outside are left alone.
TirExpr *check_apart(Checker *checker, const AstExpr *ast, TirBlock *statements);
// Emits statements that were kept apart.
void check_emit_apart(Checker *checker, const TirBlock *statements);
// An expression that is not evaluated: only its type, or its constant value, matters.
TirExpr *check_unevaluated(Checker *checker, const AstExpr *expr);
// Folds constants; every builder's result passes through it.
TirExpr *check_built(Checker *checker, TirExpr *expr);
// Keeps *slot safe while later operands are checked; release in reverse order.
void check_hold(Checker *checker, TirExpr **slot);
void check_release(Checker *checker);
// Before a statement with effects: held operands that it could change or overtake are computed now.
void check_spill_held(Checker *checker);
// Computes `expr` into a temporary now and reads that.
TirExpr *check_into_temporary(Checker *checker, TirExpr *expr);
TirExpr *check_string(Checker *checker, Slice text, Span span);
TirExpr *check_character(Checker *checker, char character, Span span);
Slice check_string_value(Checker *checker, const TirExpr *expr);
// The symbol of a name; NULL after an error (unknown, or without a value yet).
Symbol *check_lookup(Checker *checker, const AstName *name);
TirExpr *check_read(Checker *checker, TirVar *var, Span span);
// A help or note for an unknown name: what is spelt like it, or what TML has in its place.
void check_suggest(Checker *checker, Diag *diag, const AstName *name, bool is_call);
// Tells who asked for it (CheckOptions.uses) that the source names a variable here.
void check_note_use(Checker *checker, const TirVar *var, Span span);

// --- operator.c ---------------------------------------------------------------------------------

TirExpr *check_unary(Checker *checker, const AstExpr *expr);
TirExpr *check_transpose(Checker *checker, const AstExpr *expr);
// The operator on operands already checked, for `op=` (which adapts constants, L2.7).
TirExpr *check_apply(Checker *checker, AstBinaryOp op, Span span, Span op_span, TirExpr *left,
                     TirExpr *right, bool compound);
// The type `left op right` has, as shape_broadcast or shape_same says; reports E0501 or E0502.
// NULL after an error.
const Type *check_operands(Checker *checker, bool strict, const char *op, Span op_span,
                           const TirExpr *left, const TirExpr *right);

// --- convert.c ----------------------------------------------------------------------------------

// To the shape of `type`, which the shape algebra has accepted, with the value's own root.
TirExpr *check_spread(Checker *checker, TirExpr *value, const Type *type);
// Both: root and shape of `type`.
TirExpr *check_fit(Checker *checker, TirExpr *value, const Type *type);
// An int constant without negative values as uint (L2.7); others as they are.
TirExpr *check_adapt(Checker *checker, TirExpr *value);
// L6.1: the value as `target`, or poison after E0401 or E0510. `what` names the target in messages:
// "`x`", "argument 2 of `f`"; `origin` is where it got its type, or nowhere.
TirExpr *check_assignable(Checker *checker, const Type *target, TirExpr *value, const char *what,
                          Span origin);
// L2.9.
TirExpr *check_cast(Checker *checker, const Type *type, TirExpr *value, Span span);

// --- macro.c ------------------------------------------------------------------------------------

// The value of a variable of the macros around, or NULL.
TirExpr *check_macro_variable(const Checker *checker, Name name);
// The name that `name{i, j}` stands for; NULL after E0740.
Name check_macro_name(Checker *checker, const AstName *name);
// Whether the names in the indices of a name are those of constants, so that it can be asked for.
bool check_knows_name(Checker *checker, const AstName *name);
// E0715 for an assignment to the variable of a macro, E0302 for a declaration of its name, which it
// would hide; false after that.
bool check_is_no_macro_variable(Checker *checker, Name name, Span span, DiagCode code);
// Whether a statement is a macro with bounds or conditions, its own or of macros in it, that name
// more than the variables of macros: they have no value before the file is checked up to there.
bool check_macro_waits(const Checker *checker, const AstStmt *stmt);
// Counts a copy of a body; false, after E0902, when there are too many.
bool check_count_repeat(Checker *checker, Span span);
// Give the bodies that remain to `body`, which says whether control can reach their end.
typedef bool MacroBody(Checker *checker, const AstBlock *block, void *data);
bool check_macro_for(Checker *checker, const AstStmt *stmt, MacroBody *body, void *data);
bool check_macro_if(Checker *checker, const AstStmt *stmt, MacroBody *body, void *data);

// --- interface.c --------------------------------------------------------------------------------

// `t`, `p` or `n`.
bool check_is_space_name(Name name);
// E0305 for the name of a namespace at the file level of a component.
void check_file_level_name(Checker *checker, const Unit *unit, Name name, Span span);
// Whether an expression is a name in a namespace here: `t.u`.
bool check_is_interface(const Checker *checker, const AstExpr *expr);
// What it names; NULL after an error.
TirInterface *check_find_interface(Checker *checker, const AstExpr *expr);
// The optional terminal without which a name, a variable's too, is absent; NULL: there is none.
const TirInterface *check_find_optional(Checker *checker, const AstExpr *expr);
// How messages call it: `t.u`.
const char *check_interface_text(Checker *checker, const TirInterface *item);
TirExpr *check_interface_read(Checker *checker, const AstExpr *expr);
// The output that is written; NULL after an error.
TirVar *check_interface_place(Checker *checker, const AstExpr *expr);
void check_interface_declaration(Checker *checker, const AstStmt *stmt);
// Reports what -D and --with name that the component does not have (E0304).
void check_options_used(Checker *checker);

// Whether an expression names a property of type str, and its length.
bool check_names_text(Checker *checker, const AstExpr *expr, size_t *length);

// --- unroll.c -----------------------------------------------------------------------------------

// Whether the variable of a `for` indexes a string in its body.
bool check_indexes_text(Checker *checker, const AstStmt *loop);
// Checks the body once for each value of the variable, which is a constant in it.
void check_unrolled_for(Checker *checker, const AstStmt *stmt, const int64_t bounds[3]);

// --- index.c ------------------------------------------------------------------------------------

TirExpr *check_index(Checker *checker, const AstExpr *expr);
// A chain of brackets on a variable as a place that can be written. NULL after an error.
TirExpr *check_place(Checker *checker, const AstExpr *expr);
TirExpr *check_attribute(Checker *checker, const AstExpr *expr);

// --- literal.c ----------------------------------------------------------------------------------

TirExpr *check_tensor_literal(Checker *checker, const AstExpr *expr);

// --- call.c -------------------------------------------------------------------------------------

// A call of a function of the program or of a built-in. Its type is void when it has no result.
TirExpr *check_call(Checker *checker, const AstExpr *expr);
// Adds a function to its unit's scope; NULL after E0302.
FunctionDecl *check_declare_function(Checker *checker, Unit *unit, AstStmt *ast);
// Calls `decl` with arguments already checked.
TirExpr *check_call_function(Checker *checker, FunctionDecl *decl, Span span, TirExpr **args,
                             size_t count);
// Checks a function that nothing has called, and returns it; those with size parameters wait for a
// call (NULL).
TirFunction *check_uncalled(Checker *checker, FunctionDecl *decl);
// Emits the statement of a call.
void check_emit_call(Checker *checker, TirFunction *function, TirExpr **args, size_t count,
                     TirVar *result, Span span);

// --- stmt.c -------------------------------------------------------------------------------------

// Checks the statements of a block in a scope of its own. True when control can reach its end.
bool check_block(Checker *checker, const AstBlock *block, TirBlock *into);
// The same in the current scope and block.
bool check_statements(Checker *checker, const AstBlock *block);
bool check_statement(Checker *checker, const AstStmt *stmt);

// --- variable.c ---------------------------------------------------------------------------------

void check_declaration(Checker *checker, const AstStmt *stmt);
void check_assignment(Checker *checker, const AstStmt *stmt);
// Appends `var = value`.
void check_set_var(Checker *checker, TirVar *var, TirExpr *value, Span span);
// Declares a variable; E0302 when the scope has the name. NULL after an error.
TirVar *check_declare(Checker *checker, const AstName *name, const Type *type, TirVarRole role);
// Warns of what a scope that ends declared and never used.
void check_unused(Checker *checker, const Scope *scope);

#endif

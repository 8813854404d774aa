// Expressions, the names and literals in them, and the types that they are written with.
#ifndef TMLC_SEMA_EXPR_H
#define TMLC_SEMA_EXPR_H

#include "sema/checker.h"

// Any expression, strings too. Never NULL; has poison type after an error.
TirExpr *check_expr(Checker *checker, const AstExpr *expr);
// An expression that has a value at run time: not a string, not a call without result.
TirExpr *check_value(Checker *checker, const AstExpr *expr);
// Several of them, in order: those before keep the value that they had.
TirExpr **check_values(Checker *checker, const AstExprs *exprs);
// Reports an expression that has no value at run time (E0407, E0712), and is then poison.
TirExpr *check_has_value(Checker *checker, TirExpr *expr);
// An expression whose statements go to `statements`, to run under a condition or never: operands
// held outside are left alone.
TirExpr *check_apart(Checker *checker, const AstExpr *ast, TirBlock *statements);
// An expression that is not evaluated: only its type, or its constant value, matters.
TirExpr *check_unevaluated(Checker *checker, const AstExpr *expr);
// Whether a function of this name is given: a built-in, or one of the library.
bool check_is_given(const Checker *checker, Name name);
// Whether the expression is the name of a function: one of the file or one that is given.
bool check_names_function(Checker *checker, const AstExpr *ast);
TirExpr *check_read(Checker *checker, TirVar *var, Span span);
// A help or note for an unknown name: what is spelt like it, or what TML has in its place. False:
// there is none. `call` is that of the name, or NULL.
bool check_suggest(Checker *checker, Diag *diag, const AstName *name, const AstExpr *call);
// Reports `x[:, None]` if the index is that and the name is nothing here.
bool check_foreign_index(Checker *checker, const AstExpr *index);
// Notes that what stands at `span` is part of the expression of the line above, which ends with an
// operator and is indented alike, if so.
bool check_note_goes_on(Checker *checker, Diag *diag, Span span);
// Whether it is both sides of `total = total + x`, or of `real total = total + x`.
bool check_is_updated_there(const Checker *checker, const AstName *name, bool declared);
// A range has the step 0.
void check_report_no_step(Checker *checker, DiagCode code, const AstExpr *range);
// Reports `np.pi` and `np.sin` if the name before the dot is a module elsewhere, and nothing here.
bool check_foreign_member(Checker *checker, const AstExpr *ast);
// Reports a call of something that is not a name: `x.sum()`.
void check_foreign_call(Checker *checker, const AstExpr *ast);
// Reports `m, n = x.shape`; false when the value of such an assignment is something else.
bool check_foreign_lengths(Checker *checker, const AstStmt *stmt);
// What is said of `s.gain = 2.0`: that a name hides a namespace, or that there are no structures.
void check_explain_member(Checker *checker, Diag *diag, const AstExpr *target);
// Offers what TML writes for an attribute of other languages on a value of that type.
bool check_offer_attribute(Diag *diag, const AstExpr *ast, const Type *type);

// In literal.c:

// L2.3
TirExpr *check_tensor_literal(Checker *checker, const AstExpr *expr);
// Constants of type str and char.
TirExpr *check_string(Checker *checker, Slice text, Span span);
TirExpr *check_character(Checker *checker, char character, Span span);
Slice check_text_value(Checker *checker, const TirExpr *expr);

// In index.c (L7):

TirExpr *check_index(Checker *checker, const AstExpr *expr);
// A chain of brackets on a variable as a place that can be written. NULL after an error.
TirExpr *check_target(Checker *checker, const AstExpr *expr);

// The same for who stores the windows in it (window_store) after it has its value.
typedef enum TargetUse {
    TARGET_NONE,     // a value
    TARGET_PLACE,    // without windows
    TARGET_ASSIGNED, // gets a value
    TARGET_UPDATED,  // is read, too
} TargetUse;

// The symbol of a name that is assigned to, as a whole or in part; NULL after an error.
Symbol *check_lookup_target(Checker *checker, const AstName *name, TargetUse use, bool is_part);
TirExpr *check_target_for(Checker *checker, const AstExpr *expr, TargetUse use);

// In target.c:

// The variable that a target names, a part of it where brackets follow; NULL after an error.
TirVar *check_target_var(Checker *checker, const AstExpr *object, TargetUse use, bool is_part);

// In attribute.c (L7.8):

TirExpr *check_attribute(Checker *checker, const AstExpr *expr);
// Says so where what stands before the dot hides a namespace: else this would be a name of the
// interface.
bool check_note_hidden_space(Checker *checker, Diag *diag, const AstExpr *object);

// In written_type.c (L2):

// The type that is written, or poison after an error.
const Type *check_type(Checker *checker, const AstType *type);
// tensor<base, dims>, or poison after E0902.
const Type *check_tensor_type(Checker *checker, const Type *base, size_t rank, const uint32_t *dims,
                              Span span);

// call.c, function.c: functions and their calls (L9).

// A call of a function of the program or of a built-in. Its type is void when it has no result.
TirExpr *check_call(Checker *checker, const AstExpr *expr);
// Adds a function to its unit's scope; NULL after E0302.
FunctionDecl *check_declare_function(Checker *checker, Unit *unit, AstStmt *ast);
// A call that gives `count` results to targets, in their order. False after an error.
bool check_call_results(Checker *checker, const AstExpr *ast, size_t count, TirVar **results);
// The function that is checked does what it calls does.
void check_merge_effects(Checker *checker, const TirFunction *callee);
// Calls `decl` with arguments already checked, one for each parameter; NULL takes its default.
TirExpr *check_call_function(Checker *checker, FunctionDecl *decl, Span span, TirExpr **args);
// Checks a function that nothing has called, and returns it; those with size parameters wait for a
// call (NULL).
TirFunction *check_uncalled(Checker *checker, FunctionDecl *decl);

#endif

// The built-in functions (L11): one row each in sema/builtin/builtin.def, with the handler that
// makes TIR.
#ifndef TMLC_SEMA_BUILTIN_BUILTIN_H
#define TMLC_SEMA_BUILTIN_BUILTIN_H

#include "sema/checker.h"
#include "sema/constant.h"

typedef struct Builtin Builtin;

// NULL when there is no built-in of that name.
const Builtin *builtin_find(Name name);
// The built-in nearest in spelling, or NULL.
const char *builtin_nearest(Name name);
// Checks a call of a built-in. Its type is void when it has no result.
TirExpr *builtin_call(Checker *checker, const Builtin *builtin, const AstExpr *ast);

// Whether it takes so many arguments.
bool builtin_takes(const Builtin *builtin, size_t count);
// Says what stands for an argument that it does not take, as an axis; false when nothing does.
bool builtin_note_more(Diag *diag, const Builtin *builtin);
// What gives the position that `m, i = max(x)` wants; nothing of other functions, or of NULL.
void builtin_note_position(Diag *diag, Name name);
// Whether it may have several results.
bool builtin_has_results(const Builtin *builtin);
// The same of one that has several results, each of which goes into a new variable; false after an
// error.
bool builtin_call_results(Checker *checker, const Builtin *builtin, const AstExpr *ast,
                          size_t count, TirVar **results);

// For the handlers.

typedef struct BuiltinCall {
    const char *name;
    int op;             // the row's TirOp, TirReduction or 0
    const AstExpr *ast; // the call
    Span span;
    bool bang;
    TirExpr **args;        // checked values without poison; NULL for handlers that check their own
    ConstantStart *starts; // of these: what is emitted since is theirs
    size_t count;
} BuiltinCall;

// Argument `k` as it is written.
static inline const AstExpr *builtin_argument(const BuiltinCall *call, size_t k) {
    return call->ast->call.args.items[k];
}

typedef TirExpr *BuiltinHandler(Checker *checker, const BuiltinCall *call);

#define BUILTIN_NUMBERS_TAKEN "a number or a tensor of numbers"

// Reports E0408: argument `k` is not `wanted`. Returns poison.
TirExpr *builtin_wrong_argument(Checker *checker, const BuiltinCall *call, size_t k,
                                const char *wanted);
// Reports E0902: the result passes a limit of L2.2. Returns poison.
TirExpr *builtin_too_large(Checker *checker, const BuiltinCall *call);
// Argument k as a string literal; false after E0408.
bool builtin_text(Checker *checker, const BuiltinCall *call, size_t k, Slice *text);
// Argument k as a constant integer, or as `count` of them from a vector or scalar; E0507 if not.
bool builtin_integer(Checker *checker, const BuiltinCall *call, size_t k, int64_t *value);
bool builtin_integers(Checker *checker, const BuiltinCall *call, size_t k, int64_t *values,
                      size_t limit, size_t *count);
// Lengths from integers given at `span`, each at least 1; false after E0507.
bool builtin_lengths(Checker *checker, Span span, const int64_t *values, size_t count,
                     uint32_t *lengths);
// What check_operands says of two operands of the built-in.
const Type *builtin_operands(Checker *checker, const BuiltinCall *call, bool strict, TirExpr *left,
                             TirExpr *right);
// An operand that is read several times: a variable or constant, computed once.
TirExpr *builtin_shared(Checker *checker, TirExpr *expr);

// The derivatives of argument 0 by the variables that the next `count` arguments name.
bool builtin_derivatives(Checker *checker, const BuiltinCall *call, size_t count, TirVar **results);

#define BUILTIN(name, handler, op, least, most, form, takes, parameters) BuiltinHandler handler;
#include "sema/builtin/builtin.def"
#undef BUILTIN

#endif

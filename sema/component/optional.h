// Optional values (L10.6).
#ifndef TMLC_SEMA_COMPONENT_OPTIONAL_H
#define TMLC_SEMA_COMPONENT_OPTIONAL_H

#include "sema/checker.h"

// An operand, which may be an optional value (L10.6): `t.a?`, or an operator on two of them.
typedef struct Operand {
    TirExpr *value; // poison after an error
    Span span;
    bool is_optional;
    bool is_missing;       // optional, and absent in this program: nothing of `value` is emitted
    TerminalSet terminals; // of an optional one: it is missing where all of these are absent
} Operand;

// An expression that may be optional. What it is otherwise is left open: it may be a text.
Operand check_operand(Checker *checker, const AstExpr *expr);
// The same for one that runs under a condition or never, as check_apart.
Operand check_operand_apart(Checker *checker, const AstExpr *expr, TirBlock *statements);
// The value of an operand that must not be optional; poison after E0735.
TirExpr *check_not_optional(Checker *checker, const Operand *operand);
// The operator on two operands, or, where one is missing, the other.
Operand check_apply_optional(Checker *checker, AstBinaryOp op, Span span, Span op_span,
                             const Operand *left, const Operand *right, bool compound);
// `x?` where only a type is asked for, or where check_operand has let it pass; else E0735.
TirExpr *check_mark(Checker *checker, const AstExpr *expr);
TirExpr *check_elvis(Checker *checker, const AstExpr *expr);
// The terminal that the target of `x? = e` needs; NULL after an error.
const TirInterface *check_optional_target(Checker *checker, const AstStmt *stmt);
// Whether a declaration has a `?` behind its name or in its type.
bool check_has_mark(const AstStmt *stmt);
// The terminal that such a declaration needs; NULL after an error.
const TirInterface *check_optional_type(Checker *checker, const AstStmt *stmt);

#endif

// Makes the nodes of the tree. Internal to the parser: the grammar's actions are calls of these.
// Every node comes from the compilation's arena; lists given to a node become its own.
#ifndef TMLC_PARSER_BUILD_H
#define TMLC_PARSER_BUILD_H

#include "parser/parser.h"

// The arms of an `if` or `macro if`.
typedef struct AstArms {
    AstStmtKind kind;
    AstArm *items;
    size_t count, capacity;
} AstArms;

typedef LIST_OF(AstParam) AstParams;
typedef LIST_OF(AstType *) AstTypes;
typedef LIST_OF(AstSetting) AstSettings;

// The branch after `else`; absent when there is none.
typedef struct ElseBlock {
    AstBlock block;
    bool present;
} ElseBlock;

// A tensor literal that is being read.
typedef struct TensorDraft TensorDraft;

// Expressions. A tree that becomes too deep is reported and replaced by AST_ERROR.
AstExpr *build_expr(Parser *parser, AstExprKind kind, Span span); // without parts
AstExpr *build_name(Parser *parser, AstName name);
AstExpr *build_attr(Parser *parser, AstExpr *object, AstName name);
AstExpr *build_index(Parser *parser, AstExpr *object, AstExprs indices, Span bracket);
AstExpr *build_call(Parser *parser, AstExpr *callee, bool bang, AstExprs args, Span paren);
AstExpr *build_cast(Parser *parser, AstType *type, AstExpr *arg, Span paren);
AstExpr *build_unary(Parser *parser, AstUnaryOp op, Span op_span, AstExpr *operand);
AstExpr *build_read(Parser *parser, Span arrow, AstExpr *operand);
AstExpr *build_binary(Parser *parser, AstBinaryOp op, AstExpr *left, Span op_span, AstExpr *right);
AstExpr *build_transpose(Parser *parser, AstExpr *operand, Span op_span);
AstExpr *build_optional(Parser *parser, AstExpr *operand, Span mark);
AstExpr *build_parenthesized(Parser *parser, AstExpr *inner, Span span);
AstExpr *build_range(Parser *parser, AstExpr *first, AstExpr *last, AstExpr *step, Span span);
AstExpr *build_type_arg(Parser *parser, AstType *type);
AstExpr *build_named_arg(Parser *parser, AstName name, AstExpr *value);

TensorDraft *build_tensor_first(Parser *parser, AstExpr *element);
void build_tensor_next(Parser *parser, TensorDraft *draft, TokenKind separator, AstExpr *element);
// `trailing` is the separator before the closing bracket, or TOKEN_CLOSE_BRACKET; a NULL draft is
// the empty literal.
AstExpr *build_tensor(Parser *parser, TensorDraft *draft, TokenKind trailing, Span span);

void build_append(Parser *parser, AstExprs *list, AstExpr *expr);

// Types.
AstType *build_scalar_type(Parser *parser, AstScalar scalar, Span span);
AstType *build_tensor_type(Parser *parser, AstType *base, AstExprs dims, Span span);
AstType *build_type_of(Parser *parser, AstExpr *expr, Span span);

// Statements.
AstStmt *build_stmt(Parser *parser, AstStmtKind kind, Span span);
// `target` may be an AST_OPTIONAL; what is no place is E0202.
AstStmt *build_assign(Parser *parser, AstExpr *target, Span op_span, AstExpr *value);
AstStmt *build_assign_all(Parser *parser, AstExprs targets, Span op_span, AstExpr *value);
AstStmt *build_compound(Parser *parser, AstExpr *target, AstBinaryOp op, Span op_span,
                        AstExpr *value);
// Gives the head of a function or test its body.
AstStmt *build_body(AstStmt *head, AstBlock body, Span end);
AstStmt *build_test(Parser *parser, Slice text, Span text_span, AstName error);
// A statement that was reported; names that its target has are known from then on.
AstStmt *build_error(Parser *parser, Span span);
AstStmt *build_bad_target(Parser *parser, Span target);
AstStmt *build_decl(Parser *parser, AstType *type, AstName name, bool optional, AstExpr *value);
AstStmt *build_terminal(Parser *parser, unsigned modifiers, AstType *type, AstName space,
                        AstName name, AstExpr *value, Span span);
AstStmt *build_connect(Parser *parser, AstExpr *target, AstExpr *value, Span span);
AstStmt *build_io(Parser *parser, bool is_output, AstType *type, AstExprs arguments, AstName name,
                  Span span);
// `arrow` is `<-`, of two tokens that stand together.
AstStmt *build_send(Parser *parser, AstExpr *target, Span arrow, AstExpr *value);
unsigned build_modifier(Parser *parser, unsigned modifiers, AstModifier modifier, Span span);
// Begins the block of a guard, and says what it asks for; what is none after an error stays as it
// is.
AstStmt *build_guard(Parser *parser, AstStmt *guard, TokenKind keyword, bool negated, Span span);
// The first arm, whose body is still to come.
AstArms build_first_arm(Parser *parser, AstStmtKind kind, AstExpr *condition, Span span);
void build_arm(Parser *parser, AstArms *arms, AstArm arm, AstBlock body);
AstStmt *build_branch(Parser *parser, AstArms arms, ElseBlock otherwise);

#endif

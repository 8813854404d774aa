// See infer.h: what an expression has to be where it stands, and which names that tells of.
#include "sema/component/infer.h"

#include "sema/component/component.h"
#include "sema/expr.h"
#include "sema/operator.h"
#include "sema/value.h"

static Infer *infer_of(const Checker *checker) {
    return checker->options->infer;
}

TirExpr *infer_note(Checker *checker, const AstExpr *ast, TirExpr *value) {
    Infer *infer = infer_of(checker);
    if (infer == NULL || !type_is_poison(value->type)) {
        return value;
    }
    TirExpr *unknown = tir_new_expr(checker->arena, EXPR_CONST, value->type, ast->span);
    table_set(checker->arena, &infer->unknown, unknown, (void *)ast);
    return unknown;
}

static Symbol *local_symbol(const Checker *checker, const AstExpr *ast) {
    bool is_plain = ast->kind == AST_NAME && ast->name.macro_indices.count == 0;
    return is_plain ? scope_find(checker->at.scope, ast->name.name) : NULL;
}

void infer_origin(Checker *checker, const AstExpr *target, const AstExpr *value) {
    Infer *infer = infer_of(checker);
    const Symbol *symbol = infer == NULL ? NULL : local_symbol(checker, target);
    if (symbol != NULL && table_get(&infer->origins, symbol) == NULL) {
        table_set(checker->arena, &infer->origins, symbol, (void *)value);
    }
}

// The narrower one.
static const Type *meet(const Type *a, const Type *b) {
    bool is_narrower = a == NULL || b->root < a->root || (b->root == a->root && type_is_scalar(b));
    return is_narrower ? b : a;
}

static void name_wants(Checker *checker, const AstExpr *ast, const Type *type, bool exact) {
    const TirInterface *item = check_find_interface(checker, ast);
    Infer *infer = infer_of(checker);
    for (size_t k = 0; item != NULL && k < infer->names.count; k++) {
        InferName *name = infer->names.items[k];
        if (name->item != item) {
            continue;
        }
        bool only_bool = type_is_scalar(type) && type->root == ROOT_BOOL;
        if (exact || only_bool) {
            name->exact = name->exact == NULL ? type : name->exact;
        } else {
            name->limit = meet(name->limit, type);
        }
    }
}

static void wants(Checker *checker, const AstExpr *ast, const Type *type, bool exact);

// An element of it is that: of a tensor, whose shape nothing tells.
static void element_wants(Checker *checker, const AstExpr *ast, const Type *type) {
    while (ast->kind == AST_INDEX) {
        ast = ast->index.object;
    }
    bool text = type->root >= ROOT_CHAR;
    Root root = text ? ROOT_STR : type->root;
    wants(checker, ast, type_scalar(checker->tir.types, root), text);
}

static void operands_want(Checker *checker, const AstExpr *ast, const Type *type, bool exact) {
    for (; ast->kind == AST_BINARY; ast = ast->binary.left) {
        AstBinaryOp op = ast->binary.op;
        bool keeps = op == AST_BINARY_ELVIS;
        OperatorClass kind = keeps ? OPERATOR_NONE : operator_row(op)->kind;
        bool is_logical = kind == OPERATOR_LOGICAL && type->root == ROOT_BOOL;
        bool is_sum = kind == OPERATOR_ARITHMETIC && op != AST_BINARY_POW;
        if (!keeps && !is_logical && !is_sum) {
            return;
        }
        if (is_sum) { // one of the operands may be a scalar, whatever the shape of the result
            exact = false;
            type = type_scalar(checker->tir.types, type->root);
        }
        wants(checker, ast->binary.right, type, exact);
    }
    wants(checker, ast, type, exact);
}

static void wants(Checker *checker, const AstExpr *ast, const Type *type, bool exact) {
    switch (ast->kind) {
    case AST_ATTR:
        if (check_is_interface(checker, ast)) {
            name_wants(checker, ast, type, exact);
        }
        return;
    case AST_NAME: {
        const Symbol *symbol = local_symbol(checker, ast);
        Table *origins = &infer_of(checker)->origins;
        AstExpr *origin = symbol == NULL ? NULL : table_get(origins, symbol);
        if (origin != NULL) { // it may name another variable of that name
            table_set(checker->arena, origins, symbol, NULL);
            wants(checker, origin, type, exact);
            table_set(checker->arena, origins, symbol, origin);
        }
        return;
    }
    case AST_INDEX: element_wants(checker, ast, type); return;
    case AST_OPTIONAL: wants(checker, ast->optional, type, exact); return;
    case AST_UNARY:
        wants(checker, ast->unary.operand, type, exact && ast->unary.op == AST_UNARY_NOT);
        return;
    case AST_BINARY: operands_want(checker, ast, type, exact); return;
    default: return; // what others are made of may be anything
    }
}

void infer_wants(Checker *checker, const AstExpr *ast, const Type *type, bool exact) {
    if (infer_is_on(checker)) {
        wants(checker, ast, type, exact);
    }
}

void infer_wants_scalar(Checker *checker, const AstExpr *ast, Root root, bool exact) {
    if (infer_is_on(checker)) {
        wants(checker, ast, type_scalar(checker->tir.types, root), exact);
    }
}

// `side` stands beside that operand.
static void side_wants(Checker *checker, AstBinaryOp op, const AstExpr *side,
                       const TirExpr *other) {
    OperatorClass kind = operator_row(op)->kind;
    TypeTable *types = checker->tir.types;
    bool is_known = other->type->kind <= TYPE_TENSOR;
    if (kind == OPERATOR_LOGICAL || kind == OPERATOR_BITWISE) {
        Root root = kind == OPERATOR_LOGICAL ? ROOT_BOOL : ROOT_UINT;
        const Type *type =
            is_known ? type_with_root(types, other->type, root) : type_scalar(types, root);
        wants(checker, side, type, is_known);
        return;
    }
    bool compares = is_known && (kind == OPERATOR_EQUALITY || kind == OPERATOR_ORDER);
    if (compares && other->type->root == ROOT_BOOL) {
        wants(checker, side, other->type, true);
    } else if (compares && other->type->root >= ROOT_CHAR) {
        bool may_be_char =
            other->type->root == ROOT_CHAR || check_text_value(checker, other).len == 1;
        wants(checker, side, type_scalar(types, ROOT_STR), !may_be_char);
    }
}

void infer_operands(Checker *checker, const AstExpr *ast, const TirExpr *left,
                    const TirExpr *right) {
    if (!infer_is_on(checker)) {
        return;
    }
    if (type_is_poison(left->type)) {
        side_wants(checker, ast->binary.op, ast->binary.left, right);
    }
    if (type_is_poison(right->type)) {
        side_wants(checker, ast->binary.op, ast->binary.right, left);
    }
}

void infer_unary(Checker *checker, const AstExpr *ast) {
    if (ast->unary.op == AST_UNARY_NOT || ast->unary.op == AST_UNARY_COMPLEMENT) {
        Root root = ast->unary.op == AST_UNARY_NOT ? ROOT_BOOL : ROOT_UINT;
        infer_wants_scalar(checker, ast->unary.operand, root, false);
    }
}

TirExpr *infer_fill(Checker *checker, const Type *type, TirExpr *value) {
    Infer *infer = infer_of(checker);
    if (infer == NULL || !type_has_value(type)) {
        return value;
    }
    const AstExpr *ast = table_get(&infer->unknown, value);
    if (ast != NULL) {
        wants(checker, ast, type, false);
    }
    const Type *scalar = type_scalar(checker->tir.types, type->root);
    TirScalar *data = ARENA_ARRAY(checker->arena, TirScalar, 1); // a step or divisor may be wanted
    if (type->root == ROOT_REAL) {
        data->real = 1.0;
    } else if (type->root != ROOT_BOOL) {
        data->uint = 1;
    }
    return check_spread(checker, tir_const(&checker->tir, scalar, data, value->span), type);
}

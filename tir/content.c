// One walk over a tree, which ends where it is too large for those who ask.
#include "tir/content.h"

#include "tir/view.h"
#include "tir/visit.h"

typedef struct Look {
    TirContent *content;
    uint32_t limit;
} Look;

static void look_at(const TirExpr *expr, void *data) {
    const Look *look = data;
    TirContent *content = look->content;
    if (++content->nodes > look->limit) {
        return;
    }
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_IOTA: break;
    case EXPR_VAR: content->arrays += type_is_tensor(expr->type); break;
    case EXPR_MAP:
        content->has_dear_ops = content->has_dear_ops || tir_op_is_dear(expr->map.op);
        content->ops++;
        break;
    case EXPR_CONVERT: content->ops++; break;
    case EXPR_VIEW: content->leaves_rows = content->leaves_rows || !view_keeps_rows(expr); break;
    case EXPR_RESHAPE: content->walks = content->walks || !reshape_is_of_levels(expr); break;
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: content->walks = true; break;
    }
    tir_read_operands(expr, look_at, data);
}

void tir_content_add(TirContent *content, const TirExpr *expr, uint32_t limit) {
    look_at(expr, &(Look){content, limit});
}

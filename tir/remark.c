// Remarks are made only when they are wanted: nothing is formatted otherwise.
#include "tir/remark.h"

#include <stdarg.h>
#include <string.h>

void tir_remark(Tir *tir, const char *pass, Span span, Span other, const char *format, ...) {
    if (tir->remarks == NULL || span_is_nowhere(span)) {
        return;
    }
    va_list args;
    va_start(args, format);
    TirRemark remark = {span, pass, arena_vformat(tir->arena, format, args), other};
    va_end(args);
    LIST_PUSH(tir->arena, &tir->remarks->list, remark);
}

const char *tir_remark_name(Tir *tir, const TirVar *var) {
    if (var->role == VAR_RESULT) {
        return "the result";
    }
    bool is_of_source = var->name != NULL && strchr(var->name->text, '.') == NULL;
    return is_of_source ? arena_format(tir->arena, "`%s`", var->name->text) : "a value";
}

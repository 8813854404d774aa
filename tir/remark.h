// What passes say of what they did, and of what kept them from more, in the words of the source.
#ifndef TMLC_TIR_REMARK_H
#define TMLC_TIR_REMARK_H

#include "support/arena.h"
#include "tir/build.h"

typedef struct TirRemark {
    Span span; // of the statement
    const char *pass;
    const char *text;
    Span other; // of another statement that the text ends with; nowhere: none
} TirRemark;

typedef struct TirRemarks {
    LIST_OF(TirRemark) list;
} TirRemarks;

// Adds one when somebody wants them (Tir.remarks).
__attribute__((format(printf, 5, 6))) void tir_remark(Tir *tir, const char *pass, Span span,
                                                      Span other, const char *format, ...);
// What the source calls a variable: its name, or "a value".
const char *tir_remark_name(Tir *tir, const TirVar *var);

#endif

// How many terms every target adds one after the other (codegen/plan/terms.c), so that a pass may
// write them out; more of them may go in groups, by the target's registers.
#ifndef TMLC_TIR_IN_ORDER_H
#define TMLC_TIR_IN_ORDER_H

enum {
    SUM_IN_ORDER = 7,     // of a sum
    SUM_SHORT = 15,       // of a sum that pays in lanes, grouped as it may be
    PRODUCT_IN_ORDER = 3, // of a product of any dims
    PRODUCT_SHORT = 15,   // of a product of vectors that pays in lanes, grouped as it may be
    MATRIX_SHORT = 8,     // the same of an element of a product of matrices
};

#endif

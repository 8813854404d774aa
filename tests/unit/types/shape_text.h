// Types and answers of the shape algebra as short texts, so that its tests are tables.
//
// A type is its root letter (b u i r) and its levels: "i" is int, "i 2,3" tensor<int, 2, 3>,
// "r 2 / 3,1" tensor<tensor<real, 3, 1>, 2>. An answer is the type, or what is wrong with all that
// is told about it: "lengths at 1.0: 2 3" at level 1, dim 0; behind it " index 5" unless that is 0.
#ifndef TMLC_TESTS_UNIT_TYPES_SHAPE_TEXT_H
#define TMLC_TESTS_UNIT_TYPES_SHAPE_TEXT_H

#include "types/shape.h"

// Before and after each test of a suite.
void shape_set_up(void);
void shape_tear_down(void);

extern TypeTable *shape_types;

const Type *shape_read(const char *text);
// Whether `fit` is the answer `expected`; when it is not, the test goes on and fails. `what` and
// `with` tell the case.
void shape_expect(ShapeFit fit, const char *expected, const char *what, const char *with);
// The same for a function that always has a type.
void shape_expect_type(const Type *type, const char *expected, const char *what);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif

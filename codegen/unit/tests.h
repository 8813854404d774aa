// The table of a module that is made to run its tests.
#ifndef TMLC_CODEGEN_UNIT_TESTS_H
#define TMLC_CODEGEN_UNIT_TESTS_H

#include "codegen/gen.h"

// The link name of the tml_tests.
const char *tests_symbol(Gen *gen);
// The tml_tests of runtime/abi/tests.h, and the tml_model that it points to.
void tests_table(Gen *gen);

#endif

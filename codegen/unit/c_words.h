// Names that a C or C++ host may have another meaning for.
#ifndef TMLC_CODEGEN_UNIT_C_WORDS_H
#define TMLC_CODEGEN_UNIT_C_WORDS_H

#include <stdbool.h>

// Whether the name, of letters, digits and `_`, is a word of these languages, a macro of a
// compiler, of a freestanding header or a usual one, reserved for such, or something that our
// header uses.
bool c_words_have(const char *name);

#endif

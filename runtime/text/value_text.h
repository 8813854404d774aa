// One TML literal from a text, as `--set` and files of inputs have it: numbers of every spelling,
// `true`, `false`, `nan`, `inf`, `M_PI`, `M_E`, signs, brackets with `,` `;` `|`, and `#` comments.
// Of more than three dims the two spellings of print.h: reshape(...), and matrices below their
// indices.
#ifndef TML_RUNTIME_TEXT_VALUE_TEXT_H
#define TML_RUNTIME_TEXT_VALUE_TEXT_H

#include "runtime/abi/model.h"

#include <stdbool.h>

enum { VALUE_LEVELS = 16, VALUE_DIMS = 512, VALUE_MESSAGE_BYTES = 256 };

// The dims of a literal or a part of one.
typedef struct ValueShape {
    size_t depth, flat_rank;
    uint16_t level_ranks[VALUE_LEVELS];
    uint32_t dims[VALUE_DIMS];
} ValueShape;

typedef struct Value {
    tml_type type; // its dims and ranks are those of the shape
    ValueShape shape;
    size_t count, capacity;
    double *scalars; // row by row, from malloc; each exact for its root
    char wrong[VALUE_MESSAGE_BYTES];
    size_t wrong_at; // where in the text
} Value;

// Reads all of `text`; reals round once, to `real_bytes`. False with `wrong` saying why. Either way
// tml_value_free must follow.
bool tml_value_read(Value *value, const char *text, unsigned real_bytes);
void tml_value_free(Value *value);
// Reads a literal of one number, finite, as a real; whole numbers of any size are reals here.
bool tml_text_is_real(const char *text, double *real);
// Stores the value as the compiler would assign it (L6): missing levels and dims, and those of 1,
// repeat; scalars convert where nothing is lost. False when it does not fit the type.
bool tml_value_assign(const Value *value, const tml_type *type, void *data);
// What a message about a value of a type that does not fit one goes on with; perhaps nothing.
const char *tml_value_hint(const tml_type *type, const tml_type *of_value);

#endif

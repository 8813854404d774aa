// Values as TML literals (L12).
//
// A scalar or vector takes one line, a matrix or a tensor of three dims a line per row:
//
//     [1, 2;          [1, 2;
//      3, 4]           3, 4
//                      |
//                      5, 6;
//                      7, 8]
//
// The separator that is missing because there is one row or one page stands at the end: [1, 2;] is
// 1x2, [1, 2; 3, 4 |] 1x2x2, [1, 2 |] 1x1x2. Tensors inside a tensor take the same separators on
// one line. More than three dims are matrices of the last two, each after a comment line with the
// indices before those:
//
//     # [0, 0, :, :]
//     [1, 2;
//      3, 4]
//     # [0, 1, :, :]
//     [5, 6;
//      7, 8]
//
// Inside another tensor, where no line can be a comment, they are reshape([...], 2, 2, 2, 2).
#ifndef TML_RUNTIME_TEXT_PRINT_H
#define TML_RUNTIME_TEXT_PRINT_H

#include "runtime/abi/abi.h"
#include "runtime/file/writer.h"

// How scalars look: as in TML, or bare as in data files (no `u`, bool as 0 or 1).
typedef enum ScalarStyle { SCALAR_TML, SCALAR_DATA } ScalarStyle;

// One scalar of the type's root at `data`.
void tml_write_scalar(Writer *out, const tml_type *type, const void *data, ScalarStyle style);
// A whole value, without a newline at the end.
void tml_write_value(Writer *out, const tml_type *type, const void *data);
// The same with a newline, as one literal that can be read back: reshape(...) beyond three dims.
void tml_write_literal(Writer *out, const tml_type *type, const void *data);
// The same on one line, as inside another tensor.
void tml_write_value_line(Writer *out, const tml_type *type, const void *data);
// Whether tml_write_value takes more than one line.
bool tml_value_is_multiline(const tml_type *type);

#endif

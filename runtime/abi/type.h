// Facts about the types of abi.h.
#ifndef TML_RUNTIME_ABI_TYPE_H
#define TML_RUNTIME_ABI_TYPE_H

#include "runtime/abi/abi.h"

enum { TML_TYPE_TEXT_BYTES = 256 };

const char *tml_root_text(tml_root root);
// Bytes of one scalar.
size_t tml_scalar_bytes(const tml_type *type);
// Product of dims[first .. end).
uint64_t tml_dims_product(const uint32_t *dims, size_t first, size_t end);
// Scalars in a value: the product of all flat dims.
uint64_t tml_type_numel(const tml_type *type);
// As the user writes it: "tensor<real, 2, 3>". Very long ones end in "...". Returns `text`.
const char *tml_type_text(char text[TML_TYPE_TEXT_BYTES], const tml_type *type);

#endif

// `tmlc check --types FILE`: a program beside the types of its variables.
#ifndef TMLC_DRIVER_TYPE_LISTING_H
#define TMLC_DRIVER_TYPE_LISTING_H

#include "driver/compile.h"
#include "support/buffer.h"

// Appends every line of the compiled file, numbered, with the type of each variable that it names,
// in the order in which they first appear. Instances of a function with different sizes have a row
// each. The compilation was made with notes; after errors, what has no type is left out.
void type_listing_print(const Compilation *compilation, Buffer *out);

#endif

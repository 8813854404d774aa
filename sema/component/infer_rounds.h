// `tmlc interface`: the declarations that a published source lacks (L14.2).
#ifndef TMLC_SEMA_COMPONENT_INFER_ROUNDS_H
#define TMLC_SEMA_COMPONENT_INFER_ROUNDS_H

#include "sema/check.h"
#include "support/buffer.h"

// Appends a declaration for each name of the interface that the file uses and does not declare.
// False when the file has errors whatever the types of these names are: they are in context->diags.
bool infer_interface(Context *context, AstFile *file, const CheckOptions *options, Buffer *out);

#endif

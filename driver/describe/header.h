// The C header that stands beside an object.
#ifndef TMLC_DRIVER_DESCRIBE_HEADER_H
#define TMLC_DRIVER_DESCRIBE_HEADER_H

#include "codegen/codegen.h"
#include "driver/describe/host_view.h"
#include "driver/describe/report.h"
#include "support/buffer.h"

#include <stdbool.h>

// How its object was made, for the first comment.
typedef struct HeaderOrigin {
    const char *triple;
    const char *cpu;
} HeaderOrigin;

void header_print(const HostView *view, const Report *report, HeaderOrigin origin, Buffer *out);
// runtime/abi/model.h, with which every header begins.
const char *header_model_text(void);
// Whether a text is a header that was made here: such a file may be replaced unasked.
bool header_is_ours(const char *text);
// Whether a file of this name hides a header of C from programs that look for headers in its
// folder.
bool header_hides_one_of_c(const char *path);

#endif

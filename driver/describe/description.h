// What the header and the report say, as JSON for other programs; docs/embedding.md lists the
// members.
#ifndef TMLC_DRIVER_DESCRIBE_DESCRIPTION_H
#define TMLC_DRIVER_DESCRIBE_DESCRIPTION_H

#include "driver/describe/header.h"

void description_print(const HostView *view, const Report *report, HeaderOrigin origin,
                       Buffer *out);

#endif

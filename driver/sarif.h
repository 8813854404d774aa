// The messages of several files as one log in SARIF 2.1.0, for sites that show them beside code.
#ifndef TMLC_DRIVER_SARIF_H
#define TMLC_DRIVER_SARIF_H

#include "support/buffer.h"
#include "support/context.h"

typedef struct SarifLog SarifLog;

SarifLog *sarif_create(Arena *arena);
// Adds the messages of a file, in the order of their places.
void sarif_add(SarifLog *log, const Context *context);
// Appends the log, which is at its end.
void sarif_finish(SarifLog *log, Buffer *out);

#endif

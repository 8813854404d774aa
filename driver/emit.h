// The kinds of output (driver/emit.def), and what they print of a compilation.
#ifndef TMLC_DRIVER_EMIT_H
#define TMLC_DRIVER_EMIT_H

#include "driver/compile.h"
#include "support/buffer.h"

#include <stdbool.h>

typedef enum EmitKind {
#define EMIT(KIND, name, suffix, stage, form, has_header, help) EMIT_##KIND,
#include "driver/emit.def"
    EMIT_KIND_COUNT,
} EmitKind;

typedef enum EmitForm {
    EMITTED_TEXT,
    EMITTED_OBJECT,   // these bytes
    EMITTED_ARCHIVED, // the object in an archive
    EMITTED_LINKED,   // by the linker, from the object
    EMITTED_PACKED,   // an archive of what was linked, and more
} EmitForm;

typedef struct EmitRow {
    const char *name;
    const char *suffix;
    CompileStage stage;
    EmitForm form;
    bool has_header;
    const char *help;
} EmitRow;

const EmitRow *emit_row(EmitKind kind);
// What the file at STAGE_CODEGEN needs. NULL when there can be no object: compilation->error says
// why.
const Report *emit_report(Compilation *compilation);
// Whether a host can use anything in the object, so that a header goes with it. At STAGE_CODEGEN.
bool emit_wants_header(Compilation *compilation);
// Appends `kind`, which is one that needs no linker (not EMIT_ARCHIVE, EMIT_SHARED, EMIT_FMU or
// EMIT_EXE) and not beyond the stage that was compiled to.
ExitStatus emit_kind(Compilation *compilation, EmitKind kind, Buffer *out);

#endif

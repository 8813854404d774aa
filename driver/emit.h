// The kinds of output (driver/emit.def).
#ifndef TMLC_DRIVER_EMIT_H
#define TMLC_DRIVER_EMIT_H

#include <stdbool.h>

// How far a compilation goes.
typedef enum CompileStage {
    STAGE_READ,
    STAGE_PARSE,
    STAGE_CHECK,
    STAGE_PASSES,
    STAGE_CODEGEN,
} CompileStage;

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

#endif

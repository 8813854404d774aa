#include "driver/emit.h"

const EmitRow *emit_row(EmitKind kind) {
    static const EmitRow rows[] = {
#define EMIT(KIND, name, suffix, stage, form, has_header, help) \
    {name, suffix, STAGE_##stage, EMITTED_##form, has_header, help},
#include "driver/emit.def"
    };
    return &rows[kind];
}

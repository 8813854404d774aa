// What an FMU says of its model to importers: modelDescription.xml, and the two smaller files of
// FMI 3.
#ifndef TMLC_DRIVER_FMU_DESCRIPTION_H
#define TMLC_DRIVER_FMU_DESCRIPTION_H

#include "codegen/unit/model_rows.h"
#include "driver/fmu/platform.h"
#include "support/buffer.h"

#include <stdbool.h>

// How `generationTool` begins, by which tmlc knows its FMUs.
#define FMU_TOOL "tmlc "

typedef struct FmuModel {
    const char *identifier; // a name in C
    int version;            // of FMI, 2 or 3
    double step;            // seconds
    const char *token;
    ModelRows rows;
    bool is_single;  // reals are IEEE single
    bool has_locals; // file-level variables are listed
    bool has_sources;
} FmuModel;

// What XML or the version of FMI cannot say of the model; NULL: they can say all.
const char *fmu_unwritable(Arena *arena, const FmuModel *model);
void fmu_print_description(Arena *arena, const FmuModel *model, Buffer *out);
// Of FMI 3: how the sources are compiled for each of some platforms, and where the icon stands.
void fmu_print_build(const FmuModel *model, const FmuPlatforms *platforms, Buffer *out);
void fmu_print_icon(Buffer *out);

#endif

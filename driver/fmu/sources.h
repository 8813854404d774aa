// The functions of FMI as one file in C, and a model's code as C compilers take it.
#ifndef TMLC_DRIVER_FMU_SOURCES_H
#define TMLC_DRIVER_FMU_SOURCES_H

#include "driver/fmu/description.h"
#include "driver/fmu/platform.h"

// The symbol by which that file knows the model's table.
const char *fmu_table_symbol(Arena *arena, const FmuModel *model);
// Before that file: what its functions are called, where several models go into one program.
void fmu_print_prefix(const FmuModel *model, Buffer *out);
// fmu.c: all of runtime/fmi for the version, and what the compiler gives it.
void fmu_print_functions(Arena *arena, const FmuModel *model, Buffer *out);

// model.c, piece by piece: the assembly of each platform, of which the C compiler takes its own.
void fmu_begin_code(Buffer *out);
// `table` is the symbol of the table in the assembly.
void fmu_add_code(const FmuModel *model, const FmuPlatform *platform, const Buffer *assembly,
                  const char *table, Buffer *out);
void fmu_finish_code(Buffer *out);

#endif

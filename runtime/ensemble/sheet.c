// CSV has a row for each run, or for each step of each run: its number, the properties that vary,
// the outputs. A .npy file of one output is an array of doubles; of all outputs it has records.
#include "runtime/ensemble/sheet.h"

#include "runtime/file/formats.h"
#include "runtime/file/npy.h"
#include "runtime/file/whole_file.h"
#include "runtime/run/report.h"
#include "runtime/simulate/columns.h"
#include "runtime/text/format_scalar.h"

#include <stdio.h>
#include <string.h>

typedef struct Sheet {
    const Table *table;
    const tml_variable *terminal; // NULL: all
} Sheet;

static bool has(const Sheet *sheet, const Part *part) {
    return !sheet->terminal || part->variable == sheet->terminal || !part_is_output(part);
}

static bool by_steps(const Plan *plan) {
    return plan->options->ensemble.keep == TML_KEEP_ALL;
}

static void write_count(Writer *out, uint64_t count) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    tml_write_text(out, text);
}

// An output that is called as a column of numbers.
static bool is_taken(const Plan *plan, const Part *part) {
    const char *name = part->variable->name;
    return part_is_output(part) && part->variable->type->flat_rank == 0 &&
           (strcmp(name, "run") == 0 || (by_steps(plan) && strcmp(name, "step") == 0));
}

static void write_names(Writer *out, const Sheet *sheet) {
    const Plan *plan = sheet->table->plan;
    tml_write_text(out, by_steps(plan) ? "run,step" : "run");
    for (size_t i = 0; i < plan->part_count; i++) {
        const Part *part = &plan->parts[i];
        const char *space = is_taken(plan, part) ? "t." : part->space;
        for (uint64_t element = 0; element < part->numel && has(sheet, part); element++) {
            char indices[COLUMN_INDEX_BYTES];
            const Column column = {.terminal = part->variable, .element = element};
            tml_write_char(out, ',');
            tml_write_text(out, space);
            tml_write_text(out, part->variable->name);
            tml_write_text(out, tml_model_column_indices(indices, &column));
        }
    }
    tml_write_char(out, '\n');
}

static const double *part_row(const Table *table, size_t i, uint64_t run, uint64_t step) {
    const Part *part = &table->plan->parts[i];
    uint64_t row = part_is_output(part) && by_steps(table->plan) ? step : 0;
    return table->data[i] + run * part_scalars(part) + row * part->numel;
}

// Values of ints and bools are whole, but a run that trapped has nan of all.
static void write_value(Writer *out, const Part *part, double value) {
    char text[TML_REAL_TEXT_BYTES];
    const tml_type *type = part->variable->type;
    bool is_near = value > -0x1p53 && value < 0x1p53;
    bool is_whole = type->root != TML_REAL && is_near && value == (double)(int64_t)value;
    if (is_whole) {
        tml_write_bytes(out, text, tml_format_integer(text, (int64_t)value));
    } else {
        tml_write_bytes(out, text, tml_format_real(text, value, 8));
    }
}

static void write_row(Writer *out, const Sheet *sheet, uint64_t run, uint64_t step) {
    const Table *table = sheet->table;
    const Plan *plan = table->plan;
    write_count(out, run);
    if (by_steps(plan)) {
        tml_write_char(out, ',');
        write_count(out, step);
    }
    for (size_t i = 0; i < plan->part_count; i++) {
        const double *values = part_row(table, i, run, step);
        for (uint64_t k = 0; k < plan->parts[i].numel && has(sheet, &plan->parts[i]); k++) {
            tml_write_char(out, ',');
            write_value(out, &plan->parts[i], values[k]);
        }
    }
    tml_write_char(out, '\n');
}

static void write_csv(Writer *out, const void *data) {
    const Sheet *sheet = data;
    const Plan *plan = sheet->table->plan;
    write_names(out, sheet);
    uint64_t steps = by_steps(plan) ? plan->steps : 1;
    for (uint64_t run = 0; run < plan->runs && out->error == 0; run++) {
        for (uint64_t step = 0; step < steps && out->error == 0; step++) {
            write_row(out, sheet, run, step);
        }
    }
}

enum { DIMS = TML_NPY_DIMS_LIMIT + 1 };

// Doubles of the part's dims, those of steps first.
static tml_type array_type(const Plan *plan, const Part *part, uint32_t dims[DIMS]) {
    const tml_type *type = part->variable->type;
    bool steps = part_is_output(part) && by_steps(plan);
    dims[0] = (uint32_t)plan->steps;
    for (size_t i = 0; i < type->flat_rank; i++) {
        dims[steps + i] = type->dims[i];
    }
    return (tml_type){.root = TML_REAL,
                      .real_bytes = 8,
                      .flat_rank = (uint16_t)(type->flat_rank + steps),
                      .dims = dims};
}

// 0 when there is no room for the names.
static size_t npy_header(char bytes[TML_NPY_HEADER_BYTES], const Plan *plan,
                         const tml_variable *terminal) {
    NpyRecord record;
    tml_npy_record_begin(&record);
    for (size_t i = 0; i < plan->part_count; i++) {
        uint32_t dims[DIMS];
        char name[COLUMN_NAME_BYTES];
        const Part *part = &plan->parts[i];
        tml_type type = array_type(plan, part, dims);
        if (part->variable == terminal) {
            return tml_npy_format_header(bytes, &type, &plan->runs);
        }
        snprintf(name, sizeof name, "%s%s", part->space, part->variable->name);
        tml_npy_record_add(&record, name, &type, true);
    }
    return tml_npy_record_format(bytes, &record, &plan->runs);
}

static void write_npy(Writer *out, const void *data) {
    char bytes[TML_NPY_HEADER_BYTES];
    const Sheet *sheet = data;
    const Table *table = sheet->table;
    const Plan *plan = table->plan;
    tml_write_bytes(out, bytes, npy_header(bytes, plan, sheet->terminal));
    for (uint64_t run = 0; run < plan->runs && out->error == 0; run++) {
        for (size_t i = 0; i < plan->part_count; i++) {
            uint64_t scalars = part_scalars(&plan->parts[i]);
            if (!sheet->terminal || plan->parts[i].variable == sheet->terminal) {
                tml_write_bytes(out, table->data[i] + run * scalars, scalars * sizeof(double));
            }
        }
    }
}

bool tml_sheet_fits(const Plan *plan, const Binding *output) {
    char bytes[TML_NPY_HEADER_BYTES];
    bool is_npy = tml_path_is_npy(output->path);
    bool fits = !is_npy || ((plan->steps <= UINT32_MAX || !by_steps(plan)) &&
                            npy_header(bytes, plan, output->terminal) > 0);
    if (!fits) {
        tml_report(
            plan->options->command,
            "`%s`: a .npy file has no room for so many names or steps; give `--out NAME.zarr`",
            output->path);
    }
    return fits;
}

bool tml_sheet_write(const Table *table, const Binding *output) {
    const char *command = table->plan->options->command;
    const char *path = output ? output->path : "-";
    Sheet sheet = {.table = table, .terminal = output ? output->terminal : NULL};
    int error = tml_write_whole(path, tml_path_is_npy(path) ? write_npy : write_csv, &sheet);
    if (error != 0 && strcmp(path, "-") == 0) {
        tml_report_output(command, error);
    } else if (error != 0) {
        tml_report(command, "cannot write `%s`: %s", path, strerror(error));
    }
    return error == 0;
}

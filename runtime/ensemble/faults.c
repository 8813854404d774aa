// See faults.h. A trap in init has no step.
#include "runtime/ensemble/faults.h"

#include "runtime/abi/fault.h"
#include "runtime/file/whole_file.h"
#include "runtime/run/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tml_faults_add(Faults *faults, const Plan *plan, uint64_t first, uint64_t count,
                    const tml_fault *items) {
    for (uint64_t i = 0; i < count; i++) {
        if (items[i].code == 0) {
            continue;
        }
        if (faults->count == faults->capacity) {
            size_t more = faults->capacity > 0 ? 2 * faults->capacity : 16;
            FaultOf *grown = realloc(faults->items, more * sizeof *grown);
            if (!grown) {
                tml_report(plan->options->command, "cannot get memory");
                return false;
            }
            faults->items = grown;
            faults->capacity = more;
        }
        faults->items[faults->count++] = (FaultOf){first + i, items[i]};
    }
    return true;
}

typedef struct List {
    const Faults *faults;
    const tml_model *model;
} List;

// A cell of two texts, in quotes where CSV wants them.
static void write_cell(Writer *out, const char *first, const char *second) {
    const char *const texts[] = {first, second};
    bool quoted = strpbrk(first, ",\"\r\n") != NULL;
    tml_write_text(out, quoted ? "\"" : "");
    for (size_t i = 0; i < 2; i++) {
        for (const char *c = texts[i]; *c != '\0'; c++) {
            tml_write_text(out, *c == '"' ? "\"" : "");
            tml_write_char(out, *c);
        }
    }
    tml_write_text(out, quoted ? "\"" : "");
}

static void write_list(Writer *out, const void *data) {
    const List *list = data;
    tml_write_text(out, "run,code,place,step,text\n");
    for (size_t i = 0; i < list->faults->count; i++) {
        char line[256], text[TML_FAULT_TEXT_BYTES];
        const FaultOf *item = &list->faults->items[i];
        const tml_fault *fault = &item->fault;
        snprintf(line, sizeof line, "%llu,E%d,", (unsigned long long)item->run, (int)fault->code);
        tml_write_text(out, line);
        snprintf(line, sizeof line, ":%u:%u", fault->line, fault->column);
        write_cell(out, list->model->files[fault->file], line);
        snprintf(line, sizeof line, ",");
        tml_write_text(out, line);
        if (fault->step != UINT64_MAX) {
            snprintf(line, sizeof line, "%llu", (unsigned long long)fault->step);
            tml_write_text(out, line);
        }
        tml_write_char(out, ',');
        tml_fault_text(text, fault, list->model->texts);
        write_cell(out, text, "");
        tml_write_char(out, '\n');
    }
}

bool tml_faults_write(const Faults *faults, const Plan *plan, const char *path) {
    List list = {faults, plan->model};
    int error = tml_write_whole(path, write_list, &list);
    if (error != 0) {
        tml_report(plan->options->command, "cannot write `%s`: %s", path, strerror(error));
    }
    return error == 0;
}

void tml_faults_report(const Faults *faults, const Plan *plan, uint64_t runs, const char *path) {
    if (faults->count == 0) {
        return;
    }
    char when[64];
    const FaultOf *first = &faults->items[0];
    if (first->fault.step == UINT64_MAX) {
        snprintf(when, sizeof when, " (run %llu, init)", (unsigned long long)first->run);
    } else {
        snprintf(when, sizeof when, " (run %llu, step %llu)", (unsigned long long)first->run,
                 (unsigned long long)first->fault.step);
    }
    tml_report_trap(&first->fault, plan->model, when);
    tml_report(plan->options->command, "%zu of %llu runs trapped, and %s nan%s%s%s", faults->count,
               (unsigned long long)runs, faults->count == 1 ? "is" : "are", path ? "; `" : "",
               path ? path : "", path ? "` lists them" : "");
}

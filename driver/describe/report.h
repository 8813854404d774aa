// What a compiled file needs of the machine that runs it: bytes of memory and code, stack,
// operations; and the budget that these are held against.
#ifndef TMLC_DRIVER_DESCRIBE_REPORT_H
#define TMLC_DRIVER_DESCRIBE_REPORT_H

#include "codegen/codegen.h"
#include "support/arena.h"
#include "support/buffer.h"
#include "support/context.h"
#include "tir/operations.h"
#include "tir/tir.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum BudgetFigure { BUDGET_RAM, BUDGET_STACK, BUDGET_ROM, BUDGET_COUNT } BudgetFigure;

typedef struct ReportBudget {
    unsigned figures; // a bit per BudgetFigure that is limited
    uint64_t limits[BUDGET_COUNT];
} ReportBudget;

// Reads "ram=8k,stack=512,rom=32k" into *budget, beside what it has. False, with *wrong the figure
// that cannot be read.
__attribute__((warn_unused_result)) bool report_budget_parse(ReportBudget *budget, const char *text,
                                                             const char **wrong);

// A function that hosts call, and what one call of it needs.
typedef struct ReportFunction {
    const char *name;          // "output", "fn_distance"
    const CodegenStack *stack; // NULL: not in the object
    bool has_operations;       // not step_n, which makes as many steps as it is told
    Operations operations;
} ReportFunction;

// A variable of the file that is a constant of the object (L10.9).
typedef struct ReportConstant {
    const char *name;
    uint64_t bytes;
} ReportConstant;

// An instance, or an array of them, of which the figures are those of one element.
typedef struct ReportInstance {
    const char *name;
    const char *file; // of its component
    size_t count;     // 0: no array
    uint64_t state;   // with its inputs and outputs
    uint64_t params;
    uint64_t scratch; // arrays in use during a call, which instances share, and those on the stack
    Operations step;  // of a cycle in which it runs
} ReportInstance;

typedef struct Report {
    bool has_structs;                        // a host passes structs: components and libraries
    uint64_t params, inputs, outputs, state; // sizeof; scratch is a part of the state
    uint64_t scratch;
    CodegenReport code;
    LIST_OF(ReportConstant) file_constants;
    LIST_OF(ReportFunction) functions;
    LIST_OF(ReportInstance) instances;
    const SourceMap *sources;
    LIST_OF(const TirDerived *) derivatives; // those of components first
} Report;

// Of a planned program and its object. False, with *error, when there can be no object.
__attribute__((warn_unused_result)) bool report_make(Report *report, Context *context,
                                                     const TirProgram *program,
                                                     CodegenModule *module, const char **error);
// As text, a figure per line; every line begins with `indent`.
void report_print(const Report *report, const char *indent, Buffer *out);
// The same as a JSON object that the caller owns.
json_t *report_json(const Report *report);
// An error (E0910) for each figure that is above its limit.
void report_check(const Report *report, const ReportBudget *budget, const char *path,
                  DiagList *diags);

#endif

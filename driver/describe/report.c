// See report.h. Figures of memory come from planning, those of code and stack from the object, and
// operations are counted on TIR.
#include "driver/describe/report.h"

#include "codegen/unit/instances.h"
#include "driver/describe/host_view.h"
#include "support/json.h"
#include "support/path.h"
#include "types/memory.h"

#include <inttypes.h>
#include <string.h>

static const CodegenStack *find_stack(const CodegenReport *code, const char *symbol) {
    for (size_t i = 0; i < code->stacks.count; i++) {
        if (strcmp(code->stacks.items[i].symbol, symbol) == 0) {
            return &code->stacks.items[i];
        }
    }
    return NULL;
}

// `operations` is NULL where no bound of one call can be told.
static void add_function(Report *report, Arena *arena, const char *prefix, const char *name,
                         const Operations *operations) {
    ReportFunction function = {
        .name = name,
        .stack = find_stack(&report->code, arena_format(arena, "%s_%s", prefix, name)),
        .has_operations = operations != NULL,
        .operations = operations == NULL ? (Operations){0} : *operations,
    };
    LIST_PUSH(arena, &report->functions, function);
}

// A function that the source does not have does nothing.
static const Operations *count_of(const Operations *counts, const TirFunction *function) {
    static const Operations none = {0};
    return function == NULL ? &none : &counts[function->id];
}

static void add_functions(Report *report, Context *context, const HostView *view) {
    Arena *arena = context->arena;
    const TirProgram *program = view->program;
    Operations *counts = operations_count(arena, program);
    if (view->has_state) {
        add_function(report, arena, view->prefix, "init", count_of(counts, program->init));
    }
    if (view->is_component) {
        const Operations *output = count_of(counts, program->output);
        const Operations *update = count_of(counts, program->update);
        Operations step = operations_join(output, update); // L10.4
        add_function(report, arena, view->prefix, "output", output);
        add_function(report, arena, view->prefix, "update", update);
        add_function(report, arena, view->prefix, "step", &step);
        add_function(report, arena, view->prefix, "step_n", NULL);
    }
    if (view->lanes > 0) {
        add_function(report, arena, view->prefix, "init_batch", NULL);
        add_function(report, arena, view->prefix, "step_n_batch", NULL);
    }
    for (size_t i = 0; i < view->functions.count; i++) {
        const TirFunction *function = view->functions.items[i].function;
        add_function(report, arena, view->prefix,
                     arena_format(arena, "fn_%s", function->name->text),
                     count_of(counts, function));
    }
    if (program->entry != NULL && !view->has_state) {
        add_function(report, arena, view->prefix, "main", count_of(counts, program->entry));
    }
}

static void add_constants(Report *report, Arena *arena, const TirProgram *program) {
    for (size_t i = 0; i < program->constants.count; i++) {
        const TirVar *var = program->constants.items[i];
        uint64_t bytes = var->type->numel * (uint64_t)root_bytes(var->type->root, program->single);
        LIST_PUSH(arena, &report->file_constants, ((ReportConstant){var->name->text, bytes}));
    }
}

// Those that one call of it may have on the stack.
static uint64_t arrays_of(const TirProgram *component) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < component->functions.count; i++) {
        uint64_t stack = component->functions.items[i]->stack_bytes;
        bytes = stack > bytes ? stack : bytes;
    }
    return bytes + component->scratch_bytes;
}

static void add_instances(Report *report, Arena *arena, const TirProgram *program) {
    for (size_t i = 0; i < program->instances.count;) {
        const TirInstance *instance = program->instances.items[i];
        const TirProgram *component = instance->component;
        size_t count = instances_alike(program, i);
        bool is_array = instance->is_element && count == instance->count;
        const Operations *counts = operations_count(arena, component);
        ReportInstance row = {
            .name = is_array || !instance->is_element
                        ? instance->name->text
                        : arena_format(arena, "%s[%u]", instance->name->text,
                                       (unsigned)instance->element),
            .file = path_base(component->path),
            .count = is_array ? count : 0,
            .state = instance->state_at - instance->inputs_at +
                     align_up(component->state_bytes, component->state_align),
            .params = component->params_bytes,
            .scratch = arrays_of(component),
            .step = operations_join(count_of(counts, component->output),
                                    count_of(counts, component->update)),
        };
        LIST_PUSH(arena, &report->instances, row);
        i += is_array ? count : 1;
    }
}

static void add_derivatives(Report *report, Context *context, const TirProgram *program) {
    for (size_t i = 0; i < program->components.count; i++) {
        add_derivatives(report, context, program->components.items[i]);
    }
    for (size_t i = 0; i < program->derivatives.count; i++) {
        LIST_PUSH(context->arena, &report->derivatives, &program->derivatives.items[i]);
    }
}

bool report_make(Report *report, Context *context, const TirProgram *program, CodegenModule *module,
                 const char **error) {
    HostView view = host_view(context, program, module);
    *report = (Report){
        .has_structs = view.has_state,
        .params = program->params_bytes == 0 ? 0 : view.structs[HOST_PARAMS].bytes,
        .inputs = program->inputs_bytes == 0 ? 0 : view.structs[HOST_INPUTS].bytes,
        .outputs = program->outputs_bytes == 0 ? 0 : view.structs[HOST_OUTPUTS].bytes,
        .state = view.has_state ? view.structs[HOST_STATE].bytes
                                : program->state_bytes + program->scratch_bytes,
        .scratch = program->scratch_bytes,
    };
    if (!codegen_report(module, &report->code, error)) {
        return false;
    }
    add_constants(report, context->arena, program);
    add_functions(report, context, &view);
    add_instances(report, context->arena, program);
    report->sources = context->sources;
    add_derivatives(report, context, program);
    return true;
}

static void print_bytes(Buffer *out, const char *indent, const char *what, uint64_t bytes,
                        const char *more) {
    buffer_format(out, "%s%-10s %10" PRIu64 " bytes%s\n", indent, what, bytes, more);
}

static void print_operations(const Operations *operations, Buffer *out) {
    if (operations->is_endless) {
        buffer_text(out, "no bound\n");
        return;
    }
    buffer_format(out,
                  "%s%" PRIu64 " flops, %" PRIu64 " calls, %" PRIu64 " loads, %" PRIu64 " stores\n",
                  operations->is_bound ? "at most " : "", operations->flops, operations->calls,
                  operations->loads, operations->stores);
}

static void print_instance(const ReportInstance *instance, const char *indent, Buffer *out) {
    buffer_format(out, "%sinstance   %10" PRIu64 " bytes of state", indent, instance->state);
    if (instance->params > 0) {
        buffer_format(out, ", %" PRIu64 " of params", instance->params);
    }
    if (instance->scratch > 0) {
        buffer_format(out, ", %" PRIu64 " of arrays during a call", instance->scratch);
    }
    buffer_format(out, " in %s", instance->name);
    if (instance->count > 0) {
        buffer_format(out, "[%zu], each", instance->count);
    }
    buffer_text(out, ": ");
    print_operations(&instance->step, out);
}

static void print_place(const Report *report, Span span, Buffer *out) {
    SourcePlace place = sources_place(report->sources, span.start);
    if (place.file != NULL && place.file != sources_file(report->sources, 0)) {
        buffer_format(out, "%s:", path_base(place.file->path));
    }
    buffer_format(out, "%u:%u", (unsigned)place.line, (unsigned)source_character(place));
}

static void print_tape(const Report *report, const TirTape *tape, const char *indent, Buffer *out) {
    buffer_format(out, "%stape       %10" PRIu64 " bytes in ", indent, tape->bytes);
    print_place(report, tape->loop, out);
    buffer_format(out, ": %" PRIu32 " turns of %" PRIu64 " bytes", tape->turns, tape->turn);
    if (tape->sections > 0) {
        buffer_format(out, ", in %" PRIu32 " sections of %" PRIu32, tape->sections, tape->length);
    }
    if (tape->sections > 0 && tape->start != tape->turn) {
        buffer_format(out, " that begin with %" PRIu64, tape->start);
    }
    if (tape->kept > 0) {
        buffer_format(out, ", and %" PRIu64 " behind it", tape->kept);
    }
    buffer_text(out, "\n");
}

static void print_derivative(const Report *report, const TirDerived *derived, const char *indent,
                             Buffer *out) {
    buffer_format(out, "%sderivative ", indent);
    print_place(report, derived->span, out);
    if (derived->is_reverse) {
        buffer_text(out, ": reverse, ");
    } else {
        buffer_format(out, ": forward, %" PRIu32 " direction%s, ", derived->directions,
                      derived->directions == 1 ? "" : "s");
    }
    if (derived->is_endless) {
        buffer_text(out, "no bound");
    } else {
        buffer_format(
            out, "%" PRIu64 " flops, %" PRIu64 " calls (function %" PRIu64 ", %" PRIu64 ")",
            derived->flops, derived->calls, derived->function_flops, derived->function_calls);
    }
    buffer_format(out, ", cost %" PRIu64, derived->cost);
    if (derived->other > 0) {
        buffer_format(out, "; %s would cost %" PRIu64, derived->is_reverse ? "forward" : "reverse",
                      derived->other);
    }
    buffer_format(out, "; tape %" PRIu64 "\n", derived->tape);
    for (size_t i = 0; i < derived->tapes.count; i++) {
        print_tape(report, &derived->tapes.items[i], indent, out);
    }
}

void report_print(const Report *report, const char *indent, Buffer *out) {
    if (report->has_structs) {
        print_bytes(out, indent, "params", report->params, "");
        print_bytes(out, indent, "inputs", report->inputs, "");
        print_bytes(out, indent, "outputs", report->outputs, "");
    }
    print_bytes(out, indent, "state", report->state, "");
    print_bytes(out, indent, "scratch", report->scratch, ", a part of the state");
    print_bytes(out, indent, "constants", report->code.constant_bytes, "");
    for (size_t i = 0; i < report->file_constants.count; i++) {
        const ReportConstant *constant = &report->file_constants.items[i];
        buffer_format(out, "%s           %10" PRIu64 " bytes of these for %s\n", indent,
                      constant->bytes, constant->name);
    }
    print_bytes(out, indent, "code", report->code.code_bytes, "");
    if (report->code.has_kept) {
        print_bytes(out, indent, "linked",
                    report->code.kept_code_bytes + report->code.kept_constant_bytes,
                    " of code and constants, where a host calls init and step alone");
    }
    for (size_t i = 0; i < report->functions.count; i++) {
        const ReportFunction *function = &report->functions.items[i];
        if (function->stack != NULL) {
            buffer_format(out, "%sstack      %10" PRIu64 " bytes in %s%s\n", indent,
                          function->stack->bytes, function->name,
                          function->stack->calls_libm ? ", and what libm takes" : "");
        }
    }
    for (size_t i = 0; i < report->functions.count; i++) {
        const ReportFunction *function = &report->functions.items[i];
        if (function->has_operations) {
            buffer_format(out, "%s%s: ", indent, function->name);
            print_operations(&function->operations, out);
        }
    }
    for (size_t i = 0; i < report->instances.count; i++) {
        print_instance(&report->instances.items[i], indent, out);
    }
    for (size_t i = 0; i < report->derivatives.count; i++) {
        print_derivative(report, report->derivatives.items[i], indent, out);
    }
}

static void describe_operations(json_t *object, const Operations *operations) {
    json_set(object, "operations",
             json_string(operations->is_endless ? "unbounded"
                         : operations->is_bound ? "at most"
                                                : "exact"));
    if (!operations->is_endless) {
        json_set(object, "flops", json_count(operations->flops));
        json_set(object, "calls", json_count(operations->calls));
        json_set(object, "loads", json_count(operations->loads));
        json_set(object, "stores", json_count(operations->stores));
    }
}

static json_t *instance_json(const ReportInstance *instance) {
    json_t *object = json_object();
    json_set(object, "name", json_word(instance->name));
    json_set(object, "file", json_word(instance->file));
    json_set(object, "count", json_count(instance->count == 0 ? 1 : instance->count));
    json_set(object, "state", json_count(instance->state));
    json_set(object, "params", json_count(instance->params));
    json_set(object, "arrays", json_count(instance->scratch));
    describe_operations(object, &instance->step);
    return object;
}

static json_t *function_json(const ReportFunction *function) {
    json_t *object = json_object();
    json_set(object, "name", json_string(function->name));
    if (function->stack != NULL) {
        json_set(object, "stack", json_count(function->stack->bytes));
        json_set(object, "calls_libm", json_boolean(function->stack->calls_libm));
    }
    if (!function->has_operations) {
        return object;
    }
    describe_operations(object, &function->operations);
    return object;
}

static void describe_place(const Report *report, json_t *object, Span span) {
    SourcePlace place = sources_place(report->sources, span.start);
    json_set(object, "file", json_word(path_base(place.file->path)));
    json_set(object, "line", json_count(place.line));
    json_set(object, "column", json_count(source_character(place)));
}

static json_t *tape_json(const Report *report, const TirTape *tape) {
    json_t *object = json_object();
    describe_place(report, object, tape->loop);
    json_set(object, "bytes", json_count(tape->bytes));
    json_set(object, "turns", json_count(tape->turns));
    json_set(object, "turn_bytes", json_count(tape->turn));
    json_set(object, "sections", json_count(tape->sections));
    json_set(object, "section_bytes", json_count(tape->start));
    json_set(object, "kept_bytes", json_count(tape->kept));
    return object;
}

static json_t *derivative_json(const Report *report, const TirDerived *derived) {
    json_t *object = json_object();
    describe_place(report, object, derived->span);
    json_set(object, "way", json_string(derived->is_reverse ? "reverse" : "forward"));
    json_set(object, "directions", json_count(derived->is_reverse ? 0 : derived->directions));
    json_set(object, "cost", json_count(derived->cost));
    if (derived->other > 0) {
        json_set(object, "other_cost", json_count(derived->other));
    }
    if (!derived->is_endless) {
        json_set(object, "flops", json_count(derived->flops));
        json_set(object, "calls", json_count(derived->calls));
        json_set(object, "function_flops", json_count(derived->function_flops));
        json_set(object, "function_calls", json_count(derived->function_calls));
    }
    json_set(object, "tape", json_count(derived->tape));
    json_t *tapes = json_array();
    for (size_t i = 0; i < derived->tapes.count; i++) {
        json_add(tapes, tape_json(report, &derived->tapes.items[i]));
    }
    json_set(object, "tapes", tapes);
    return object;
}

json_t *report_json(const Report *report) {
    json_t *object = json_object();
    if (report->has_structs) {
        json_set(object, "params", json_count(report->params));
        json_set(object, "inputs", json_count(report->inputs));
        json_set(object, "outputs", json_count(report->outputs));
    }
    json_set(object, "state", json_count(report->state));
    json_set(object, "scratch", json_count(report->scratch));
    json_set(object, "constants", json_count(report->code.constant_bytes));
    json_set(object, "code", json_count(report->code.code_bytes));
    if (report->code.has_kept) {
        json_t *linked = json_object();
        json_set(linked, "constants", json_count(report->code.kept_constant_bytes));
        json_set(linked, "code", json_count(report->code.kept_code_bytes));
        json_set(object, "linked", linked);
    }
    json_t *constants = json_array();
    for (size_t i = 0; i < report->file_constants.count; i++) {
        json_t *constant = json_object();
        json_set(constant, "name", json_string(report->file_constants.items[i].name));
        json_set(constant, "bytes", json_count(report->file_constants.items[i].bytes));
        json_add(constants, constant);
    }
    json_set(object, "file_constants", constants);
    json_t *externals = json_array();
    for (size_t i = 0; i < report->code.externals.count; i++) {
        json_add(externals, json_string(report->code.externals.items[i]));
    }
    json_set(object, "externals", externals);
    json_t *functions = json_array();
    for (size_t i = 0; i < report->functions.count; i++) {
        json_add(functions, function_json(&report->functions.items[i]));
    }
    json_set(object, "functions", functions);
    json_t *instances = json_array();
    for (size_t i = 0; i < report->instances.count; i++) {
        json_add(instances, instance_json(&report->instances.items[i]));
    }
    json_set(object, "instances", instances);
    json_t *derivatives = json_array();
    for (size_t i = 0; i < report->derivatives.count; i++) {
        json_add(derivatives, derivative_json(report, report->derivatives.items[i]));
    }
    json_set(object, "derivatives", derivatives);
    return object;
}

static const char *const figure_names[BUDGET_COUNT] = {"ram", "stack", "rom"};

// Reads digits and a k or M; *end is what follows.
static bool parse_bytes(const char *text, uint64_t *bytes, const char **end) {
    *bytes = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (__builtin_mul_overflow(*bytes, 10, bytes) ||
            __builtin_add_overflow(*bytes, (uint64_t)(*at - '0'), bytes)) {
            return false;
        }
    }
    uint64_t unit = *at == 'k' ? 1024 : *at == 'M' ? 1024 * 1024 : 1;
    *end = at + (unit > 1);
    return at > text && !__builtin_mul_overflow(*bytes, unit, bytes);
}

static bool parse_figure(ReportBudget *budget, const char *text, const char **end) {
    for (int figure = 0; figure < BUDGET_COUNT; figure++) {
        size_t len = strlen(figure_names[figure]);
        if (strncmp(text, figure_names[figure], len) == 0 && text[len] == '=') {
            budget->figures |= 1U << figure;
            return parse_bytes(text + len + 1, &budget->limits[figure], end) &&
                   (**end == ',' || **end == '\0');
        }
    }
    return false;
}

bool report_budget_parse(ReportBudget *budget, const char *text, const char **wrong) {
    for (const char *figure = text;;) {
        const char *end = NULL;
        if (!parse_figure(budget, figure, &end)) {
            *wrong = figure;
            return false;
        }
        if (*end == '\0') {
            return true;
        }
        figure = end + 1;
    }
}

static uint64_t figure_of(const Report *report, BudgetFigure figure) {
    uint64_t stack = 0;
    switch (figure) {
    case BUDGET_RAM: return report->state + report->params + report->inputs + report->outputs;
    case BUDGET_ROM: return report->code.code_bytes + report->code.constant_bytes;
    case BUDGET_STACK:
    case BUDGET_COUNT: break;
    }
    for (size_t i = 0; i < report->code.stacks.count; i++) {
        uint64_t bytes = report->code.stacks.items[i].bytes;
        stack = bytes > stack ? bytes : stack;
    }
    return stack;
}

void report_check(const Report *report, const ReportBudget *budget, const char *path,
                  DiagList *diags) {
    for (int figure = 0; figure < BUDGET_COUNT; figure++) {
        uint64_t bytes = figure_of(report, (BudgetFigure)figure);
        uint64_t limit = budget->limits[figure];
        if ((budget->figures & 1U << figure) && bytes > limit) {
            diag_error(diags, DIAG_E0910, (Span){0, 0},
                       "`%s` needs %" PRIu64 " bytes of %s, %" PRIu64 " more than the %" PRIu64
                       " of the budget",
                       path, bytes, figure_names[figure], bytes - limit, limit);
        }
    }
}

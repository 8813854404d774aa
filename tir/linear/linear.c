// One function takes all that is differentiated by as one vector, runs a step on variables of its
// own that are made of it, and returns states and outputs as another one. The step itself is a call
// of this for its Jacobian, which pass_derive makes.
#include "tir/linear/linear.h"

#include "support/bug.h"
#include "support/diag/diag.h"
#include "tir/linear/pure.h"
#include "tir/linear/refuse.h"
#include "tir/visit.h"

enum { COLUMNS = 3 };

typedef struct Linearizing {
    Pure pure;
    TirLinear *linear;
    TirHelds begun; // what a step only reads, and what runs before the first one has made
    Span span;
} Linearizing;

// A function of TirLinear: what it runs, and what it is differentiated by.
typedef struct Goal {
    const char *name, *value_name;    // of it, and of the function of two vectors
    const PureFunction *phases[2];    // NULL: there is none
    uint8_t *uses;                    // of both, by number
    const TirHelds *columns[COLUMNS]; // empty behind the last list
    bool starts;                      // the state has no values before it, nor have inputs
    const struct Goal *start;         // of a step that reads what is begun
    TirFunction *value;
} Goal;

// Which variable is what.

// That of a terminal or property; NULL for other variables.
static const TirInterface *interface_of(const TirHeld *held) {
    const TirProgram *program = held->holder->program;
    for (size_t i = 0; i < program->interface.count; i++) {
        if (program->interface.items[i]->var == held->var) {
            return program->interface.items[i];
        }
    }
    return NULL;
}

static bool is_among(const TirHelds *list, const TirHeld *held) {
    for (size_t k = 0; k < list->count; k++) {
        if (list->items[k].var == held->var && list->items[k].holder == held->holder) {
            return true;
        }
    }
    return false;
}

// What a cycle leaves to the next one: other outputs have none when one starts (L10.3).
static bool is_kept(const TirHeld *held) {
    const TirVar *var = held->var;
    if (var->role == VAR_OUTPUT) {
        return !interface_of(held)->has_feedthrough;
    }
    return var->role == VAR_GLOBAL && var->instance == NULL && var->debug == NULL;
}

static void sort_variables(Linearizing *at, const uint8_t *uses) {
    Arena *arena = at->pure.tir->arena;
    TirLinear *linear = at->linear;
    for (size_t k = 0; k < at->pure.all.count; k++) {
        TirHeld held = at->pure.all.items[k];
        bool is_real = held.var->type->root == ROOT_REAL;
        bool is_of_file = held.holder->outer == NULL;
        if (uses[k] == PURE_WRITTEN && is_kept(&held)) {
            LIST_PUSH(arena, is_real ? &linear->states : &linear->fixed, held);
        }
        if (is_real && held.var->role == VAR_INPUT && is_of_file) {
            LIST_PUSH(arena, &linear->inputs, held);
        } else if (is_real && held.var->role == VAR_TUNABLE && held.var->instance == NULL) {
            LIST_PUSH(arena, &linear->tunables, held);
        } else if (is_real && held.var->role == VAR_OUTPUT && is_of_file) {
            LIST_PUSH(arena, &linear->outputs, held);
        }
    }
}

// What no step writes and may have been made of properties, which the step is to follow.
static void find_begun(Linearizing *at, Goal *step, const Goal *start) {
    bool reads = false;
    for (size_t k = 0; k < at->pure.all.count; k++) {
        const TirHeld *held = &at->pure.all.items[k];
        reads = reads || (start->uses[k] != PURE_NONE && is_among(&at->linear->tunables, held));
    }
    for (size_t k = 0; reads && k < at->pure.all.count; k++) {
        TirHeld held = at->pure.all.items[k];
        if (step->uses[k] == PURE_READ && start->uses[k] == PURE_WRITTEN && is_kept(&held) &&
            held.var->type->root == ROOT_REAL) {
            LIST_PUSH(at->pure.tir->arena, &at->begun, held);
            step->start = start;
        }
    }
}

static uint64_t elements(const TirHelds *list) {
    uint64_t count = 0;
    for (size_t k = 0; k < list->count; k++) {
        count += list->items[k].var->type->numel;
    }
    return count;
}

// Vectors.

static const Type *vector(Tir *tir, uint32_t count) {
    return type_flat(tir->types, ROOT_REAL, 1, &count);
}

static TirExpr *flat(Tir *tir, TirVar *var, Span span) {
    return tir_reshape(tir, vector(tir, var->type->numel), tir_read(tir, var, span), span);
}

// All of them, one behind the other.
static TirExpr *joined(Tir *tir, const TirVars *vars, uint32_t count, Span span) {
    TirExpr **items = ARENA_ARRAY(tir->arena, TirExpr *, vars->count);
    for (size_t k = 0; k < vars->count; k++) {
        items[k] = flat(tir, vars->items[k], span);
    }
    return vars->count == 1 ? items[0]
                            : tir_concat(tir, vector(tir, count), items, vars->count, 0, span);
}

// The elements of a vector from `first` on, as a value of the type.
static TirExpr *part(Tir *tir, TirVar *from, uint32_t first, const Type *type, Span span) {
    TirAxis axis = {.axis = 0, .start = first, .step = 1};
    TirExpr *elements =
        tir_view(tir, vector(tir, type->numel), tir_read(tir, from, span), &axis, span);
    return tir_reshape(tir, type, elements, span);
}

// The function of a vector.

static TirFunction *new_function(Linearizing *at, const char *name) {
    Tir *tir = at->pure.tir;
    TirFunction *function = ARENA_NEW(tir->arena, TirFunction);
    *function = (TirFunction){.name = names_intern_text(tir->names, name),
                              .symbol = name,
                              .span = at->span,
                              .is_made = true};
    return function;
}

static TirVar *add_param(Linearizing *at, TirFunction *function, Name name, const Type *type) {
    Tir *tir = at->pure.tir;
    TirVar *param = tir_var_create(tir, function, VAR_PARAM, name, type, at->span);
    tir_add_param(tir, function, param);
    return param;
}

static void join_program(Linearizing *at, TirFunction *function) {
    tir_stmt(at->pure.tir, &function->body, STMT_RETURN, at->span);
    tir_add_function(at->pure.tir, at->pure.program, function);
}

static bool is_column(const Goal *goal, const TirHeld *held) {
    bool is_one = false;
    for (size_t c = 0; c < COLUMNS; c++) {
        is_one = is_one || is_among(goal->columns[c], held);
    }
    return is_one;
}

// Whether it is no column, and the function has it all the same.
static bool is_other(const Linearizing *at, const Goal *goal, size_t number) {
    const TirHeld *held = &at->pure.all.items[number];
    bool is_used = goal->uses[number] != PURE_NONE || is_among(&at->linear->outputs, held) ||
                   is_among(&at->linear->states, held);
    return is_used && !is_column(goal, held);
}

// What has a value before: all but outputs that are in the memory of a host, and at the start
// properties only.
static bool has_value(const Goal *goal, const TirHeld *held) {
    bool is_output = held->holder->outer == NULL && held->var->role == VAR_OUTPUT;
    return goal->starts ? held->var->role == VAR_TUNABLE
                        : !is_output || !interface_of(held)->is_direct;
}

static TirExpr *zero_of(Tir *tir, const Type *type, Span span) {
    TirExpr *zero = tir_convert(tir, type->root, tir_const_int(tir, 0, span), span);
    return tir_view(tir, type, zero, NULL, span);
}

static TirVar *make_local(Linearizing *at, Goal *goal, const TirHeld *held, TirExpr *value) {
    Tir *tir = at->pure.tir;
    const TirVar *var = held->var;
    TirVar *local = tir_var_create(tir, goal->value, VAR_LOCAL, var->name, var->type, at->span);
    tir_set_var(tir, &goal->value->body, local, value, at->span);
    return local;
}

// The variables of a step, by number. A column begins as a part of the vector, something else as a
// parameter; what is never written is that parameter.
static TirVar **make_variables(Linearizing *at, Goal *goal, TirVar *from) {
    Tir *tir = at->pure.tir;
    size_t count = at->pure.all.count;
    TirVar **vars = ARENA_ARRAY(tir->arena, TirVar *, count + 1);
    uint32_t first = 0;
    for (size_t c = 0; c < COLUMNS; c++) {
        for (size_t k = 0; k < count; k++) {
            const TirHeld *held = &at->pure.all.items[k];
            if (is_among(goal->columns[c], held)) {
                const Type *type = held->var->type;
                vars[k] = make_local(at, goal, held, part(tir, from, first, type, at->span));
                first += type->numel;
            }
        }
    }
    for (size_t k = 0; k < count; k++) {
        const TirHeld *held = &at->pure.all.items[k];
        const Type *type = held->var->type;
        if (!is_other(at, goal, k)) {
            continue;
        }
        if (!has_value(goal, held)) {
            vars[k] = make_local(at, goal, held, zero_of(tir, type, at->span));
            continue;
        }
        vars[k] = add_param(at, goal->value, held->var->name, type);
        if (goal->uses[k] == PURE_WRITTEN) {
            vars[k] = make_local(at, goal, held, tir_read(tir, vars[k], at->span));
        }
    }
    return vars;
}

// Whether the function has a property once more: as what the start reads and nothing is
// differentiated by.
static bool is_again(const Linearizing *at, const Goal *goal, size_t number) {
    const TirHeld *held = &at->pure.all.items[number];
    return goal->start != NULL && goal->start->uses[number] != PURE_NONE &&
           held->var->role == VAR_TUNABLE &&
           (is_among(&at->linear->tunables, held) || !is_other(at, goal, number));
}

// What runs before the first step, on variables of which properties have their values.
static void begin(Linearizing *at, Goal *goal, TirVar **vars) {
    for (size_t k = 0; k < at->pure.all.count; k++) {
        const TirHeld *held = &at->pure.all.items[k];
        if (held->var->role != VAR_TUNABLE && goal->start->uses[k] != PURE_NONE) {
            TirExpr *zero = zero_of(at->pure.tir, held->var->type, at->span);
            vars[k] = make_local(at, goal, held, zero);
        }
    }
    pure_call(&at->pure, goal->start->phases[0], vars, &goal->value->body);
}

// What is added to a variable that the start makes of properties: zero, where it is no number too.
static TirExpr *difference(const Linearizing *at, TirVar *moved, TirVar *fixed) {
    Tir *tir = at->pure.tir;
    const Type *type = fixed->type;
    TirExpr *more = tir_map(tir, OP_SUB, type, tir_read(tir, moved, at->span),
                            tir_read(tir, fixed, at->span), NULL, at->span);
    if (type->root != ROOT_REAL) {
        return more;
    }
    TirExpr *is_number = tir_map(tir, OP_ISFINITE, type_with_root(tir->types, type, ROOT_BOOL),
                                 tir_read(tir, fixed, at->span), NULL, NULL, at->span);
    return tir_map(tir, OP_SELECT, type, is_number, more, zero_of(tir, type, at->span), at->span);
}

// Variables that were made of properties change with them: what the start makes of the properties
// is added, less what it makes of the same properties, by which nothing is differentiated. That is
// zero, so they have the values of the state.
static void follow_properties(Linearizing *at, Goal *goal, TirVar **vars) {
    Tir *tir = at->pure.tir;
    size_t count = at->pure.all.count;
    TirVar **moved = ARENA_ARRAY(tir->arena, TirVar *, count + 1);
    TirVar **fixed = ARENA_ARRAY(tir->arena, TirVar *, count + 1);
    for (size_t k = 0; k < count; k++) {
        const TirHeld *held = &at->pure.all.items[k];
        bool is_one = is_again(at, goal, k);
        fixed[k] = is_one ? add_param(at, goal->value, held->var->name, held->var->type) : vars[k];
        moved[k] = is_among(&at->linear->tunables, held) ? vars[k] : fixed[k];
    }
    begin(at, goal, moved);
    begin(at, goal, fixed);
    for (size_t k = 0; k < count; k++) {
        const TirHeld *held = &at->pure.all.items[k];
        if (is_among(&at->begun, held)) {
            TirExpr *sum = tir_map(tir, OP_ADD, held->var->type, tir_read(tir, vars[k], at->span),
                                   difference(at, moved[k], fixed[k]), NULL, at->span);
            vars[k] = make_local(at, goal, held, sum);
        }
    }
}

static void add_rows(const Linearizing *at, const TirHelds *list, TirVar *const *vars,
                     TirVars *rows) {
    for (size_t k = 0; k < at->pure.all.count; k++) {
        if (is_among(list, &at->pure.all.items[k])) {
            LIST_PUSH(at->pure.tir->arena, rows, vars[k]);
        }
    }
}

// A copy of each output as it is between both halves of the step.
static void keep_outputs(Linearizing *at, Goal *goal, TirVars *outputs) {
    Tir *tir = at->pure.tir;
    for (size_t k = 0; k < outputs->count; k++) {
        TirVar *var = outputs->items[k];
        TirVar *copy = tir_var_create(tir, goal->value, VAR_TEMP, NULL, var->type, at->span);
        tir_set_var(tir, &goal->value->body, copy, tir_read(tir, var, at->span), at->span);
        outputs->items[k] = copy;
    }
}

static void make_value(Linearizing *at, Goal *goal, uint32_t row_count, uint32_t column_count) {
    Tir *tir = at->pure.tir;
    goal->value = new_function(at, goal->value_name);
    TirVar *from = add_param(at, goal->value, NULL, vector(tir, column_count));
    TirVar **vars = make_variables(at, goal, from);
    if (goal->start != NULL) {
        follow_properties(at, goal, vars);
    }
    TirVars outputs = {0}, rows = {0};
    for (size_t phase = 0; phase < 2; phase++) {
        if (goal->phases[phase] != NULL) {
            pure_call(&at->pure, goal->phases[phase], vars, &goal->value->body);
        }
        if (phase == 0 && !goal->starts) {
            add_rows(at, &at->linear->outputs, vars, &outputs);
            keep_outputs(at, goal, &outputs);
        }
    }
    add_rows(at, &at->linear->states, vars, &rows);
    for (size_t k = 0; k < outputs.count; k++) {
        LIST_PUSH(tir->arena, &rows, outputs.items[k]);
    }
    TirVar *result = tir_result_create(tir, goal->value, vector(tir, row_count), at->span);
    tir_set_var(tir, &goal->value->body, result, joined(tir, &rows, row_count, at->span), at->span);
    join_program(at, goal->value);
}

// Its derivative.

static TirLinearFunction make(Linearizing *at, Goal *goal, uint64_t row_count,
                              uint64_t column_count) {
    Tir *tir = at->pure.tir;
    uint32_t dims[] = {(uint32_t)row_count, (uint32_t)column_count};
    TirLinearFunction made = {0};
    if (row_count == 0 || column_count == 0) {
        return made;
    }
    make_value(at, goal, dims[0], dims[1]);
    made.function = new_function(at, goal->name);
    TirVars columns = {0};
    TirExpr **args = ARENA_ARRAY(tir->arena, TirExpr *, goal->value->param_count);
    TirVar **params = ARENA_ARRAY(tir->arena, TirVar *, at->pure.all.count + 1);
    size_t arg_count = 1;
    for (size_t c = 0; c <= COLUMNS + 1; c++) {
        for (size_t k = 0; k < at->pure.all.count; k++) {
            const TirHeld *held = &at->pure.all.items[k];
            bool is_here = c < COLUMNS    ? is_among(goal->columns[c], held)
                           : c == COLUMNS ? is_other(at, goal, k) && has_value(goal, held)
                                          : is_again(at, goal, k);
            if (!is_here) {
                continue;
            }
            if (params[k] == NULL) {
                params[k] = add_param(at, made.function, held->var->name, held->var->type);
                LIST_PUSH(tir->arena, &made.params, *held);
            }
            if (c < COLUMNS) {
                LIST_PUSH(tir->arena, &columns, params[k]);
            } else {
                args[arg_count++] = tir_read(tir, params[k], at->span);
            }
        }
    }
    CHECK(arg_count == goal->value->param_count);
    TirBlock *body = &made.function->body;
    TirVar *point =
        tir_var_create(tir, made.function, VAR_TEMP, NULL, vector(tir, dims[1]), at->span);
    tir_set_var(tir, body, point, joined(tir, &columns, dims[1], at->span), at->span);
    args[0] = tir_read(tir, point, at->span);
    const Type *type = type_flat(tir->types, ROOT_REAL, 2, dims);
    TirVar *result = tir_result_create(tir, made.function, type, at->span);
    static const uint32_t by[] = {0};
    TirStmt *call =
        tir_derivative(tir, body, DERIVATIVE_JACOBIAN, goal->value, args, by, 1, NULL, at->span);
    LIST_PUSH(tir->arena, &call->call.results, result);
    made.function->derivatives = (uint8_t)(goal->value->derivatives + 1);
    join_program(at, made.function);
    return made;
}

// What is refused.

static bool has_one_rate(const Linearizing *at, const TirProgram *program) {
    bool has_one = true;
    for (size_t k = 0; k < program->instances.count; k++) {
        const TirInstance *instance = program->instances.items[k];
        if (instance->every > 1) {
            Diag *diag = diag_error(at->pure.tir->diags, DIAG_E0764, instance->span,
                                    "a system with instances that run every %u cycles cannot be "
                                    "linearized",
                                    (unsigned)instance->every);
            diag_note(diag, "no single pair of matrices is right for all of its cycles: linearize "
                            "the parts of each rate");
            return false;
        }
        has_one = has_one && has_one_rate(at, instance->component);
    }
    return has_one;
}

static bool has_size(const Linearizing *at, uint64_t rows, uint64_t columns) {
    enum { MOST_BYTES = 1 << 30 };
    if (rows == 0 || columns == 0) {
        diag_error(at->pure.tir->diags, DIAG_E0760, at->span,
                   "there is nothing to linearize: the component has no real %s",
                   rows == 0 ? "states or outputs" : "states, inputs or tunable properties");
        return false;
    }
    if (rows * columns > MOST_BYTES / sizeof(double)) {
        diag_error(at->pure.tir->diags, DIAG_E0906, at->span,
                   "%llu states and outputs by %llu states, inputs and properties are too many to "
                   "linearize",
                   (unsigned long long)rows, (unsigned long long)columns);
        return false;
    }
    return true;
}

// What the functions of both halves use.
static void find_uses(Linearizing *at, Goal *goal, const TirFunction *first,
                      const TirFunction *second) {
    size_t count = at->pure.all.count;
    const TirFunction *phases[] = {first, second};
    goal->uses = ARENA_ARRAY(at->pure.tir->arena, uint8_t, count + 1);
    for (size_t phase = 0; phase < 2; phase++) {
        const TirFunction *from = phases[phase];
        const PureFunction *function =
            from == NULL ? NULL : pure_function(&at->pure, at->pure.root, from);
        for (size_t k = 0; function != NULL && k < count; k++) {
            uint8_t use = function->uses[k];
            goal->uses[k] = use > goal->uses[k] ? use : goal->uses[k];
        }
        goal->phases[phase] = function;
        at->span = at->span.end == 0 && from != NULL ? from->span : at->span;
    }
}

void tir_linearize(Tir *tir, TirProgram *program) {
    Linearizing at = {.pure = pure_begin(tir, program), .linear = ARENA_NEW(tir->arena, TirLinear)};
    TirLinear *linear = at.linear;
    static const TirHelds none;
    Goal step = {.name = "linear.step",
                 .value_name = "linear.step.value",
                 .columns = {&linear->states, &linear->inputs, &linear->tunables}};
    Goal start = {.name = "linear.start",
                  .value_name = "linear.start.value",
                  .columns = {&linear->tunables, &none, &none},
                  .starts = true};
    find_uses(&at, &step, program->output, program->update);
    find_uses(&at, &start, program->init, NULL);
    sort_variables(&at, step.uses);
    find_begun(&at, &step, &start);
    uint64_t states = elements(&linear->states), tunables = elements(&linear->tunables);
    uint64_t rows = states + elements(&linear->outputs);
    uint64_t columns = states + elements(&linear->inputs) + tunables;
    if (tir->diags->error_count > 0 || !has_one_rate(&at, program) ||
        !has_size(&at, rows, columns)) {
        return;
    }
    linear->rows = (uint32_t)rows;
    linear->columns = (uint32_t)columns;
    linear->step = make(&at, &step, rows, columns);
    linear->start = make(&at, &start, states, tunables);
    linear_refuse(tir, step.value);
    linear_refuse(tir, start.value);
    program->linear = linear;
}

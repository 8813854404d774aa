// What becomes of hardware when what is done to terminals is known to be right (L16). In an
// instance its terminals become variables, which the file that holds it gives and shows. With
// --io=mmio each access, which checking has made a `set` of its own, becomes an input or output at
// an address, and the terminals go; those with dma become variables, too, which a cycle reads when
// it begins and writes when it ends.
#include "sema/component/component.h"

#include "tir/rewrite.h"
#include "tir/visit.h"

typedef struct Placing {
    Checker *checker;
    TirInterface **by_var; // the variables of hardware by id
    TirFunction *function; // at hand
} Placing;

// Of a variable that is accessed in place; else NULL.
static const TirInterface *placed(const Placing *placing, const TirVar *var) {
    const TirInterface *item = tir_var_is_global(var) ? placing->by_var[var->id] : NULL;
    return item != NULL && item->var == var && !item->io->is_dma ? item : NULL;
}

static TirExpr *position_of(Placing *placing, const TirInterface *item, const TirAxis *axis,
                            Span span) {
    Tir *tir = &placing->checker->tir;
    if (axis == NULL || axis->index == NULL) {
        return tir_const_int(tir, axis == NULL ? 0 : (int32_t)axis->start, span);
    }
    const Type *type = type_with_root(tir->types, item->type, ROOT_INT);
    return tir_view(tir, type_scalar(tir->types, ROOT_INT), tir_iota(tir, type, span), axis, span);
}

// False where the elements have no equal distance.
static bool find_elements(Placing *placing, const TirInterface *item, const TirExpr *place,
                          TirHardware *at) {
    const TirAxis *axis = NULL;
    const Type *type = place->type;
    for (; place->kind != EXPR_VAR; place = place->operand) {
        if (place->kind == EXPR_VIEW) {
            axis = place->view.axes;
            break;
        }
    }
    uint64_t moved = axis == NULL ? item->type->numel : 1;
    if (axis != NULL && axis->axis >= 0) {
        moved = place->type->dims[axis->axis];
    }
    bool is_bottom = axis == NULL || place->view.operand->kind == EXPR_VAR;
    if (!is_bottom || moved != type->numel) {
        return false;
    }
    *at = (TirHardware){.io = item->io,
                        .position = position_of(placing, item, axis, place->span),
                        .step = axis == NULL || axis->axis < 0 ? 1 : axis->step};
    return true;
}

static void refuse(Placing *placing, const TirInterface *item, Span span) {
    check_error(placing->checker, DIAG_E0720, span,
                "with `--io=mmio` `%s` is accessed whole, at one index or in one range",
                item->io->name->text);
}

static void look_for_uses(const TirExpr *expr, void *data) {
    Placing *placing = data;
    const TirInterface *item = expr->kind == EXPR_VAR ? placed(placing, expr->var) : NULL;
    if (item != NULL) {
        refuse(placing, item, expr->span);
    }
    tir_read_operands(expr, look_for_uses, data);
}

static void read_hardware(Placing *placing, TirBlock *block, TirVar *var, TirHardware at,
                          Span span) {
    TirStmt *stmt = tir_stmt(&placing->checker->tir, block, STMT_INPUT, span);
    stmt->input.var = var;
    stmt->input.at = at;
}

// Elements of a place get theirs of a temporary.
static void read_into(Placing *placing, TirBlock *block, TirExpr *place, TirHardware at,
                      Span span) {
    Tir *tir = &placing->checker->tir;
    if (place->kind == EXPR_VAR) {
        read_hardware(placing, block, place->var, at, span);
        return;
    }
    TirVar *var = tir_var_create(tir, placing->function, VAR_TEMP, NULL, place->type, span);
    read_hardware(placing, block, var, at, span);
    tir_set(tir, block, place, tir_read(tir, var, span), span);
}

static void write_hardware(Placing *placing, TirBlock *block, TirExpr *value, TirHardware at,
                           Span span) {
    TirStmt *stmt = tir_stmt(&placing->checker->tir, block, STMT_OUTPUT, span);
    stmt->output.value = value;
    stmt->output.at = at;
}

static void place_set(Placing *placing, TirBlock *out, TirStmt *stmt) {
    TirExpr *place = stmt->set.place;
    TirExpr *value = stmt->set.value;
    const TirExpr *bottom = tir_bottom(value);
    const TirInterface *from = bottom->kind == EXPR_VAR ? placed(placing, bottom->var) : NULL;
    const TirInterface *to = placed(placing, tir_place_var(place));
    TirHardware at;
    if (from != NULL && find_elements(placing, from, value, &at)) {
        read_into(placing, out, place, at, stmt->span);
    } else if (to != NULL && find_elements(placing, to, place, &at)) {
        look_for_uses(value, placing);
        write_hardware(placing, out, value, at, stmt->span);
    } else {
        tir_read_exprs(stmt, look_for_uses, placing);
        LIST_PUSH(placing->checker->arena, out, stmt);
        return;
    }
    placing->function->has_effects = true;
}

static TirHardware whole(Placing *placing, const TirInterface *item) {
    return (TirHardware){.io = item->io,
                         .position = tir_const_int(&placing->checker->tir, 0, item->span),
                         .step = 1};
}

// Whether a cycle of this component reads or writes it whole; instances have cycles of their own.
static bool is_of_cycle(const TirInterface *item, TirInterfaceKind kind) {
    return item->io->is_dma && item->kind == kind && item->var != NULL;
}

// What the cycle writes when it ends.
static void flush(Placing *placing, TirBlock *out) {
    const TirProgram *program = placing->checker->program;
    for (size_t k = 0; k < program->hardware.count; k++) {
        const TirInterface *item = program->hardware.items[k];
        if (is_of_cycle(item, INTERFACE_OUTPUT)) {
            TirExpr *value = tir_read(&placing->checker->tir, item->var, item->span);
            write_hardware(placing, out, value, whole(placing, item), item->span);
        }
    }
}

static bool place_stmt(TirStmt *stmt, TirBlock *out, void *data) {
    Placing *placing = data;
    if (stmt->kind == STMT_SET) {
        place_set(placing, out, stmt);
        return true;
    }
    if (stmt->kind == STMT_CALL) { // callees come before callers
        placing->function->has_effects |= stmt->call.function->has_effects;
    }
    tir_read_exprs(stmt, look_for_uses, placing);
    return false;
}

static void place_function(Placing *placing, TirFunction *function) {
    const TirProgram *program = placing->checker->program;
    const TirFunction *output = program->output != NULL ? program->output : program->update;
    const TirFunction *update = program->update != NULL ? program->update : program->output;
    bool begins = output != NULL && output->id == function->id;
    bool ends = update != NULL && update->id == function->id;
    TirBlock first = {0};
    placing->function = function;
    for (size_t k = 0; begins && k < program->hardware.count; k++) {
        const TirInterface *item = program->hardware.items[k];
        if (is_of_cycle(item, INTERFACE_INPUT)) {
            read_hardware(placing, &first, item->var, whole(placing, item), item->span);
        }
    }
    tir_rewrite_outer_first(&placing->checker->tir, &function->body, place_stmt, placing);
    tir_append(&placing->checker->tir, &first, &function->body);
    if (ends) { // entry functions have no `return`
        flush(placing, &first);
    }
    function->body = first;
}

// The variables of hardware leave the interface; what is accessed in place is no variable any more.
static void take_terminals(Placing *placing) {
    Checker *checker = placing->checker;
    TirProgram *program = checker->program;
    placing->by_var = ARENA_ARRAY(checker->arena, TirInterface *, checker->tir.global_count);
    const TirHardwareItems of_instances = program->hardware;
    program->hardware = (TirHardwareItems){0};
    size_t kept = 0;
    for (size_t k = 0; k < program->interface.count; k++) {
        TirInterface *item = program->interface.items[k];
        if (item->io == NULL) {
            program->interface.items[kept++] = item;
            continue;
        }
        placing->by_var[item->var->id] = item;
        LIST_PUSH(checker->arena, &program->hardware, item);
    }
    program->interface.count = kept;
    for (size_t k = 0; k < of_instances.count; k++) {
        LIST_PUSH(checker->arena, &program->hardware, of_instances.items[k]);
    }
    kept = 0;
    for (size_t k = 0; k < program->globals.count; k++) {
        TirVar *var = program->globals.items[k];
        if (!checker->options->mmio || placed(placing, var) == NULL) {
            program->globals.items[kept++] = var;
            if (placing->by_var[var->id] != NULL) {
                var->role = VAR_GLOBAL;
                var->name = placing->by_var[var->id]->io->name;
            }
        }
    }
    program->globals.count = kept;
}

void check_place_hardware(Checker *checker) {
    Placing placing = {.checker = checker};
    if (!checker->options->mmio && checker->use == NULL) {
        return;
    }
    take_terminals(&placing);
    for (size_t k = 0; checker->options->mmio && k < checker->program->functions.count; k++) {
        place_function(&placing, checker->program->functions.items[k]);
    }
    for (uint32_t k = 0; k < checker->program->globals.count; k++) {
        checker->program->globals.items[k]->id = k;
    }
    checker->tir.global_count = (uint32_t)checker->program->globals.count;
}

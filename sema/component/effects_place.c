// Which elements of an output an assignment reaches, as far as constants tell: positions, ranges,
// and the variables of loops whose bounds are constants.
#include "sema/component/effects.h"
#include "support/buffer.h"
#include "tir/view.h"

enum { COUNTED = 64 }; // elements that are told apart

uint64_t effects_all_elements(const Type *type) {
    if (type->numel > COUNTED) {
        return 1;
    }
    return UINT64_MAX >> (COUNTED - type->numel);
}

// Positions first, first + step, ... along one dim.
typedef struct Positions {
    int64_t first, step, count;
} Positions;

static bool positions_hold(const Positions *positions, int64_t position) {
    int64_t way = position - positions->first;
    if (positions->count == 1 || positions->step == 0) {
        return way == 0;
    }
    return way % positions->step == 0 && way / positions->step >= 0 &&
           way / positions->step < positions->count;
}

static bool positions_hold_all(const Positions *positions, uint32_t length) {
    bool holds_ends =
        positions_hold(positions, 0) && positions_hold(positions, (int64_t)length - 1);
    return holds_ends && (length <= 2 || positions->step == 1 || positions->step == -1);
}

// The loop that sets the variable; loop_count when its values are not known.
static size_t find_loop(const TirVar *var, const Loop *loops, size_t loop_count) {
    for (size_t k = loop_count; k-- > 0;) {
        if (loops[k].var == var) {
            return k;
        }
    }
    return loop_count;
}

// The positions of each dim that a view moves along; false when they are not known. No loop may
// move along two dims: it would reach a diagonal only.
static bool view_positions(const TirExpr *view, const Loop *loops, size_t loop_count,
                           Positions *positions, size_t *outermost) {
    const Type *operand = view->view.operand->type;
    for (size_t d = 0; d < operand->flat_rank; d++) {
        const TirAxis *axis = &view->view.axes[d];
        if (axis->index == NULL) {
            int64_t count = axis->axis < 0 ? 1 : view->type->dims[axis->axis];
            positions[d] = (Positions){axis->start, axis->step, count};
            continue;
        }
        size_t loop = axis->index->kind == EXPR_VAR ? find_loop(axis->index->var, loops, loop_count)
                                                    : loop_count;
        if (loop == loop_count) {
            return false;
        }
        for (size_t before = 0; before < d; before++) {
            const TirExpr *index = view->view.axes[before].index;
            if (index != NULL && index->var == axis->index->var) {
                return false;
            }
        }
        positions[d] = (Positions){loops[loop].first, loops[loop].step, loops[loop].count};
        *outermost = loop < *outermost ? loop : *outermost;
    }
    return true;
}

// The elements at all combinations of the positions.
static uint64_t combine(const Type *type, const Positions *positions) {
    if (type->numel > COUNTED) {
        for (size_t d = 0; d < type->flat_rank; d++) {
            if (!positions_hold_all(&positions[d], type->dims[d])) {
                return 0;
            }
        }
        return 1;
    }
    uint64_t elements = 1;
    for (size_t d = 0; d < type->flat_rank; d++) {
        uint64_t longer = 0;
        for (uint32_t i = 0; i < type->dims[d]; i++) {
            for (uint32_t at = 0; positions_hold(&positions[d], i) && at < COUNTED; at++) {
                longer |= (elements >> at & 1) == 0 ? 0 : (uint64_t)1 << (at * type->dims[d] + i);
            }
        }
        elements = longer;
    }
    return elements;
}

uint64_t effects_reached(const TirExpr *place, const Loop *loops, size_t loop_count,
                         size_t *outermost) {
    *outermost = loop_count;
    place = reshape_skip(place);
    if (place->kind == EXPR_VAR) {
        return effects_all_elements(place->type);
    }
    const TirExpr *bottom = reshape_skip(place->view.operand);
    Positions positions[TYPE_FLAT_LIMIT];
    if (bottom->kind != EXPR_VAR ||
        !view_positions(place, loops, loop_count, positions, outermost)) {
        return 0;
    }
    return combine(place->view.operand->type, positions);
}

const char *effects_element(const Effects *effects, const Terminal *terminal, uint64_t elements) {
    const Type *type = terminal->interface->type;
    if (type_is_scalar(type) || type->numel > COUNTED || elements == 0) {
        return NULL;
    }
    uint32_t element = 0;
    while ((elements >> element & 1) == 0) {
        element++;
    }
    Buffer text = {0};
    buffer_text(&text, effects_name(effects, terminal));
    uint32_t rest = type->numel;
    for (; type_is_tensor(type); type = type->base) {
        for (size_t d = 0; d < type->rank; d++) {
            rest /= type->dims[d];
            buffer_format(&text, "%s%u", d == 0 ? "[" : ", ", element / rest);
            element %= rest;
        }
        buffer_text(&text, "]");
    }
    const char *copy = arena_copy_text(effects->arena, text.data, text.len);
    buffer_free(&text);
    return copy;
}

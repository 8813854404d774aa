// What is asked of a destination before its code is there: its parts, whether row-major positions
// are consecutive in memory, and whether lanes can be stored at once.
#include "codegen/plan/destination.h"

#include "codegen/plan/estimate.h"
#include "support/bug.h"
#include "tir/view.h"
#include "tir/visit.h"

size_t destination_part_count(const TirExpr *value) {
    return value->kind == EXPR_LITERAL ? value->literal.count : value->concat.count;
}

const TirExpr *destination_part_value(const TirExpr *value, size_t number) {
    return value->kind == EXPR_LITERAL ? value->literal.items[number] : value->concat.items[number];
}

Destination destination_part(const Destination *outer, const TirExpr *value, size_t number,
                             const Destination *before) {
    bool is_literal = value->kind == EXPR_LITERAL;
    Destination part = {
        .kind = is_literal ? INTO_STACKED_PART : INTO_CONCAT_PART,
        .type = destination_part_value(value, number)->type,
        .outer = outer,
        .axis = is_literal ? 0 : value->concat.axis,
    };
    if (before != NULL) {
        part.start =
            before->start + (is_literal ? before->type->numel : before->type->dims[part.axis]);
    }
    return part;
}

static const Destination *outermost(const Destination *to) {
    while (to->kind != INTO_PLACE) {
        to = to->outer;
    }
    return to;
}

bool destination_streams(const Destination *to) {
    return outermost(to)->streams;
}

const TirExpr *destination_rows(const Destination *to) {
    while (to->kind == INTO_STACKED_PART) {
        to = to->outer;
    }
    return to->kind == INTO_PLACE ? to->place : NULL;
}

const TirVar *destination_var(const Destination *to) {
    return tir_place_var(outermost(to)->place);
}

bool destination_is_contiguous(const Destination *to) {
    switch (to->kind) {
    case INTO_PLACE: return reshape_skip(to->place)->kind == EXPR_VAR;
    case INTO_STACKED_PART: return destination_is_contiguous(to->outer);
    case INTO_CONCAT_PART: return to->axis == 0 && destination_is_contiguous(to->outer);
    }
    UNREACHABLE();
}

bool destination_has_lanes(const PlanFacts *facts, const Destination *to, const int64_t *steps) {
    switch (to->kind) {
    case INTO_PLACE: return element_has_lanes(facts, to->place, steps);
    case INTO_STACKED_PART: return destination_is_contiguous(to);
    case INTO_CONCAT_PART: return destination_has_lanes(facts, to->outer, steps);
    }
    UNREACHABLE();
}

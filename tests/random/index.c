// Indices (L7): of values, and of places on the left of an assignment.
#include "tests/random/generator.h"

#include <stdlib.h>
#include <string.h>

static bool is_index_var(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return var->type.depth == 0 && (var->type.root == FUZZ_INT || var->type.root == FUZZ_UINT);
}

static bool is_loop_var(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return var->is_loop;
}

// An index that needs a loop's variable to stay within the dim. False where there is none.
static bool loop_index(Fuzz *fuzz, unsigned dim) {
    const FuzzVar *var = fuzz_find_var(fuzz, is_loop_var, NULL);
    if (!var || (fuzz_is_size(dim) && var->size != dim) || (!fuzz_is_size(dim) && var->size != 0)) {
        return false;
    }
    if (var->size != 0) {
        fuzz_text(fuzz, var->name);
        return true;
    }
    int last = (int)dim - 1;
    if (var->last - var->first > last) {
        return false;
    }
    // Any offset between these keeps all values of the variable inside; or it counts down.
    int least = -var->first;
    int greatest = last - var->last;
    if (fuzz_percent(fuzz, 25)) {
        buffer_format(fuzz->out, "%d - %s",
                      var->last + (int)fuzz_below(fuzz, (unsigned)(greatest - least + 1)),
                      var->name);
        return true;
    }
    int offset = least + (int)fuzz_below(fuzz, (unsigned)(greatest - least + 1));
    fuzz_text(fuzz, var->name);
    if (offset != 0) {
        buffer_format(fuzz->out, " %c %d", offset < 0 ? '-' : '+', abs(offset));
    }
    return true;
}

// One that is computed and inside whatever is computed.
void fuzz_computed_index(Fuzz *fuzz, unsigned dim, int fuel) {
    FuzzType type = fuzz_scalar(fuzz_percent(fuzz, 50) ? FUZZ_UINT : FUZZ_INT);
    bool is_clamped = type.root == FUZZ_INT && fuzz_percent(fuzz, 50) && !fuzz_is_size(dim);
    fuzz_text(fuzz, is_clamped ? "clamp(" : "uint(");
    fuzz_argument(fuzz, &type, fuel);
    if (is_clamped) {
        buffer_format(fuzz->out, ", 0, %u)", dim - 1);
    } else if (fuzz_is_size(dim)) {
        fuzz_text(fuzz, ") % uint(");
        fuzz_dim_text(dim, fuzz->out);
        fuzz_text(fuzz, ")");
    } else {
        buffer_format(fuzz->out, ") %% %uu", dim);
    }
}

void fuzz_index(Fuzz *fuzz, unsigned dim, int fuel) {
    static const FuzzRoot roots[] = {FUZZ_INT, FUZZ_UINT};
    const FuzzVar *var = NULL;
    if (dim == 1 && fuzz_percent(fuzz, 60)) {
        // Any index reaches the one element (L7.6).
        FuzzType type = fuzz_scalar(roots[fuzz_below(fuzz, 2)]);
        fuzz_argument(fuzz, &type, fuel - 1);
    } else if (fuzz_percent(fuzz, 25) && fuzz_index_call(fuzz, dim, fuel)) {
        return;
    } else if (fuzz_percent(fuzz, fuzz->risk) && (var = fuzz_find_var(fuzz, is_index_var, NULL))) {
        fuzz_text(fuzz, var->name);
    } else if (fuzz_percent(fuzz, 60) && loop_index(fuzz, dim)) {
        return;
    } else if (fuel > 0 && fuzz_percent(fuzz, 40)) {
        fuzz_computed_index(fuzz, dim, fuel - 1);
    } else if (fuzz_is_size(dim)) {
        fuzz_dim_text(dim, fuzz->out);
        fuzz_text(fuzz, " - 1");
    } else {
        buffer_format(fuzz->out, "%u%s", fuzz_below(fuzz, dim), fuzz_percent(fuzz, 20) ? "u" : "");
    }
}

// The range start:end:step over a dim, with or without the ends that may be left out.
static void stepped_range(Fuzz *fuzz, unsigned dim, int start, int end, int step) {
    int first = step > 0 ? 0 : (int)dim - 1;
    int last = step > 0 ? (int)dim : -1;
    if (start != first || fuzz_percent(fuzz, 50)) {
        fuzz_constant(fuzz, start);
    }
    fuzz_text(fuzz, ":");
    if (end != last || fuzz_percent(fuzz, 50)) {
        fuzz_constant(fuzz, end);
    }
    fuzz_text(fuzz, ":");
    fuzz_constant(fuzz, step);
}

// A range of a constant length that begins where an index says (L7.5).
static void window(Fuzz *fuzz, unsigned dim, unsigned length) {
    Buffer start = {0};
    Buffer *out = fuzz->out;
    unsigned starts = dim - length + 1;
    bool takes_risk = fuzz_percent(fuzz, fuzz->risk);
    fuzz->out = &start;
    fuzz->index_depth++;
    if (!loop_index(fuzz, takes_risk ? dim : starts)) {
        fuzz_computed_index(fuzz, starts, 0);
    }
    fuzz->index_depth--;
    fuzz->out = out;
    if (fuzz_percent(fuzz, 50)) {
        buffer_format(out, "%s:%u + %s", start.data, length, start.data);
    } else {
        buffer_format(out, "%s:%s + %u", start.data, start.data, length);
    }
    buffer_free(&start);
}

void fuzz_range(Fuzz *fuzz, unsigned dim, unsigned length) {
    if (dim == length && (fuzz_is_size(dim) || fuzz_percent(fuzz, 50))) {
        fuzz_text(fuzz, ":");
        return;
    }
    if (dim == 1) {
        unsigned start = fuzz_below(fuzz, 4);
        buffer_format(fuzz->out, "%u:%u", start, start + length);
        return;
    }
    if (!fuzz_is_size(dim) && fuzz_percent(fuzz, 15)) {
        window(fuzz, dim, length);
        return;
    }
    int most = length > 1 ? (int)(dim - 1) / (int)(length - 1) : 2;
    int step = 1 + (int)fuzz_below(fuzz, (unsigned)most);
    int span = step * (int)(length - 1);
    int start = (int)fuzz_below(fuzz, dim - (unsigned)span);
    int end = start + span + 1 + (int)fuzz_below(fuzz, (unsigned)step);
    end = end > (int)dim ? (int)dim : end;
    if (fuzz_percent(fuzz, 25)) {
        // The same elements, walked down.
        int below = start - 1;
        start += span;
        stepped_range(fuzz, dim, start, below, -step);
    } else if (step != 1 || fuzz_percent(fuzz, 10)) {
        stepped_range(fuzz, dim, start, end, step);
    } else if (start == 0 && fuzz_percent(fuzz, 50)) {
        buffer_format(fuzz->out, ":%d", end);
    } else if (end == (int)dim && fuzz_percent(fuzz, 50)) {
        buffer_format(fuzz->out, "%d:", start);
    } else {
        fuzz_constant(fuzz, start);
        fuzz_text(fuzz, ":");
        fuzz_constant(fuzz, end);
    }
}

// The length of a random range along a dim.
static unsigned range_length(Fuzz *fuzz, unsigned dim, bool on_left) {
    if (fuzz_is_size(dim)) {
        return dim;
    }
    return dim == 1 && !on_left ? 1 + fuzz_below(fuzz, 3) : 1 + fuzz_below(fuzz, dim);
}

// A run of one-index brackets, or one bracket that counts elements or selects some (L7.3). Counting
// must be the last bracket: *is_last.
static FuzzType run_of_brackets(Fuzz *fuzz, const FuzzType *type, bool *is_last, int fuel) {
    const FuzzLevel *level = &type->levels[0];
    FuzzType base = fuzz_base(type);
    unsigned numel = fuzz_level_numel(level);
    unsigned kind = fuzz_below(fuzz, 3);
    if (kind == 0 || !fuzz_is_concrete(type)) {
        for (unsigned k = 0; k < level->rank; k++) {
            fuzz_text(fuzz, "[");
            fuzz_index(fuzz, level->dims[k], fuel);
            fuzz_text(fuzz, "]");
        }
        return base;
    }
    *is_last = true;
    fuzz_text(fuzz, "[");
    if (kind == 1 || numel == 1) {
        fuzz_index(fuzz, numel, fuel);
        fuzz_text(fuzz, "]");
        return base;
    }
    FuzzLevel selected = {1, {1 + fuzz_below(fuzz, numel)}};
    fuzz_range(fuzz, numel, selected.dims[0]);
    fuzz_text(fuzz, "]");
    return fuzz_tensor_of(&base, &selected);
}

// One bracket with all indices. `...` may stand for some `:`.
static FuzzType whole_bracket(Fuzz *fuzz, const FuzzType *type, bool on_left, int fuel) {
    const FuzzLevel *level = &type->levels[0];
    FuzzType base = fuzz_base(type);
    FuzzLevel kept = {0};
    unsigned dots_from = level->rank;
    unsigned dots_to = level->rank;
    if (fuzz_percent(fuzz, 20)) {
        dots_from = fuzz_below(fuzz, level->rank);
        dots_to = dots_from + 1 + fuzz_below(fuzz, level->rank - dots_from);
    } else {
        dots_from++;
    }
    fuzz_text(fuzz, "[");
    for (unsigned k = 0; k <= level->rank; k++) {
        bool has_dots = k == dots_from;
        if (has_dots) {
            fuzz_text(fuzz, k > 0 ? ", ..." : "...");
            for (; k < dots_to; k++) {
                kept.dims[kept.rank++] = level->dims[k];
            }
        }
        if (k == level->rank) {
            break;
        }
        fuzz_text(fuzz, k > 0 || has_dots ? ", " : "");
        if (fuzz_percent(fuzz, 55)) {
            fuzz_index(fuzz, level->dims[k], fuel);
        } else {
            unsigned length = range_length(fuzz, level->dims[k], on_left);
            fuzz_range(fuzz, level->dims[k], length);
            kept.dims[kept.rank++] = length;
        }
    }
    fuzz_text(fuzz, "]");
    return kept.rank == 0 ? base : fuzz_tensor_of(&base, &kept);
}

FuzzType fuzz_brackets(Fuzz *fuzz, const FuzzType *type, bool on_left, int fuel) {
    FuzzType current = *type;
    bool is_last = false;
    unsigned more = 100;
    fuzz->index_depth++;
    while (!is_last && current.depth > 0 && fuzz_percent(fuzz, more)) {
        if (current.levels[0].rank > 1 && fuzz_percent(fuzz, 40)) {
            current = run_of_brackets(fuzz, &current, &is_last, fuel);
        } else {
            current = whole_bracket(fuzz, &current, on_left, fuel);
        }
        more = 40;
    }
    if (!is_last && current.depth == 0 && fuzz_percent(fuzz, 4)) {
        // A scalar takes any number of further indices (L7.6).
        fuzz_text(fuzz, "[");
        fuzz_index(fuzz, 1, fuel);
        fuzz_text(fuzz, "]");
    }
    fuzz->index_depth--;
    return current;
}

static bool is_tensor(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return var->type.depth > 0;
}

bool fuzz_element_of_var(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    size_t start = fuzz->out->len;
    const FuzzVar *var = fuzz_find_var(fuzz, is_tensor, NULL);
    if (!var) {
        return false;
    }
    Buffer *out = fuzz->out;
    Buffer brackets = {0};
    fuzz->out = &brackets;
    FuzzType selected = fuzz_brackets(fuzz, &var->type, false, fuel - 1);
    fuzz->out = out;
    bool is_cast = !fuzz_equal(&selected, type);
    bool is_possible = fuzz_fits(&selected, type) && fuzz_numel(&selected) <= 4 * fuzz->numel;
    if (is_possible) {
        if (is_cast) {
            fuzz_type_text(type, out);
        }
        buffer_format(out, is_cast ? "(%s%s)" : "%s%s", var->name, brackets.data);
    }
    buffer_free(&brackets);
    return is_possible && fuzz->out->len > start;
}

bool fuzz_element(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == FUZZ_DEPTH || fuzz_numel(type) > fuzz->numel) {
        return false;
    }
    FuzzLevel level = fuzz_random_level(fuzz, 3, fuzz->numel / fuzz_numel(type));
    FuzzType from = fuzz_tensor_of(type, &level);
    fuzz_text(fuzz, "(");
    fuzz_argument(fuzz, &from, fuel - 1);
    fuzz_text(fuzz, ")[");
    fuzz->index_depth++;
    for (unsigned k = 0; k < level.rank; k++) {
        fuzz_text(fuzz, k > 0 ? ", " : "");
        fuzz_index(fuzz, level.dims[k], fuel - 1);
    }
    fuzz->index_depth--;
    fuzz_text(fuzz, "]");
    return true;
}

bool fuzz_slice(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == 0 || fuzz_numel(type) > fuzz->numel) {
        return false;
    }
    FuzzType from = *type;
    FuzzLevel *level = &from.levels[0];
    unsigned added = level->rank < FUZZ_RANK && fuzz_percent(fuzz, 40)
                         ? fuzz_below(fuzz, level->rank + 1)
                         : FUZZ_RANK;
    if (added < FUZZ_RANK) {
        memmove(level->dims + added + 1, level->dims + added,
                (level->rank - added) * sizeof(level->dims[0]));
        level->dims[added] = fuzz_random_dim(fuzz);
        level->rank++;
    }
    for (unsigned k = 0; k < level->rank; k++) {
        if (k != added && !fuzz_is_size(level->dims[k])) {
            level->dims[k] = fuzz_percent(fuzz, 8) ? 1 : level->dims[k] + fuzz_below(fuzz, 3);
        }
    }
    fuzz_text(fuzz, "(");
    fuzz_argument(fuzz, &from, fuel - 1);
    fuzz_text(fuzz, ")[");
    fuzz->index_depth++;
    for (unsigned k = 0; k < level->rank; k++) {
        fuzz_text(fuzz, k > 0 ? ", " : "");
        if (k == added) {
            fuzz_index(fuzz, level->dims[k], fuel - 1);
        } else {
            fuzz_range(fuzz, level->dims[k], type->levels[0].dims[k > added ? k - 1 : k]);
        }
    }
    fuzz->index_depth--;
    fuzz_text(fuzz, "]");
    return true;
}

// A variable with some of its dims walked down.
bool fuzz_flip(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)fuel;
    (void)least;
    const FuzzVar *var = type->depth > 0 ? fuzz_find_var(fuzz, fuzz_has_type, type) : NULL;
    if (!var) {
        return false;
    }
    const FuzzLevel *level = &type->levels[0];
    fuzz_text(fuzz, var->name);
    for (unsigned k = 0; k < level->rank; k++) {
        fuzz_text(fuzz, k > 0 ? ", " : "[");
        if (fuzz_is_size(level->dims[k]) || fuzz_percent(fuzz, 40)) {
            fuzz_text(fuzz, ":");
        } else {
            buffer_format(fuzz->out, "%u:-1:-1", level->dims[k] - 1);
        }
    }
    fuzz_text(fuzz, "]");
    return true;
}

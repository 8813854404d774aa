// Assignments that read what they write (L6.3): the right side is complete before the left changes.
#include "tests/random/generator.h"

static bool is_tensor_var(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return !var->is_read_only && var->type.depth > 0;
}

// name[...], as long along each dim as `lengths` says
static void slice(Fuzz *fuzz, const FuzzVar *var, const unsigned *lengths) {
    const FuzzLevel *level = &var->type.levels[0];
    fuzz_text(fuzz, var->name);
    for (unsigned k = 0; k < level->rank; k++) {
        fuzz_text(fuzz, k > 0 ? ", " : "[");
        fuzz_range(fuzz, level->dims[k], lengths[k]);
    }
    fuzz_text(fuzz, "]");
}

static void shorten(Fuzz *fuzz, const FuzzVar *var, unsigned *lengths) {
    const FuzzLevel *level = &var->type.levels[0];
    for (unsigned k = 0; k < level->rank; k++) {
        unsigned dim = level->dims[k];
        lengths[k] = fuzz_is_size(dim) || fuzz_percent(fuzz, 30) ? dim : 1 + fuzz_below(fuzz, dim);
    }
}

static void assign_to_slice(Fuzz *fuzz, const FuzzVar *var) {
    bool is_number = var->type.root != FUZZ_BOOL;
    unsigned lengths[FUZZ_RANK] = {0};
    shorten(fuzz, var, lengths);
    fuzz_indent(fuzz);
    slice(fuzz, var, lengths);
    fuzz_text(fuzz, is_number && fuzz_percent(fuzz, 30) ? " += " : " = ");
    slice(fuzz, var, lengths);
    if (is_number && var->type.depth == 1 && fuzz_percent(fuzz, 30)) {
        fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? " * " : " - ");
        slice(fuzz, var, lengths);
    }
    fuzz_text(fuzz, "\n");
}

// A matrix or a block of it becomes what its own transpose is.
static void transpose(Fuzz *fuzz, const FuzzVar *var) {
    const unsigned *dims = var->type.levels[0].dims;
    bool is_number = var->type.root != FUZZ_BOOL;
    if (dims[0] == dims[1] && fuzz_percent(fuzz, 50)) {
        fuzz_line(fuzz, is_number && fuzz_percent(fuzz, 50) ? "%s = %s' + %s" : "%s = %s'",
                  var->name, var->name, var->name);
        return;
    }
    if (fuzz_is_size(dims[0]) || fuzz_is_size(dims[1])) {
        return;
    }
    unsigned most = dims[0] < dims[1] ? dims[0] : dims[1];
    unsigned lengths[] = {1 + fuzz_below(fuzz, most), 1 + fuzz_below(fuzz, most)};
    unsigned swapped[] = {lengths[1], lengths[0]};
    fuzz_indent(fuzz);
    slice(fuzz, var, lengths);
    fuzz_text(fuzz, is_number && fuzz_percent(fuzz, 30) ? " -= " : " = ");
    slice(fuzz, var, swapped);
    fuzz_text(fuzz, "'\n");
}

// A row becomes a column, or the other way round, each as far as it fits.
static void row_and_column(Fuzz *fuzz, const FuzzVar *var) {
    const unsigned *dims = var->type.levels[0].dims;
    if (fuzz_is_size(dims[0]) || fuzz_is_size(dims[1])) {
        return;
    }
    unsigned length = 1 + fuzz_below(fuzz, dims[0] < dims[1] ? dims[0] : dims[1]);
    unsigned indexed = fuzz_below(fuzz, 2); // of the left side; the other dim of the right side
    fuzz_indent(fuzz);
    for (unsigned side = 0; side < 2; side++) {
        fuzz_text(fuzz, var->name);
        fuzz_text(fuzz, "[");
        fuzz->index_depth++;
        for (unsigned k = 0; k < 2; k++) {
            fuzz_text(fuzz, k > 0 ? ", " : "");
            if (k == (side == 0 ? indexed : 1 - indexed)) {
                fuzz_index(fuzz, dims[k], 2);
            } else {
                fuzz_range(fuzz, dims[k], length);
            }
        }
        fuzz->index_depth--;
        fuzz_text(fuzz, side == 0 ? "] = " : "]\n");
    }
}

// One of its own rows fills it, or one of its own elements, which must be a scalar for that (L6.1).
static void spread(Fuzz *fuzz, const FuzzVar *var) {
    const FuzzLevel *level = &var->type.levels[0];
    bool is_row = level->rank > 1 && (var->type.depth > 1 || fuzz_percent(fuzz, 50));
    if (!is_row && var->type.depth > 1) {
        return;
    }
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s %s %s[", var->name,
                  var->type.root != FUZZ_BOOL && fuzz_percent(fuzz, 40) ? "+=" : "=", var->name);
    fuzz->index_depth++;
    for (unsigned k = 0; k < level->rank; k++) {
        fuzz_text(fuzz, k > 0 ? ", " : "");
        if (is_row && k > 0) {
            fuzz_text(fuzz, ":");
        } else {
            fuzz_index(fuzz, level->dims[k], 2);
        }
    }
    fuzz->index_depth--;
    fuzz_text(fuzz, "]\n");
}

// Element by element, each made of the one before it.
static void recurrence(Fuzz *fuzz, const FuzzVar *var) {
    const char *name = var->name;
    unsigned length = var->type.levels[0].dims[0];
    if (length < 2 || fuzz_is_size(length)) {
        return;
    }
    char index[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'i', index);
    bool is_number = var->type.root != FUZZ_BOOL;
    bool up = fuzz_percent(fuzz, 60);
    if (up) {
        fuzz_line(fuzz, "for %s = 1:%u:", index, length);
    } else {
        fuzz_line(fuzz, "for %s = %d:-1:-1:", index, (int)length - 2);
    }
    fuzz->indent++;
    fuzz_line(fuzz,
              is_number && fuzz_percent(fuzz, 50) ? "%s[%s] += %s[%s %c 1]"
                                                  : "%s[%s] = %s[%s %c 1]",
              name, index, name, index, up ? '-' : '+');
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

void fuzz_overlap(Fuzz *fuzz) {
    const FuzzVar *var = fuzz_find_var(fuzz, is_tensor_var, NULL);
    if (!var) {
        return;
    }
    unsigned rank = var->type.levels[0].rank;
    unsigned kind = fuzz_below(fuzz, 10);
    // Each but one that finds nothing to do writes to the variable.
    fuzz_note_write(fuzz, var);
    if (rank == 2 && kind < 3) {
        transpose(fuzz, var);
    } else if (rank == 2 && kind == 3) {
        row_and_column(fuzz, var);
    } else if (kind == 4) {
        spread(fuzz, var);
    } else if (rank == 1 && kind == 5) {
        recurrence(fuzz, var);
    } else {
        assign_to_slice(fuzz, var);
    }
}

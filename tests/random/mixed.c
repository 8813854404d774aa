// Comparisons over several levels whose operands have unequal roots: they are computed in lanes of
// unequal width, and what they choose between in others again.
#include "tests/random/generator.h"

static const char *const relations[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};

// An operand that is itself an operator's result over the whole shape.
static void operand(Fuzz *fuzz, const FuzzType *shape, FuzzRoot root, int fuel) {
    FuzzType type = fuzz_with_root(shape, root);
    bool done = false;
    switch (root) {
    case FUZZ_BOOL: done = fuzz_relation(fuzz, &type, fuel, PREC_SHIFT); break;
    case FUZZ_UINT: done = fuzz_bitwise(fuzz, &type, fuel, PREC_SHIFT); break;
    case FUZZ_INT: done = fuzz_extreme(fuzz, &type, fuel, PREC_SHIFT); break;
    case FUZZ_REAL:
        done = (fuzz_percent(fuzz, 50) ? fuzz_extreme : fuzz_arithmetic)(fuzz, &type, fuel,
                                                                         PREC_SHIFT);
        break;
    }
    if (!done) {
        fuzz_expr(fuzz, &type, fuel, PREC_SHIFT);
    }
}

static void compare(Fuzz *fuzz, const FuzzType *shape, int fuel, FuzzPrecedence least) {
    FuzzRoot left = fuzz_random_number(fuzz);
    FuzzRoot right = (FuzzRoot)(FUZZ_UINT + (left - FUZZ_UINT + 1 + fuzz_below(fuzz, 2)) % 3);
    bool is_open = fuzz_open(fuzz, PREC_RELATION, least);
    operand(fuzz, shape, left, fuel - 1);
    fuzz_text(fuzz, relations[fuzz_below(fuzz, 6)]);
    operand(fuzz, shape, right, fuel - 1);
    fuzz_close(fuzz, is_open);
}

bool fuzz_mixed(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    if (type->depth < 2 || fuel < 2) {
        return false;
    }
    if (type->root == FUZZ_BOOL) {
        compare(fuzz, type, fuel, least);
        return true;
    }
    FuzzRoot lesser = (FuzzRoot)fuzz_below(fuzz, type->root + 1u);
    fuzz_text(fuzz, "select(");
    compare(fuzz, type, fuel, PREC_ANY);
    fuzz_text(fuzz, ", ");
    operand(fuzz, type, type->root, fuel - 2);
    fuzz_text(fuzz, ", ");
    operand(fuzz, type, lesser, fuel - 2);
    fuzz_text(fuzz, ")");
    return true;
}

// The same of operands that cost little: elements, vectors that are spread over all levels, and
// literals. A few of these, unrolled, are straight code, in which LLVM looks for vectors.

// Writes a number; its root is the result.
static FuzzRoot cheap_scalar(Fuzz *fuzz) {
    FuzzRoot root = fuzz_random_number(fuzz);
    for (unsigned i = 0; i < fuzz->var_count && fuzz_percent(fuzz, 85); i++) {
        const FuzzVar *var = &fuzz->vars[fuzz_below(fuzz, fuzz->var_count)];
        if (var->is_global && !var->is_hidden && var->type.root != FUZZ_BOOL &&
            var->type.depth == 1 && var->type.levels[0].rank == 1) {
            buffer_format(fuzz->out, "%s[%u]", var->name,
                          fuzz_below(fuzz, var->type.levels[0].dims[0]));
            return var->type.root;
        }
    }
    fuzz_scalar_literal(fuzz, root, PREC_ATOM);
    return root;
}

static void cheap_condition(Fuzz *fuzz) {
    cheap_scalar(fuzz);
    fuzz_text(fuzz, relations[fuzz_below(fuzz, 6)]);
    cheap_scalar(fuzz);
}

static void literal_of_constants(Fuzz *fuzz, const FuzzType *type) {
    if (type->depth == 0) {
        fuzz_scalar_literal(fuzz, type->root, PREC_ANY);
        return;
    }
    FuzzType element = fuzz_base(type);
    for (unsigned i = 0; i < type->levels[0].dims[0]; i++) {
        fuzz_text(fuzz, i > 0 ? ", " : "[");
        literal_of_constants(fuzz, &element);
    }
    fuzz_text(fuzz, "]");
}

static bool is_inner_vector(const FuzzVar *var, const FuzzType *type) {
    FuzzType vector = fuzz_vector(var->type.root, type->levels[0].dims[0]);
    return fuzz_fits(&var->type, &vector) && var->type.depth == 1;
}

// Scalars or a vector spread over all levels.
static void spread(Fuzz *fuzz, const FuzzType *type) {
    const FuzzVar *vector = fuzz_find_var(fuzz, is_inner_vector, type);
    fuzz_type_text(type, fuzz->out);
    fuzz_text(fuzz, "(");
    if (vector) {
        fuzz_text(fuzz, vector->name);
    } else {
        cheap_scalar(fuzz);
    }
    fuzz_text(fuzz, ")");
}

// A tensor of this type.
static void cheap_tensor(Fuzz *fuzz, const FuzzType *type) {
    const FuzzVar *var = fuzz_find_var(fuzz, fuzz_has_type, type);
    unsigned kind = fuzz_below(fuzz, 10);
    if (kind < 2 && var) {
        fuzz_text(fuzz, var->name);
    } else if (kind < 7) {
        literal_of_constants(fuzz, type);
    } else if (kind < 8) {
        fuzz_text(fuzz, "select(");
        cheap_condition(fuzz);
        fuzz_text(fuzz, ", ");
        literal_of_constants(fuzz, type);
        fuzz_text(fuzz, ", ");
        fuzz_scalar_literal(fuzz, type->root, PREC_ANY);
        fuzz_text(fuzz, ")");
    } else {
        spread(fuzz, type);
    }
}

// x + y * T(vector), or less of it.
static void cheap_sum(Fuzz *fuzz, const FuzzType *type) {
    if (fuzz_percent(fuzz, 50)) {
        cheap_scalar(fuzz);
        fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? " + " : " - ");
    }
    if (fuzz_percent(fuzz, 60)) {
        cheap_scalar(fuzz);
        fuzz_text(fuzz, " * ");
    }
    (fuzz_percent(fuzz, 75) ? spread : cheap_tensor)(fuzz, type);
}

// max(x + y * T, z) < (T << x), with other operators too.
static void cheap_comparison(Fuzz *fuzz, const FuzzType *shape) {
    static const char *const shifts[] = {" << ", " >> ", " & ", " ^ "};
    FuzzRoot root = fuzz_percent(fuzz, 60) ? FUZZ_REAL : fuzz_random_number(fuzz);
    FuzzType type = fuzz_with_root(shape, root);
    fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? "max(" : "min(");
    cheap_sum(fuzz, &type);
    fuzz_text(fuzz, ", ");
    if (fuzz_percent(fuzz, 60)) {
        cheap_scalar(fuzz);
    } else {
        type.root = fuzz_random_number(fuzz);
        fuzz_text(fuzz, "select(");
        cheap_condition(fuzz);
        fuzz_text(fuzz, ", ");
        cheap_tensor(fuzz, &type);
        fuzz_text(fuzz, ", ");
        cheap_scalar(fuzz);
        fuzz_text(fuzz, ")");
    }
    buffer_format(fuzz->out, ")%s(", relations[fuzz_below(fuzz, 6)]);
    type.root = FUZZ_UINT;
    cheap_tensor(fuzz, &type);
    if (fuzz_percent(fuzz, 50)) {
        fuzz_text(fuzz, shifts[fuzz_below(fuzz, 4)]);
        fuzz_text(fuzz, "uint(");
        cheap_scalar(fuzz);
        fuzz_text(fuzz, ") % 41u");
    }
    fuzz_text(fuzz, ")");
}

static void cheap_value(Fuzz *fuzz, const FuzzType *type) {
    if (type->root == FUZZ_BOOL) {
        cheap_comparison(fuzz, type);
        return;
    }
    fuzz_text(fuzz, "select(");
    cheap_comparison(fuzz, type);
    fuzz_text(fuzz, ", ");
    cheap_tensor(fuzz, type);
    fuzz_text(fuzz, ", ");
    cheap_tensor(fuzz, type);
    fuzz_text(fuzz, ")");
}

static bool is_deep_global(const FuzzVar *var, const FuzzType *type) {
    return var->is_global && !var->is_read_only && fuzz_equal(&var->type, type);
}

static void assign_mixed(Fuzz *fuzz) {
    FuzzType type = fuzz_with_root(&fuzz->deep, fuzz_percent(fuzz, 70) ? FUZZ_BOOL : FUZZ_REAL);
    const FuzzVar *var = fuzz_find_var(fuzz, is_deep_global, &type);
    if (!var) {
        return;
    }
    if (!fuzz->is_component) {
        fuzz_line(fuzz, "print(\"mixed\")");
    }
    fuzz_note_write(fuzz, var);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s = ", var->name);
    if (fuzz_percent(fuzz, 80)) {
        cheap_value(fuzz, &type);
    } else {
        fuzz_mixed(fuzz, &type, 3, PREC_ANY);
    }
    fuzz_text(fuzz, "\n");
    if (!fuzz->is_component) {
        fuzz_line(fuzz, "print(%s)", var->name);
    }
}

void fuzz_write_mixed_function(Fuzz *fuzz) {
    FuzzFunction function = {.is_pure = true};
    unsigned first = fuzz->var_count;
    fuzz_new_name(fuzz, 's', function.name);
    fuzz_begin_function(fuzz, &function);
    for (unsigned i = 1 + fuzz_below(fuzz, 4); i > 0; i--) {
        assign_mixed(fuzz);
    }
    fuzz_line(fuzz, "pass");
    fuzz_end_function(fuzz, &function, first);
}

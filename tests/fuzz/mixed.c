// Comparisons over several levels whose operands have unequal roots: they are computed in lanes of
// unequal width, and what they choose between in others again.
#include "tests/fuzz/generator.h"

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
    static const char *const operators[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    FuzzRoot left = fuzz_random_number(fuzz);
    FuzzRoot right = (FuzzRoot)(FUZZ_UINT + (left - FUZZ_UINT + 1 + fuzz_below(fuzz, 2)) % 3);
    bool is_open = fuzz_open(fuzz, PREC_RELATION, least);
    operand(fuzz, shape, left, fuel - 1);
    fuzz_text(fuzz, operators[fuzz_below(fuzz, 6)]);
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

static bool is_deep_global(const FuzzVar *var, const FuzzType *shape) {
    return var->is_global && !var->is_read_only && fuzz_equal(&var->type, shape);
}

void fuzz_write_mixed_function(Fuzz *fuzz) {
    FuzzFunction function = {.is_pure = true};
    unsigned first = fuzz->var_count;
    FuzzType type = fuzz_with_root(&fuzz->deep, fuzz_percent(fuzz, 60) ? FUZZ_BOOL : FUZZ_REAL);
    const FuzzVar *var = fuzz_find_var(fuzz, is_deep_global, &type);
    if (!var) {
        return;
    }
    fuzz_new_name(fuzz, 's', function.name);
    fuzz_begin_function(fuzz, &function);
    fuzz_note_write(fuzz, var);
    if (!fuzz->is_component) {
        fuzz_line(fuzz, "print(\"mixed\")");
    }
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s = ", var->name);
    fuzz_mixed(fuzz, &var->type, 3 + (int)fuzz_below(fuzz, 2), PREC_ANY);
    fuzz_text(fuzz, "\n");
    fuzz_end_function(fuzz, &function, first);
}

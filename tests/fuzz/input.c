// Values that a program reads from standard input. They stand in comments behind the program, in
// the order in which it reads them, so only statements that run once read.
#include "tests/fuzz/generator.h"

#include "support/bug.h"

static const char *random_value(Fuzz *fuzz, FuzzRoot root) {
    static const char *const bools[] = {"true", "false", "1", "0"};
    static const char *const uints[] = {"0", "1", "2", "3", "7", "31", "4294967295", "2147483648"};
    static const char *const ints[] = {"0", "1", "-1", "2", "5", "-7", "2147483647", "-2147483648"};
    static const char *const reals[] = {"0.0", "1.0", "-2.5", "0.1", "nan", "inf", "-0.0", "1e30"};
    switch (root) {
    case FUZZ_BOOL: return bools[fuzz_below(fuzz, 4)];
    case FUZZ_UINT: return uints[fuzz_below(fuzz, 8)];
    case FUZZ_INT: return ints[fuzz_below(fuzz, 8)];
    case FUZZ_REAL: return reals[fuzz_below(fuzz, 8)];
    }
    UNREACHABLE();
}

void fuzz_input(Fuzz *fuzz) {
    FuzzType type = fuzz_random_type(fuzz);
    if (fuzz->var_count + 8 >= FUZZ_VARS || fuzz_numel(&type) > 40) {
        return;
    }
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'v', name);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s = input(", name);
    fuzz_type_text(&type, fuzz->out);
    fuzz_text(fuzz, ")\n");
    fuzz_add_var(fuzz, name, &type);
    buffer_text(fuzz->inputs, "#<");
    for (unsigned i = fuzz_numel(&type); i > 0; i--) {
        buffer_format(fuzz->inputs, " %s", random_value(fuzz, type.root));
    }
    buffer_text(fuzz->inputs, "\n");
}

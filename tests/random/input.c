// Values that a program reads from standard input. They stand in comments behind the program, in
// the order in which it reads them, so only statements that run once read.
#include "tests/random/generator.h"

void fuzz_input(Fuzz *fuzz, const FuzzType *type) {
    enum { VALUES = 64 };
    if (fuzz->var_count + 8 >= FUZZ_VARS || fuzz_numel(type) > VALUES) {
        return;
    }
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'v', name);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s = input(", name);
    fuzz_type_text(type, fuzz->out);
    fuzz_text(fuzz, ")\n");
    fuzz_add_var(fuzz, name, type);
    buffer_text(fuzz->inputs, "#<");
    for (unsigned i = fuzz_numel(type); i > 0; i--) {
        buffer_format(fuzz->inputs, " %s", fuzz_input_value(fuzz, type->root));
    }
    buffer_text(fuzz->inputs, "\n");
}

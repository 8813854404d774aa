// A whole program: variables at file level, functions, and what runs.
#include "tests/fuzz/generate.h"

#include "tests/fuzz/generator.h"

#include <string.h>

// Functions (L9).

static FuzzType random_param(Fuzz *fuzz, bool has_sizes) {
    FuzzType type = fuzz_random_type(fuzz);
    if (fuzz->var_count > 0 && fuzz_percent(fuzz, 50)) {
        type = fuzz->vars[fuzz_below(fuzz, fuzz->var_count)].type;
    }
    if (has_sizes) {
        unsigned sizes[] = {FUZZ_SIZE_N, FUZZ_SIZE_N, FUZZ_SIZE_M, 1 + fuzz_below(fuzz, 3)};
        type.depth = 1;
        type.levels[0].rank = 1 + fuzz_below(fuzz, 2);
        type.levels[0].dims[0] = sizes[fuzz_below(fuzz, 4)];
        type.levels[0].dims[1] = sizes[fuzz_below(fuzz, 4)];
    }
    return type;
}

static bool has_size(const FuzzFunction *function, unsigned size) {
    for (unsigned i = 0; i < function->param_count; i++) {
        const FuzzType *type = &function->params[i];
        for (unsigned k = 0; type->depth > 0 && k < type->levels[0].rank; k++) {
            if (type->levels[0].dims[k] == size) {
                return true;
            }
        }
    }
    return false;
}

// Sizes that no parameter has become plain lengths.
static void settle_sizes(FuzzFunction *function, FuzzType *type) {
    for (unsigned k = 0; type->depth > 0 && k < type->levels[0].rank; k++) {
        unsigned *dim = &type->levels[0].dims[k];
        if (fuzz_is_size(*dim) && !has_size(function, *dim)) {
            *dim = 2;
        }
    }
}

static void random_signature(Fuzz *fuzz, FuzzFunction *function, bool has_sizes) {
    *function = (FuzzFunction){.is_pure = true, .has_result = fuzz_percent(fuzz, 80)};
    fuzz_new_name(fuzz, 'f', function->name);
    function->param_count = has_sizes ? 1 + fuzz_below(fuzz, 3) : fuzz_below(fuzz, FUZZ_PARAMS);
    for (unsigned i = 0; i < function->param_count; i++) {
        function->params[i] = random_param(fuzz, has_sizes && (i == 0 || fuzz_percent(fuzz, 70)));
    }
    if (has_sizes) {
        function->params[0].levels[0].dims[0] = FUZZ_SIZE_N;
    }
    function->result = random_param(fuzz, has_sizes && fuzz_percent(fuzz, 60));
    settle_sizes(function, &function->result);
}

static void write_function(Fuzz *fuzz) {
    bool has_sizes = fuzz_percent(fuzz, 35);
    unsigned first = fuzz->var_count;
    FuzzFunction function;
    random_signature(fuzz, &function, has_sizes);
    fuzz->function = &function;
    fuzz->has_sizes = has_sizes;
    buffer_format(fuzz->out, "fn %s(", function.name);
    for (unsigned i = 0; i < function.param_count; i++) {
        char name[FUZZ_NAME] = {0};
        fuzz_new_name(fuzz, 'p', name);
        fuzz_text(fuzz, i > 0 ? ", " : "");
        fuzz_type_text(&function.params[i], fuzz->out);
        buffer_format(fuzz->out, " %s", name);
        fuzz_add_var(fuzz, name, &function.params[i]);
    }
    fuzz_text(fuzz, ")");
    if (function.has_result) {
        fuzz_text(fuzz, " ");
        fuzz_type_text(&function.result, fuzz->out);
    }
    fuzz_text(fuzz, ":\n");
    fuzz->indent++;
    fuzz_statements(fuzz, 2 + fuzz_below(fuzz, 5), 2);
    if (function.has_result) {
        fuzz_indent(fuzz);
        fuzz_text(fuzz, "return ");
        fuzz_assignable(fuzz, &function.result, 3);
        fuzz_text(fuzz, "\n");
    }
    fuzz->indent--;
    fuzz_text(fuzz, "end\n");
    fuzz->function = NULL;
    fuzz->has_sizes = false;
    fuzz->var_count = first;
    fuzz->functions[fuzz->function_count++] = function;
}

// Files (L4).

static void write_main(Fuzz *fuzz, bool is_script) {
    if (!is_script) {
        fuzz_text(fuzz, "fn main_fnc():\n");
        fuzz->indent++;
    }
    fuzz_statements(fuzz, 6 + fuzz_below(fuzz, 12), 3);
    fuzz_print_vars(fuzz, 0);
    if (!is_script) {
        fuzz->indent--;
        fuzz_text(fuzz, "end\n");
    }
}

void generate_program(uint64_t seed, Buffer *out) {
    Fuzz fuzz = {.random = {seed}, .out = out};
    static const unsigned risks[] = {0, 0, 0, 1, 3, 10, 30};
    fuzz.risk = risks[fuzz_below(&fuzz, 7)];
    fuzz.is_large = fuzz_percent(&fuzz, 12);
    fuzz.numel = fuzz.is_large ? 700 : 24;
    fuzz.is_strict = fuzz_percent(&fuzz, 30);
    bool is_single = fuzz_percent(&fuzz, 20);
    buffer_format(out, "#%s%s\n", fuzz.is_strict ? " --fp=strict" : "",
                  is_single ? " --real=f32" : "");
    bool is_script = fuzz_percent(&fuzz, 70);
    fuzz.is_file_level = true;
    for (unsigned i = 2 + fuzz_below(&fuzz, 5); i > 0; i--) {
        fuzz_declare(&fuzz, true, 2);
    }
    fuzz.is_file_level = false;
    Buffer functions = {0};
    fuzz.out = &functions;
    for (unsigned i = fuzz_below(&fuzz, 4); i > 0; i--) {
        write_function(&fuzz);
    }
    // Functions may stand after their calls.
    bool functions_first = fuzz_percent(&fuzz, 50);
    Buffer main = {0};
    fuzz.out = &main;
    write_main(&fuzz, is_script);
    const Buffer *parts[] = {functions_first ? &functions : &main,
                             functions_first ? &main : &functions};
    for (unsigned i = 0; i < 2; i++) {
        buffer_append(out, parts[i]->len > 0 ? parts[i]->data : "", parts[i]->len);
    }
    buffer_free(&functions);
    buffer_free(&main);
}

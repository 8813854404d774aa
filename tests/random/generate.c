// A whole program: variables at file level, functions, and what runs.
#include "tests/random/generate.h"

#include "tests/random/loops.h"

// Files (L4).

// Variables of the shape of this program, and vectors that spread over it.
static void declare_deep(Fuzz *fuzz) {
    for (FuzzRoot root = FUZZ_BOOL; fuzz->is_deep && root <= FUZZ_REAL; root++) {
        FuzzType type = fuzz_with_root(&fuzz->deep, root);
        if (root == FUZZ_UINT || root == FUZZ_INT) {
            type = fuzz_vector(root, type.levels[0].dims[0]);
        }
        fuzz_declare_as(fuzz, &type, true, 2);
    }
}

static void call_mixed_functions(Fuzz *fuzz) {
    for (unsigned i = 0; i < fuzz->function_count; i++) {
        const FuzzFunction *function = &fuzz->functions[i];
        if (fuzz->is_deep && !function->has_result && function->param_count == 0) {
            fuzz_line(fuzz, "%s()", function->name);
        }
    }
}

static void write_main(Fuzz *fuzz, bool is_script) {
    if (!is_script) {
        fuzz_text(fuzz, "fn main_fnc():\n");
        fuzz->indent++;
    }
    fuzz->base_indent = fuzz->indent;
    for (FuzzRoot root = FUZZ_BOOL; fuzz->is_deep && root <= FUZZ_REAL; root++) {
        FuzzType type = fuzz_with_root(&fuzz->deep, root);
        fuzz_input(fuzz, &type);
    }
    call_mixed_functions(fuzz);
    fuzz_statements(fuzz, 6 + fuzz_below(fuzz, 12), 3);
    fuzz_print_vars(fuzz, 0);
    if (!is_script) {
        fuzz->indent--;
        fuzz_text(fuzz, "end\n");
    }
}

static void take(Buffer *out, Buffer *part) {
    buffer_append(out, part->len > 0 ? part->data : "", part->len);
    buffer_free(part);
}

static void write_program(Fuzz *fuzz) {
    Buffer *out = fuzz->out;
    Buffer functions = {0};
    Buffer main = {0};
    Buffer inputs = {0};
    bool is_script = fuzz_percent(fuzz, 70);
    fuzz->is_file_level = true;
    declare_deep(fuzz);
    for (unsigned i = 2 + fuzz_below(fuzz, 5); i > 0; i--) {
        fuzz_declare(fuzz, true, 2);
    }
    fuzz->is_file_level = false;
    fuzz->out = &functions;
    for (unsigned i = fuzz->is_deep ? 1 + fuzz_below(fuzz, 3) : 0; i > 0; i--) {
        fuzz_write_mixed_function(fuzz);
    }
    fuzz_write_short_functions(fuzz);
    for (unsigned i = fuzz_below(fuzz, 4); i > 0; i--) {
        fuzz_write_function(fuzz);
    }
    // Functions may stand after their calls.
    bool functions_first = fuzz_percent(fuzz, 50);
    fuzz->out = &main;
    fuzz->inputs = &inputs;
    write_main(fuzz, is_script);
    take(out, functions_first ? &functions : &main);
    take(out, functions_first ? &main : &functions);
    take(out, &inputs);
}

static void write_loops(Fuzz *fuzz) {
    for (unsigned i = 2 + fuzz_below(fuzz, 5); i > 0; i--) {
        unsigned kind = fuzz_below(fuzz, 18);
        if (kind >= 15) {
            fuzz_moved(fuzz);
        } else if (kind >= 12) {
            fuzz_changed(fuzz);
        } else if (kind < 6) {
            fuzz_elements(fuzz);
        } else if (kind < 8) {
            fuzz_lanes(fuzz);
        } else if (kind < 10) {
            fuzz_neighbours(fuzz);
        } else {
            fuzz_pairs(fuzz);
        }
    }
    fuzz_print_vars(fuzz, 0);
}

void generate_program(GenerateKind kind, uint64_t seed, Buffer *out) {
    Fuzz fuzz = {.random = {seed}};
    static const unsigned risks[] = {0, 0, 0, 1, 3, 10, 30};
    fuzz.risk = risks[fuzz_below(&fuzz, 7)];
    fuzz.is_large = fuzz_percent(&fuzz, 12);
    fuzz.is_deep = !fuzz.is_large && fuzz_percent(&fuzz, 20);
    fuzz.deep = fuzz_deep_shape(&fuzz);
    fuzz.numel = fuzz.is_large ? 700 : fuzz.is_deep ? 72 : 24;
    fuzz.is_strict = fuzz_percent(&fuzz, 30);
    fuzz.is_single = fuzz_percent(&fuzz, 20);
    Buffer body = {0};
    Buffer connected = {0};
    fuzz.out = &body;
    fuzz.connected = &connected;
    // Nothing may trap in programs without checks.
    bool is_checked = fuzz.risk > 0 || fuzz_percent(&fuzz, 30);
    static const char levels[] = "1133sz";
    buffer_format(out, "# -O%c%s%s%s", levels[fuzz_below(&fuzz, sizeof(levels) - 1)],
                  is_checked ? "" : " --checks=none", fuzz.is_strict ? " --fp=strict" : "",
                  fuzz.is_single ? " --real=f32" : "");
    if (kind == GENERATE_COMPONENT) {
        unsigned rows = 1 + fuzz_below(&fuzz, 6);
        unsigned values = fuzz_below(&fuzz, 1000000);
        fuzz_component(&fuzz);
        buffer_format(out, " rows=%u values=%u", rows, values);
        if (connected.len > 0) {
            buffer_format(out, " with=%s", connected.data);
        }
    } else if (kind == GENERATE_LOOPS) {
        write_loops(&fuzz);
    } else {
        write_program(&fuzz);
    }
    buffer_text(out, "\n");
    fuzz_write_constants(&body, out);
    take(out, &body);
    buffer_free(&connected);
}

// Runs many small programs in one process: derivatives_evaluate [--f32] [--O2] WAY...
// Programs stand on standard input, each behind a line `@NAME`. Each runs in every WAY: `dual`, by
// the reference evaluator's dual numbers; `chosen`, `forward` and `reverse`, by the same evaluator
// from what the pass made, which neither depends on LLVM nor waits for it. With --O2 all passes run
// behind it. Prints a line `@NAME WAY`, then what the program prints, or the codes of its errors,
// or its trap.
#include "driver/compile.h"
#include "eval/eval.h"
#include "support/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ways[] = {"chosen", "forward", "reverse"}; // by TirDerivation

static void print_errors(const DiagList *diags) {
    for (size_t i = 0; i < diags->all.count; i++) {
        if (diags->all.items[i]->severity == SEVERITY_ERROR) {
            printf("%s %s\n", diag_row(diags->all.items[i]->code)->text,
                   diags->all.items[i]->message);
        }
    }
}

static void run(const Buffer *text, const char *way, CompileOptions options) {
    options.stage = STAGE_PASSES;
    if (strcmp(way, "dual") == 0) {
        options.stage = STAGE_CHECK;
    } else {
        unsigned k = 0;
        while (strcmp(way, ways[k]) != 0) {
            k++;
            CHECK(k < sizeof(ways) / sizeof(*ways));
        }
        options.codegen.derivation = (TirDerivation)k;
    }
    Compilation compilation;
    if (compile_text(&compilation, "program.tml", text->data, text->len, &options) == EXIT_OK) {
        compilation.program->math = codegen_math(compilation.context->arena, &compilation.codegen);
        Buffer out = {0};
        RefFault fault = {0};
        bool finished = ref_eval_run(compilation.program, NULL, &out, &fault);
        fwrite(out.data, 1, out.len, stdout);
        if (!finished) {
            printf("trap %d\n", fault.code);
        }
        buffer_free(&out);
    } else {
        print_errors(compilation.context->diags);
    }
    compilation_finish(&compilation);
}

static void run_all(const char *name, const Buffer *text, char **wanted,
                    const CompileOptions *options) {
    for (; *wanted != NULL; wanted++) {
        printf("@%s %s\n", name, *wanted);
        run(text, *wanted, *options);
    }
}

int main(int argc, char **argv) {
    CompileOptions options = compile_defaults();
    options.verify_tir = true;
    options.front.warnings.are_off = true;
    options.passes.last = PASS_derive + 1;
    options.codegen.opt_level = 0;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--f32") == 0) {
            options.front.single = true;
        } else {
            CHECK(strcmp(argv[first], "--O2") == 0);
            options.passes.last = 0;
            options.codegen.opt_level = 2;
        }
    }
    Buffer text = {0};
    char name[64] = "";
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t len; (len = getline(&line, &capacity, stdin)) > 0;) {
        if (line[0] != '@') {
            buffer_append(&text, line, (size_t)len);
            continue;
        }
        if (*name != '\0') {
            run_all(name, &text, argv + first, &options);
        }
        buffer_free(&text);
        text = (Buffer){0};
        CHECK(sscanf(line, "@%63s", name) == 1);
    }
    if (*name != '\0') {
        run_all(name, &text, argv + first, &options);
    }
    buffer_free(&text);
    free(line);
    return 0;
}

// Checks and evaluates many small programs in one process: evaluate [--rank-promotion=error]
// Each line of standard input is a script that gives a variable `r` its value. For each, a line
// says the type of `r` and, after a tab, what the reference evaluator prints, newlines as spaces;
// or the codes of the errors in it.
#include "driver/compile.h"
#include "eval/eval.h"
#include "support/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Type *type_of_result(const TirFunction *entry) {
    for (size_t i = 0; i < entry->vars.count; i++) {
        const TirVar *var = entry->vars.items[i];
        if (var->role == VAR_LOCAL && strcmp(var->name->text, "r") == 0) {
            return var->type;
        }
    }
    BUG("the script has no variable `r`");
}

static void print_value(const Context *context, const TirProgram *program) {
    Buffer text = {0};
    RefFault fault;
    CHECK(ref_eval_run(program, NULL, &text, &fault));
    for (size_t i = 0; i < text.len; i++) {
        text.data[i] = (char)(text.data[i] == '\n' ? ' ' : text.data[i]);
    }
    printf("%s\t%s\n", type_text(context->arena, type_of_result(program->entry)), text.data);
    buffer_free(&text);
}

static void print_errors(const DiagList *diags) {
    const char *separator = "";
    for (size_t i = 0; i < diags->all.count; i++) {
        if (diags->all.items[i]->severity == SEVERITY_ERROR) {
            printf("%s%s", separator, diag_row(diags->all.items[i]->code)->text);
            separator = " ";
        }
    }
    putchar('\n');
}

int main(int argc, char **argv) {
    CompileOptions options = compile_defaults();
    options.stage = STAGE_CHECK;
    options.verify_tir = true;
    options.front.exact_rank = argc > 1 && strcmp(argv[1], "--rank-promotion=error") == 0;
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t len; (len = getline(&line, &capacity, stdin)) > 0;) {
        Compilation compilation;
        if (compile_text(&compilation, "line.tml", line, (size_t)len, &options) == EXIT_OK) {
            print_value(compilation.context, compilation.program);
        } else {
            print_errors(compilation.context->diags);
        }
        compilation_finish(&compilation);
    }
    free(line);
    return 0;
}

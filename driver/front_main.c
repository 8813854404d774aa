// `tmlc-front FILE...` checks files and prints their messages, as `tmlc check` does without
// options. It is linked with the front half alone (tmlc_front in CMakeLists.txt), which has no LLVM
// in it.
#include "driver/compile.h"
#include "support/memory.h"
#include "support/stack.h"

#include <signal.h>
#include <stdio.h>

typedef struct Invocation {
    int argc;
    char **argv;
    int status;
} Invocation;

static int check_input(const char *path) {
    CompileOptions options = compile_defaults();
    options.stage = STAGE_CHECK;
    Compilation compilation;
    int status = (int)compile_file(&compilation, path, &options);
    Buffer text = {0};
    compile_messages(&compilation, (RenderOptions){RENDER_HUMAN, false}, &text);
    if (compilation.error != NULL) {
        buffer_format(&text, "tmlc: error: %s\n", compilation.error);
    }
    if (text.len > 0) {
        fwrite(text.data, 1, text.len, stderr);
    }
    buffer_free(&text);
    compilation_finish(&compilation);
    return status;
}

static void check_inputs(void *data) {
    Invocation *invocation = data;
    memory_watch_stack();
    for (int i = 1; i < invocation->argc; i++) {
        int status = check_input(invocation->argv[i]);
        invocation->status = status > invocation->status ? status : invocation->status;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: tmlc-front FILE...\n", stderr);
        return EXIT_USAGE;
    }
    signal(SIGPIPE, SIG_IGN); // a closed pipe is a write that fails
    Invocation invocation = {argc, argv, EXIT_OK};
    stack_run(check_inputs, &invocation);
    return invocation.status;
}

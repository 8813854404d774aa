// `tmlc-front FILE...` checks files and prints their messages, as `tmlc check` does without
// options, and `tmlc-front lsp [--log FILE]` is the language server. It is linked with the front
// half alone (tmlc_front in CMakeLists.txt), which has no LLVM in it.
#include "driver/compile.h"
#include "driver/front_options.h"
#include "lsp/lsp.h"
#include "support/memory.h"
#include "support/stack.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Invocation {
    int argc;
    char **argv;
    int status;
} Invocation;

static int check_input(Arena *arena, const char *path) {
    CompileOptions options = compile_defaults();
    options.stage = STAGE_CHECK;
    options.tests = TESTS_CHECKED;
    Buffer error = {0};
    if (!front_project_read(arena, path, &options.front, &error)) {
        fprintf(stderr, "tmlc: error: %s\n", error.data);
        buffer_free(&error);
        return EXIT_USAGE;
    }
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

static int serve_editor(const char *log) {
    LspSettings settings = {
        .options = front_defaults(),
        .read_options = front_options_read,
        .read_project = front_project_read,
        .log = log,
        .version = TMLC_VERSION,
    };
    return lsp_serve(&settings, STDIN_FILENO, STDOUT_FILENO);
}

static bool is_word(const Invocation *invocation, int index, const char *word) {
    return strcmp(invocation->argv[index], word) == 0;
}

static void run(void *data) {
    Invocation *invocation = data;
    memory_watch_stack();
    bool has_log = invocation->argc == 4 && is_word(invocation, 2, "--log");
    if (is_word(invocation, 1, "lsp") && (invocation->argc == 2 || has_log)) {
        invocation->status = serve_editor(has_log ? invocation->argv[3] : NULL);
        return;
    }
    for (int i = 1; i < invocation->argc; i++) {
        Arena *arena = arena_create();
        int status = check_input(arena, invocation->argv[i]);
        arena_destroy(arena);
        invocation->status = status > invocation->status ? status : invocation->status;
    }
}

// Jansson itself tells a lack of memory like a text that is no UTF-8.
static void *allocate_json(size_t bytes) {
    return memory_resize(NULL, bytes);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: tmlc-front FILE...\n       tmlc-front lsp [--log FILE]\n", stderr);
        return EXIT_USAGE;
    }
    signal(SIGPIPE, SIG_IGN); // a closed pipe is a write that fails
    json_set_alloc_funcs(allocate_json, free);
    Invocation invocation = {argc, argv, EXIT_OK};
    stack_run(run, &invocation);
    return invocation.status;
}

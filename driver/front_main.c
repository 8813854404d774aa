// `tmlc-front [check] FILE...` checks files and prints their messages, as `tmlc check` does without
// options, and `tmlc-front lsp [--log FILE]` is the language server. It is linked with the front
// half alone (tmlc_front in CMakeLists.txt), which has no LLVM in it, and stays small: options of
// checking come from tmlc.json alone.
#include "driver/documents.h"
#include "driver/front_options.h"
#include "lsp/lsp.h"
#include "runtime/abi/exit_status.h"
#include "support/diag/render.h"
#include "support/memory.h"
#include "support/stack.h"
#include "support/system.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Invocation {
    int argc;
    char **argv;
    int status;
} Invocation;

static int check_source(Context *context, const char *path, const FrontOptions *options) {
    const char *error = NULL;
    AstFile *file = front_load(context, path, &error);
    CheckOptions check = {
        .load = front_load,
        .load_data = context,
        .identify = front_identify,
        .tests = TESTS_CHECKED,
    };
    if (file == NULL) {
        fprintf(stderr, "tmlc: error: cannot read `%s`: %s\n", path, error);
        return EXIT_WORLD;
    }
    if (!front_prepare(context, options, &check, &error)) {
        fprintf(stderr, "tmlc: error: %s\n", error);
        return EXIT_WORLD;
    }
    front_check(context, file, options, &check);
    Buffer text = {0};
    render_diags(&text, context->diags, context->sources, (RenderOptions){RENDER_HUMAN, false});
    if (text.len > 0) {
        fwrite(text.data, 1, text.len, stderr);
    }
    buffer_free(&text);
    return context->diags->error_count > 0 ? EXIT_ERRORS : EXIT_OK;
}

static int check_input(const char *path) {
    Context *context = context_create();
    FrontOptions options = front_defaults();
    Buffer error = {0};
    int status = EXIT_USAGE;
    if (front_project_read(context->arena, path, &options, &error)) {
        status = check_source(context, path, &options);
    } else {
        fprintf(stderr, "tmlc: error: %s\n", error.data);
    }
    buffer_free(&error);
    context_destroy(context);
    return status;
}

static int serve_editor(const char *log) {
    Arena *arena = arena_create();
    LspSettings settings = {
        .options = front_defaults(),
        .read_options = front_options_read,
        .load = front_load,
        .read_project = front_project_read,
        .log = log,
        .documents = documents_folder(arena),
        .version = TMLC_VERSION,
    };
    int status = lsp_serve(&settings, STDIN_FILENO, STDOUT_FILENO);
    arena_destroy(arena);
    return status;
}

static int usage(FILE *out) {
    fputs("usage: tmlc-front [check] FILE...\n       tmlc-front lsp [--log FILE]\n", out);
    return EXIT_USAGE;
}

static bool is_word(const Invocation *invocation, int index, const char *word) {
    return strcmp(invocation->argv[index], word) == 0;
}

static int run_server(const Invocation *invocation) {
    if (invocation->argc == 2) {
        return serve_editor(NULL);
    }
    const char *option = invocation->argv[2];
    size_t len = strlen("--log");
    if (invocation->argc == 3 && strncmp(option, "--log=", len + 1) == 0 && option[len + 1]) {
        return serve_editor(option + len + 1);
    }
    return invocation->argc == 4 && is_word(invocation, 2, "--log")
               ? serve_editor(invocation->argv[3])
               : usage(stderr);
}

static void run(void *data) {
    Invocation *invocation = data;
    stack_watch();
    if (is_word(invocation, 1, "lsp")) {
        invocation->status = run_server(invocation);
        return;
    }
    for (int i = is_word(invocation, 1, "check") ? 2 : 1; i < invocation->argc; i++) {
        int status = check_input(invocation->argv[i]);
        invocation->status = status > invocation->status ? status : invocation->status;
    }
}

// `-` is standard input.
static bool has_option(const Invocation *invocation) {
    for (int i = 1; i < invocation->argc; i++) {
        if (invocation->argv[i][0] == '-' && invocation->argv[i][1] != '\0') {
            return true;
        }
    }
    return invocation->argc == 2 && is_word(invocation, 1, "check");
}

// Jansson itself tells a lack of memory like a text that is no UTF-8.
static void *allocate_json(size_t bytes) {
    return memory_resize(NULL, bytes);
}

int main(int argc, char **argv) {
    Invocation invocation = {argc, argv, EXIT_OK};
    if (argc == 2 && is_word(&invocation, 1, "--help")) {
        usage(stdout);
        return EXIT_OK;
    }
    if (argc == 2 && is_word(&invocation, 1, "--version")) {
        puts("tmlc-front " TMLC_VERSION);
        return EXIT_OK;
    }
    if (argc < 2 || (!is_word(&invocation, 1, "lsp") && has_option(&invocation))) {
        return usage(stderr);
    }
    system_ignore_closed_pipes();
    json_set_alloc_funcs(allocate_json, free);
    stack_run(run, &invocation);
    return invocation.status;
}

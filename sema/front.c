// See front.h.
#include "sema/front.h"

#include "parser/parse.h"
#include "support/diag/edits.h"
#include "support/file.h"
#include "support/system.h"

#include <stdlib.h>
#include <string.h>

FrontOptions front_defaults(void) {
    FrontOptions options = {0};
    for (int i = 0; i < WARNING_COUNT; i++) {
        options.warnings.of[i].is_on = warning_row((Warning)i)->group == WARNINGS_DEFAULT;
    }
    return options;
}

bool front_is_whole(const DiagList *diags) {
    return diags_have_tree(diags, (Span){0, UINT32_MAX});
}

static bool add_texts(Context *context, const char *option, const TextList *texts,
                      CheckTexts *files, const char **error) {
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = texts->items[i];
        SourceFile *file = sources_add(context->sources, option, text, strlen(text));
        if (file == NULL) {
            *error = arena_format(context->arena, "the value of `%s` is too large", option);
            return false;
        }
        LIST_PUSH(context->arena, files, file);
    }
    return true;
}

bool front_prepare(Context *context, const FrontOptions *options, CheckOptions *check,
                   const char **error) {
    check->single = options->single;
    check->mmio = options->mmio;
    check->exact_rank = options->exact_rank;
    check->no_warnings = options->warnings.are_off;
    check->interfaces = options->interfaces;
    check->shared_definitions = options->shared_definitions;
    check->shared_connections = options->shared_connections;
    return add_texts(context, "-D", &options->definitions, &check->definitions, error) &&
           add_texts(context, "--with", &options->connections, &check->connections, error);
}

TirProgram *front_check(Context *context, AstFile *file, const FrontOptions *options,
                        const CheckOptions *check) {
    TirProgram *program = NULL;
    if (front_is_whole(context->diags)) {
        program = check_program(context, file, check);
        warnings_settle(context, &options->warnings);
    }
    edits_part_words(context->diags, context->sources);
    return program;
}

AstFile *front_load(void *data, const char *path, const char **error) {
    Context *context = data;
    char *text = NULL;
    size_t len = 0;
    if (!file_read(path, &text, &len, error)) {
        return NULL;
    }
    SourceFile *source = sources_add(context->sources, path, text, len);
    free(text);
    if (source == NULL) {
        *error = "too large";
        return NULL;
    }
    return parse_file(context, source);
}

const char *front_identify(Arena *arena, const char *path) {
    return system_real_path(arena, path);
}

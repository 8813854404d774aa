// See format.h. A file is replaced as a whole, keeps its mode, and stays what a link names; one
// that has its layout is not touched.
#include "driver/format.h"

#include "driver/command.h"
#include "driver/compile.h"
#include "driver/output.h"
#include "driver/source_files.h"
#include "format/format.h"
#include "support/bug.h"
#include "support/file.h"
#include "support/staged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Formatter {
    const Options *options;
    RenderOptions render;
    Arena *arena;
    ExitStatus status;
} Formatter;

static void note(Formatter *formatter, ExitStatus status) {
    formatter->status = status > formatter->status ? status : formatter->status;
}

static void fail(Formatter *formatter, const char *what, const char *path, const char *why) {
    fprintf(stderr, "tmlc: error: cannot %s `%s`: %s\n", what, path, why);
    note(formatter, EXIT_WORLD);
}

static void print(Formatter *formatter, const char *text, size_t len) {
    const char *error = NULL;
    ExitStatus status = output_print(text, len, &error);
    if (error != NULL) {
        fprintf(stderr, "tmlc: error: %s\n", error);
    }
    note(formatter, status);
}

static bool is_unchanged(const char *path, const SourceFile *source, const char **error) {
    char *text = NULL;
    size_t len = 0;
    if (!file_read(path, &text, &len, error)) {
        return false;
    }
    bool is_same = len == source->len && memcmp(text, source->text, len) == 0;
    free(text);
    *error = "it has changed meanwhile";
    return is_same;
}

static void replace(Formatter *formatter, const char *path, const SourceFile *source,
                    const Buffer *text) {
    struct stat before;
    StagedFile file;
    const char *error = NULL;
    size_t failed = 0;
    if (stat(path, &before) != 0) {
        fail(formatter, "write", path, strerror(errno));
        return;
    }
    if (!staged_create(&file, path, text->data, text->len, &error)) {
        fail(formatter, "write", path, error);
        return;
    }
    if (chmod(file.temporary, before.st_mode & 07777) != 0) {
        fail(formatter, "write", path, strerror(errno));
        staged_discard(&file);
        return;
    }
    if (!is_unchanged(path, source, &error)) {
        fail(formatter, "write", path, error);
        staged_discard(&file);
        return;
    }
    if (!staged_commit(&file, 1, &failed, &error)) {
        fail(formatter, "write", path, error);
    }
}

// A file without a name that holds the text; NULL with errno.
static FILE *file_of(const char *text, size_t len) {
    FILE *file = tmpfile();
    if (file != NULL &&
        (fwrite(text, 1, len, file) != len || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)) {
        fclose(file);
        file = NULL;
    }
    return file;
}

// By the program `diff`, to standard output, as a patch.
static void show_difference(Formatter *formatter, const char *path, const SourceFile *source,
                            const Buffer *text) {
    Arena *arena = formatter->arena;
    SystemCommand command = command_create(arena, "program", "TMLC_DIFF", "diff");
    // Standard input has been read: the program finds its text by the number of a file.
    bool is_input = strcmp(path, "-") == 0;
    FILE *before = is_input ? file_of(source->text, source->len) : NULL;
    const char *old = before == NULL ? path : arena_format(arena, "/dev/fd/%d", fileno(before));
    const char *words[] = {"-u", "--label", path, "--label", path, "--", old, "-"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        command_add(arena, &command, words[i]);
    }
    command.accepted = 1;
    FILE *input = file_of(text->data, text->len);
    if (input == NULL || (is_input && before == NULL)) {
        fail(formatter, "compare", path, strerror(errno));
    } else {
        command.input = fileno(input);
        const char *error = NULL;
        if (!command_run(arena, &command, false, &error)) {
            fprintf(stderr, "tmlc: error: %s\n", error);
            note(formatter, EXIT_WORLD);
        }
    }
    FILE *files[] = {before, input};
    for (size_t i = 0; i < 2; i++) {
        if (files[i] != NULL) {
            fclose(files[i]);
        }
    }
}

// What is done with the text of a file in its layout.
static void use(Formatter *formatter, const char *path, const SourceFile *source,
                const Buffer *text) {
    const Options *options = formatter->options;
    bool is_same = source->len == text->len && memcmp(source->text, text->data, text->len) == 0;
    bool is_input = strcmp(path, "-") == 0;
    bool only_shows = options->format_check || options->format_diff;
    if (options->format_check && !is_same) {
        note(formatter, EXIT_ERRORS);
        if (!options->format_diff) {
            const char *line = arena_format(formatter->arena, "%s\n", source->path);
            print(formatter, line, strlen(line));
        }
    }
    if (options->format_diff && !is_same) {
        show_difference(formatter, path, source, text);
    }
    if (is_input && !only_shows) {
        print(formatter, text->data, text->len);
    } else if (!only_shows && !is_same) {
        replace(formatter, path, source, text);
    }
}

static void format_path(Formatter *formatter, const char *path) {
    CompileOptions options = formatter->options->compile;
    options.stage = STAGE_PARSE;
    Compilation compilation;
    note(formatter, compile_file(&compilation, path, &options));
    Buffer text = {0};
    buffer_text(&text, "");
    if (compilation.error) {
        fprintf(stderr, "tmlc: error: %s\n", compilation.error);
    } else if (compilation.context->diags->error_count > 0) {
        compile_messages(&compilation, formatter->render, &text);
        fwrite(text.data, 1, text.len, stderr);
    } else {
        FormatEnd end = format_file(compilation.context, compilation.ast, &text);
        CHECK(end != FORMAT_DIFFERS);
        if (end == FORMAT_DONE) {
            use(formatter, path, compilation.source, &text);
        } else {
            fail(formatter, "format", path, "it is too large");
        }
    }
    buffer_free(&text);
    compilation_finish(&compilation);
}

ExitStatus format_inputs(const Options *options, RenderOptions render) {
    Formatter formatter = {
        .options = options, .render = render, .arena = arena_create(), .status = EXIT_OK};
    TextList files = {0};
    for (size_t i = 0; i < options->inputs.count; i++) {
        size_t before = files.count;
        ExitStatus status = source_files(formatter.arena, options->inputs.items[i], &files);
        if (status == EXIT_OK && files.count == before) {
            fprintf(stderr, "tmlc: error: no `.tml` file below `%s`\n", options->inputs.items[i]);
            status = EXIT_USAGE;
        }
        note(&formatter, status);
    }
    for (size_t i = 0; i < files.count; i++) {
        format_path(&formatter, files.items[i]);
    }
    if (options->inputs.count == 0) {
        format_path(&formatter, "-");
    }
    arena_destroy(formatter.arena);
    return formatter.status;
}

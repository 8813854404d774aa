// See command.h.
#include "driver/repl/command.h"

#include "driver/shape_query.h"
#include "support/bug.h"
#include "support/file.h"
#include "support/suggest.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ReplCommand {
#define REPL_COMMAND(name, usage, help) REPL_##name,
#include "driver/repl/commands.def"
    REPL_COMMAND_COUNT,
} ReplCommand;

static const struct {
    const char *name, *usage, *help;
} command_rows[REPL_COMMAND_COUNT] = {
#define REPL_COMMAND(name, usage, help) {#name, usage, help},
#include "driver/repl/commands.def"
};

bool repl_fail(Repl *repl, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    buffer_format(&repl->reply.messages, "error: %s\n", text);
    return false;
}

static const char *text_of(Slice text, Arena *arena) {
    return arena_copy_text(arena, text.data, text.len);
}

// Commands.

static bool show_help(Repl *repl) {
    Buffer *out = &repl->reply.text;
    buffer_text(out, "Statements run at once; the value of an expression is printed. An empty line "
                     "ends an\nentry of several lines.\n\n");
    for (int i = 0; i < REPL_COMMAND_COUNT; i++) {
        enum { COLUMN = 34 };
        size_t width = strlen(command_rows[i].name) + strlen(command_rows[i].usage) + 4;
        buffer_format(out, "  :%s %s", command_rows[i].name, command_rows[i].usage);
        buffer_repeat(out, ' ', width < COLUMN ? COLUMN - width : 1);
        buffer_format(out, "%s\n", command_rows[i].help);
    }
    return true;
}

static bool show_type(Repl *repl, Slice expression) {
    SessionValue value;
    if (!session_type(repl->session, expression, &value, &repl->reply)) {
        return false;
    }
    buffer_format(&repl->reply.text, "%s\n",
                  type_text(value.compilation.context->arena, value.type));
    session_drop_value(&value);
    return true;
}

static bool show_shape(Repl *repl, Slice query) {
    Arena *arena = arena_create();
    Compilation compilation;
    ExitStatus status = shape_query(&compilation, text_of(query, arena), &repl->options->compile,
                                    &repl->reply.text);
    session_messages(repl->session, &compilation, &repl->reply);
    compilation_finish(&compilation);
    arena_destroy(arena);
    return status == EXIT_OK;
}

static bool show_names(Repl *repl) {
    if (repl->stepper != NULL) {
        stepper_list(repl->stepper, &repl->reply.text);
    }
    session_list(repl->session, &repl->reply.text);
    return true;
}

static bool load_text(Repl *repl, const char *path) {
    char *text = NULL;
    size_t len = 0;
    const char *why = NULL;
    if (!file_read(path, &text, &len, &why)) {
        return repl_fail(repl, "cannot read `%s`: %s", path, why);
    }
    EntryEnd end = session_enter(repl->session, (Slice){text, len}, true, &repl->reply);
    free(text);
    return end == ENTRY_DONE;
}

static bool load_library(Repl *repl, const char *path) {
    Buffer import = {0};
    buffer_text(&import, "import \"");
    for (const char *at = path; *at != '\0'; at++) {
        buffer_text(&import, *at == '"' || *at == '\\' ? "\\" : "");
        buffer_append(&import, at, 1);
    }
    buffer_text(&import, "\"");
    EntryEnd end =
        session_enter(repl->session, (Slice){import.data, import.len}, true, &repl->reply);
    buffer_free(&import);
    return end == ENTRY_DONE;
}

bool repl_load(Repl *repl, const char *path) {
    Compilation compilation;
    CompileOptions options = repl->options->compile;
    options.stage = STAGE_CHECK;
    options.debug_signals = true;
    ExitStatus status = compile_file(&compilation, path, &options);
    TirProgramKind kind = status == EXIT_OK ? compilation.program->kind : PROGRAM_SCRIPT;
    if (status == EXIT_OK && kind == PROGRAM_COMPONENT) {
        session_messages(repl->session, &compilation, &repl->reply);
        stepper_free(repl->stepper);
        repl->stepper = stepper_create(&compilation, repl->stop);
        return stepper_reset(repl->stepper, repl->session, &repl->reply);
    }
    bool good = status == EXIT_OK;
    if (!good) {
        session_messages(repl->session, &compilation, &repl->reply);
    }
    compilation_finish(&compilation);
    if (good && kind == PROGRAM_MAIN) {
        return repl_fail(repl, "`%s` is a program: `tmlc run %s`", path, path);
    }
    return good && (kind == PROGRAM_LIBRARY ? load_library(repl, path) : load_text(repl, path));
}

static bool need_component(Repl *repl) {
    return repl->stepper != NULL ||
           repl_fail(repl, "there is no component: `:load FILE` takes one");
}

static bool set(Repl *repl, Slice text) {
    const char *equals = memchr(text.data, '=', text.len);
    if (!need_component(repl)) {
        return false;
    }
    if (equals == NULL) {
        return repl_fail(repl, "`:set` takes NAME=EXPRESSION");
    }
    Slice name = slice_trim((Slice){text.data, (size_t)(equals - text.data)});
    Slice rest = slice_trim((Slice){equals + 1, text.len - (size_t)(equals + 1 - text.data)});
    const TirInterface *item = stepper_settable(repl->stepper, name);
    if (item == NULL) {
        return repl_fail(repl,
                         "the component has no input or tunable property `%.*s`; `:names` lists "
                         "them",
                         (int)name.len, name.data);
    }
    SessionValue value;
    if (!session_value(repl->session, stepper_type(repl->stepper, item), item->name->text, rest,
                       &value, &repl->reply)) {
        return false;
    }
    stepper_set(repl->stepper, item, value.scalars);
    session_drop_value(&value);
    return true;
}

static bool step(Repl *repl, const char *text) {
    char *end = NULL;
    unsigned long long count = text[0] == '\0' ? 1 : strtoull(text, &end, 10);
    if (!need_component(repl)) {
        return false;
    }
    if ((end != NULL && *end != '\0') || text[0] == '-' || count == 0) {
        return repl_fail(repl, "`:step` takes a number of steps, not `%s`", text);
    }
    return stepper_run(repl->stepper, count, repl->session, &repl->reply);
}

static bool reset(Repl *repl) {
    if (repl->stepper != NULL) {
        return stepper_reset(repl->stepper, repl->session, &repl->reply);
    }
    session_clear(repl->session);
    return true;
}

static bool save(Repl *repl, const char *path) {
    Slice text = session_text(repl->session);
    const char *error = NULL;
    if (path[0] == '\0') {
        return repl_fail(repl, "`:save` takes a file");
    }
    bool is_read = repl->stepper != NULL && stepper_reads(repl->stepper, path);
    if (is_read || session_reads(repl->session, path)) {
        return repl_fail(repl, "cannot write `%s`: it is loaded, and not what was entered", path);
    }
    return file_write(path, text.data, text.len, &error) ||
           repl_fail(repl, "cannot write `%s`: %s", path, error);
}

static bool run_command(Repl *repl, ReplCommand command, Slice rest) {
    Arena *arena = arena_create();
    const char *text = text_of(rest, arena);
    bool good = true;
    switch (command) {
    case REPL_help: good = show_help(repl); break;
    case REPL_type: good = show_type(repl, rest); break;
    case REPL_shape: good = show_shape(repl, rest); break;
    case REPL_align: good = session_alignment(repl->session, rest, &repl->reply); break;
    case REPL_names: good = show_names(repl); break;
    case REPL_load: good = repl_load(repl, text); break;
    case REPL_set: good = set(repl, rest); break;
    case REPL_step: good = step(repl, text); break;
    case REPL_reset: good = reset(repl); break;
    case REPL_plot: good = repl_plot(repl, rest); break;
    case REPL_list:
        buffer_append(&repl->reply.text, session_text(repl->session).data,
                      session_text(repl->session).len);
        break;
    case REPL_save: good = save(repl, text); break;
    case REPL_quit: repl->is_over = true; break;
    case REPL_COMMAND_COUNT: UNREACHABLE();
    }
    arena_destroy(arena);
    return good;
}

bool repl_command(Repl *repl, Slice line) {
    size_t len = 1;
    while (len < line.len && isalpha((unsigned char)line.data[len])) {
        len++;
    }
    Slice name = {line.data + 1, len - 1};
    Suggestion suggestion = suggestion_for(name.data, name.len);
    int found = REPL_COMMAND_COUNT, count = 0;
    Buffer like = {0};
    for (int i = 0; i < REPL_COMMAND_COUNT; i++) {
        const char *word = command_rows[i].name;
        suggestion_try(&suggestion, word);
        if (name.len > 0 && strncmp(word, name.data, name.len) == 0) {
            found = count == 0 || strlen(word) == name.len ? i : found;
            count = strlen(word) == name.len ? -REPL_COMMAND_COUNT : count + 1;
            buffer_format(&like, "%s`:%s`", like.len > 0 ? ", " : "", word);
        }
    }
    if (count > 1) {
        repl_fail(repl, "`:%.*s` may be %s", (int)name.len, name.data, like.data);
        buffer_free(&like);
        return false;
    }
    buffer_free(&like);
    if (found == REPL_COMMAND_COUNT) {
        return repl_fail(repl, "unknown command `:%.*s`; %s%s%s", (int)name.len, name.data,
                         suggestion.nearest == NULL ? "`:help` lists them" : "did you mean `:",
                         suggestion.nearest == NULL ? "" : suggestion.nearest,
                         suggestion.nearest == NULL ? "" : "`?");
    }
    Slice rest = slice_trim((Slice){line.data + len, line.len - len});
    return run_command(repl, (ReplCommand)found, rest);
}

void repl_note_command(Repl *repl, Slice entry) {
    static const struct {
        const char *word, *meant;
    } others[] = {
        {"exit", "quit"},    {"q", "quit"},   {"bye", "quit"},    {"who", "names"},
        {"whos", "names"},   {"ls", "names"}, {"clear", "reset"}, {"clc", "reset"},
        {"history", "list"}, {"run", "load"}, {"source", "load"}, {"typeof", "type"},
    };
    entry = slice_trim(entry);
    size_t len = 0;
    while (len < entry.len && isalpha((unsigned char)entry.data[len])) {
        len++;
    }
    Slice rest = slice_trim((Slice){entry.data + len, entry.len - len});
    const char *meant = NULL;
    const char *usage = "";
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        bool is_word =
            strlen(others[i].word) == len && memcmp(others[i].word, entry.data, len) == 0;
        meant = is_word ? others[i].meant : meant;
    }
    for (int i = 0; i < REPL_COMMAND_COUNT; i++) {
        const char *name = command_rows[i].name;
        bool is_word = meant != NULL ? strcmp(name, meant) == 0
                                     : strlen(name) == len && memcmp(name, entry.data, len) == 0;
        if (is_word) {
            meant = name;
            usage = command_rows[i].usage;
            break;
        }
    }
    bool alone = rest.len == 0 || rest.data[0] == '(';
    bool parted = len < entry.len && entry.data[len] == ' ' && rest.data[0] != '=';
    if (meant != NULL && (alone || (parted && usage[0] != '\0'))) {
        buffer_format(&repl->reply.messages, "help: a command begins with `:`, as `:%s%s%s`\n",
                      meant, usage[0] == '\0' ? "" : " ", usage);
    }
}

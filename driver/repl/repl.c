// See repl.h. A line that begins with a colon is a command; other lines are gathered until they are
// a whole entry.
#include "driver/repl/repl.h"

#include "driver/repl/command.h"
#include "driver/repl/line_input.h"

#include <signal.h>
#include <stdio.h>

// Ctrl-C ends what runs, or the line that is typed.
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

static bool is_interrupted(void *data) {
    (void)data;
    return interrupted != 0;
}

// The loop.

static void say(Repl *repl) {
    Reply *reply = &repl->reply;
    if (reply->text.len > 0) {
        fwrite(reply->text.data, 1, reply->text.len, stdout);
        fflush(stdout);
    }
    if (reply->messages.len > 0) {
        fwrite(reply->messages.data, 1, reply->messages.len, stderr);
    }
    reply->text.len = reply->messages.len = 0;
}

// Reads lines until they are an entry, and runs it. False when it was wrong.
static bool read_entry(Repl *repl, LineInput *input) {
    Buffer entry = {0};
    EntryEnd end = ENTRY_UNFINISHED;
    while (end == ENTRY_UNFINISHED && !repl->is_over) {
        const char *line = NULL;
        size_t len = 0;
        LineEnd read = line_input_next(input, entry.len == 0 ? "tml> " : "...> ", &line, &len);
        interrupted = 0; // what came before an entry does not end it
        if (read == LINE_INTERRUPTED) {
            printf("\n");
            end = ENTRY_DONE;
            break;
        }
        repl->is_over = read == LINE_NO_MORE;
        Slice text = read == LINE_READ ? (Slice){line, len} : (Slice){"", 0};
        Slice bare = slice_trim(text);
        if (entry.len == 0 && bare.len == 0) {
            end = ENTRY_DONE;
            break;
        }
        if (entry.len == 0 && bare.data[0] == ':') {
            end = repl_command(repl, bare) ? ENTRY_DONE : ENTRY_WRONG;
            line_input_remember(input, bare.data, bare.len);
            break;
        }
        buffer_append(&entry, text.data, text.len);
        buffer_text(&entry, "\n");
        bool is_whole = read == LINE_NO_MORE || (bare.len == 0 && line_input_is_terminal(input));
        end = session_enter(repl->session, (Slice){entry.data, entry.len - 1}, is_whole,
                            &repl->reply);
        if (end == ENTRY_WRONG) {
            repl_note_command(repl, (Slice){entry.data, entry.len - 1});
        }
        if (end != ENTRY_UNFINISHED) {
            line_input_remember(input, entry.data, entry.len - 1);
        }
    }
    interrupted = 0;
    say(repl);
    buffer_free(&entry);
    return end != ENTRY_WRONG;
}

static void take_words(void *data, void (*take)(void *list, const char *word), void *list) {
    const Repl *repl = data;
    session_names(repl->session, take, list);
    if (repl->stepper != NULL) {
        stepper_names(repl->stepper, take, list);
    }
    static const char *const words[] = {
#define KEYWORD(NAME, text, roles) text,
#define TOKEN(NAME, text, roles)
#define MARK(NAME, text, roles)
#include "lexer/tokens.def"
#define BUILTIN(name, handler, op, least, most, form, takes, parameters) name,
#include "sema/builtin/builtin.def"
#define REPL_COMMAND(name, usage, help) ":" #name,
#include "driver/repl/commands.def"
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        take(list, words[i]);
    }
}

ExitStatus repl_run(const Options *options, RenderOptions render) {
    struct sigaction action = {.sa_handler = note_interrupt};
    sigaction(SIGINT, &action, NULL);
    Repl repl = {.options = options, .stop = is_interrupted};
    repl.session = session_create(&options->compile, render, is_interrupted);
    LineInput *input = line_input_open(take_words, &repl);
    bool good = true;
    for (size_t i = 0; i < options->inputs.count; i++) {
        good = repl_load(&repl, options->inputs.items[i]) && good;
        say(&repl);
    }
    if (line_input_is_terminal(input)) {
        printf("tmlc " TMLC_VERSION ": `:help` lists commands, `:quit` leaves\n");
    }
    while (!repl.is_over) {
        good = read_entry(&repl, input) && good;
    }
    bool failed = !good && !line_input_is_terminal(input);
    if (line_input_is_terminal(input)) {
        printf("\n");
    }
    stepper_free(repl.stepper);
    session_free(repl.session);
    line_input_close(input);
    buffer_free(&repl.reply.text);
    buffer_free(&repl.reply.messages);
    return failed ? EXIT_ERRORS : EXIT_OK;
}

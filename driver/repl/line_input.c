// See line_input.h.
#include "driver/repl/line_input.h"

#include "support/buffer.h"
#include "support/memory.h"

#include <ctype.h>
#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

enum { HISTORY_ENTRIES = 1000 };

struct LineInput {
    LineWords *words;
    void *data;
    const char *prompt;
    EditLine *editor; // NULL: no terminal
    History *history;
    Buffer history_path;
    sigset_t while_waiting; // the signals that are held back while a line is read and nobody waits
    char *line;             // of getline
    size_t capacity;
};

static char *prompt_of(EditLine *editor) {
    LineInput *input = NULL;
    el_get(editor, EL_CLIENTDATA, &input);
    return (char *)input->prompt;
}

// Characters.

// Waits for a byte. Ctrl-C is let through here alone: one that came since the prompt was written
// ends the wait at once, where a plain read() would not see it.
static int read_byte(const LineInput *input, char *byte) {
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(STDIN_FILENO, &readable);
    if (pselect(STDIN_FILENO + 1, &readable, NULL, NULL, NULL, &input->while_waiting) < 0) {
        return -1;
    }
    return (int)read(STDIN_FILENO, byte, 1);
}

// Of libedit's EL_GETCFN: 1, 0 at the end, -1 with errno.
static int read_character(EditLine *editor, wchar_t *character) {
    LineInput *input = NULL;
    el_get(editor, EL_CLIENTDATA, &input);
    mbstate_t state = {0};
    for (;;) {
        char byte = 0;
        int count = read_byte(input, &byte);
        if (count <= 0) {
            return count;
        }
        size_t len = mbrtowc(character, &byte, 1, &state);
        if (len != 0 && len != (size_t)-1 && len != (size_t)-2) {
            return 1;
        }
        // Dropped: what is no character, and NUL, which a terminal makes of Ctrl-D before keys are
        // read one by one, and which libedit takes for "insert the next key as it is".
        if (len == 0 || len == (size_t)-1) {
            state = (mbstate_t){0};
        }
    }
}

// Completion.

typedef struct Matches {
    const char *word;
    size_t len;
    Buffer list;   // one below the other
    Buffer common; // what all begin with
    size_t count;
} Matches;

static void take_match(void *list, const char *word) {
    Matches *matches = list;
    if (strncmp(word, matches->word, matches->len) != 0) {
        return;
    }
    buffer_format(&matches->list, "%s%s", matches->count == 0 ? "" : "  ", word);
    if (matches->count++ == 0) {
        buffer_text(&matches->common, word);
        return;
    }
    size_t same = 0;
    while (same < matches->common.len && word[same] == matches->common.data[same]) {
        same++;
    }
    matches->common.len = same;
    matches->common.data[same] = '\0';
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

static unsigned char complete(EditLine *editor, int key) {
    (void)key;
    LineInput *input = NULL;
    el_get(editor, EL_CLIENTDATA, &input);
    const LineInfo *line = el_line(editor);
    const char *start = line->cursor;
    while (start > line->buffer && is_of_word(start[-1])) {
        start--;
    }
    Matches matches = {.word = start, .len = (size_t)(line->cursor - start)};
    unsigned char result = CC_ERROR;
    if (matches.len == 0) { // Tab indents
        el_insertstr(editor, "    ");
        return CC_REFRESH;
    }
    input->words(input->data, take_match, &matches);
    if (matches.count > 0 && matches.common.len > matches.len) {
        el_insertstr(editor, matches.common.data + matches.len);
        result = CC_REFRESH;
    } else if (matches.count > 1) {
        printf("\n%s\n", matches.list.data);
        result = CC_REDISPLAY;
    }
    buffer_free(&matches.list);
    buffer_free(&matches.common);
    return result;
}

// The history's file: tmlc/history among the user's state, as the XDG specification has it.
static void find_history(Buffer *path) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    if (state != NULL && state[0] == '/') {
        buffer_text(path, state);
    } else if (home != NULL && home[0] == '/') {
        buffer_format(path, "%s/.local/state", home);
    } else {
        return;
    }
    buffer_text(path, "/tmlc/history");
}

// Makes the folders above a file.
static void make_folders(char *path) {
    for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
}

LineInput *line_input_open(LineWords *words, void *data) {
    LineInput *input = memory_zeroed(sizeof(*input));
    input->words = words;
    input->data = data;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        return input;
    }
    setlocale(LC_CTYPE, "");
    input->editor = el_init("tmlc", stdin, stdout, stderr);
    input->history = history_init();
    if (input->editor == NULL || input->history == NULL) {
        return input;
    }
    HistEvent event;
    history(input->history, &event, H_SETSIZE, HISTORY_ENTRIES);
    history(input->history, &event, H_SETUNIQUE, 1);
    find_history(&input->history_path);
    if (input->history_path.len > 0) {
        history(input->history, &event, H_LOAD, input->history_path.data);
    }
    el_set(input->editor, EL_CLIENTDATA, input);
    el_set(input->editor, EL_PROMPT, prompt_of);
    el_set(input->editor, EL_GETCFN, read_character);
    el_set(input->editor, EL_EDITOR, "emacs");
    el_set(input->editor, EL_HIST, history, input->history);
    el_set(input->editor, EL_ADDFN, "tmlc-complete", "completes a name", complete);
    el_set(input->editor, EL_BIND, "^I", "tmlc-complete", NULL);
    el_source(input->editor, NULL);
    return input;
}

void line_input_close(LineInput *input) {
    HistEvent event;
    if (input->history != NULL && input->history_path.len > 0) {
        make_folders(input->history_path.data);
        history(input->history, &event, H_SAVE, input->history_path.data);
    }
    if (input->editor != NULL) {
        el_end(input->editor);
    }
    if (input->history != NULL) {
        history_end(input->history);
    }
    buffer_free(&input->history_path);
    free(input->line);
    free(input);
}

bool line_input_is_terminal(const LineInput *input) {
    return input->editor != NULL;
}

// el_gets() with Ctrl-C held back but in read_byte().
static const char *edited_line(LineInput *input, int *count) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &input->while_waiting);
    errno = 0;
    const char *line = el_gets(input->editor, count);
    int error = errno;
    sigprocmask(SIG_SETMASK, &input->while_waiting, NULL);
    errno = error;
    return line;
}

LineEnd line_input_next(LineInput *input, const char *prompt, const char **line, size_t *len) {
    input->prompt = prompt;
    errno = 0;
    if (input->editor != NULL) {
        int count = 0;
        *line = edited_line(input, &count);
        if (*line == NULL && errno == EINTR) {
            el_reset(input->editor); // what was typed
            return LINE_INTERRUPTED;
        }
        if (*line == NULL) {
            return LINE_NO_MORE;
        }
        *len = (size_t)count;
    } else {
        ssize_t count = getline(&input->line, &input->capacity, stdin);
        if (count < 0) {
            return errno == EINTR ? LINE_INTERRUPTED : LINE_NO_MORE;
        }
        *line = input->line;
        *len = (size_t)count;
    }
    while (*len > 0 && ((*line)[*len - 1] == '\n' || (*line)[*len - 1] == '\r')) {
        --*len;
    }
    return LINE_READ;
}

void line_input_remember(LineInput *input, const char *entry, size_t len) {
    HistEvent event;
    if (input->history != NULL) {
        Buffer text = {0};
        buffer_append(&text, entry, len);
        history(input->history, &event, H_ENTER, text.data);
        buffer_free(&text);
    }
}

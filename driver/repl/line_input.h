// Lines from a terminal, with editing, a history that is kept and completion, by libedit; or from a
// pipe or file, as they are.
#ifndef TMLC_DRIVER_REPL_LINE_INPUT_H
#define TMLC_DRIVER_REPL_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct LineInput LineInput;

// Calls `take` on every word that the line may go on with.
typedef void LineWords(void *data, void (*take)(void *list, const char *word), void *list);

LineInput *line_input_open(LineWords *words, void *data);
void line_input_close(LineInput *input);
bool line_input_is_terminal(const LineInput *input);

typedef enum LineEnd { LINE_READ, LINE_INTERRUPTED, LINE_NO_MORE } LineEnd;

// The next line, without its newline, in *line until the next call.
LineEnd line_input_next(LineInput *input, const char *prompt, const char **line, size_t *len);
// Adds an entry to the history.
void line_input_remember(LineInput *input, const char *entry, size_t len);

#endif

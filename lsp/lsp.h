// `tmlc lsp`: a language server for editors, on the front end alone, without LLVM. It speaks the
// Language Server Protocol 3.17 over two descriptors, one message at a time, in one thread.
#ifndef TMLC_LSP_LSP_H
#define TMLC_LSP_LSP_H

#include "sema/front.h"
#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>

// Applies options, written as on the command line, to *options; those that checking does not ask
// about only must be right. Paths are relative to the file `base`, or, where it is NULL, to the
// present folder. False when one is wrong: *wrong is its index, and *error says why.
typedef bool LspOptionReader(Arena *arena, const TextList *list, const char *base,
                             FrontOptions *options, size_t *wrong, Buffer *error);

// Applies the options of the project that the file at `path` belongs to. False when it has a
// mistake, which *error says with its place.
typedef bool LspProjectReader(Arena *arena, const char *path, FrontOptions *options, Buffer *error);

typedef struct LspSettings {
    FrontOptions options; // of the command line
    LspOptionReader *read_options;
    CheckLoader *load;              // of files that are not open; its data is the Context
    LspProjectReader *read_project; // NULL: projects do not count
    const char *log;                // a file that messages are appended to, or NULL
    const char *documents;          // the folder of documents, with a slash; NULL: there is none
    const char *version;            // of the program
} LspSettings;

// Serves the client that writes to `input` and reads from `output` until it says `exit` or is gone.
// The exit status: EXIT_OK after a shutdown, EXIT_ERRORS without one or when what comes is not the
// protocol, EXIT_WORLD when the log cannot be written.
int lsp_serve(const LspSettings *settings, int input, int output);

#endif

// `tmlc lsp`: a language server for editors, on the front end alone, without LLVM. It speaks the
// Language Server Protocol 3.17 over two descriptors, one message at a time, in one thread.
#ifndef TMLC_LSP_LSP_H
#define TMLC_LSP_LSP_H

#include "sema/front.h"

typedef struct LspSettings {
    FrontOptions options; // of the command line
    const char *log;      // a file that messages are appended to, or NULL
    const char *version;  // of the program
} LspSettings;

// Serves the client that writes to `input` and reads from `output` until it says `exit` or is gone.
// The exit status: EXIT_OK after a shutdown, EXIT_ERRORS without one or when what comes is not the
// protocol, EXIT_WORLD when the log cannot be written.
int lsp_serve(const LspSettings *settings, int input, int output);

#endif

// What the server knows: its client, the documents that are open, and the check of each. Data only;
// the other headers of this folder say what is done with it.
#ifndef TMLC_LSP_STATE_H
#define TMLC_LSP_STATE_H

#include "lexer/token.h"
#include "lsp/lsp.h"
#include "parser/ast.h"
#include "sema/notes/notes.h"
#include "support/context.h"

#include <jansson.h>
#include <stdint.h>

// Where the lines of a text begin, as the protocol counts them: `\n`, `\r\n` and `\r` end one.
typedef struct LspLines {
    uint32_t *starts;
    uint32_t count;
} LspLines;

// The tokens of a file.
typedef struct LspTokens {
    Context *context;    // of the names in them
    LIST_OF(Token) list; // with spans as in the file's compilation; the last is the end
} LspTokens;

// An open file. `text` is the client's, the rest what the last check of it left; both agree unless
// it is stale. Positions (Span) are those of `context`.
typedef struct LspDocument {
    struct LspDocument *next;
    char *uri;
    char *path;     // of the file; the URI where it names none
    char *identity; // the path without links
    json_int_t version;
    Buffer text;
    LspLines lines;       // of `text`
    bool is_stale;        // the text, an import or an option has changed since the check
    bool is_new;          // its check has not been published
    Arena *option_arena;  // of `options`
    FrontOptions options; // those of the check
    Context *context;
    SourceFile *source;
    AstFile *ast;
    TirProgram *program; // NULL while there are errors
    Notes notes;
    TextList wanted;     // the identities of the files that it imports, also of missing ones
    LspLines *imported;  // lines of the other sources, by their index; found when they are needed
    const char **uris;   // what the client calls these, likewise
    LspTokens tokens;    // of `source`, likewise
    const char *failure; // why nothing was checked, or NULL
} LspDocument;

typedef enum LspPhase { LSP_NEW, LSP_RUNNING, LSP_SHUT_DOWN } LspPhase;

typedef struct LspServer {
    const LspSettings *settings;
    // Takes a message for the client.
    void (*send)(void *data, const char *text, size_t len);
    void *send_data;
    LspPhase phase;
    bool is_over;      // `exit` came
    bool utf8;         // positions count bytes; else units of UTF-16
    bool links;        // the client shows links of codes
    bool related;      // the client shows relatedInformation
    bool markdown;     // it shows that in hovers
    bool snippets;     // completions may have places to fill in
    bool tests;        // it has the command that runs tests
    json_int_t client; // its process, or 0
    LspDocument *documents;
    bool has_marks;    // texts of this message have marks in place of bytes (lsp/encoding.h)
    Arena *arena;      // of `words`
    TextList words;    // the client's options, as on the command line
    json_t *initial;   // those from the beginning, or NULL
    char *complaint;   // what is wrong with options, as the client was told; or NULL
    json_t *folders;   // of the workspace: their URIs are the keys
    json_t *published; // what the client was told last, by URI
} LspServer;

// One request or notification. Handlers answer requests with a value that the caller frees, NULL
// being `null`, or call lsp_fail.
typedef struct LspRequest {
    LspServer *server;
    const json_t *params;
    LspDocument *document; // that params.textDocument names, checked; of methods that need one
    int error;             // 0, or the protocol's code
    const char *error_text;
} LspRequest;

#endif

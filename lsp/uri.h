// Names of files: URIs for the client, paths for the compiler.
#ifndef TMLC_LSP_URI_H
#define TMLC_LSP_URI_H

#include <jansson.h>

// The path that a `file:` URI means, or, of another scheme, the URI itself; malloc'd.
char *lsp_uri_path(const char *uri);
// The URI of a path.
json_t *lsp_uri(const char *path);

#endif

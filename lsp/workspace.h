// The folders of the workspace, and the sources below them that no editor has opened.
#ifndef TMLC_LSP_WORKSPACE_H
#define TMLC_LSP_WORKSPACE_H

#include "lsp/state.h"

// Calls `each` with the path of every `.tml` file below the folders that is not open; at most 2,000
// of them.
void lsp_each_closed(const LspServer *server, void (*each)(const char *path, void *data),
                     void *data);

// Those that `initialize` tells, or the one folder of older clients.
void lsp_note_folders(LspServer *server, const json_t *params);

#endif

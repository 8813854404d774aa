// See workspace.h.
#include "lsp/workspace.h"

#include "lsp/document.h"
#include "lsp/request.h"
#include "lsp/uri.h"
#include "support/folder.h"

#include <stdlib.h>

enum { MOST_FILES = 2000 };

typedef struct Walk {
    const LspServer *server;
    void (*each)(const char *path, void *data);
    void *data;
    int files; // so many more
} Walk;

static bool take_file(void *data, const char *path) {
    Walk *walk = data;
    if (lsp_find_path(walk->server, path) == NULL) {
        walk->each(path, walk->data);
        walk->files--;
    }
    return walk->files > 0;
}

void lsp_each_closed(const LspServer *server, void (*each)(const char *path, void *data),
                     void *data) {
    Walk walk = {server, each, data, MOST_FILES};
    const char *uri;
    json_t *value;
    json_object_foreach(server->folders, uri, value) {
        char *path = lsp_uri_path(uri);
        folder_walk(path, &(FolderVisitor){take_file, NULL, &walk});
        free(path);
    }
}

static void add_folders(LspServer *server, const json_t *folders) {
    for (size_t i = 0; i < json_array_size(folders); i++) {
        const char *uri = lsp_text(json_array_get(folders, i), "uri");
        if (uri != NULL) {
            json_set(server->folders, uri, json_true());
        }
    }
}

void lsp_note_folders(LspServer *server, const json_t *params) {
    const json_t *folders = json_object_get(params, "workspaceFolders");
    const char *root = lsp_text(params, "rootUri");
    add_folders(server, folders);
    if (root != NULL && json_array_size(folders) == 0) {
        json_set(server->folders, root, json_true());
    }
}

json_t *lsp_did_change_folders(LspRequest *request) {
    const json_t *event = json_object_get(request->params, "event");
    const json_t *removed = json_object_get(event, "removed");
    for (size_t i = 0; i < json_array_size(removed); i++) {
        const char *uri = lsp_text(json_array_get(removed, i), "uri");
        if (uri != NULL) {
            json_object_del(request->server->folders, uri);
        }
    }
    add_folders(request->server, json_object_get(event, "added"));
    return NULL;
}

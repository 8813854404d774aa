// See lsp.h. What has arrived is read before anything is checked, so that of many edits at once
// only the last is; a client whose process is gone ends the server even if somebody holds its pipe.
#include "lsp/lsp.h"

#include "lsp/frame.h"
#include "lsp/server.h"
#include "runtime/abi/exit_status.h"
#include "support/system.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { CLIENT_IS_ASKED = 2000 }; // milliseconds between two looks at the client's process

typedef struct Connection {
    LspServer *server;
    int input, output;
    bool is_broken; // nobody reads what we write
    FILE *log;
} Connection;

static void note(const Connection *connection, const char *mark, const char *text, size_t len) {
    if (connection->log != NULL) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(connection->log, "%lld.%06ld %s %.*s\n", (long long)now.tv_sec, now.tv_nsec / 1000,
                mark, (int)len, text);
        fflush(connection->log);
    }
}

static void send_text(void *data, const char *text, size_t len) {
    Connection *connection = data;
    note(connection, "->", text, len);
    connection->is_broken |= !frame_write(connection->output, text, len);
}

// Above 0: there is something to read now or within some milliseconds, -1: however long it takes.
// 0: not in that time; below 0: only reading tells.
static int can_read(const Connection *connection, int milliseconds) {
    struct pollfd input = {.fd = connection->input, .events = POLLIN};
    int count = 0;
    do {
        count = poll(&input, 1, milliseconds);
    } while (count < 0 && errno == EINTR);
    return count;
}

// Waits until there is something to read. False when the client is gone. WebAssembly's poll does
// not wait for every input, and then reading does.
static bool wait_for_client(const Connection *connection) {
    const LspServer *server = connection->server;
    bool is_asked = server->client > 0;
    while (can_read(connection, is_asked ? CLIENT_IS_ASKED : -1) == 0 && is_asked) {
        if (!system_has_process((long)server->client)) {
            return false;
        }
    }
    return true;
}

// Takes messages until the session is over. False, after a line on standard error, when what comes
// is not the protocol.
static bool run(Connection *connection, FrameReader *reader) {
    LspServer *server = connection->server;
    while (!server->is_over && !connection->is_broken) {
        const char *text = NULL, *error = NULL;
        size_t len = 0;
        switch (frame_take(reader, &text, &len, &error)) {
        case FRAME_MESSAGE:
            note(connection, "<-", text, len);
            lsp_receive(server, text, len);
            break;
        case FRAME_PART:
            if (can_read(connection, 0) <= 0) {
                lsp_rest(server);
                if (connection->is_broken || !wait_for_client(connection)) {
                    return true;
                }
            }
            if (!frame_read(reader, connection->input)) {
                return true;
            }
            break;
        case FRAME_WRONG:
            note(connection, "--", error, strlen(error));
            fprintf(stderr, "tmlc: error: %s\n", error);
            return false;
        }
    }
    return true;
}

int lsp_serve(const LspSettings *settings, int input, int output) {
    Connection connection = {.input = input, .output = output};
    if (settings->log != NULL && (connection.log = fopen(settings->log, "ae")) == NULL) {
        fprintf(stderr, "tmlc: error: cannot write `%s`: %s\n", settings->log, strerror(errno));
        return EXIT_WORLD;
    }
    connection.server = lsp_create(settings, send_text, &connection);
    FrameReader reader = {0};
    bool is_protocol = run(&connection, &reader);
    bool is_good = is_protocol && connection.server->phase == LSP_SHUT_DOWN;
    lsp_destroy(connection.server);
    buffer_free(&reader.bytes);
    if (connection.log != NULL) {
        fclose(connection.log);
    }
    return is_good ? EXIT_OK : EXIT_ERRORS;
}

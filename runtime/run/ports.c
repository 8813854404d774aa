// The functions of runtime/abi/abi.def, which programs call: print(), and input() and output() with
// standard input, standard output, and the files of ports.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/host.h"
#include "runtime/run/replay.h"
#include "runtime/run/report.h"
#include "runtime/text/print.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void tml_host_init(tml_host *host, const Options *options) {
    host->options = options;
    host->interactive = isatty(STDOUT_FILENO) == 1;
    host->failure_reported = false;
    host->note_count = 0;
    host->replay = NULL;
    tml_writer_init(&host->out, STDOUT_FILENO);
    tml_reader_init(&host->in, STDIN_FILENO, "standard input");
    host->in.before_read = &host->out;
}

tml_status tml_host_status(tml_host *host) {
    if (host->out.error == 0) {
        return TML_OK;
    }
    if (!host->failure_reported) {
        host->failure_reported = true;
        tml_report_output(host->options->command, host->out.error);
    }
    return TML_E_IO;
}

tml_status tml_print_text(tml_host *host, const char *text, uint64_t len) {
    tml_write_bytes(&host->out, text, len);
    if (host->interactive && len > 0 && text[len - 1] == '\n') {
        tml_writer_flush(&host->out);
    }
    return tml_host_status(host);
}

tml_status tml_print_value(tml_host *host, const tml_type *type, const void *data) {
    tml_write_value(&host->out, type, data);
    return tml_host_status(host);
}

tml_status tml_note(tml_host *host, const char *text, const tml_type *type, const void *data) {
    TrapNote *note = &host->notes[host->note_count++];
    *note = (TrapNote){.text = text, .type = type};
    memcpy(&note->value, data, tml_scalar_bytes(type));
    return TML_OK;
}

// The file that the command line gives for a port, or NULL.
static const char *file_of(const tml_host *host, tml_role role, const char *port) {
    const Bindings *bindings = &host->options->bindings[role];
    for (size_t i = 0; i < bindings->count; i++) {
        if (strcmp(bindings->items[i].terminal->name, port) == 0) {
            return bindings->items[i].path;
        }
    }
    return NULL;
}

static bool read_file(tml_host *host, const char *path, const tml_type *type, void *data) {
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : tml_open(path, O_RDONLY);
    if (fd < 0) {
        tml_report(host->options->command, "cannot open `%s`: %s", path, strerror(errno));
        return false;
    }
    bool done = tml_path_is_npy(path)
                    ? tml_npy_read(fd, path, type, data)
                    : tml_text_file_read(fd, is_stdin ? "standard input" : path, type, data);
    if (!is_stdin) {
        close(fd);
    }
    return done;
}

tml_status tml_input(tml_host *host, const tml_type *type, const char *name, void *data) {
    if (!name) {
        return tml_literal_read(&host->in, type, data) ? TML_OK : TML_E_IO;
    }
    if (host->replay) {
        return tml_replay_input(host->replay, name, type, data) ? TML_OK : TML_E_IO;
    }
    const char *path = file_of(host, TML_INPUT, name);
    return read_file(host, path, type, data) ? TML_OK : TML_E_IO;
}

// "name = VALUE", which is TML again; a value of several lines starts on its own.
static tml_status print_output(tml_host *host, const tml_type *type, const char *name,
                               const void *data) {
    tml_write_text(&host->out, name);
    tml_write_text(&host->out, tml_value_is_multiline(type) ? " =\n" : " = ");
    tml_write_value(&host->out, type, data);
    return tml_print_text(host, "\n", 1);
}

tml_status tml_output(tml_host *host, const tml_type *type, const char *name, const void *data) {
    const char *path = file_of(host, TML_OUTPUT, name);
    if (!path) {
        return print_output(host, type, name, data);
    }
    // The file may be our standard output.
    tml_writer_flush(&host->out);
    if (tml_host_status(host) != TML_OK) {
        return TML_E_IO;
    }
    return tml_port_file_write(host, path, type, data);
}

#include "runtime/run/host.h"

#include "runtime/run/report.h"

#include <unistd.h>

void tml_host_init(tml_host *host, const tml_program *program, const char *command,
                   const char **files) {
    host->program = program;
    host->command = command;
    host->files = files;
    host->interactive = isatty(STDOUT_FILENO) == 1;
    host->failure_reported = false;
    tml_writer_init(&host->out, STDOUT_FILENO);
    tml_reader_init(&host->in, STDIN_FILENO, "standard input");
    host->in.before_read = &host->out;
}

void tml_host_report(const tml_host *host, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tml_report_list(host->command, format, arguments);
    va_end(arguments);
}

tml_status tml_host_status(tml_host *host) {
    if (host->out.error == 0) {
        return TML_OK;
    }
    if (!host->failure_reported) {
        host->failure_reported = true;
        tml_host_report(host, "cannot write to standard output: %s", strerror(host->out.error));
    }
    return TML_E_IO;
}

tml_status tml_host_flush(tml_host *host) {
    tml_writer_flush(&host->out);
    return tml_host_status(host);
}

const char *tml_host_file(const tml_host *host, const char *port, bool is_output) {
    for (size_t i = 0; i < host->program->port_count; i++) {
        const tml_port *candidate = &host->program->ports[i];
        if (candidate->is_output == is_output && strcmp(candidate->name, port) == 0) {
            return host->files[i];
        }
    }
    return NULL;
}

tml_status tml_print_text(tml_host *host, const char *text, uint64_t len) {
    tml_write_bytes(&host->out, text, len);
    if (host->interactive && len > 0 && text[len - 1] == '\n') {
        tml_writer_flush(&host->out);
    }
    return tml_host_status(host);
}

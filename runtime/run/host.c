#include "runtime/run/host.h"

#include "runtime/run/report.h"

#include <unistd.h>

void tml_host_init(tml_host *host, const Options *options) {
    host->options = options;
    host->interactive = isatty(STDOUT_FILENO) == 1;
    host->failure_reported = false;
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
        tml_report(host->options->command, "cannot write to standard output: %s",
                   strerror(host->out.error));
    }
    return TML_E_IO;
}

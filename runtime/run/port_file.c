// A value in a file, by its suffix as an array, a literal or CSV.
#include "runtime/file/formats.h"
#include "runtime/file/whole_file.h"
#include "runtime/run/host.h"
#include "runtime/run/report.h"
#include "runtime/text/print.h"

#include <string.h>

typedef struct Port {
    const char *path;
    const tml_type *type;
    const void *value;
} Port;

static void write_port(Writer *out, const void *data) {
    const Port *port = data;
    if (tml_path_is_npy(port->path)) {
        tml_npy_write(out, port->type, port->value);
    } else if (tml_path_is_tml(port->path)) {
        tml_write_literal(out, port->type, port->value);
    } else {
        tml_csv_write(out, port->type, port->value);
    }
}

tml_status tml_port_file_write(tml_host *host, const char *path, const tml_type *type,
                               const void *data) {
    Port port = {path, type, data};
    int error = tml_write_whole(path, write_port, &port);
    if (error != 0 && strcmp(path, "-") == 0) {
        tml_report_output(host->options->command, error);
    } else if (error != 0) {
        tml_report(host->options->command, "cannot write `%s`: %s", path, strerror(error));
    }
    return error == 0 ? TML_OK : TML_E_IO;
}

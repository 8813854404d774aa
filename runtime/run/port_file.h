// Files of output ports.
#ifndef TML_RUNTIME_RUN_PORT_FILE_H
#define TML_RUNTIME_RUN_PORT_FILE_H

#include "runtime/run/host.h"

// Writes the value to the file, .npy or CSV by its suffix, whole or not at all: beside its place
// first, then renamed. A later output to the same file replaces it. What exists and is no regular
// file (a device, a pipe) is written to as it is, and so is the file that our standard output or
// error already goes to ("-" is standard output). TML_E_IO after saying what failed.
tml_status tml_port_file_write(tml_host *host, const char *path, const tml_type *type,
                               const void *data);

#endif

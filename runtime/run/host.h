// What one run of a program holds: its descriptor, standard streams, and the files of its ports.
#ifndef TML_RUNTIME_RUN_HOST_H
#define TML_RUNTIME_RUN_HOST_H

#include "runtime/abi/abi.h"
#include "runtime/file/text_reader.h"
#include "runtime/file/writer.h"

struct tml_host {
    const tml_program *program;
    const char *command;   // as it was called, for messages
    const char **files;    // for each port what the command line gives, or NULL
    bool interactive;      // standard output is a terminal: lines show at once
    bool failure_reported; // of standard output
    Writer out;
    TextReader in;
};

// Prepares everything but `files`, which has a place for each port.
void tml_host_init(tml_host *host, const tml_program *program, const char *command,
                   const char **files);
// Prints "COMMAND: ..." on standard error.
__attribute__((format(printf, 2, 3))) void tml_host_report(const tml_host *host, const char *format,
                                                           ...);
// TML_OK, or TML_E_IO when standard output has failed, after saying so once.
tml_status tml_host_status(tml_host *host);
// Flushes standard output.
tml_status tml_host_flush(tml_host *host);
// The file that the command line gives for a port of the program, or NULL.
const char *tml_host_file(const tml_host *host, const char *port, bool is_output);

#endif

// What one run of a program holds: its standard streams, and the files of its ports.
#ifndef TML_RUNTIME_RUN_HOST_H
#define TML_RUNTIME_RUN_HOST_H

#include "runtime/abi/abi.h"
#include "runtime/file/text_reader.h"
#include "runtime/file/writer.h"
#include "runtime/run/options.h"

struct tml_host {
    const Options *options;
    bool interactive;      // standard output is a terminal: lines show at once
    bool failure_reported; // of standard output
    Writer out;
    TextReader in;
};

void tml_host_init(tml_host *host, const Options *options);
// TML_OK, or TML_E_IO when standard output has failed, after saying so once.
tml_status tml_host_status(tml_host *host);

#endif

// What one run of a program holds, its standard streams and the files of its ports; and the memory
// of states.
#ifndef TML_RUNTIME_RUN_HOST_H
#define TML_RUNTIME_RUN_HOST_H

#include "runtime/abi/abi.h"
#include "runtime/abi/exit_status.h"
#include "runtime/file/text_reader.h"
#include "runtime/file/writer.h"
#include "runtime/run/options.h"
#include "runtime/run/report.h"

typedef struct Replay Replay; // of runtime/run/replay.h

struct tml_host {
    const Options *options;
    bool interactive;      // standard output is a terminal: lines show at once
    bool failure_reported; // of standard output
    Writer out;
    TextReader in;
    TrapNote notes[2]; // of the trap that the program is about to return
    unsigned note_count;
    Replay *replay; // of a test, which reads its ports from there; else NULL
};

void tml_host_init(tml_host *host, const Options *options);
// TML_OK, or TML_E_IO when standard output has failed, after saying so once.
tml_status tml_host_status(tml_host *host);

// Writes the value to the file, .npy, .tml or CSV by its suffix, whole or not at all
// (tml_write_whole). A later output to the same file replaces it. TML_E_IO after saying what
// failed.
tml_status tml_port_file_write(tml_host *host, const char *path, const tml_type *type,
                               const void *data);

// Runs a program once. Returns the exit status, after saying what went wrong if anything did.
ExitStatus tml_program_run(const Options *options);

// Zeroed pages, 64-aligned, reserved but not yet present. NULL after saying that there are none.
void *tml_memory_map(const char *command, size_t bytes);
void tml_memory_unmap(void *memory, size_t bytes); // which may be NULL

#endif

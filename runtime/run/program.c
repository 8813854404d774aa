// The life of a program: options, memory, the run, and how it ended.
#include "runtime/file/open_file.h"
#include "runtime/run/host.h"
#include "runtime/run/options.h"
#include "runtime/run/program_memory.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Closing reports what some file systems find out only then; the descriptor itself stays open for
// whoever called us.
static tml_status finish_output(tml_host *host) {
    if (tml_host_flush(host) != TML_OK) {
        return TML_E_IO;
    }
    int copy = dup(host->out.fd);
    if (copy >= 0 && close(copy) != 0 && errno != EINTR) {
        host->out.error = errno;
    }
    return tml_host_status(host);
}

static int run_program(tml_host *host) {
    const tml_program *program = host->program;
    tml_state *state = tml_memory_map(program->state_bytes);
    if (!state) {
        tml_host_report(host, "cannot get %llu bytes of memory: %s",
                        (unsigned long long)program->state_bytes, strerror(errno));
        return EXIT_WORLD;
    }
    state->host = host;
    tml_status status = program->run(state);
    tml_status finished = finish_output(host); // before the trap's line
    int exit_status = EXIT_DONE;
    if (status == TML_E_IO) {
        exit_status = EXIT_WORLD;
    } else if (status != TML_OK) {
        tml_report_trap(&state->fault, program->files, program->texts, "");
        exit_status = EXIT_TRAP;
    } else if (finished != TML_OK) {
        exit_status = EXIT_WORLD;
    }
    tml_memory_unmap(state, program->state_bytes);
    return exit_status;
}

static int run_with_files(const tml_program *program, int argc, char **argv, const char **files) {
    const char *command = argc > 0 ? argv[0] : program->name;
    tml_host host;
    tml_host_init(&host, program, command, files);
    switch (tml_options_parse(&host, argc, argv)) {
    case OPTIONS_RUN: return run_program(&host);
    case OPTIONS_HELP:
        tml_options_help(&host);
        return finish_output(&host) == TML_OK ? EXIT_DONE : EXIT_WORLD;
    case OPTIONS_WRONG: return EXIT_USAGE;
    }
    __builtin_unreachable();
}

int tml_program_main(const tml_program *program, int argc, char **argv) {
    if (program->abi_version != TML_ABI_VERSION) {
        fprintf(stderr, "%s: compiled for version %u of the runtime, linked with version %d\n",
                program->name, program->abi_version, TML_ABI_VERSION);
        return EXIT_WORLD;
    }
    const char **files = calloc(program->port_count + 1, sizeof *files);
    if (!files) {
        fprintf(stderr, "%s: cannot get memory\n", program->name);
        return EXIT_WORLD;
    }
    tml_hold_standard_streams();
    // A closed pipe, or a file at its greatest size, shall be an error of write, with a message,
    // not a sudden death.
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe, size;
    sigaction(SIGPIPE, &ignore, &pipe);
    sigaction(SIGXFSZ, &ignore, &size);
    int exit_status = run_with_files(program, argc, argv, files);
    sigaction(SIGXFSZ, &size, NULL);
    sigaction(SIGPIPE, &pipe, NULL);
    free(files);
    return exit_status;
}

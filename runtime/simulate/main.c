// The life of a simulation: its command line, then help or the run.
#include "runtime/abi/abi.h"
#include "runtime/file/open_file.h"
#include "runtime/run/report.h"
#include "runtime/simulate/help.h"
#include "runtime/simulate/options.h"
#include "runtime/simulate/simulate.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int help(const tml_model *model, const char *command) {
    Writer out;
    tml_writer_init(&out, STDOUT_FILENO);
    model_help(&out, model, command);
    if (!tml_writer_flush(&out)) {
        tml_report(command, "cannot write to standard output: %s", strerror(out.error));
        return EXIT_WORLD;
    }
    return EXIT_DONE;
}

static int run(const tml_model *model, const char *command, int argc, char **argv) {
    ModelOptions options;
    int status = EXIT_WORLD;
    switch (model_options_parse(&options, model, command, argc, argv)) {
    case MODEL_OPTIONS_RUN: status = simulate(&options); break;
    case MODEL_OPTIONS_HELP: status = help(model, command); break;
    case MODEL_OPTIONS_WRONG: status = EXIT_USAGE; break;
    case MODEL_OPTIONS_MEMORY: break;
    }
    model_options_free(&options);
    return status;
}

int tml_model_main(const tml_model *model, int argc, char **argv) {
    if (model->version != TML_MODEL_VERSION) {
        fprintf(stderr, "%s: compiled for version %u of the runtime, linked with version %d\n",
                model->name, model->version, TML_MODEL_VERSION);
        return EXIT_WORLD;
    }
    tml_hold_standard_streams();
    // A closed pipe, or a file at its greatest size, shall be an error of write, with a message,
    // not a sudden death.
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe, size;
    sigaction(SIGPIPE, &ignore, &pipe);
    sigaction(SIGXFSZ, &ignore, &size);
    int status = run(model, argc > 0 ? argv[0] : model->name, argc, argv);
    sigaction(SIGXFSZ, &size, NULL);
    sigaction(SIGPIPE, &pipe, NULL);
    return status;
}

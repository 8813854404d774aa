// The life of an executable: its command line, then help, the one step of a program, or the
// simulation of a component.
#include "runtime/abi/abi.h"
#include "runtime/abi/exit_status.h"
#include "runtime/ensemble/ensemble.h"
#include "runtime/file/open_file.h"
#include "runtime/run/host.h"
#include "runtime/run/parse.h"
#include "runtime/run/report.h"
#include "runtime/run/uses.h"
#include "runtime/simulate/simulate.h"

#include <signal.h>
#include <unistd.h>

static ExitStatus tell(const Options *options, void write(Writer *out, const Options *options)) {
    Writer out;
    tml_writer_init(&out, STDOUT_FILENO);
    write(&out, options);
    if (!tml_writer_finish(&out)) {
        tml_report_output(options->command, out.error);
        return EXIT_WORLD;
    }
    return EXIT_OK;
}

static ExitStatus run(const tml_model *model, const char *command, int argc, char **argv) {
    Options options;
    ExitStatus status = EXIT_WORLD;
    switch (tml_options_parse(&options, model, command, argc, argv)) {
    case OPTIONS_RUN:
        status = !tml_uses_have_places(&options) ? EXIT_WORLD
                 : model->kind == TML_PROGRAM    ? tml_program_run(&options)
                 : options.ensemble.given        ? tml_ensemble(&options)
                                                 : tml_simulate(&options);
        break;
    case OPTIONS_HELP: status = tell(&options, tml_help_write); break;
    case OPTIONS_DESCRIBE:
        status = tell(&options, options.describes_as_json ? tml_description_write_json
                                                          : tml_description_write);
        break;
    case OPTIONS_WRONG: status = EXIT_USAGE; break;
    case OPTIONS_MEMORY: break;
    }
    tml_options_free(&options);
    return status;
}

int tml_main(const tml_model *model, int argc, char **argv) {
    if (model->version != TML_MODEL_VERSION) {
        tml_report(model->name, "compiled for version %u of the runtime, linked with version %d",
                   model->version, TML_MODEL_VERSION);
        return EXIT_WORLD;
    }
    tml_hold_standard_streams();
    // A closed pipe, or a file at its greatest size, shall be an error of write, not a sudden
    // death: other files are to be whole.
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pipe, size;
    sigaction(SIGPIPE, &ignore, &pipe);
    sigaction(SIGXFSZ, &ignore, &size);
    int status = (int)run(model, argc > 0 ? argv[0] : model->name, argc, argv);
    sigaction(SIGXFSZ, &size, NULL);
    sigaction(SIGPIPE, &pipe, NULL);
    return status;
}

// A program is a model of one step, which calls the functions of runtime/abi/abi.def for its ports
// and what it prints: memory for its state, the step, and how it ended.
#include "runtime/run/host.h"
#include "runtime/run/report.h"

ExitStatus tml_program_run(const Options *options) {
    const tml_model *model = options->model;
    tml_state *state = tml_memory_map(options->command, model->state_bytes);
    if (!state) {
        return EXIT_WORLD;
    }
    tml_host host;
    tml_host_init(&host, options);
    state->host = &host;
    tml_status status = model->step(state, NULL, NULL, NULL);
    tml_writer_finish(&host.out); // before the trap's line
    bool finished = tml_host_status(&host) == TML_OK;
    ExitStatus exit_status = EXIT_OK;
    if (status != TML_OK && status != TML_E_IO) {
        tml_report_trap(&state->fault, model, "");
        for (unsigned i = 0; i < host.note_count; i++) {
            tml_report_trap_note(&state->fault, &host.notes[i]);
        }
        exit_status = EXIT_TRAP;
    } else if (status == TML_E_IO || !finished) {
        exit_status = EXIT_WORLD;
    }
    tml_memory_unmap(state, model->state_bytes);
    return exit_status;
}

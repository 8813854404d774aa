// A test gets zeroed memory for each struct of the model, parameters and inputs with their
// defaults, and a state after `init`.
#include "runtime/abi/tests.h"
#include "runtime/run/host.h"
#include "runtime/run/replay.h"
#include "runtime/run/report.h"

#include <string.h>

enum { STRUCTS = 4 }; // state, params, inputs, outputs

static void fill(void *to, const void *from, size_t bytes) {
    if (from != NULL) {
        memcpy(to, from, bytes);
    }
}

static tml_status run(const tml_tests *tests, uint32_t number, tml_host *host,
                      unsigned char *const *structs) {
    const tml_model *model = tests->model;
    memcpy(structs[0] + tests->host_offset, &host, sizeof(tml_host *));
    fill(structs[1], model->defaults, model->params_bytes);
    tml_status status = tests->start(structs[0], structs[1], structs[2], structs[3]);
    bool is_begun = status == TML_OK;
    if (is_begun) {
        fill(structs[2], model->inputs_defaults, model->inputs_bytes);
        status = tests->functions[number](structs[0], structs[1], structs[2], structs[3]);
    }
    tml_writer_finish(&host->out); // before the trap's line
    if (status != TML_OK && status != TML_E_IO) {
        tml_fault fault;
        memcpy(&fault, structs[0] + model->fault_offset, sizeof(fault));
        tml_report_trap(&fault, model, "");
        for (unsigned i = 0; i < host->note_count; i++) {
            tml_report_trap_note(&fault, &host->notes[i]);
        }
        tml_replay_report_rows(host->replay);
        status = is_begun ? status : -status;
    }
    return status == TML_OK ? tml_host_status(host) : status;
}

tml_status tml_test_run(const tml_tests *tests, uint32_t number, const char *command) {
    const tml_model *model = tests->model;
    const size_t bytes[STRUCTS] = {model->state_bytes, model->params_bytes, model->inputs_bytes,
                                   model->outputs_bytes};
    unsigned char *structs[STRUCTS] = {NULL};
    tml_status status = TML_OK;
    for (int i = 0; i < STRUCTS && status == TML_OK; i++) {
        structs[i] = tml_memory_map(command, bytes[i] == 0 ? 1 : bytes[i]);
        status = structs[i] == NULL ? TML_E_IO : TML_OK;
    }
    if (status == TML_OK) {
        Options options = {.command = command, .model = model};
        tml_host host;
        tml_host_init(&host, &options);
        Replay replay = {.model = model, .command = command};
        host.replay = &replay;
        status = run(tests, number, &host, structs);
        tml_replay_close(&replay);
    }
    for (int i = 0; i < STRUCTS; i++) {
        tml_memory_unmap(structs[i], bytes[i] == 0 ? 1 : bytes[i]);
    }
    return status;
}

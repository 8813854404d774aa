// See recordings.h. The runtime reads the files, as it does for tests that run here. It gets a
// table of the model that has what it asks for: the terminals.
#include "driver/test/recordings.h"

#include "codegen/unit/layout.h"
#include "codegen/unit/model_rows.h"
#include "eval/memory.h"

#include <string.h>

static const tml_model *terminals(Arena *arena, const TirProgram *program) {
    ModelRows rows = model_rows(arena, program);
    uint64_t inputs_bytes = layout_struct(program, INTERFACE_INPUT).bytes;
    tml_variable *variables = ARENA_ARRAY(arena, tml_variable, rows.count + 1);
    char *defaults = ARENA_ARRAY(arena, char, inputs_bytes);
    uint32_t count = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const ModelRow *row = &rows.items[i];
        if (row->role != TML_INPUT && row->role != TML_OUTPUT) {
            continue;
        }
        tml_type *type = ARENA_NEW(arena, tml_type);
        *type = ref_describe(row->type, program->single,
                             ARENA_ARRAY(arena, uint16_t, TYPE_DEPTH_LIMIT));
        bool has_default = row->role == TML_INPUT && row->value != NULL;
        if (has_default) {
            ref_to_memory(row->type, program->single, row->value->data, defaults + row->offset);
        }
        variables[count++] = (tml_variable){.name = row->name,
                                            .space = row->space,
                                            .role = (uint8_t)row->role,
                                            .type = type,
                                            .offset = row->offset,
                                            .value = has_default ? defaults + row->offset : NULL};
    }
    tml_model *model = ARENA_NEW(arena, tml_model);
    *model = (tml_model){.kind = TML_COMPONENT,
                         .inputs_bytes = inputs_bytes,
                         .outputs_bytes = layout_struct(program, INTERFACE_OUTPUT).bytes,
                         .variable_count = count,
                         .variables = variables,
                         .inputs_defaults = defaults};
    return model;
}

static Recording read_rows(Arena *arena, const tml_model *model, const char *port,
                           const TestRun *run) {
    static const tml_type truth = {.root = TML_BOOL};
    Recording recording = {.port = port};
    Replay replay = {.model = model, .command = run->path};
    bool is_input = port[0] == 'i';
    const ReplayFile *file = is_input ? &replay.inputs : &replay.outputs;
    buffer_text(&recording.rows, "");
    bool is_there = true;
    bool done = true;
    while (done && is_there) {
        done = tml_replay_input(&replay, port, &truth, &is_there);
        if (done && is_there) {
            buffer_append(&recording.rows, file->row,
                          is_input ? model->inputs_bytes : model->outputs_bytes);
            LIST_PUSH(arena, &recording.places, file->line);
        }
    }
    tml_replay_close(&replay);
    fflush(stderr);
    const char *printed = test_take_printed(arena, run->printed);
    recording.failure = done ? NULL : printed;
    return recording;
}

Recordings recordings_read(Arena *arena, const TirProgram *program, const TestRun *run) {
    Recordings recordings = {0};
    const tml_model *model = program->replays.count == 0 ? NULL : terminals(arena, program);
    for (size_t i = 0; i < program->replays.count; i++) {
        const char *port = program->replays.items[i];
        size_t at = 0;
        while (at < recordings.count && strcmp(recordings.items[at].port, port) != 0) {
            at++;
        }
        if (at == recordings.count) {
            LIST_PUSH(arena, &recordings, read_rows(arena, model, port, run));
        }
    }
    return recordings;
}

void recordings_free(Recordings *recordings) {
    for (size_t i = 0; i < recordings->count; i++) {
        buffer_free(&recordings->items[i].rows);
    }
}

// With a zero behind them.
static void print_bytes(Buffer *out, const char *name, size_t number, const char *bytes,
                        size_t count) {
    buffer_format(out, "static const unsigned char %s_%zu[] = {", name, number);
    for (size_t i = 0; i < count; i++) {
        buffer_format(out, "%u,", (unsigned char)bytes[i]);
    }
    buffer_text(out, "0};\n");
}

void recordings_print(const Recordings *recordings, Buffer *out) {
    for (size_t i = 0; i < recordings->count; i++) {
        const Recording *recording = &recordings->items[i];
        print_bytes(out, "port", i, recording->port, strlen(recording->port));
        print_bytes(out, "rows", i, recording->rows.data, recording->rows.len);
    }
    buffer_text(out, "typedef struct recording {\n"
                     "    const unsigned char *port, *rows;\n"
                     "    size_t count;\n"
                     "    int fails;\n"
                     "} recording;\n"
                     "static const recording recordings[] = {");
    for (size_t i = 0; i < recordings->count; i++) {
        const Recording *recording = &recordings->items[i];
        buffer_format(out, "{port_%zu, rows_%zu, %zu, %d}, ", i, i, recording->places.count,
                      recording->failure != NULL);
    }
    buffer_text(out, "{NULL, NULL, 0, 0}};\n");
}

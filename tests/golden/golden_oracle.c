// The reference evaluator behind the runtime's interface for generated code.
#include "tests/golden/golden_oracle.h"

#include "eval/memory.h"

typedef struct Oracle {
    const Context *context;
    const TirProgram *program;
    tml_state *state;
    const char *assertion; // text of the assertion that failed
} Oracle;

// The runtime's callback has no room for a pointer; a process evaluates one program.
static Oracle oracle;

// Reads from standard input; named inputs have no files here.
static const TirScalar *read_input(void *data, Slice name, const Type *type) {
    (void)data;
    uint16_t level_ranks[TYPE_DEPTH_LIMIT];
    tml_type description = ref_describe(type, oracle.program->single, level_ranks);
    Arena *arena = oracle.context->arena;
    unsigned char *memory = ARENA_ARRAY(arena, unsigned char, 8 * (size_t)type->numel);
    if (name.len > 0 || tml_input(oracle.state->host, &description, NULL, memory) != TML_OK) {
        return NULL;
    }
    TirScalar *scalars = ARENA_ARRAY(arena, TirScalar, type->numel);
    ref_from_memory(type, oracle.program->single, memory, scalars);
    return scalars;
}

void oracle_fault(const Context *context, const RefFault *fault, tml_fault *result) {
    SourcePlace place = sources_place(context->sources, fault->span.start);
    *result = (tml_fault){
        .code = fault->code,
        .file = place.file->index,
        .line = place.line,
        .column = source_character(place),
        .index = fault->code == TML_E_ASSERT ? 0 : fault->index,
        .length = fault->length,
    };
}

static void note_values(const RefFault *fault) {
    Arena *arena = oracle.context->arena;
    for (size_t i = 0; fault->assertion != NULL && i < fault->assertion->assertion.note_count;
         i++) {
        const TirPrintItem *note = &fault->assertion->assertion.notes[i];
        tml_type *description = ARENA_NEW(arena, tml_type);
        *description = ref_describe(note->value->type, oracle.program->single, NULL);
        uint64_t memory = 0;
        ref_to_memory(note->value->type, oracle.program->single, &fault->noted[i], &memory);
        tml_note(oracle.state->host, arena_copy_text(arena, note->text.data, note->text.len),
                 description, &memory);
    }
}

static tml_status evaluate(void *memory, const void *params, const void *inputs, void *outputs) {
    (void)params, (void)inputs, (void)outputs;
    tml_state *state = memory;
    oracle.state = state;
    Buffer out = {0};
    RefFault fault = {0};
    RefEvalIo io = {.input = read_input};
    bool finished = ref_eval_run(oracle.program, &io, &out, &fault);
    tml_status printed = out.len > 0 ? tml_print_text(state->host, out.data, out.len) : TML_OK;
    buffer_free(&out);
    if (finished) {
        return printed;
    }
    oracle_fault(oracle.context, &fault, &state->fault);
    oracle.assertion = arena_copy_text(oracle.context->arena, fault.text.data, fault.text.len);
    note_values(&fault);
    return fault.code;
}

const char *const *oracle_files(const Context *context) {
    uint32_t count = sources_count(context->sources);
    const char **files = ARENA_ARRAY(context->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) {
        files[i] = sources_file(context->sources, i)->path;
    }
    return files;
}

const tml_line *oracle_lines(const Context *context, uint32_t *count) {
    enum { LONGEST = 200 }; // bytes of a line that a trap shows
    LIST_OF(tml_line) lines = {0};
    for (uint32_t i = 0; i < sources_count(context->sources); i++) {
        SourceFile *file = sources_file(context->sources, i);
        uint32_t last = sources_place(context->sources, file->base + file->len).line;
        for (uint32_t number = 1; number <= last; number++) {
            Slice text = source_line(file, number);
            if (text.len <= LONGEST) {
                tml_line line = {i, number, arena_copy_text(context->arena, text.data, text.len)};
                LIST_PUSH(context->arena, &lines, line);
            }
        }
    }
    *count = (uint32_t)lines.count;
    return lines.items;
}

int oracle_run(const Context *context, const TirProgram *program, int argc, char **argv) {
    if (program->kind == PROGRAM_COMPONENT) {
        return oracle_run_model(context, program, argc, argv);
    }
    oracle = (Oracle){.context = context, .program = program};
    tml_model descriptor = {
        .version = TML_MODEL_VERSION,
        .kind = TML_PROGRAM,
        .name = "oracle",
        .state_bytes = sizeof(tml_state),
        .step = evaluate,
        .file_count = sources_count(context->sources),
        .files = oracle_files(context),
        .text_count = 1,
        .texts = &oracle.assertion,
    };
    descriptor.lines = oracle_lines(context, &descriptor.line_count);
    return tml_main(&descriptor, argc, argv);
}

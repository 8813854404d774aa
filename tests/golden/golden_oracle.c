// The reference evaluator behind the runtime's interface for generated code.
#include "tests/golden/golden_oracle.h"

#include "runtime/abi.h"
#include "support/bug.h"
#include "tests/support/ref_eval.h"

#include <string.h>

typedef struct Oracle {
    const Context *context;
    const TirProgram *program;
    tml_state *state;
    const char *assertion; // text of the assertion that failed
} Oracle;

// The runtime's callback has no room for a pointer; a process evaluates one program.
static Oracle oracle;

// The runtime's description of a type. The array has room for every level.
static tml_type describe(const Type *type, uint16_t level_ranks[TYPE_DEPTH_LIMIT]) {
    const Type *level = type;
    for (unsigned i = 0; i < type->depth; i++, level = level->base) {
        level_ranks[i] = level->rank;
    }
    return (tml_type){
        .root = (uint8_t)type->root,
        .real_bytes = oracle.program->single ? 4 : 8,
        .depth = type->depth,
        .flat_rank = type->flat_rank,
        .level_ranks = level_ranks,
        .dims = type->dims,
    };
}

static TirScalar read_scalar(Root root, const unsigned char *memory, size_t index) {
    TirScalar scalar = {0};
    float narrow = 0;
    switch (root) {
    case ROOT_BOOL: scalar.boolean = memory[index] != 0; return scalar;
    case ROOT_UINT: memcpy(&scalar.uint, memory + 4 * index, 4); return scalar;
    case ROOT_INT: memcpy(&scalar.integer, memory + 4 * index, 4); return scalar;
    case ROOT_REAL:
        if (oracle.program->single) {
            memcpy(&narrow, memory + 4 * index, 4);
            scalar.real = (double)narrow;
        } else {
            memcpy(&scalar.real, memory + 8 * index, 8);
        }
        return scalar;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// Reads from standard input; named inputs have no files here.
static const TirScalar *read_input(void *data, Slice name, const Type *type) {
    (void)data;
    uint16_t level_ranks[TYPE_DEPTH_LIMIT];
    tml_type description = describe(type, level_ranks);
    Arena *arena = oracle.context->arena;
    unsigned char *memory = ARENA_ARRAY(arena, unsigned char, 8 * (size_t)type->numel);
    if (name.len > 0 || tml_input(oracle.state->host, &description, NULL, memory) != TML_OK) {
        return NULL;
    }
    TirScalar *scalars = ARENA_ARRAY(arena, TirScalar, type->numel);
    for (uint32_t i = 0; i < type->numel; i++) {
        scalars[i] = read_scalar(type->root, memory, i);
    }
    return scalars;
}

static tml_status evaluate(tml_state *state) {
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
    SourcePlace place = sources_place(oracle.context->sources, fault.span.start);
    state->fault = (tml_fault){
        .code = fault.code,
        .file = place.file->index,
        .line = place.line,
        .column = source_character(place),
        .index = fault.code == TML_E_ASSERT ? 0 : fault.index,
        .length = fault.length,
    };
    oracle.assertion = arena_copy_text(oracle.context->arena, fault.text.data, fault.text.len);
    return fault.code;
}

int oracle_run(const Context *context, const TirProgram *program) {
    oracle = (Oracle){.context = context, .program = program};
    uint32_t file_count = sources_count(context->sources);
    const char **files = ARENA_ARRAY(context->arena, const char *, file_count);
    for (uint32_t i = 0; i < file_count; i++) {
        files[i] = sources_file(context->sources, i)->path;
    }
    tml_program descriptor = {
        .abi_version = TML_ABI_VERSION,
        .name = "oracle",
        .state_bytes = sizeof(tml_state),
        .run = evaluate,
        .file_count = file_count,
        .files = files,
        .text_count = 1,
        .texts = &oracle.assertion,
    };
    char name[] = "oracle";
    char *argv[] = {name, NULL};
    return tml_program_main(&descriptor, 1, argv);
}

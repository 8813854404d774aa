// See link_name.h. What the options and the target say goes into a text, of which comes the hash,
// as of the sources. -g is not in it, since it changes no instruction that counts, nor are the
// paths of files: the same sources have the same hash wherever they lie.
#include "codegen/unit/link_name.h"

#include "runtime/abi/model.h"
#include "support/buffer.h"
#include "support/hash.h"

#include <llvm-c/Core.h>

#include <inttypes.h>
#include <string.h>

enum { HASH_DIGITS = 16 };

static void describe_compiler(Buffer *out) {
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    buffer_format(out, "%s %u.%u.%u %d\n", TMLC_VERSION, major, minor, patch, TML_MODEL_VERSION);
}

static void describe_target(Buffer *out, const Target *target) {
    char *cpu = LLVMGetTargetMachineCPU(target->machine);
    char *features = LLVMGetTargetMachineFeatureString(target->machine);
    buffer_format(out, "%s %s %s\n", target->triple, cpu, features);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
}

// A source, of which tests are no part, nor are the blanks and line ends before them.
static uint64_t hash_source(uint64_t hash, const SourceFile *source) {
    uint32_t from = 0;
    for (size_t i = 0; i < source->tests.count; i++) {
        Span test = source->tests.items[i];
        uint32_t to = test.start - source->base;
        while (to > from && strchr(" \t\r\n", source->text[to - 1]) != NULL) {
            to--;
        }
        hash = hash_bytes(hash, source->text + from, to - from);
        from = test.end - source->base;
    }
    return hash_bytes(hash, source->text + from, source->len - from);
}

uint64_t link_hash(Context *context, const TirProgram *program, const CodegenOptions *options,
                   const Target *target) {
    Buffer text = {0};
    describe_compiler(&text);
    describe_target(&text, target);
    buffer_format(&text, "%d %d %u %d %d %d %" PRIx64 " %zu %u %d %" PRIu64 "\n", program->single,
                  options->no_table, options->opt_level, (int)options->size, options->checks,
                  (int)options->fp, options->left_out, program->hardware.count, options->batch,
                  (int)options->derivation, options->tape);
    if (options->threads > 1) {
        buffer_format(&text, "threads %u\n", options->threads);
    }
    if (program->linear != NULL) {
        buffer_text(&text, "linear\n");
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        if (program->globals.items[i]->debug != NULL) {
            buffer_format(&text, "debug %s\n", program->globals.items[i]->name->text);
        }
    }
    uint64_t hash = hash_bytes(HASH_OF_NOTHING, text.data, text.len);
    for (uint32_t i = 0; i < sources_count(context->sources); i++) {
        hash = hash_bytes(hash_source(hash, sources_file(context->sources, i)), "", 1);
    }
    buffer_free(&text);
    return hash;
}

const char *link_name(Arena *arena, const char *name, uint64_t hash) {
    return arena_format(arena, "%s_%0*" PRIx64, name, HASH_DIGITS, hash);
}

const char *link_host_name(Arena *arena, const char *link_name) {
    return arena_copy_text(arena, link_name, strlen(link_name) - HASH_DIGITS - 1);
}

// See target_name.h. LLVM takes any word for the system of a triple, and only warns of a CPU that
// it does not know; so both are compared with lists here. That of CPUs is taken from llc when the
// compiler is configured (codegen/CMakeLists.txt). Messages name the nearest spelling.
#include "codegen/target/target_name.h"

#include "support/intern.h"
#include "support/suggest.h"

#include <string.h>

// As triples spell the architectures of the targets in cmake/llvm.cmake.
static const char *const architectures[] = {"x86_64", "i686",    "aarch64", "arm",    "armv7",
                                            "thumb",  "riscv32", "riscv64", "wasm32", "wasm64"};
enum { ARCHITECTURE_COUNT = sizeof(architectures) / sizeof(architectures[0]) };

static const char *const systems[] = {"linux",   "windows", "darwin", "macosx",
                                      "freebsd", "netbsd",  "openbsd"};
enum { SYSTEM_COUNT = sizeof(systems) / sizeof(systems[0]) };

// `triple` with another word in place of the len bytes at `word`.
static const char *replace(Arena *arena, const char *triple, const char *word, size_t len,
                           const char *other) {
    return arena_format(arena, "%.*s%s%s", (int)(word - triple), triple, other, word + len);
}

static const ShortName short_names[] = {
#define SHORT(name, triple, cpu, what) {name, triple, cpu, what},
#include "codegen/target/short_name.def"
};
enum { SHORT_NAME_COUNT = sizeof(short_names) / sizeof(short_names[0]) };

const ShortName *target_short_name(const char *name) {
    for (size_t i = 0; i < SHORT_NAME_COUNT; i++) {
        if (strcmp(short_names[i].name, name) == 0) {
            return &short_names[i];
        }
    }
    return NULL;
}

void target_print_names(Buffer *out) {
    buffer_text(out, "Short names, and what they stand for:\n");
    for (size_t i = 0; i < SHORT_NAME_COUNT; i++) {
        const ShortName *row = &short_names[i];
        buffer_format(out, "  %-14s --target=%s%s%s\n%17s%s\n", row->name, row->triple,
                      row->cpu == NULL ? "" : " --cpu=", row->cpu == NULL ? "" : row->cpu, "",
                      row->what);
    }
    buffer_text(
        out,
        "\nAny other target is a triple, ARCHITECTURE-VENDOR-SYSTEM, that begins with one of\n ");
    for (size_t i = 0; i < ARCHITECTURE_COUNT; i++) {
        buffer_format(out, " %s", architectures[i]);
    }
    buffer_text(out, "\nAfter `--target=TARGET`, `--cpu=help` lists its processors.\n");
}

bool target_check_system(Arena *arena, const char *triple, const char **error) {
    const char *word = triple + strcspn(triple, "-");
    while (*word != '\0') {
        word++;
        size_t len = strcspn(word, "-");
        Suggestion suggestion = suggestion_for(word, len);
        for (size_t i = 0; i < SYSTEM_COUNT; i++) {
            if (text_begins_with(word, systems[i])) {
                suggestion.nearest = NULL; // it is one, perhaps with a version
                break;
            }
            suggestion_try(&suggestion, systems[i]);
        }
        if (suggestion.nearest != NULL) {
            *error = arena_format(arena, "unknown target `%s`; did you mean `%s`?", triple,
                                  replace(arena, triple, word, len, suggestion.nearest));
            return false;
        }
        word += len;
    }
    return true;
}

const char *target_explain_triple(Arena *arena, const char *triple) {
    size_t len = strcspn(triple, "-");
    Suggestion suggestion = suggestion_for(triple, len);
    const char *known = "";
    for (size_t i = 0; i < ARCHITECTURE_COUNT; i++) {
        suggestion_try(&suggestion, architectures[i]);
        known = arena_format(arena, "%s%s%s", known, i == 0 ? "" : ", ", architectures[i]);
    }
    if (suggestion.nearest != NULL) {
        return arena_format(arena, "unknown target `%s`; did you mean `%s`?", triple,
                            replace(arena, triple, triple, len, suggestion.nearest));
    }
    suggestion = suggestion_for(triple, strlen(triple));
    for (size_t i = 0; i < SHORT_NAME_COUNT; i++) {
        suggestion_try(&suggestion, short_names[i].name);
    }
    if (suggestion.nearest != NULL) {
        return arena_format(arena, "unknown target `%s`; did you mean `%s`?", triple,
                            suggestion.nearest);
    }
    return arena_format(arena,
                        "unknown target `%s`; a target begins with one of %s, or is a short name, "
                        "which `--target=help` lists",
                        triple, known);
}

// LLVM itself only warns about a CPU that it does not know, so its lists are taken from llc when
// the compiler is configured (codegen/CMakeLists.txt).
static const struct {
    const char *target, *name;
} cpus[] = {
#define CPU(target, name) {target, name},
#include "cpus.inc"
#undef CPU
};
enum { CPU_COUNT = sizeof(cpus) / sizeof(cpus[0]) };

void target_print_cpus(const char *target, Buffer *out) {
    for (size_t i = 0; i < CPU_COUNT; i++) {
        if (strcmp(cpus[i].target, target) == 0) {
            buffer_format(out, "%s\n", cpus[i].name);
        }
    }
}

bool target_check_cpu(Arena *arena, const char *target, const char *cpu, const char **error) {
    Suggestion suggestion = suggestion_for(cpu, strlen(cpu));
    for (size_t i = 0; i < CPU_COUNT; i++) {
        if (strcmp(cpus[i].target, target) != 0) {
            continue;
        }
        if (strcmp(cpus[i].name, cpu) == 0) {
            return true;
        }
        suggestion_try(&suggestion, cpus[i].name);
    }
    const char *meant = suggestion.nearest == NULL
                            ? ""
                            : arena_format(arena, "; did you mean `%s`?", suggestion.nearest);
    *error = arena_format(arena, "unknown CPU `%s` for %s%s", cpu, target, meant);
    return false;
}

bool target_name_is_bare(const char *triple) {
    return triple != NULL && (strstr(triple, "-none") != NULL || strstr(triple, "-elf") != NULL);
}

bool target_name_has_vectors(const char *triple) {
#if defined(__x86_64__) || defined(__aarch64__)
    if (triple == NULL) {
        return true;
    }
#endif
    static const char *const wide[] = {"x86_64", "amd64", "aarch64", "arm64"};
    for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
        if (triple != NULL && text_begins_with(triple, wide[i])) {
            return true;
        }
    }
    return false;
}

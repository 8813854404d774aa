#include "tests/random/simulation.h"

#include "support/bug.h"
#include "tests/random/random.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SET_LIMIT = 8 };

// The number behind `name` in the first line of the source.
static unsigned option(const char *source, const char *name) {
    const char *found = strstr(source, name);
    return found != NULL && found < strchr(source, '\n')
               ? (unsigned)strtoul(found + strlen(name), NULL, 10)
               : 1;
}

// Numbers for one row of a terminal.
static Random numbers(unsigned seed, const char *name, unsigned row) {
    Random random = {(uint64_t)seed << 32 | row};
    for (; *name != '\0'; name++) {
        random.state = random_next(&random) ^ (unsigned char)*name;
    }
    return random;
}

static void add_real(Random *random, Buffer *out) {
    static const char *const special[] = {"nan",   "inf",     "-inf",          "-0.0",
                                          "1e30",  "1e-30",   "2.5e-308",      "5e-324",
                                          "1e-45", "65536.0", "-2147483648.0", "4294967296.0"};
    unsigned kind = random_below(random, 10);
    if (kind == 0) {
        buffer_text(out, special[random_below(random, 12)]);
    } else if (kind < 7) {
        buffer_format(out, "%.2f", (double)random_below(random, 41) / 4.0 - 5.0);
    } else {
        buffer_format(out, "%.17g", (double)(random_next(random) >> 11) * 0x1p-50 - 4.0);
    }
}

static void add_value(Random *random, Root root, Buffer *out) {
    static const char *const uints[] = {"4294967295", "2147483648", "65535", "65536",
                                        "31",         "32",         "100"};
    static const char *const ints[] = {"2147483647", "-2147483648", "65535", "-65536",
                                       "46341",      "-100",        "33"};
    bool is_special = random_percent(random, 10);
    switch (root) {
    case ROOT_BOOL: buffer_text(out, random_percent(random, 50) ? "true" : "false"); return;
    case ROOT_UINT:
        if (is_special) {
            buffer_text(out, uints[random_below(random, 7)]);
        } else {
            buffer_format(out, "%u", random_below(random, 8));
        }
        return;
    case ROOT_INT:
        if (is_special) {
            buffer_text(out, ints[random_below(random, 7)]);
        } else {
            buffer_format(out, "%d", (int)random_below(random, 13) - 5);
        }
        return;
    case ROOT_REAL: add_real(random, out); return;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

// name, or name[i][j] for each element.
static void add_columns(const TirInterface *item, Buffer *out) {
    const Type *type = item->type;
    for (uint32_t i = 0; i < type->numel; i++) {
        buffer_format(out, "%s%s", out->len > 0 ? "," : "", item->name->text);
        uint32_t left = type->numel;
        uint32_t rest = i;
        for (unsigned k = 0; k < type->flat_rank; k++) {
            left /= type->dims[k];
            buffer_format(out, "[%u]", rest / left);
            rest %= left;
        }
    }
}

// Whether the input has columns; some of those with a default are left out.
static bool is_given(const TirInterface *item, unsigned seed) {
    Random random = numbers(seed, item->name->text, UINT_MAX);
    return item->kind == INTERFACE_INPUT && item->is_present &&
           (item->value == NULL || random_percent(&random, 50));
}

static void add_row(const TirProgram *program, unsigned seed, unsigned row, Buffer *out) {
    const char *separator = "";
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (!is_given(item, seed)) {
            continue;
        }
        Random random = numbers(seed, item->name->text, row);
        for (uint32_t k = 0; k < item->type->numel; k++) {
            buffer_text(out, separator);
            add_value(&random, item->type->root, out);
            separator = ",";
        }
    }
    buffer_text(out, "\n");
}

static void add_argument(Simulation *simulation, char *text) {
    CHECK(simulation->argument_count < SIMULATION_ARGUMENTS - 1);
    simulation->arguments[simulation->argument_count++] = text;
}

// --set of some tunable properties; a scalar fills a tensor.
static void set_properties(Simulation *simulation, Arena *arena, const TirProgram *program,
                           unsigned seed) {
    unsigned count = 0;
    for (size_t i = 0; i < program->interface.count && count < SET_LIMIT; i++) {
        const TirInterface *item = program->interface.items[i];
        Random random = numbers(seed, item->name->text, 0);
        if (item->kind == INTERFACE_TUNABLE && random_percent(&random, 40)) {
            Buffer value = {0};
            add_value(&random, item->type->root, &value);
            buffer_text(&value, item->type->root == ROOT_UINT ? "u" : "");
            add_argument(simulation, "--set");
            add_argument(simulation, arena_format(arena, "%s=%s", item->name->text, value.data));
            buffer_free(&value);
            count++;
        }
    }
}

static void prepare_component(Simulation *simulation, Arena *arena, const TirProgram *program,
                              const char *source) {
    unsigned seed = option(source, "values=");
    unsigned rows = option(source, "rows=");
    Buffer header = {0};
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (is_given(item, seed)) {
            add_columns(item, &header);
        }
    }
    if (header.len > 0) {
        add_argument(simulation, "--in");
        add_argument(simulation, "-");
        buffer_format(&simulation->input, "%s\n", header.data);
        for (unsigned row = 0; row < rows; row++) {
            add_row(program, seed, row, &simulation->input);
        }
    } else {
        add_argument(simulation, "--steps");
        add_argument(simulation, arena_format(arena, "%u", rows));
    }
    buffer_free(&header);
    add_argument(simulation, "--watch");
    add_argument(simulation, "*");
    set_properties(simulation, arena, program, seed);
}

void simulation_prepare(Simulation *simulation, const Context *context, const TirProgram *program,
                        const char *source) {
    *simulation = (Simulation){.argument_count = 1, .arguments = {"random.tml"}};
    buffer_text(&simulation->input, "");
    if (program->kind == PROGRAM_COMPONENT) {
        prepare_component(simulation, context->arena, program, source);
        return;
    }
    for (const char *at = source; (at = strstr(at, "\n#<")) != NULL;) {
        at += strlen("\n#<");
        buffer_append(&simulation->input, at, strcspn(at, "\n"));
        buffer_text(&simulation->input, "\n");
    }
}

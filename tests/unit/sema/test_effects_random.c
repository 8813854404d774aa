// Random components in the notation of effects_sample.h are run along random paths. What a run
// shows to be missing must have a message: effects_check may be careful, never wrong.
#include "effects_sample.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    COMPONENTS = 20000,
    RUNS = 30, // of each component
    TEXT = 64,
    DEPTH = 3, // of blocks in each other
    ALL = 7,   // three elements, a bit each
};

static uint32_t next_random(uint32_t *state, uint32_t limit) {
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % limit;
}

// Writing.

typedef struct Writer {
    uint32_t *random;
    char text[TEXT];
    size_t len;
    const char *calls;
    bool returns; // may hold `x`
} Writer;

static void put(Writer *writer, char c) {
    writer->text[writer->len++] = c;
}

static void write_block(Writer *writer, unsigned depth, unsigned loops, bool in_loop);

static void write_statement(Writer *writer, unsigned depth, unsigned loops, bool in_loop) {
    static const char simple[] = "=012vh+raibcjxfg";
    static const char loop_kinds[] = "FDENSBW";
    uint32_t choice = next_random(writer->random, 24);
    if (choice >= strlen(simple) && depth < DEPTH && writer->len + 24 < TEXT) {
        bool is_if = choice >= 20;
        char kind = is_if ? '?' : loop_kinds[next_random(writer->random, 7)];
        put(writer, kind);
        put(writer, '(');
        write_block(writer, depth + 1, loops + (is_if || kind == 'W' ? 0 : 1), in_loop || !is_if);
        if (is_if) {
            put(writer, '|');
            write_block(writer, depth + 1, loops, in_loop);
        }
        put(writer, ')');
        return;
    }
    char what = simple[choice % strlen(simple)];
    bool fits = (what != 'i' || loops > 0) && (what != 'j' || loops > 1) &&
                (strchr("bc", what) == NULL || in_loop) && (what != 'x' || writer->returns) &&
                (strchr("fg", what) == NULL || strchr(writer->calls, what) != NULL);
    put(writer, fits ? what : '1');
}

// Nothing stands behind a jump, as in TIR.
static void write_block(Writer *writer, unsigned depth, unsigned loops, bool in_loop) {
    for (uint32_t count = next_random(writer->random, 4); count > 0; count--) {
        if (writer->len + 16 > TEXT) {
            return;
        }
        write_statement(writer, depth, loops, in_loop);
        if (strchr("bcx", writer->text[writer->len - 1]) != NULL) {
            return;
        }
    }
}

// Running.

typedef enum Flow { GOES_ON, BREAKS, CONTINUES, RETURNS } Flow;

typedef struct Run {
    uint32_t *random;
    const EffectsCase *component;
    unsigned elements; // that have a value
    bool read_none;    // a read found nothing
    bool read_part;    // a read found less than it needs
    int loops[TEXT];   // values of the loop variables
    size_t loop_count;
} Run;

// Behind the `|` or `)` that ends the block which begins at `text`.
static const char *skip_block(const char *text) {
    for (unsigned open = 0; open > 0 || strchr("|)", *text) == NULL; text++) {
        open += *text == '(';
        open -= *text == ')';
    }
    return text + 1;
}

static Flow run_block(Run *run, const char *text);

static Flow run_function(Run *run, const char *text) {
    Run callee = *run;
    callee.loop_count = 0;
    run_block(&callee, text);
    memcpy(callee.loops, run->loops, sizeof run->loops);
    callee.loop_count = run->loop_count;
    *run = callee;
    return GOES_ON;
}

static void run_read(Run *run, unsigned needs) {
    run->read_none = run->read_none || run->elements == 0;
    run->read_part = run->read_part || (run->elements & needs) != needs;
}

static Flow run_loop(Run *run, char what, const char *body) {
    static const struct {
        char what;
        int first, last, step;
    } ranges[] = {{'F', 0, 3, 1}, {'D', 2, -1, -1}, {'E', 3, 0, 1}, {'S', 0, 3, 2}, {'B', 0, 2, 1}};
    int first = 0;
    int step = 1;
    int last = (int)next_random(run->random, 4); // of W and N
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        if (ranges[k].what == what) {
            first = ranges[k].first;
            last = ranges[k].last;
            step = ranges[k].step;
        }
    }
    size_t depth = run->loop_count;
    for (int i = first; step > 0 ? i < last : i > last; i += step) {
        if (what != 'W') {
            run->loops[depth] = i;
            run->loop_count = depth + 1;
        }
        Flow flow = run_block(run, body);
        run->loop_count = depth;
        if (flow == RETURNS) {
            return RETURNS;
        }
        if (flow == BREAKS) {
            break;
        }
    }
    return GOES_ON;
}

static Flow run_simple(Run *run, char what) {
    switch (what) {
    case '=': run->elements = ALL; return GOES_ON;
    case '0':
    case '1':
    case '2': run->elements |= 1U << (what - '0'); return GOES_ON;
    case 'v': run->elements |= 1U << next_random(run->random, 3); return GOES_ON;
    case 'h': run->elements |= 5; return GOES_ON;
    case 'i': run->elements |= 1U << run->loops[run->loop_count - 1]; return GOES_ON;
    case 'j': run->elements |= 1U << run->loops[run->loop_count - 2]; return GOES_ON;
    case '+':
    case 'r': run_read(run, ALL); return GOES_ON;
    case 'a': run_read(run, 1); return GOES_ON;
    case 'f': return run_function(run, run->component->f);
    case 'g': return run_function(run, run->component->g);
    case 'b': return BREAKS;
    case 'c': return CONTINUES;
    default: return RETURNS;
    }
}

// Up to the end of the block.
static Flow run_block(Run *run, const char *text) {
    while (*text != '\0' && strchr("|)", *text) == NULL) {
        Flow flow;
        char what = *text++;
        if (what == '?') {
            const char *then = text + 1;
            const char *otherwise = skip_block(then);
            flow = run_block(run, next_random(run->random, 2) == 0 ? then : otherwise);
            text = skip_block(otherwise);
        } else if (*text == '(') {
            flow = run_loop(run, what, text + 1);
            text = skip_block(text + 1);
        } else {
            flow = run_simple(run, what);
        }
        if (flow != GOES_ON) {
            return flow;
        }
    }
    return GOES_ON;
}

// The property.

static void expect_told(const EffectsCase *component, uint32_t *random, const char *messages,
                        bool is_direct) {
    bool tells_none = strstr(messages, "E0722") != NULL;
    bool tells_part = strstr(messages, "partial@") != NULL;
    bool tells_end = strstr(messages, "@y") != NULL;
    for (int k = 0; k < RUNS; k++) {
        Run run = {.random = random, .component = component};
        run_block(&run, component->output);
        bool is_told = (!run.read_none || tells_none) &&
                       (!run.read_part || tells_none || tells_part) &&
                       (run.elements != 0 || tells_none || strstr(messages, "E0723") != NULL) &&
                       (run.elements == ALL || ((tells_none || tells_end) && !is_direct));
        cr_assert(is_told, "output_fnc `%s`, f `%s`, g `%s`: \"%s\"%s", component->output,
                  component->f, component->g, messages, is_direct ? ", direct" : "");
    }
}

Test(effects_random, what_runs_miss_is_told, .timeout = 60) {
    uint32_t random = 20240229;
    unsigned silent = 0;
    for (int k = 0; k < COMPONENTS; k++) {
        Writer g = {.random = &random, .calls = "", .returns = true};
        Writer f = {.random = &random, .calls = "g", .returns = true};
        Writer output = {.random = &random, .calls = "fg"};
        write_block(&g, 0, 0, false);
        write_block(&f, 0, 0, false);
        write_block(&output, 0, 0, false);
        EffectsCase component = {.output = output.text, .f = f.text, .g = g.text};
        EffectsSample *sample = effects_sample_create(&component);
        const char *messages = effects_sample_messages(sample);
        expect_told(&component, &random, messages, sample->y->is_direct);
        silent += messages[0] == '\0';
        effects_sample_destroy(sample);
    }
    cr_expect_gt(silent, COMPONENTS / 20, "only %u components have no message", silent);
}

// `name(number, number, name = number)`: arguments by position, then by name, the others have their
// defaults. What is compared with a time is compared a billionth of a step ahead, so that a product
// k * dt that rounds down does not come a step late.
#include "runtime/simulate/wave.h"

#include "runtime/batch/noise.h"
#include "runtime/text/suggest.h"
#include "runtime/text/value_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Argument {
    const char *name;
    double initial;
    const char *unit;
} Argument;

typedef struct WaveRow {
    const char *name;
    bool needs_time;
    Argument arguments[WAVE_ARGUMENTS]; // the last ones may have no name: they are not there
} WaveRow;

static const WaveRow rows[WAVE_COUNT] = {
#define WAVE(name, ...) {#name, __VA_ARGS__},
#include "runtime/simulate/wave.def"
#undef WAVE
};

static size_t argument_count(const WaveRow *row) {
    size_t count = 0;
    while (count < WAVE_ARGUMENTS && row->arguments[count].name) {
        count++;
    }
    return count;
}

const char *tml_wave_name(const Wave *wave) {
    return rows[wave->kind].name;
}

bool tml_wave_needs_time(const Wave *wave) {
    return rows[wave->kind].needs_time;
}

// Reading.

typedef struct Reader {
    const char *next;
    char *message;
    const WaveRow *row;
} Reader;

__attribute__((format(printf, 2, 3))) static bool fail(Reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->message, WAVE_MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_spaces(Reader *reader) {
    reader->next += strspn(reader->next, " \t");
}

static bool take(Reader *reader, char wanted) {
    skip_spaces(reader);
    bool is_there = *reader->next == wanted;
    reader->next += is_there;
    return is_there;
}

static size_t word_length(const char *text) {
    size_t len = 0;
    while (isalnum((unsigned char)text[len]) || text[len] == '_') {
        len++;
    }
    return isdigit((unsigned char)text[0]) ? 0 : len;
}

static const WaveRow *find_row(const char *name, size_t len) {
    for (size_t i = 0; i < WAVE_COUNT; i++) {
        if (strlen(rows[i].name) == len && memcmp(rows[i].name, name, len) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

bool tml_text_names_wave(const char *text) {
    return find_row(text, strlen(text)) != NULL;
}

bool tml_text_is_wave(const char *text) {
    size_t len = word_length(text), end = strlen(text);
    const char *open = text + len + strspn(text + len, " \t");
    while (end > 0 && isspace((unsigned char)text[end - 1])) {
        end--;
    }
    return len > 0 && *open == '(' && (text[end - 1] == ')' || find_row(text, len));
}

static bool read_name(Reader *reader) {
    size_t len = word_length(reader->next);
    reader->row = find_row(reader->next, len);
    if (reader->row) {
        reader->next += len;
        return true;
    }
    Suggestion suggestion = tml_suggestion_for(reader->next, len);
    char known[WAVE_MESSAGE_BYTES / 2] = "";
    for (size_t i = 0, used = 0; i < WAVE_COUNT; i++) {
        tml_suggestion_try(&suggestion, rows[i].name);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s`%s`", i > 0 ? ", " : "",
                                 rows[i].name);
    }
    if (suggestion.nearest) {
        return fail(reader, "there is no `%.*s(...)`; did you mean `%s`?", (int)len, reader->next,
                    suggestion.nearest);
    }
    return fail(reader, "there is no `%.*s(...)`; there are %s", len < 40 ? (int)len : 40,
                reader->next, known);
}

// "`to`, `at`, `from`"
static const char *list_arguments(const WaveRow *row, char text[WAVE_MESSAGE_BYTES / 2]) {
    size_t used = 0, count = argument_count(row);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, WAVE_MESSAGE_BYTES / 2 - used, "%s`%s`",
                                 i > 0 ? ", " : "", row->arguments[i].name);
    }
    return text;
}

// The argument that is named before a `=`, or the next one by position. The count after a message.
static size_t find_argument(Reader *reader, size_t position, bool *named) {
    const WaveRow *row = reader->row;
    size_t count = argument_count(row), len = word_length(reader->next);
    const char *equals = reader->next + len + strspn(reader->next + len, " \t");
    char known[WAVE_MESSAGE_BYTES / 2];
    list_arguments(row, known);
    if (len == 0 || *equals != '=') {
        if (*named) {
            fail(reader, "`%s`: what follows an argument by name has a name too", row->name);
            return count;
        }
        if (position >= count) {
            fail(reader, "`%s` takes at most %zu arguments: %s", row->name, count, known);
        }
        return position;
    }
    *named = true;
    Suggestion suggestion = tml_suggestion_for(reader->next, len);
    for (size_t i = 0; i < count; i++) {
        const char *name = row->arguments[i].name;
        if (strlen(name) == len && memcmp(name, reader->next, len) == 0) {
            reader->next = equals + 1;
            return i;
        }
        tml_suggestion_try(&suggestion, name);
    }
    if (suggestion.nearest) {
        fail(reader, "`%s` has no argument `%.*s`; did you mean `%s`?", row->name, (int)len,
             reader->next, suggestion.nearest);
    } else {
        fail(reader, "`%s` has no argument `%.*s`; it has %s", row->name, len < 40 ? (int)len : 40,
             reader->next, known);
    }
    return count;
}

// A number, up to the next comma or parenthesis.
static bool read_number(Reader *reader, const char *name, double *number) {
    enum { NUMBER_BYTES = 64 };
    char text[NUMBER_BYTES] = "";
    skip_spaces(reader);
    size_t len = strcspn(reader->next, ",()");
    if (len < sizeof text) {
        memcpy(text, reader->next, len);
        text[len] = '\0';
    }
    if (!tml_text_is_real(text, number)) {
        return fail(reader, "`%s` of `%s` is a number, found `%.*s`", name, reader->row->name,
                    len < 40 ? (int)len : 40, reader->next);
    }
    reader->next += len;
    return true;
}

static bool read_arguments(Reader *reader, Wave *wave) {
    const WaveRow *row = reader->row;
    bool given[WAVE_ARGUMENTS] = {false}, named = false;
    size_t count = argument_count(row);
    if (!take(reader, '(')) {
        return fail(reader, "expected `(` behind `%s`", row->name);
    }
    if (take(reader, ')')) {
        return true;
    }
    for (size_t position = 0;; position++) {
        skip_spaces(reader);
        size_t i = find_argument(reader, position, &named);
        if (i >= count) {
            return false;
        }
        if (given[i]) {
            return fail(reader, "`%s` of `%s` is given twice", row->arguments[i].name, row->name);
        }
        given[i] = true;
        if (!read_number(reader, row->arguments[i].name, &wave->arguments[i])) {
            return false;
        }
        if (take(reader, ')')) {
            return true;
        }
        if (!take(reader, ',')) {
            return fail(reader, "expected `,` or `)` in `%s(...)`%s", row->name,
                        *reader->next == '\0' ? ", found the end" : "");
        }
    }
}

static bool check_ranges(Reader *reader, const Wave *wave) {
    const double *a = wave->arguments;
    if (wave->kind == WAVE_square && !(a[4] >= 0 && a[4] <= 1)) {
        return fail(reader, "`duty` of `square` is from 0 to 1");
    }
    if (wave->kind == WAVE_noise && !(a[0] >= 0 && a[0] < 0x1p53 && a[0] == floor(a[0]))) {
        return fail(reader, "`seed` of `noise` is a whole number from 0 on");
    }
    if (wave->kind == WAVE_noise && !(a[1] >= 0)) {
        return fail(reader, "`sigma` of `noise` is not negative");
    }
    return true;
}

static bool root_holds(tml_root root, double value) {
    switch (root) {
    case TML_BOOL: return value == 0 || value == 1;
    case TML_UINT: return value >= 0 && value <= UINT32_MAX && value == floor(value);
    case TML_INT: return value >= INT32_MIN && value <= INT32_MAX && value == floor(value);
    case TML_REAL: return true;
    }
    __builtin_unreachable();
}

// An input of whole numbers or bools takes what has two values only, if it has these.
static bool check_type(Reader *reader, const Wave *wave, const tml_type *type) {
    static const char *const roots[] = {"bool", "uint", "int", "real"};
    const double *a = wave->arguments;
    bool is_step = wave->kind == WAVE_step;
    if (type->root == TML_REAL) {
        return true;
    }
    if (!is_step && wave->kind != WAVE_square) {
        return fail(reader, "`%s` gives reals, the input is %s", reader->row->name,
                    roots[type->root]);
    }
    double low = is_step ? a[2] : a[3] - a[0], high = is_step ? a[0] : a[3] + a[0];
    if (!root_holds((tml_root)type->root, low) || !root_holds((tml_root)type->root, high)) {
        return fail(reader, "`%s` gives %g and %g here, the input is %s", reader->row->name, low,
                    high, roots[type->root]);
    }
    return true;
}

bool tml_wave_read(Wave *wave, const char *text, const tml_type *type,
                   char message[WAVE_MESSAGE_BYTES]) {
    Reader reader = {.next = text, .message = message};
    if (!read_name(&reader)) {
        return false;
    }
    wave->kind = (WaveKind)(reader.row - rows);
    for (size_t i = 0; i < WAVE_ARGUMENTS; i++) {
        wave->arguments[i] = reader.row->arguments[i].initial;
    }
    if (!read_arguments(&reader, wave)) {
        return false;
    }
    skip_spaces(&reader);
    if (*reader.next != '\0') {
        return fail(&reader, "`%.40s` follows `%s(...)`", reader.next, reader.row->name);
    }
    return check_ranges(&reader, wave) && check_type(&reader, wave, type);
}

// Computing.

static const double turn = 6.283185307179586; // 2 pi
static const double ahead = 1e-9;             // of a step

double tml_wave_value(const Wave *wave, uint64_t step, double dt) {
    const double *a = wave->arguments;
    double time = (double)step * dt, reached = ((double)step + ahead) * dt;
    switch (wave->kind) {
    case WAVE_step: return reached >= a[1] ? a[0] : a[2];
    case WAVE_ramp: return time > a[1] ? a[2] + a[0] * (time - a[1]) : a[2];
    case WAVE_sine: return a[3] + a[0] * sin(turn * a[1] * time + a[2]);
    case WAVE_square: {
        double turns = a[1] * reached + a[2] / turn;
        return turns - floor(turns) < a[4] ? a[3] + a[0] : a[3] - a[0];
    }
    case WAVE_noise: return a[2] + a[1] * tml_normal((uint64_t)a[0], step);
    case WAVE_COUNT: break;
    }
    __builtin_unreachable();
}

void tml_waves_write(Writer *out) {
    for (size_t i = 0; i < WAVE_COUNT; i++) {
        tml_write_text(out, "  ");
        tml_write_text(out, rows[i].name);
        for (size_t k = 0; k < argument_count(&rows[i]); k++) {
            const Argument *argument = &rows[i].arguments[k];
            char text[64];
            snprintf(text, sizeof text, "%s%s=%g%s", k > 0 ? ", " : "(", argument->name,
                     argument->initial, argument->unit);
            tml_write_text(out, text);
        }
        tml_write_text(out, ")\n");
    }
}

#include "tests/random/shrink.h"

#include "driver/compile.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60 };

typedef struct Shrink {
    RunFunction *run;
    Buffer source;
    RunReport report;
    double deadline;
} Shrink;

// Takes the candidate, source without [from, to) and with `text` there, if it still fails.
static bool try_without(Shrink *shrink, size_t from, size_t to, const char *text, size_t len) {
    if (clock_seconds() > shrink->deadline) {
        return false;
    }
    Buffer candidate = {0};
    buffer_append(&candidate, shrink->source.data, from);
    buffer_append(&candidate, text, len);
    buffer_append(&candidate, shrink->source.data + to, shrink->source.len - to);
    RunReport report;
    shrink->run(candidate.data, candidate.len, &report);
    if (!run_same_failure(&report, &shrink->report)) {
        buffer_free(&candidate);
        buffer_free(&report.text);
        return false;
    }
    buffer_free(&shrink->source);
    buffer_free(&shrink->report.text);
    shrink->source = candidate;
    shrink->report = report;
    return true;
}

static size_t line_end(const Buffer *source, size_t start) {
    const char *end = memchr(source->data + start, '\n', source->len - start);
    return end ? (size_t)(end - source->data) + 1 : source->len;
}

static size_t indent_of(const Buffer *source, size_t start) {
    return strspn(source->data + start, " ");
}

// Where the block that the header at `start` opens ends: the start of its next `else` or `end`.
static size_t block_end(const Buffer *source, size_t start) {
    size_t indent = indent_of(source, start);
    size_t at = line_end(source, start);
    while (at < source->len && indent_of(source, at) > indent) {
        at = line_end(source, at);
    }
    return at;
}

static bool is_header(const Buffer *source, size_t start) {
    size_t end = line_end(source, start);
    return end - start > 2 && source->data[end - 2] == ':';
}

static bool is_end(const Buffer *source, size_t start) {
    return strncmp(source->data + start + indent_of(source, start), "end\n", 4) == 0;
}

// Tries to drop what begins at the line: a statement, a whole block, a branch of one, or a header
// with its `end`.
static bool drop_line(Shrink *shrink, size_t start) {
    const Buffer *source = &shrink->source;
    size_t end = line_end(source, start);
    if (!is_header(source, start)) {
        return try_without(shrink, start, end, "", 0);
    }
    size_t last = block_end(source, start);
    size_t whole = last;
    while (whole < source->len && !is_end(source, whole)) {
        whole = block_end(source, whole);
    }
    whole = whole < source->len ? line_end(source, whole) : whole;
    if (try_without(shrink, start, whole, "", 0) || try_without(shrink, start, last, "", 0)) {
        return true;
    }
    if (last < source->len && is_end(source, last)) {
        size_t len = last - end;
        char *body = strndup(source->data + end, len);
        bool done = try_without(shrink, start, line_end(source, last), body, len);
        free(body);
        return done;
    }
    return false;
}

static bool drop_lines(Shrink *shrink) {
    bool any = false;
    size_t at = shrink->source.len;
    while (at > 0) {
        do {
            at--;
        } while (at > 0 && shrink->source.data[at - 1] != '\n');
        any |= drop_line(shrink, at);
        at = at < shrink->source.len ? at : shrink->source.len;
    }
    return any;
}

// Expressions.

// The end of the operand that begins at `at`: a delimiter outside of brackets.
static size_t operand_end(const Buffer *source, size_t at) {
    int depth = 0;
    for (; at < source->len && source->data[at] != '\n'; at++) {
        char c = source->data[at];
        depth += c == '(' || c == '[';
        if ((c == ')' || c == ']') && depth-- == 0) {
            break;
        }
        if (depth == 0 && (c == ',' || c == ';' || c == '|')) {
            break;
        }
    }
    return at;
}

// Tries to put in place of the whole operand at `start` the shorter text [from, to).
static bool replace_by(Shrink *shrink, size_t start, size_t end, size_t from, size_t to) {
    if (from >= to || to - from >= end - start) {
        return false;
    }
    char *text = strndup(shrink->source.data + from, to - from);
    bool done = try_without(shrink, start, end, text, to - from);
    free(text);
    return done;
}

// An operand becomes one side of an operator in it, what is inside its parentheses, or a literal.
static bool shrink_operand(Shrink *shrink, size_t start) {
    const Buffer *source = &shrink->source;
    size_t end = operand_end(source, start);
    static const char *const literals[] = {"1", "1.0", "1u", "true"};
    for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
        size_t len = strlen(literals[i]);
        if (end - start > len + 1 && try_without(shrink, start, end, literals[i], len)) {
            return true;
        }
    }
    int depth = 0;
    for (size_t at = start; at < end; at++) {
        char c = source->data[at];
        if ((c == '(' || c == '[') && depth++ == 0) {
            for (size_t from = at + 1; from < end;) {
                size_t to = operand_end(source, from);
                if (replace_by(shrink, start, end, from, to)) {
                    return true;
                }
                if (source->data[to] == ')' || source->data[to] == ']') {
                    break;
                }
                from = to + 1;
            }
        }
        depth -= c == ')' || c == ']';
        if (c == ' ' && depth == 0 &&
            (replace_by(shrink, start, end, start, at) ||
             replace_by(shrink, start, end, at + 1, end))) {
            return true;
        }
    }
    return false;
}

static bool shrink_operands(Shrink *shrink) {
    bool any = false;
    for (size_t at = 1; at < shrink->source.len; at++) {
        char before = shrink->source.data[at - 1];
        if (before == '(' || before == '[' ||
            (before == ' ' && at > 1 && strchr(",;|=", shrink->source.data[at - 2]))) {
            while (shrink_operand(shrink, at)) {
                any = true;
            }
        }
    }
    return any;
}

void shrink_program(RunFunction *run, const Buffer *source, const RunReport *report, Buffer *result,
                    RunReport *small_report) {
    Shrink shrink = {.run = run, .deadline = clock_seconds() + (double)SECONDS};
    shrink.report = (RunReport){.verdict = report->verdict, .way = report->way};
    buffer_append(&shrink.source, source->data, source->len);
    buffer_append(&shrink.report.text, report->text.data, report->text.len);
    while (drop_lines(&shrink) || shrink_operands(&shrink)) {
    }
    *result = shrink.source;
    *small_report = shrink.report;
}

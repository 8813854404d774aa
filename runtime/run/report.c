// All that is said on standard error, but for progress and what text_reader.c keeps until it is
// asked.
#include "runtime/run/report.h"

#include "runtime/abi/fault.h"
#include "runtime/file/writer.h"
#include "runtime/text/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void report(const char *name, const char *mark, const char *format, va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%s: %s%s\n", name, mark, text);
}

void tml_report(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(command, "", format, arguments);
    va_end(arguments);
}

void tml_report_output(const char *command, int error) {
    if (error != EPIPE) {
        tml_report(command, "cannot write to standard output: %s", strerror(error));
    }
}

bool tml_report_file(const char *place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(place, "error: ", format, arguments);
    va_end(arguments);
    return false;
}

void tml_report_note(const char *name, uint64_t line, uint64_t column, const char *format, ...) {
    char place[512];
    snprintf(place, sizeof place, "%s:%llu:%llu", name, (unsigned long long)line,
             (unsigned long long)column);
    va_list arguments;
    va_start(arguments, format);
    report(place, "note: ", format, arguments);
    va_end(arguments);
}

static const char *line_text(const tml_fault *fault, const tml_model *model) {
    for (uint32_t i = 0; i < model->line_count; i++) {
        const tml_line *line = &model->lines[i];
        if (line->file == fault->file && line->line == fault->line) {
            return line->text;
        }
    }
    return NULL;
}

static int margin(const tml_fault *fault) {
    return snprintf(NULL, 0, "%u", fault->line);
}

// The line with a mark below the column, as messages of the compiler have it.
static void show_line(const tml_fault *fault, const char *text) {
    int width = margin(fault);
    fprintf(stderr, "%*s |\n%u | ", width, "", fault->line);
    for (; *text != '\0'; text++) {
        fputc(*text == '\t' ? ' ' : *text, stderr);
    }
    fprintf(stderr, "\n%*s | %*s\n", width, "", (int)fault->column, "^");
}

void tml_report_trap(const tml_fault *fault, const tml_model *model, const char *when) {
    char text[TML_FAULT_TEXT_BYTES];
    tml_fault_text(text, fault, model->texts);
    fprintf(stderr, "%s:%u:%u: trap[E%d]: %s%s\n", model->files[fault->file], fault->line,
            fault->column, (int)fault->code, text, when);
    const char *line = line_text(fault, model);
    if (line != NULL) {
        show_line(fault, line);
    }
}

void tml_report_trap_note(const tml_fault *fault, const TrapNote *note) {
    Writer out;
    tml_writer_init(&out, STDERR_FILENO);
    fprintf(stderr, "%*s = note: %s is ", margin(fault), "", note->text);
    tml_write_value(&out, note->type, &note->value);
    tml_write_char(&out, '\n');
    tml_writer_flush(&out);
}

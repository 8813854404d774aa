#include "runtime/run/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void tml_report(const char *command, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", command, text);
}

static void fault_text(char *text, size_t size, const tml_fault *fault, const char *const *texts) {
    switch (fault->code) {
    case TML_E_INDEX:
        snprintf(text, size, "index %lld is outside a dimension of length %llu",
                 (long long)fault->index, (unsigned long long)fault->length);
        return;
    case TML_E_DIVISION: snprintf(text, size, "integer division by zero"); return;
    case TML_E_STEP: snprintf(text, size, "the step of the loop is zero"); return;
    case TML_E_ASSERT: snprintf(text, size, "assertion failed: %s", texts[fault->index]); return;
    }
    abort(); // generated code sets no other
}

void tml_report_trap(const tml_fault *fault, const char *const *files, const char *const *texts,
                     const char *when) {
    char text[1024];
    fault_text(text, sizeof text, fault, texts);
    fprintf(stderr, "%s:%u:%u: trap[E%d]: %s%s\n", files[fault->file], fault->line, fault->column,
            (int)fault->code, text, when);
}

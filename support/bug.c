#include "support/bug.h"

#include "runtime/abi/exit_status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void bug_report(const char *file, int line, const char *format, ...) {
    fflush(stdout);
    fprintf(stderr, "tmlc: internal compiler error at %s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs(
        "\nThis is a bug in the compiler, not in the program that it was given. Please report it\n"
        "with the command line and the smallest program that shows it.\n",
        stderr);
    exit(EXIT_BUG);
}

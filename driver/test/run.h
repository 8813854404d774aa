// Tests of a file, and how they ended.
#ifndef TMLC_DRIVER_TEST_RUN_H
#define TMLC_DRIVER_TEST_RUN_H

#include "driver/options.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef enum TestOutcome {
    TEST_LEFT_OUT, // by --filter or its line
    TEST_WAITING,
    TEST_RUNNING,
    TEST_PASSED,
    TEST_SKIPPED, // it cannot run there
    TEST_FAILED,
} TestOutcome;

typedef struct TestCase {
    const char *name;
    uint32_t line, column;
    TestOutcome outcome;
    const char *why;  // it failed or was skipped, in a few words
    const char *text; // what it printed, and where it failed
    double seconds;
} TestCase;

// The tests of one file at one level of optimisation.
typedef struct TestRun {
    const char *path;
    uint32_t line; // only the test that begins in it; 0: all
    unsigned level;
    LIST_OF(TestCase) cases;
    Buffer messages;   // of the compiler
    ExitStatus status; // of compiling
    bool reads_report; // what the report is written to is a file that it was made from
    // While it runs: a process that compiles the file and runs its tests tells this one by a pipe.
    // What they print goes to a file that both have.
    pid_t process;
    int pipe;
    FILE *printed;
    const char *folder; // for an executable; NULL: none is wanted
    size_t first;       // where in the order of tests the process has begun
    size_t running;     // the case at hand, SIZE_MAX between two of them
    double deadline;    // of that one
    Buffer received;    // that is no whole record yet
    bool is_told;       // the process has said how compiling ended
    bool is_done;
} TestRun;

// What the process sends: a record, then `len` bytes of text.
typedef enum RecordKind {
    RECORD_MESSAGES, // of the compiler
    RECORD_TEST,     // number, line, column, outcome; its name
    RECORD_COMPILED, // outcome is the status
    RECORD_REPORT,   // the report's file is one that was read
    RECORD_BEGIN,    // number
    RECORD_END,      // number, outcome, seconds; why it failed, a zero, what it printed
} RecordKind;

typedef struct Record {
    uint32_t kind, number, line, column, outcome, len;
    double seconds;
} Record;

// Compiles the file and runs its tests, of which the first `first` are skipped; in a process of its
// own, which ends then.
_Noreturn void test_work(const TestRun *run, const Options *options, RenderOptions render,
                         int pipe);

enum { TEST_MOST_PRINTED = 64 << 20 }; // bytes, by one test
// The beginning of what the tests have printed to the file, which is emptied.
char *test_take_printed(Arena *arena, FILE *printed);

// Prints how all of it ended, in the format that was asked for.
void test_report(const TestRun *runs, size_t count, const Options *options, Buffer *out);

#endif

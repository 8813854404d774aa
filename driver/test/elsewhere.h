// Tests in an executable of their own, which a command runs: for other machines.
#ifndef TMLC_DRIVER_TEST_ELSEWHERE_H
#define TMLC_DRIVER_TEST_ELSEWHERE_H

#include "driver/test/run.h"

enum { TEST_NOT_THERE = -1 }; // how a test ends that needs more than an executable has

// What is told of a test; what it prints goes to the file of the run.
typedef struct TestEvents {
    void (*begin)(void *data, size_t number);
    void (*end)(void *data, size_t number, int status);
    void *data;
} TestEvents;

// Compiles and links the tests `which[0..count)` of the program into the folder of the run, runs
// them by --runner and tells how they end; one that ends the executable has no end. Consumes the
// module. False with compilation->error when there is nothing to run.
__attribute__((warn_unused_result)) bool test_elsewhere(Compilation *compilation,
                                                        const TestRun *run, const Options *options,
                                                        const size_t *which, size_t count,
                                                        const TestEvents *events);
// Removes the files of such a run, and its folder.
void test_clean(const char *folder);

#endif

// What code generation is asked to do.
#ifndef TMLC_CODEGEN_OPTIONS_H
#define TMLC_CODEGEN_OPTIONS_H

#include "tir/build.h"

#include <stdbool.h>

// What is optimised for: time, or the bytes of code (-Os, and -Oz at the cost of time).
typedef enum CodeSize { SIZE_ANY, SIZE_SMALL, SIZE_LEAST } CodeSize;

typedef enum FpMode { FP_DEFAULT, FP_STRICT, FP_CONTRACT, FP_FAST } FpMode;

typedef struct CodegenOptions {
    const char *target; // triple; NULL: the host's
    const char *cpu;    // NULL: the host's when target is the host's, else "generic"
    unsigned opt_level; // 0..3
    CodeSize size;      // other than SIZE_ANY at level 2 only
    bool debug;         // -g
    bool checks;        // --checks=all
    FpMode fp;
    unsigned batch;        // --batch: components side by side; 0: one by one
    unsigned threads;      // --threads, of executables; 0: not given
    uint32_t threads_from; // --threads-from, for tests: what a loop they share takes; 0: as planned
    bool no_table;         // no tml_model (runtime/abi/model.h)
    bool no_lines;         // of the source that may trap: for who is not given the source
    bool no_runtime;    // of tests: their host is not the runtime, and has tml_input and tml_note
    const char *prefix; // of exported symbols; NULL: from the name of the file
    // Of the passes, which are done by then, but tell variants apart: --no-pass, --derivative and
    // --tape.
    uint64_t left_out;
    TirDerivation derivation;
    uint64_t tape;
    bool exports; // of functions that hosts may call (TirFunction.exported), beside the entries; a
                  // library always has them
} CodegenOptions;

#endif

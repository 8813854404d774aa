// The pipeline up to TIR as a library call: read, parse, check, passes. Code is made of what it
// leaves (driver/code.h), and nothing here needs LLVM. Messages and results are data: it prints
// nothing, and ends the process only when memory runs out or the compiler finds itself wrong
// (support/memory.h, support/bug.h). Two compilations may run in two threads.
#ifndef TMLC_DRIVER_COMPILE_H
#define TMLC_DRIVER_COMPILE_H

#include "codegen/codegen.h"
#include "driver/describe/report.h"
#include "parser/ast.h"
#include "runtime/abi/exit_status.h"
#include "sema/check.h"
#include "sema/front.h"
#include "sema/notes/notes.h"
#include "support/buffer.h"
#include "support/context.h"
#include "support/diag/render.h"
#include "tir/passes/passes.h"
#include "tir/remark.h"
#include "tir/tir.h"

#include <stdbool.h>
#include <stddef.h>

// How far a compilation goes.
typedef enum CompileStage {
    STAGE_READ,
    STAGE_PARSE,
    STAGE_CHECK,
    STAGE_DERIVE, // the first pass alone
    STAGE_PASSES,
    STAGE_CODEGEN,
} CompileStage;

typedef enum Phase {
#define PHASE(NAME, text) PHASE_##NAME,
#include "driver/phases.def"
#include "support/arena.h"
    PHASE_COUNT,
} Phase;

const char *phase_text(Phase phase);

typedef struct CompileOptions {
    CompileStage stage; // the last one to run
    FrontOptions front;
    bool executable;    // a library is an error
    bool debug_signals; // debug signals are in the state (L10.11)
    bool linearize;     // derivatives of a component's step are made (TirProgram.linear)
    PassOptions passes; // its level and whether to verify are those of `codegen` and `verify_tir`
    bool remarks;       // of the passes, into Compilation.remarks
    bool verify_tir;    // after checking and after every pass
    bool notes;         // Compilation.notes is wanted
    bool infer;         // what the source does not declare is printed to Compilation.interface
    bool sealed;        // imports are not read: for fuzzers
    bool prompt;        // file level runs, also where it only declares (tmlc repl)
    CheckTests tests;
    CodegenOptions codegen;
} CompileOptions;

// What `tmlc FILE` without options does.
CompileOptions compile_defaults(void);

typedef struct Compilation {
    Context *context;
    SourceFile *source;    // NULL when it could not be read
    AstFile *ast;          // from STAGE_PARSE on
    TirProgram *program;   // from STAGE_CHECK on, unless there are errors
    Buffer interface;      // with CompileOptions.infer
    Notes notes;           // from STAGE_CHECK on, also when there are errors
    CodegenModule *module; // once code was made
    Report *report;        // once it was asked for
    CodegenOptions codegen;
    TirRemarks remarks; // of the passes, when they are wanted
    const char *error;  // what went wrong outside of the program text: `cannot read ...`
    double seconds[PHASE_COUNT];
} Compilation;

// Compiles the file `path` ("-" is standard input), at STAGE_CODEGEN through all passes. The
// compilation keeps everything alive until compilation_finish.
ExitStatus compile_file(Compilation *compilation, const char *path, const CompileOptions *options);
// The same for a text; `path` is used in messages and to find imports.
ExitStatus compile_text(Compilation *compilation, const char *path, const char *text, size_t len,
                        const CompileOptions *options);
// What passes said, a line each, in the order of the source.
void compile_remarks(const Compilation *compilation, Buffer *out);
// The messages so far, errors and warnings.
void compile_messages(const Compilation *compilation, RenderOptions options, Buffer *out);
// A module that is still there is dropped before (code_drop).
void compilation_finish(Compilation *compilation);

// Seconds of a clock that only moves forward.
double clock_seconds(void);

#endif

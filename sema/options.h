// What checking is asked to do, and what it can tell beside the program.
#ifndef TMLC_SEMA_OPTIONS_H
#define TMLC_SEMA_OPTIONS_H

#include "parser/ast.h"
#include "tir/tir.h"

// How the checker gets the syntax tree of an imported file, once each; `path` is in normal form.
// Returns NULL, with *error, when it cannot be read.
typedef AstFile *CheckLoader(void *data, const char *path, const char **error);
// A name that all paths of one file have, links among them too; NULL when there is none.
typedef const char *CheckIdentifier(Arena *arena, const char *path);

// Texts of the command line as source files of their own, so that messages can point into them.
typedef LIST_OF(SourceFile *) CheckTexts;

// What becomes of tests (L19): nothing, as if they did not stand in the file; they are checked; or
// the program is one that runs them.
typedef enum CheckTests { TESTS_LEFT_OUT, TESTS_CHECKED, TESTS_RUN } CheckTests;

typedef struct CheckOptions {
    bool single;        // --real=f32
    bool vectors;       // the target has some: straight code over rows of small matrices pays
    bool executable;    // an executable is wanted: a library is E0703
    bool prompt;        // file level runs, also where it only declares: no file is a library
    bool linearize;     // derivatives of steps are wanted
    bool debug_signals; // those of `debug` are in the state (L10.11)
    bool mmio;          // --io=mmio: hardware is accessed at its address (L16)
    bool exact_rank;    // --rank-promotion=error: tensors of unequal rank do not broadcast (L5.7)
    bool no_warnings;   // of sema/warn/
    CheckTests tests;   // of the main file
    CheckLoader *load;  // needed where files are imported
    void *load_data;
    CheckIdentifier *identify; // NULL: a path is its file's name
    CheckTexts definitions;    // of -D: `p.kp=3.5`; the value of a str may stand without quotes
    CheckTexts connections;    // of --with: `t.sync`
    size_t shared_definitions; // so many, the first, need no declaration
    size_t shared_connections;
    TextList interfaces; // of --interface
    struct Infer *infer; // takes what the source says of names that it does not declare; or NULL
    struct Notes *notes; // takes what is known of names and expressions, in all files; or NULL
} CheckOptions;

#endif

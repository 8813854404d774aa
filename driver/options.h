// The command line as data. The closed list of options is driver/options.def.
#ifndef TMLC_DRIVER_OPTIONS_H
#define TMLC_DRIVER_OPTIONS_H

#include "driver/compile.h"
#include "driver/describe/report.h"
#include "driver/emit.h"
#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Command {
#define COMMAND(ID, word, usage, INPUTS, TAKES, missing, surplus, help) COMMAND_##ID,
#include "driver/commands.def"
    COMMAND_COUNT,
    COMMAND_ANY = COMMAND_COUNT, // of options
    // Groups of commands, of options: those that read programs, of these those that make code, of
    // these those that write it.
    COMMAND_READING,
    COMMAND_MAKING,
    COMMAND_WRITING,
} Command;

// How many files, or other words, a command takes.
typedef enum CommandInputs { INPUTS_NONE, INPUTS_ONE, INPUTS_SOME, INPUTS_ANY } CommandInputs;

typedef struct OptionRow OptionRow;

// Rows of driver/commands.def.
typedef struct CommandRow {
    const char *word; // empty: the command follows from options
    const char *usage;
    CommandInputs inputs;
    Command takes; // the options of several commands: COMMAND_ANY, or a group behind it
    const char *missing, *surplus;
    const char *help;
} CommandRow;

const CommandRow *command_row(Command command);
// Whether the option is one of those that the command takes.
bool command_takes(Command command, const OptionRow *row);
// Whether it follows from one option, as --help, and nothing else counts.
bool command_is_option(Command command);
// Whether it runs the file, with what follows `--`.
bool command_runs(Command command);

// Rows of driver/options.def.
typedef enum OptionForm {
    FORM_FLAG,
    FORM_VALUE,
    FORM_CHOICE,
    FORM_OPTIONAL,
    FORM_JOINED,
    FORM_LETTER,
} OptionForm;

typedef enum OptionId {
#define OPTION(ID, spelling, FORM, argument, COMMAND, help) OPTION_##ID,
#include "driver/options.def"
    OPTION_COUNT,
} OptionId;

struct OptionRow {
    const char *spelling;
    OptionForm form;
    const char *argument; // FORM_CHOICE: the choices, separated by |
    Command command;      // that takes it, or a group of them
    const char *help;     // empty: the option is not listed
};

typedef enum ReportMode { REPORT_NONE, REPORT_TEXT, REPORT_JSON } ReportMode;

typedef enum ColorMode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef enum TestFormat { TEST_HUMAN, TEST_TAP, TEST_JUNIT } TestFormat;

// Of COMMAND_TEST.
typedef struct TestOptions {
    const char *filter; // a part of the names of tests; NULL: all
    const char *out;    // where the report goes; NULL: standard output
    const char *runner; // runs executables of tests; NULL: they run in memory
    TestFormat format;
    bool lists;      // the names are printed, and nothing runs
    bool all_levels; // of optimisation, one after the other
    size_t jobs;     // files at a time; 0: as many as there are processors
    uint64_t seed;   // of the order of tests; 0: that of the file
    double timeout;  // seconds that one test may take
} TestOptions;

// Of EMIT_FMU.
typedef struct FmuOptions {
    bool is_given; // some option of it was
    bool no_locals;
    bool sources;
    int version;      // of FMI, 2 or 3
    double step;      // seconds; 0: what the source says
    const char *icon; // or NULL
} FmuOptions;

typedef struct TargetChoice {
    const char *triple;
    const char *cpu; // NULL: as in CodegenOptions
} TargetChoice;

typedef LIST_OF(TargetChoice) TargetChoices;

typedef struct Options {
    Command command;
    TextList arguments;          // the whole command line
    TextList inputs;             // files; the query of COMMAND_SHAPE
    TextList run_args;           // what follows `--`
    const char *output;          // of -o, or NULL
    unsigned emits;              // a bit per EmitKind; never 0 for COMMAND_COMPILE
    const char *dependency_file; // of -MF, or NULL
    bool dependencies;           // a rule for make is wanted
    const char *project;         // the file with the options of the input's project, or NULL
    const char *explain;
    const char *shell; // of --completions
    CompileOptions compile;
    RenderFormat format;
    ColorMode color;
    ReportMode report;
    ReportBudget budget;
    bool types;
    bool format_check, format_diff; // of COMMAND_FORMAT
    const char *log;                // of COMMAND_LSP, or NULL
    TestOptions test;
    FmuOptions fmu;
    TargetChoices targets; // all of --target; CompileOptions has the last, of an FMU the first
    bool has_level;        // -O was given
    bool time;
    bool verbose;
    bool no_project;
    bool save_temps;
    bool given[OPTION_COUNT];
    Command helped; // COMMAND_HELP: with what is wanted; COMMAND_ANY: all
} Options;

const OptionRow *option_row(OptionId id);

// Reads argv[1..argc). On wrong usage returns false and appends what is wrong, one line without a
// newline, to *error. Texts are those of argv or from the arena.
__attribute__((warn_unused_result)) bool options_parse(Options *options, Arena *arena, int argc,
                                                       char **argv, Buffer *error);
// The options for one of the inputs: those of its project (support/project.h), then those of the
// command line, from which `given` was read. False as above, also when the project has a mistake.
// With -v they are printed to standard error.
__attribute__((warn_unused_result)) bool options_of_input(Options *options, const Options *given,
                                                          Arena *arena, const char *path,
                                                          Buffer *error);
// The last step of it: makes options agree. False as above.
__attribute__((warn_unused_result)) bool options_settle(Options *options, Buffer *error);
// What --help prints, of all commands or of one.
void options_help(Command command, Buffer *out);
// What it says of an option, with the command that takes it.
void option_help(Buffer *out, const OptionRow *row);
// Appends what --explain prints: the entry of a message ("E0501" or "e0501") or warning ("unused",
// "-Wunused"); false, with what is wrong instead, when there is none.
__attribute__((warn_unused_result)) bool options_explain(const char *code, Buffer *out);
// The completions of `shell`, one of those that --completions takes.
void options_completions(const char *shell, Buffer *out);

#endif

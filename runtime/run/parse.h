// Reading the command line, option by option.
#ifndef TML_RUNTIME_RUN_PARSE_H
#define TML_RUNTIME_RUN_PARSE_H

#include "runtime/run/options.h"

typedef enum OptionsResult {
    OPTIONS_RUN,
    OPTIONS_HELP,
    OPTIONS_DESCRIBE,
    OPTIONS_WRONG, // after saying what is wrong
    OPTIONS_MEMORY // there is none; said as well
} OptionsResult;

// Every result wants tml_options_free.
OptionsResult tml_options_parse(Options *options, const tml_model *model, const char *command,
                                int argc, char **argv);
void tml_options_free(Options *options);
// A row of options.def.
typedef struct OptionRow {
    const char *spelling;
    // By tml_kind: what follows it, "" when nothing does, "=..." what may; NULL: no option of that
    // kind of file.
    const char *needs[2];
    bool (*take)(Options *options, const char *value);
    struct {
        const char *argument, *text;
        enum { HELP_ALWAYS, HELP_WITH_INPUTS, HELP_WITHOUT_INPUTS } when;
    } help[3]; // lines of a component's help; `argument` is NULL when there is no more
} OptionRow;

enum {
    OPTION_COUNT = 0
#define OPTION(...) +1
#include "runtime/run/options.def"
#undef OPTION
};
extern const OptionRow tml_option_rows[OPTION_COUNT];

#endif

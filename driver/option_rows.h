// The rows of options.def, for those who parse the command line and those who describe it.
#ifndef TMLC_DRIVER_OPTION_ROWS_H
#define TMLC_DRIVER_OPTION_ROWS_H

typedef enum OptionForm {
    FORM_FLAG,
    FORM_VALUE,
    FORM_CHOICE,
    FORM_OPTIONAL,
    FORM_JOINED,
    FORM_LETTER,
} OptionForm;

typedef enum OptionId {
#define OPTION(ID, spelling, FORM, argument, help) OPTION_##ID,
#include "driver/options.def"
    OPTION_COUNT,
} OptionId;

typedef struct OptionRow {
    const char *spelling;
    OptionForm form;
    const char *argument; // FORM_CHOICE: the choices, separated by |
    const char *help;     // empty: the option is not listed
} OptionRow;

const OptionRow *option_row(OptionId id);

#endif

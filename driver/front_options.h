// Words of a command line as options, and those options that checking asks about: for the command,
// for project files (support/project.h), and for editors, whose server knows no others.
#ifndef TMLC_DRIVER_FRONT_OPTIONS_H
#define TMLC_DRIVER_FRONT_OPTIONS_H

#include "driver/options.h"

typedef struct OptionWords {
    Arena *arena;
    Buffer *error;    // what is wrong, one line
    const char *base; // the file that paths in them are relative to; NULL: the present folder
    const char *const *items;
    size_t count;
    size_t next; // to be read
} OptionWords;

// An option with its value; `choice` is the position of the value among the choices of the row.
typedef struct GivenOption {
    OptionId id;
    const char *value; // "" where it has none
    int choice;
} GivenOption;

// Appends `; did you mean` to the error, unless `nearest` is NULL. Returns false.
bool option_suggest(const OptionWords *words, const char *nearest);
// Takes the next word, which begins with `-`, and the word behind it where that is its value.
// False, with the error, when it is no option, or has no value or a wrong choice.
__attribute__((warn_unused_result)) bool option_take(OptionWords *words, GivenOption *given);

typedef enum FrontAnswer { FRONT_TAKEN, FRONT_OTHER, FRONT_WRONG } FrontAnswer;

// Applies an option that checking asks about; FRONT_OTHER when it is another.
FrontAnswer front_option_apply(const OptionWords *words, const GivenOption *given,
                               FrontOptions *front);

// Takes all words, which must be options that files of a project may have in common, and has each
// used. False when one is wrong, or `use` says so: *wrong is its index.
__attribute__((warn_unused_result)) bool
options_each_shared(OptionWords *words, bool (*use)(void *data, const GivenOption *given),
                    void *data, size_t *wrong);

// The same of a list, where only what checking asks about is applied (LspOptionReader).
bool front_options_read(Arena *arena, const TextList *list, const char *base, FrontOptions *front,
                        size_t *wrong, Buffer *error);

// Applies the options of the project that the file at `path` belongs to (LspProjectReader). False
// when it has a mistake: *error says it with its place.
bool front_project_read(Arena *arena, const char *path, FrontOptions *front, Buffer *error);

#endif

// From an object file to an executable or a shared library, with the system's C compiler as linker,
// or to an archive; and whether these did what their exit status says: some overlook writes that
// fail.
#ifndef TMLC_DRIVER_LINK_H
#define TMLC_DRIVER_LINK_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>

// Of a shared library: the functions of FMI.
typedef struct LinkFmi {
    unsigned version; // 2 or 3; 0: none
    bool is_source; // `also` is a text in C with all of them, for another machine; else an archive
                    // is linked, and `also` is an object
    const char *table, *model;       // what that text calls the table, and its link name
    const char *variable, *compiler; // what compiles it: words of the environment, or these
} LinkFmi;

typedef struct LinkOptions {
    bool verbose;      // print the command first
    bool is_shared;    // a shared library, without the runtime,
    bool is_program;   // but for functions of a program, whose statements call it
    const char *also;  // another object file, or NULL
    const char *model; // of an executable: the link name of the table that the runtime steps
    LinkFmi fmi;
} LinkOptions;

// Links the program in `object` with the runtime into `output`. Runs `cc`, or TMLC_CC (split at
// spaces); its messages go to standard error. On failure returns false and *error says why (from
// the arena or static).
__attribute__((warn_unused_result)) bool link_object(Arena *arena, const char *object,
                                                     const char *output, const LinkOptions *options,
                                                     const char **error);
// Whether the file is a whole executable or shared library for the machine of `object`, which it
// was linked from. *error is a static or strerror text. Of formats other than ELF it knows the
// beginning.
__attribute__((warn_unused_result)) bool linked_file_check(const char *path, const Buffer *object,
                                                           bool is_shared, const char **error);

// Appends an archive whose only member is `object` under the name `member`; it has no index yet.
void archive_print(const char *member, const Buffer *object, Buffer *out);
// Gives the archive in `path` the index of symbols that linkers want, and looks whether it then is
// whole and ends with the object. Runs `ar`, or TMLC_AR; the same input gives the same bytes. On
// failure returns false and *error says why.
__attribute__((warn_unused_result)) bool archive_finish(Arena *arena, const char *path,
                                                        const Buffer *object, bool verbose,
                                                        const char **error);

#endif

// What a run writes takes the place of nothing that it reads or was made from, and has a name that
// does not promise another format.
#ifndef TML_RUNTIME_RUN_USES_H
#define TML_RUNTIME_RUN_USES_H

#include "runtime/run/options.h"

// Whether each file that is written is none of the model's and, but for a program, which has its
// inputs whole before it writes over them, has one use; false after saying what is wrong.
bool tml_uses_are_right(const Options *options);
// Whether the folders are there in which files will be made, before a run that may take long; false
// after saying which is not.
bool tml_uses_have_places(const Options *options);

#endif

// Which variables of a script what is entered next can name.
#ifndef TMLC_DRIVER_REPL_VISIBLE_H
#define TMLC_DRIVER_REPL_VISIBLE_H

#include "driver/compile.h"

// Calls `take` on each: those of imports, and those of file level that no block has declared.
void visible_each(const Compilation *compilation, void (*take)(const TirVar *var, void *data),
                  void *data);

#endif

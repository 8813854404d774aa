// Files of the program: imports, functions by name, file level (L4).
#ifndef TMLC_SEMA_UNIT_H
#define TMLC_SEMA_UNIT_H

#include "sema/checker.h"

// A file of the program; `import_span` is the import that brought it.
Unit *unit_create(Checker *checker, AstFile *file, Span import_span);
// Imports first, then functions by name, then file-level statements in order, then functions that
// nothing called, unless it is the main file.
void unit_check(Checker *checker, Unit *unit);
void unit_check_main(Checker *checker, Unit *unit);
void unit_check_uncalled(Checker *checker, Unit *unit);

#endif

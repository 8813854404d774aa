// Files with the interface that a source does not declare itself (L14.1).
#ifndef TMLC_SEMA_COMPONENT_INTERFACE_FILE_H
#define TMLC_SEMA_COMPONENT_INTERFACE_FILE_H

#include "sema/checker.h"

// Reads the files of --interface and what they import. Their declarations become those of the main
// file (Unit.outside), which they may make a component.
void interface_files_read(Checker *checker, Unit *unit);
// Checks these declarations, before anything else of the file.
void interface_files_check(Checker *checker, Unit *unit);
// What the source and such a file, or two of these, declare under one name is equal; else E0302.
void interface_require_equal(Checker *checker, const TirInterface *first,
                             const TirInterface *second);

#endif

// The built-ins that are written in TML: sema/builtin/prelude.tml, compiled when one of them is
// used.
#ifndef TMLC_SEMA_BUILTIN_PRELUDE_H
#define TMLC_SEMA_BUILTIN_PRELUDE_H

#include "sema/checker.h"

// The function of that name; it exists.
FunctionDecl *prelude_function(Checker *checker, const char *name);

#endif

// One source from its tree to TIR and messages, as `tmlc check` and the language server see it:
// which messages there are stands here, once.
#ifndef TMLC_SEMA_FRONT_H
#define TMLC_SEMA_FRONT_H

#include "sema/check.h"
#include "sema/warn/shown.h"

// What the command line, a project file or an editor says of checking.
typedef struct FrontOptions {
    bool single;     // --real=f32
    bool mmio;       // --io=mmio
    bool exact_rank; // --rank-promotion=error
    WarningChoices warnings;
    TextList definitions; // of -D: p.kp=3.5
    TextList connections; // of --with: t.sync
    TextList interfaces;  // of --interface
    // So many of them, the first, are for many files: who has no such name ignores them.
    size_t shared_definitions, shared_connections;
} FrontOptions;

// What no option says: the warnings that nobody has to ask for.
FrontOptions front_defaults(void);

// Whether parsing left a tree that can be checked: what a syntax error swallowed may have declared
// names, and checking would blame their uses. Malformed literals leave the tree whole.
bool front_is_whole(const DiagList *diags);

// Fills in what `options` say; the rest of *check is the caller's. Each text becomes a source file
// of the context, so that messages can point into it. False, with *error, when one is too large.
__attribute__((warn_unused_result)) bool front_prepare(Context *context,
                                                       const FrontOptions *options,
                                                       CheckOptions *check, const char **error);

// Checks the file, unless it is not whole, and settles which warnings are shown. As check_program.
TirProgram *front_check(Context *context, AstFile *file, const FrontOptions *options,
                        const CheckOptions *check);

// A CheckLoader that reads files; `context` is the Context.
AstFile *front_load(void *context, const char *path, const char **error);
// A CheckIdentifier: the path without links.
const char *front_identify(Arena *arena, const char *path);

#endif

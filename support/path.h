// Paths as text; nothing here asks the file system.
#ifndef TMLC_SUPPORT_PATH_H
#define TMLC_SUPPORT_PATH_H

#include "support/arena.h"
#include "support/intern.h"

// The bytes of `path` up to and with its last slash: the folder it lies in.
size_t path_folder(const char *path);
// The name behind them.
const char *path_base(const char *path);
// Where the name's suffix begins, with its dot, or the end. A name that begins with its only dot
// has none.
const char *path_suffix(const char *path);
// Without `.`, and with `folder/..` folded, so that one file has one path however it is written.
const char *path_normal(Arena *arena, const char *path);
// What `path` means in the file at `from`, in normal form.
const char *path_from(Arena *arena, const char *from, Slice path);

#endif

// The interface of a component (L10.1): terminals, properties, namespace constants.
#ifndef TMLC_SEMA_COMPONENT_INTERFACE_H
#define TMLC_SEMA_COMPONENT_INTERFACE_H

#include "sema/checker.h"

// `t`, `p` or `n`.
bool check_is_space_name(Name name);
// E0305 for the name of a namespace at the file level of a component.
void check_file_level_name(Checker *checker, const Unit *unit, Name name, Span span);
// Whether an expression is a name in a namespace here: `t.u`.
bool check_is_interface(const Checker *checker, const AstExpr *expr);
// What it names; NULL after an error.
TirInterface *check_find_interface(Checker *checker, const AstExpr *expr);
// The optional terminal without which a name, a variable's too, is absent; NULL: there is none.
const TirInterface *check_find_optional(Checker *checker, const AstExpr *expr);
// How messages call it: `t.u`.
const char *check_interface_text(Checker *checker, const TirInterface *item);
TirExpr *check_interface_read(Checker *checker, const AstExpr *expr);
// The output that is written; NULL after an error.
TirVar *check_interface_place(Checker *checker, const AstExpr *expr);
void check_interface_declaration(Checker *checker, const AstStmt *stmt);
// Reports what -D and --with name that the component does not have (E0304).
void check_options_used(Checker *checker);

// Whether an expression names a property of type str, and its length.
bool check_names_text(Checker *checker, const AstExpr *expr, size_t *length);

#endif

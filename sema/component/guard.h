// Guards (L10.5).
#ifndef TMLC_SEMA_COMPONENT_GUARD_H
#define TMLC_SEMA_COMPONENT_GUARD_H

#include "sema/checker.h"

bool check_guard(Checker *checker, const AstStmt *stmt);
// Checks a statement under the guard of one terminal, and emits it if that is present.
void check_guarded(Checker *checker, const TirInterface *terminal, const AstStmt *stmt,
                   void check(Checker *checker, const AstStmt *stmt));
// Whether a guard around, also around calls on the way here, says that the terminal is present.
bool check_is_guarded(Checker *checker, const TirInterface *terminal);
// False, after E0731, where a name that needs the terminal (NULL: none) is used without a guard.
bool check_is_present(Checker *checker, const TirInterface *terminal, const AstExpr *name,
                      bool is_written);
// Whether an instance serves a call under the guards here.
bool check_guards_fit(const Checker *checker, const Instance *instance);
// What the caller depends on because of a call.
void check_note_callee(Checker *checker, const Instance *callee);
void check_note_terminal(Checker *checker, const TirInterface *terminal);
bool check_has_terminal(const TerminalSet *set, const TirInterface *terminal);
void check_add_terminal(Checker *checker, TerminalSet *set, const TirInterface *terminal);
// Whether an instance was made for a guard around its call.
bool check_needs_guard(const Instance *instance);
// Whether only code that never runs can call it.
bool check_is_dead(const Instance *instance);

#endif

// Tests beside the source (L19).
#ifndef TMLC_SEMA_TEST_H
#define TMLC_SEMA_TEST_H

#include "sema/checker.h"

// Takes the tests out of the file level of `file`: what is left is all that other parts see of it.
AstFile *tests_take(Arena *arena, AstFile *file, AstBlock *tests);
// Checks those of the main file, when they are wanted. In a component its functions have been
// checked, and what they do to the outputs.
void tests_check(Checker *checker, Unit *unit);
// Whether the terminal is one of these, is there, and its declaration was understood.
bool tests_have(const TirInterface *item, TirInterfaceKind kind);
// What a test sees of an output: its value after the last cycle.
TirVar *tests_shown(Checker *checker, const TirInterface *output);
// Runs a cycle, or as many as `count` says (NULL: one).
void tests_cycle(Checker *checker, TirExpr *count, Span span);
// Whether the checker stands in a test of a component.
bool tests_has_cycles(const Checker *checker);

#endif

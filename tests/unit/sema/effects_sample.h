// Components with one output, `t.y`, whose functions are written as one character per statement:
//
//   =        assigns all of t.y            0 1 2    assigns this element (of three)
//   v        an element at a variable      i j      an element at the variable of the innermost
//                                                   loop, and of the one around it
//   h        elements 0 and 2              +        an `op=` of all of t.y
//   r        reads all of t.y              a        reads element 0
//   u        reads the input t.u           f g      calls that function
//   ?(A|B)   an `if`                       W(A)     a `while`; T(A) a `while true`
//   F(A)     a `for` of 0:3                D(A)     a `for` of 2:-1:-1
//   E(A)     a `for` of 3:0, never runs    N(A)     a `for` whose bounds are no constants
//   S(A)     a `for` of 0:3:2              B(A)     a `for` of 0:2
//   b c x    break, continue, return
#ifndef TMLC_TESTS_UNIT_SEMA_EFFECTS_SAMPLE_H
#define TMLC_TESTS_UNIT_SEMA_EFFECTS_SAMPLE_H

#include "support/context.h"
#include "tir/build.h"

// NULL: the component has no such function.
typedef struct EffectsCase {
    const char *output;
    const char *expected; // messages in order of place: "E0722@o2 E0723@y partial@f0"
    const char *init;
    const char *update;
    const char *f;
    const char *g; // f may call it
    bool without_feedthrough;
    bool is_direct;
    uint32_t length; // of t.y; 0: three
} EffectsCase;

typedef struct EffectsSample {
    Context *context;
    Tir tir;
    TirProgram program;
    TirInterface *y, *u;
} EffectsSample;

EffectsSample *effects_sample_create(const EffectsCase *test);
void effects_sample_destroy(EffectsSample *sample);
// The messages that effects_check gave; a place is the letter of the function (i, o, u, f, g) and
// the position of the statement's character, or `y` or `u` for a declaration.
const char *effects_sample_messages(const EffectsSample *sample);
// The notes of message `k`, only those with a place: "o0 f2".
const char *effects_sample_notes(const EffectsSample *sample, size_t k);
// Checks the rows in turn: their messages and `is_direct`.
void effects_expect(const EffectsCase *rows, size_t count);

#endif

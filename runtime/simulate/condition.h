// The condition of `--until`: comparisons of sums and products of numbers, elements of signals, and
// the time, joined by `and`, `or`, `not`, with the precedence of TML.
#ifndef TML_RUNTIME_SIMULATE_CONDITION_H
#define TML_RUNTIME_SIMULATE_CONDITION_H

#include "runtime/simulate/columns.h"
#include "runtime/simulate/watch.h"

enum { CONDITION_MESSAGE_BYTES = 256 };

typedef struct ConditionNode ConditionNode;

typedef struct Condition {
    size_t count;
    ConditionNode *nodes; // operands before their operator; from malloc
    double *stack;        // as many
    bool needs_time;
} Condition;

// Reads a condition about the model. False with a message that says what is wrong and where;
// tml_condition_free must follow all the same.
bool tml_condition_read(Condition *condition, const tml_model *model, const char *text,
                        char message[CONDITION_MESSAGE_BYTES]);
// Has what it needs of the state read from the watch's rows. False when there is no memory.
bool tml_condition_watch(const Condition *condition, Watch *watch);
// Whether it holds in a step, whose values are the first of the rows; reals are compared as
// doubles.
bool tml_condition_holds(const Condition *condition, const Rows *rows, uint64_t step);
void tml_condition_free(Condition *condition);

#endif

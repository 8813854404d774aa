// --linearize: the matrices of a component's step at the point that a run has reached.
#ifndef TML_RUNTIME_SIMULATE_LINEARIZE_H
#define TML_RUNTIME_SIMULATE_LINEARIZE_H

#include "runtime/run/options.h"

// Of `state` and `inputs`, which stay as they are, but for what the model's functions leave in its
// scratch and outputs. Stores A, B, C and D of x[k+1] = A x[k] + B u[k], y[k] = C x[k] + D u[k],
// the changes from that point, in the file that the options name. False after saying what is wrong;
// *status is that of the model, a trap.
bool tml_linearize(const Options *options, void *state, const void *inputs, tml_status *status);

#endif

// Components as the compiler would make them, written by hand.
#ifndef TMLC_TESTS_SIMULATION_MODELS_H
#define TMLC_TESTS_SIMULATION_MODELS_H

#include "runtime/abi/model.h"

// The model of that name, or NULL:
// pi       in real e; out real y; tunable real kp = 2.0, ki = 0.5; y = kp * e + x, x = x + ki * e
// single   the same in singles; n.dt = 0.1
// mixed    in bool b, uint n, int i, tensor<real, 3> v, tensor<tensor<real, 2>, 2> m; out each of
//          them changed, after its name with an `o`: not b, n + 1, -i, 2 * v, m + 1
// counter  out int c, the step; traps in step `limit` (tunable uint, 5), or in init when `start`
//          (tunable int, 0) is negative
// large    out tensor<real, 20000> y, the step in every element; traps in step `limit` (100)
// given    in real u, tensor<real, 2> v = [1, 2], int k = -3; out real y = u + v[0] * v[1] + k;
//          tunable p.dt = 0.25
// tunables tunable bool b, uint n, int i, real r, tensor<real, 2, 3> m,
//          tensor<tensor<int, 2>, 2> w; out all of them; fixed real p.kp = 2.5, str p.signs = "+-"
// inner    in real u; out real y = u + the state's own y, which counts up from 10; a state with
//          nested names, int axis[0].u, axis[0].v, axis[1].u, axis[1].v,
//          tensor<tensor<real, 2>, 2> m, bool mode.odd, which turns in output; debug signals real
//          seen = 2 u, int late, set in update; traps in output where u < 0, in update where
//          u > 1000
const tml_model *test_model(const char *name);

#endif

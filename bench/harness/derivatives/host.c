/* Functions, their derivatives as tmlc makes them, and what is written by hand, in turns: prints a
   line of the nanoseconds of each for every round, of the clock of this thread. Before, derivatives
   are compared with those by hand. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 64, IN = 16, HIDDEN = 32, OUT = 4, STEPS = 50, ROUNDS = 25 };

static derived_state state;
static double s2[2] = {0.3, -0.4}, s4[4] = {0.1, 0.3, -0.2, 0.4}, u[STEPS], p[6], b[6];
static double w1[IN * HIDDEN], b1[HIDDEN], w2[HIDDEN * OUT], b2[OUT], x[SAMPLES * IN],
    y[SAMPLES * OUT];
/* What is computed by tmlc, and by hand. */
static double value[64], tml[IN * HIDDEN + HIDDEN + HIDDEN * OUT + OUT],
    hand[IN * HIDDEN + HIDDEN + HIDDEN * OUT + OUT];

static void rates(const double *s, double torque, double *k) {
    k[0] = s[1];
    k[1] = -9.81 * sin(s[0]) - 0.1 * s[1] + torque;
}

static void moved(const double *s, double h, const double *k, double *to) {
    to[0] = s[0] + h * k[0];
    to[1] = s[1] + h * k[1];
}

/* A step of the pendulum, and where its four rates are taken. */
static void step(const double *s, double torque, double at[4][2], double *to) {
    double k[4][2];
    memcpy(at[0], s, sizeof(at[0]));
    rates(at[0], torque, k[0]);
    moved(s, 0.005, k[0], at[1]);
    rates(at[1], torque, k[1]);
    moved(s, 0.005, k[1], at[2]);
    rates(at[2], torque, k[2]);
    moved(s, 0.01, k[2], at[3]);
    rates(at[3], torque, k[3]);
    for (int i = 0; i < 2; i++) {
        to[i] = s[i] + 0.01 / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

__attribute__((noinline)) static void pendulum_jacobian_by_hand(const double *s, double torque,
                                                                double *j) {
    static const double weights[4] = {1, 2, 2, 1}, h[4] = {0, 0.005, 0.005, 0.01};
    double at[2] = {s[0], s[1]}, k[2], sum[4] = {0}, d[4] = {1, 0, 0, 1};
    for (int q = 0; q < 4; q++) {
        double c = -9.81 * cos(at[0]);
        double e[4] = {d[2], d[3], c * d[0] - 0.1 * d[2], c * d[1] - 0.1 * d[3]};
        for (int i = 0; i < 4; i++) {
            sum[i] += weights[q] * e[i];
        }
        if (q < 3) {
            rates(at, torque, k);
            moved(s, h[q + 1], k, at);
            for (int i = 0; i < 4; i++) {
                d[i] = (i == 0 || i == 3) + h[q + 1] * e[i];
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        j[i] = (i == 0 || i == 3) + 0.01 / 6 * sum[i];
    }
}

/* Takes the adjoint of rates, which are taken at s, to that of s. */
static void rates_back(const double *s, const double *k, double *to) {
    to[0] = -9.81 * cos(s[0]) * k[1];
    to[1] = k[0] - 0.1 * k[1];
}

__attribute__((noinline)) static void cost_gradient_by_hand(const double *torque, const double *s0,
                                                            double *gradient) {
    static const double weights[4] = {0.01 / 6, 0.02 / 6, 0.02 / 6, 0.01 / 6},
                        h[4] = {0.005, 0.005, 0.01, 0};
    double log[STEPS][2], at[4][2], s[2] = {s0[0], s0[1]}, a[2] = {0};
    for (int k = 0; k < STEPS; k++) {
        memcpy(log[k], s, sizeof(s));
        step(log[k], torque[k], at, s);
    }
    for (int k = STEPS - 1; k >= 0; k--) {
        double to[2], sum[2], r[2] = {0};
        step(log[k], torque[k], at, to);
        a[0] += 2 * to[0];
        a[1] += 0.2 * to[1];
        memcpy(sum, a, sizeof(sum));
        double g = 0.02 * torque[k];
        for (int q = 3; q >= 0; q--) {
            double rate[2] = {weights[q] * a[0] + h[q] * r[0], weights[q] * a[1] + h[q] * r[1]};
            g += rate[1];
            rates_back(at[q], rate, r);
            sum[0] += r[0];
            sum[1] += r[1];
        }
        memcpy(a, sum, sizeof(a));
        gradient[k] = g;
    }
}

static double *part(double *of, int which) {
    static const int begins[] = {0, IN * HIDDEN, IN * HIDDEN + HIDDEN,
                                 IN * HIDDEN + HIDDEN + HIDDEN * OUT};
    return of + begins[which];
}

static void run_pendulum(void) {
    derived_fn_pendulum(s2, 0.5, value);
}
static void run_pendulum_jacobian(void) {
    derived_fn_pendulum_jacobian(s2, 0.5, tml);
}
static void run_pendulum_by_hand(void) {
    pendulum_jacobian_by_hand(s2, 0.5, hand);
}
static void run_cart(void) {
    derived_fn_cart(s4, 0.5, value);
}
static void run_cart_jacobian(void) {
    derived_fn_cart_jacobian(s4, 0.5, tml);
}
static void run_cost(void) {
    derived_fn_cost(u, s2, value);
}
static void run_cost_gradient(void) {
    derived_fn_cost_gradient(u, s2, tml);
}
static void run_cost_by_hand(void) {
    cost_gradient_by_hand(u, s2, hand);
}
static void run_loss(void) {
    derived_fn_loss(&state, w1, b1, w2, b2, x, y, value);
}
static void run_loss_gradient(void) {
    derived_fn_loss_gradient(&state, w1, b1, w2, b2, x, y, part(tml, 0), part(tml, 1), part(tml, 2),
                             part(tml, 3));
}
static void run_loss_by_hand(void) {
    derived_fn_loss_by_hand(&state, w1, b1, w2, b2, x, y, part(hand, 0), part(hand, 1),
                            part(hand, 2), part(hand, 3));
}
static void run_solution(void) {
    derived_fn_solution(p, b, value);
}
static void run_solution_jacobian(void) {
    derived_fn_solution_jacobian(p, b, tml);
}

static const struct {
    const char *name;
    void (*run)(void);
    int count; /* of results, where the row before is the same in another way */
} rows[] = {
    {"pendulum", run_pendulum, 0},
    {"pendulum_jacobian", run_pendulum_jacobian, 0},
    {"pendulum_by_hand", run_pendulum_by_hand, 4},
    {"cart", run_cart, 0},
    {"cart_jacobian", run_cart_jacobian, 0},
    {"cost", run_cost, 0},
    {"cost_gradient", run_cost_gradient, 0},
    {"cost_by_hand", run_cost_by_hand, STEPS},
    {"loss", run_loss, 0},
    {"loss_gradient", run_loss_gradient, 0},
    {"loss_by_hand", run_loss_by_hand, IN *HIDDEN + HIDDEN + HIDDEN *OUT + OUT},
    {"solution", run_solution, 0},
    {"solution_jacobian", run_solution_jacobian, 0},
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double time_of(void (*run)(void), long count) {
    double start = now();
    for (long i = 0; i < count; i++) {
        run();
    }
    return (now() - start) / (double)count;
}

static void fill(double *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = rand() / (double)RAND_MAX - 0.5;
    }
}

static int compare(void) {
    for (size_t k = 0; k < ROWS; k++) {
        rows[k].run();
        for (int i = 0; i < rows[k].count; i++) {
            if (!(fabs(tml[i] - hand[i]) <= 1e-12 * (1 + fabs(hand[i])))) {
                fprintf(stderr, "%s: element %d is %.17g, not %.17g\n", rows[k - 1].name, i, tml[i],
                        hand[i]);
                return 1;
            }
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    if (derived_init(&state) != TML_OK) {
        return 1;
    }
    fill(u, STEPS);
    fill(p, 6);
    fill(b, 6);
    fill(w1, IN * HIDDEN);
    fill(b1, HIDDEN);
    fill(w2, HIDDEN * OUT);
    fill(b2, OUT);
    fill(x, SAMPLES * IN);
    fill(y, SAMPLES * OUT);
    int status = compare();
    if (status != 0 || argc > 1) { /* they are compared only */
        return status;
    }
    long counts[ROWS];
    for (size_t k = 0; k < ROWS; k++) {
        printf("%s ", rows[k].name);
        counts[k] = (long)(1e6 / (time_of(rows[k].run, 20) + 1)) + 1; /* about a millisecond */
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < ROWS; k++) {
            printf("%c%.2f", k == 0 ? '\n' : ' ', time_of(rows[k].run, counts[k]));
        }
    }
    printf("\n");
    return 0;
}

/* Runs the object of tmlc and the one of the C file beside each other: 200 steps of random inputs,
   by step, by output and update, and by step_n; prints the largest relative difference of outputs
   and states.

   cc -DHEADER='"pid.h"' -DPREFIX=pid compare.c pid-tmlc.o pid-c.o -lm; ./a.out LOW HIGH */
#include HEADER

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define MODEL PASTE(PREFIX, _model)

typedef tml_status half(void *, const void *, const void *, void *);

/* The C file's functions have the plain names. */
tml_status c_init(void *, const void *) __asm__(TEXT(PREFIX) "_init");
half c_output __asm__(TEXT(PREFIX) "_output");
half c_update __asm__(TEXT(PREFIX) "_update");
half c_step __asm__(TEXT(PREFIX) "_step");
tml_status c_step_n(void *, const void *, size_t, const void *,
                    void *) __asm__(TEXT(PREFIX) "_step_n");

enum { STEPS = 200 };

static double worst;
static long wrong;

static size_t elements(const tml_type *t) {
    size_t n = 1;
    for (unsigned i = 0; i < t->flat_rank; i++) {
        n *= t->dims[i];
    }
    return n;
}

static void compare(const tml_variable *v, const char *a, const char *b) {
    for (size_t i = 0; i < elements(v->type); i++) {
        if (v->type->root == TML_REAL) {
            double x, y;
            memcpy(&x, a + v->offset + 8 * i, 8);
            memcpy(&y, b + v->offset + 8 * i, 8);
            double d = fabs(x - y) / fmax(1.0, fmax(fabs(x), fabs(y)));
            if (x == y || (isnan(x) && isnan(y))) {
                d = 0.0;
            }
            if (!(d <= worst)) {
                worst = d;
            }
        } else {
            size_t size = v->type->root == TML_BOOL ? 1 : 4;
            wrong += memcmp(a + v->offset + size * i, b + v->offset + size * i, size) != 0;
        }
    }
}

static void compare_all(const char *s, const char *t, const char *y, const char *z) {
    for (uint32_t i = 0; i < MODEL.variable_count; i++) {
        const tml_variable *v = &MODEL.variables[i];
        if (v->role == TML_OUTPUT) {
            compare(v, y, z);
        } else if (v->role == TML_VARIABLE) {
            compare(v, s, t);
        }
    }
}

int main(int argc, char **argv) {
    double low = argc > 1 ? atof(argv[1]) : -1.0;
    double high = argc > 2 ? atof(argv[2]) : 1.0;
    const tml_model *m = &MODEL;
    char *u = calloc(STEPS, m->inputs_bytes);
    char *y = calloc(STEPS, m->outputs_bytes);
    char *z = calloc(STEPS, m->outputs_bytes);
    char *s = malloc(m->state_bytes);
    char *t = malloc(m->state_bytes);
    const char *p = m->defaults;
    srand(1);
    for (int k = 0; k < STEPS; k++) {
        for (uint32_t i = 0; i < m->variable_count; i++) {
            const tml_variable *v = &m->variables[i];
            for (size_t e = 0; v->role == TML_INPUT && e < elements(v->type); e++) {
                char *at = u + (size_t)k * m->inputs_bytes + v->offset;
                double r = (double)rand() / RAND_MAX;
                if (v->type->root == TML_REAL) {
                    r = low + (high - low) * r;
                    memcpy(at + 8 * e, &r, 8);
                } else {
                    at[e] = r < 0.5;
                }
            }
        }
    }
    for (int way = 0; way < 3; way++) {
        memset(s, 0x55, m->state_bytes);
        memset(t, 0xaa, m->state_bytes);
        wrong += m->init(s, p) != 0;
        wrong += c_init(t, p) != 0;
        compare_all(s, t, y, z);
        for (int k = 0; k < STEPS; k++) {
            const char *uk = u + (size_t)k * m->inputs_bytes;
            char *yk = y + (size_t)k * m->outputs_bytes;
            char *zk = z + (size_t)k * m->outputs_bytes;
            if (way == 0) {
                wrong += m->step(s, p, uk, yk) != 0;
                wrong += c_step(t, p, uk, zk) != 0;
            } else if (way == 1) {
                wrong += m->output(s, p, uk, yk) != 0;
                wrong += c_output(t, p, uk, zk) != 0;
                compare_all(s, t, yk, zk);
                wrong += m->update(s, p, uk, yk) != 0;
                wrong += c_update(t, p, uk, zk) != 0;
            } else if (k % 50 == 0) {
                wrong += m->step_n(s, p, 50, uk, yk) != 0;
                wrong += c_step_n(t, p, 50, uk, zk) != 0;
            }
            if (way < 2 || k % 50 == 0) {
                compare_all(s, t, yk, zk);
            }
        }
        for (int k = 0; k < STEPS; k++) {
            compare_all(s, t, y + (size_t)k * m->outputs_bytes, z + (size_t)k * m->outputs_bytes);
        }
    }
    wrong += c_init(NULL, p) != TML_E_ARG || c_step_n(t, p, 0, u, NULL) != TML_E_ARG;
    wrong += c_step_n(t, p, 0, u, y) != TML_OK;
    printf("%-12s largest relative difference %.3g, %ld other differences\n", TEXT(PREFIX), worst,
           wrong);
    return worst <= 1e-12 && wrong == 0 ? 0 : 1;
}

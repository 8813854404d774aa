// Uses of tml_parallel that race when it is wrong, for ThreadSanitizer: many short loops one after
// the other, more threads than before, loops inside of loops, and several callers at once. Each
// turn must have run once when its loop is done.
#include "runtime/abi/abi.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 1000, LOOPS = 300, CALLERS = 4 };

typedef struct Counts {
    int turns[TURNS];
} Counts;

static void add(void *context, int64_t first, int64_t end) {
    Counts *counts = context;
    for (int64_t i = first; i < end; i++) {
        counts->turns[i]++;
    }
}

static void add_nested(void *context, int64_t first, int64_t end) {
    Counts inner = {0};
    tml_parallel(add, &inner, 10, 1, 3);
    for (int i = 0; i < 10; i++) {
        if (inner.turns[i] != 1) {
            abort();
        }
    }
    add(context, first, end);
}

static void check(const Counts *counts, int64_t count, int64_t times) {
    for (int64_t i = 0; i < TURNS; i++) {
        if (counts->turns[i] != (i < count ? times : 0)) {
            fprintf(stderr, "turn %d of %d ran %d times\n", (int)i, (int)count, counts->turns[i]);
            exit(1);
        }
    }
}

static void *call(void *none) {
    (void)none;
    for (int loop = 0; loop < LOOPS; loop++) {
        Counts counts = {0};
        int64_t count = 1 + loop * 7 % TURNS;
        int32_t threads = 1 + loop % 9;
        tml_part *part = loop % 10 == 3 ? add_nested : add;
        tml_parallel(part, &counts, count, 1 + loop % 5, threads);
        check(&counts, count, 1);
        tml_parallel(add, &counts, count, TURNS, threads);
        check(&counts, count, 2);
    }
    return NULL;
}

int main(void) {
    call(NULL);
    pthread_t callers[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        if (pthread_create(&callers[i], NULL, call, NULL) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i], NULL);
    }
    return 0;
}

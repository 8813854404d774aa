// What vectors of turns read: nothing before an array and nothing behind it, where pages are that
// nobody may read.
#include "embedded.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

enum { LENGTH = 64, LAGS = 9, PAGE = 65536 };

// Bounds that depend on the lag: at the end, at the beginning, at both.
static const char source[] = "fn above(tensor<real, 64> x) tensor<real, 9>:\n"
                             "    tensor<real, 9> r = 0.0\n"
                             "    for lag = 0:9:\n"
                             "        for i = 0:64 - lag:\n"
                             "            r[lag] += x[i] * x[i + lag]\n"
                             "        end\n"
                             "    end\n"
                             "    return r\n"
                             "end\n"
                             "fn below(tensor<real, 64> x) tensor<real, 9>:\n"
                             "    tensor<real, 9> r = 0.0\n"
                             "    for lag = 0:9:\n"
                             "        s = 0.0\n"
                             "        for i = lag:64:\n"
                             "            d = x[i - lag] + 2.0\n"
                             "            s += d * x[i]\n"
                             "        end\n"
                             "        r[lag] = s\n"
                             "    end\n"
                             "    return r\n"
                             "end\n"
                             "fn both(tensor<real, 64> x) tensor<real, 9>:\n"
                             "    tensor<real, 9> r = 0.0\n"
                             "    for lag = 0:9:\n"
                             "        s = 0.0\n"
                             "        for i = lag:64 - lag:\n"
                             "            s += x[i + lag] * x[i - lag]\n"
                             "        end\n"
                             "        r[lag] = s\n"
                             "    end\n"
                             "    return r\n"
                             "end\n";

typedef tml_status Run(const double *x, double *result);

static double above(const double *x, int lag) {
    double sum = 0;
    for (int i = 0; i < LENGTH - lag; i++) {
        sum += x[i] * x[i + lag];
    }
    return sum;
}

static double below(const double *x, int lag) {
    double sum = 0;
    for (int i = lag; i < LENGTH; i++) {
        sum += (x[i - lag] + 2) * x[i];
    }
    return sum;
}

static double both(const double *x, int lag) {
    double sum = 0;
    for (int i = lag; i < LENGTH - lag; i++) {
        sum += x[i + lag] * x[i - lag];
    }
    return sum;
}

// `x` is a page, with none before it and none behind it.
static void check(Run *run, double (*expected)(const double *, int), double *page, unsigned level) {
    double *const places[] = {page, page + PAGE / sizeof(double) - LENGTH};
    for (size_t k = 0; k < 2; k++) {
        double *x = places[k], result[LAGS];
        for (int i = 0; i < LENGTH; i++) { // whole numbers: exact, with multiply-adds or without
            x[i] = i * 7 % 11 - 4;
        }
        cr_assert_eq(run(x, result), TML_OK);
        for (int lag = 0; lag < LAGS; lag++) {
            cr_assert_eq(result[lag], expected(x, lag), "lag %d at -O%u", lag, level);
        }
    }
}

Test(lane_reads, are_inside_of_arrays) {
    double *pages = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq((void *)pages, MAP_FAILED);
    double *page = pages + PAGE / sizeof(double);
    cr_assert_eq(mprotect(page, PAGE, PROT_READ | PROT_WRITE), 0);
    for (unsigned level = 0; level <= 3; level++) {
        CodegenOptions options = {.opt_level = level, .checks = true, .exports = true};
        Embedded *embedded = embedded_compile("lib.tml", source, &options);
        check((Run *)embedded_symbol(embedded, "lib_fn_above"), above, page, level);
        check((Run *)embedded_symbol(embedded, "lib_fn_below"), below, page, level);
        check((Run *)embedded_symbol(embedded, "lib_fn_both"), both, page, level);
        embedded_destroy(embedded);
    }
    munmap(pages, 3 * PAGE);
}

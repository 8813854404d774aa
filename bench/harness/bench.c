/* Times the variants of one kernel: NAME [--rounds N] [--ms T] [--offset BYTES] [--dump FOLDER].

   Every variant is called once and compared with the first before anything is timed, and again
   afterwards. A round times each of them for about T milliseconds of this thread's own time. Arrays
   begin at the given offset to a cache line. With --dump the inputs and the result of the first
   variant are written to files instead. */
#include "bench/harness/bench.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MAX_ARGUMENTS = 16, MAX_VARIANTS = 32, MAX_ROUNDS = 1000, HUGE_PAGE = 2 << 20 };

static void *arguments[MAX_ARGUMENTS];

void bench_check(int status, const char *what) {
    if (status != 0) {
        fprintf(stderr, "%s: status %d\n", what, status);
        exit(1);
    }
}

void *bench_memory(size_t bytes) {
    size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : 64;
    size_t size = (bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, size);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    if (alignment == HUGE_PAGE) {
        madvise(memory, size, MADV_HUGEPAGE);
    }
    memset(memory, 0, size);
    return memory;
}

static size_t root_bytes(Root root) {
    return root == ROOT_REAL ? sizeof(REAL) : root == ROOT_BOOL ? 1 : sizeof(int32_t);
}

/* SplitMix64: the same numbers on every machine. */
static uint64_t next_bits(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double next_uniform(uint64_t *seed) {
    return (double)(next_bits(seed) >> 11) * 0x1p-53;
}

static double drawn(const Buffer *buffer, size_t i, uint64_t *seed) {
    switch (buffer->fill) {
    case FILL_HOLES:
        return next_bits(seed) % 256 == 0
                   ? NAN
                   : buffer->a + (buffer->b - buffer->a) * next_uniform(seed);
    case FILL_LINEAR:
        return buffer->a + (buffer->b - buffer->a) * (double)i / (double)buffer->count;
    case FILL_INTEGERS: return floor(buffer->a + (buffer->b - buffer->a) * next_uniform(seed));
    case FILL_BITS: return (double)(next_bits(seed) >> 32);
    case FILL_CHANCE: return next_uniform(seed) < buffer->a;
    case FILL_VALUE: return buffer->a;
    default: return buffer->a + (buffer->b - buffer->a) * next_uniform(seed);
    }
}

static void make_dominant(REAL *matrix, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        matrix[i * rows + i] += (REAL)rows;
    }
}

static void make_positive(REAL *matrix, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < i; j++) {
            matrix[i * rows + j] = matrix[j * rows + i];
        }
    }
    make_dominant(matrix, rows);
}

static void fill(const Buffer *buffer, void *memory, uint64_t seed) {
    for (size_t i = 0; i < buffer->count; i++) {
        double value = drawn(buffer, i, &seed);
        switch (buffer->root) {
        case ROOT_REAL: ((REAL *)memory)[i] = (REAL)value; break;
        case ROOT_INT: ((int32_t *)memory)[i] = (int32_t)(int64_t)value; break;
        case ROOT_UINT: ((uint32_t *)memory)[i] = (uint32_t)value; break;
        case ROOT_BOOL: ((uint8_t *)memory)[i] = value != 0; break;
        }
    }
    size_t area = buffer->rows * buffer->rows;
    for (size_t i = 0; area != 0 && i + area <= buffer->count; i += area) {
        (buffer->fill == FILL_DOMINANT ? make_dominant : make_positive)((REAL *)memory + i,
                                                                        buffer->rows);
    }
}

static double element(const Buffer *buffer, const void *memory, size_t i) {
    switch (buffer->root) {
    case ROOT_REAL: return ((const REAL *)memory)[i];
    case ROOT_INT: return ((const int32_t *)memory)[i];
    case ROOT_UINT: return ((const uint32_t *)memory)[i];
    case ROOT_BOOL: return ((const uint8_t *)memory)[i];
    }
    abort();
}

typedef struct Difference {
    double greatest; /* relative to the element, or to the root mean square where that is more */
    size_t strays, first_stray;
    double checksum;
} Difference;

static double root_mean_square(const Buffer *buffer, const void *memory) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < buffer->count; i++) {
        double value = element(buffer, memory, i);
        if (isfinite(value)) {
            sum += value * value;
            count++;
        }
    }
    return sqrt(sum / (double)(count + (count == 0)));
}

static Difference compare(const Buffer *buffer, const void *expected, const void *found,
                          double tolerance) {
    Difference difference = {0};
    double scale = root_mean_square(buffer, expected);
    for (size_t i = 0; i < buffer->count; i++) {
        double a = element(buffer, expected, i), b = element(buffer, found, i);
        difference.checksum += isfinite(b) ? b : 1;
        if (a == b || (isnan(a) && isnan(b))) {
            continue;
        }
        double error = fabs(a - b) / fmax(fabs(a), scale);
        if (!(error <= tolerance)) {
            difference.first_stray = difference.strays++ == 0 ? i : difference.first_stray;
        }
        difference.greatest =
            error > difference.greatest || isnan(error) ? error : difference.greatest;
    }
    return difference;
}

static const Buffer *result_of(const Kernel *kernel) {
    return &kernel->buffers[kernel->buffer_count - 1];
}

/* Calls a variant once on a spoiled result and compares that with the first variant's. */
static bool agrees(const Kernel *kernel, const Variant *variant, const void *expected,
                   Difference *difference) {
    const Buffer *result = result_of(kernel);
    void *found = arguments[kernel->buffer_count - 1];
    memset(found, 0xfe, result->count * root_bytes(result->root));
    variant->call(arguments);
    bool free = variant->freedom == FREEDOM_ROUNDING;
    *difference = compare(result, expected, found, free ? kernel->tolerance : kernel->strict);
    double allowed = free ? kernel->strays * (double)result->count : 0;
    if ((double)difference->strays <= allowed) {
        return true;
    }
    size_t at = difference->first_stray;
    fprintf(stderr,
            "WRONG RESULT of %s: %zu of %zu elements, the first is [%zu]: %.17g, expected %.17g\n",
            variant->name, difference->strays, result->count, at, element(result, found, at),
            element(result, expected, at));
    return false;
}

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of(const Variant *variant, size_t calls) {
    double start = thread_seconds();
    for (size_t i = 0; i < calls; i++) {
        variant->call(arguments);
    }
    return thread_seconds() - start;
}

/* How many calls take about so long; what is called is warm afterwards. */
static size_t calls_for(const Variant *variant, double seconds) {
    size_t calls = 1;
    for (;;) {
        double taken = seconds_of(variant, calls);
        if (taken >= seconds) {
            return calls;
        }
        double factor = taken > seconds / 50 ? seconds / taken * 1.02 : 10;
        calls = (size_t)((double)calls * factor) + 1;
        if (taken > seconds / 4) {
            return calls;
        }
    }
}

static void dump(const Kernel *kernel, const char *folder) {
    for (size_t i = 0; i < kernel->buffer_count; i++) {
        const Buffer *buffer = &kernel->buffers[i];
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, buffer->name);
        FILE *file = fopen(path, "wb");
        size_t written =
            file == NULL ? 0 : fwrite(arguments[i], root_bytes(buffer->root), buffer->count, file);
        if (written != buffer->count || fclose(file) != 0) {
            perror(path);
            exit(1);
        }
    }
}

static void print_measured(const Kernel *kernel, const Difference *differences,
                           double nanoseconds[][MAX_ROUNDS], size_t rounds) {
    printf("{");
    for (size_t v = 0; v < kernel->variant_count; v++) {
        double error = differences[v].greatest;
        printf("%s\n  \"%s\": {\"checksum\": %.17g, \"error\": %.3g, \"ns\": [", v == 0 ? "" : ",",
               kernel->variants[v].name, differences[v].checksum, isfinite(error) ? error : 1e300);
        for (size_t r = 0; r < rounds; r++) {
            printf("%s%.4g", r == 0 ? "" : ", ", nanoseconds[v][r]);
        }
        printf("]}");
    }
    printf("\n}\n");
}

int bench_main(const Kernel *kernel, int argc, char **argv) {
    static double nanoseconds[MAX_VARIANTS][MAX_ROUNDS];
    size_t rounds = 9, calls[MAX_VARIANTS];
    double seconds = 0.01;
    size_t offset = 0;
    const char *folder = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--rounds") == 0) {
            rounds = (size_t)atoi(argv[i + 1]);
        } else if (strcmp(argv[i], "--ms") == 0) {
            seconds = 1e-3 * atof(argv[i + 1]);
        } else if (strcmp(argv[i], "--offset") == 0) {
            offset = (size_t)atoi(argv[i + 1]);
        } else {
            folder = argv[i + 1];
        }
    }
    if (rounds > MAX_ROUNDS || kernel->variant_count > MAX_VARIANTS ||
        kernel->buffer_count > MAX_ARGUMENTS) {
        fprintf(stderr, "too many rounds, variants or arguments\n");
        return 1;
    }
    for (size_t i = 0; i < kernel->buffer_count; i++) {
        const Buffer *buffer = &kernel->buffers[i];
        size_t size = buffer->count * root_bytes(buffer->root);
        arguments[i] = (char *)bench_memory(size + offset) + offset;
        if (i + 1 < kernel->buffer_count) {
            fill(buffer, arguments[i], i + 1);
        }
    }
    kernel->variants[0].call(arguments);
    if (folder != NULL) {
        dump(kernel, folder);
        return 0;
    }
    const Buffer *result = result_of(kernel);
    size_t bytes = result->count * root_bytes(result->root);
    void *expected = bench_memory(bytes);
    memcpy(expected, arguments[kernel->buffer_count - 1], bytes);

    Difference differences[MAX_VARIANTS];
    bool good = true;
    for (size_t v = 0; v < kernel->variant_count; v++) {
        good &= agrees(kernel, &kernel->variants[v], expected, &differences[v]);
    }
    for (size_t v = 0; rounds > 0 && v < kernel->variant_count; v++) {
        calls[v] = calls_for(&kernel->variants[v], seconds);
    }
    for (size_t r = 0; r < rounds; r++) {
        for (size_t k = 0; k < kernel->variant_count; k++) {
            size_t v = (k + r) % kernel->variant_count;
            nanoseconds[v][r] = 1e9 * seconds_of(&kernel->variants[v], calls[v]) / (double)calls[v];
        }
    }
    for (size_t v = 0; rounds > 0 && v < kernel->variant_count; v++) {
        good &= agrees(kernel, &kernel->variants[v], expected, &differences[v]);
    }
    print_measured(kernel, differences, nanoseconds, rounds);
    return good ? 0 : 1;
}

// Scalars: ordinary ones, and those at which arithmetic, conversions and rounding change.
#include "tests/random/generator.h"

typedef struct Values {
    const char *const *texts;
    unsigned count;
} Values;

#define VALUES(...)                      \
    {(const char *const[]){__VA_ARGS__}, \
     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)}

static const Values ordinary[] = {
    [FUZZ_BOOL] = VALUES("true", "false"),
    [FUZZ_UINT] = VALUES("0u", "1u", "2u", "3u", "4u", "7u", "31u", "33u", "0xFFu", "0b1011u",
                         "100u", "1_000u"),
    [FUZZ_INT] = VALUES("0", "1", "2", "3", "4", "5", "7", "-1", "-2", "-5", "0x2A", "0b101", "10",
                        "-7", "1_00"),
    [FUZZ_REAL] = VALUES("0.0", "1.0", "2.0", "-1.0", "0.5", "-2.5", "3.25", "0.1", "1e10", "7.0",
                         "1.05e-1", "100.0", "M_PI", "M_E", "-3.0", "0.75", "4.5e15", "-1e-3"),
};

enum { BEYOND_SINGLE = 3 }; // so many reals at the end are infinite in single precision

// Without suffixes, as standard input has them too.
static const Values edges[] = {
    [FUZZ_BOOL] = VALUES("true", "false"),
    [FUZZ_UINT] = VALUES("0", "1", "31", "32", "65535", "65536", "2147483647", "2147483648",
                         "4294967294", "4294967295"),
    [FUZZ_INT] = VALUES("0", "1", "-1", "32767", "-32768", "46341", "65535", "65536", "-65536",
                        "2147483647", "-2147483647", "-2147483648"),
    [FUZZ_REAL] =
        VALUES("nan", "inf", "-inf", "0.0", "-0.0", "2.5e-308", "-2.5e-308", "5e-324", "1e-45",
               "3.4e38", "0.49999999999999994", "1.5", "2147483647.5", "-2147483648.0",
               "4294967296.0", "9007199254740993.0", "-1e19", "1e300", "1e308", "-1e308"),
};

void fuzz_scalar_literal(Fuzz *fuzz, FuzzRoot root, FuzzPrecedence least) {
    bool is_edge = fuzz_percent(fuzz, 25);
    const Values *values = &(is_edge ? edges : ordinary)[root];
    const char *text = values->texts[fuzz_below(fuzz, values->count)];
    bool is_open = fuzz_open(fuzz, text[0] == '-' ? PREC_UNARY : PREC_ATOM, least);
    fuzz_text(fuzz, text);
    fuzz_text(fuzz, is_edge && root == FUZZ_UINT ? "u" : "");
    fuzz_close(fuzz, is_open);
}

const char *fuzz_input_value(Fuzz *fuzz, FuzzRoot root) {
    static const char *const small[] = {"0", "1", "2", "3", "5", "7"};
    if (root != FUZZ_BOOL && fuzz_percent(fuzz, 50)) {
        return small[fuzz_below(fuzz, 6)];
    }
    // What `real` cannot hold is refused there.
    unsigned beyond = root == FUZZ_REAL && fuzz->is_single ? BEYOND_SINGLE : 0;
    return edges[root].texts[fuzz_below(fuzz, edges[root].count - beyond)];
}

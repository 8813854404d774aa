// Words that other languages have, and what TML writes in their place.
#include "parser/mistakes/foreign.h"

#include <string.h>

#define TYPE FOREIGN_TYPE
#define NAME FOREIGN_NAME
#define WORD FOREIGN_WORD
#define HEADER FOREIGN_HEADER
#define SENTENCE FOREIGN_SENTENCE

static const struct Row {
    const char *words; // with a blank between two
    ForeignWord meant;
} rows[] = {
    {"float double float64", {TYPE | NAME, "real"}},
    {"f32 f64 float32 single number", {TYPE, "real"}},
    {"integer long short i32 int32_t", {TYPE, "int"}},
    {"int32", {TYPE | NAME, "int"}},
    {"unsigned u32 uint32_t", {TYPE, "uint"}},
    {"uint32", {TYPE | NAME, "uint"}},
    {"boolean logical", {TYPE | NAME, "bool"}},
    {"string String", {TYPE, "str"}},
    {"character", {TYPE, "char"}},
    {"True", {NAME, "true"}},
    {"False", {NAME, "false"}},
    {"pi PI", {NAME, "M_PI"}},
    {"NaN NAN", {NAME, "nan"}},
    {"Inf Infinity INFINITY", {NAME, "inf"}},
    {"ln", {NAME, "log"}},
    {"fabs", {NAME, "abs"}},
    {"arcsin", {NAME, "asin"}},
    {"arccos", {NAME, "acos"}},
    {"arctan", {NAME, "atan"}},
    {"arctan2", {NAME, "atan2"}},
    {"fix", {NAME, "trunc"}},
    {"ceiling", {NAME, "ceil"}},
    {"average", {NAME, "mean"}},
    {"maximum", {NAME, "max"}},
    {"minimum", {NAME, "min"}},
    {"where ifelse", {NAME, "select"}},
    {"squeeze", {NAME, "narrow"}},
    {"arange", {NAME, "iota"}},
    {"clip", {NAME, "clamp"}},
    {"printf println disp", {NAME, "print"}},
    {"elif elsif elseIf case", {WORD, "elseif"}},
    {"otherwise", {WORD, "else"}},
    {"endif endfor endwhile endfunction done fi", {WORD, "end"}},
    {"include use using require", {WORD, "import"}},
    {"function func fun def void sub", {HEADER, "fn"}},
    {"foreach", {HEADER, "for"}},
    {"loop repeat do until", {HEADER, "while"}},
    {"switch match", {HEADER, "if"}},
    {"let var const auto mut val", {FOREIGN_DECLARES, NULL}},
    {"zeros",
     {SENTENCE, "a tensor of zeros is declared by its type: `tensor<real, 2, 3> x = 0.0`"}},
    {"ones", {SENTENCE, "a tensor of ones is declared by its type: `tensor<real, 2, 3> x = 1.0`"}},
    {"full",
     {SENTENCE, "a tensor of equal elements is declared by its type: `tensor<real, 3> x = 2.5`"}},
    {"len length", {SENTENCE, "the length of `x` is `x.len`"}},
    {"size shape", {SENTENCE, "the lengths of `x` are `x.size`"}},
    {"numel", {SENTENCE, "the number of elements of `x` is `x.numel`"}},
    {"transpose", {SENTENCE, "the transpose of `x` is `x'`"}},
    {"matmul", {SENTENCE, "the matrix product is `a .* b`"}},
    {"dot", {SENTENCE, "the dot product is `a .* b`"}},
    {"pow power", {SENTENCE, "powers are `x ** y`"}},
    {"mod rem fmod", {SENTENCE, "the remainder is `x % y`"}},
    {"xor", {SENTENCE, "exclusive or is `x ^ y`, of bools `x != y`"}},
    {"hstack vstack concatenate cat horzcat vertcat",
     {SENTENCE, "`concat(k, a, b)` joins along dimension k"}},
    {"range",
     {SENTENCE, "a loop is written `for i = first:end:`; `iota(n)` is 0 to n - 1 as a tensor"}},
};

static bool lists(const char *words, Slice word) {
    for (; *words != '\0'; words += strspn(words, " ")) {
        size_t len = strcspn(words, " ");
        if (len == word.len && memcmp(words, word.data, len) == 0) {
            return true;
        }
        words += len;
    }
    return false;
}

const ForeignWord *foreign_find(Slice word, unsigned roles) {
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if ((rows[i].meant.roles & roles) != 0 && lists(rows[i].words, word)) {
            return &rows[i].meant;
        }
    }
    return NULL;
}

// Numbers where a constant is wanted (L10.9): literals, and now and then calls of a function that
// comes by the number in more ways than one.
#include "tests/random/generator.h"

#include <stdlib.h>
#include <string.h>

static const char whole[] = "fn whole(int k) int:\n"
                            "    tensor<int, 4> parts = [k / 4, k % 4, 0, 0]\n"
                            "    count = 0\n"
                            "    while count < parts[0]:\n"
                            "        parts[2] += 4\n"
                            "        count += 1\n"
                            "    end\n"
                            "    for i = parts[1]:-1:-1:\n"
                            "        if i == 0:\n"
                            "            break\n"
                            "        end\n"
                            "        parts[3:] = int(sum([parts[3], 1] + [0.5, -0.5]))\n"
                            "    end\n"
                            "    return parts[2:] .* [1, 1]\n"
                            "end\n";

void fuzz_constant(Fuzz *fuzz, int value) {
    if (fuzz_percent(fuzz, 4)) {
        buffer_format(fuzz->out, "%swhole(%d)", value < 0 ? "-" : "", abs(value));
    } else {
        buffer_format(fuzz->out, "%d", value);
    }
}

void fuzz_constant_dim(Fuzz *fuzz, unsigned dim) {
    if (fuzz_is_size(dim)) {
        fuzz_dim_text(dim, fuzz->out);
    } else {
        fuzz_constant(fuzz, (int)dim);
    }
}

void fuzz_write_type(Fuzz *fuzz, const FuzzType *type) {
    Buffer text = {0};
    fuzz_type_text(type, &text);
    for (const char *at = text.data; *at != '\0'; at++) {
        bool is_dim = *at == ' ' && at[1] >= '0' && at[1] <= '9';
        buffer_format(fuzz->out, "%c", *at);
        if (is_dim) {
            char *end;
            fuzz_constant(fuzz, (int)strtol(at + 1, &end, 10));
            at = end - 1;
        }
    }
    buffer_free(&text);
}

void fuzz_write_constants(const Buffer *body, Buffer *out) {
    if (body->len > 0 && strstr(body->data, "whole(") != NULL) {
        buffer_text(out, whole);
    }
}

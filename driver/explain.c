// The long texts of messages for --explain. The table is made from docs/diagnostics.md by
// explain.awk when the compiler is built. Codes are found in upper or lower case.
#include "driver/explain.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

typedef struct Explanation {
    const char *code;
    const char *text;
} Explanation;

static const Explanation explanations[] = {
#include "explanations.inc"
};

bool explain_code(const char *code, Buffer *out) {
    for (size_t i = 0; i < sizeof(explanations) / sizeof(explanations[0]); i++) {
        if (strcasecmp(explanations[i].code, code) == 0) {
            buffer_text(out, explanations[i].text);
            return true;
        }
    }
    return false;
}

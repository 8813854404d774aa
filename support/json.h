// JSON values whose creation cannot fail: running out of memory ends the process.
#ifndef TMLC_SUPPORT_JSON_H
#define TMLC_SUPPORT_JSON_H

#include "support/buffer.h"

#include <jansson.h>
#include <stdint.h>

// These take the value over.
void json_set(json_t *object, const char *key, json_t *value);
void json_add(json_t *array, json_t *value);

json_t *json_count(uint64_t count);
// Bytes that are not UTF-8 become `?`.
json_t *json_text(const char *text, size_t len);
json_t *json_word(const char *text);
// Appends the value, indented, with a newline, and frees it.
void json_finish(json_t *value, Buffer *out);

#endif

// See json.h. Jansson tells a lack of memory by NULL or -1, which ends the process here. A
// text that is not UTF-8, as a path may be, has `?` in place of all bytes beyond ASCII.
#include "support/json.h"

#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

void json_set(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) {
        memory_failed();
    }
}

void json_add(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) {
        memory_failed();
    }
}

json_t *json_count(uint64_t count) {
    return json_integer((json_int_t)(count > INT64_MAX ? INT64_MAX : count));
}

json_t *json_text(const char *text, size_t len) {
    json_t *value = json_stringn(text, len);
    if (value != NULL) {
        return value;
    }
    Buffer ascii = {0};
    buffer_append(&ascii, text, len);
    for (size_t i = 0; i < len; i++) {
        ascii.data[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    }
    value = json_stringn(ascii.data, len);
    buffer_free(&ascii);
    return value;
}

json_t *json_word(const char *text) {
    return json_text(text, strlen(text));
}

void json_finish(json_t *value, Buffer *out) {
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    if (text == NULL) {
        memory_failed();
    }
    buffer_text(out, text);
    buffer_text(out, "\n");
    free(text);
    json_decref(value);
}

#include "support/buffer.h"

#include <criterion/criterion.h>
#include <string.h>

Test(buffer, pieces_add_up) {
    Buffer buffer = {0};
    buffer_append(&buffer, "abcdef", 3);
    buffer_text(&buffer, "-");
    buffer_format(&buffer, "%d/%s", 42, "x");
    buffer_repeat(&buffer, '.', 3);
    cr_assert_str_eq(buffer.data, "abc-42/x...");
    cr_assert_eq(buffer.len, strlen("abc-42/x..."));
    buffer_free(&buffer);
    cr_assert_null(buffer.data);
    cr_assert_eq(buffer.len, 0);
}

Test(buffer, empty_text_terminates) {
    Buffer buffer = {0};
    buffer_text(&buffer, "");
    cr_assert_str_eq(buffer.data, "");
    buffer_free(&buffer);
}

Test(buffer, grows_past_any_single_piece) {
    Buffer buffer = {0};
    for (int i = 0; i < 1000; i++) {
        buffer_format(&buffer, "%0200d", i);
    }
    cr_assert_eq(buffer.len, 200 * 1000);
    cr_assert_str_eq(buffer.data + buffer.len - 3, "999");
    buffer_free(&buffer);
}

Test(buffer, zero_bytes_are_text_too) {
    Buffer buffer = {0};
    buffer_append(&buffer, "a\0b", 3);
    cr_assert_eq(buffer.len, 3);
    cr_assert_eq(memcmp(buffer.data, "a\0b", 4), 0);
    buffer_free(&buffer);
}

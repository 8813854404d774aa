// Reading values as TML literals from a stream: in whatever way brackets, separators and comments
// stand, what comes after a value stays for the next one, and what is wrong is said with its place.
#include "runtime/file/formats.h"
#include "runtime/text/scalar_text.h"
#include "values.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void open_text(TextReader *text, const char *bytes) {
    tml_reader_init(text, test_file(bytes, strlen(bytes)), "standard input");
}

Test(literal_read, a_printed_value_reads_back) {
    static const char *const spellings[] = {"[1, 2;\n 3, 4\n |\n 5, 6;\n 7, 8]", "1 2 3 4 5 6 7 8",
                                            "1,2,3\r\n4\t5 6;7|8",
                                            "# a comment, 9\n[1 2 3 4 # 9\n5 6 7 8]"};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        TestType type;
        TextReader text;
        int32_t data[8];
        test_type(&type, 'i', "2x2x2");
        open_text(&text, spellings[i]);
        cr_assert(tml_literal_read(&text, &type.type, data));
        for (int32_t k = 0; k < 8; k++) {
            cr_expect_eq(data[k], k + 1);
        }
        close(text.fd);
    }
}

Test(literal_read, the_rest_stays_for_the_next_value) {
    TestType vector, scalar;
    TextReader text;
    double data[2], single;
    uint8_t truth;
    test_type(&vector, 'r', "2");
    open_text(&text, "[1.5, -inf]\n5u true");
    cr_assert(tml_literal_read(&text, &vector.type, data));
    cr_expect_eq(data[0], 1.5);
    cr_expect_eq(data[1], -INFINITY);
    test_type(&scalar, 'r', "");
    cr_assert(tml_literal_read(&text, &scalar.type, &single));
    cr_expect_eq(single, 5.0);
    test_type(&scalar, 'b', "");
    cr_assert(tml_literal_read(&text, &scalar.type, &truth));
    cr_expect_eq(truth, 1);
}

// As tensors of more than three dims print inside others.
Test(literal_read, reshape_is_skipped) {
    TestType type;
    TextReader text;
    int32_t data[4], after;
    test_type(&type, 'i', "2 1x1x1x2");
    open_text(&text,
              "[reshape([1, 2], 1, 1, 1, 2), # 9\n reshape([3, 4], 1, 1, 1, 2)]\n5\n"
              "[reshape([[6], [7]], 1, 1, 1, 2)], reshape([reshape([8, 9], 1, 1, 2, 1)], 1)\n10");
    cr_assert(tml_literal_read(&text, &type.type, data));
    cr_expect_arr_eq(data, ((int32_t[]){1, 2, 3, 4}), sizeof data);
    test_type(&type, 'i', "");
    cr_assert(tml_literal_read(&text, &type.type, &after));
    cr_expect_eq(after, 5);
    test_type(&type, 'i', "4");
    cr_assert(tml_literal_read(&text, &type.type, data));
    cr_expect_arr_eq(data, ((int32_t[]){6, 7, 8, 9}), sizeof data);
    test_type(&type, 'i', "");
    cr_assert(tml_literal_read(&text, &type.type, &after));
    cr_expect_eq(after, 10);
}

static const struct {
    char root;
    const char *input;
    const char *message;
} wrong[] = {
    {'i', "1 2",
     "standard input:1:4: error: the input ends after 2 of the 3 values of "
     "tensor<int, 3>\n"},
    {'i', "",
     "standard input:1:1: error: the input ends after 0 of the 3 values of "
     "tensor<int, 3>\n"},
    {'i', "[1,\n 2.5, 3]", "standard input:2:2: error: `2.5` is not an int\n"},
    {'i', "1 2147483648", "standard input:1:3: error: `2147483648` is outside the range of int\n"},
    {'i', "-2147483649", "standard input:1:1: error: `-2147483649` is outside the range of int\n"},
    {'u', "1 -1", "standard input:1:3: error: `-1` is outside the range of uint\n"},
    {'u', "4294967296u", "standard input:1:1: error: `4294967296u` is outside the range of uint\n"},
    {'u', "99999999999999999999999",
     "standard input:1:1: error: `99999999999999999999999` is "
     "outside the range of uint\n"},
    {'r', "4294967296u", "standard input:1:1: error: `4294967296u` is outside the range of uint\n"},
    {'r', "1.0 two", "standard input:1:5: error: `two` is not a number\n"},
    {'r', "\xC3\xBC \xC3\xBC", "standard input:1:1: error: `\xC3\xBC` is not a number\n"},
    {'r', "1e999", "standard input:1:1: error: `1e999` is outside the range of real\n"},
    {'s', "1e39", "standard input:1:1: error: `1e39` is outside the range of real\n"},
    {'b', "2", "standard input:1:1: error: `2` is not a bool (`true`, `false`, `1` or `0`)\n"},
};

Test(literal_read, messages) {
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TestType type;
        TextReader text;
        double data[3];
        char message[VALUES_TEXT];
        test_type(&type, wrong[i].root, "3");
        open_text(&text, wrong[i].input);
        Capture capture = capture_start(STDERR_FILENO);
        bool done = tml_literal_read(&text, &type.type, data);
        capture_finish(&capture, message);
        cr_expect_not(done);
        cr_expect_str_eq(message, wrong[i].message, "%s", message);
        close(text.fd);
    }
}

Test(literal_read, zero_bytes_and_endless_tokens_are_refused) {
    TestType type;
    TextReader text;
    double value;
    char message[VALUES_TEXT], digits[3 * TML_TOKEN_LIMIT];
    test_type(&type, 'r', "");
    Capture capture = capture_start(STDERR_FILENO);
    tml_reader_init(&text, test_file("1\0002", 3), "x");
    cr_expect_not(tml_literal_read(&text, &type.type, &value));
    memset(digits, '1', sizeof digits);
    tml_reader_init(&text, test_file(digits, sizeof digits), "x");
    cr_expect_not(tml_literal_read(&text, &type.type, &value));
    capture_finish(&capture, message);
    cr_expect(strstr(message, "x:1:1: error: `1?2` has a NUL byte\n") != NULL, "%s", message);
    cr_expect(strstr(message, "...` is too long for a number\n") != NULL, "%s", message);
}

Test(literal_read, numbers_may_lie_across_buffers) {
    enum { COUNT = 50000 };
    static char bytes[COUNT * 6 + 1];
    static int32_t data[COUNT];
    TestType type;
    TextReader text;
    test_type(&type, 'i', "50000");
    for (int i = 0; i < COUNT; i++) {
        snprintf(bytes + i * 6, 7, "%5d\n", i);
    }
    tml_reader_init(&text, test_file(bytes, COUNT * 6), "x");
    cr_assert(tml_literal_read(&text, &type.type, data));
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(data[i], i);
    }
    cr_expect_eq(tml_reader_position(&text).line, (uint64_t)COUNT);
}

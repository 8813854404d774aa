// L12. The expected texts are written by hand; values count up from 1.
#include "runtime/abi/type.h"
#include "runtime/text/print.h"
#include "values.h"

#include <criterion/criterion.h>

static void print(const tml_type *type, const void *data, char text[VALUES_TEXT]) {
    Writer out;
    tml_writer_init(&out, test_file("", 0));
    tml_write_value(&out, type, data);
    cr_assert(tml_writer_flush(&out));
    test_file_text(out.fd, text);
}

typedef struct Row {
    char root;
    const char *levels;
    const char *expected;
} Row;

static const Row rows[] = {
    {'i', "", "1"},
    {'u', "", "1u"},
    {'r', "", "1.0"},
    {'s', "", "1.0"},
    {'b', "", "true"},
    {'i', "3", "[1, 2, 3]"},
    {'i', "1", "[1]"},
    {'u', "2", "[1u, 2u]"},
    {'b', "2", "[true, false]"},
    {'i', "2x2", "[1, 2;\n 3, 4]"},
    {'i', "3x1", "[1;\n 2;\n 3]"},
    {'i', "1x3", "[1, 2, 3;]"},
    {'i', "1x1", "[1;]"},
    {'i', "2x2x2", "[1, 2;\n 3, 4\n |\n 5, 6;\n 7, 8]"},
    {'i', "1x2x2", "[1, 2;\n 3, 4 |]"},
    {'i', "2x1x2", "[1, 2\n |\n 3, 4]"},
    {'i', "2x1x1", "[1\n |\n 2]"},
    {'i', "1x1x2", "[1, 2 |]"},
    {'i', "1x1x1", "[1 |]"},
    {'i', "1x2x1", "[1;\n 2 |]"},
    {'i', "2 2", "[[1, 2], [3, 4]]"},
    {'i', "2 2x2", "[[1, 2; 3, 4], [5, 6; 7, 8]]"},
    {'i', "2x2 2", "[[1, 2], [3, 4];\n [5, 6], [7, 8]]"},
    {'i', "1x1 1x1", "[[1;];]"},
    {'i', "2 1x2", "[[1, 2;], [3, 4;]]"},
    {'i', "1 2x1x2", "[[1, 2 | 3, 4]]"},
    {'i', "1 1x2x1", "[[1; 2 |]]"},
    {'i', "2 1 1", "[[[1]], [[2]]]"},
    {'i', "1x2x1x2", "# [0, 0, :, :]\n[1, 2;]\n# [0, 1, :, :]\n[3, 4;]"},
    {'i', "2x1x2x1", "# [0, 0, :, :]\n[1;\n 2]\n# [1, 0, :, :]\n[3;\n 4]"},
    {'i', "1x2x2x1x1",
     "# [0, 0, 0, :, :]\n[1;]\n# [0, 0, 1, :, :]\n[2;]\n"
     "# [0, 1, 0, :, :]\n[3;]\n# [0, 1, 1, :, :]\n[4;]"},
    {'i', "1x1x1x2 2", "# [0, 0, :, :]\n[[1, 2], [3, 4];]"},
    {'i', "2 1x1x2x1", "[reshape([1, 2], 1, 1, 2, 1), reshape([3, 4], 1, 1, 2, 1)]"},
};

Test(print, every_layout) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TestType type;
        double data[64];
        char text[VALUES_TEXT];
        test_type(&type, rows[i].root, rows[i].levels);
        test_count_up(&type.type, data);
        print(&type.type, data, text);
        cr_expect_str_eq(text, rows[i].expected, "%c %s prints\n%s", rows[i].root, rows[i].levels,
                         text);
        cr_expect_eq(tml_value_is_multiline(&type.type), strchr(text, '\n') != NULL, "%s",
                     rows[i].levels);
    }
}

Test(print, extreme_integers) {
    TestType type;
    char text[VALUES_TEXT];
    test_type(&type, 'i', "3");
    print(&type.type, (int32_t[]){INT32_MIN, 0, INT32_MAX}, text);
    cr_expect_str_eq(text, "[-2147483648, 0, 2147483647]");
    test_type(&type, 'u', "2");
    print(&type.type, (uint32_t[]){0, UINT32_MAX}, text);
    cr_expect_str_eq(text, "[0u, 4294967295u]");
}

Test(print, data_style_has_no_suffix_and_no_words) {
    TestType type;
    Writer out;
    char text[VALUES_TEXT];
    tml_writer_init(&out, test_file("", 0));
    test_type(&type, 'u', "");
    tml_write_scalar(&out, &type.type, &(uint32_t){7}, SCALAR_DATA);
    test_type(&type, 'b', "");
    tml_write_scalar(&out, &type.type, &(uint8_t){1}, SCALAR_DATA);
    cr_assert(tml_writer_flush(&out));
    test_file_text(out.fd, text);
    cr_expect_str_eq(text, "71");
}

Test(type, texts) {
    static const Row texts[] = {
        {'r', "", "real"},
        {'b', "2x3", "tensor<bool, 2, 3>"},
        {'u', "2 3x4 5", "tensor<tensor<tensor<uint, 5>, 3, 4>, 2>"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        TestType type;
        char text[TML_TYPE_TEXT_BYTES];
        test_type(&type, texts[i].root, texts[i].levels);
        cr_expect_str_eq(tml_type_text(text, &type.type), texts[i].expected);
    }
}

Test(type, long_texts_are_cut) {
    TestType type;
    char text[TML_TYPE_TEXT_BYTES];
    test_type(&type, 'i', "1");
    for (size_t i = 0; i < VALUES_DIMS; i++) {
        type.dims[i] = 1000000;
    }
    type.ranks[0] = type.type.flat_rank = VALUES_DIMS;
    tml_type_text(text, &type.type);
    cr_expect_lt(strlen(text), (size_t)TML_TYPE_TEXT_BYTES);
    cr_expect_str_eq(text + strlen(text) - 3, "...");
}

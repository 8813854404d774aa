// Values from TML literals in files, and back: what is taken for one, how it fits its type, and
// messages with their places. The values of the right ones count up from 1.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/text/print.h"
#include "values.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static const TextCase right[] = {
    {"u", 'r', "3", "[1, 2, 3]", NULL},
    {"u.txt", 'r', "2x2", "[1.0, 2;\n 3, 4]\n", NULL},
    {"u", 'i', "2x1x2", "\xEF\xBB\xBF\n# pages\n  # are two\n[0x1, 2 | # first\n 3, 4]\n# end",
     NULL},
    {"u", 'u', "2 2", "[[1u, 2u],\n [3u, 4u]]", NULL},
    {"u", 'b', "3", "[true, false, true]", NULL},
    {"u", 's', "1x2", "[1, 2;]", NULL},
    {"u.tml", 'i', "", "1", NULL},
    {"u.tml", 'r', "", "# one\n1\n", NULL},
    {"u.TML", 'r', "2x1x1x2", "reshape([1, 2, 3, 4], 2, 1, 1, 2)\n", NULL},
    // As values of more than three dims print.
    {"u", 'i', "2x2x1x2",
     "# [0, 0, :, :]\n[1, 2;]\n# [0, 1, :, :]\n[3, 4;]\n"
     "# [1, 0, :, :]\n[5, 6;]\n# [1, 1, :, :]\n[7, 8;]\n",
     NULL},
    {"u.tml", 'r', "1x2x1x1x2",
     " # all\r\n# [0, 0, 0, :, :]\r\n[1, 2;]\n\n # two\n  # [0, 1, 0, :, :]\n[3, 4;]\n# end", NULL},
    {"u", 'i', "1x1x2x1 2", "# [0, 0, :, :]\n[[1, 2];\n [3, 4]]", NULL},
    {"u", 'r', "2", "[1.0000000000000000000000000000000000000000000000000000000000000000000000, 2]",
     NULL},
    // Not literals: other texts, and whatever its name says is CSV.
    {"u", 'r', "", "1\n", NULL},
    {"u", 'r', "2", "# a,b\n1,2\n", NULL},
    {"u.csv", 'r', "2", "[a],[b]\n1,2\n", NULL},
};

Test(value_file, reads) {
    test_text_files(right, sizeof right / sizeof right[0]);
}

Test(value_file, assigns_as_the_language_does) {
    TestType type;
    double data[6];
    test_type(&type, 'r', "2x3");
    int fd = test_file("[1, 2, 3]", 9);
    cr_assert(tml_text_file_read(fd, "u", &type.type, data));
    cr_expect_arr_eq(data, ((double[]){1, 2, 3, 1, 2, 3}), sizeof data);
    fd = test_file("7", 1);
    cr_assert(tml_text_file_read(fd, "u.tml", &type.type, data));
    cr_expect_arr_eq(data, ((double[]){7, 7, 7, 7, 7, 7}), sizeof data);
}

static const TextCase wrong[] = {
    {"u", 'r', "3x2", "\n[1, 2, 3; 4, 5, 6]\n",
     "2:1: error: the input is tensor<real, 3, 2>, the value is tensor<int, 2, 3>"},
    {"u", 'i', "2", "[1, 2.5]",
     "1:1: error: the input is tensor<int, 2>, the value is tensor<real, 2>"},
    {"u", 'u', "2", "[1, -2]",
     "1:1: error: the input is tensor<uint, 2>, the value is tensor<int, 2>"},
    {"u", 'r', "2x2", "[1, 2;\n 3]", "2:2: error: rows of different lengths: 2 and 1"},
    {"u", 'r', "2", "# é\n[1, \"é\", x]", "2:5: error: expected a value, found `\"é\", x]`"},
    {"u", 'r', "2", "[1, two]", "1:5: error: `two` is not a number"},
    {"u", 'r', "2", "[1, 2", "1:6: error: expected `,`, `;`, `|` or `]`, found the end"},
    {"u", 'r', "2", "[1, 2]\n[3, 4]\nx",
     "2:1: error: expected the end of the value, found `[3, 4]`"},
    {"u", 'i', "3x1x1x1", "# [0, 0, :, :]\n[1;]\n# [1, 0, :, :]\n[2;]",
     "1:1: error: the input is tensor<int, 3, 1, 1, 1>, the value is tensor<int, 2, 1, 1, 1>"},
    {"u", 'i', "2x2x1x1", "# [0, 0, :, :]\n[1;]\n# [0, 1, :, :]\n[2;]\n# [1, 0, :, :]\n[3;]\n",
     "5:1: error: matrices are missing behind this one"},
    {"u", 'i', "2x2x1x1", "# [0, 0, :, :]\n[1;]\n# [0, 1, :, :]\n[2;]\n# [1, 1, :, :]\n[3;]\n",
     "5:1: error: these indices do not follow the ones before"},
    {"u", 'i', "2x1x1x1", "# [1, 0, :, :]\n[1;]", "1:1: error: the first indices are not 0"},
    {"u", 'i', "1x1x1x2", "# [0, 0, :, :]\n[1, 2]",
     "1:1: error: below these indices is no matrix of the shape of the others"},
    {"u", 'i', "1x2x1x1", "# [0, 0, :, :]\n[1;]\n# [0, 1, :, :]\n[2, 3;]",
     "3:1: error: below these indices is no matrix of the shape of the others"},
    {"u", 'i', "1x2x1x1", "# [0, 0, :, :]\n[1;]\n[2;]",
     "3:1: error: expected the end of the value, found `[2;]`"},
    {"u.tml", 'r', "", "", "1:1: error: expected a value, found the end"},
    {"u.tml", 'r', "", "y = 1", "1:1: error: `y` is not a number"},
    {"u.tml", 'i', "", "1e999", "1:1: error: `1e999` is outside the range of real"},
    {"u.tml", 'r', "2", "PK\x03\x04",
     "1:1: error: this is an archive (.npz, .xlsx), which is not read; save one array of it as "
     ".npy "
     "or CSV"},
};

Test(value_file, messages) {
    test_text_files(wrong, sizeof wrong / sizeof wrong[0]);
}

Test(value_file, a_nul_byte_is_told) {
    TestType type;
    char message[VALUES_TEXT];
    test_type(&type, 'r', "2");
    int fd = test_file("[1, 2]\0", 7);
    Capture capture = capture_start(STDERR_FILENO);
    cr_expect_not(tml_text_file_read(fd, "u", &type.type, (double[2]){0}));
    capture_finish(&capture, message);
    cr_expect_str_eq(message, "u:1:1: error: a literal has no NUL bytes\n");
}

Test(value_file, long_literals_go_through_the_buffer) {
    enum { ROWS = 50000 };
    static char text[16 * ROWS];
    static double data[ROWS];
    uint32_t dims[] = {ROWS};
    tml_type type = {TML_REAL, 8, 1, 1, (uint16_t[]){1}, dims};
    size_t len = 0;
    for (int i = 0; i < ROWS; i++) {
        len += (size_t)sprintf(text + len, "%c%d.5", i == 0 ? '[' : ',', i);
    }
    text[len++] = ']';
    int fd = test_file(text, len);
    cr_assert(tml_text_file_read(fd, "u", &type, data));
    for (int i = 0; i < ROWS; i++) {
        cr_assert_eq(data[i], i + 0.5);
    }
    close(fd);
}

Test(value_file, what_prints_reads_back) {
    static const char *const levels[] = {"2x3x2x2", "1x2x1x3x2", "3x1x1x1", "2x2x1x1 2x1x1x2"};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        TestType type;
        Writer out;
        int32_t data[32] = {0}, back[32] = {0};
        char text[VALUES_TEXT];
        test_type(&type, 'i', levels[i]);
        test_count_up(&type.type, data);
        tml_writer_init(&out, test_file("", 0));
        tml_write_value(&out, &type.type, data);
        cr_assert(tml_writer_flush(&out));
        int fd = test_file(text, test_file_text(out.fd, text));
        cr_assert(tml_text_file_read(fd, "y", &type.type, back));
        cr_expect_arr_eq(data, back, sizeof data);
        close(fd);
    }
}

Test(value_file, what_is_written_reads_back) {
    static const struct {
        char root;
        const char *levels;
        const char *text;
    } written[] = {
        {'r', "", "1.0\n"},
        {'u', "2", "[1u, 2u]\n"},
        {'b', "2x2", "[true, false;\n true, false]\n"},
        {'i', "1x1x2", "[1, 2 |]\n"},
        {'s', "2 1x2", "[[1.0, 2.0;], [3.0, 4.0;]]\n"},
        {'i', "1x2x1x2", "reshape([1, 2, 3, 4], 1, 2, 1, 2)\n"},
        {'i', "2 1x1x1x2", "[reshape([1, 2], 1, 1, 1, 2), reshape([3, 4], 1, 1, 1, 2)]\n"},
    };
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        TestType type;
        Writer out;
        double data[8] = {0}, back[8] = {0};
        char text[VALUES_TEXT];
        test_type(&type, written[i].root, written[i].levels);
        test_count_up(&type.type, data);
        tml_writer_init(&out, test_file("", 0));
        tml_write_literal(&out, &type.type, data);
        cr_assert(tml_writer_flush(&out));
        size_t len = test_file_text(out.fd, text);
        cr_expect_str_eq(text, written[i].text);
        int fd = test_file(text, len);
        cr_assert(tml_text_file_read(fd, "y.tml", &type.type, back));
        cr_expect_arr_eq(data, back, sizeof data);
        close(fd);
    }
}

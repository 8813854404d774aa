// Reading values from CSV: texts that are read, with and without headers, quotes and blanks, and
// texts that are refused, with the place and the reason. The values of the right ones count up from
// 1. Also what is written.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "values.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

// Every text holds 1, 2, 3, ...
static const TextCase right[] = {
    {"u.csv", 'r', "", "1\n", NULL},
    {"u.csv", 'r', "", "1", NULL},
    {"u.csv", 'r', "", "gain\n1.0\n", NULL},
    {"u.csv", 'i', "3", "1,2,3\n", NULL},
    {"u.csv", 'i', "3", "1\n2\n3\n", NULL},
    {"u.csv", 'i', "3", "x\n1\n2\n3", NULL},
    {"u.csv", 'i', "3", "a,b,c\n1,2,3", NULL},
    {"u.csv", 'i', "3", "any header\n1,2,3", NULL},
    {"u.csv", 'i', "1", "1", NULL},
    {"u.csv", 'r', "2x3", "1,2,3\n4,5,6\n", NULL},
    {"u.csv", 'r', "2x3",
     "\xEF\xBB\xBF"
     "a,b,c\r\n1 ,\t2, \"3\" \r\n4,5e0,0.6e1\r\n\r\n  \n",
     NULL},
    {"u.csv", 'r', "2x3", "\"a \"\"x\"\"\",\"b\nc\",c\n1,2,3\n4,5,6", NULL},
    {"u.csv", 'i', "3x1", "1\n2\n3\n", NULL},
    {"u.csv", 'i', "1x3", "1,2,3\n", NULL},
    {"u.csv", 'u', "2x2", "1u,2U\n+3,4\n", NULL},
    {"u.csv", 'i', "2x1x2", "1,2\n3,4\n", NULL},
    {"u.csv", 'i', "2 1x2", "1,2\n3,4\n", NULL},
    {"u.csv", 'b', "2x2", "true,false\n1,0\n", NULL},
    {"u.csv", 's', "2", "true,2\n", NULL},
    {"u.csv", 'r', "2", "1u,2\n", NULL},
};

Test(csv, reads) {
    test_text_files(right, sizeof right / sizeof right[0]);
}

static const TextCase wrong[] = {
    {"u.csv", 'r', "2x2", "",
     "1:1: error: expected 2 rows of 2 columns for tensor<real, 2, 2>, found 0 rows"},
    {"u.csv", 'r', "2x2", "1,2\n",
     "2:1: error: expected 2 rows of 2 columns for tensor<real, 2, 2>, found 1 row"},
    {"u.csv", 'r', "1x2", "1,2\n3,4\nx",
     "3:2: error: expected 1 row of 2 columns for tensor<real, 1, 2>, found 3 rows"},
    {"u.csv", 'r', "", "1\n2\n", "3:1: error: expected 1 row of 1 column for real, found 2 rows"},
    {"u.csv", 'r', "2x2", "1,2,3\n",
     "1:1: error: expected 2 columns for tensor<real, 2, 2>, found 3"},
    {"u.csv", 'r', "2x2", "a,b\n1,2,\n",
     "2:1: error: expected 2 columns for tensor<real, 2, 2>, found 3"},
    {"u.csv", 'r', "2x2", "1;2\n3;4\n5",
     "2:1: error: `;` separates the columns, which commas must; `sed 's/,/./g; s/;/,/g'` makes it "
     "so"},
    {"u.csv", 'r', "2x2", "1,2\n3;4\n",
     "2:1: error: `;` separates the columns, which commas must; `sed 's/,/./g; s/;/,/g'` makes it "
     "so"},
    {"u.csv", 'r', "3", "1\t2\t3\n",
     "1:1: error: a tab separates the columns, which commas must; `tr '\\t' ','` makes it so"},
    {"u.csv", 'r', "2x2", "a;b\n1,5;2,5\n3;4",
     "2:1: error: `;` separates the columns, which commas must; `sed 's/,/./g; s/;/,/g'` makes it "
     "so"},
    {"u.csv", 'r', "2x2", "1.0 2.0\n3.0 4.0\n",
     "2:1: error: a blank separates the columns, which commas must; `tr -s ' ' ','` makes it so"},
    {"u.csv", 'r', "2x2", "wind speed,gusts\n1 2,3\n", "2:1: error: `1 2` is not a number"},
    {"u.csv", 'r', "2", "PK\x03\x04",
     "1:1: error: this is an archive (.npz, .xlsx), which is not read; save one array of it as "
     ".npy "
     "or CSV"},
    {"u.csv", 'r', "3", "1,2\n",
     "1:1: error: expected one row of 3 columns or one column for tensor<real, 3>, found 2 "
     "columns"},
    {"u.csv", 'r', "3", "1\n2,3\n", "2:1: error: expected 1 column for tensor<real, 3>, found 2"},
    {"u.csv", 'r', "2x2", "a,b\n1,2\n3,x4\n", "3:3: error: `x4` is not a number"},
    {"u.csv", 'r', "2x2", "1,x\n3,4\n", "1:3: error: `x` is not a number"},
    {"u.csv", 'r', "2x2", "1,2\n3, \n", "2:4: error: a cell is empty"},
    {"u.csv", 'r', "2x2", "1,2\n\n3,4\n", "2:1: error: a blank line before the end of the file"},
    {"u.csv", 'i', "2", "1,2.5\n", "1:3: error: `2.5` is not an int"},
    {"u.csv", 'i', "2", "1.5,2\n", "1:1: error: `1.5` is not an int"},
    {"u.csv", 'r', "2", "1,\"2\" x\n", "1:7: error: text follows the quote that ends a cell"},
    {"u.csv", 'r', "2", "1,\"2\n", "1:3: error: a quoted cell does not end"},
    {"u.csv", 'r', "", "l.0\n",
     "2:1: error: expected 1 row of 1 column for real, found 0 rows after the header"},
    {"u.csv", 'r', "2", "1\n\"", "2:1: error: a quoted cell does not end"},
    {"u.csv", 'b', "2", "1,2\n", "1:3: error: `2` is not a bool (`true`, `false`, `1` or `0`)"},
};

Test(csv, messages) {
    test_text_files(wrong, sizeof wrong / sizeof wrong[0]);
}

Test(csv, a_nul_byte_is_told) {
    TestType type;
    char message[VALUES_TEXT];
    test_type(&type, 'r', "2");
    int fd = test_file("1,2\0003", 5);
    Capture capture = capture_start(STDERR_FILENO);
    cr_expect_not(tml_text_file_read(fd, "u.csv", &type.type, (double[2]){0}));
    capture_finish(&capture, message);
    cr_expect_str_eq(message, "u.csv:1:3: error: `2?3` has a NUL byte\n");
}

static const struct {
    char root;
    const char *levels;
    const char *text;
} written[] = {
    {'r', "", "1.0\n"},           {'i', "3", "1,2,3\n"},      {'u', "2x2", "1,2\n3,4\n"},
    {'b', "2x1x2", "1,0\n1,0\n"}, {'i', "2 2", "1,2\n3,4\n"}, {'s', "2x1", "1.0\n2.0\n"},
};

Test(csv, writes) {
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        TestType type;
        Writer out;
        double data[8];
        char text[VALUES_TEXT];
        test_type(&type, written[i].root, written[i].levels);
        test_count_up(&type.type, data);
        tml_writer_init(&out, test_file("", 0));
        tml_csv_write(&out, &type.type, data);
        cr_assert(tml_writer_flush(&out));
        test_file_text(out.fd, text);
        cr_expect_str_eq(text, written[i].text);
    }
}

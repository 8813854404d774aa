// Files are made of bytes by hand, as NumPy's format description says.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "values.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static const char magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

// The bytes of a version 1.0 file. Returns their number.
static size_t make_npy(char bytes[VALUES_TEXT], const char *header, const void *data,
                       size_t data_bytes) {
    size_t len = (size_t)snprintf(bytes + 10, VALUES_TEXT - 10, "%s", header);
    memcpy(bytes, magic, sizeof magic);
    bytes[6] = 1;
    bytes[7] = 0;
    bytes[8] = (char)(len & 0xFF);
    bytes[9] = (char)(len >> 8);
    memcpy(bytes + 10 + len, data, data_bytes);
    return 10 + len + data_bytes;
}

static bool read_bytes(const char *bytes, size_t len, const tml_type *type, void *data,
                       char message[VALUES_TEXT]) {
    int fd = test_file(bytes, len);
    Capture capture = capture_start(STDERR_FILENO);
    bool done = tml_npy_read(fd, "u.npy", type, data);
    capture_finish(&capture, message);
    close(fd);
    return done;
}

// Every file holds 1, 2, 3, ... in the scalars of `file_root`.
static const struct {
    char file_root;
    char root;
    const char *levels;
    const char *header;
} right[] = {
    {'r', 'r', "2x3", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }   \n"},
    {'r', 'r', "2 3", "{'shape': (2,3), 'fortran_order':False,\"descr\":\"<f8\"}\n"},
    {'r', 'r', "", "{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n"},
    {'i', 'i', "3", "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n"},
    {'i', 'i', "3", "{'descr': '<i4', 'fortran_order': True, 'shape': (3,), }\n"},
    {'i', 'i', "1x3x1", "{'descr': '<i4', 'fortran_order': True, 'shape': (1, 3, 1), }\n"},
    {'u', 'u', "3", "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }\n"},
    {'s', 's', "3", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n"},
    {'b', 'b', "3", "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n"},
    {'b', 'i', "5", "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }\n"},
    {'b', 'r', "5", "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }\n"},
    {'b', 's', "5", "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }\n"},
    {'i', 'r', "5", "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }\n"},
    {'u', 'r', "5", "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }\n"},
    {'s', 'r', "5", "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }\n"},
};

Test(npy, reads) {
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        TestType type, file;
        double data[8], file_data[8];
        char bytes[VALUES_TEXT], message[VALUES_TEXT];
        test_type(&type, right[i].root, right[i].levels);
        test_type(&file, right[i].file_root, right[i].levels);
        test_count_up(&file.type, file_data);
        size_t numel = tml_type_numel(&file.type);
        size_t len =
            make_npy(bytes, right[i].header, file_data, numel * tml_scalar_bytes(&file.type));
        bool done = read_bytes(bytes, len, &type.type, data, message);
        cr_expect(done, "%s%s", right[i].header, message);
        for (size_t k = 0; done && k < numel; k++) {
            cr_expect_eq(test_scalar(&type.type, data, k), test_scalar(&file.type, file_data, k),
                         "%zu of %s", k, right[i].header);
        }
    }
}

Test(npy, widening_keeps_extremes) {
    TestType type;
    double data[2];
    char bytes[VALUES_TEXT], message[VALUES_TEXT];
    test_type(&type, 'r', "2");
    size_t len = make_npy(bytes, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n",
                          (int32_t[]){INT32_MIN, INT32_MAX}, 8);
    cr_assert(read_bytes(bytes, len, &type.type, data, message));
    cr_expect_eq(data[0], -2147483648.0);
    cr_expect_eq(data[1], 2147483647.0);
    len = make_npy(bytes, "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }\n",
                   (uint32_t[]){0, UINT32_MAX}, 8);
    cr_assert(read_bytes(bytes, len, &type.type, data, message));
    cr_expect_eq(data[0], 0.0);
    cr_expect_eq(data[1], 4294967295.0);
}

// A root, a dtype, two values of it, and the message about the second or NULL.
static const struct {
    char root;
    const char *levels;
    const char *dtype;
    int64_t values[2];
    const char *message;
} integers[] = {
    {'r', "2", "<i8", {-5, (int64_t)1 << 53}, NULL},
    {'i', "2", "<i8", {INT32_MIN, INT32_MAX}, NULL},
    {'u', "2", "<i8", {0, UINT32_MAX}, NULL},
    {'u', "2", "<u8", {0, UINT32_MAX}, NULL},
    {'s', "2", "<i8", {-7, 1 << 24}, NULL},
    {'r',
     "2 1",
     "<i8",
     {INT64_MIN, ((int64_t)1 << 53) + 1},
     "9007199254740993 at [1, 0] is not a value of real"},
    {'r', "2", "<i8", {0, INT64_MAX}, "9223372036854775807 at [1] is not a value of real"},
    {'i', "2", "<i8", {0, (int64_t)INT32_MAX + 1}, "2147483648 at [1] is not a value of int"},
    {'i', "1x2", "<i8", {0, (int64_t)INT32_MIN - 1}, "-2147483649 at [0, 1] is not a value of int"},
    {'u', "2", "<i8", {0, -1}, "-1 at [1] is not a value of uint"},
    {'u', "2", "<u8", {0, -1}, "18446744073709551615 at [1] is not a value of uint"},
    {'s', "2", "<i8", {0, (1 << 24) + 1}, "16777217 at [1] is not a value of real"},
};

Test(npy, integers_of_64_bits_that_fit) {
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        TestType type;
        double data[2];
        char header[128], bytes[VALUES_TEXT], message[VALUES_TEXT], expected[VALUES_TEXT] = "";
        const char *shape = strcmp(integers[i].levels, "1x2") == 0   ? "1, 2"
                            : strcmp(integers[i].levels, "2 1") == 0 ? "2, 1"
                                                                     : "2,";
        test_type(&type, integers[i].root, integers[i].levels);
        snprintf(header, sizeof header,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", integers[i].dtype,
                 shape);
        size_t len = make_npy(bytes, header, integers[i].values, sizeof integers[i].values);
        bool done = read_bytes(bytes, len, &type.type, data, message);
        if (integers[i].message) {
            snprintf(expected, sizeof expected, "u.npy: error: %s\n", integers[i].message);
        }
        cr_expect_eq(done, integers[i].message == NULL, "row %zu", i);
        cr_expect_str_eq(message, expected, "%s%s", message, expected);
        for (size_t k = 0; done && k < 2; k++) {
            cr_expect_eq(test_scalar(&type.type, data, k), (double)integers[i].values[k]);
        }
    }
}

Test(npy, versions_2_and_3_have_longer_lengths) {
    static const char header[] = "{'descr': '<i4', 'fortran_order': False, 'shape': (), }\n";
    for (char version = 2; version <= 3; version++) {
        TestType type;
        int32_t value = 0;
        char bytes[VALUES_TEXT], message[VALUES_TEXT];
        test_type(&type, 'i', "");
        memcpy(bytes, magic, sizeof magic);
        memcpy(bytes + 6, (char[]){version, 0, sizeof header - 1, 0, 0, 0}, 6);
        memcpy(bytes + 12, header, sizeof header - 1);
        memcpy(bytes + 11 + sizeof header, &(int32_t){-7}, 4);
        cr_assert(read_bytes(bytes, 15 + sizeof header, &type.type, &value, message), "%s",
                  message);
        cr_expect_eq(value, -7);
    }
}

static const struct {
    char root;
    const char *levels;
    const char *header;
    const char *message;
} wrong[] = {
    {'r', "2x3", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n",
     "expected shape (2, 3) for tensor<real, 2, 3>, found (3, 2)"},
    {'r', "3", "{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n",
     "expected shape (3,) for tensor<real, 3>, found ()"},
    {'b', "3", "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }\n",
     "dtype `<i8` does not convert without loss to tensor<bool, 3>; save it `.astype('|b1')`"},
    {'i', "3", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n",
     "dtype `<f8` does not convert without loss to tensor<int, 3>; save it `.astype('<i4')`"},
    {'u', "3", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n",
     "dtype `<f4` does not convert without loss to tensor<uint, 3>; save it `.astype('<u4')`"},
    {'s', "3", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n",
     "dtype `<f8` does not convert without loss to tensor<real, 3>; save it `.astype('<f4')`"},
    {'r', "3", "{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }\n",
     "dtype `>f8` is big-endian, tensor<real, 3> is `<f8`; save it `.astype('<f8')`"},
    {'r', "2x3", "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n",
     "the array is in Fortran order; save `np.ascontiguousarray` of it"},
    {'r', "3", "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }\n",
     "the header is not that of an array of plain numbers"},
    {'r', "3", "{'descr': '<f8', 'fortran_order': False, }\n",
     "the header is not that of an array of plain numbers"},
    {'r', "3", "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }\n",
     "the header is not that of an array of plain numbers"},
    {'r', "3", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } x\n",
     "the header is not that of an array of plain numbers"},
    {'r', "3", "{'descr': '<f8", "the header is not that of an array of plain numbers"},
    {'r', "3", "", "the header is not that of an array of plain numbers"},
};

Test(npy, messages) {
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TestType type;
        double data[8] = {0};
        char bytes[VALUES_TEXT], message[VALUES_TEXT], expected[VALUES_TEXT];
        test_type(&type, wrong[i].root, wrong[i].levels);
        size_t len = make_npy(bytes, wrong[i].header, data, sizeof data);
        cr_expect_not(read_bytes(bytes, len, &type.type, data, message), "%s", wrong[i].header);
        snprintf(expected, sizeof expected, "u.npy: error: %s\n", wrong[i].message);
        cr_expect_str_eq(message, expected, "%s%s", message, expected);
    }
}

Test(npy, every_cut_is_told) {
    TestType type;
    double data[3] = {0};
    char bytes[VALUES_TEXT], message[VALUES_TEXT];
    test_type(&type, 'r', "3");
    size_t len = make_npy(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n",
                          data, sizeof data);
    for (size_t cut = 0; cut < len; cut++) {
        cr_expect_not(read_bytes(bytes, cut, &type.type, data, message), "cut at %zu", cut);
        cr_expect(strstr(message, "u.npy: error: the file is cut short") == message, "%s", message);
    }
    cr_expect(read_bytes(bytes, len, &type.type, data, message));
}

Test(npy, other_files_are_refused) {
    TestType type;
    double value;
    char message[VALUES_TEXT];
    test_type(&type, 'r', "");
    cr_expect_not(read_bytes("1.0,2.0,3.0", 11, &type.type, &value, message));
    cr_expect_str_eq(message, "u.npy: error: not a .npy file\n");
    cr_expect_not(read_bytes("\x93NUMPY\x04\x00\x00\x00", 10, &type.type, &value, message));
    cr_expect_str_eq(message, "u.npy: error: version 4 of .npy is not known\n");
    cr_expect_not(read_bytes("\x93NUMPY\x02\x00\xFF\xFF\xFF\x7F", 12, &type.type, &value, message));
    cr_expect_str_eq(message, "u.npy: error: the header of 2147483647 bytes is too long\n");
}

static const struct {
    char root;
    const char *levels;
    const char *dictionary;
} written[] = {
    {'r', "", "{'descr': '<f8', 'fortran_order': False, 'shape': (), }"},
    {'i', "3", "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"},
    {'u', "2x2", "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 2), }"},
    {'s', "2 1x3", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 3), }"},
    {'b', "5", "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }"},
};

Test(npy, writes) {
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        TestType type;
        Writer out;
        double data[8];
        char text[VALUES_TEXT];
        test_type(&type, written[i].root, written[i].levels);
        test_count_up(&type.type, data);
        tml_writer_init(&out, test_file("", 0));
        tml_npy_write(&out, &type.type, data);
        cr_assert(tml_writer_flush(&out));
        size_t len = test_file_text(out.fd, text);
        size_t header = (unsigned char)text[8] + ((size_t)(unsigned char)text[9] << 8);
        size_t bytes = tml_type_numel(&type.type) * tml_scalar_bytes(&type.type);
        cr_expect_arr_eq(text, "\x93NUMPY\x01\x00", 8);
        cr_expect_eq((10 + header) % 64, 0);
        cr_expect_eq(text[9 + header], '\n');
        cr_expect_arr_eq(text + 10, written[i].dictionary, strlen(written[i].dictionary));
        cr_assert_eq(len, 10 + header + bytes);
        cr_expect_arr_eq(text + 10 + header, data, bytes);
    }
}

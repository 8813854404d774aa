#include "values.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void set_root(tml_type *type, char root) {
    type->real_bytes = root == 's' ? 4 : 8;
    switch (root) {
    case 'b': type->root = TML_BOOL; return;
    case 'u': type->root = TML_UINT; return;
    case 'i': type->root = TML_INT; return;
    case 'r':
    case 's': type->root = TML_REAL; return;
    }
    cr_assert_fail("no root `%c`", root);
}

void test_type(TestType *type, char root, const char *levels) {
    *type = (TestType){.type = {.level_ranks = type->ranks, .dims = type->dims}};
    set_root(&type->type, root);
    for (const char *c = levels; *c != '\0';) {
        char *end;
        type->dims[type->type.flat_rank++] = (uint32_t)strtoul(c, &end, 10);
        type->ranks[type->type.depth]++;
        if (*end != 'x') {
            type->type.depth++;
        }
        c = *end == '\0' ? end : end + 1;
    }
}

void test_count_up(const tml_type *type, void *data) {
    for (uint32_t i = 0; i < tml_type_numel(type); i++) {
        char *scalar = (char *)data + i * tml_scalar_bytes(type);
        uint32_t number = i + 1;
        switch ((tml_root)type->root) {
        case TML_BOOL: *scalar = number % 2; break;
        case TML_UINT:
        case TML_INT: memcpy(scalar, &number, sizeof number); break;
        case TML_REAL:
            if (type->real_bytes == 4) {
                memcpy(scalar, &(float){(float)number}, sizeof(float));
            } else {
                memcpy(scalar, &(double){number}, sizeof(double));
            }
            break;
        }
    }
}

double test_scalar(const tml_type *type, const void *data, size_t index) {
    switch ((tml_root)type->root) {
    case TML_BOOL: return ((const uint8_t *)data)[index];
    case TML_UINT: return ((const uint32_t *)data)[index];
    case TML_INT: return ((const int32_t *)data)[index];
    case TML_REAL:
        return type->real_bytes == 4 ? (double)((const float *)data)[index]
                                     : ((const double *)data)[index];
    }
    abort();
}

int test_file(const void *bytes, size_t len) {
    char path[] = "/tmp/tmlc-test-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(write(fd, bytes, len), (ssize_t)len);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

size_t test_file_text(int fd, char text[VALUES_TEXT]) {
    ssize_t len = pread(fd, text, VALUES_TEXT - 1, 0);
    cr_assert_geq(len, 0);
    text[len] = '\0';
    close(fd);
    return (size_t)len;
}

Capture capture_start(int stream) {
    Capture capture = {.stream = stream, .saved = dup(stream), .file = test_file("", 0)};
    cr_assert_eq(dup2(capture.file, stream), stream);
    return capture;
}

void capture_finish(Capture *capture, char text[VALUES_TEXT]) {
    cr_assert_eq(dup2(capture->saved, capture->stream), capture->stream);
    close(capture->saved);
    test_file_text(capture->file, text);
}

void test_text_files(const TextCase *cases, size_t count) {
    for (const TextCase *one = cases; one < cases + count; one++) {
        TestType type;
        double data[8] = {0}, expected[8] = {0};
        char message[VALUES_TEXT], text[VALUES_TEXT] = "";
        test_type(&type, one->root, one->levels);
        test_count_up(&type.type, expected);
        int fd = test_file(one->text, strlen(one->text));
        Capture capture = capture_start(STDERR_FILENO);
        bool done = tml_text_file_read(fd, one->path, &type.type, data);
        capture_finish(&capture, message);
        close(fd);
        cr_expect_eq(done, one->message == NULL, "%s", one->text);
        if (one->message == NULL) {
            size_t bytes = tml_type_numel(&type.type) * tml_scalar_bytes(&type.type);
            cr_expect_arr_eq(data, expected, bytes, "%s", one->text);
        } else {
            snprintf(text, sizeof text, "%s:%s\n", one->path, one->message);
        }
        cr_expect_str_eq(message, text, "%s%s", message, text);
    }
}

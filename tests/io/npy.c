#include "base/memory.h"
#include "io/array_file.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *npy_suite(void);

/* A file of version 1.0 with this dictionary and these bytes. */
static void make_file(Text *out, const char *dictionary, const void *data, size_t length) {
    size_t header = strlen(dictionary) + 1;
    text_bytes(out, "\x93NUMPY\x01\x00", 8);
    text_char(out, (char)(header & 255));
    text_char(out, (char)(header >> 8));
    text_string(out, dictionary);
    text_char(out, '\n');
    text_bytes(out, data, length);
}

static Tensor *parse(const char *dictionary, const void *data, size_t length, Error *err) {
    Text file;
    text_init(&file);
    make_file(&file, dictionary, data, length);
    Tensor *tensor = npy_parse(file.data, file.length, err);
    text_release(&file);
    return tensor;
}

static void assert_numbers(const char *type, const void *data, size_t length, double first,
                           double second) {
    char dictionary[96];
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", type);
    Error err = {0};
    Tensor *tensor = parse(dictionary, data, length, &err);
    ck_assert_msg(tensor != NULL, "%s: %s", type, err.message);
    ck_assert_double_eq(tensor_get(tensor, 0), first);
    ck_assert_double_eq(tensor_get(tensor, 1), second);
    tensor_unref(tensor);
}

START_TEST(types) {
    assert_numbers("|b1", "\x01\x00", 2, 1, 0);
    assert_numbers("|u1", "\xff\x02", 2, 255, 2);
    assert_numbers("|i1", "\xff\x80", 2, -1, -128);
    assert_numbers("<i2", "\x00\x80\x01\x00", 4, -32768, 1);
    assert_numbers(">i2", "\x80\x00\x00\x01", 4, -32768, 1);
    assert_numbers("<u4", "\xff\xff\xff\xff\x01\x00\x00\x00", 8, 4294967295.0, 1);
    assert_numbers("<i8", "\x00\x00\x00\x00\x00\x00\x00\x80\xff\xff\xff\xff\xff\xff\xff\xff", 16,
                   -9223372036854775808.0, -1);
    assert_numbers("<f2", "\x00\x3c\x01\x00", 4, 1, ldexp(1, -24));
    assert_numbers(">f2", "\xc0\x00\x7c\x00", 4, -2, INFINITY);
    assert_numbers("<f4", "\x00\x00\x80\x3f\x00\x00\x20\xc0", 8, 1, -2.5);
    assert_numbers(">f8", "\x3f\xf0\x00\x00\x00\x00\x00\x00\xc0\x04\x00\x00\x00\x00\x00\x00", 16, 1,
                   -2.5);
}
END_TEST

START_TEST(fortran_order) {
    Tensor *tensor =
        parse("{'fortran_order': True, 'shape': (2, 3), 'descr': '|u1'}", "\1\2\3\4\5\6", 6, NULL);
    const double expected[] = {1, 3, 5, 2, 4, 6};
    ck_assert_ptr_nonnull(tensor);
    ck_assert_int_eq(tensor->dtype, DTYPE_DOUBLE);
    for (size_t i = 0; i < 6; i++) ck_assert_double_eq(tensor_get(tensor, i), expected[i]);
    tensor_unref(tensor);
}
END_TEST

static void assert_refused(const char *dictionary, size_t length, const char *words) {
    static const char zeros[64];
    Error err = {0};
    ck_assert_ptr_null(parse(dictionary, zeros, length, &err));
    ck_assert_msg(err.kind == ERR_FILE || err.kind == ERR_LIMIT, "%s", dictionary);
    ck_assert_msg(strstr(err.message, words) != NULL, "%s: %s", dictionary, err.message);
}

START_TEST(lies_and_damage) {
    assert_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000)}", 64,
                   sizeof(size_t) < 8 ? "larger than any memory" : "only 64 bytes follow");
    assert_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}", 8,
                   "too many digits");
    assert_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2)}",
                   8, "");
    assert_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1)}", 8,
                   "6 axes");
    assert_refused("{'descr': '<f8', 'fortran_order': False}", 8, "missing");
    assert_refused("{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", 16, "<c16");
    assert_refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 8, "|O");
    assert_refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", 8, "fields");
    assert_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1", 8, "damaged");
    assert_refused("{'descr: <f8", 8, "damaged");
    assert_refused("", 8, "damaged");
    Error err = {0};
    ck_assert_ptr_null(npy_parse("\x93NUMPY\x01\x00\xff\xff{}", 12, &err));
    ck_assert_ptr_null(npy_parse("\x93NUMPY\x09\x00\x02\x00{}", 12, &err));
    ck_assert_ptr_null(npy_parse("", 0, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
}
END_TEST

/* Any single byte of the header may be wrong, and the file may end anywhere. */
START_TEST(no_byte_is_trusted) {
    Text file, changed;
    text_init(&file);
    text_init(&changed);
    make_file(&file, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", "12345678", 8);
    for (size_t i = 0; i < file.length; i++) {
        tensor_unref(npy_parse(file.data, i, NULL));
        for (int c = 0; c < 256; c++) {
            text_clear(&changed);
            text_bytes(&changed, file.data, file.length);
            changed.data[i] = (char)c;
            tensor_unref(npy_parse(changed.data, changed.length, NULL));
        }
    }
    text_release(&file);
    text_release(&changed);
}
END_TEST

static void assert_round_trip(DType dtype, Shape shape) {
    Text file;
    text_init(&file);
    Tensor *tensor = tensor_new(dtype, &shape, NULL);
    for (size_t i = 0; i < tensor->count; i++) tensor_set(tensor, i, (double)i * 0.1 - 1);
    ck_assert(npy_write(&file, tensor, NULL));
    ck_assert_uint_eq((file.length - tensor->count * dtype_size(dtype)) % 64, 0);
    Tensor *again = npy_parse(file.data, file.length, NULL);
    ck_assert_ptr_nonnull(again);
    ck_assert_int_eq(again->dtype, dtype);
    ck_assert(shape_equal(&again->shape, &shape));
    ck_assert_mem_eq(again->data, tensor->data, tensor->count * dtype_size(dtype));
    tensor_unref(tensor);
    tensor_unref(again);
    text_release(&file);
}

START_TEST(round_trip) {
    static const DType all[] = {DTYPE_BOOL, DTYPE_FLOAT, DTYPE_DOUBLE};
    for (int i = 0; i < 3; i++) {
        assert_round_trip(all[i], shape_scalar());
        assert_round_trip(all[i], shape_1d(9000));
        assert_round_trip(all[i], shape_2d(0, 3));
        assert_round_trip(all[i], shape_3d(2, 3, 4));
    }
}
END_TEST

START_TEST(memory_fails) {
    Text file;
    text_init(&file);
    make_file(&file, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", "12345678", 8);
    Tensor *tensor = npy_parse(file.data, file.length, NULL);
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Text out;
        text_init(&out);
        mem_fail_at(n, false);
        Tensor *copy = npy_parse(file.data, file.length, NULL);
        bool ok = npy_write(&out, tensor, NULL) && copy;
        mem_fail_at(0, false);
        tensor_unref(copy);
        text_release(&out);
        ck_assert_uint_eq(mem_used(), before);
        if (ok) break;
    }
    tensor_unref(tensor);
    text_release(&file);
}
END_TEST

Suite *npy_suite(void) {
    Suite *suite = suite_create("npy");
    TCase *tests = tcase_create("npy");
    tcase_add_test(tests, types);
    tcase_add_test(tests, fortran_order);
    tcase_add_test(tests, lies_and_damage);
    tcase_add_test(tests, no_byte_is_trusted);
    tcase_add_test(tests, round_trip);
    tcase_add_test(tests, memory_fails);
    suite_add_tcase(suite, tests);
    return suite;
}

#include "io/safetensors.h"

#include "base/memory.h"
#include "io/numbers.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *safetensors_suite(void);

/* ---- numbers of 16 bits ---- */

/* What the bits mean, from the definition alone. */
static double meaning(unsigned bits, int exponent_bits, int fraction_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1, most = (1 << exponent_bits) - 1;
    int exponent = (int)(bits >> fraction_bits) & most;
    double fraction = (double)(bits & ((1u << fraction_bits) - 1)) * pow(2, -fraction_bits);
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == most) return fraction == 0 ? sign * (double)INFINITY : (double)NAN;
    if (exponent == 0) return sign * fraction * pow(2, 1 - bias);
    return sign * (1 + fraction) * pow(2, exponent - bias);
}

static void assert_all_values(float (*read)(uint16_t), uint16_t (*write)(double), int exponent_bits,
                              int fraction_bits) {
    for (unsigned bits = 0; bits < 65536; bits++) {
        double expected = meaning(bits, exponent_bits, fraction_bits);
        double got = (double)read((uint16_t)bits);
        if (isnan(expected)) {
            ck_assert_msg(isnan(got) && isnan((double)read(write(got))), "%04x", bits);
            continue;
        }
        ck_assert_msg(got == expected && !signbit(got) == !signbit(expected), "%04x: %a", bits,
                      got);
        ck_assert_msg(write(got) == bits, "%04x becomes %04x", bits, write(got));

        /* Between it and the next larger one: the middle goes to the even one, a little beside it
         * to the nearer one. */
        double next = meaning(bits + 1, exponent_bits, fraction_bits);
        if ((bits & 0x7FFF) == 0x7FFF || isnan(next)) continue;
        if (isinf(next)) next = copysign(pow(2, 1 << (exponent_bits - 1)), expected);
        if (isinf(expected)) continue;
        double middle = expected + (next - expected) / 2;
        uint16_t low = (uint16_t)bits, high = (uint16_t)(bits + 1);
        ck_assert_msg(write(middle) == (bits % 2 ? high : low), "middle above %04x", bits);
        ck_assert_msg(write(nextafter(middle, next)) == high, "beyond the middle above %04x", bits);
        ck_assert_msg(write(nextafter(middle, expected)) == low, "below the middle above %04x",
                      bits);
    }
    ck_assert_int_eq(write(1e300), write((double)INFINITY));
    ck_assert_int_eq(write(-1e-320), 0x8000);
}

START_TEST(halves) { assert_all_values(half_to_float, half_from_double, 5, 10); }
END_TEST

START_TEST(brain_floats) { assert_all_values(bfloat_to_float, bfloat_from_double, 8, 7); }
END_TEST

/* ---- files ---- */

static Tensor *filled(DType dtype, Shape shape) {
    Tensor *tensor = tensor_new(dtype, &shape, NULL);
    for (size_t i = 0; i < tensor->count; i++) tensor_set(tensor, i, (double)(i % 7) * 0.5 - 1);
    return tensor;
}

enum { ITEMS = 5, TEXTS = 2 };
static SafetensorsItem items[ITEMS];
static const SafetensorsText texts[TEXTS] = {{"format", "none"}, {"a \"key\"", "é\n注"}};
static Text bytes;

static void setup(void) {
    items[0] = (SafetensorsItem){"flags", filled(DTYPE_BOOL, shape_1d(3)), SAFETENSORS_BOOL};
    items[1] = (SafetensorsItem){"h.0.w", filled(DTYPE_FLOAT, shape_2d(90, 101)), SAFETENSORS_F32};
    items[2] = (SafetensorsItem){"none", filled(DTYPE_DOUBLE, shape_2d(0, 3)), SAFETENSORS_F64};
    items[3] = (SafetensorsItem){"number", filled(DTYPE_DOUBLE, shape_scalar()), SAFETENSORS_F64};
    items[4] = (SafetensorsItem){"half", filled(DTYPE_DOUBLE, shape_1d(5)), SAFETENSORS_F16};
    text_init(&bytes);
    ck_assert(safetensors_write(&bytes, items, ITEMS, texts, TEXTS, NULL));
}

static void teardown(void) {
    for (int i = 0; i < ITEMS; i++) tensor_unref(items[i].tensor);
    text_release(&bytes);
}

static void assert_same(const Safetensors *file) {
    ck_assert_uint_eq(file->count, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        const SafetensorsEntry *entry = &file->entries[i];
        ck_assert_str_eq(entry->name, items[i].name);
        ck_assert_ptr_eq(safetensors_find(file, items[i].name), entry);
        Tensor *tensor = safetensors_tensor(file, entry, NULL);
        ck_assert(shape_equal(&tensor->shape, &items[i].tensor->shape));
        ck_assert_int_eq(tensor->dtype, i == 4 ? DTYPE_FLOAT : items[i].tensor->dtype);
        for (size_t n = 0; n < tensor->count; n++)
            ck_assert_double_eq(tensor_get(tensor, n), tensor_get(items[i].tensor, n));
        tensor_unref(tensor);
    }
    ck_assert_ptr_null(safetensors_find(file, "h.0"));
    ck_assert_str_eq(safetensors_metadata(file, "a \"key\""), "é\n注");
    ck_assert_ptr_null(safetensors_metadata(file, "h.0.w"));
}

START_TEST(round_trip) {
    Safetensors file;
    Error err = {0};
    ck_assert_msg(safetensors_parse(&file, bytes.data, bytes.length, &err), "%s", err.message);
    assert_same(&file);
    ck_assert_uint_eq(file.entries[2].begin % 8, 0); /* the widest lie first */
    safetensors_release(&file);

    char path[64];
    snprintf(path, sizeof path, "/tmp/attn-test-%d.safetensors", (int)getpid());
    ck_assert(safetensors_save(path, items, ITEMS, texts, TEXTS, NULL));
    ck_assert_msg(safetensors_open(&file, path, &err), "%s", err.message);
    assert_same(&file);

    /* The file is cut off after it was opened. */
    ck_assert_int_eq(truncate(path, (off_t)file.entries[1].begin + 10), 0);
    ck_assert_ptr_null(safetensors_tensor(&file, &file.entries[1], &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_ptr_nonnull(strstr(err.message, "shorter"));
    safetensors_release(&file);
    unlink(path);
}
END_TEST

START_TEST(reserved_name) {
    SafetensorsItem item = items[0];
    Error err = {0};
    Text out = TEXT_EMPTY;
    item.name = "__metadata__";
    ck_assert(!safetensors_write(&out, &item, 1, NULL, 0, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    text_release(&out);
}
END_TEST

/* Any single byte of the header may be wrong, and the file may end anywhere. What is read all the
 * same lies within the file. */
START_TEST(no_byte_is_trusted) {
    Safetensors file;
    size_t header = 8 + (unsigned char)bytes.data[0] + 256 * (size_t)(unsigned char)bytes.data[1];
    for (size_t i = 0; i < header; i++) {
        Error err = {0};
        ck_assert(!safetensors_parse(&file, bytes.data, i, &err));
        ck_assert_int_eq(err.kind, ERR_FILE);
        char right = bytes.data[i];
        for (int c = 0; c < 256; c++) {
            bytes.data[i] = (char)c;
            if (!safetensors_parse(&file, bytes.data, bytes.length, NULL)) continue;
            for (size_t n = 0; n < file.count; n++)
                tensor_unref(safetensors_tensor(&file, &file.entries[n], NULL));
            safetensors_release(&file);
        }
        bytes.data[i] = right;
    }
}
END_TEST

START_TEST(memory_fails) {
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Safetensors file;
        Error err = {0};
        Tensor *tensor = NULL;
        Text out = TEXT_EMPTY;
        mem_fail_at(n, false);
        bool opened = safetensors_parse(&file, bytes.data, bytes.length, &err);
        if (opened) tensor = safetensors_tensor(&file, &file.entries[1], &err);
        bool ok = opened && tensor && safetensors_write(&out, items, ITEMS, texts, TEXTS, &err);
        mem_fail_at(0, false);
        if (opened) safetensors_release(&file);
        tensor_unref(tensor);
        text_release(&out);
        ck_assert_uint_eq(mem_used(), before);
        if (ok) break;
        ck_assert_msg(err.kind == ERR_LIMIT, "%s", err.message);
    }
}
END_TEST

Suite *safetensors_suite(void) {
    Suite *suite = suite_create("safetensors");
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, halves);
    tcase_add_test(numbers, brain_floats);
    suite_add_tcase(suite, numbers);
    TCase *tests = tcase_create("files");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, round_trip);
    tcase_add_test(tests, reserved_name);
    tcase_add_test(tests, no_byte_is_trusted);
    tcase_add_test(tests, memory_fails);
    suite_add_tcase(suite, tests);
    return suite;
}

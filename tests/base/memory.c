#include "base/memory.h"

#include "base/error.h"

#include <check.h>
#include <stdint.h>
#include <string.h>

Suite *memory_suite(void);

START_TEST(blocks_are_counted) {
    Error err = {0};
    size_t before = mem_used();
    char *a = mem_alloc(100, &err), *b = mem_zeroed(10, 20, &err), *c = mem_aligned(1000, &err);
    ck_assert(a && b && c);
    ck_assert_uint_eq(mem_used() - before, 1300);
    a = mem_resize(a, 50, &err);
    ck_assert_uint_eq(mem_used() - before, 1250);
    mem_free(a);
    mem_free(b);
    mem_free(c);
    mem_free(NULL);
    ck_assert_uint_eq(mem_used(), before);
    ck_assert_uint_ge(mem_peak(), before + 1300);
    ck_assert_int_eq(err.kind, ERR_NONE);
}
END_TEST

START_TEST(blocks_are_aligned) {
    void *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        blocks[i] = i % 2 ? mem_aligned(i, NULL) : mem_alloc(i, NULL);
        ck_assert_ptr_nonnull(blocks[i]);
        ck_assert_uint_eq((uintptr_t)blocks[i] % (i % 2 ? 64 : 16), 0);
        memset(blocks[i], 1, i);
    }
    for (size_t i = 0; i < 200; i++) mem_free(blocks[i]);
}
END_TEST

START_TEST(zeroed_is_zero) {
    char *p = mem_zeroed(100, 10, NULL);
    for (int i = 0; i < 1000; i++) ck_assert_int_eq(p[i], 0);
    mem_free(p);
}
END_TEST

START_TEST(resize_keeps_the_bytes) {
    char *p = mem_resize(NULL, 3, NULL);
    memcpy(p, "abc", 3);
    for (size_t size = 4; size < 100000; size *= 3) {
        p = mem_resize(p, size, NULL);
        ck_assert_mem_eq(p, "abc", 3);
        ck_assert_uint_eq((uintptr_t)p % 16, 0);
    }
    mem_free(p);
}
END_TEST

START_TEST(arrays_grow_when_they_are_full) {
    Error err = {0};
    size_t count = 0, capacity = 0, before = mem_used();
    int *items = NULL;
    for (; count < 1000; count++) {
        bool full = count == capacity;
        mem_fail_at(1, false); /* only a full array asks for memory */
        int *grown = mem_grow(items, count, &capacity, sizeof *items, &err);
        ck_assert_ptr_eq(grown, full ? NULL : items);
        mem_fail_at(0, false);
        grown = mem_grow(items, count, &capacity, sizeof *items, NULL);
        ck_assert_ptr_nonnull(grown);
        items = grown;
        items[count] = (int)count;
    }
    for (size_t i = 0; i < count; i++) ck_assert_int_eq(items[i], (int)i);
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    ck_assert_uint_eq(capacity, 1024);
    ck_assert_ptr_null(mem_grow(NULL, 0, &(size_t){0}, SIZE_MAX / 2, NULL));
    mem_free(items);
    ck_assert_uint_eq(mem_used(), before);
}
END_TEST

START_TEST(nothing_is_something) {
    void *p = mem_alloc(0, NULL), *q = mem_zeroed(0, 8, NULL), *r = mem_aligned(0, NULL);
    ck_assert(p && q && r);
    mem_free(p);
    mem_free(q);
    mem_free(r);
}
END_TEST

START_TEST(strings_are_copied) {
    char *s = mem_string("abcdef", 3, NULL), *empty = mem_string(NULL, 0, NULL);
    ck_assert_str_eq(s, "abc");
    ck_assert_str_eq(empty, "");
    mem_free(s);
    mem_free(empty);
}
END_TEST

START_TEST(the_limit_holds) {
    Error err = {0};
    size_t before = mem_used();
    mem_set_limit(before + 1000);
    ck_assert_uint_eq(mem_limit(), before + 1000);
    void *p = mem_alloc(600, &err);
    ck_assert_ptr_nonnull(p);
    ck_assert_ptr_null(mem_alloc(401, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    ck_assert_ptr_null(mem_zeroed(401, 1, NULL));
    ck_assert_ptr_null(mem_aligned(401, NULL));
    ck_assert_ptr_null(mem_resize(p, 1001, NULL));
    p = mem_resize(p, 1000, NULL);
    ck_assert_ptr_nonnull(p);
    mem_free(p);
    ck_assert_uint_eq(mem_used(), before);
}
END_TEST

START_TEST(a_limit_below_what_is_held) {
    void *p = mem_alloc(1000, NULL);
    mem_set_limit(10);
    ck_assert_ptr_null(mem_alloc(1, NULL));
    mem_free(p);
}
END_TEST

START_TEST(sizes_that_no_machine_has) {
    Error err = {0};
    mem_set_limit(SIZE_MAX);
    ck_assert_ptr_null(mem_alloc(SIZE_MAX, &err));
    ck_assert_ptr_null(mem_alloc(SIZE_MAX - 20, &err));
    ck_assert_ptr_null(mem_aligned(SIZE_MAX - 50, &err));
    ck_assert_ptr_null(mem_zeroed(SIZE_MAX / 2, 3, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST

START_TEST(the_default_limit_is_sensible) { ck_assert_uint_gt(mem_limit(), 1 << 20); }
END_TEST

START_TEST(failure_on_demand) {
    Error err = {0};
    long before = mem_requests();
    mem_fail_at(2, false);
    void *p = mem_alloc(1, &err);
    ck_assert_ptr_nonnull(p);
    ck_assert_ptr_null(mem_alloc(1, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    void *q = mem_resize(p, 10, &err);
    ck_assert_ptr_nonnull(q);
    mem_fail_at(1, true);
    for (int i = 0; i < 3; i++) ck_assert_ptr_null(mem_resize(q, 20, &err));
    mem_fail_at(0, false);
    ck_assert_int_eq((int)(mem_requests() - before), 6);
    mem_free(q);
}
END_TEST

START_TEST(products) {
    size_t out = 0;
    ck_assert(size_multiply(3, 4, &out) && out == 12);
    ck_assert(size_multiply(0, SIZE_MAX, &out) && out == 0);
    ck_assert(size_multiply(SIZE_MAX, 0, &out) && out == 0);
    ck_assert(size_multiply(SIZE_MAX, 1, &out) && out == SIZE_MAX);
    ck_assert(!size_multiply(SIZE_MAX / 2 + 1, 2, &out));
}
END_TEST

Suite *memory_suite(void) {
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_add_test(tests, blocks_are_counted);
    tcase_add_test(tests, blocks_are_aligned);
    tcase_add_test(tests, zeroed_is_zero);
    tcase_add_test(tests, resize_keeps_the_bytes);
    tcase_add_test(tests, arrays_grow_when_they_are_full);
    tcase_add_test(tests, nothing_is_something);
    tcase_add_test(tests, strings_are_copied);
    tcase_add_test(tests, the_limit_holds);
    tcase_add_test(tests, a_limit_below_what_is_held);
    tcase_add_test(tests, sizes_that_no_machine_has);
    tcase_add_test(tests, the_default_limit_is_sensible);
    tcase_add_test(tests, failure_on_demand);
    tcase_add_test(tests, products);
    suite_add_tcase(suite, tests);
    return suite;
}

#include "base/arena.h"

#include "base/error.h"
#include "base/memory.h"

#include <check.h>
#include <stdint.h>
#include <string.h>

Suite *arena_suite(void);

START_TEST(pieces_are_zeroed_aligned_and_apart) {
    Arena arena;
    arena_init(&arena);
    size_t before = mem_used();
    unsigned char *pieces[500];
    for (size_t i = 0; i < 500; i++) {
        size_t bytes = i % 97 == 0 ? 20000 : i % 60;
        pieces[i] = arena_alloc(&arena, bytes, NULL);
        ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
        for (size_t k = 0; k < bytes; k++) ck_assert_uint_eq(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 255) + 1, bytes);
    }
    for (size_t i = 0; i < 500; i++) {
        if (i % 60) ck_assert_uint_eq(pieces[i][i % 60 - 1], i % 255 + 1);
    }
    ck_assert_uint_gt(mem_used(), before);
    arena_release(&arena);
    ck_assert_uint_eq(mem_used(), before);
    arena_release(&arena);
}
END_TEST

START_TEST(large_pieces_leave_room_for_small_ones) {
    Arena arena;
    arena_init(&arena);
    arena_alloc(&arena, 16, NULL);
    arena_alloc(&arena, 100000, NULL);
    long before = mem_requests();
    for (int i = 0; i < 100; i++) arena_alloc(&arena, 16, NULL);
    ck_assert_int_eq((int)(mem_requests() - before), 0);
    arena_release(&arena);
}
END_TEST

START_TEST(strings) {
    Arena arena;
    arena_init(&arena);
    ck_assert_str_eq(arena_string(&arena, "query", 3, NULL), "que");
    ck_assert_str_eq(arena_string(&arena, NULL, 0, NULL), "");
    arena_release(&arena);
}
END_TEST

START_TEST(exhausted_memory_is_an_error) {
    Arena arena;
    Error err = {0};
    arena_init(&arena);
    ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX - 3, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    mem_fail_at(1, true);
    ck_assert_ptr_null(arena_alloc(&arena, 1, &err));
    ck_assert_ptr_null(arena_string(&arena, "a", 1, &err));
    mem_fail_at(0, false);
    ck_assert_ptr_nonnull(arena_alloc(&arena, 1, &err));
    arena_release(&arena);
}
END_TEST

Suite *arena_suite(void) {
    Suite *suite = suite_create("arena");
    TCase *tests = tcase_create("arena");
    tcase_add_test(tests, pieces_are_zeroed_aligned_and_apart);
    tcase_add_test(tests, large_pieces_leave_room_for_small_ones);
    tcase_add_test(tests, strings);
    tcase_add_test(tests, exhausted_memory_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}

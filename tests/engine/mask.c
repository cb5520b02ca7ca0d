#include "engine/attention/mask.h"

#include "base/memory.h"
#include "tests/engine/near.h"

#include <string.h>

Suite *mask_suite(void);

static void check_words(const char *words, const char *written) {
    Error err = {0};
    MaskSpec mask;
    Text text;
    text_init(&text);
    ck_assert_msg(mask_parse(&mask, words, &err), "%s: %s", words, err.message);
    mask_write(&text, &mask);
    ck_assert_str_eq(text.data, written);
    text_release(&text);
    mask_release(&mask);
}

static void check_refused(const char *words, const char *message, const char *hint) {
    Error err = {0};
    MaskSpec mask = {.count = 7};
    ck_assert_msg(!mask_parse(&mask, words, &err), "%s", words);
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.hint, hint) != NULL, "%s", err.hint);
    ck_assert_int_eq(mask.count, 7);
}

START_TEST(words_are_read) {
    check_words("none", "none");
    check_words(" causal ", "causal");
    check_words("causal and window 4", "causal and window 4");
    check_words("padding 3  and window 0 and causal", "padding 3 and window 0 and causal");
}
END_TEST

START_TEST(wrong_words_are_explained) {
    check_refused("casual", "\"casual\" is no mask", "Did you mean causal?");
    check_refused("xyz", "\"xyz\" is no mask", "none, causal, window W, padding N");
    check_refused("", "missing", "causal");
    check_refused("window", "the width of a window is missing", "window 4");
    check_refused("window -1", "0 or more, not -1", "");
    check_refused("window inf", "not inf", "");
    check_refused("padding 1.5", "whole number", "");
    check_refused("causal window 4", "\"window\" comes where a mask ends", "joined by \"and\"");
    check_refused("causal and", "the mask is missing", "");
    check_refused("none and causal", "\"and\" comes where a mask ends", "");
    check_refused("causal and none", "none is given alone", "");
    check_refused("segments A", "must be an array", "segment_mask");
}
END_TEST

START_TEST(terms_have_a_limit) {
    Error err = {0};
    MaskSpec mask = {.count = 0};
    for (int i = 0; i < MASK_TERMS_MAX; i++)
        ck_assert(mask_add(&mask, &causal_mask, 0, NULL, &err));
    ck_assert(!mask_add(&mask, &causal_mask, 0, NULL, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST

static Tensor *alone(const MaskDef *kind, double number, Tensor *array, size_t queries, size_t keys,
                     Error *err) {
    MaskTerm term = {kind, number, array};
    return mask_alone(&term, queries, keys, err);
}

START_TEST(arrays_are_as_documented) {
    Error err = {0};
    Tensor *causal = alone(&causal_mask, 0, NULL, 3, 3, &err),
           *window = alone(&window_mask, 1, NULL, 4, 4, &err),
           *padding = alone(&padding_mask, 2, NULL, 1, 4, &err);
    Tensor *ids = VECTOR(5, 5, 7), *segments = alone(&segments_mask, 0, ids, 3, 3, &err),
           *none = alone(&causal_mask, 0, NULL, 0, 0, &err);
    CHECK_EXACT(causal, 1, 0, 0, 1, 1, 0, 1, 1, 1);
    CHECK_EXACT(window, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1);
    CHECK_EXACT(padding, 1, 1, 0, 0);
    CHECK_EXACT(segments, 1, 1, 0, 1, 1, 0, 0, 0, 1);
    ck_assert_int_eq(causal->dtype, DTYPE_BOOL);
    ck_assert_uint_eq(none->count, 0);
    ck_assert_ptr_null(alone(&window_mask, -1, NULL, 3, 3, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    Tensor *matrix = MATRIX(1, 2, 1, 2);
    ck_assert_ptr_null(alone(&segments_mask, 0, matrix, 2, 2, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    Tensor *const all[] = {causal, window, padding, ids, segments, none, matrix};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

/* mask is released */
static Tensor *visible_of(MaskSpec *mask, size_t heads, size_t queries, size_t keys,
                          long long offset) {
    Error err = {0};
    Tensor *visible = NULL, *added = NULL;
    ck_assert_msg(mask_resolve(mask, heads, queries, keys, offset, &visible, &added, &err), "%s",
                  err.message);
    ck_assert_ptr_null(added);
    mask_release(mask);
    return visible;
}

static Tensor *visible_words(const char *words, size_t queries, size_t keys, long long offset) {
    Error err = {0};
    MaskSpec mask;
    ck_assert(mask_parse(&mask, words, &err));
    return visible_of(&mask, 1, queries, keys, offset);
}

START_TEST(queries_stand_at_their_offset) {
    Tensor *causal = visible_words("causal", 2, 5, 2);
    Tensor *both = visible_words("causal and window 1", 2, 5, 2);
    Tensor *early = visible_words("causal", 2, 2, -1);
    Tensor *far = visible_words("window 9007199254740992", 1, 2, -3);
    CHECK_EXACT(causal, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0);
    CHECK_EXACT(both, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0);
    CHECK_EXACT(early, 0, 0, 1, 0);
    CHECK_EXACT(far, 1, 1);
    tensor_unref(causal);
    tensor_unref(both);
    tensor_unref(early);
    tensor_unref(far);
}
END_TEST

START_TEST(segments_go_by_place) {
    Error err = {0};
    Tensor *ids = VECTOR(1, 1, 2, 2);
    MaskSpec mask = {.count = 0};
    ck_assert(mask_add(&mask, &segments_mask, 0, ids, &err));
    Tensor *visible = visible_of(&mask, 1, 2, 3, 1);
    CHECK_EXACT(visible, 1, 1, 0, 0, 0, 1);
    Tensor *none, *added;
    ck_assert(mask_add(&mask, &segments_mask, 0, ids, &err));
    ck_assert(!mask_resolve(&mask, 1, 2, 3, 3, &none, &added, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_str_eq(
        err.message,
        "there are 4 segment ids, but the last query is at position 4: there must be at least 5");
    ck_assert(!mask_resolve(&mask, 1, 2, 5, 0, &none, &added, &err));
    ck_assert_str_eq(err.message, "there are 4 segment ids, but 5 keys: there must be at least 5");
    ck_assert(!mask_resolve(&mask, 1, 2, 3, -1, &none, &added, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    mask_release(&mask);
    tensor_unref(visible);
    tensor_unref(ids);
}
END_TEST

START_TEST(arrays_are_spread_out) {
    Error err = {0};
    MaskSpec mask = {.count = 0};
    Tensor *row = near_tensor(DTYPE_BOOL, shape_1d(3), NUMBERS(1, 0, 1));
    Tensor *column = BOOLS(2, 1, 1, 0);
    Tensor *heads = near_tensor(DTYPE_BOOL, shape_3d(2, 1, 1), NUMBERS(1, 0));
    ck_assert(mask_add(&mask, &array_mask, 0, row, &err) &&
              mask_add(&mask, &array_mask, 0, column, &err));
    Tensor *flat = visible_of(&mask, 2, 2, 3, 0);
    CHECK_EXACT(flat, 1, 0, 1, 0, 0, 0);
    ck_assert(mask_add(&mask, &array_mask, 0, row, &err) &&
              mask_add(&mask, &array_mask, 0, heads, &err));
    Tensor *deep = visible_of(&mask, 2, 2, 3, 0);
    CHECK_EXACT(deep, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0);
    ck_assert_int_eq(deep->shape.axes, 3);
    Tensor *const all[] = {row, column, heads, flat, deep};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(numbers_are_added) {
    Error err = {0};
    MaskSpec mask = {.count = 0};
    Tensor *visible, *added, *numbers = MATRIX(2, 2, 0, -1, 0.5, 2), *row = VECTOR(10, 20);
    ck_assert(mask_add(&mask, &array_mask, 0, numbers, &err) &&
              mask_add(&mask, &array_mask, 0, row, &err) &&
              mask_add(&mask, &causal_mask, 0, NULL, &err));
    ck_assert(mask_resolve(&mask, 1, 2, 2, 0, &visible, &added, &err));
    CHECK_EXACT(visible, 1, 0, 1, 1);
    CHECK_EXACT(added, 10, 19, 10.5, 22);
    mask_release(&mask);
    tensor_unref(visible);
    tensor_unref(added);
    tensor_unref(numbers);
    tensor_unref(row);
}
END_TEST

START_TEST(shapes_are_named) {
    Error err = {0};
    MaskSpec mask = {.count = 0};
    Tensor *square = BOOLS(3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1), *visible, *added;
    ck_assert(mask_add(&mask, &array_mask, 0, square, &err));
    ck_assert(!mask_resolve(&mask, 1, 4, 5, 0, &visible, &added, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_str_eq(err.message,
                     "the mask is 3×3, but there are 4 queries and 5 keys: it must be 4×5");
    ck_assert(!mask_resolve(&mask, 2, 1, 3, 0, &visible, &added, &err));
    ck_assert_str_eq(
        err.message,
        "the mask is 3×3, but there are 2 heads, 1 query and 3 keys: it must be 1×3 or 2×1×3");
    mask_release(&mask);
    tensor_unref(square);
}
END_TEST

START_TEST(memory_may_run_out) {
    Error err = {0};
    MaskSpec mask = {.count = 0};
    Tensor *numbers = VECTOR(1, 2), *visible = NULL, *added = NULL;
    ck_assert(mask_add(&mask, &array_mask, 0, numbers, &err));
    bool done = false;
    for (long n = 1; !done && n < 100; n++) {
        mem_fail_at(n, false);
        done = mask_resolve(&mask, 1, 3, 2, 0, &visible, &added, &err);
    }
    mem_fail_at(0, false);
    ck_assert(done && err.kind == ERR_LIMIT);
    mask_release(&mask);
    tensor_unref(visible);
    tensor_unref(added);
    tensor_unref(numbers);
}
END_TEST

Suite *mask_suite(void) {
    Suite *suite = suite_create("mask");
    TCase *c = tcase_create("mask");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, words_are_read);
    tcase_add_test(c, wrong_words_are_explained);
    tcase_add_test(c, terms_have_a_limit);
    tcase_add_test(c, arrays_are_as_documented);
    tcase_add_test(c, queries_stand_at_their_offset);
    tcase_add_test(c, segments_go_by_place);
    tcase_add_test(c, arrays_are_spread_out);
    tcase_add_test(c, numbers_are_added);
    tcase_add_test(c, shapes_are_named);
    tcase_add_test(c, memory_may_run_out);
    suite_add_tcase(suite, c);
    return suite;
}

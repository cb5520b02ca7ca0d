#include "view/terminal/cells.h"

#include "base/error.h"
#include "base/memory.h"

#include <check.h>
#include <math.h>

Suite *cells_suite(void);

START_TEST(blocks_are_even) {
    for (size_t count = 1; count < 60; count++) {
        for (size_t cells = 1; cells <= count; cells++) {
            ck_assert_uint_eq(block_begin(cells, count, cells), count);
            for (size_t i = 0; i < cells; i++) {
                size_t from = block_begin(i, count, cells), to = block_begin(i + 1, count, cells);
                ck_assert(to - from == count / cells || to - from == count / cells + 1);
                for (size_t at = from; at < to; at++)
                    ck_assert_uint_eq(block_of(at, count, cells), i);
            }
        }
    }
}
END_TEST

static const double cells[] = {1,      3, 10, NAN, /**/ 5, 7, NAN, NAN,
                               /**/ 0, 0, 4,  4,   /**/ 0, 8, 4,   4};
static const bool hidden[] = {false, false, false, false, true, true, false, false,
                              true,  true,  false, false, true, true, false, false};

START_TEST(each_cell_is_the_largest) {
    static const double negative[] = {-3, -1, NAN, NAN};
    Picture picture = {
        .kind = PICTURE_HEATMAP, .cells = cells, .rows = 4, .columns = 4, .hidden = hidden};
    Grid grid;
    ck_assert(grid_init(&grid, &picture, 2, 2, true, NULL));
    ck_assert_double_eq(grid.values[0], 3);
    ck_assert_double_eq(grid.values[1], 10);
    ck_assert(grid.hidden[2]);
    grid_release(&grid);
    picture = (Picture){.kind = PICTURE_HEATMAP, .cells = negative, .rows = 1, .columns = 4};
    ck_assert(grid_init(&grid, &picture, 1, 2, true, NULL));
    ck_assert_double_eq(grid.values[0], -1);
    ck_assert(isnan(grid.values[1]));
    grid_release(&grid);
}
END_TEST

START_TEST(each_cell_is_a_mean) {
    Picture picture = {.kind = PICTURE_HEATMAP, .cells = cells, .rows = 4, .columns = 4};
    Grid grid;
    ck_assert(grid_init(&grid, &picture, 2, 2, false, NULL));
    ck_assert_double_eq(grid.values[0], 4);
    ck_assert_double_eq(grid.values[1], 10);
    ck_assert_double_eq(grid.values[2], 2);
    ck_assert_double_eq(grid.values[3], 4);
    ck_assert_uint_eq(grid.missing_values, 3);
    ck_assert_uint_eq(grid.hidden_values, 0);
    grid_release(&grid);
}
END_TEST

START_TEST(hidden_values_count_in_none) {
    Picture picture = {
        .kind = PICTURE_HEATMAP, .cells = cells, .rows = 4, .columns = 4, .hidden = hidden};
    Grid grid;
    ck_assert(grid_init(&grid, &picture, 2, 2, false, NULL));
    ck_assert_double_eq(grid.values[0], 2);
    ck_assert(!grid.hidden[0] && grid.hidden[2] && isnan(grid.values[2]) && !grid.hidden[3]);
    ck_assert_uint_eq(grid.hidden_values, 6);
    grid_release(&grid);
}
END_TEST

START_TEST(whole_is_as_it_was) {
    Picture picture = {.kind = PICTURE_HEATMAP, .cells = cells, .rows = 2, .columns = 3};
    Grid grid;
    ck_assert(grid_init(&grid, &picture, 2, 3, false, NULL));
    for (size_t i = 0; i < 6; i++)
        ck_assert(grid.values[i] == cells[i] || (isnan(grid.values[i]) && isnan(cells[i])));
    grid_release(&grid);
}
END_TEST

START_TEST(no_memory) {
    Picture picture = {.kind = PICTURE_HEATMAP, .cells = cells, .rows = 4, .columns = 4};
    size_t before = mem_used();
    for (long n = 1; n <= 2; n++) {
        Grid grid;
        Error err = {0};
        mem_fail_at(n, false);
        ck_assert(!grid_init(&grid, &picture, 2, 2, false, &err));
        mem_fail_at(0, false);
        ck_assert_int_eq(err.kind, ERR_LIMIT);
        ck_assert_uint_eq(mem_used(), before);
    }
}
END_TEST

Suite *cells_suite(void) {
    Suite *suite = suite_create("cells");
    TCase *tests = tcase_create("cells");
    tcase_add_test(tests, blocks_are_even);
    tcase_add_test(tests, each_cell_is_the_largest);
    tcase_add_test(tests, each_cell_is_a_mean);
    tcase_add_test(tests, hidden_values_count_in_none);
    tcase_add_test(tests, whole_is_as_it_was);
    tcase_add_test(tests, no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}

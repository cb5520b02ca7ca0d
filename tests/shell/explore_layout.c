/* What stands where: at every size within the screen, apart from each other, with the selected cell
 * in sight. */
#include "shell/explore/explore_layout.h"

#include <check.h>

Suite *explore_layout_suite(void);

static void check_inside(const ExploreArea *area, const ExploreSize *size, const char *name) {
    if (!area_is_there(area)) return;
    ck_assert_msg(area->row + area->rows <= size->rows &&
                      area->column + area->columns <= size->columns,
                  "%s at %zu,%zu of %zux%zu is beside a screen of %zux%zu", name, area->row,
                  area->column, area->columns, area->rows, size->columns, size->rows);
}

static bool overlap(const ExploreArea *a, const ExploreArea *b) {
    return area_is_there(a) && area_is_there(b) && a->row < b->row + b->rows &&
           b->row < a->row + a->rows && a->column < b->column + b->columns &&
           b->column < a->column + a->columns;
}

static void check_areas(const ExploreLayout *layout, const ExploreSize *size) {
    const struct {
        const char *name;
        const ExploreArea *area;
    } all[] = {{"title", &layout->title},     {"heat", &layout->heat}, {"part", &layout->part},
               {"working", &layout->working}, {"list", &layout->list}, {"keys", &layout->keys},
               {"message", &layout->message}};
    enum { ALL = sizeof all / sizeof *all };
    for (size_t i = 0; i < ALL; i++) {
        if (size->columns >= 12) check_inside(all[i].area, size, all[i].name);
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(!overlap(all[i].area, all[j].area),
                          "%s and %s overlap at %zux%zu, %zu keys", all[i].name, all[j].name,
                          size->columns, size->rows, size->keys);
    }
}

static void check_selection(const ExploreLayout *layout, const ExploreSize *size) {
    ck_assert_uint_le(layout->first_query, size->query);
    ck_assert_uint_lt(size->query, layout->first_query + layout->shown_queries);
    ck_assert_uint_le(layout->first_key, size->key);
    ck_assert_uint_lt(size->key, layout->first_key + layout->shown_keys);
    ck_assert_uint_le(layout->first_query + layout->shown_queries, size->queries);
    ck_assert_uint_le(layout->first_key + layout->shown_keys, size->keys);
}

START_TEST(fits_every_screen) {
    static const size_t counts[] = {1, 2, 6, 13, 32, 500};
    for (size_t columns = 1; columns <= 220; columns += columns < 90 ? 1 : 7)
        for (size_t rows = 1; rows <= 60; rows += rows < 26 ? 1 : 5)
            for (size_t c = 0; c < 6; c++)
                for (int variant = 0; variant < 4; variant++) {
                    ExploreLayout layout = {.first_query = 3, .first_key = 400};
                    ExploreSize size = {.columns = columns,
                                        .rows = rows,
                                        .queries = variant & 1 ? counts[c] : 6,
                                        .keys = counts[c],
                                        .query_width = variant ? 3 : 30,
                                        .key_width = 4,
                                        .zoomed = variant & 2};
                    size.query = size.queries - 1;
                    size.key = size.keys / 2;
                    explore_layout(&layout, &size);
                    check_areas(&layout, &size);
                    check_selection(&layout, &size);
                }
}
END_TEST

/* What can stay in its place stays, and a step beyond the edge moves by one. */
START_TEST(scrolls_with_the_selection) {
    ExploreLayout layout = {.first_query = 0};
    ExploreSize size = {
        .columns = 80, .rows = 24, .queries = 100, .keys = 100, .query_width = 2, .key_width = 2};
    explore_layout(&layout, &size);
    size_t shown = layout.shown_queries;
    ck_assert(shown < size.queries && area_is_there(&layout.part));
    for (size.query = 0; size.query < 100; size.query++) {
        explore_layout(&layout, &size);
        ck_assert_uint_eq(layout.first_query, size.query < shown ? 0 : size.query + 1 - shown);
    }
    size.query = 99 - shown + 1;
    explore_layout(&layout, &size);
    ck_assert_uint_eq(layout.first_query, 100 - shown);
}
END_TEST

static ExploreLayout at(size_t columns, size_t rows, size_t count, bool zoomed) {
    ExploreLayout layout = {.first_query = 0};
    ExploreSize size = {.columns = columns,
                        .rows = rows,
                        .queries = count,
                        .keys = count,
                        .query_width = 3,
                        .key_width = 3,
                        .zoomed = zoomed};
    explore_layout(&layout, &size);
    return layout;
}

START_TEST(shows_what_there_is_room_for) {
    ExploreLayout small = at(40, 20, 6, false), usual = at(80, 24, 6, false),
                  large = at(200, 50, 6, false), many = at(80, 24, 32, false);
    ck_assert_uint_eq(small.decimals, 2);
    ck_assert_int_eq(small.entropy, ENTROPY_NUMBER);
    ck_assert_uint_eq(small.shown_queries, 6);
    ck_assert(area_is_there(&small.working) && small.working.rows >= 7 &&
              !area_is_there(&small.list));
    ck_assert_uint_eq(usual.decimals, 3);
    ck_assert_int_eq(usual.entropy, ENTROPY_BAR);
    ck_assert(area_is_there(&usual.working) && area_is_there(&usual.list) &&
              usual.list.row == usual.working.row);
    ck_assert_uint_gt(large.working.column, large.heat.column + large.heat.columns);
    ck_assert_uint_ge(large.list.rows, 20);
    ck_assert_uint_eq(many.decimals, 0);
    ck_assert_uint_eq(many.shown_keys, 32);
    ck_assert_uint_ge(many.shown_queries, 10);
    ck_assert_uint_ge(many.working.rows, 7);
    ck_assert_uint_eq(at(200, 50, 32, false).shown_queries, 32);
    ck_assert_uint_gt(at(200, 50, 32, false).decimals, 0);
}
END_TEST

START_TEST(zooming_turns_the_numbers) {
    ck_assert_uint_eq(at(80, 24, 6, true).decimals, 0);
    ExploreLayout many = at(80, 24, 32, true);
    ck_assert_uint_gt(many.decimals, 0);
    ck_assert_uint_lt(many.shown_keys, 32);
}
END_TEST

Suite *explore_layout_suite(void) {
    Suite *suite = suite_create("explore_layout");
    TCase *tests = tcase_create("layout");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, fits_every_screen);
    tcase_add_test(tests, scrolls_with_the_selection);
    tcase_add_test(tests, shows_what_there_is_room_for);
    tcase_add_test(tests, zooming_turns_the_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}

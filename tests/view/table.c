#include "view/terminal/table.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <check.h>
#include <math.h>
#include <string.h>

Suite *table_suite(void);

static void assert_table(const Table *table, int columns, ColorDepth color, bool utf8,
                         const char *expected) {
    Text text;
    text_init(&text);
    table_write(&text, table, columns, color, utf8);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

static const double weights[] = {1, 0, 0.21194, 0.78806};
static const bool hidden[] = {false, true, false, false};
static const double entropy[] = {0, 0.5163};
static const char *const tokens[] = {"猫", "sat"};

static Table small_table(void) {
    static const TableColumn extra = {"entropy", entropy, false};
    return (Table){.cells = weights,
                   .rows = 2,
                   .columns = 2,
                   .row_labels = {tokens, 2},
                   .column_labels = {tokens, 2},
                   .hidden = hidden,
                   .shaded = true,
                   .high = 1,
                   .palette = "viridis",
                   .extra = &extra,
                   .extra_count = 1,
                   .digits = 4,
                   .corner = "weights"};
}

START_TEST(plain) {
    Table table = small_table();
    assert_table(&table, 80, COLOR_NONE, true,
                 "weights      猫     sat  entropy\n"
                 "猫       1.0000       ·   0.0000\n"
                 "sat      0.2119  0.7881   0.5163\n");
    assert_table(&table, 80, COLOR_NONE, false,
                 "weights       ?     sat  entropy\n"
                 "?        1.0000       .   0.0000\n"
                 "sat      0.2119  0.7881   0.5163\n");
}
END_TEST

START_TEST(colors) {
    static const double x[] = {0, 1};
    Table table = {.cells = x,
                   .rows = 1,
                   .columns = 2,
                   .shaded = true,
                   .high = 1,
                   .palette = "viridis",
                   .digits = 4};
    assert_table(&table, 80, COLOR_TRUE, true,
                 "   0  1\n0 \x1b[38;2;255;255;255;48;2;68;1;84m 0 "
                 "\x1b[0m\x1b[38;2;0;0;0;48;2;253;231;37m 1 \x1b[0m\n");
    assert_table(&table, 80, COLOR_16, true,
                 "   0  1\n0 \x1b[97;44m 0 \x1b[0m\x1b[30;103m 1 \x1b[0m\n");
    table.shaded = false;
    assert_table(&table, 80, COLOR_TRUE, true, "   0  1\n0  0  1\n");
}
END_TEST

/* Display width of a line without its colours. */
static size_t line_width(const char *line, size_t length) {
    Text bare;
    text_init(&bare);
    for (size_t i = 0; i < length; i++) {
        if (line[i] != '\x1b') text_char(&bare, line[i]);
        else
            while (line[i] != 'm') i++;
    }
    size_t width = utf8_width(bare.data, bare.length);
    text_release(&bare);
    return width;
}

static void assert_width(const Text *text, size_t columns) {
    for (const char *line = text->data; *line;) {
        const char *end = strchr(line, '\n');
        ck_assert_msg(line_width(line, (size_t)(end - line)) <= columns, "wider than %zu: %.*s",
                      columns, (int)(end - line), line);
        line = end + 1;
    }
}

/* A table of weights whose row i has 0.9 on column 5 * i % n. */
static Table weighed_table(size_t n, size_t asked) {
    static double cells[64 * 64];
    for (size_t i = 0; i < n * n; i++)
        cells[i] = i % n == 5 * (i / n) % n ? 0.9 - (double)(i / n) / 1000 : 0.001;
    return (Table){.cells = cells,
                   .rows = n,
                   .columns = n,
                   .digits = 4,
                   .palette = "viridis",
                   .weighs = true,
                   .asked = asked};
}

START_TEST(any_size_fits_any_width) {
    static double x[100 * 100];
    static const char *const labels[] = {"一个很长的标签一个很长的标签", "a_rather_long_label", "b",
                                         ""};
    for (int i = 0; i < 10000; i++) x[i] = sin(i) * 10;
    for (size_t n = 1; n <= 100; n += n < 12 ? 1 : 29) {
        for (int columns = 24; columns < 130; columns += 7) {
            for (int color = COLOR_NONE; color <= COLOR_TRUE; color += 3) {
                TableColumn extra[] = {{"entropy", x, false}, {"of ln n", x, true}};
                Table table = {.cells = x,
                               .rows = n,
                               .columns = n,
                               .row_labels = {labels, 4},
                               .column_labels = {labels, 4},
                               .shaded = true,
                               .weighs = color % 2 == 0,
                               .asked = n / 2,
                               .palette = "diverging",
                               .extra = extra,
                               .extra_count = 2,
                               .digits = 4,
                               .corner = "scores"};
                Text text;
                text_init(&text);
                table_write(&text, &table, columns, (ColorDepth)color, true);
                assert_width(&text, (size_t)columns);
                text_release(&text);
            }
        }
    }
}
END_TEST

START_TEST(says_what_it_leaves_out) {
    static double x[100 * 64];
    Table table = {.cells = x, .rows = 100, .columns = 64, .digits = 4, .palette = "viridis"};
    x[0] = 0.5;
    Text text;
    text_init(&text);
    table_write(&text, &table, 80, COLOR_NONE, true);
    ck_assert_ptr_nonnull(strstr(text.data, "rows 20 to 79 of 100 are not shown\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "columns 5 to 58 of 64 are not shown\n"));
    text_release(&text);
}
END_TEST

/* Where columns are left out, what is asked about stays: the column of the asked row itself, its
 * largest, and then those of the other rows. */
START_TEST(keeps_what_matters) {
    Table all = weighed_table(11, SIZE_MAX); /* with fewer digits all fit */
    Text text = TEXT_EMPTY;
    table_write(&text, &all, 60, COLOR_NONE, true);
    ck_assert_msg(strstr(text.data, "    0    1    2    3    4    5    6    7    8    9   10\n") &&
                      strstr(text.data, "\nnot shown: more digits\n"),
                  "%s", text.data);
    Table asked = weighed_table(64, 50);
    text_clear(&text);
    table_write(&text, &asked, 30, COLOR_NONE, true);
    ck_assert_msg(strstr(text.data, "     0 …    5 …   50 …   58 …\n"), "%s", text.data);
    text_release(&text);
}
END_TEST

/* Cells of the rows that are shown are enough. */
START_TEST(gathered_rows) {
    enum { ROWS = 100, COLUMNS = 3 };
    static double all[ROWS * COLUMNS], some[ROWS * COLUMNS];
    static bool masked[ROWS * COLUMNS], some_hidden[ROWS * COLUMNS];
    Shown rows = table_rows(ROWS);
    ck_assert(!shown_all(&rows));
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        all[i] = 0.2 + (double)(i % 7) / 10, masked[i] = i % 5 == 0;
    for (size_t i = 0; i < shown_count(&rows); i++) {
        memcpy(some + i * COLUMNS, all + shown_at(&rows, i) * COLUMNS, COLUMNS * sizeof *all);
        memcpy(some_hidden + i * COLUMNS, masked + shown_at(&rows, i) * COLUMNS,
               COLUMNS * sizeof *masked);
    }
    Table table = {.cells = all,
                   .hidden = masked,
                   .rows = ROWS,
                   .columns = COLUMNS,
                   .shaded = true,
                   .palette = "viridis",
                   .digits = 4};
    Text text;
    text_init(&text);
    table_write(&text, &table, 80, COLOR_256, true);
    table.cells = some;
    table.hidden = some_hidden;
    table.gathered = true;
    assert_table(&table, 80, COLOR_256, true, text.data);
    text_release(&text);
}
END_TEST

START_TEST(empty_and_odd) {
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    Table none = {.rows = 0, .columns = 0, .digits = 4, .corner = "output"};
    assert_table(&none, 80, COLOR_TRUE, true, "output\n");
    Table table = {.cells = odd, .rows = 1, .columns = 3, .digits = 4, .shaded = true};
    assert_table(&table, 80, COLOR_NONE, true, "      0     1     2\n0   nan   inf  -inf\n");
}
END_TEST

START_TEST(memory_fails) {
    Table table = weighed_table(11, 7);
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Text text;
        text_init(&text);
        mem_fail_at(n, false);
        table_write(&text, &table, 20, COLOR_TRUE, true);
        long requests = mem_requests();
        mem_fail_at(0, false);
        bool ok = text_ok(&text, NULL);
        text_release(&text);
        ck_assert_uint_eq(mem_used(), before);
        if (ok && requests > 0 && n > 200) break;
    }
}
END_TEST

Suite *table_suite(void) {
    Suite *suite = suite_create("table");
    TCase *tests = tcase_create("table");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, plain);
    tcase_add_test(tests, colors);
    tcase_add_test(tests, any_size_fits_any_width);
    tcase_add_test(tests, says_what_it_leaves_out);
    tcase_add_test(tests, keeps_what_matters);
    tcase_add_test(tests, gathered_rows);
    tcase_add_test(tests, empty_and_odd);
    tcase_add_test(tests, memory_fails);
    suite_add_tcase(suite, tests);
    return suite;
}

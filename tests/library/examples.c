/* Every example runs as it stands and shows what its "# -> " lines say, also
 * when memory runs out at any point: then it is an error, and nothing leaks. */
#include "tests/library/console.h"

#include "base/memory.h"
#include "library/library.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *examples_suite(void);

static char folder[64];

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/attn-examples-XXXXXX");
    ck_assert(mkdtemp(folder));
}

static void remove_folder(void) {
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert(system(command) == 0);
}

/* The code without, or the expectation out of, the "# -> " lines; ⏎ as a new line. */
static char *example_part(const char *example, bool expected) {
    static const char arrow[] = "# -> ", mark[] = "⏎";
    char *out = calloc(strlen(example) + 2, 1), *end = out;
    for (const char *line = example; *line;) {
        size_t length = strcspn(line, "\n"), arrow_length = sizeof arrow - 1;
        bool is_expected = length >= arrow_length && strncmp(line, arrow, arrow_length) == 0;
        for (size_t i = is_expected ? arrow_length : 0; is_expected == expected && i <= length;
             i++) {
            bool is_mark = strncmp(line + i, mark, sizeof mark - 1) == 0;
            *end++ = is_mark || i == length ? '\n' : line[i];
            i += is_mark ? sizeof mark - 2 : 0;
        }
        line += length + (line[length] == '\n');
    }
    return out;
}

static void check_example(const BuiltinDef *row) {
    Console console;
    Error err = {0};
    char *code = example_part(row->example, false), *expected = example_part(row->example, true);
    ck_assert(console_init(&console, folder, &err));
    bool ok = console_run(&console, code, &err);
    ck_assert_msg(ok || err.kind == ERR_EXIT, "%s: %s error: %s", row->name,
                  error_kind_word(err.kind), err.message);
    ck_assert_msg(strcmp(console.output.data, expected) == 0,
                  "%s: the example shows\n%sbut it says\n%s", row->name, console.output.data,
                  expected);
    console_release(&console);
    free(code);
    free(expected);
}

START_TEST(each_example_shows_what_it_says) {
    const BuiltinDef *table = library_tables[_i];
    make_folder();
    for (; table->name; table++) check_example(table);
    remove_folder();
}
END_TEST

static void fail_each_allocation(const BuiltinDef *row) {
    Console console;
    Error err = {0};
    char *code = example_part(row->example, false);
    ck_assert(console_init(&console, folder, &err));
    console_run(&console, code, &err);
    bool ok = false;
    for (long n = 1; !ok && n < 100000; n++) {
        err = (Error){0};
        mem_fail_at(n, true);
        ok = console_run(&console, code, &err) || err.kind == ERR_EXIT;
        mem_fail_at(0, false);
        ck_assert_msg(ok || err.kind == ERR_LIMIT, "%s, allocation %ld: %s error: %s", row->name, n,
                      error_kind_word(err.kind), err.message);
    }
    console_release(&console);
    free(code);
}

START_TEST(each_example_survives_a_failing_allocation) {
    size_t before = mem_used();
    make_folder();
    for (const BuiltinDef *row = library_tables[_i]; row->name; row++) {
        fail_each_allocation(row);
        ck_assert_msg(mem_used() == before, "%s: %zu bytes are left", row->name,
                      mem_used() - before);
    }
    remove_folder();
}
END_TEST

static int table_count(void) {
    int count = 0;
    while (library_tables[count]) count++;
    return count;
}

Suite *examples_suite(void) {
    Suite *suite = suite_create("examples");
    TCase *tests = tcase_create("run");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_example_shows_what_it_says, 0, table_count());
    tcase_add_loop_test(tests, each_example_survives_a_failing_allocation, 0, table_count());
    suite_add_tcase(suite, tests);
    return suite;
}

/* The example of every command, setting and function runs, and shows what the mark beside it says.
 */
#include "tests/session/desk.h"

#include "base/memory.h"

#include <ctype.h>

Suite *examples_suite(void);

/* Appends what `# ->` in [line, end) says, ⏎ as a line break; false: there is no mark. */
static bool read_mark(const char *line, const char *end, Text *out) {
    const char *mark = strstr(line, "# ->");
    if (!mark || mark >= end) return false;
    for (mark += 4; mark < end && *mark == ' ';) mark++;
    while (end > mark && isspace((unsigned char)end[-1])) end--;
    if (out->length) text_char(out, '\n');
    for (; mark < end; mark++) {
        bool line_break = strncmp(mark, "⏎", strlen("⏎")) == 0;
        text_char(out, line_break ? '\n' : *mark);
        if (line_break) mark += strlen("⏎") - 1;
    }
    return true;
}

/* The marks on the entry's last line and on lines of their own below it; false: none. */
static bool expected_of(const Chunk *chunk, const Entry *entry, Text *out) {
    const char *line = chunk->text + entry->span.end, *end = line + strcspn(line, "\n");
    while (line > chunk->text && line[-1] != '\n') line--;
    bool found = read_mark(line, end, out);
    while (*end && strncmp(end + 1, "# ->", 4) == 0) {
        line = end + 1;
        end = line + strcspn(line, "\n");
        found = read_mark(line, end, out) || found;
    }
    return found;
}

static void run_entry(Desk *desk, const char *name, Chunk *chunk, int index) {
    Text expected;
    text_init(&expected);
    text_clear(&desk->shown);
    bool ok = session_run_entry(desk->session, chunk, index, &desk->err);
    ck_assert_msg(ok || desk->err.kind == ERR_EXIT, "example of %s: %s error: %s", name,
                  error_kind_word(desk->err.kind), desk->err.message);
    if (expected_of(chunk, &chunk->entries[index], &expected)) {
        while (desk->shown.length &&
               isspace((unsigned char)desk->shown.data[desk->shown.length - 1]))
            desk->shown.data[--desk->shown.length] = 0;
        ck_assert_msg(strcmp(desk->shown.data, expected.data) == 0,
                      "example of %s shows %s, not %s", name, desk->shown.data, expected.data);
    }
    text_release(&expected);
}

static void run_example(const char *name, const char *example) {
    ck_assert_msg(example && *example, "%s has no example", name);
    Desk *desk = desk_open();
    desk_file(desk, "empty.attn", "");
    Chunk *chunk = NULL;
    ParseStatus status =
        parse(&desk->session->interp, "", example, strlen(example), false, &chunk, &desk->err);
    ck_assert_msg(status == PARSE_OK, "example of %s: %s", name, desk->err.message);
    for (int i = 0; i < chunk->entry_count; i++) run_entry(desk, name, chunk, i);
    chunk_unref(chunk);
    desk_close(desk);
}

/* Names in `see` are names that help knows, so that it leads somewhere. */
static bool known(const Session *session, const char *name) {
    for (size_t t = 0; session->interp.tables[t]; t++)
        for (const BuiltinDef *row = session->interp.tables[t]; row->name; row++)
            if (strcmp(row->name, name) == 0) return true;
    return session_command(session, name) || setting_find(name) || strcmp(name, "help") == 0;
}

static void check_see(const Session *session, const char *owner, const char *see) {
    char name[64];
    while (see && *see) {
        size_t length = strcspn(see, " ");
        ck_assert_uint_lt(length, sizeof name);
        memcpy(name, see, length);
        name[length] = 0;
        ck_assert_msg(known(session, name), "%s points to %s, which help does not know", owner,
                      name);
        see += length + strspn(see + length, " ");
    }
}

START_TEST(commands) {
    Desk *desk = desk_open();
    for (size_t t = 0; desk->session->commands[t]; t++)
        for (const CommandDef *row = desk->session->commands[t]; row->syntax.name; row++) {
            ck_assert_ptr_eq(session_command(desk->session, row->syntax.name), row);
            ck_assert_msg(row->usage && *row->usage && row->summary && *row->summary,
                          "%s has no help", row->syntax.name);
            run_example(row->syntax.name, row->example);
            check_see(desk->session, row->syntax.name, row->see);
        }
    desk_close(desk);
}
END_TEST

START_TEST(settings) {
    Desk *desk = desk_open();
    for (const SettingDef *row = setting_table; row->name; row++) {
        run_example(row->name, row->example);
        check_see(desk->session, row->name, row->see);
    }
    desk_close(desk);
}
END_TEST

START_TEST(functions) {
    Desk *desk = desk_open();
    for (size_t t = 0; desk->session->interp.tables[t]; t++)
        for (const BuiltinDef *row = desk->session->interp.tables[t]; row->name; row++) {
            ck_assert_msg(row->summary && *row->summary && row->group, "%s has no help", row->name);
            run_example(row->name, row->example);
            check_see(desk->session, row->name, row->see);
        }
    desk_close(desk);
}
END_TEST

Suite *examples_suite(void) {
    Suite *suite = suite_create("examples");
    TCase *tests = tcase_create("examples");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, commands);
    tcase_add_test(tests, settings);
    tcase_add_test(tests, functions);
    suite_add_tcase(suite, tests);
    return suite;
}

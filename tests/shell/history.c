#include "shell/editor/history.h"

#include "base/memory.h"
#include "io/file.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *history_suite(void);

static char folder[64], file[96];
static EntryHistory history;

static void begin(void) {
    strcpy(folder, "/tmp/attn-history-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/attn/history", folder);
    setenv("XDG_STATE_HOME", folder, 1);
}

static void end(void) {
    char command[96];
    entry_history_release(&history);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void add(EntryHistory *to, const char *text) { entry_history_add(to, text, strlen(text)); }

static void assert_file(const char *content) {
    Text text;
    text_init(&text);
    ck_assert(file_read(file, 0, &text, NULL));
    ck_assert_str_eq(text.data, content);
    text_release(&text);
}

static void write_file(const char *bytes, size_t length) {
    char attn[96];
    snprintf(attn, sizeof attn, "%s/attn", folder);
    mkdir(attn, 0700);
    ck_assert(file_write(file, bytes, length, NULL));
}

static void append_raw(const char *bytes) {
    FILE *stream = fopen(file, "a");
    fputs(bytes, stream);
    fclose(stream);
}

/* "a b|c": the entries, those of other prompts in parentheses. */
static void assert_entries(const EntryHistory *of, const char *expected) {
    Text text;
    text_init(&text);
    for (size_t i = 0; i < of->count; i++) {
        const HistoryEntry *entry = &of->entries[i];
        ck_assert_uint_eq(strlen(entry->text), entry->length);
        text_format(&text, entry->elsewhere ? "%s(%s)" : "%s%s", i ? "|" : "", entry->text);
    }
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

static void reopen(void) {
    entry_history_release(&history);
    entry_history_open(&history, true);
}

/* ---- what is kept ---- */

START_TEST(entries_come_back_whole) {
    entry_history_open(&history, true);
    add(&history, "x = 1");
    add(&history, "def f(x):\n    return x\\n\n");
    add(&history, "q = \"\\\\n 注意力\"\n");
    assert_file("x = 1\ndef f(x):\\n    return x\\\\n\nq = \"\\\\\\\\n 注意力\"\n");
    reopen();
    assert_entries(&history, "x = 1|def f(x):\n    return x\\n|q = \"\\\\n 注意力\"");
}
END_TEST

START_TEST(blank_and_repeated_ones_are_passed_over) {
    entry_history_open(&history, true);
    const char *lines[] = {"", "\n", "  \t", "a", "a\n", "b", "a"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) add(&history, lines[i]);
    assert_entries(&history, "a|b|a");
    assert_file("a\nb\na\n");
}
END_TEST

START_TEST(without_a_file_it_lasts_as_long_as_the_prompt) {
    entry_history_open(&history, false);
    add(&history, "a");
    entry_history_refresh(&history);
    assert_entries(&history, "a");
    ck_assert_int_ne(access(file, F_OK), 0);
}
END_TEST

START_TEST(what_is_no_text_stays_in_memory) {
    entry_history_open(&history, true);
    entry_history_add(&history, "a\0b", 3);
    add(&history, "\xff");
    add(&history, "whole");
    ck_assert_uint_eq(history.count, 3);
    assert_file("whole\n");
}
END_TEST

START_TEST(a_huge_entry_stays_in_memory) {
    char *huge = malloc(HISTORY_ENTRY_MAX + 2);
    memset(huge, '\n', HISTORY_ENTRY_MAX + 1);
    huge[0] = huge[HISTORY_ENTRY_MAX] = 'x';
    entry_history_open(&history, true);
    entry_history_add(&history, huge, HISTORY_ENTRY_MAX + 1);
    ck_assert_uint_eq(history.count, 1);
    assert_file("");
    huge[HISTORY_ENTRY_MAX - 1] = 'x';
    entry_history_add(&history, huge, HISTORY_ENTRY_MAX);
    reopen();
    ck_assert_uint_eq(history.count, 1);
    ck_assert_uint_eq(history.entries[0].length, HISTORY_ENTRY_MAX);
    ck_assert_int_eq(memcmp(history.entries[0].text, huge, HISTORY_ENTRY_MAX), 0);
    free(huge);
}
END_TEST

/* ---- where ---- */

static mode_t mode_of(const char *path) {
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 07777;
}

START_TEST(only_its_owner_may_read_it) {
    char path[128];
    umask(0);
    snprintf(path, sizeof path, "%s/new/state", folder);
    setenv("XDG_STATE_HOME", path, 1);
    entry_history_open(&history, true);
    ck_assert_uint_eq(mode_of(path), 0700);
    ck_assert_uint_eq(mode_of(strcat(path, "/attn")), 0700);
    ck_assert_uint_eq(mode_of(strcat(path, "/history")), 0600);
}
END_TEST

START_TEST(home_serves_where_no_place_for_state_is_named) {
    char path[128];
    const char *states[] = {NULL, "", "relative"};
    snprintf(path, sizeof path, "%s/.local/state/attn/history", folder);
    for (size_t i = 0; i < 3; i++) {
        if (states[i]) setenv("XDG_STATE_HOME", states[i], 1);
        else unsetenv("XDG_STATE_HOME");
        setenv("HOME", folder, 1);
        entry_history_open(&history, true);
        ck_assert_str_eq(history.path, path);
        ck_assert_int_eq(access(path, F_OK), 0);
        entry_history_release(&history);
        const char *homes[] = {NULL, "", "here"};
        if (homes[i]) setenv("HOME", homes[i], 1);
        else unsetenv("HOME");
        entry_history_open(&history, true);
        ck_assert_ptr_null(history.path);
        add(&history, "a");
        assert_entries(&history, "a");
        entry_history_release(&history);
    }
    setenv("HOME", "/tmp/attn-no-such-home", 1);
    entry_history_open(&history, true);
    ck_assert_int_ne(access("/tmp/attn-no-such-home", F_OK), 0);
}
END_TEST

/* ---- files that are not as we left them ---- */

START_TEST(junk_is_passed_over) {
    static const char junk[] = "a\n\xff\xfe\nb\0c\n\n\xe4\xb8\n\\x \\\\\\n\\\nlast";
    write_file(junk, sizeof junk - 1);
    entry_history_open(&history, true);
    assert_entries(&history, "a|\\x \\\n\\|last");
}
END_TEST

START_TEST(a_cut_line_is_taken_and_the_next_begins_anew) {
    write_file("a\nb = [1,", 9);
    entry_history_open(&history, true);
    assert_entries(&history, "a|b = [1,");
    add(&history, "c");
    assert_entries(&history, "a|b = [1,|c");
    assert_file("a\nb = [1,\nc\n");
    append_raw("half");
    entry_history_refresh(&history);
    assert_entries(&history, "a|b = [1,|c");
    add(&history, "d");
    assert_entries(&history, "a|b = [1,|c|(half)|d");
    append_raw("half \xe4");
    add(&history, "e");
    assert_entries(&history, "a|b = [1,|c|(half)|d|e");
    reopen();
    assert_entries(&history, "a|b = [1,|c|half|d|e");
}
END_TEST

START_TEST(something_else_in_its_place) {
    char attn[96];
    snprintf(attn, sizeof attn, "%s/attn", folder);
    mkdir(attn, 0700);
    for (int kind = 0; kind < 4; kind++) {
        int made = kind == 0   ? mkdir(file, 0700)
                   : kind == 1 ? mkfifo(file, 0600)
                   : kind == 2 ? symlink("/dev/full", file)
                               : symlink("history", file);
        ck_assert_int_eq(made, 0);
        entry_history_open(&history, true);
        add(&history, "a");
        entry_history_refresh(&history);
        add(&history, "b");
        assert_entries(&history, "a|b");
        entry_history_release(&history);
        ck_assert_int_eq(kind == 0 ? rmdir(file) : unlink(file), 0);
    }
}
END_TEST

START_TEST(a_full_disk_leaves_whole_lines) {
    entry_history_open(&history, true);
    add(&history, "first");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {20, 20};
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_FSIZE, &limit);
        add(&history, "a line that has no room");
        add(&history, "second");
        add(&history, "third in memory");
        _exit(history.count == 4 ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    ck_assert_int_eq(status, 0);
    assert_file("first\nsecond\n");
}
END_TEST

/* ---- several prompts ---- */

START_TEST(prompts_hear_of_each_other) {
    EntryHistory other;
    entry_history_open(&history, true);
    add(&history, "a");
    entry_history_open(&other, true);
    assert_entries(&other, "a");
    add(&history, "b");
    add(&other, "c");
    assert_entries(&other, "a|(b)|c");
    add(&other, "d");
    entry_history_refresh(&history);
    entry_history_refresh(&history);
    assert_entries(&history, "a|b|(c)|(d)");
    add(&history, "e");
    add(&other, "f");
    add(&history, "b");
    assert_entries(&history, "a|b|(c)|(d)|e|(f)|b");
    assert_file("a\nb\nc\nd\ne\nf\nb\n");
    entry_history_release(&other);
}
END_TEST

START_TEST(up_passes_what_others_typed) {
    EntryHistory other;
    entry_history_open(&history, true);
    entry_history_open(&other, true);
    add(&history, "plot A");
    add(&history, "attend");
    add(&other, "plot B");
    add(&history, "plot C");
    ck_assert_uint_eq(history.count, 4);
    ck_assert_uint_eq(entry_history_find(&history, 4, true, "", 0, ""), 3);
    ck_assert_uint_eq(entry_history_find(&history, 3, true, "", 0, "plot C"), 1);
    ck_assert_uint_eq(entry_history_find(&history, 4, true, "pl", 2, "pl"), 3);
    ck_assert_uint_eq(entry_history_find(&history, 3, true, "pl", 2, "plot C"), 0);
    ck_assert_uint_eq(entry_history_find(&history, 4, true, "plot C", 6, "plot C"), HISTORY_NONE);
    ck_assert_uint_eq(entry_history_find(&history, 0, true, "", 0, ""), HISTORY_NONE);
    ck_assert_uint_eq(entry_history_find(&history, 0, false, "pl", 2, "plot A"), 3);
    ck_assert_uint_eq(entry_history_find(&history, 3, false, "", 0, ""), HISTORY_NONE);
    ck_assert_uint_eq(entry_history_find(&history, 4, false, "", 0, ""), HISTORY_NONE);
    entry_history_release(&other);
}
END_TEST

START_TEST(a_file_that_was_replaced) {
    entry_history_open(&history, true);
    add(&history, "a");
    add(&history, "b");
    write_file("b\nnew\n", 6); /* cut by another prompt, which then added a line */
    entry_history_refresh(&history);
    assert_entries(&history, "a|b|(new)");
    add(&history, "c");
    assert_file("b\nnew\nc\n");
    write_file("x\n", 2); /* begun anew */
    add(&history, "d");
    assert_entries(&history, "a|b|(new)|c|(x)|d");
    ck_assert_int_eq(truncate(file, 0), 0);
    entry_history_refresh(&history);
    add(&history, "e");
    assert_file("e\n");
    unlink(file);
    entry_history_refresh(&history);
    add(&history, "f");
    assert_file("f\n");
    assert_entries(&history, "a|b|(new)|c|(x)|d|e|f");
}
END_TEST

/* Each of four processes opens, adds and leaves again and again, while the file passes its limit.
 */
START_TEST(nothing_gets_lost_between_processes) {
    enum { PROCESSES = 4, ROUNDS = 5, EACH = 20 };
    Text text;
    text_init(&text);
    for (int i = 0; i < HISTORY_ENTRIES_MAX / 4 * 5 - 100; i++) text_format(&text, "old %d\n", i);
    write_file(text.data, text.length);
    for (int p = 0; p < PROCESSES; p++) {
        if (fork() != 0) continue;
        for (int i = 0; i < ROUNDS * EACH; i++) {
            char line[32];
            if (i % EACH == 0) reopen();
            snprintf(line, sizeof line, "new %d %d", p, i);
            add(&history, line);
        }
        _exit(0);
    }
    for (int p = 0; p < PROCESSES; p++) wait(NULL);
    reopen();
    int seen[PROCESSES] = {0};
    for (size_t i = 0; i < history.count; i++) {
        int p, number;
        if (sscanf(history.entries[i].text, "new %d %d", &p, &number) == 2)
            ck_assert_int_eq(number, seen[p]++);
    }
    for (int p = 0; p < PROCESSES; p++) ck_assert_int_eq(seen[p], ROUNDS * EACH);
    ck_assert_uint_eq(history.count, HISTORY_ENTRIES_MAX);
    text_release(&text);
}
END_TEST

START_TEST(a_lock_that_is_never_given_back_stops_nobody) {
    entry_history_open(&history, true);
    int holder = open(file, O_RDONLY);
    ck_assert_int_eq(flock(holder, LOCK_EX), 0);
    add(&history, "a");
    close(holder);
    assert_file("a\n");
}
END_TEST

/* ---- limits ---- */

START_TEST(a_long_file_is_cut_to_the_newest) {
    Text text;
    text_init(&text);
    for (int i = 0; i < HISTORY_ENTRIES_MAX + 10; i++) text_format(&text, "line %d\n", i);
    write_file(text.data, text.length);
    size_t whole = text.length;
    struct stat status;
    entry_history_open(&history, true);
    ck_assert_uint_eq(history.count, HISTORY_ENTRIES_MAX);
    ck_assert_str_eq(history.entries[0].text, "line 10");
    stat(file, &status);
    ck_assert_int_eq(status.st_size, whole); /* not at each start */
    for (int i = HISTORY_ENTRIES_MAX + 10; i < HISTORY_ENTRIES_MAX / 4 * 5 + 1; i++)
        text_format(&text, "line %d\n", i);
    write_file(text.data, text.length);
    chmod(file, 0600);
    reopen();
    ck_assert_str_eq(history.entries[0].text, "line 2501");
    stat(file, &status);
    ck_assert_int_eq(status.st_size, HISTORY_ENTRIES_MAX * 11 - 7499);
    ck_assert_uint_eq(status.st_mode & 07777, 0600);
    add(&history, "more");
    ck_assert_uint_eq(history.count, HISTORY_ENTRIES_MAX + 1);
    reopen();
    ck_assert_str_eq(history.entries[HISTORY_ENTRIES_MAX - 1].text, "more");
    text_release(&text);
}
END_TEST

START_TEST(a_large_file_is_cut_to_the_newest) {
    Text text;
    text_init(&text);
    for (int i = 0; i < 60; i++) {
        text_format(&text, "%d ", i);
        text_repeat(&text, 'x', 100000);
        text_char(&text, '\n');
    }
    write_file(text.data, text.length);
    text_release(&text);
    entry_history_open(&history, true);
    ck_assert_uint_eq(history.count, HISTORY_BYTES_MAX / 100004);
    ck_assert_int_eq(strncmp(history.entries[history.count - 1].text, "59 x", 4), 0);
    struct stat status;
    stat(file, &status);
    ck_assert_int_le(status.st_size, HISTORY_BYTES_MAX);
}
END_TEST

START_TEST(a_prompt_that_lasts_forgets_its_oldest) {
    entry_history_open(&history, false);
    for (int i = 0; i < 3 * HISTORY_ENTRIES_MAX; i++) {
        char line[32];
        snprintf(line, sizeof line, "line %d", i);
        add(&history, line);
        ck_assert_uint_le(history.count, HISTORY_ENTRIES_MAX / 4 * 5);
    }
    ck_assert_str_eq(history.entries[history.count - 1].text, "line 29999");
}
END_TEST

/* ---- memory ---- */

START_TEST(each_allocation_may_fail) {
    size_t before = mem_used();
    for (int sticky = 0; sticky < 2; sticky++) {
        bool reached = true;
        for (long n = 1; reached; n++) {
            mem_fail_at(0, false);
            write_file("a\nb\n", 4);
            long first = mem_requests();
            mem_fail_at(n, sticky);
            entry_history_open(&history, true);
            add(&history, "c");
            append_raw("d\n");
            entry_history_refresh(&history);
            unlink(file);
            append_raw("c\nd\ne\n");
            add(&history, "f");
            reached = mem_requests() - first >= n;
            mem_fail_at(0, false);
            add(&history, "g");
            ck_assert_str_eq(history.entries[history.count - 1].text, "g");
            entry_history_release(&history);
            ck_assert_uint_eq(mem_used(), before);
        }
    }
}
END_TEST

Suite *history_suite(void) {
    Suite *suite = suite_create("history");
    TCase *test = tcase_create("history");
    tcase_add_checked_fixture(test, begin, end);
    tcase_add_test(test, entries_come_back_whole);
    tcase_add_test(test, blank_and_repeated_ones_are_passed_over);
    tcase_add_test(test, without_a_file_it_lasts_as_long_as_the_prompt);
    tcase_add_test(test, what_is_no_text_stays_in_memory);
    tcase_add_test(test, a_huge_entry_stays_in_memory);
    tcase_add_test(test, only_its_owner_may_read_it);
    tcase_add_test(test, home_serves_where_no_place_for_state_is_named);
    tcase_add_test(test, junk_is_passed_over);
    tcase_add_test(test, a_cut_line_is_taken_and_the_next_begins_anew);
    tcase_add_test(test, something_else_in_its_place);
    tcase_add_test(test, a_full_disk_leaves_whole_lines);
    tcase_add_test(test, prompts_hear_of_each_other);
    tcase_add_test(test, up_passes_what_others_typed);
    tcase_add_test(test, a_file_that_was_replaced);
    tcase_add_test(test, nothing_gets_lost_between_processes);
    tcase_add_test(test, a_lock_that_is_never_given_back_stops_nobody);
    tcase_add_test(test, a_long_file_is_cut_to_the_newest);
    tcase_add_test(test, a_large_file_is_cut_to_the_newest);
    tcase_add_test(test, a_prompt_that_lasts_forgets_its_oldest);
    tcase_add_test(test, each_allocation_may_fail);
    tcase_set_timeout(test, 60);
    suite_add_tcase(suite, test);
    return suite;
}

#include "base/child.h"

#include "base/memory.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

Suite *child_suite(void);

static Child child;
static Text output, errors;

static void begin(void) {
    child = (Child){0};
    text_init(&output);
    text_init(&errors);
}

static void end(void) {
    child_kill(&child);
    text_release(&output);
    text_release(&errors);
}

static int start(const char *script, const char *const *variables, bool shares_terminal) {
    const char *const arguments[] = {"sh", "-c", script, NULL};
    return child_start(&child, arguments, variables, shares_terminal);
}

/* Talks until the child closes one of its ends. */
static void exchange(const char *bytes, size_t length) {
    ChildInput input = {bytes, length, 0};
    while (child_exchange(&child, &input, 5000, &output, &errors))
        if (input.sent == length) child_close_input(&child);
    ck_assert(child_wait(&child, 5000));
}

START_TEST(reads_both_outputs) {
    ck_assert_int_eq(start("cat; echo complaint >&2; sleep 0.05; exit 3", NULL, false), 0);
    ck_assert_int_gt(child.pid, 0);
    ChildInput input = {"words", 5, 0};
    while (!strstr(errors.data, "complaint")) {
        ck_assert(child_exchange(&child, &input, 5000, &output, &errors));
        if (input.sent == 5) child_close_input(&child);
    }
    ck_assert_str_eq(output.data, "words");
    ck_assert(child_wait(&child, 5000));
    ck_assert(WIFEXITED(child.status));
    ck_assert_int_eq(WEXITSTATUS(child.status), 3);
    ck_assert_int_eq(child.pid, 0);
    ck_assert_int_eq(child.output, -1);
}
END_TEST

/* More than any pipe holds, both ways at once. */
START_TEST(neither_side_waits_for_ever) {
    enum { LENGTH = 1 << 20 };
    char *bytes = malloc(LENGTH);
    memset(bytes, 'x', LENGTH);
    memcpy(bytes + LENGTH - 4, "\0end", 4);
    ck_assert_int_eq(start("cat", NULL, false), 0);
    exchange(bytes, LENGTH);
    ck_assert_uint_ge(output.length, 16384);
    ck_assert_uint_le(output.length, 2 * 16384);
    ck_assert_str_eq(output.data + output.length - 5, "x end");
    free(bytes);
}
END_TEST

/* SIGPIPE would end us. */
START_TEST(a_child_that_does_not_read) {
    static char bytes[1 << 18];
    ck_assert_int_eq(start("exec 0<&-; sleep 5", NULL, false), 0);
    ChildInput input = {bytes, sizeof bytes, 0};
    while (child_exchange(&child, &input, 5000, &output, &errors)) continue;
    ck_assert_uint_lt(input.sent, sizeof bytes);
}
END_TEST

START_TEST(there_is_no_such_program) {
    const char *const arguments[] = {"no-such-program-at-all", NULL};
    ck_assert_int_eq(child_start(&child, arguments, NULL, false), ENOENT);
    ck_assert_int_eq(child.pid, 0);
    ck_assert_int_eq(child.input, -1);
    ck_assert(child_wait(&child, 0));
    child_close_input(&child);
    child_signal(&child, SIGTERM);
    child_kill(&child);
}
END_TEST

START_TEST(variables_that_we_lack) {
    static const char *const variables[] = {"CHILD_NEW=given", "CHILD_OLD=given", NULL};
    setenv("CHILD_OLD", "kept", 1);
    unsetenv("CHILD_NEW");
    ck_assert_int_eq(start("echo $CHILD_NEW $CHILD_OLD", variables, false), 0);
    exchange("", 0);
    ck_assert_str_eq(output.data, "given kept\n");
    mem_fail_at(1, false);
    ck_assert_int_eq(start("exit 1", variables, false), ENOMEM);
    mem_fail_at(0, false);
    ck_assert_int_eq(child.pid, 0);
}
END_TEST

/* The group goes with the child, and with it what the child has started. */
START_TEST(kills_the_group) {
    ck_assert_int_eq(start("sleep 60 & echo $!; wait", NULL, false), 0);
    ck_assert_int_eq(getpgid(child.pid), child.pid);
    ChildInput input = {"", 0, 0};
    while (!strchr(output.data, '\n'))
        ck_assert(child_exchange(&child, &input, 5000, &output, &errors));
    ck_assert(!child_wait(&child, 10));
    child_kill(&child);
    ck_assert_int_eq(child.pid, 0);
    ck_assert(WIFSIGNALED(child.status));
    /* Where there is no init that collects orphans, it stays as a zombie, which takes signals. */
    char command[80];
    snprintf(command, sizeof command, "ps -o stat= -p %d | grep -qv Z", atoi(output.data));
    int left = 1;
    for (int i = 0; i < 100 && left; i++) {
        left = system(command) == 0;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    ck_assert(!left);
}
END_TEST

START_TEST(shares_the_terminal) {
    ck_assert_int_eq(start("read line; test \"$line\" = words && exit 7", NULL, true), 0);
    ck_assert_int_eq(getpgid(child.pid), getpgrp());
    ck_assert_int_eq(child.output, -1);
    ChildInput input = {"words\n", 6, 0};
    while (!child_wait(&child, 0)) child_exchange(&child, &input, 20, NULL, NULL);
    ck_assert_int_eq(WEXITSTATUS(child.status), 7);
    ck_assert_int_eq(start("sleep 60", NULL, true), 0);
    child_signal(&child, SIGTERM);
    ck_assert(child_wait(&child, 5000));
    ck_assert_int_eq(WTERMSIG(child.status), SIGTERM);
}
END_TEST

Suite *child_suite(void) {
    Suite *suite = suite_create("child");
    TCase *tests = tcase_create("child");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, reads_both_outputs);
    tcase_add_test(tests, neither_side_waits_for_ever);
    tcase_add_test(tests, a_child_that_does_not_read);
    tcase_add_test(tests, there_is_no_such_program);
    tcase_add_test(tests, variables_that_we_lack);
    tcase_add_test(tests, kills_the_group);
    tcase_add_test(tests, shares_the_terminal);
    suite_add_tcase(suite, tests);
    return suite;
}

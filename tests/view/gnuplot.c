#include "view/files/gnuplot.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "io/file.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *gnuplot_suite(void);

/* A program that stands in for gnuplot. */
static char stand_in[40];

static void use_program(const char *script) {
    strcpy(stand_in, "/tmp/attn-gnuplot-XXXXXX");
    int fd = mkstemp(stand_in);
    ck_assert_int_eq(write(fd, script, strlen(script)), (ssize_t)strlen(script));
    fchmod(fd, 0755);
    close(fd);
    setenv("ATTN_GNUPLOT", stand_in, 1);
}

static void release(void) {
    gnuplot_quit();
    if (*stand_in) unlink(stand_in);
    stand_in[0] = 0;
}

/* Answers as gnuplot does, without drawing. */
#define ANSWERS \
    "#!/bin/sh\nwhile read -r line; do case $line in print*attn-answer*end*) echo \"$token " \
    "end\";; " \
    "print*attn-answer*) token=${line#*\\\"}; token=${token%% *}; echo \"$token 0\";; esac; " \
    "done\n"

static bool run(const char *script, double seconds, Error *err) {
    return gnuplot_run(GNUPLOT_FILES, script, strlen(script), seconds, err);
}

static bool have_gnuplot(void) { return system("gnuplot --version >/dev/null 2>&1") == 0; }

START_TEST(quoting) {
    Text text;
    text_init(&text);
    gnuplot_quote(&text, "a b`1\"\\%\n", false);
    ck_assert_str_eq(text.data, "\"a b\\140\\061\\042\\134\\045\\012\"");
    text_clear(&text);
    gnuplot_quote(&text, "%é", true);
    ck_assert_str_eq(text.data, "\"\\045\\045\\303\\251\"");
    text_release(&text);
}
END_TEST

START_TEST(missing) {
    Error err = {0};
    setenv("ATTN_GNUPLOT", "/nowhere/gnuplot", 1);
    ck_assert(!run("", 5, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_nonnull(strstr(err.message, "gnuplot is not installed"));
    ck_assert_ptr_nonnull(strstr(err.hint, ".txt"));
    use_program(ANSWERS);
    ck_assert(run("", 5, &err));
}
END_TEST

START_TEST(not_started) {
    Error err = {0};
    struct rlimit usual, few;
    use_program(ANSWERS);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &usual), 0);
    few = (struct rlimit){.rlim_cur = 3, .rlim_max = usual.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    bool ran = run("", 5, &err);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &usual), 0); /* sanitizers open files at the end */
    ck_assert(!ran);
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot be started"));
    ck_assert_ptr_nonnull(strstr(err.message, "open files"));
    ck_assert_ptr_null(strstr(err.hint, "install"));
    ck_assert_ptr_nonnull(strstr(err.hint, ".txt"));
}
END_TEST

START_TEST(hanging) {
    Error err = {0};
    use_program("#!/bin/sh\nsleep 1000\n");
    ck_assert(!run("plot x\n", 0.3, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_nonnull(strstr(err.message, "did not answer"));
}
END_TEST

START_TEST(dying_and_starting_anew) {
    Error err = {0};
    use_program("#!/bin/sh\necho 'cannot find a font' >&2\nexit 3\n");
    ck_assert(!run("plot x\n", 5, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_nonnull(strstr(err.message, "ended"));
    release();
    use_program(ANSWERS);
    ck_assert_msg(run("plot x\n", 5, &err), "%s", err.message);
}
END_TEST

/* It dies with much of the script unread: the write must not end us. */
START_TEST(dying_while_fed) {
    Error err = {0};
    size_t length = 8 << 20;
    char *script = mem_alloc(length, NULL);
    memset(script, '\n', length);
    use_program("#!/bin/sh\nread line\nexit 0\n");
    ck_assert(!gnuplot_run(GNUPLOT_FILES, script, length, 5, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    mem_free(script);
}
END_TEST

/* Much output while much input is written: neither waits for the other. */
START_TEST(chatting) {
    Error err = {0};
    Text script;
    text_init(&script);
    for (int i = 0; i < 20000; i++)
        text_string(&script, "say something that goes over both of the pipes\n");
    use_program(
        "#!/bin/sh\nyes out | head -c 1000000\nyes err | head -c 1000000 >&2\n"
        "while read -r line; do case $line in print*attn-answer*end*) echo \"$token end\";; "
        "print*attn-answer*) token=${line#*\\\"}; token=${token%% *}; echo \"$token 0\";; esac; "
        "done\n");
    ck_assert_msg(gnuplot_run(GNUPLOT_FILES, script.data, script.length, 20, &err), "%s",
                  err.message);
    text_release(&script);
}
END_TEST

START_TEST(interrupting) {
    Error err = {0};
    use_program("#!/bin/sh\ntrap '' INT\nsleep 1000\n");
    interrupt_flag = 1;
    ck_assert(!run("plot x\n", 5, &err));
    ck_assert_int_eq(err.kind, ERR_INTERRUPT);
    interrupt_flag = 0;
}
END_TEST

static void raise_flag(int signal_number) {
    (void)signal_number;
    interrupt_flag = 1;
}

START_TEST(interrupting_while_it_hangs) {
    Error err = {0};
    struct sigaction action = {.sa_handler = raise_flag};
    sigaction(SIGALRM, &action, NULL);
    use_program("#!/bin/sh\nsleep 1000\n");
    alarm(1);
    ck_assert(!run("plot x\n", 600, &err));
    ck_assert_int_eq(err.kind, ERR_INTERRUPT);
    interrupt_flag = 0;
}
END_TEST

START_TEST(own_words_of_gnuplot) {
    if (!have_gnuplot()) return;
    Error err = {0};
    unsetenv("ATTN_GNUPLOT");
    ck_assert(!run("plot nonsense(3\n", 5, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_eq(strstr(err.message, "gnuplot says: "), err.message);
    ck_assert_msg(run("a = 1\n", 5, &err), "the error before is forgotten: %s", err.message);
    ck_assert_msg(run("# a comment without an end", 5, &err), "%s", err.message);
}
END_TEST

START_TEST(our_signals_stay_ours) {
    struct sigaction after;
    use_program(ANSWERS);
    signal(SIGPIPE, SIG_DFL);
    ck_assert(run("", 5, NULL));
    sigaction(SIGPIPE, NULL, &after);
    ck_assert(after.sa_handler == SIG_DFL);
}
END_TEST

START_TEST(memory_fails) {
    use_program(ANSWERS);
    ck_assert(run("", 5, NULL));
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Error err = {0};
        mem_fail_at(n, false);
        bool ok = run("plot x\n", 5, &err);
        mem_fail_at(0, false);
        ck_assert_uint_eq(mem_used(), before);
        if (ok) break;
        ck_assert_int_eq(err.kind, ERR_LIMIT);
    }
}
END_TEST

Suite *gnuplot_suite(void) {
    Suite *suite = suite_create("gnuplot");
    TCase *tests = tcase_create("gnuplot");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, NULL, release);
    tcase_add_test(tests, quoting);
    tcase_add_test(tests, missing);
    tcase_add_test(tests, not_started);
    tcase_add_test(tests, hanging);
    tcase_add_test(tests, dying_and_starting_anew);
    tcase_add_test(tests, dying_while_fed);
    tcase_add_test(tests, chatting);
    tcase_add_test(tests, interrupting);
    tcase_add_test(tests, interrupting_while_it_hangs);
    tcase_add_test(tests, own_words_of_gnuplot);
    tcase_add_test(tests, our_signals_stay_ours);
    tcase_add_test(tests, memory_fails);
    suite_add_tcase(suite, tests);
    return suite;
}

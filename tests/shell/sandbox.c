/* The sandbox alone, without the checks of the session before it. */
#include "shell/sandbox.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static bool holds_files(void) { return strstr(sandbox_words(), "Landlock") != NULL; }
static bool holds_calls(void) { return strstr(sandbox_words(), "seccomp") != NULL; }

Suite *sandbox_suite(void);

static char folder[] = "/tmp/attn-sandbox-XXXXXX";

/* A folder with box/inside and outside. It is made and removed outside of the sandbox, which the
 * process of a single test enters. */
static void make_folder(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("box", 0777), 0);
    ck_assert_int_eq(close(open("box/inside", O_CREAT | O_WRONLY, 0666)), 0);
    ck_assert_int_eq(close(open("outside", O_CREAT | O_WRONLY, 0666)), 0);
    ck_assert_int_eq(symlink("../outside", "box/link"), 0);
}

static void enter(void) { sandbox_enter((const char *const[]){"box", "not there", "", NULL}); }

static void remove_folder(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %.40s", folder);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}

static int opened(const char *path, int flags) {
    int fd = open(path, flags, 0666);
    if (fd >= 0) close(fd);
    return fd >= 0 ? 0 : errno;
}

START_TEST(reads_only_what_it_may) {
    if (!holds_files()) return;
    enter();
    ck_assert_int_eq(opened("box/inside", O_RDONLY), 0);
    ck_assert_int_eq(opened("outside", O_RDONLY), EACCES);
    ck_assert_int_eq(opened("box/link", O_RDONLY), EACCES);
    ck_assert_int_eq(opened("box/../outside", O_RDONLY), EACCES);
    ck_assert_int_eq(opened("/etc/passwd", O_RDONLY), EACCES);
    ck_assert_int_eq(opened("/proc/self/environ", O_RDONLY), EACCES);
    ck_assert_int_eq(opened("/", O_RDONLY | O_DIRECTORY), EACCES);
}
END_TEST

START_TEST(writes_nothing) {
    if (!holds_calls()) return;
    enter();
    ck_assert_int_eq(opened("box/inside", O_WRONLY), EPERM);
    ck_assert_int_eq(opened("box/inside", O_RDWR), EPERM);
    ck_assert_int_eq(opened("box/new", O_CREAT | O_WRONLY), EPERM);
    ck_assert_int_eq(opened("box/inside", O_RDONLY | O_TRUNC), EPERM);
    ck_assert(unlink("box/inside") != 0 && errno == EPERM);
    ck_assert(rename("box/inside", "box/new") != 0 && errno == EPERM);
    ck_assert(mkdir("box/new", 0777) != 0 && errno == EPERM);
    ck_assert(chmod("box/inside", 0777) != 0 && errno == EPERM);
    ck_assert(symlink("x", "box/new") != 0 && errno == EPERM);
    ck_assert(link("box/inside", "box/new") != 0 && errno == EPERM);
    ck_assert(truncate("box/inside", 0) != 0 && errno == EPERM);
}
END_TEST

START_TEST(starts_and_connects_nothing) {
    if (!holds_calls()) return;
    enter();
    char name[] = "true", *arguments[] = {name, NULL};
    pid_t child;
    ck_assert(fork() == -1);
    ck_assert_int_ne(posix_spawnp(&child, "true", NULL, NULL, arguments, environ), 0);
    ck_assert(execvp("true", arguments) == -1);
    ck_assert(socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EPERM);
    ck_assert(socket(AF_UNIX, SOCK_STREAM, 0) == -1 && errno == EPERM);
}
END_TEST

static void *answer(void *ignored) {
    (void)ignored;
    return opened("outside", O_RDONLY) == 0 && holds_files() ? NULL : folder;
}

START_TEST(threads_are_made_and_held) {
    enter();
    pthread_t thread;
    void *held = NULL;
    ck_assert_int_eq(pthread_create(&thread, NULL, answer, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, &held), 0);
    ck_assert_ptr_nonnull(held);
}
END_TEST

Suite *sandbox_suite(void) {
    Suite *suite = suite_create("sandbox");
    TCase *all = tcase_create("sandbox");
    tcase_add_unchecked_fixture(all, make_folder, remove_folder);
    tcase_add_test(all, reads_only_what_it_may);
    tcase_add_test(all, writes_nothing);
    tcase_add_test(all, starts_and_connects_nothing);
    tcase_add_test(all, threads_are_made_and_held);
    suite_add_tcase(suite, all);
    return suite;
}

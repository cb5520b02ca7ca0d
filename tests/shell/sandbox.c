/* The sandbox alone, without the checks of the session before it. */
#define _GNU_SOURCE /* for syscall */
#include "shell/options/sandbox.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

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

#if defined(__linux__) && defined(__NR_pidfd_getfd)
/* What a call is answered with; all of these fail in the sandbox. */
static int answered(long number, long a, long b, long c) {
    errno = 0;
    return syscall(number, a, b, c, 0, 0, 0) == -1 ? errno : 0;
}

START_TEST(types_nothing_and_signals_nobody) {
    if (!holds_calls()) return;
    const long parent = getppid(), self = getpid();
    char key = 'x', paste[2] = {3, 0};
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    struct termios settings;
    struct rlimit limit;
    enter();
    /* Bits above the 32 that the kernel reads change nothing. */
    for (int i = 0; i < 2; i++) {
        long high = i ? (long)(UINT64_C(1) << 40) : 0;
        ck_assert_int_eq(answered(__NR_ioctl, terminal, high | TIOCSTI, (long)&key), EPERM);
        ck_assert_int_eq(answered(__NR_ioctl, terminal, high | 0x541c, (long)paste), EPERM);
        ck_assert_int_eq(answered(__NR_kill, high | parent, 0, 0), EPERM);
    }
    ck_assert_int_eq(answered(__NR_ioctl, terminal, TIOCCONS, 0), EPERM);
    ck_assert_int_eq(answered(__NR_ioctl, terminal, 0x4b49 /* KDSKBSENT */, 0), EPERM);
    ck_assert_int_eq(answered(__NR_ioctl, terminal, FIOSETOWN, (long)&parent), EPERM);
    ck_assert_int_eq(answered(__NR_fcntl, terminal, F_SETOWN, parent), EPERM);
    ck_assert_int_eq(answered(__NR_kill, 0, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_kill, -1, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_tgkill, parent, parent, 0), EPERM);
    ck_assert_int_eq(answered(__NR_tkill, parent, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_rt_sigqueueinfo, parent, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_pidfd_open, parent, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_pidfd_getfd, 0, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_pidfd_send_signal, 0, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_prlimit64, parent, RLIMIT_CORE, 0), EPERM);
    ck_assert_int_eq(answered(__NR_process_vm_readv, parent, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_prctl, PR_SET_DUMPABLE, 1, 0), EPERM);
    ck_assert_int_eq(answered(__NR_sendmsg, 1, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_io_uring_setup, 1, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_unshare, 0x10000000, 0, 0), EPERM);
    ck_assert_int_eq(answered(__NR_shmat, 0, 0, 0), EPERM);
    /* Named in no list. */
    ck_assert_int_eq(answered(__NR_clone3, 0, 0, 0), ENOSYS);
    ck_assert_int_eq(answered(__NR_sync, 0, 0, 0), ENOSYS);
    ck_assert_int_eq(answered(5000, 0, 0, 0), ENOSYS);
    /* What the program does itself. */
    ck_assert_int_eq(answered(__NR_kill, self, 0, 0), 0);
    ck_assert_int_eq(raise(0), 0);
    ck_assert_int_eq(getrlimit(RLIMIT_STACK, &limit), 0);
    if (terminal < 0) return;
    ck_assert_int_eq(tcgetattr(terminal, &settings), 0);
    ck_assert_int_eq(tcsetattr(terminal, TCSADRAIN, &settings), 0);
    ck_assert_int_eq(tcflush(terminal, TCIFLUSH), 0);
}
END_TEST
#endif

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
#if defined(__linux__) && defined(__NR_pidfd_getfd)
    tcase_add_test(all, types_nothing_and_signals_nobody);
#endif
    tcase_add_test(all, threads_are_made_and_held);
    suite_add_tcase(suite, all);
    return suite;
}

#include "io/file.h"

#include "base/error.h"
#include "base/memory.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *file_suite(void);

static char folder[64];

static void enter_folder(void) {
    strcpy(folder, "/tmp/attn-file-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}

static void assert_content(const char *path, const char *content) {
    Text text;
    text_init(&text);
    ck_assert(file_read(path, 0, &text, NULL));
    ck_assert_str_eq(text.data, content);
    text_release(&text);
}

/* No temporary file stays behind. */
static void assert_files(int expected) {
    char command[64];
    snprintf(command, sizeof command, "test $(ls -A | wc -l) -eq %d", expected);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(writes_and_replaces) {
    ck_assert(file_write("a.txt", "one", 3, NULL));
    assert_content("a.txt", "one");
    ck_assert(file_write("a.txt", "second", 6, NULL));
    assert_content("a.txt", "second");
    ck_assert(file_write("empty", "", 0, NULL));
    assert_content("empty", "");
    assert_files(2);
}
END_TEST

START_TEST(keeps_the_mode) {
    struct stat status;
    umask(027);
    ck_assert(file_write("new", "x", 1, NULL));
    ck_assert_int_eq(stat("new", &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0640);
    chmod("new", 0604);
    ck_assert(file_write("new", "y", 1, NULL));
    stat("new", &status);
    ck_assert_int_eq(status.st_mode & 07777, 0604);
}
END_TEST

static mode_t mode_of(const char *path) {
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* A program's set-user-ID is for the bytes that its owner put there. */
START_TEST(takes_no_special_bits) {
    umask(022);
    ck_assert(file_write("own", "old", 3, NULL));
    ck_assert_int_eq(chmod("own", 06777), 0);
    ck_assert_int_eq(mode_of("own"), 06777);
    ck_assert(file_write("own", "new", 3, NULL));
    ck_assert_int_eq(mode_of("own"), 0777);
    ck_assert_int_eq(chmod("own", 01604), 0);
    ck_assert_int_eq(symlink("own", "link"), 0);
    ck_assert(file_write("link", "newer", 5, NULL));
    ck_assert_int_eq(mode_of("own"), 0604);
    ck_assert_int_eq(chmod("own", 04755), 0);
    FileReplacement replacement;
    ck_assert(file_replace_begin(&replacement, "own", NULL));
    ck_assert_int_eq(mode_of(replacement.temporary), 0755);
    file_replace_cancel(&replacement);
}
END_TEST

/* Only root can make someone else's file. */
START_TEST(takes_no_mode_of_someone_else) {
    if (geteuid() != 0) return;
    umask(027);
    ck_assert(file_write("theirs", "old", 3, NULL));
    ck_assert_int_eq(chown("theirs", 12345, 12345), 0);
    ck_assert_int_eq(chmod("theirs", 06777), 0);
    ck_assert(file_write("theirs", "new", 3, NULL));
    ck_assert_int_eq(mode_of("theirs"), 0640);
    assert_content("theirs", "new");
}
END_TEST

START_TEST(follows_links) {
    struct stat status;
    mkdir("sub", 0777);
    ck_assert_int_eq(symlink("sub/target", "link"), 0);
    ck_assert(file_write("link", "through", 7, NULL));
    assert_content("sub/target", "through");
    ck_assert_int_eq(lstat("link", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    Error err = {0};
    ck_assert_int_eq(symlink("loop", "loop"), 0);
    ck_assert(!file_write("loop", "x", 1, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
}
END_TEST

START_TEST(makes_what_a_link_leads_to) {
    Error err = {0};
    struct stat status;
    FileReplacement replacement;
    ck_assert_int_eq(symlink("later", "link"), 0);
    ck_assert(file_replace_begin(&replacement, "link", &err));
    file_replace_cancel(&replacement);
    ck_assert_int_ne(stat("later", &status), 0);
    ck_assert(file_write("link", "now", 3, &err));
    assert_content("later", "now");
    ck_assert_int_eq(symlink("no folder/later", "out"), 0);
    ck_assert(!file_write("out", "x", 1, &err));
    ck_assert_str_eq(err.message, "cannot write out: there is no such file or folder");
    assert_files(3);
}
END_TEST

/* The process of number `pid` was killed while it wrote "p.svg". */
static void leave_behind(pid_t pid, char name[64]) {
    FileReplacement replacement;
    char mine[32];
    ck_assert(file_replace_begin(&replacement, "p.svg", NULL));
    const char *temporary = strrchr(replacement.temporary, '/') + 1;
    snprintf(mine, sizeof mine, "-%ld-", (long)getpid());
    const char *number = strstr(temporary, mine);
    ck_assert_ptr_nonnull(number);
    snprintf(name, 64, "%.*s-%ld-%s", (int)(number - temporary), temporary, (long)pid,
             number + strlen(mine));
    ck_assert_int_eq(rename(temporary, name), 0);
    file_replace_cancel(&replacement);
}

START_TEST(the_next_save_removes_what_a_kill_left) {
    char dead[64], alive[64], link[64], other[] = ".attn-00000000-1-AAAAAA.svg";
    pid_t child = fork();
    if (child == 0) _exit(0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    leave_behind(child, link);
    ck_assert_int_eq(unlink(link), 0);
    ck_assert_int_eq(symlink("elsewhere", link), 0);
    leave_behind(getppid(), alive);
    leave_behind(child, dead);
    int fd = open(other, O_CREAT | O_WRONLY, 0600); /* of another machine */
    ck_assert_int_eq(close(fd), 0);
    assert_files(4);
    ck_assert(file_write("saved.txt", "x", 1, NULL));
    ck_assert_int_ne(access(dead, F_OK), 0);
    ck_assert_int_eq(access(alive, F_OK), 0);
    ck_assert_int_eq(access(other, F_OK), 0);
    assert_files(4);
}
END_TEST

/* For root every folder takes files. */
START_TEST(a_folder_that_takes_no_files) {
    bool root = geteuid() == 0;
    Error err = {0};
    if (root && (chmod(".", 0777) != 0 || seteuid(12345) != 0)) return;
    ck_assert_int_eq(mkdir("closed", 0777), 0);
    FILE *file = fopen("closed/open.txt", "w");
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod("closed", 0555), 0);
    ck_assert(!file_write("closed/open.txt", "x", 1, &err));
    ck_assert_str_eq(err.message, "cannot write closed/open.txt: its folder takes no new files");
    ck_assert_int_eq(chmod("closed", 0777), 0);
    ck_assert(file_write("closed/open.txt", "x", 1, &err));
    ck_assert_int_eq(chmod("closed/open.txt", 0444), 0);
    ck_assert(!file_write("closed/open.txt", "x", 1, &err));
    ck_assert_str_eq(err.message, "cannot write closed/open.txt: permission denied");
    if (root) ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(errors_name_path_and_cause) {
    Error err = {0};
    Text text;
    text_init(&text);
    ck_assert(!file_read("missing.csv", 0, &text, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_str_eq(err.message, "cannot read missing.csv: there is no such file or folder");
    ck_assert(!file_read(".", 0, &text, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "it is a folder"));
    ck_assert(!file_write("no/such/file", "x", 1, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "cannot write no/such/file"));
    ck_assert(!file_write(".", "x", 1, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_str_eq(text.data, "");
    text_release(&text);
}
END_TEST

START_TEST(limits) {
    Error err = {0};
    Text text;
    text_init(&text);
    text_string(&text, "before ");
    ck_assert(file_write("ten", "0123456789", 10, NULL));
    ck_assert(!file_read("ten", 9, &text, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    ck_assert_str_eq(text.data, "before ");
    ck_assert(file_read("ten", 10, &text, &err));
    ck_assert_str_eq(text.data, "before 0123456789");
    text_release(&text);
}
END_TEST

START_TEST(what_need_not_end_is_limited) {
    Error err = {0};
    Text text;
    int ends[2];
    char path[32], block[1000] = {0};
    text_init(&text);
    if (access("/dev/zero", R_OK) == 0) {
        ck_assert(!file_read("/dev/zero", 0, &text, &err));
        ck_assert_int_eq(err.kind, ERR_LIMIT);
        ck_assert_str_eq(err.message, "/dev/zero is larger than the 67108864 bytes that are read");
        ck_assert_uint_eq(text.length, 0);
    }
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ck_assert_int_eq(write(ends[1], block, sizeof block), sizeof block);
    close(ends[1]);
    ck_assert(file_read(path, 0, &text, NULL));
    ck_assert_uint_eq(text.length, sizeof block);
    close(ends[0]);
    text_release(&text);
}
END_TEST

START_TEST(full_disk_leaves_the_old_file) {
    Error err = {0};
    char block[8192] = {0};
    ck_assert(file_write("kept", "old", 3, NULL));
    struct rlimit limit = {4096, 4096};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!file_write("kept", block, sizeof block, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_str_eq(err.message, "cannot write kept: it would become too large");
    assert_content("kept", "old");
    assert_files(1);
}
END_TEST

START_TEST(devices_are_written_to) {
    Error err = {0};
    struct stat status;
    ck_assert(file_write("/dev/null", "x", 1, NULL));
    ck_assert_int_eq(stat("/dev/null", &status), 0);
    ck_assert(S_ISCHR(status.st_mode));
    if (stat("/dev/full", &status) == 0) {
        ck_assert(!file_write("/dev/full", "x", 1, &err));
        ck_assert_str_eq(err.message, "cannot write /dev/full: the disk is full");
    }
    FileReplacement replacement;
    ck_assert(file_replace_begin(&replacement, "/dev/null", &err));
    FILE *file = fopen(replacement.temporary, "w");
    fputs("x", file);
    fclose(file);
    ck_assert(file_replace_commit(&replacement, &err));
    stat("/dev/null", &status);
    ck_assert(S_ISCHR(status.st_mode));
}
END_TEST

START_TEST(replacing_by_another_program) {
    Error err = {0};
    FileReplacement replacement;
    ck_assert(file_replace_begin(&replacement, "p.svg", &err));
    ck_assert(path_has_suffix(replacement.temporary, "svg"));
    ck_assert(!file_replace_commit(&replacement, &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    assert_files(0);
    ck_assert(file_replace_begin(&replacement, "p.svg", &err));
    ck_assert(file_write(replacement.temporary, "<svg/>", 6, &err));
    ck_assert(file_replace_commit(&replacement, &err));
    assert_content("p.svg", "<svg/>");
    ck_assert(file_replace_begin(&replacement, "p.svg", &err));
    file_replace_cancel(&replacement);
    assert_files(1);
}
END_TEST

START_TEST(suffixes) {
    ck_assert_str_eq(path_suffix("a/b.svg"), "svg");
    ck_assert_str_eq(path_suffix("a.b/c"), "");
    ck_assert_str_eq(path_suffix("a/.hidden"), "");
    ck_assert(path_has_suffix("W.PNG", "png"));
    ck_assert(!path_has_suffix("png", "png"));
}
END_TEST

static void assert_join(const char *directory, const char *path, const char *expected) {
    Text text;
    text_init(&text);
    path_join(&text, directory, path);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(joining) {
    setenv("HOME", "/home/eve", 1);
    assert_join("dir", "a", "dir/a");
    assert_join("dir/", "a", "dir/a");
    assert_join(NULL, "a", "a");
    assert_join("dir", "/a", "/a");
    assert_join("dir", "~/a", "/home/eve/a");
    assert_join("dir", "~", "/home/eve");
    assert_join("dir", "~bob", "dir/~bob");
}
END_TEST

START_TEST(memory_fails) {
    ck_assert(file_write("a", "old", 3, NULL));
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Error err = {0};
        mem_fail_at(n, false);
        bool ok = file_write("a", "new", 3, &err);
        mem_fail_at(0, false);
        ck_assert_uint_eq(mem_used(), before);
        assert_files(1);
        if (ok) break;
        ck_assert_int_eq(err.kind, ERR_LIMIT);
        assert_content("a", "old");
    }
    assert_content("a", "new");
}
END_TEST

Suite *file_suite(void) {
    Suite *suite = suite_create("file");
    TCase *tests = tcase_create("file");
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, writes_and_replaces);
    tcase_add_test(tests, keeps_the_mode);
    tcase_add_test(tests, takes_no_special_bits);
    tcase_add_test(tests, takes_no_mode_of_someone_else);
    tcase_add_test(tests, follows_links);
    tcase_add_test(tests, makes_what_a_link_leads_to);
    tcase_add_test(tests, the_next_save_removes_what_a_kill_left);
    tcase_add_test(tests, a_folder_that_takes_no_files);
    tcase_add_test(tests, errors_name_path_and_cause);
    tcase_add_test(tests, limits);
    tcase_add_test(tests, what_need_not_end_is_limited);
    tcase_add_test(tests, full_disk_leaves_the_old_file);
    tcase_add_test(tests, devices_are_written_to);
    tcase_add_test(tests, replacing_by_another_program);
    tcase_add_test(tests, suffixes);
    tcase_add_test(tests, joining);
    tcase_add_test(tests, memory_fails);
    suite_add_tcase(suite, tests);
    return suite;
}

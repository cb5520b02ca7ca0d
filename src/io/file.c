#include "io/file.h"

#include "base/ending.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/size.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading, and paths ---- */

/* The most that is read of a pipe or a device, which need not have an end. */
enum { ENDLESS_MOST = 1 << 26, CHUNK = 1 << 16 };

static bool read_all(int fd, const char *path, size_t limit, Text *out, Error *err) {
    char buffer[CHUNK];
    size_t start = out->length;
    for (;;) {
        if (interrupted(err)) return false;
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue; /* a signal that is not Ctrl-C */
        if (got < 0) return system_error(err, "read", path, errno);
        if (got == 0) return true;
        text_bytes(out, buffer, (size_t)got);
        if (!text_ok(out, err)) return false;
        if (limit && out->length - start > limit)
            return error_set(err, ERR_LIMIT, "%s is larger than the %zu bytes that are read", path,
                             limit);
    }
}

/* Closes fd. After an error `out` is as before. */
static bool read_open(int fd, const char *path, size_t limit, Text *out, Error *err) {
    struct stat status;
    if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && (!limit || limit > ENDLESS_MOST))
        limit = ENDLESS_MOST;
    size_t start = out->length;
    bool ok = read_all(fd, path, limit, out, err);
    close(fd);
    if (ok) return true;
    if (out->failed) text_clear(out);
    text_cut(out, start);
    return false;
}

bool file_read(const char *path, size_t limit, Text *out, Error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == EINTR && interrupted(err) ? false : system_error(err, "read", path, errno);
    return read_open(fd, path, limit, out, err);
}

bool file_read_input(Text *out, Error *err) {
    const char *name = "the standard input";
    int fd = dup(STDIN_FILENO);
    if (fd < 0) return system_error(err, "read", name, errno);
    return read_open(fd, name, 0, out, err);
}

bool file_read_in(const char *folder, const char *name, size_t limit, Text *out, Error *err) {
    LocalText path = TEXT_EMPTY;
    path_join(&path, folder, name);
    return text_ok(&path, err) && file_read(path.data, limit, out, err);
}

bool file_check_text(const Text *read, const char *source, Error *err) {
    size_t bad = utf8_check(read->data, read->length);
    const char *zero = memchr(read->data, 0, read->length);
    if (bad < read->length) {
        error_set(err, ERR_FILE, "%s is not UTF-8: byte %zu", source, bad);
        return error_hint(err, "Convert it first. For example: iconv -f LATIN1 -t UTF-8, or -f "
                               "GB18030 for Chinese.");
    }
    if (!zero) return true;
    return error_set(err, ERR_FILE, "%s is not a text: byte %zu is 0", source,
                     (size_t)(zero - read->data));
}

bool file_is_in(const char *folder, const char *name, bool *there, Error *err) {
    LocalText path = TEXT_EMPTY;
    path_join(&path, folder, name);
    bool ok = text_ok(&path, err);
    *there = ok && access(path.data, F_OK) == 0;
    return ok;
}

const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_suffix(const char *path) {
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

bool path_has_suffix(const char *path, const char *suffix) {
    return strcasecmp(path_suffix(path), suffix) == 0;
}

void path_folder(Text *out, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash) text_bytes(out, path, slash == path ? 1 : (size_t)(slash - path));
    else text_char(out, '.');
}

void path_join(Text *out, const char *directory, const char *path) {
    const char *home = environment("HOME");
    if (path[0] == '~' && (path[1] == '/' || path[1] == 0) && *home) {
        text_string(out, home);
        text_string(out, path + 1);
        return;
    }
    if (path[0] != '/' && directory && *directory) {
        text_string(out, directory);
        if (directory[strlen(directory) - 1] != '/') text_char(out, '/');
    }
    text_string(out, path);
}

static const char *cause_in_words(int code) {
    switch (code) {
    case ENOENT: return "there is no such file or folder";
    case EACCES:
    case EPERM: return "permission denied";
    case EISDIR: return "it is a folder";
    case ENOTDIR: return "a part of its path is not a folder";
    case ENOSPC: return "the disk is full";
    case EFBIG: return "it would become too large";
    case EROFS: return "the disk can only be read";
    case ENAMETOOLONG: return "its name is too long";
    case ELOOP: return "its links lead in a circle";
    default: return strerror(code);
    }
}

bool system_error(Error *err, const char *what, const char *path, int code) {
    error_set(err, ERR_FILE, "cannot %s %s: %s", what, path, cause_in_words(code));
    if (code == ENOENT) error_mark(err, "FileNotFoundError");
    return error_python(err, "[Errno %d] %s: '%s'", code, strerror(code),
                        strncmp(path, "./", 2) == 0 ? path + 2 : path);
}

/* ---- writing ---- */

/* Writes all bytes and closes fd, also on failure. */
static bool system_write(int fd, const char *path, const char *bytes, size_t length, Error *err) {
    enum { MOST = 1 << 30 }; /* that some systems write at once */
    bool ok = true;
    for (size_t at = 0; at < length && ok;) {
        ssize_t written = write(fd, bytes + at, smaller(length - at, MOST));
        if (written >= 0) at += (size_t)written;
        else if (errno != EINTR) ok = system_error(err, "write", path, errno);
        if (ok && at < length && interrupted(err)) ok = false;
    }
    if (close(fd) != 0 && ok && errno != EINTR) ok = system_error(err, "write", path, errno);
    return ok;
}

/* The number of an open file that the path names, -1 when it names none. Opening such a path anew
 * would start again at the beginning of the file that the output was redirected to. */
static int named_descriptor(const char *path) {
    char *end;
    if (strcmp(path, "/dev/stdin") == 0) return STDIN_FILENO;
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    if (strncmp(path, "/dev/fd/", 8) != 0 || path[8] < '0' || path[8] > '9') return -1;
    long number = strtol(path + 8, &end, 10);
    return *end == 0 && number < 1 << 16 ? (int)number : -1;
}

/* True for a device, a pipe or a socket, which is written to and never replaced. */
static bool system_is_special(const char *path) {
    struct stat status;
    if (named_descriptor(path) >= 0) return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* Writes to such a thing; /dev/stdout and its like continue behind the process's own output. */
static bool system_write_special(const char *path, const char *bytes, size_t length, Error *err) {
    int named = named_descriptor(path);
    int fd = named >= 0 ? dup(named) : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == EINTR && interrupted(err) ? false : system_error(err, "write", path, errno);
    return system_write(fd, path, bytes, length, err);
}

bool path_state(Text *out, const char *name) {
    const char *state = environment("XDG_STATE_HOME"), *home = environment("HOME");
    bool given = *state == '/'; /* the standard says to ignore a relative path */
    if (!given && *home != '/') return false;
    text_format(out, given ? "%s/attn/%s" : "%s/.local/state/attn/%s", given ? state : home, name);
    return true;
}

void path_make_folders(char *path) {
    const char *home = environment("HOME");
    size_t length = strlen(home);
    bool within = length && strncmp(path, home, length) == 0 && path[length] == '/';
    for (char *slash = path + (within ? length : 0); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* ---- replacing ----
 *
 * A file is written beside under another name, then renamed. The target of a link is replaced, not
 * the link; a device or a pipe is written to as it is. */

enum { MARK_BYTES = 24 };

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The file behind all links, which the system follows: it also decides whether this link may be
 * followed. What a link leads to is made where it is not there, and *made says so. New. */
static char *resolve_links(const char *path, bool *made, Error *err) {
    struct stat status;
    *made = false;
    if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
        return mem_string(path, strlen(path), err);
    bool absent = stat(path, &status) != 0 && errno == ENOENT;
    int fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    char real[PATH_MAX], *out = NULL;
    if (fd >= 0 && realpath(path, real)) out = mem_string(real, strlen(real), err);
    else system_error(err, "write", path, errno);
    if (fd >= 0) close(fd);
    *made = absent && out;
    return out;
}

/* The mode of the file that replaces `path`. One's own file keeps its permissions, but never
 * set-user-ID, set-group-ID or sticky: they were given to the old contents. Someone else's file
 * becomes ours, so what its owner had allowed does not hold for it. */
static mode_t mode_for(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return (mode_t)(0666 & ~mask);
}

/* The beginning of the names of this machine's temporary files, before the number of the process:
 * in a folder that machines share, a process of another one is not known here. Nor is one of
 * another container; Linux tells their numbers apart by a namespace. */
static void temporary_mark(char out[MARK_BYTES]) {
    char host[256] = "", space[64];
    gethostname(host, sizeof host - 1);
    ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space);
    uint64_t hash = random_hash(host, strlen(host), 0);
    hash = random_hash(space, length > 0 ? (size_t)length : 0, hash);
    snprintf(out, MARK_BYTES, ".attn-%08x-", (unsigned)hash);
}

/* Removes what programs of this machine and user left in the folder of `pattern`, that were killed
 * while they wrote. */
static void remove_leftovers(const char *pattern) {
    char mark[MARK_BYTES];
    LocalText folder = TEXT_EMPTY;
    temporary_mark(mark);
    text_bytes(&folder, pattern, folder_length(pattern));
    DIR *list = folder.failed ? NULL : opendir(folder.data);
    struct dirent *entry;
    while (list && (entry = readdir(list))) {
        struct stat status;
        char *end;
        if (strncmp(entry->d_name, mark, strlen(mark)) != 0) continue;
        long process = strtol(entry->d_name + strlen(mark), &end, 10);
        if (process > 0 && *end == '-' && kill((pid_t)process, 0) != 0 && errno == ESRCH &&
            fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode) && status.st_uid == geteuid())
            unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list) closedir(list);
}

static void release(FileReplacement *replacement) {
    if (replacement->temporary) ending_forget_file(replacement->temporary);
    mem_free(replacement->temporary);
    mem_free(replacement->path);
    *replacement = (FileReplacement){NULL, NULL, false};
}

/* `itself`: it is the file that cannot be written, not its folder. */
static bool cannot_open(const char *path, bool itself, int code, Error *err) {
    system_error(err, "write", path, code);
    if (itself || (code != EACCES && code != EROFS && code != EPERM)) return false;
    error_set(err, ERR_FILE, "cannot write %s: its folder takes no new files", path);
    return error_hint(err, "a file is written beside first, so that it is replaced whole; save "
                           "into a folder of your own");
}

/* Begins, and gives the open file that is to be written; -1 on failure. */
static int replacement_open(FileReplacement *replacement, const char *path, Error *err) {
    bool special = system_is_special(path);
    *replacement = (FileReplacement){NULL, NULL, false};
    replacement->path = special ? mem_string(path, strlen(path), err)
                                : resolve_links(path, &replacement->made, err);
    if (!replacement->path) return -1;
    path = replacement->path;

    /* A pattern for mkstemps. "./" in front of a relative one: no program takes it for an option, a
     * pipe or a home. Short, so that a long name stays possible. */
    const char *folder = environment("TMPDIR"), *suffix = path_suffix(path);
    char mark[MARK_BYTES];
    Text pattern = TEXT_EMPTY;
    temporary_mark(mark);
    if (special) {
        path_join(&pattern, *folder ? folder : "/tmp", "");
    } else {
        if (path[0] != '/') text_string(&pattern, "./");
        text_bytes(&pattern, path, folder_length(path));
    }
    text_format(&pattern, "%s%ld-XXXXXX", mark, (long)getpid());
    if (*suffix) text_format(&pattern, ".%s", suffix);
    replacement->temporary = text_take(&pattern, err);

    int fd = -1, code = 0;
    if (replacement->temporary) {
        struct stat status;
        bool there = stat(path, &status) == 0;
        remove_leftovers(replacement->temporary);
        if (there && S_ISDIR(status.st_mode)) code = EISDIR;
        /* A rename would not ask whether the file itself may be written. */
        else if (there && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) code = errno;
        else {
            ending_hold();
            fd = mkstemps(replacement->temporary, *suffix ? (int)strlen(suffix) + 1 : 0);
            if (fd >= 0) ending_note_file(replacement->temporary);
            ending_let_go();
        }
        if (fd >= 0) fchmod(fd, mode_for(path));
        else cannot_open(path, code != 0, code ? code : errno, err);
    }
    if (fd < 0) {
        if (replacement->made) unlink(path);
        release(replacement);
    }
    return fd;
}

bool file_replace_begin(FileReplacement *replacement, const char *path, Error *err) {
    int fd = replacement_open(replacement, path, err);
    return fd >= 0 && close(fd) == 0;
}

static bool put_in_place(const FileReplacement *replacement, Error *err) {
    const char *path = replacement->path, *temporary = replacement->temporary;
    if (!system_is_special(path))
        return rename(temporary, path) == 0 || system_error(err, "write", path, errno);
    LocalText bytes = TEXT_EMPTY;
    bool ok = file_read(temporary, 0, &bytes, err) &&
              system_write_special(path, bytes.data, bytes.length, err);
    return ok && unlink(temporary) == 0;
}

bool file_replace_commit(FileReplacement *replacement, Error *err) {
    struct stat status;
    bool ok = stat(replacement->temporary, &status) == 0 && status.st_size > 0;
    if (ok) ok = put_in_place(replacement, err);
    else error_set(err, ERR_FILE, "cannot write %s: nothing came to be written", replacement->path);
    if (ok) release(replacement);
    else file_replace_cancel(replacement);
    return ok;
}

void file_replace_cancel(FileReplacement *replacement) {
    if (replacement->temporary) unlink(replacement->temporary);
    if (replacement->made) unlink(replacement->path);
    release(replacement);
}

bool file_write_text(bool ok, const char *path, Text *text, Error *err) {
    ok = ok && text_ok(text, err) && file_write(path, text->data, text->length, err);
    text_release(text);
    return ok;
}

bool file_write(const char *path, const char *bytes, size_t length, Error *err) {
    if (system_is_special(path)) return system_write_special(path, bytes, length, err);
    FileReplacement replacement;
    int fd = replacement_open(&replacement, path, err);
    bool ok =
        fd >= 0 && system_write(fd, path, bytes, length, err) && put_in_place(&replacement, err);
    if (ok) release(&replacement);
    else file_replace_cancel(&replacement);
    return ok;
}

#include "io/file.h"

#include "base/error.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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
    if (out->length > start) {
        out->length = start;
        out->data[start] = 0;
    }
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
    Text path = TEXT_EMPTY;
    path_join(&path, folder, name);
    bool ok = text_ok(&path, err) && file_read(path.data, limit, out, err);
    text_release(&path);
    return ok;
}

bool file_is_in(const char *folder, const char *name, bool *there, Error *err) {
    Text path = TEXT_EMPTY;
    path_join(&path, folder, name);
    bool ok = text_ok(&path, err);
    *there = ok && access(path.data, F_OK) == 0;
    text_release(&path);
    return ok;
}

const char *path_suffix(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
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
    const char *home = getenv("HOME");
    if (path[0] == '~' && (path[1] == '/' || path[1] == 0) && home && *home) {
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
    return error_set(err, ERR_FILE, "cannot %s %s: %s", what, path, cause_in_words(code));
}

bool system_write(int fd, const char *path, const char *bytes, size_t length, Error *err) {
    enum { MOST = 1 << 30 }; /* that some systems write at once */
    bool ok = true;
    for (size_t at = 0; at < length && ok;) {
        ssize_t written = write(fd, bytes + at, length - at < MOST ? length - at : MOST);
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

bool system_is_special(const char *path) {
    struct stat status;
    if (named_descriptor(path) >= 0) return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool system_write_special(const char *path, const char *bytes, size_t length, Error *err) {
    int named = named_descriptor(path);
    int fd = named >= 0 ? dup(named) : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == EINTR && interrupted(err) ? false : system_error(err, "write", path, errno);
    return system_write(fd, path, bytes, length, err);
}

bool path_state(Text *out, const char *name) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool given = state && *state == '/'; /* the standard says to ignore a relative path */
    if (!given && (!home || *home != '/')) return false;
    text_format(out, given ? "%s/attn/%s" : "%s/.local/state/attn/%s", given ? state : home, name);
    return true;
}

void path_make_folders(char *path) {
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    bool within = length && strncmp(path, home, length) == 0 && path[length] == '/';
    for (char *slash = path + (within ? length : 0); (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

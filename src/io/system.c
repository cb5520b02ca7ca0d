#include "io/system.h"

#include "base/error.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

#include "io/file.h"

#include "base/interrupt.h"
#include "io/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is read of a pipe or a device, which need not have an end. */
enum { ENDLESS_MOST = 1 << 26 };

/* Closes fd. After an error `out` is as before. */
static bool read_open(int fd, const char *path, size_t limit, Text *out, Error *err) {
    struct stat status;
    if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && (!limit || limit > ENDLESS_MOST))
        limit = ENDLESS_MOST;
    size_t start = out->length;
    if (system_read(fd, path, limit, out, err)) return true;
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

const char *path_suffix(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

bool path_has_suffix(const char *path, const char *suffix) {
    return strcasecmp(path_suffix(path), suffix) == 0;
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

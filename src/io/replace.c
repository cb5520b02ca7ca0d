/* Files that are replaced whole: written beside under another name, then renamed. What a link
 * points to is replaced, not the link; a device or a pipe is written to as it is. */
#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, LINK_BYTES = 4096 };

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The path behind all links; it need not exist. New. */
static char *resolve_links(const char *path, Error *err) {
    char *now = mem_string(path, strlen(path), err);
    for (int i = 0; now && i < LINKS_MAX; i++) {
        char target[LINK_BYTES];
        ssize_t length = readlink(now, target, sizeof target);
        if (length <= 0) return now;
        Text next = TEXT_EMPTY;
        if (target[0] != '/') text_bytes(&next, now, folder_length(now));
        text_bytes(&next, target, (size_t)length);
        mem_free(now);
        now = text_take(&next, err);
    }
    if (now) system_error(err, "write", path, ELOOP);
    mem_free(now);
    return NULL;
}

/* The mode of the file that takes the place of `path`. One's own file keeps its permissions, but
 * never set-user-ID, set-group-ID or sticky: they were given to the old contents. Someone else's
 * file becomes ours, so what its owner had allowed does not hold for it. */
static mode_t mode_for(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return (mode_t)(0666 & ~mask);
}

/* A pattern for mkstemps. "./" in front of a relative one: no program takes it for an option, a
 * pipe or a home. Short, so that a long name stays possible. */
static void temporary_pattern(Text *out, const char *path, bool elsewhere) {
    const char *folder = getenv("TMPDIR"), *suffix = path_suffix(path);
    if (elsewhere) {
        path_join(out, folder && *folder ? folder : "/tmp", "");
    } else {
        if (path[0] != '/') text_string(out, "./");
        text_bytes(out, path, folder_length(path));
    }
    text_string(out, ".attn-XXXXXX");
    if (*suffix) text_format(out, ".%s", suffix);
}

static void release(FileReplacement *replacement) {
    mem_free(replacement->temporary);
    mem_free(replacement->path);
    *replacement = (FileReplacement){NULL, NULL};
}

/* Begins, and gives the open file that is to be written; -1 on failure. */
static int replacement_open(FileReplacement *replacement, const char *path, Error *err) {
    bool special = system_is_special(path);
    struct stat status;
    Text pattern;
    *replacement = (FileReplacement){NULL, NULL};
    replacement->path = special ? mem_string(path, strlen(path), err) : resolve_links(path, err);
    if (!replacement->path) return -1;
    path = replacement->path;
    text_init(&pattern);
    temporary_pattern(&pattern, path, special);
    replacement->temporary = text_take(&pattern, err);

    int fd = -1, code = 0;
    if (replacement->temporary) {
        size_t suffix = strlen(path_suffix(path));
        bool there = stat(path, &status) == 0;
        if (there && S_ISDIR(status.st_mode)) code = EISDIR;
        /* A rename would not ask whether the file itself may be written. */
        else if (there && access(path, W_OK) != 0) code = errno;
        else fd = mkstemps(replacement->temporary, suffix ? (int)suffix + 1 : 0);
        if (fd >= 0) fchmod(fd, mode_for(path));
        else system_error(err, "write", path, code ? code : errno);
    }
    if (fd < 0) release(replacement);
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
    Text bytes = TEXT_EMPTY;
    bool ok = file_read(temporary, 0, &bytes, err) &&
              system_write_special(path, bytes.data, bytes.length, err);
    text_release(&bytes);
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
    release(replacement);
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

#include "shell/editor/history_file.h"

#include "base/utf8.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool history_line_is_text(const char *line, size_t length) {
    return !memchr(line, 0, length) && utf8_check(line, length) == length;
}

void history_line_write(Text *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') text_bytes(out, "\\n", 2);
        else if (text[i] == '\\') text_bytes(out, "\\\\", 2);
        else text_char(out, text[i]);
    }
    text_char(out, '\n');
}

size_t history_line_read(const char *line, size_t length, char *to) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        bool escape =
            line[i] == '\\' && i + 1 < length && (line[i + 1] == 'n' || line[i + 1] == '\\');
        if (escape) i++;
        to[count++] = escape && line[i] == 'n' ? '\n' : line[i];
    }
    to[count] = 0;
    return count;
}

char *history_file_path(void) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool given = state && state[0] == '/'; /* the standard says to ignore a relative path */
    if (!given && (!home || home[0] != '/')) return NULL;
    Text text = TEXT_EMPTY;
    text_string(&text, given ? state : home);
    text_string(&text, given ? "/attn/history" : "/.local/state/attn/history");
    char *path = text_take(&text, NULL);
    if (!path) return NULL;

    /* A home is not made. A folder that cannot be made is noticed when the file is opened. */
    char *slash = path + (given ? 0 : strlen(home));
    while ((slash = strchr(slash + 1, '/'))) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    return path;
}

/* Tries for half a second and no longer: a prompt that was stopped while it held the lock must not
 * stop the others. */
static bool lock_file(int fd) {
    enum { TRIES = 500 };
    const struct timespec millisecond = {0, 1000000};
    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        nanosleep(&millisecond, NULL);
    }
    return false;
}

bool history_file_open(HistoryFile *file, const char *path, bool write) {
    enum {
        TRIES = 20,
        ALWAYS = O_CLOEXEC | O_NONBLOCK | O_NOCTTY /* not blocking: there may be a pipe instead */
    };
    for (int i = 0; i < TRIES; i++) {
        int fd = write ? open(path, O_RDWR | O_APPEND | O_CREAT | ALWAYS, 0600) : -1;
        if (fd < 0) fd = open(path, O_RDONLY | ALWAYS);
        if (fd < 0) return false;
        bool locked = write && lock_file(fd);
        struct stat here, there;
        bool regular = fstat(fd, &here) == 0 && S_ISREG(here.st_mode) && stat(path, &there) == 0;
        if (regular && here.st_dev == there.st_dev && here.st_ino == there.st_ino) {
            *file = (HistoryFile){.fd = fd,
                                  .locked = locked,
                                  .size = here.st_size,
                                  .device = (unsigned long long)here.st_dev,
                                  .inode = (unsigned long long)here.st_ino};
            return true;
        }
        close(fd); /* not a file, or the path has come to name another: once more */
    }
    return false;
}

void history_file_close(HistoryFile *file) { close(file->fd); /* this unlocks */ }

long long history_file_read(const HistoryFile *file, long long from, long long to, long long most,
                            Text *out) {
    char buffer[1 << 16];
    long long begin = to - from > most ? to - most : from;
    for (long long at = begin; at < to;) {
        size_t wanted = to - at < (long long)sizeof buffer ? (size_t)(to - at) : sizeof buffer;
        ssize_t got = pread(file->fd, buffer, wanted, (off_t)at);
        if (got == 0 || (got < 0 && errno != EINTR)) break;
        if (got < 0) continue;
        text_bytes(out, buffer, (size_t)got);
        at += got;
    }
    if (begin > from) { /* the first line may be only the end of one */
        const char *newline = memchr(out->data, '\n', out->length);
        size_t gone = newline ? (size_t)(newline - out->data) + 1 : out->length;
        begin += (long long)gone;
        out->length -= gone;
        memmove(out->data, out->data + gone, out->length + 1);
    }
    return begin;
}

long long history_file_append(HistoryFile *file, const char *text, size_t length) {
    Text line = TEXT_EMPTY;
    char last = '\n';
    if (file->size > 0 && pread(file->fd, &last, 1, (off_t)file->size - 1) == 1 && last != '\n')
        text_char(&line, '\n'); /* a crash cut the last line short */
    size_t before = line.length;
    history_line_write(&line, text, length);
    long long begin = -1;
    if (!line.failed) {
        ssize_t written;
        do written = write(file->fd, line.data, line.length); /* at once, so that it stays whole */
        while (written < 0 && errno == EINTR);
        if (written == (ssize_t)line.length) {
            file->size = lseek(file->fd, 0, SEEK_CUR); /* without a lock others may have written */
            begin = file->size - (long long)(line.length - before);
        } else if (written > 0 && file->locked) {
            /* The disk is full. Half a line helps nobody, and under the lock it is the last one. */
            (void)!ftruncate(file->fd, (off_t)file->size);
        }
    }
    text_release(&line);
    return begin;
}

bool history_file_replace(HistoryFile *file, const char *path, const char *bytes, size_t length) {
    struct stat status;
    if (!file->locked || !file_write(path, bytes, length, NULL) || stat(path, &status) != 0)
        return false;
    file->size = (long long)length;
    file->device = (unsigned long long)status.st_dev;
    file->inode = (unsigned long long)status.st_ino;
    return true;
}

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

/* ---- lines ---- */

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

/* ---- the place ---- */

/* Makes the folders of path past its first bytes. One that cannot be made shows when the file is
 * opened. */
static void make_folders(char *path, size_t past) {
    for (char *slash = strchr(path + past + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

char *history_file_path(void) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool given = state && state[0] == '/'; /* a relative one is to be ignored */
    if (!given && (!home || home[0] != '/')) return NULL;
    Text path;
    text_init(&path);
    text_string(&path, given ? state : home);
    text_string(&path, given ? "/attn/history" : "/.local/state/attn/history");
    char *taken = text_take(&path, NULL);
    if (taken) make_folders(taken, given ? 0 : strlen(home)); /* a home is there or is none */
    return taken;
}

/* ---- opening ---- */

/* Not blocking: a prompt that was stopped while it held the lock must not stop the others. */
static bool lock(int fd) {
    enum { TRIES = 500 };
    const struct timespec moment = {0, 1000000};
    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        nanosleep(&moment, NULL);
    }
    return false;
}

static int open_either(const char *path, bool write) {
    /* Not blocking: a pipe may stand in place of the file. */
    enum { ALWAYS = O_CLOEXEC | O_NONBLOCK | O_NOCTTY };
    int fd = write ? open(path, O_RDWR | O_APPEND | O_CREAT | ALWAYS, 0600) : -1;
    return fd >= 0 ? fd : open(path, O_RDONLY | ALWAYS);
}

/* Fills in what the open file is. False when it is no file, or the path has come to name another
 * meanwhile. */
static bool identify(HistoryFile *file, const char *path) {
    struct stat here, there;
    if (fstat(file->fd, &here) != 0 || !S_ISREG(here.st_mode) || stat(path, &there) != 0)
        return false;
    file->size = here.st_size;
    file->device = (unsigned long long)here.st_dev;
    file->inode = (unsigned long long)here.st_ino;
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

bool history_file_open(HistoryFile *file, const char *path, bool write) {
    enum { TRIES = 20 };
    for (int i = 0; i < TRIES; i++) {
        *file = (HistoryFile){.fd = open_either(path, write)};
        if (file->fd < 0) return false;
        file->locked = write && lock(file->fd);
        if (identify(file, path)) return true;
        close(file->fd);
    }
    return false;
}

void history_file_close(HistoryFile *file) { close(file->fd); /* this unlocks */ }

/* ---- reading and writing ---- */

static void cut_first_line(Text *text, long long *begin) {
    const char *newline = memchr(text->data, '\n', text->length);
    size_t gone = newline ? (size_t)(newline - text->data) + 1 : text->length;
    *begin += (long long)gone;
    text->length -= gone;
    memmove(text->data, text->data + gone, text->length + 1);
}

long long history_file_read(const HistoryFile *file, long long from, long long to, long long most,
                            Text *out) {
    char buffer[1 << 16];
    long long begin = to - from > most ? to - most : from;
    for (long long at = begin; at < to;) {
        size_t wanted = to - at < (long long)sizeof buffer ? (size_t)(to - at) : sizeof buffer;
        ssize_t got = pread(file->fd, buffer, wanted, (off_t)at);
        if (got <= 0 && !(got < 0 && errno == EINTR)) break;
        if (got > 0) text_bytes(out, buffer, (size_t)got), at += got;
    }
    if (begin > from) cut_first_line(out, &begin);
    return begin;
}

/* Behind a line that a crash cut short, the next one begins anew. */
static bool ends_within_a_line(const HistoryFile *file) {
    char last = '\n';
    return file->size > 0 && pread(file->fd, &last, 1, (off_t)file->size - 1) == 1 && last != '\n';
}

/* One write, so that it stands there whole. */
static bool write_at_end(HistoryFile *file, const char *bytes, size_t length) {
    ssize_t written;
    do written = write(file->fd, bytes, length);
    while (written < 0 && errno == EINTR);
    if (written == (ssize_t)length) return true;
    /* The disk is full: half a line helps nobody, and under the lock it is the last one. */
    if (written > 0 && file->locked) (void)!ftruncate(file->fd, (off_t)file->size);
    return false;
}

long long history_file_append(HistoryFile *file, const char *text, size_t length) {
    Text line;
    text_init(&line);
    if (ends_within_a_line(file)) text_char(&line, '\n');
    size_t before = line.length;
    history_line_write(&line, text, length);
    long long begin = -1;
    if (!line.failed && write_at_end(file, line.data, line.length)) {
        file->size = lseek(file->fd, 0, SEEK_CUR); /* without a lock others may have come between */
        begin = file->size - (long long)(line.length - before);
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

#include "shell/editor/history.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- the file, as bytes and lines ---- */

/* Whoever writes holds a lock on the file, until it is closed; whoever finds it too large replaces
 * it, so a path may come to name another file at any time. On a disk without locks appending works
 * all the same (O_APPEND keeps lines apart) and nothing is replaced. */
typedef struct HistoryFile {
    int fd;
    bool locked;
    long long size;
    unsigned long long device, inode;
} HistoryFile;

/* True if this may be an entry: UTF-8 without zero bytes. */
static bool history_line_is_text(const char *line, size_t length) {
    return !memchr(line, 0, length) && utf8_check(line, length) == length;
}

/* Appends the line of an entry, with its newline. */
static void history_line_write(Text *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') text_bytes(out, "\\n", 2);
        else if (text[i] == '\\') text_bytes(out, "\\\\", 2);
        else text_char(out, text[i]);
    }
    text_char(out, '\n');
}

/* Reads the entry of a line into `to`, which has room for length + 1 bytes, and ends it with a zero
 * byte. Returns its length. */
static size_t history_line_read(const char *line, size_t length, char *to) {
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

/* Opens the file to read it. write: makes it if need be, locks it, and opens it to write too if
 * that is allowed. False: there is none that could be read. */
static bool history_file_open(HistoryFile *file, const char *path, bool write) {
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

/* The most that is read: the file may be a quarter past the limits before it is cut. */
enum { READ_MAX = HISTORY_BYTES_MAX / 4 * 5 };

/* Appends the bytes [from, to) of the file to out; if these are more than READ_MAX only the last,
 * from the beginning of a line. Returns where they begin in the file. */
static long long history_file_read(const HistoryFile *file, long long from, long long to,
                                   Text *out) {
    char buffer[1 << 16];
    long long begin = to - from > READ_MAX ? to - READ_MAX : from;
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

/* Writes an entry as a line of its own, even behind a line that was cut short. Returns where it
 * begins (it ends at file->size), or -1 if it could not be written. */
static long long history_file_append(HistoryFile *file, const char *text, size_t length) {
    LocalText line = TEXT_EMPTY;
    char last = '\n';
    if (file->size > 0 && pread(file->fd, &last, 1, (off_t)file->size - 1) == 1 && last != '\n')
        text_char(&line, '\n'); /* a crash cut the last line short */
    size_t before = line.length;
    history_line_write(&line, text, length);
    if (line.failed) return -1;
    ssize_t written;
    do written = write(file->fd, line.data, line.length); /* at once, so that it stays whole */
    while (written < 0 && errno == EINTR);
    if (written == (ssize_t)line.length) {
        file->size = lseek(file->fd, 0, SEEK_CUR); /* without a lock others may have written */
        return file->size - (long long)(line.length - before);
    }
    /* The disk is full. Half a line helps nobody, and under the lock it is the last one. */
    if (written > 0 && file->locked) (void)!ftruncate(file->fd, (off_t)file->size);
    return -1;
}

/* Replaces the file by one with these bytes. False: that was not possible, and nothing changed. */
static bool history_file_replace(HistoryFile *file, const char *path, const char *bytes,
                                 size_t length) {
    struct stat status;
    if (!file->locked || !file_write(path, bytes, length, NULL) || stat(path, &status) != 0)
        return false;
    file->size = (long long)length;
    file->device = (unsigned long long)status.st_dev;
    file->inode = (unsigned long long)status.st_ino;
    return true;
}

/* ---- entries in memory ---- */

/* Takes text over. Without memory it is as if the entry had not been typed. */
static void push_entry(EntryHistory *history, char *text, size_t length, bool elsewhere) {
    HistoryEntry *entries =
        mem_grow(history->entries, history->count, &history->capacity, sizeof *entries, NULL);
    if (entries) history->entries = entries;
    if (text && entries) entries[history->count++] = (HistoryEntry){text, length, elsewhere};
    else mem_free(text);
}

static void drop_oldest(EntryHistory *history, size_t count) {
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) mem_free(history->entries[i].text);
    history->count -= count;
    memmove(history->entries, history->entries + count, history->count * sizeof *history->entries);
}

/* ---- what the file holds ---- */

/* Takes in the lines [begin, end) of the file's bytes. */
static void push_lines(EntryHistory *history, const Text *bytes, size_t begin, size_t end,
                       bool elsewhere) {
    while (begin < end) {
        TextLine line = text_line(bytes, &begin);
        if (line.length == 0 || !history_line_is_text(line.bytes, line.length)) continue;
        char *text = mem_alloc(line.length + 1, NULL);
        size_t length = text ? history_line_read(line.bytes, line.length, text) : 0;
        push_entry(history, text, length, elsewhere);
    }
}

static void note_read(EntryHistory *history, const HistoryFile *file, long long read) {
    history->read = read;
    history->device = file->device;
    history->inode = file->inode;
}

/* Takes in what other prompts have written up to `end`. A line without its newline is still being
 * written, and is left for later. */
static void catch_up(EntryHistory *history, const HistoryFile *file, long long end) {
    LocalText bytes = TEXT_EMPTY, newest = TEXT_EMPTY;
    bool same =
        file->device == history->device && file->inode == history->inode && history->read <= end;
    long long from = history_file_read(file, same ? history->read : 0, end, &bytes);
    size_t whole = bytes.length, known = 0;
    while (whole > 0 && bytes.data[whole - 1] != '\n') whole--;
    if (!same && history->count > 0) {
        /* The file has replaced the one that this prompt knew: new are the lines behind the newest
         * entry that it has, or all if that is not there. */
        const HistoryEntry *last = &history->entries[history->count - 1];
        history_line_write(&newest, last->text, last->length);
        for (size_t begin = 0, at = 0; at < bytes.length; begin = at) {
            text_line(&bytes, &at);
            if (at - begin == newest.length &&
                memcmp(bytes.data + begin, newest.data, newest.length) == 0)
                known = at;
        }
    }
    if (!bytes.failed) {
        push_lines(history, &bytes, known, whole, true);
        note_read(history, file, from + (long long)whole);
    }
}

void entry_history_open(EntryHistory *history, bool keep) {
    LocalText path = TEXT_EMPTY;
    HistoryFile file;
    *history = (EntryHistory){.path = NULL};
    if (!keep || !path_state(&path, "history")) return;
    history->path = text_take(&path, NULL);
    if (!history->path) return;
    path_make_folders(history->path);
    if (!history_file_open(&file, history->path, true)) return;

    LocalText bytes = TEXT_EMPTY;
    long long from = history_file_read(&file, 0, file.size, &bytes);
    size_t lines = 0, dropped = 0, begin = 0;
    for (size_t at = 0; at < bytes.length; lines++) text_line(&bytes, &at);
    while (begin < bytes.length &&
           (lines - dropped > HISTORY_ENTRIES_MAX || bytes.length - begin > HISTORY_BYTES_MAX)) {
        text_line(&bytes, &begin);
        dropped++;
    }
    push_lines(history, &bytes, begin, bytes.length, false);
    bool too_long = from > 0 || dropped > HISTORY_ENTRIES_MAX / 4;
    if (too_long && !bytes.failed)
        history_file_replace(&file, history->path, bytes.data + begin, bytes.length - begin);
    note_read(history, &file, file.size);
    close(file.fd);
}

void entry_history_release(EntryHistory *history) {
    drop_oldest(history, history->count);
    mem_free(history->entries);
    mem_free(history->path);
    *history = (EntryHistory){0};
}

void entry_history_add(EntryHistory *history, const char *text, size_t length) {
    length = trimmed_length(text, length, "\r\n");
    bool blank = trimmed_length(text, length, " \t\r\n") == 0;
    size_t own = history->count;
    while (own > 0 && history->entries[own - 1].elsewhere) own--;
    const HistoryEntry *last = own > 0 ? &history->entries[own - 1] : NULL;
    if (blank || (last && last->length == length && memcmp(last->text, text, length) == 0)) return;

    HistoryFile file;
    if (history->path && length <= HISTORY_ENTRY_MAX && history_line_is_text(text, length) &&
        history_file_open(&file, history->path, true)) {
        long long begin = history_file_append(&file, text, length);
        /* Lines that others wrote before come first: memory then has the order of the file. */
        catch_up(history, &file, begin >= 0 ? begin : file.size);
        if (begin >= 0) note_read(history, &file, file.size);
        close(file.fd);
    }
    push_entry(history, mem_string(text, length, NULL), length, false);
    if (history->count > HISTORY_ENTRIES_MAX / 4 * 5)
        drop_oldest(history, history->count - HISTORY_ENTRIES_MAX);
}

void entry_history_refresh(EntryHistory *history) {
    HistoryFile file;
    if (!history->path || !history_file_open(&file, history->path, false)) return;
    catch_up(history, &file, file.size);
    close(file.fd);
}

size_t entry_history_find(const EntryHistory *history, size_t at, bool back, const char *prefix,
                          size_t prefix_length, const char *now) {
    size_t step = back ? (size_t)-1 : 1; /* unsigned: one before 0 is no index either */
    for (at += step; at < history->count; at += step) {
        const HistoryEntry *entry = &history->entries[at];
        bool begins =
            entry->length >= prefix_length && memcmp(entry->text, prefix, prefix_length) == 0;
        if (begins && !entry->elsewhere && strcmp(entry->text, now) != 0) return at;
    }
    return HISTORY_NONE;
}

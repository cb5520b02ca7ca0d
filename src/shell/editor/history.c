#include "shell/editor/history.h"

#include "base/memory.h"
#include "shell/editor/history_file.h"

#include <string.h>

/* What is read at most: the file may be a quarter past the limits before it is cut. */
enum { READ_MAX = HISTORY_BYTES_MAX / 4 * 5 };

/* ---- entries in memory ---- */

static bool reserve(History *history) {
    if (history->count < history->capacity) return true;
    size_t capacity = history->capacity ? history->capacity * 2 : 64;
    HistoryEntry *entries = mem_resize(history->entries, capacity * sizeof *entries, NULL);
    if (!entries) return false;
    history->entries = entries;
    history->capacity = capacity;
    return true;
}

/* Takes text over. Without memory it is as if it had not been typed. */
static void push(History *history, char *text, size_t length, bool elsewhere) {
    if (text && reserve(history))
        history->entries[history->count++] = (HistoryEntry){text, length, elsewhere};
    else mem_free(text);
}

static void drop_oldest(History *history, size_t count) {
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) mem_free(history->entries[i].text);
    history->count -= count;
    memmove(history->entries, history->entries + count, history->count * sizeof *history->entries);
}

static bool repeats_the_last(const History *history, const char *text, size_t length) {
    size_t at = history->count;
    while (at > 0 && history->entries[at - 1].elsewhere) at--;
    const HistoryEntry *last = at > 0 ? &history->entries[at - 1] : NULL;
    return last && last->length == length && memcmp(last->text, text, length) == 0;
}

/* ---- entries from lines ---- */

/* The bytes of the line that begins at `at`, without its newline. */
static size_t line_length(const char *bytes, size_t length, size_t at) {
    const char *newline = memchr(bytes + at, '\n', length - at);
    return newline ? (size_t)(newline - (bytes + at)) : length - at;
}

static void take_line(History *history, const char *line, size_t length, bool elsewhere) {
    if (length == 0 || !history_line_is_text(line, length)) return;
    char *text = mem_alloc(length + 1, NULL);
    size_t count = text ? history_line_read(line, length, text) : 0;
    push(history, text, count, elsewhere);
}

static void take_lines(History *history, const char *bytes, size_t length, bool elsewhere) {
    for (size_t at = 0, size; at < length; at += size + 1) {
        size = line_length(bytes, length, at);
        take_line(history, bytes + at, size, elsewhere);
    }
}

static size_t count_lines(const char *bytes, size_t length) {
    size_t count = 0;
    for (size_t at = 0; at < length; at += line_length(bytes, length, at) + 1) count++;
    return count;
}

/* Where the newest lines begin that keep to the limits; *dropped counts those before. */
static size_t newest_lines(const char *bytes, size_t length, size_t *dropped) {
    size_t lines = count_lines(bytes, length), at = 0;
    for (*dropped = 0; at < length; ++*dropped) {
        if (lines - *dropped <= HISTORY_ENTRIES_MAX && length - at <= HISTORY_BYTES_MAX) break;
        at += line_length(bytes, length, at) + 1;
    }
    return at < length ? at : length;
}

/* ---- the file ---- */

static void remember_place(History *history, const HistoryFile *file, long long read) {
    history->read = read;
    history->device = file->device;
    history->inode = file->inode;
}

static void load(History *history, HistoryFile *file) {
    Text bytes;
    text_init(&bytes);
    long long from = history_file_read(file, 0, file->size, READ_MAX, &bytes);
    size_t dropped, begin = newest_lines(bytes.data, bytes.length, &dropped);
    /* The last line also when a crash left it without its newline. */
    take_lines(history, bytes.data + begin, bytes.length - begin, false);
    bool cut = from > 0 || dropped > HISTORY_ENTRIES_MAX / 4;
    if (cut && !bytes.failed)
        history_file_replace(file, history->path, bytes.data + begin, bytes.length - begin);
    remember_place(history, file, file->size);
    text_release(&bytes);
}

/* In a file that replaced the one we knew: past the newest entry that we know, what follows is
 * news; 0 without it. */
static size_t known_lines(const History *history, const Text *bytes) {
    size_t known = 0;
    if (history->count == 0) return 0;
    const HistoryEntry *last = &history->entries[history->count - 1];
    Text line;
    text_init(&line);
    history_line_write(&line, last->text, last->length);
    for (size_t at = 0, size; at < bytes->length; at += size) {
        size = line_length(bytes->data, bytes->length, at) + 1;
        bool same = size == line.length && at + size <= bytes->length &&
                    memcmp(bytes->data + at, line.data, size) == 0;
        if (same) known = at + size;
    }
    text_release(&line);
    return known;
}

/* Takes in what others have written up to `end`. A line without its newline is still being written:
 * it waits. */
static void catch_up(History *history, const HistoryFile *file, long long end) {
    Text bytes;
    text_init(&bytes);
    bool same =
        file->device == history->device && file->inode == history->inode && history->read <= end;
    long long from = history_file_read(file, same ? history->read : 0, end, READ_MAX, &bytes);
    size_t whole = bytes.length;
    while (whole > 0 && bytes.data[whole - 1] != '\n') whole--;
    size_t known = same ? 0 : known_lines(history, &bytes);
    if (!bytes.failed) {
        take_lines(history, bytes.data + known, whole - known, true);
        remember_place(history, file, from + (long long)whole);
    }
    text_release(&bytes);
}

/* Others' lines first: so memory has the order of the file. */
static void append(History *history, const char *text, size_t length) {
    HistoryFile file;
    if (!history->path || length > HISTORY_ENTRY_MAX || !history_line_is_text(text, length)) return;
    if (!history_file_open(&file, history->path, true)) return;
    long long begin = history_file_append(&file, text, length);
    catch_up(history, &file, begin >= 0 ? begin : file.size);
    if (begin >= 0) remember_place(history, &file, file.size);
    history_file_close(&file);
}

/* ---- what the editor calls ---- */

void history_open(History *history, bool keep) {
    *history = (History){.path = keep ? history_file_path() : NULL};
    HistoryFile file;
    if (!history->path || !history_file_open(&file, history->path, true)) return;
    load(history, &file);
    history_file_close(&file);
}

void history_release(History *history) {
    drop_oldest(history, history->count);
    mem_free(history->entries);
    mem_free(history->path);
    *history = (History){0};
}

void history_add(History *history, const char *text, size_t length) {
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) length--;
    bool blank = true;
    for (size_t i = 0; i < length && blank; i++) blank = strchr(" \t\r\n", text[i]) && text[i];
    if (blank || repeats_the_last(history, text, length)) return;
    append(history, text, length);
    push(history, mem_string(text, length, NULL), length, false);
    if (history->count > HISTORY_ENTRIES_MAX / 4 * 5)
        drop_oldest(history, history->count - HISTORY_ENTRIES_MAX);
}

void history_refresh(History *history) {
    HistoryFile file;
    if (!history->path || !history_file_open(&file, history->path, false)) return;
    catch_up(history, &file, file.size);
    history_file_close(&file);
}

static bool is_sought(const HistoryEntry *entry, const char *prefix, size_t length,
                      const char *now) {
    return !entry->elsewhere && entry->length >= length &&
           memcmp(entry->text, prefix, length) == 0 && strcmp(entry->text, now) != 0;
}

size_t history_before(const History *history, size_t at, const char *prefix, size_t prefix_length,
                      const char *now) {
    while (at-- > 0) {
        if (is_sought(&history->entries[at], prefix, prefix_length, now)) return at;
    }
    return HISTORY_NONE;
}

size_t history_after(const History *history, size_t at, const char *prefix, size_t prefix_length,
                     const char *now) {
    while (++at < history->count) {
        if (is_sought(&history->entries[at], prefix, prefix_length, now)) return at;
    }
    return HISTORY_NONE;
}

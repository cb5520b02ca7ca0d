#include "shell/editor/history.h"

#include "base/memory.h"
#include "shell/editor/history_file.h"

#include <string.h>

/* The most that is read: the file may be a quarter past the limits before it is cut. */
enum { READ_MAX = HISTORY_BYTES_MAX / 4 * 5 };

/* ---- entries in memory ---- */

/* Takes text over. Without memory it is as if the entry had not been typed. */
static void push_entry(History *history, char *text, size_t length, bool elsewhere) {
    if (text && history->count == history->capacity) {
        size_t capacity = history->capacity ? history->capacity * 2 : 64;
        HistoryEntry *entries = mem_resize(history->entries, capacity * sizeof *entries, NULL);
        if (entries) {
            history->entries = entries;
            history->capacity = capacity;
        }
    }
    if (text && history->count < history->capacity)
        history->entries[history->count++] = (HistoryEntry){text, length, elsewhere};
    else mem_free(text);
}

static void drop_oldest(History *history, size_t count) {
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) mem_free(history->entries[i].text);
    history->count -= count;
    memmove(history->entries, history->entries + count, history->count * sizeof *history->entries);
}

/* ---- lines of the file ---- */

/* How many bytes the line at `at` has, without its newline. */
static size_t line_length(const char *bytes, size_t length, size_t at) {
    const char *newline = memchr(bytes + at, '\n', length - at);
    return newline ? (size_t)(newline - (bytes + at)) : length - at;
}

static void push_lines(History *history, const char *bytes, size_t length, bool elsewhere) {
    for (size_t at = 0, size; at < length; at += size + 1) {
        const char *line = bytes + at;
        size = line_length(bytes, length, at);
        if (size == 0 || !history_line_is_text(line, size)) continue;
        char *text = mem_alloc(size + 1, NULL);
        size_t count = text ? history_line_read(line, size, text) : 0;
        push_entry(history, text, count, elsewhere);
    }
}

/* ---- the file ---- */

static void note_read(History *history, const HistoryFile *file, long long read) {
    history->read = read;
    history->device = file->device;
    history->inode = file->inode;
}

/* Where the lines go on that this prompt does not know, in a file that has replaced the one it
 * knew: behind the newest entry that it knows; 0 if that is not there. */
static size_t end_of_known(const History *history, const Text *bytes) {
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

/* Takes in what other prompts have written up to `end`. A line without its newline is still being
 * written, and is left for later. */
static void catch_up(History *history, const HistoryFile *file, long long end) {
    Text bytes;
    text_init(&bytes);
    bool same =
        file->device == history->device && file->inode == history->inode && history->read <= end;
    long long from = history_file_read(file, same ? history->read : 0, end, READ_MAX, &bytes);
    size_t whole = bytes.length;
    while (whole > 0 && bytes.data[whole - 1] != '\n') whole--;
    size_t known = same ? 0 : end_of_known(history, &bytes);
    if (!bytes.failed) {
        push_lines(history, bytes.data + known, whole - known, true);
        note_read(history, file, from + (long long)whole);
    }
    text_release(&bytes);
}

void history_open(History *history, bool keep) {
    *history = (History){.path = keep ? history_file_path() : NULL};
    HistoryFile file;
    if (!history->path || !history_file_open(&file, history->path, true)) return;

    Text bytes;
    text_init(&bytes);
    long long from = history_file_read(&file, 0, file.size, READ_MAX, &bytes);
    const char *data = bytes.data;
    size_t length = bytes.length, lines = 0, dropped = 0, begin = 0;
    for (size_t at = 0; at < length; at += line_length(data, length, at) + 1) lines++;
    while (begin < length &&
           (lines - dropped > HISTORY_ENTRIES_MAX || length - begin > HISTORY_BYTES_MAX)) {
        begin += line_length(data, length, begin) + 1;
        dropped++;
    }
    if (begin > length) begin = length; /* the last line has no newline if a crash cut it short */
    push_lines(history, data + begin, length - begin, false);
    bool too_long = from > 0 || dropped > HISTORY_ENTRIES_MAX / 4;
    if (too_long && !bytes.failed)
        history_file_replace(&file, history->path, data + begin, length - begin);
    note_read(history, &file, file.size);
    text_release(&bytes);
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
    size_t own = history->count;
    while (own > 0 && history->entries[own - 1].elsewhere) own--;
    const HistoryEntry *last = own > 0 ? &history->entries[own - 1] : NULL;
    if (blank || (last && last->length == length && memcmp(last->text, text, length) == 0)) return;

    HistoryFile file;
    if (history->path && length <= HISTORY_ENTRY_MAX && history_line_is_text(text, length) &&
        history_file_open(&file, history->path, true)) {
        long long begin = history_file_append(&file, text, length);
        /* What others wrote before comes first: memory then has the order of the file. */
        catch_up(history, &file, begin >= 0 ? begin : file.size);
        if (begin >= 0) note_read(history, &file, file.size);
        history_file_close(&file);
    }
    push_entry(history, mem_string(text, length, NULL), length, false);
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
    while (at-- > 0)
        if (is_sought(&history->entries[at], prefix, prefix_length, now)) return at;
    return HISTORY_NONE;
}

size_t history_after(const History *history, size_t at, const char *prefix, size_t prefix_length,
                     const char *now) {
    while (++at < history->count)
        if (is_sought(&history->entries[at], prefix, prefix_length, now)) return at;
    return HISTORY_NONE;
}

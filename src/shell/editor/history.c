#include "shell/editor/history.h"

#include "base/memory.h"
#include "shell/editor/history_file.h"

#include <string.h>

/* The most that is read: the file may be a quarter past the limits before it is cut. */
enum { READ_MAX = HISTORY_BYTES_MAX / 4 * 5 };

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

/* ---- the file ---- */

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

/* The offset of the lines that this prompt does not know, in a file that has replaced the one it
 * knew: behind the newest entry that it knows; 0 if that is not there. */
static size_t end_of_known(const EntryHistory *history, const Text *bytes) {
    size_t known = 0;
    if (history->count == 0) return 0;
    const HistoryEntry *last = &history->entries[history->count - 1];
    Text line = TEXT_EMPTY;
    history_line_write(&line, last->text, last->length);
    for (size_t at = 0; at < bytes->length;) {
        size_t begin = at;
        text_line(bytes, &at);
        if (at - begin == line.length && memcmp(bytes->data + begin, line.data, line.length) == 0)
            known = at;
    }
    text_release(&line);
    return known;
}

/* Takes in what other prompts have written up to `end`. A line without its newline is still being
 * written, and is left for later. */
static void catch_up(EntryHistory *history, const HistoryFile *file, long long end) {
    Text bytes = TEXT_EMPTY;
    bool same =
        file->device == history->device && file->inode == history->inode && history->read <= end;
    long long from = history_file_read(file, same ? history->read : 0, end, READ_MAX, &bytes);
    size_t whole = bytes.length;
    while (whole > 0 && bytes.data[whole - 1] != '\n') whole--;
    size_t known = same ? 0 : end_of_known(history, &bytes);
    if (!bytes.failed) {
        push_lines(history, &bytes, known, whole, true);
        note_read(history, file, from + (long long)whole);
    }
    text_release(&bytes);
}

void entry_history_open(EntryHistory *history, bool keep) {
    *history = (EntryHistory){.path = keep ? history_file_path() : NULL};
    HistoryFile file;
    if (!history->path || !history_file_open(&file, history->path, true)) return;

    Text bytes = TEXT_EMPTY;
    long long from = history_file_read(&file, 0, file.size, READ_MAX, &bytes);
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
    text_release(&bytes);
    history_file_close(&file);
}

void entry_history_release(EntryHistory *history) {
    drop_oldest(history, history->count);
    mem_free(history->entries);
    mem_free(history->path);
    *history = (EntryHistory){0};
}

void entry_history_add(EntryHistory *history, const char *text, size_t length) {
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
        /* Lines that others wrote before come first: memory then has the order of the file. */
        catch_up(history, &file, begin >= 0 ? begin : file.size);
        if (begin >= 0) note_read(history, &file, file.size);
        history_file_close(&file);
    }
    push_entry(history, mem_string(text, length, NULL), length, false);
    if (history->count > HISTORY_ENTRIES_MAX / 4 * 5)
        drop_oldest(history, history->count - HISTORY_ENTRIES_MAX);
}

void entry_history_refresh(EntryHistory *history) {
    HistoryFile file;
    if (!history->path || !history_file_open(&file, history->path, false)) return;
    catch_up(history, &file, file.size);
    history_file_close(&file);
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

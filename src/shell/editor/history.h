/* What was typed before: at this prompt, earlier, and at other prompts meanwhile.
 *
 * A file holds one entry to a line (\n and \\ inside it are escaped). An entry is appended with one
 * write before it runs, so that nothing but the line being typed can be lost, and prompts that run
 * at once lose nothing of each other's. Without a file (no home, read-only, a full disk, --safe)
 * history lasts as long as the prompt; so does, in any case, an entry of more than
 * HISTORY_ENTRY_MAX bytes, and one that is not text (a zero byte, not UTF-8). */
#ifndef ATTN_SHELL_HISTORY_H
#define ATTN_SHELL_HISTORY_H

#include "base/text.h"

enum { HISTORY_ENTRIES_MAX = 10000, HISTORY_BYTES_MAX = 4 << 20, HISTORY_ENTRY_MAX = 1 << 20 };

typedef struct HistoryEntry {
    char *text; /* without a newline at its end */
    size_t length;
    bool
        elsewhere; /* typed at another prompt since this one began: Ctrl-R finds it, Up passes it */
} HistoryEntry;

typedef struct History {
    HistoryEntry *entries; /* oldest first */
    size_t count, capacity;
    char *path;                       /* NULL: no file */
    long long read;                   /* how much of the file has been taken in */
    unsigned long long device, inode; /* of the file that this counts in: it may be replaced */
} History;

/* Reads the file at $XDG_STATE_HOME/attn/history (~/.local/state where that is not set), making its
 * folder; the newest entries within the limits, and the file is cut to these when it has grown a
 * quarter past them. `keep` false: no file is read or written. Never fails: what cannot be read or
 * made is as if there were no file. */
void history_open(History *history, bool keep);
void history_release(History *history);
/* Adds an entry, without the newlines at its end, here and to the file. Blank ones and a repetition
 * of the last one of this prompt are passed over. Indices hold until here: the oldest entries may
 * go. */
void history_add(History *history, const char *text, size_t length);
/* Takes in, at the end, what other prompts have added to the file. */
void history_refresh(History *history);

/* The nearest entry of this prompt before (after) index `at` that begins with prefix and differs
 * from `now`; `at` may be count (the line being typed). HISTORY_NONE when there is none. */
#define HISTORY_NONE ((size_t)-1)
size_t history_before(const History *history, size_t at, const char *prefix, size_t prefix_length,
                      const char *now);
size_t history_after(const History *history, size_t at, const char *prefix, size_t prefix_length,
                     const char *now);

#endif

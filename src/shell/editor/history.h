/* Keeps what was typed: at this prompt, earlier, and at other prompts that run meanwhile.
 *
 * The file holds one entry to a line (with \n and \\ escaped). An entry is appended by one write
 * before it runs, so that nothing but the line being typed can be lost, and prompts that run at the
 * same time lose nothing of each other's. Without a file (no home, read-only, a full disk, --safe)
 * history lasts as long as the prompt. So does, in any case, an entry of more than
 * HISTORY_ENTRY_MAX bytes, and one that is not text (a zero byte, not UTF-8). */
#ifndef ATTN_SHELL_HISTORY_H
#define ATTN_SHELL_HISTORY_H

#include "base/text.h"

enum { HISTORY_ENTRIES_MAX = 10000, HISTORY_BYTES_MAX = 4 << 20, HISTORY_ENTRY_MAX = 1 << 20 };

typedef struct HistoryEntry {
    char *text; /* without a newline at its end */
    size_t length;
    bool elsewhere; /* typed at another prompt since this one began: Ctrl-R finds it, Up does not */
} HistoryEntry;

typedef struct EntryHistory {
    HistoryEntry *entries; /* oldest first */
    size_t count, capacity;
    char *path;                       /* NULL: no file */
    long long read;                   /* the bytes of the file that have been read */
    unsigned long long device, inode; /* of the file that these bytes are of: it may be replaced */
} EntryHistory;

/* Reads the file at $XDG_STATE_HOME/attn/history (~/.local/state if that is not set) and makes its
 * folder. Takes the newest entries within the limits, and cuts the file to these when it has grown
 * a quarter past them. keep false: no file is read or written. Never fails: what cannot be read or
 * made counts as not there. */
void entry_history_open(EntryHistory *history, bool keep);
void entry_history_release(EntryHistory *history);
/* Adds an entry, without the newlines at its end, here and to the file. Blank ones and a repetition
 * of this prompt's last one are skipped. Indices change: the oldest entries may be dropped. */
void entry_history_add(EntryHistory *history, const char *text, size_t length);
/* Adds, at the end, what other prompts have written to the file. */
void entry_history_refresh(EntryHistory *history);

/* The nearest entry of this prompt before index `at` (back false: after it) that begins with prefix
 * and differs from `now`; `at` may be count (the line being typed). HISTORY_NONE: there is none. */
#define HISTORY_NONE ((size_t)-1)
size_t entry_history_find(const EntryHistory *history, size_t at, bool back, const char *prefix,
                          size_t prefix_length, const char *now);

#endif

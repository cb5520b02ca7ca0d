/* The file behind the history, as bytes and lines.
 *
 * Whoever writes holds a lock on the file; whoever finds it too large replaces it, so a path may
 * come to name another file at any time. Where the disk knows no locks, appending goes on without
 * (O_APPEND keeps lines apart) and nothing is replaced. */
#ifndef ATTN_SHELL_HISTORY_FILE_H
#define ATTN_SHELL_HISTORY_FILE_H

#include "base/text.h"

typedef struct HistoryFile {
    int fd;
    bool locked;
    long long size;
    unsigned long long device, inode;
} HistoryFile;

/* Where the file is, its folder made. New; NULL: nowhere. */
char *history_file_path(void);

/* Opens it to read, or, `write`, makes it, locks it and opens it for both where that is allowed.
 * False: there is none that could be read. */
bool history_file_open(HistoryFile *file, const char *path, bool write);
void history_file_close(HistoryFile *file);

/* Puts the bytes [from, to) into out; of more than `most` only the last, from the beginning of a
 * line. Gives where they begin in the file. */
long long history_file_read(const HistoryFile *file, long long from, long long to, long long most,
                            Text *out);
/* Writes an entry as a line of its own, also behind a line that was cut. Gives where it begins (it
 * ends at file->size), -1 when it could not be written. */
long long history_file_append(HistoryFile *file, const char *text, size_t length);
/* Puts another file in its place. False when that was not possible; then all is as it was. */
bool history_file_replace(HistoryFile *file, const char *path, const char *bytes, size_t length);

/* Is this what an entry may be: UTF-8 without zero bytes? */
bool history_line_is_text(const char *line, size_t length);
/* The line of an entry, its newline included. */
void history_line_write(Text *out, const char *text, size_t length);
/* The entry of a line: to[0..length + 1) gets its bytes and a zero byte. Gives their count. */
size_t history_line_read(const char *line, size_t length, char *to);

#endif

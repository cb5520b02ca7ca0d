/* The file behind the history, as bytes and lines.
 *
 * Whoever writes holds a lock on the file; whoever finds it too large replaces it, so a path may
 * come to name another file at any time. On a disk without locks appending works all the same
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

/* The file's path, new; makes its folder. NULL: there is no place for it, or no memory. */
char *history_file_path(void);

/* Opens the file to read it. write: makes it if need be, locks it, and opens it to write too if
 * that is allowed. False: there is none that could be read. */
bool history_file_open(HistoryFile *file, const char *path, bool write);
void history_file_close(HistoryFile *file);

/* Appends the bytes [from, to) of the file to out; if these are more than `most` only the last,
 * from the beginning of a line. Returns where they begin in the file. */
long long history_file_read(const HistoryFile *file, long long from, long long to, long long most,
                            Text *out);
/* Writes an entry as a line of its own, even behind a line that was cut short. Returns where it
 * begins (it ends at file->size), or -1 if it could not be written. */
long long history_file_append(HistoryFile *file, const char *text, size_t length);
/* Replaces the file by one with these bytes. False: that was not possible, and nothing changed. */
bool history_file_replace(HistoryFile *file, const char *path, const char *bytes, size_t length);

/* True if this may be an entry: UTF-8 without zero bytes. */
bool history_line_is_text(const char *line, size_t length);
/* Appends the line of an entry, with its newline. */
void history_line_write(Text *out, const char *text, size_t length);
/* Reads the entry of a line into `to`, which has room for length + 1 bytes, and ends it with a zero
 * byte. Returns its length. */
size_t history_line_read(const char *line, size_t length, char *to);

#endif

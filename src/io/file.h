/* Whole files: read, and replaced atomically (written beside, then renamed), so
 * that a file is there whole or as it was. */
#ifndef ATTN_IO_FILE_H
#define ATTN_IO_FILE_H

#include "base/text.h"

/* Reads a whole file. ERR_FILE says the path and the cause (no such file, a
 * directory, no permission); ERR_LIMIT over `limit` bytes (0: no limit but the memory; of a pipe
 * or a device 64 MB). */
bool file_read(const char *path, size_t limit, Text *out, Error *err);
/* The same of a file in a folder. */
bool file_read_in(const char *folder, const char *name, size_t limit, Text *out, Error *err);
/* Sets *there to whether there is a file of that name in a folder. ERR_LIMIT. */
bool file_is_in(const char *folder, const char *name, bool *there, Error *err);
/* True if bytes that were read from `source` are a text: UTF-8, no byte 0. ERR_FILE. */
bool file_check_text(const Text *read, const char *source, Error *err);
/* The rest of the standard input. */
bool file_read_input(Text *out, Error *err);

/* Writes bytes to path, atomically. A full disk or a missing folder is ERR_FILE and leaves the old
 * file. */
bool file_write(const char *path, const char *bytes, size_t length, Error *err);
/* Writes the text, if `ok`, and releases it. */
bool file_write_text(bool ok, const char *path, Text *text, Error *err);

/* A file being written beside `path`: for programs that write themselves (gnuplot). */
typedef struct FileReplacement {
    char *temporary; /* the path to write to: in the same folder, same suffix */
    char *path;
    bool made; /* the file that a link leads to is there only since this began */
} FileReplacement;
bool file_replace_begin(FileReplacement *replacement, const char *path, Error *err);
bool file_replace_commit(FileReplacement *replacement,
                         Error *err); /* renames; releases; ERR_FILE when nothing was written */
void file_replace_cancel(FileReplacement *replacement); /* removes; releases */

/* The value of a variable of the environment; "" where it is not set. */
const char *environment(const char *name);

/* "b.svg" of "a/b.svg": borrowed. */
const char *path_name(const char *path);
/* "svg" of "a/b.svg": borrowed, "" without one. Compare with path_has_suffix, which ignores case.
 */
const char *path_suffix(const char *path);
bool path_has_suffix(const char *path, const char *suffix);
/* Appends the folder of a file: "a" for "a/b.svg", "/" for "/b.svg", "." for "b.svg". */
void path_folder(Text *out, const char *path);
/* directory/path unless path is absolute or directory NULL; ~ and ~/ mean HOME. Appends. */
void path_join(Text *out, const char *directory, const char *path);

/* Appends the path of what the program keeps from one start to the next:
 * $XDG_STATE_HOME/attn/name, ~/.local/state/attn/name where that is not set or not absolute. False:
 * there is no place for it. */
bool path_state(Text *out, const char *name);
/* Makes the folders of a path that are not there, but never the home itself; what cannot be made is
 * noticed by who writes. */
void path_make_folders(char *path);

/* ERR_FILE "cannot WHAT PATH: cause" from errno. Returns false always. */
bool system_error(Error *err, const char *what, const char *path, int code);

#endif

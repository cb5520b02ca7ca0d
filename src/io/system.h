/* What the files of this layer share: the system's refusals in words, and
 * reads and writes that go on until they are done. */
#ifndef ATTN_IO_SYSTEM_H
#define ATTN_IO_SYSTEM_H

#include "base/text.h"

/* ERR_FILE "cannot WHAT PATH: cause" from errno. Returns false always. */
bool system_error(Error *err, const char *what, const char *path, int code);

/* Writes all bytes and closes fd, also on failure. */
bool system_write(int fd, const char *path, const char *bytes, size_t length, Error *err);

/* A device, a pipe or a socket: written to, never replaced. */
bool system_is_special(const char *path);
/* Writes to such a thing; /dev/stdout and its like go on where the process's own output stands. */
bool system_write_special(const char *path, const char *bytes, size_t length, Error *err);

#endif

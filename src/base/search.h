/* Where bytes are in other bytes, in time that grows with both, whatever they hold. */
#ifndef ATTN_BASE_SEARCH_H
#define ATTN_BASE_SEARCH_H

#include <stddef.h>

#define NOT_FOUND ((size_t)-1)

/* Where the first `part` begins in bytes[from..length); NOT_FOUND, also after Ctrl-C. An empty part
 * is everywhere. */
size_t search_bytes(const char *bytes, size_t length, size_t from, const char *part,
                    size_t part_length);

#endif

#define _GNU_SOURCE /* for memmem */
#include "base/search.h"

#include "base/interrupt.h"

#include <string.h>

/* Some of a long text at a time, so that Ctrl-C is heard. */
enum { AT_ONCE = 1 << 24 };

size_t search_bytes(const char *bytes, size_t length, size_t from, const char *part,
                    size_t part_length) {
    while (from <= length && part_length <= length - from && !interrupt_flag) {
        size_t window = part_length < AT_ONCE / 2 ? AT_ONCE : 2 * part_length;
        if (window > length - from) window = length - from;
        const char *found = memmem(bytes + from, window, part, part_length);
        if (found) return (size_t)(found - bytes);
        if (window == length - from) break;
        from += window - part_length + 1;
    }
    return NOT_FOUND;
}

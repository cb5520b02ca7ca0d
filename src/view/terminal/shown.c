#include "view/terminal/shown.h"

Shown show_at_most(size_t count, size_t most) {
    if (count <= most) return (Shown){count, 0, count};
    return (Shown){(most + 1) / 2, most / 2, count};
}

void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns) {
    if (shown_all(shown)) return;
    size_t first = shown->head, last = shown->count - shown->tail - 1, start = out->length;
    if (first == last) text_format(out, "%s %zu of %zu is not shown", what, first, shown->count);
    else text_format(out, "%ss %zu to %zu of %zu are not shown", what, first, last, shown->count);
    if (!out->failed && out->length - start > (size_t)columns) {
        out->data[out->length = start] = 0;
        text_format(out, "no %ss %zu-%zu of %zu", what, first, last, shown->count);
    }
    text_char(out, '\n');
}

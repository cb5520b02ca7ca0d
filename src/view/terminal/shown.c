#include "view/terminal/shown.h"

#include "base/utf8.h"

Shown show_at_most(size_t count, size_t most) {
    if (count <= most) return show_all(count);
    return (Shown){.head = (most + 1) / 2, .tail = most / 2, .count = count};
}

void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns) {
    size_t left = shown->count - shown_count(shown);
    if (left == 0) return;
    Text line = TEXT_EMPTY;
    const char *between = left == 1 ? " " : "s ";
    text_string(&line, what);
    for (size_t i = 0, first = 0; i <= shown_count(shown); i++) {
        size_t end = shown_at(shown, i); /* of the gap before it */
        if (end > first) text_format(&line, "%s%zu", between, first);
        if (end > first) between = ", ";
        if (end > first + 1) text_format(&line, " to %zu", end - 1);
        first = end + 1;
    }
    text_format(&line, " of %zu %s not shown", shown->count, left == 1 ? "is" : "are");
    utf8_wrap_lines(out, &line, (size_t)columns);
}

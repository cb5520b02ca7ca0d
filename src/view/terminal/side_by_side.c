#include "view/terminal/side_by_side.h"

#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"

#include <string.h>

enum { BLOCKS_MOST = 8 };

/* Terminal columns of a line, without its escape sequences. */
static size_t line_width(const char *line, size_t length) {
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        const char *escape = memchr(line + at, '\x1b', length - at);
        size_t plain = escape ? (size_t)(escape - line) - at : length - at;
        width += utf8_width(line + at, plain);
        at += plain;
        while (at < length && line[at] != 'm') at++;
        if (at < length) at++;
    }
    return width;
}

size_t block_width(const Text *block) {
    size_t most = 0;
    for (size_t at = 0; at < block->length;) {
        TextLine line = text_line(block, &at);
        most = larger(most, line_width(line.bytes, line.length));
    }
    return most;
}

void side_by_side(Text *out, const Text *blocks, size_t count, size_t gap, size_t columns) {
    size_t widths[BLOCKS_MOST], sum = 0;
    const char *at[BLOCKS_MOST];
    for (size_t i = 0; i < count && i < BLOCKS_MOST; i++) {
        widths[i] = block_width(&blocks[i]);
        at[i] = blocks[i].data;
        sum += widths[i] + (i > 0 ? gap : 0);
    }
    if (count > BLOCKS_MOST || sum > columns) {
        for (size_t i = 0; i < count; i++) text_bytes(out, blocks[i].data, blocks[i].length);
        return;
    }
    for (;;) {
        bool any_left = false;
        for (size_t i = 0; i < count; i++) any_left = any_left || *at[i];
        if (!any_left) return;
        for (size_t i = 0; i < count; i++) {
            size_t length = strcspn(at[i], "\n");
            if (i > 0) text_repeat(out, ' ', gap);
            text_bytes(out, at[i], length);
            text_repeat(out, ' ', widths[i] - line_width(at[i], length));
            at[i] += length + (at[i][length] == '\n');
        }
        label_end_line(out);
    }
}

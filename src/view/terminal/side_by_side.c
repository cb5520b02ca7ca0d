/* Blocks of lines beside each other. */
#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"

#include <string.h>

enum { BLOCKS_MOST = 16 };

/* Terminal columns of a line, without its escape sequences. */
static size_t line_width(const char *line, size_t length) {
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        const char *escape = memchr(line + at, '\x1b', length - at);
        size_t plain = escape ? (size_t)(escape - line) - at : length - at;
        width += utf8_width(line + at, plain);
        at += plain;
        if (escape) at += utf8_escape(line + at, length - at);
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

/* Appends one row of blocks. */
static void write_row(Text *out, const Text *blocks, size_t count, size_t gap) {
    size_t widths[BLOCKS_MOST];
    const char *at[BLOCKS_MOST];
    for (size_t i = 0; i < count; i++) {
        widths[i] = block_width(&blocks[i]);
        at[i] = blocks[i].data;
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

void side_by_side(Text *out, const Text *blocks, size_t count, size_t gap, size_t columns) {
    while (count > 0) {
        size_t fit = 1, sum = block_width(&blocks[0]);
        while (fit < count && fit < BLOCKS_MOST) {
            sum += gap + block_width(&blocks[fit]);
            if (sum > columns) break;
            fit++;
        }
        if (fit == 1) text_bytes(out, blocks[0].data, blocks[0].length);
        else write_row(out, blocks, fit, gap);
        blocks += fit;
        count -= fit;
    }
}

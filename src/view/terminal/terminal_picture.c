#include "view/terminal/terminal_picture.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/text/text_picture.h"

enum { COLUMNS_LEAST = 20, LINES_LEAST = 6 };

void terminal_centre(Text *out, const Text *text, size_t width, bool utf8) {
    size_t taken = utf8_width(text->data, text->length);
    size_t before = taken < width ? (width - taken) / 2 : 0;
    text_repeat(out, ' ', before);
    label_fit(out, text, width - before, false, utf8);
}

void terminal_room_for(Text *out, size_t *at, size_t gap, size_t width, size_t columns) {
    bool fits = *at + gap + width <= columns;
    if (*at && fits) text_repeat(out, ' ', gap);
    else if (*at) label_end_line(out);
    *at = *at && fits ? *at + gap + width : width;
}

static size_t count_lines(const Text *text, size_t from) {
    size_t lines = 0;
    for (size_t i = from; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}

/* Lines are braille dots, which need UTF-8. */
static bool can_be_drawn(const Picture *picture, bool utf8) {
    if (picture->kind == PICTURE_HEATMAP) return has_cells(picture);
    return utf8 || panels_are_heatmaps(picture);
}

void picture_terminal(Text *out, const Picture *picture, int columns, int rows, ColorDepth color,
                      bool utf8) {
    if (color == COLOR_NONE || !can_be_drawn(picture, utf8)) {
        picture_text(out, picture, columns, utf8);
        return;
    }
    Screen screen = {.columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : (size_t)columns,
                     .color = color,
                     .utf8 = utf8};
    size_t start = out->length;
    text_picture_title(out, picture, screen.columns, utf8);
    size_t left = rows > 2 ? (size_t)rows - 2 : 0, taken = count_lines(out, start);
    screen.lines = left > taken + LINES_LEAST ? left - taken : LINES_LEAST;
    switch (picture->kind) {
    case PICTURE_HEATMAP: terminal_heatmap(out, picture, &screen); break;
    case PICTURE_LINES: terminal_lines(out, picture, &screen); break;
    default: terminal_panels(out, picture, &screen);
    }
}

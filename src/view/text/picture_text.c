#include "view/label.h"
#include "view/text/text_picture.h"

enum { COLUMNS_LEAST = 20 };

void text_picture_title(Text *out, const Picture *picture, size_t columns, bool utf8) {
    Text title;
    text_init(&title);
    label_for_terminal(&title, picture->title, utf8);
    if (title.length) {
        label_wrap_columns(out, &title, columns);
        text_char(out, '\n');
    }
    if (title.failed) out->failed = true;
    text_release(&title);
}

void picture_text(Text *out, const Picture *picture, int columns, bool utf8) {
    size_t width = columns < COLUMNS_LEAST ? COLUMNS_LEAST : (size_t)columns;
    text_picture_title(out, picture, width, utf8);
    switch (picture->kind) {
    case PICTURE_HEATMAP: text_heatmap(out, picture, width, utf8); break;
    case PICTURE_LINES: text_lines(out, picture, width, utf8); break;
    default: text_grid(out, picture, width, utf8);
    }
}

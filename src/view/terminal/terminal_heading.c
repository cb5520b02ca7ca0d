#include "view/terminal/terminal_heading.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/terminal/terminal_grid.h"

/* ---- the words of the axes ---- */

void heading_write_axes(Text *out, const Picture *picture, size_t across, bool utf8) {
    size_t start = out->length;
    if (has_words(picture->row_title)) {
        label_for_terminal(out, picture->row_title, utf8);
        text_string(out, utf8 ? " ↓" : " down");
    }
    if (!has_words(picture->column_title)) return;
    size_t taken = utf8_width(out->data + start, out->length - start);
    text_repeat(out, ' ', taken + 2 <= across ? across - taken : taken ? 2 : across);
    label_for_terminal(out, picture->column_title, utf8);
    text_string(out, utf8 ? " →" : " across");
}

void heading_write_names(Text *out, const Picture *picture, const Screen *screen) {
    Text part = TEXT_EMPTY;
    size_t at = 0;
    label_for_terminal(&part, has_words(picture->column_title) ? picture->column_title : "columns",
                       screen->utf8);
    text_char(&part, ':');
    for (size_t i = 0; i < picture->columns; i++) {
        text_format(&part, i ? "%zu " : " %zu ", i);
        label_write_for_terminal(&part, &picture->column_labels, i, screen->utf8);
        if (i + 1 < picture->columns) text_char(&part, ',');
        size_t width = utf8_width(part.data, part.length);
        if (width > screen->columns) width = screen->columns;
        terminal_room_for(out, &at, 1, width, screen->columns);
        label_fit(out, &part, width, false, screen->utf8);
        text_clear(&part);
    }
    text_release_for(&part, out);
    text_char(out, '\n');
}

/* ---- what names the columns ---- */

/* Each name is in the middle of its cell, which it fills only where no two could run together. */
static void write_names(Text *out, const Picture *picture, const Screen *screen,
                        const CellLayout *layout) {
    Text name = TEXT_EMPTY;
    text_repeat(out, ' ', layout->label_width + 1);
    for (size_t i = 0; i < picture->columns; i++) {
        text_clear(&name);
        label_write_for_terminal(&name, &picture->column_labels, i, screen->utf8);
        if (utf8_width(name.data, name.length) > layout->cell_width) {
            label_fit(out, &name, layout->cell_width - 1, false, screen->utf8);
            text_char(out, ' ');
        } else {
            terminal_centre(out, &name, layout->cell_width, screen->utf8);
        }
    }
    text_release_for(&name, out);
    label_end_line(out);
}

/* Every second name, which may reach from its cell over the next one. */
static void write_staggered(Text *out, const Picture *picture, const Screen *screen,
                            const CellLayout *layout, size_t first) {
    Text name = TEXT_EMPTY;
    size_t start = layout->label_width + 1;
    text_repeat(out, ' ', start + first * layout->cell_width);
    for (size_t i = first; i < picture->columns; i += 2) {
        size_t left = screen->columns - start - i * layout->cell_width,
               room = 2 * layout->cell_width;
        text_clear(&name);
        label_write_for_terminal(&name, &picture->column_labels, i, screen->utf8);
        label_fit(out, &name, room <= left ? room - 1 : left, false, screen->utf8);
        text_char(out, ' ');
    }
    text_release_for(&name, out);
    label_end_line(out);
}

/* The tens, at every tenth column, above the ones. */
static void write_ruler(Text *out, const CellLayout *layout, bool tens) {
    size_t most = tens ? 10 : 1;
    text_repeat(out, ' ', layout->label_width + 1);
    for (size_t i = 0; i < layout->columns; i++) {
        if (i % most == 0 && i >= (tens ? 10 : 0))
            text_format(out, "%-*zu", (int)layout->cell_width, tens ? i / 10 : i % 10);
        else text_repeat(out, ' ', layout->cell_width);
    }
    label_end_line(out);
}

/* Round numbers, each beginning over its column. */
static void write_ticks(Text *out, const Picture *picture, const CellLayout *layout) {
    Text line = TEXT_EMPTY, number = TEXT_EMPTY;
    text_format(&number, "%zu ", picture->columns - 1);
    size_t width = layout->columns * layout->cell_width;
    size_t step = step_round_up((number.length * picture->columns + width - 1) / width);
    for (size_t tick = 0; tick < picture->columns; tick += step) {
        size_t at = block_of(tick, picture->columns, layout->columns) * layout->cell_width;
        text_clear(&number);
        text_format(&number, "%zu", tick);
        if (tick && (at <= line.length || at + number.length > width)) continue;
        text_repeat(&line, ' ', at - line.length);
        text_bytes(&line, number.data, number.length);
    }
    text_repeat(out, ' ', layout->label_width + 1);
    text_bytes(out, line.data, line.length);
    text_release_for(&line, out);
    text_release_for(&number, out);
    label_end_line(out);
}

void heading_write(Text *out, const Picture *picture, const Screen *screen,
                   const CellLayout *layout) {
    if (layout->axes_above) {
        Text words = TEXT_EMPTY;
        heading_write_axes(&words, picture, layout->label_width + 1, screen->utf8);
        label_fit(out, &words, screen->columns, false, screen->utf8);
        text_release(&words);
        label_end_line(out);
    }
    switch (layout->heading) {
    case HEADING_NAMES: write_names(out, picture, screen, layout); break;
    case HEADING_STAGGERED:
        write_staggered(out, picture, screen, layout, 0);
        write_staggered(out, picture, screen, layout, 1);
        break;
    case HEADING_RULER:
        if (picture->columns > 10) write_ruler(out, layout, true);
        write_ruler(out, layout, false);
        break;
    case HEADING_TICKS: write_ticks(out, picture, layout); break;
    }
}

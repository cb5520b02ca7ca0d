#include "view/terminal/terminal_picture.h"

#include "view/files/picture_format.h"
#include "view/label.h"
#include "view/panels.h"

enum { COLUMNS_LEAST = 20, LINES_LEAST = 6, FILE_COLUMNS = 100 };

/* U+2588 is a full block, U+258F an eighth of one. */
void terminal_bar(Text *out, size_t eighths, bool utf8) {
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!utf8) text_repeat(out, '#', (eighths + 4) / 8);
    for (size_t i = 0; utf8 && i < eighths / 8; i++) text_string(out, "█");
    if (utf8) text_string(out, parts[eighths % 8]);
}

void terminal_room_for(Text *out, size_t *at, size_t gap, size_t width, size_t columns) {
    bool fits = *at + gap + width <= columns;
    if (*at && fits) text_repeat(out, ' ', gap);
    else if (*at) label_end_line(out);
    *at = *at && fits ? *at + gap + width : width;
}

void terminal_title(Text *out, const char *title, size_t columns, bool utf8) {
    LocalText clean = TEXT_FOR(out);
    label_for_terminal(&clean, title, utf8);
    label_write_lines(out, &clean, columns);
}

/* Draws a picture of any kind, with its title. screen->lines: the lines for both; it then has those
 * that the title leaves. */
static void write_picture(Text *out, const Picture *picture, Screen *screen) {
    size_t start = out->length;
    terminal_title(out, picture->title, screen->columns, screen->utf8);
    for (size_t i = start; i < out->length; i++)
        if (out->data[i] == '\n' && screen->lines > LINES_LEAST) screen->lines--;
    bool colored = screen->color != COLOR_NONE;
    if (picture->kind == PICTURE_LINES) terminal_lines(out, picture, screen);
    else if (picture->kind == PICTURE_BARS) terminal_bars(out, picture, screen);
    else if (picture->kind == PICTURE_GRID) terminal_panels(out, picture, screen);
    else if (picture->kind == PICTURE_LINKS) terminal_links(out, picture, screen);
    else if (colored) terminal_heatmap(out, picture, screen, screen, HEATMAP_WHOLE);
    else {
        text_heatmap_cells(out, picture, screen->columns, screen->utf8);
        text_heatmap_names(out, picture, screen->columns, screen->columns, screen->utf8);
        text_heatmap_shades(out, picture, NULL, screen->columns, screen->columns, screen->utf8);
    }
}

void picture_text(Text *out, const Picture *picture, int columns, bool utf8) {
    Screen screen = {.columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : (size_t)columns,
                     .utf8 = utf8};
    write_picture(out, picture, &screen);
}

static void write_file(Text *out, const Picture *picture, const char *path) {
    (void)path;
    picture_text(out, picture, FILE_COLUMNS, true);
}

const PictureFormat format_txt = {
    .suffix = "txt", .summary = "text", .characters = true, .write = write_file};

void picture_terminal(Text *out, const Picture *picture, int columns, int rows, ColorDepth color,
                      bool utf8) {
    Screen screen = {.columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : (size_t)columns,
                     .lines = rows > LINES_LEAST + 2 ? (size_t)rows - 2 : LINES_LEAST,
                     .color = color,
                     .utf8 = utf8};
    /* Lines in colours are braille dots, which need UTF-8. */
    bool heatmaps =
        picture->kind == PICTURE_HEATMAP ? has_cells(picture) : panels_are_heatmaps(picture);
    if (!heatmaps && (!utf8 || picture->kind == PICTURE_HEATMAP)) screen.color = COLOR_NONE;
    write_picture(out, picture, &screen);
}

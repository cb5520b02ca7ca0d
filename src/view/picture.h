/* A picture: plain arrays and labels, to be drawn as text, CSV, a gnuplot
 * script, or by gnuplot into a file.
 *
 * The struct borrows everything it points to. */
#ifndef ATTN_VIEW_PICTURE_H
#define ATTN_VIEW_PICTURE_H

#include "base/host.h"
#include "base/text.h"

#include <math.h>

typedef enum PictureKind {
    PICTURE_HEATMAP,
    PICTURE_LINES,
    PICTURE_BARS,   /* a bar for each number of the first line, beside its row's label; a second
                       line has a mark for each: what it could be at most */
    PICTURE_GRID,   /* several of these beside each other */
    PICTURE_LINKS,  /* heatmaps of one size, the panels, as lines from their rows to their columns,
                       a colour for each */
    PICTURE_FRAMES, /* heatmaps of one size after each other, or grids that are alike: a .gif, and
                       nothing else */
} PictureKind;

typedef struct Labels {
    const char *const *items; /* NULL: numbers from 0 */
    size_t count;
} Labels;

typedef struct PictureLine {
    const char *name; /* NULL: no legend entry */
    const double *y;
    const double *x; /* NULL: 0, 1, 2 ... */
    size_t count;
} PictureLine;

/* The look of a line: the number of its colour, and how it is dashed (0: not at all). */
typedef struct LineLook {
    size_t color, dashes;
} LineLook;

typedef struct Picture {
    PictureKind kind;
    const char *title;   /* the thing that is shown and the settings; may be NULL */
    const char *heading; /* of a grid's panel: begins a part of the grid, under these words */
    const char *palette; /* "viridis" "grey" "diverging": see palette.h */
    const char *missing; /* what a cell of nan is, for the key; NULL: nan */
    /* heatmaps: row-major, nan is drawn as missing */
    const double *cells;
    size_t rows, columns;
    Labels row_labels, column_labels;
    const bool *hidden; /* rows*columns: masked cells, drawn apart from 0; or NULL */
    double low, high;   /* the range of the colour bar, or what the axis of lines includes at least;
                           low >= high: from the data */
    bool exact;         /* the axis is this range: what lies beyond is not drawn */
    const char *row_title, *column_title; /* "queries", "keys"; or NULL */
    /* lines */
    const PictureLine *lines;
    size_t line_count;
    const LineLook *looks; /* of each line; NULL: each has the next colour */
    bool log_x, log_y;     /* points that are not above 0 are left out */
    const char *x_title, *y_title;
    int digits;
    int width, height; /* of a file that gnuplot draws, in pixels; 0: as large as suits it */
    double font_px;    /* of its labels, in the same pixels; 0: as suits the size */
    /* links */
    double threshold; /* smaller cells are not drawn */
    bool one_query;   /* only the links of row `query` are drawn */
    size_t query;
    /* grids, links and frames: heatmaps or lines, each with a title of its own */
    const struct Picture *panels;
    size_t panel_count;
    size_t panel_columns; /* of a grid; 0: as it looks best. On a narrow screen there are fewer */
} Picture;

/* True if there is a text that is not empty. */
static inline bool has_words(const char *text) { return text && *text; }
/* True if it is a heatmap that has any cells. */
static inline bool has_cells(const Picture *picture) {
    return picture->kind == PICTURE_HEATMAP && picture->rows * picture->columns > 0;
}

static inline bool cell_is_hidden(const Picture *picture, size_t cell) {
    return picture->hidden && picture->hidden[cell];
}
/* True if the cell has no colour: it is hidden or nan. */
static inline bool cell_is_absent(const Picture *picture, size_t cell) {
    return cell_is_hidden(picture, cell) || isnan(picture->cells[cell]);
}
/* The number of digits of its numbers, of which there is room for `most`. */
static inline int picture_digits(const Picture *picture, int most) {
    return picture->digits < 1 || picture->digits > most ? most : picture->digits;
}

/* The two lines of bars. */
static inline const PictureLine *bars_of(const Picture *picture) { return &picture->lines[0]; }
static inline const PictureLine *marks_of(const Picture *picture) {
    return picture->line_count > 1 ? &picture->lines[1] : NULL;
}

/* Our own plain-text picture: no colour needed, fits `columns`. Heatmap: shade characters (ASCII
 * ones when !utf8) with the numbers where they fit, row and column labels, a legend of shades.
 * Lines: a block or ASCII chart with axis numbers. */
void picture_text(Text *out, const Picture *picture, int columns, bool utf8);
/* The picture for a terminal of columns x rows: with colour, heatmaps of coloured cells (their
 * numbers in them where they fit, else half blocks, two cells to a character), labels, and a colour
 * bar; lines of braille dots, a colour each. Without colour or UTF-8 as picture_text. It takes at
 * most `rows` - 2 lines where the picture can be made to fit, and says what it left out. */
void picture_terminal(Text *out, const Picture *picture, int columns, int rows, ColorDepth color,
                      bool utf8);
/* Appends what is on it in words, for who does not see it: sentences in one line that tell the kind
 * of picture, its title, its rows and columns or its lines, and where the largest and the smallest
 * number are. language: its name. */
void picture_words(Text *out, const Picture *picture, const char *language);
/* The numbers: heatmaps with labels in the first row and column when there are labels; of a grid
 * the panels below each other, each under its title. */
void picture_csv(Text *out, const Picture *picture);

/* Saves it in a file of the format that its name says (picture_format.h). The file appears whole or
 * not at all. ERR_PLOT: gnuplot is missing, fails, or does not answer in 10 s (and one more for
 * each panel or frame); ERR_VALUE: an unknown suffix, with the known ones as a hint; ERR_FILE: the
 * path. */
bool picture_save(const Picture *picture, const char *path, Error *err);

/* Shows it in gnuplot's one window, which opens with the first picture. ERR_PLOT: gnuplot is
 * missing, opens no windows, fails or does not answer. */
bool picture_window(const Picture *picture, Error *err);

/* The format of an image for Host.picture: "png", "sixel" or "svg". */
const char *picture_image_format(HostImage image);
/* Appends the bytes of such an image; within a terminal it has a size that suits the host. */
bool picture_image(Text *bytes, const Picture *picture, HostImage image, const Host *host,
                   Error *err);

#endif

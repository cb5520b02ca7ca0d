/* The formats that a picture can be saved in: one table, in picture_format.c. Adding a format is
 * its name there, and its row, beside its writer where gnuplot does not draw it; saving, help, and
 * what errors offer follow from it. */
#ifndef ATTN_VIEW_PICTURE_FORMAT_H
#define ATTN_VIEW_PICTURE_FORMAT_H

#include "view/picture.h"

#include <stdbool.h>
#include <stddef.h>

/* One of gnuplot's terminals, which are its output formats. The line that chooses it is
 *     set terminal NAME OPTIONS size WIDTH UNIT,HEIGHT UNIT font "FONT" AFTER
 * Fonts are measured in points, 4/3 pixels each. */
typedef struct GnuplotTerminal {
    const char *name, *options;
    const char *unit;  /* behind each size in pixels; NULL: nothing */
    const char *font;  /* NULL: sans, 10.5 points */
    const char *after; /* NULL: nothing */
    double zoom;       /* pixels for one of the plan's; 0: 1 */
    double line_width; /* 0: 1 */
    bool is_svg;       /* fonts are in pixels, texts are never cut, few cells become polygons */
    bool is_gd;        /* one font for all letters, and cells as rectangles */
} GnuplotTerminal;

typedef struct PictureFormat {
    const char *suffix;  /* of a file's name, without its dot */
    const char *summary; /* for help: what such a file holds; NULL where the suffix says it */
    bool characters;     /* a text as wide as a terminal: it has no size and no fonts */
    bool numbers;        /* the numbers alone, without what a picture adds to them */
    bool data;           /* a program may read it: its words stay English */
    bool frames;         /* it holds several pictures after each other, and nothing else */

    /* Writes the contents of the file at `path`. NULL: gnuplot draws it, and the rest holds. */
    void (*write)(Text *out, const Picture *picture, const char *path);
    GnuplotTerminal terminal;
    const char *ending; /* the last bytes of a whole file, before further newlines */
    /* True if the bytes are a whole file; NULL: they are if they have the ending. */
    bool (*is_whole)(const char *bytes, size_t length);
    /* Rewrites the file that gnuplot has drawn; NULL: it is good as it is. */
    void (*repair)(Text *out, const char *drawn, const Picture *picture);
} PictureFormat;

extern const PictureFormat *const picture_formats[]; /* NULL at the end */

/* The format of a file by its name; NULL: the name has no suffix that says one. */
const PictureFormat *picture_format_find(const char *path);

/* ".txt, .csv or .gp": the suffixes of some formats, with `last` before the last one. */
typedef enum PictureFormatSet {
    FORMATS_STILL,   /* of one picture: all but those of several frames */
    FORMATS_WRITTEN, /* without gnuplot */
    FORMATS_DRAWN,   /* by gnuplot */
    FORMATS_DRAWN_STILL,
} PictureFormatSet;
typedef struct PictureFormatList {
    char text[160];
} PictureFormatList;
PictureFormatList picture_formats_list(PictureFormatSet set, const char *last);

/* Appends a sentence for help: all formats with what they hold. */
void picture_formats_explain(Text *out);

/* True if the bytes are a whole GIF, up to the trailer behind the last of its blocks. */
bool gif_is_whole(const char *bytes, size_t length);

#endif

/* A canvas of braille dots, eight to a character of one colour; or of marks, one to a character. */
#ifndef ATTN_VIEW_TERMINAL_DOTS_H
#define ATTN_VIEW_TERMINAL_DOTS_H

#include "base/text.h"

#include <stdint.h>

/* A character of the canvas. */
typedef struct Spot {
    unsigned char dots;
    unsigned char line;  /* the caller's: says the colour */
    unsigned short mark; /* a character instead of dots, or 0 */
} Spot;

/* A position on the canvas, from its upper left corner. */
typedef struct Dot {
    long column, row;
} Dot;

typedef struct DotCanvas {
    size_t width, height; /* in characters */
    bool braille;
    long across, down; /* dots of braille, or characters */
    Spot *spots;       /* width*height */
} DotCanvas;

typedef struct Stroke {
    size_t line;
    uint32_t mark;     /* the character, where dots are not braille */
    size_t on, period; /* of each `period` dots so many at its beginning are set; 0: all are */
} Stroke;

/* False: out of memory. */
bool dots_init(DotCanvas *canvas, size_t width, size_t height, bool braille);
void dots_release(DotCanvas *canvas);
bool dots_are_empty(const DotCanvas *canvas);

/* Puts a character instead of the dots there. */
void dots_mark(DotCanvas *canvas, Dot dot, size_t line, uint32_t mark);
/* Draws a straight line with both its ends. *run: dots since the beginning of the stroke. */
void dots_stroke(DotCanvas *canvas, Dot from, Dot to, const Stroke *stroke, size_t *run);
/* Appends the character that is there; a space where none is. */
void dots_write(Text *out, const Spot *spot);
static inline bool spot_is_empty(const Spot *spot) { return !spot->dots && !spot->mark; }

#endif

#include "view/terminal/dots.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>

enum { BRAILLE = 0x2800, DOTS_ACROSS = 2, DOTS_DOWN = 4 };

bool dots_init(DotCanvas *canvas, size_t width, size_t height, bool braille) {
    *canvas = (DotCanvas){.width = width,
                          .height = height,
                          .braille = braille,
                          .across = (long)width * (braille ? DOTS_ACROSS : 1),
                          .down = (long)height * (braille ? DOTS_DOWN : 1)};
    canvas->spots = mem_zeroed(width * height, sizeof *canvas->spots, NULL);
    return canvas->spots != NULL;
}

void dots_release(DotCanvas *canvas) { mem_free(canvas->spots); }

bool dots_are_empty(const DotCanvas *canvas) {
    for (size_t i = 0; i < canvas->width * canvas->height; i++)
        if (!spot_is_empty(&canvas->spots[i])) return false;
    return true;
}

static Spot *dots_spot(const DotCanvas *canvas, Dot dot) {
    size_t row = (size_t)dot.row, column = (size_t)dot.column;
    if (canvas->braille) row /= DOTS_DOWN, column /= DOTS_ACROSS;
    return &canvas->spots[row * canvas->width + column];
}

void dots_mark(DotCanvas *canvas, Dot dot, size_t line, uint32_t mark) {
    Spot *spot = dots_spot(canvas, dot);
    spot->mark = (unsigned short)mark;
    spot->line = (unsigned char)line;
}

/* Bresenham's, in both directions. */
void dots_stroke(DotCanvas *canvas, Dot from, Dot to, const Stroke *stroke, size_t *run) {
    long dx = labs(to.column - from.column), dy = -labs(to.row - from.row), error = dx + dy;
    long sx = from.column < to.column ? 1 : -1, sy = from.row < to.row ? 1 : -1;
    for (;; (*run)++) {
        if (!canvas->braille) dots_mark(canvas, from, stroke->line, stroke->mark);
        else if (stroke->period == 0 || *run % stroke->period < stroke->on) {
            static const unsigned char bits[DOTS_DOWN][DOTS_ACROSS] = {
                {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
            Spot *spot = dots_spot(canvas, from);
            spot->dots |= bits[from.row % DOTS_DOWN][from.column % DOTS_ACROSS];
            spot->line = (unsigned char)stroke->line;
        }
        if (from.column == to.column && from.row == to.row) return;
        long twice = 2 * error;
        if (twice >= dy) error += dy, from.column += sx;
        if (twice <= dx) error += dx, from.row += sy;
    }
}

void dots_write(Text *out, const Spot *spot) {
    utf8_write(out, spot_is_empty(spot) ? ' ' : spot->mark ? spot->mark : BRAILLE + spot->dots);
}

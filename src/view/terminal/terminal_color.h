/* Colours in a terminal: a brush that knows what is switched on and writes only the codes that
 * change. */
#ifndef ATTN_VIEW_TERMINAL_COLOR_H
#define ATTN_VIEW_TERMINAL_COLOR_H

#include "base/host.h"
#include "view/palette.h"

/* One colour for every depth: exact, one of 256, and one of the 16 basic ones. */
typedef struct TerminalColor {
    uint32_t rgb;
    int step;
    int basic; /* -1: the terminal's own colour */
} TerminalColor;

typedef struct Brush {
    Text *out;
    ColorDepth depth; /* COLOR_NONE: nothing is ever written */
    TerminalColor ink, ground;
} Brush;

extern const TerminalColor color_of_terminal; /* its own ink or ground */
extern const TerminalColor color_faint;       /* for what stays behind the data */
TerminalColor color_of(const Palette *palette, double t);
TerminalColor color_absent(const Palette *palette);
/* The n-th of six colours that people with any kind of colour vision tell apart, on dark and on
 * light. */
TerminalColor color_of_line(size_t n);
enum { LINE_COLORS = 6 };

Brush brush_on(Text *out, ColorDepth depth);
void brush_set(Brush *brush, TerminalColor ink, TerminalColor ground);
/* Sets a ground, and the ink that reads best on it. */
void brush_ground(Brush *brush, TerminalColor ground);
/* Restores the terminal's own colours. Every line ends with it, so that no colour runs to the
 * edge. */
void brush_reset(Brush *brush);

#endif

#include "view/terminal_color.h"

/* ---- colours ---- */

const TerminalColor color_of_terminal = {0, -1};
const TerminalColor color_faint = {0x8A8A8A, 8};

/* Okabe and Ito 2008, without black and yellow; the blue lighter, for dark grounds. */
static const TerminalColor of_lines[LINE_COLORS] = {{0x56B4E9, 6},  {0xD55E00, 1},  {0x009E73, 2},
                                                    {0xCC79A7, 13}, {0x3C7BD9, 12}, {0xE69F00, 3}};

TerminalColor color_of(const Palette *palette, double t) {
    return (TerminalColor){palette_color(palette, t), palette_16(palette, t)};
}

static bool has_basic(const Palette *palette, int color) {
    for (int i = 0; i < 5; i++) {
        if (palette->basic[i] == color) return true;
    }
    return false;
}

TerminalColor color_absent(const Palette *palette) {
    return (TerminalColor){palette_absent(palette), has_basic(palette, 7) ? 14 : 7};
}

bool color_is(TerminalColor a, TerminalColor b) {
    return a.rgb == b.rgb && a.basic == b.basic;
}

TerminalColor color_of_line(size_t n) {
    return of_lines[n % LINE_COLORS];
}

/* ---- the brush ---- */

Brush brush_on(Text *out, ColorDepth depth) {
    return (Brush){out, depth, color_of_terminal, color_of_terminal};
}

static void write_code(const Brush *brush, TerminalColor color, bool ground) {
    int basic = color.basic < 8 ? 30 + color.basic : 82 + color.basic;
    int red = (int)(color.rgb >> 16), green = (int)(color.rgb >> 8 & 255), blue = (int)(color.rgb & 255);
    switch (brush->depth) {
    case COLOR_TRUE: text_format(brush->out, "%d;2;%d;%d;%d", ground ? 48 : 38, red, green, blue); break;
    case COLOR_256: text_format(brush->out, "%d;5;%d", ground ? 48 : 38, palette_256(color.rgb)); break;
    case COLOR_16: text_format(brush->out, "%d", ground ? basic + 10 : basic); break;
    case COLOR_NONE: break;
    }
}

static bool is_own(TerminalColor color) {
    return color.basic < 0;
}

void brush_set(Brush *brush, TerminalColor ink, TerminalColor ground) {
    if (brush->depth == COLOR_NONE) return;
    if ((is_own(ink) && !is_own(brush->ink)) || (is_own(ground) && !is_own(brush->ground))) brush_reset(brush);
    bool new_ink = !color_is(ink, brush->ink), new_ground = !color_is(ground, brush->ground);
    if (!new_ink && !new_ground) return;
    text_string(brush->out, "\x1b[");
    if (new_ink) write_code(brush, ink, false);
    if (new_ink && new_ground) text_char(brush->out, ';');
    if (new_ground) write_code(brush, ground, true);
    text_char(brush->out, 'm');
    brush->ink = ink;
    brush->ground = ground;
}

void brush_ground(Brush *brush, TerminalColor ground) {
    uint32_t seen = brush->depth == COLOR_16 ? palette_16_color(ground.basic) : ground.rgb;
    bool white = palette_ink(seen) != 0;
    brush_set(brush, (TerminalColor){white ? 0xFFFFFF : 0, white ? 15 : 0}, ground);
}

void brush_reset(Brush *brush) {
    if (!is_own(brush->ink) || !is_own(brush->ground)) text_string(brush->out, "\x1b[0m");
    brush->ink = brush->ground = color_of_terminal;
}

#include "view/terminal/terminal_color.h"

/* ---- colours ---- */

const TerminalColor color_of_terminal = {0, 0, -1};
const TerminalColor color_faint = {0x8A8A8A, 245, 8};

/* Okabe and Ito 2008, without black and yellow; the blue lighter, for dark grounds. */
static const TerminalColor of_lines[LINE_COLORS] = {{0x56B4E9, 74, 6},  {0xD55E00, 166, 1},
                                                    {0x009E73, 36, 2},  {0xCC79A7, 175, 13},
                                                    {0x3C7BD9, 68, 12}, {0xE69F00, 178, 3}};

TerminalColor color_of(const Palette *palette, double t) {
    return (TerminalColor){palette_color(palette, t), palette_step(palette, t),
                           palette_16(palette, t)};
}

TerminalColor color_absent(const Palette *palette) {
    uint32_t rgb = palette_absent(palette);
    int basic = 7;
    for (int i = 0; i < 5; i++)
        if (palette->basic[i] == 7) basic = 14; /* one that the palette has not */
    return (TerminalColor){rgb, palette_256(rgb), basic};
}

TerminalColor color_of_line(size_t n) { return of_lines[n % LINE_COLORS]; }

/* ---- the brush ---- */

Brush brush_on(Text *out, ColorDepth depth) {
    return (Brush){out, depth, color_of_terminal, color_of_terminal};
}

static void write_code(const Brush *brush, TerminalColor color, bool ground) {
    int basic = color.basic < 8 ? 30 + color.basic : 82 + color.basic;
    int red = (int)(color.rgb >> 16), green = (int)(color.rgb >> 8 & 255),
        blue = (int)(color.rgb & 255);
    switch (brush->depth) {
    case COLOR_TRUE:
        text_format(brush->out, "%d;2;%d;%d;%d", ground ? 48 : 38, red, green, blue);
        break;
    case COLOR_256: text_format(brush->out, "%d;5;%d", ground ? 48 : 38, color.step); break;
    case COLOR_16: text_format(brush->out, "%d", ground ? basic + 10 : basic); break;
    case COLOR_NONE: break;
    }
}

static bool is_own(TerminalColor color) { return color.basic < 0; }

/* True if two colours look the same on this terminal: neighbours in a palette may share a step. */
static bool looks_alike(const Brush *brush, TerminalColor a, TerminalColor b) {
    if (is_own(a) || is_own(b)) return is_own(a) && is_own(b);
    if (brush->depth == COLOR_TRUE) return a.rgb == b.rgb;
    return brush->depth == COLOR_256 ? a.step == b.step : a.basic == b.basic;
}

void brush_set(Brush *brush, TerminalColor ink, TerminalColor ground) {
    if (brush->depth == COLOR_NONE) return;
    if ((is_own(ink) && !is_own(brush->ink)) || (is_own(ground) && !is_own(brush->ground)))
        brush_reset(brush);
    bool new_ink = !looks_alike(brush, ink, brush->ink),
         new_ground = !looks_alike(brush, ground, brush->ground);
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
    brush_set(brush, (TerminalColor){white ? 0xFFFFFF : 0, white ? 231 : 16, white ? 15 : 0},
              ground);
}

void brush_reset(Brush *brush) {
    if (!is_own(brush->ink) || !is_own(brush->ground)) text_string(brush->out, "\x1b[0m");
    brush->ink = brush->ground = color_of_terminal;
}

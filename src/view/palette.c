#include "view/palette.h"

#include <math.h>
#include <string.h>

/* The steps are the nearest of the 256 in OKLab (Ottosson 2020), chosen so that they keep rising.
 */
static const Palette palettes[] = {
    /* van der Walt and Smith 2015, at every tenth */
    {"viridis",
     {0x440154, 0x482475, 0x414487, 0x355F8D, 0x2A788E, 0x21918C, 0x22A884, 0x44BF70, 0x7AD151,
      0xBDDF26, 0xFDE725},
     {53, 54, 54, 24, 24, 24, 30, 30, 36, 71, 77, 113, 148, 184, 220},
     {4, 6, 2, 3, 11}},
    /* CIE lightness 8, 17 ... 98 */
    {"grey",
     {0x181818, 0x2A2A2A, 0x3E3E3E, 0x525252, 0x686868, 0x7F7F7F, 0x969696, 0xAEAEAE, 0xC6C6C6,
      0xDFDFDF, 0xF9F9F9},
     {234, 235, 237, 238, 239, 241, 242, 244, 245, 247, 248, 250, 252, 254, 255},
     {0, 8, 8, 7, 15}},
    /* ColorBrewer's red to blue, reversed */
    {"diverging",
     {0x053061, 0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7, 0xFDDBC7, 0xF4A582, 0xD6604D,
      0xB2182B, 0x67001F},
     {18, 25, 31, 74, 117, 152, 254, 231, 224, 223, 216, 173, 167, 124, 52},
     {4, 12, 15, 9, 1}},
};
enum { PALETTES = sizeof palettes / sizeof *palettes, MISSING = 0xBEBEBE };

const char *const palette_names[] = {"viridis", "grey", "diverging", NULL};

const Palette *palette_find(const char *name) {
    for (int i = 0; i < PALETTES; i++)
        if (strcmp(palettes[i].name, name) == 0) return &palettes[i];
    return NULL;
}

const Palette *palette_of(const char *name) {
    const Palette *palette = name ? palette_find(name) : NULL;
    return palette ? palette : &palettes[0];
}

bool palette_is_centred(const Palette *palette) { return strcmp(palette->name, "diverging") == 0; }

static int channel(uint32_t color, int shift) { return (int)(color >> shift & 0xFF); }

uint32_t palette_color(const Palette *palette, double t) {
    if (isnan(t)) return MISSING;
    double at = (t < 0 ? 0 : t > 1 ? 1 : t) * (PALETTE_STOPS - 1);
    int below = (int)at;
    if (below == PALETTE_STOPS - 1) return palette->stops[below];
    uint32_t a = palette->stops[below], b = palette->stops[below + 1], mixed = 0;
    double of_b = at - below;
    for (int shift = 0; shift <= 16; shift += 8) {
        double value = channel(a, shift) * (1 - of_b) + channel(b, shift) * of_b;
        mixed |= (uint32_t)lround(value) << shift;
    }
    return mixed;
}

static double linear_light(int value) {
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* WCAG 2: black on L has contrast (L + 0.05) / 0.05, white 1.05 / (L + 0.05);
 * they are equal at L = 0.179. */
uint32_t palette_ink(uint32_t background) {
    double luminance = 0.2126 * linear_light(channel(background, 16)) +
                       0.7152 * linear_light(channel(background, 8)) +
                       0.0722 * linear_light(channel(background, 0));
    return luminance > 0.179 ? 0x000000 : 0xFFFFFF;
}

static long distance(uint32_t a, uint32_t b) {
    long sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        long d = channel(a, shift) - channel(b, shift);
        sum += d * d;
    }
    return sum;
}

/* The cube's levels are 0, 95, 135 ... 255. */
static int cube_step(int value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; }

static uint32_t cube_level(int step) { return step ? (uint32_t)(55 + 40 * step) : 0; }

int palette_256(uint32_t color) {
    int r = cube_step(channel(color, 16)), g = cube_step(channel(color, 8)),
        b = cube_step(channel(color, 0));
    uint32_t cube = cube_level(r) << 16 | cube_level(g) << 8 | cube_level(b);
    int mean = (channel(color, 16) + channel(color, 8) + channel(color, 0)) / 3;
    int step = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
    uint32_t grey = (uint32_t)(8 + 10 * step) * 0x010101;
    return distance(color, grey) < distance(color, cube) ? 232 + step : 16 + 36 * r + 6 * g + b;
}

/* The colours that xterm shows. */
static const uint32_t basic[16] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD,
                                   0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                                   0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};

uint32_t palette_16_color(int index) { return basic[index & 15]; }

/* t in [0, 1], clamped; nan counts as 0. */
static int step_of(double t, int count) {
    if (!(t > 0)) return 0;
    return t < 1 ? (int)(t * count) : count - 1;
}

int palette_step(const Palette *palette, double t) {
    return palette->steps[step_of(t, PALETTE_STEPS)];
}

int palette_16(const Palette *palette, double t) { return palette->basic[step_of(t, 5)]; }

size_t shade_count(bool utf8) { return utf8 ? 5 : 10; }

const char *shade_mark(double t, bool utf8) {
    static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
    static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
    if (isnan(t)) return "?";
    return (utf8 ? blocks : ascii)[step_of(t, (int)shade_count(utf8))];
}

uint32_t palette_absent(const Palette *palette) {
    return strcmp(palette->name, "grey") == 0 ? 0xCBDDF2 : 0xD6D6D6;
}

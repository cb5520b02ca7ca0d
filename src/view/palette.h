/* Palettes that are even to the eye and survive colour blindness and grey: a few stops, linear
 * between them. More is brighter in viridis and grey; diverging is blue, near-white, red and
 * belongs around 0. */
#ifndef ATTN_VIEW_PALETTE_H
#define ATTN_VIEW_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PALETTE_STOPS = 11, PALETTE_STEPS = 15 };

typedef struct Palette {
    const char *name;
    uint32_t stops[PALETTE_STOPS];      /* 0xRRGGBB */
    unsigned char steps[PALETTE_STEPS]; /* for terminals of 256 colours */
    int basic[5];                       /* for terminals of 16 colours */
} Palette;

const Palette *palette_find(const char *name);            /* NULL when unknown */
const Palette *palette_of(const char *name);              /* viridis when NULL or unknown */
bool palette_is_centred(const Palette *palette);          /* its middle belongs to 0 */
extern const char *const palette_names[];                 /* NULL at the end */
uint32_t palette_color(const Palette *palette, double t); /* t in [0, 1], clamped; nan: grey */
/* Black or white, whichever reads better on it. */
uint32_t palette_ink(uint32_t background);
/* The nearest of the 256 colours of a terminal (6x6x6 cube and greys). */
int palette_256(uint32_t color);
/* The colour at t for terminals of 256 and of 16 colours. The nearest ones lie too far off for a
 * palette to stay even, so each palette has a list of its own. */
int palette_step(const Palette *palette, double t);
int palette_16(const Palette *palette, double t);
uint32_t palette_16_color(int index);
/* Characters for the colours where there are none, from low to high: how many there are, and the
 * one at t in [0, 1], clamped; "?" where t is nan. */
size_t shade_count(bool utf8);
const char *shade_mark(double t, bool utf8);
/* The colour of masked and missing cells: light, and not one of the palette. */
uint32_t palette_absent(const Palette *palette);

#endif

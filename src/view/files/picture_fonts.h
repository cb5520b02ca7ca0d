/* Finds out whether the fonts of this machine have the characters of a picture. gnuplot draws a box
 * for each that none has, and calls it no error. */
#ifndef ATTN_VIEW_PICTURE_FONTS_H
#define ATTN_VIEW_PICTURE_FONTS_H

#include "view/picture.h"

#include <stdint.h>

/* The characters beyond ASCII in the texts of a picture, each once, in rising order. */
typedef struct PictureLetters {
    uint32_t *items;
    size_t count, capacity;
} PictureLetters;

/* ERR_LIMIT: out of memory. Release in any case. */
bool picture_letters(PictureLetters *letters, const Picture *picture, Error *err);
void picture_letters_release(PictureLetters *letters);
#define LocalLetters __attribute__((cleanup(picture_letters_release))) PictureLetters

/* False and ERR_PLOT: a character is in none of the fonts that fontconfig knows; the error names
 * such characters, and the package to install. one_font: all of them must be in the same one.
 * Where fontconfig's program fc-list is missing or does not answer, nothing is known: true, and
 * picture_fonts_unknown() is true until the next picture. */
bool picture_fonts_suffice(const Picture *picture, bool one_font, Error *err);
bool picture_fonts_unknown(void);

#endif

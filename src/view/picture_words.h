/* Says what is on a picture in words: for who does not see it. */
#ifndef ATTN_VIEW_PICTURE_WORDS_H
#define ATTN_VIEW_PICTURE_WORDS_H

#include "view/picture.h"

/* Appends sentences in one line: the kind of picture, its title, its rows and columns or its lines,
 * and where the largest and the smallest number are. language: its name. */
void picture_words(Text *out, const Picture *picture, const char *language);

#endif

/* Pictures in characters: one function for each kind. */
#ifndef ATTN_VIEW_TEXT_PICTURE_H
#define ATTN_VIEW_TEXT_PICTURE_H

#include "view/picture.h"

/* Terminal columns, not ems: a title goes on in a new line at the width. */
void text_picture_title(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_heatmap(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_lines(Text *out, const Picture *picture, size_t columns, bool utf8);

#endif

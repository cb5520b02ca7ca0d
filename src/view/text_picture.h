/* Pictures in characters: one function for each kind. */
#ifndef ATTN_VIEW_TEXT_PICTURE_H
#define ATTN_VIEW_TEXT_PICTURE_H

#include "view/picture.h"

void text_heatmap(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_lines(Text *out, const Picture *picture, size_t columns, bool utf8);

#endif

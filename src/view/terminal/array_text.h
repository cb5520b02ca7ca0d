/* Arrays as a person reads them: a row to a line, numbers aligned at their points, no wider than
 * the terminal. Each number is written as print writes it. */
#ifndef ATTN_VIEW_ARRAY_TEXT_H
#define ATTN_VIEW_ARRAY_TEXT_H

#include "engine/tensor/tensor.h"

typedef struct ArrayStyle {
    int digits;         /* significant */
    size_t columns;     /* of the terminal */
    size_t whole, most; /* up to `whole` lines all are shown, of more about `most` */
    size_t indent;      /* the column that the array begins in: its further lines do too */
    size_t behind;      /* columns needed after its end, for brackets and commas */
    bool utf8;
} ArrayStyle;

/* Appends the array, without a newline at its end. An array too wide or too long gets a "…" for its
 * middle; then `rest`, unless NULL, gets what that was: "rows 10 to 1989 and columns 4 to 1995" ("4
 * to 1995" of one axis). False when something was left out. */
bool array_text(Text *out, const Tensor *tensor, const ArrayStyle *style, Text *rest);

#endif

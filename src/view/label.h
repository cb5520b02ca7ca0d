/* Labels, titles and names in tables and pictures: they are made harmless, measured, and fitted;
 * and which of many rows or columns are shown. */
#ifndef ATTN_VIEW_LABEL_H
#define ATTN_VIEW_LABEL_H

#include "view/picture.h"

/* ---- which are shown ---- */

/* The rows or columns that are shown where there are many: the first and the last, or those that
 * were picked. The others are left out. */
typedef struct Shown {
    size_t head, tail, count;
    const size_t *picked; /* `head` of them, rising, borrowed; NULL: the first and the last */
} Shown;

static inline bool shown_all(const Shown *shown) {
    return shown->head + shown->tail == shown->count;
}
static inline size_t shown_count(const Shown *shown) { return shown->head + shown->tail; }
/* The i-th of those that are shown; behind the last of them the count of all. */
static inline size_t shown_at(const Shown *shown, size_t i) {
    if (i >= shown_count(shown)) return shown->count;
    if (shown->picked) return shown->picked[i];
    return i < shown->head ? i : shown->count - shown->tail + (i - shown->head);
}
/* True if the i-th of them comes behind a gap of what is left out. */
static inline bool shown_gap_before(const Shown *shown, size_t i) {
    return shown_at(shown, i) > (i ? shown_at(shown, i - 1) + 1 : 0);
}

static inline Shown show_all(size_t count) { return (Shown){.head = count, .count = count}; }
Shown show_at_most(size_t count, size_t most);
/* "rows 12 to 51 of 64 are not shown\n", in lines of `columns`. */
void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns);

/* ---- labels ---- */

/* Stands in a label between a token and the one that is said behind it: "cat → likes". */
#define LABEL_ARROW " → "

/* Appends every character as it is, except those that would not show or would break the picture: a
 * newline becomes ⏎, another control its picture (␛), an invalid byte U+FFFD. NULL is empty. */
void label_clean(Text *out, const char *text);
/* The label of a row or column, as it is; or its number from 0, written into `digits`, where there
 * are no labels. */
enum { LABEL_DIGITS = 24 };
const char *label_of(const Labels *labels, size_t index, char digits[LABEL_DIGITS]);
/* Appends the label that has been cleaned. */
void label_write(Text *out, const Labels *labels, size_t index);

/* ---- in a terminal ---- */

/* Appends the cleaned text. Where the terminal has no UTF-8, characters beyond ASCII become their
 * ASCII twins or `?`. */
void label_for_terminal(Text *out, const char *text, bool utf8);
void label_write_for_terminal(Text *out, const Labels *labels, size_t index, bool utf8);
/* Appends what an axis of a map is called, "queries ↓" or "keys →". */
void label_write_axis(Text *out, const char *title, bool down, bool utf8);
/* The terminal columns that a label takes. */
size_t label_width(const Labels *labels, size_t index, bool utf8);
/* The width of the widest label that is shown. */
size_t labels_width(const Labels *labels, Shown shown, bool utf8);
/* Appends text cut to and padded to exactly `width` columns. */
void label_fit(Text *out, const Text *text, size_t width, bool right, bool utf8);
/* Appends the label of a row, as label_shorten and label_fit make it `width` columns wide. */
void label_write_fit(Text *out, const Labels *labels, size_t index, size_t width, bool right,
                     bool utf8);
/* Leaves "→ likes" of the row's label "cat → likes", where one of the rows' labels is wider than
 * `width`. */
void label_shorten(Text *label, const Labels *labels, size_t width, bool utf8);
/* The sign for a number that a mask hides. */
static inline const char *label_hidden(bool utf8) { return utf8 ? "·" : "."; }
/* Removes the spaces at the end of the line, and ends it. */
void label_end_line(Text *out);
/* Breaks a text into lines of `columns`, at spaces where there are any, each with its end. */
void label_write_lines(Text *out, const Text *text, size_t columns);
/* The same in the person's language. */
void label_say_lines(Text *out, const Text *text, size_t columns);

/* Appends the blocks (lines that end in \n, escape sequences of colour within) in rows: as many
 * beside each other, with `gap` columns between them, as fit into `columns`. */
void side_by_side(Text *out, const Text *blocks, size_t count, size_t gap, size_t columns);

/* The terminal columns of its widest line. */
size_t block_width(const Text *block);

/* ---- in a picture ---- */

/* About how wide the widest is in a sans-serif font, in ems; rather too wide than too narrow. */
double label_ems_most(const Labels *labels, size_t count);
/* Appends the text cut to `ems`, with … at the cut. */
void label_cut(Text *out, const Text *text, double ems);
/* Breaks a cleaned text into lines of `ems`, at spaces where there are any; what is left after
 * `most` lines stays in the last. Returns the number of lines. */
size_t label_wrap(Text *out, const Text *text, double ems, size_t most);

#endif

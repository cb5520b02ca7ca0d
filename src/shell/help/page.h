/* A page of help: words laid out in a width, with bold and dim where the host shows colour.
 * Where it reads no UTF-8 the words become ASCII before they are laid out, so that they fit. */
#ifndef ATTN_SHELL_PAGE_H
#define ATTN_SHELL_PAGE_H

#include "base/host.h"

typedef struct Page {
    Text *text; /* the output; remembers when memory ran out */
    size_t width;
    bool styled, utf8;
} Page;

/* Begins a page for the host's screen, at most 100 columns. */
Page page_begin(Text *text, const Host *host);

/* A text to type, and what comes of it. A table of rows ends with one whose left is NULL; an empty
 * left or right is left out. */
typedef struct PageRow {
    const char *left, *right;
    const char *narrow; /* instead of right below 76 columns; NULL: right */
} PageRow;

void page_heading(Page *page, const char *words);
void page_paragraph(Page *page, const char *words);
/* A signature or a usage: bold, further lines hang. Forms separated by "   ·   " are put below each
 * other where they do not fit in a line. */
void page_signature(Page *page, const char *words);
/* "shapes:   ..." with the words hanging beside the title. Nothing when there are no words (or
 * NULL). */
void page_labelled(Page *page, const char *title, const char *words);
/* Lines of code, indented as they are; their answers dim. */
void page_code(Page *page, const char *lines);
/* A row in columns, the right one from `column`; below the left where that is longer. */
void page_row(Page *page, const char *left, const char *right, size_t column);
/* A table of rows: the left column as wide as it must be, but at most half. */
void page_rows(Page *page, const PageRow *rows);
/* A row in one line, cut with … at the width. */
void page_cut_row(Page *page, const char *left, const char *right, size_t column);
void page_gap(Page *page);
bool page_is_narrow(const Page *page);

#endif

/* Documents as Markdown and as notebooks of Jupyter, with what their cells gave. */
#ifndef ATTN_NOTEBOOK_MARKDOWN_H
#define ATTN_NOTEBOOK_MARKDOWN_H

#include "notebook/export/html_page.h"

/* Appends the document's own source with a block `attn output` behind each cell that gave anything;
 * such blocks that it had before are left out. Such a document runs like any other; exported, it
 * shows these outputs and does not run. */
void markdown_write(Text *out, const Recording *recording, const PageFrame *frame);

/* Appends a notebook of Jupyter (nbformat 4.5): prose in cells of Markdown, cells that run with
 * their outputs, an empty cell for the answer to an exercise. What a page folds is folded here,
 * too. */
void jupyter_write(Text *out, const Recording *recording, const PageFrame *frame);

/* Appends a text whose control characters are signs. */
void output_clean(Text *out, const char *bytes, size_t length);

#endif

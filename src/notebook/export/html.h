/* Text within HTML. Whatever stands in a document is only ever text there: nothing in it becomes a
 * tag, and what would not show, or would turn the direction of writing, is shown as a sign. */
#ifndef ATTN_NOTEBOOK_HTML_H
#define ATTN_NOTEBOOK_HTML_H

#include "base/text.h"

/* Appends text between tags or within the quotes of an attribute. Newlines and tabs stay. */
void html_text(Text *out, const char *text, size_t length);
void html_string(Text *out, const char *text);

/* The same for lines whose columns stand below each other, within <pre>: each wide character takes
 * two columns, whatever fonts there are. */
void html_columns(Text *out, const char *text, size_t length);

/* True if a link may lead there from a page: the web, or a letter. */
bool html_is_web_link(const char *target);

#endif

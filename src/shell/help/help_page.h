/* Pages of help: of one name, of a value, and lists of names. */
#ifndef ATTN_SHELL_HELP_PAGE_H
#define ATTN_SHELL_HELP_PAGE_H

#include "session/session.h"
#include "shell/help/page.h"

/* Writes all pages of a name (a word may be a command and a function: entropy), and what it is
 * where it is a variable. False, with nothing written: there is none. */
bool help_write_pages(Page *page, const Session *session, const char *name);
/* "an array 3×4", "a list of 2", "the number 3": what a value is. */
void help_describe(Text *text, const Value *value, int digits);

#endif

/* The pager: shows a text that does not fit the screen with less, or what $PAGER says. */
#ifndef ATTN_SHELL_PAGER_H
#define ATTN_SHELL_PAGER_H

#include "base/host.h"

/* For Host.page, at a prompt: pages a text of more rows than the screen has, less two; writes any
 * other. $ATTN_PAGER, else $PAGER, else less shows it; where that is empty or cannot be started,
 * and with TERM=dumb, the text is written. Ctrl-C ends the pager and raises the interrupt flag. */
bool pager_show(Host *host, const char *text, size_t length, Error *err);

/* Rows that a text takes on a screen: long lines are broken at its edge, escape sequences take no
 * room. */
size_t pager_rows(const char *text, size_t length, size_t columns);

#endif

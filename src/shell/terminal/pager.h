/* The pager: shows a text that does not fit the screen with less, or what $PAGER says. */
#ifndef ATTN_SHELL_PAGER_H
#define ATTN_SHELL_PAGER_H

#include "base/host.h"

/* Pages a text of more rows than the screen has, less two; writes any other. $ATTN_PAGER, else
 * $PAGER, else less shows it, started without a shell; where that is empty or cannot be started,
 * and with TERM=dumb, the text is written. Ctrl-C ends the pager and raises the interrupt flag. */
bool pager_show(Host *host, const char *text, size_t length, Error *err);

#endif

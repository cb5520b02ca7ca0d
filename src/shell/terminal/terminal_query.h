/* What the terminal says of itself when it is asked. */
#ifndef ATTN_SHELL_TERMINAL_QUERY_H
#define ATTN_SHELL_TERMINAL_QUERY_H

#include "base/host.h"

/* Host.can_show of a terminal. The terminal is asked once, when an image within it is first wanted,
 * and has 0.2 s (over ssh a second) to answer. */
bool terminal_can_show(Host *host, HostImage image, Error *err);

/* Keys that were typed while it was asked, and came between its answers: moved to `keys`, at most
 * `most`; how many. The next one who reads the terminal wants them first. */
size_t terminal_typed_ahead(char *keys, size_t most);

#endif

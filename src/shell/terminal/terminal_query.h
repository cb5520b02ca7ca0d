/* Asks which kinds of images the terminal can show. */
#ifndef ATTN_SHELL_TERMINAL_QUERY_H
#define ATTN_SHELL_TERMINAL_QUERY_H

#include "base/host.h"

/* Serves as Host.can_show. The terminal is asked once, when an image within it is first wanted, and
 * has 0.2 s (over ssh a second) to answer. ERR_PLOT says what is lacking; ERR_INTERRUPT. */
bool terminal_can_show(Host *host, HostImage image, Error *err);

/* Moves to `keys` at most `most` of the keys that were typed while the terminal was being asked and
 * came between its answers; returns how many. The next one who reads the terminal wants them
 * first. */
size_t terminal_typed_ahead(char *keys, size_t most);

#endif

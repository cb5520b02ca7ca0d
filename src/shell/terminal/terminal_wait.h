/* pause: waiting for a person. */
#ifndef ATTN_SHELL_TERMINAL_WAIT_H
#define ATTN_SHELL_TERMINAL_WAIT_H

#include "base/host.h"

/* Host.wait: until Enter, or for some seconds. Without a terminal it only writes the text. */
bool terminal_wait(Host *host, const char *text, double seconds, Error *err);

#endif

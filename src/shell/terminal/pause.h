/* Waits for a person: pause, and questions. */
#ifndef ATTN_SHELL_PAUSE_H
#define ATTN_SHELL_PAUSE_H

#include "base/host.h"

/* Serves as Host.wait: waits until Enter is pressed, or for some seconds (negative: only for
 * Enter). Without a terminal it only writes the text. */
bool pause_wait(Host *host, const char *text, double seconds, Error *err);
/* Serves as Host.ask, at a prompt: writes "question [y/N] " and reads a line; y and yes say yes. */
bool pause_ask(Host *host, const char *question, bool *yes, Error *err);
/* Serves as Host.clear: erases the screen of a terminal, not what was scrolled off it. */
void pause_clear(Host *host);

#endif

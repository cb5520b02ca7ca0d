/* How far long work is, in a line of its own that goes when the work is done. */
#ifndef ATTN_SHELL_PROGRESS_H
#define ATTN_SHELL_PROGRESS_H

#include "base/host.h"

/* Host.progress at a prompt: the line on stderr, once the work has taken half a second, ten times a
 * second at most. */
void terminal_show_progress(Host *host, const char *line, double done);

#endif

/* Another program that shows a text on our terminal while we wait. */
#ifndef ATTN_SHELL_PAGER_PROCESS_H
#define ATTN_SHELL_PAGER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs a command as a shell would, with the text as its input, until it ends. On Ctrl-C it is
 * ended; interrupt_flag then stays up. The terminal's settings are afterwards as they were. utf8:
 * what the text is in, for less. False, with nothing shown: it could not be started. */
bool pager_process_run(const char *command, const char *text, size_t length, bool utf8);

#endif

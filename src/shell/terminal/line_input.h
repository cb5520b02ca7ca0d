/* Reads while the terminal itself edits the line: for pause, and for the prompt without readline.
 * Ctrl-C ends a wait however close it comes to it or to another key. */
#ifndef ATTN_SHELL_LINE_INPUT_H
#define ATTN_SHELL_LINE_INPUT_H

#include <stdbool.h>

enum { LINE_INPUT_END = -1, LINE_INPUT_INTERRUPTED = -2, LINE_INPUT_TIME_OVER = -3 };

/* Between begin and end the terminal is in a mode of its own and Ctrl-C is an event. All bytes
 * together are waited for at most so many seconds; INFINITY: as long as it takes. keys: each comes
 * at once and is not shown. */
void line_input_begin(double seconds, bool keys);
void line_input_end(void);

/* The next byte of a line. When it is interrupted, interrupt_flag is up and what was typed so far
 * is dropped. */
int line_input_byte(void);

#endif

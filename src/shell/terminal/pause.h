/* Waits for a person: pause, questions, and lines that the terminal itself edits, for the prompt
 * without readline. Ctrl-C ends a wait however close it comes to it or to another key. */
#ifndef ATTN_SHELL_PAUSE_H
#define ATTN_SHELL_PAUSE_H

#include "base/host.h"

/* Serves as Host.wait: waits until Enter is pressed, or for some seconds (negative: only for
 * Enter). Without a terminal it only writes the text. */
bool pause_wait(Host *host, const char *text, double seconds, Error *err);
/* Serves as Host.ask, at a prompt: writes "question [y/N] " and reads a line; y and yes say yes. */
bool pause_ask(Host *host, const char *question, bool *yes, Error *err);
/* Serves as Host.read_line, with a terminal or without. */
bool pause_read_line(Host *host, const char *prompt, Text *line, bool *ended, Error *err);
/* Serves as Host.clear: erases the screen of a terminal, not what was scrolled off it. */
void pause_clear(Host *host);

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

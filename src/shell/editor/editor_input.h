/* Everything that reaches the editor from outside: keys, signals, the end of the input. */
#ifndef ATTN_SHELL_EDITOR_INPUT_H
#define ATTN_SHELL_EDITOR_INPUT_H

#include "base/text.h"

typedef enum InputEvent {
    INPUT_KEY,
    INPUT_INTERRUPT, /* Ctrl-C */
    INPUT_RESIZE,
    INPUT_STOP,     /* Ctrl-Z: signals_stop does it */
    INPUT_CONTINUE, /* it was stopped otherwise, and continues */
    INPUT_END,      /* the terminal is closed, or a signal ends the program */
} InputEvent;

void input_open(void);
/* Makes signals events, until signals_end. False: the machine has no pipe left. */
bool input_begin(void);

/* Waits for what comes next. Signals come before keys; a key stays until it is read. */
InputEvent input_wait(void);
/* True if a key is here, or comes within the time. */
bool input_is_waiting(int milliseconds);
/* The next byte. A key that is here comes before an interrupt, which may arrive at any moment
 * between input_wait and this call. -1: there is no key, and the input has ended or an interrupt
 * waits to be an event. */
int input_read(void);
int input_peek(void); /* -1: no key is here */
/* The escape sequence that comes next, ESC [ ... or ESC O ...; returns its length, 0 if none is
 * here as a whole. */
size_t input_peek_sequence(const char **bytes);
/* Reads up to `end`, which it drops, and appends what comes before. False: the input ended or was
 * interrupted first. */
bool input_read_until(Text *out, const char *end);
/* True if an interrupt has come and waits to be an event of input_wait. */
bool input_is_interrupted(void);
/* True if the input has ended or is interrupted: input_read gave -1, or will once the keys are
 * read. */
bool input_is_over(void);
/* Drops the keys that are here. */
void input_forget(void);

/* Takes keys from memory (borrowed) instead of the terminal. */
void input_feed(const char *keys, size_t length);
bool input_is_fed(void);

#endif

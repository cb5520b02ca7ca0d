/* What reaches the editor from outside: keys, signals, the end. */
#ifndef ATTN_SHELL_EDITOR_INPUT_H
#define ATTN_SHELL_EDITOR_INPUT_H

#include "base/text.h"

typedef enum InputEvent {
    INPUT_KEY,
    INPUT_INTERRUPT,
    INPUT_RESIZE,
    INPUT_STOP,
    INPUT_CONTINUE,
    INPUT_END
} InputEvent;

void input_open(void);
/* From here to signals_end signals are events. False: the machine has no pipe left. */
bool input_begin(void);

/* Waits for what comes next. Signals come before keys; a key stays until it is read. */
InputEvent input_wait(void);
/* Is there a key now, or within the time? */
bool input_is_waiting(int milliseconds);
/* The next byte. A key that is here comes before an interrupt, which may arrive at any moment
 * between input_wait and this call; -1 only if there is no key, at the end of the input or when an
 * interrupt waits to be an event. */
int input_read(void);
int input_peek(void); /* -1: none is here */
/* The escape sequence that comes next, ESC [ ... or ESC O ...; the bytes of it, 0: none is here
 * whole. */
size_t input_peek_sequence(const char **bytes);
/* Appends all up to `end` and takes it away. False: the input ended or was interrupted before. */
bool input_read_until(Text *out, const char *end);
/* An interrupt has come and waits to be an event of input_wait. */
bool input_is_interrupted(void);
/* The input has ended or is interrupted: input_read gave -1, or will once the keys are read. */
bool input_is_over(void);
void input_forget(void);

/* Keys from memory in place of the terminal. */
void input_feed(const char *keys, size_t length);
bool input_is_fed(void);

#endif

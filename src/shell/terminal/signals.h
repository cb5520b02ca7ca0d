/* Signals as events, while the terminal is ours. A handler only raises a flag, and a byte in a pipe
 * wakes who waits for a key, whichever thread the signal came to. */
#ifndef ATTN_SHELL_SIGNALS_H
#define ATTN_SHELL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIGNALS_MOST = 8 };

/* Takes these signals, the most urgent first. Those that come among the first `interrupting` raise
 * interrupt_flag too. False: the machine has no pipe left (errno). */
bool signals_begin(const int *numbers, size_t count, size_t interrupting);
/* They do again what they did before; one that came and was not taken does it now. */
void signals_end(void);

/* Takes the most urgent one that has come; 0: none has. */
int signals_take(void);
bool signals_has_come(int number);
/* Stops the program, as Ctrl-Z does, and returns when it goes on. */
void signals_stop(void);

/* Waits for a key or a signal, at most so long; -1: as long as it takes. True: standard input has
 * something, or has ended. Without signals_begin a signal that is handled wakes it too. */
bool signals_wait_for_key(int milliseconds);

#endif

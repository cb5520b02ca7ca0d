/* Signals as events, for whoever waits for keys: the editor, explore, pause. A handler only notes
 * that its signal came and writes a byte into a pipe, which ends the wait even where the signal
 * comes just before it, or to another thread. */
#ifndef ATTN_SHELL_SIGNALS_H
#define ATTN_SHELL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIGNALS_MOST = 8 };

/* Takes over these signals, the most urgent first (borrowed until signals_end). The first
 * `interrupting` of them raise interrupt_flag too. False: the machine has no pipe left (errno). */
bool signals_begin(const int *numbers, size_t count, size_t interrupting);
/* Restores the handlers of before, and raises again what came and was not taken. */
void signals_end(void);

/* Takes the most urgent signal that has come; 0: none has. */
int signals_take(void);
bool signals_has_come(int number);
/* Stops the program, as Ctrl-Z does, and returns when it continues. */
void signals_stop(void);

/* Waits for a key or a signal for at most so long; -1: as long as it takes. True: standard input
 * has something to read, or has ended. Can also be called outside signals_begin and signals_end; a
 * signal that comes just before the wait is then missed. */
bool signals_wait_for_key(int milliseconds);

#endif

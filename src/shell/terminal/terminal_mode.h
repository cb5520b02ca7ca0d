/* The terminal's mode: our own while we wait for keys, at all other times as it was found. A signal
 * that ends the program gives the terminal back first. */
#ifndef ATTN_SHELL_TERMINAL_MODE_H
#define ATTN_SHELL_TERMINAL_MODE_H

#include <stdbool.h>
#include <stddef.h>

enum { CTRL_C = 3 };

/* Takes the terminal for the editor: keys come byte by byte and without echo, and a read never
 * waits. Ctrl-C is a key too (another one that was chosen for it makes a signal), Ctrl-Z a signal.
 * mark_paste: the terminal is told to mark what is pasted. */
void terminal_take(bool mark_paste);
/* Takes it for lines that the terminal itself edits: as it was found, except that Ctrl-C does not
 * drop what was typed. A read after signals_wait_for_key then always finds what was announced. */
void terminal_take_lines(void);
/* Undoes either of them. */
void terminal_give_back(void);

/* Writes to the terminal at once, also from within a signal handler. */
void terminal_say(const char *text, size_t length);

#endif

/* The terminal's mode: raw while an entry is edited, as it was found at all other times. */
#ifndef ATTN_SHELL_TERMINAL_MODE_H
#define ATTN_SHELL_TERMINAL_MODE_H

#include <stdbool.h>
#include <stddef.h>

/* Byte by byte, without echo; Ctrl-C and Ctrl-Z still make signals. `paste`: the terminal marks
 * what is pasted. A signal that ends the program gives the terminal back first. */
void terminal_take(bool paste);
void terminal_give_back(void);

/* Writes to the terminal at once, also from within a signal handler. */
void terminal_say(const char *text, size_t length);

#endif

/* The terminal's mode: raw while an entry is edited, as it was found at all other times. */
#ifndef ATTN_SHELL_EDITOR_TERMINAL_H
#define ATTN_SHELL_EDITOR_TERMINAL_H

#include <stdbool.h>

/* Byte by byte, without echo; Ctrl-C and Ctrl-Z still make signals. `paste`: the terminal marks what is pasted. A signal
 * that ends the program gives the terminal back first. */
void terminal_take(bool paste);
void terminal_give_back(void);

#endif

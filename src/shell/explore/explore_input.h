/* explore: keys and signals, as they come. */
#ifndef ATTN_SHELL_EXPLORE_INPUT_H
#define ATTN_SHELL_EXPLORE_INPUT_H

#include "base/error.h"
#include "shell/editor/editor_input.h"

/* Makes signals events, until signals_end. One that ends the program does so at signals_end. */
bool explore_input_open(Error *err);
/* Waits. *key: a character or EXPLORE_...; 0 for a key that is none of ours. What is typed behind
 * it stays with the terminal. */
InputEvent explore_input_wait(int *key);

/* Reads one key from bytes: how many it takes; 0 when more must come (never when `last`). */
size_t explore_key_read(const char *bytes, size_t length, bool last, int *key);

#endif

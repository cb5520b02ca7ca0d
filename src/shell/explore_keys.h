/* explore: keys and signals, as they come. Signals only raise flags here, so that the screen can be left in order. */
#ifndef ATTN_SHELL_EXPLORE_KEYS_H
#define ATTN_SHELL_EXPLORE_KEYS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ExploreEvent {
    EVENT_KEY,
    EVENT_RESIZE,
    EVENT_INTERRUPT, /* Ctrl-C; the interrupt flag is up */
    EVENT_STOP,      /* Ctrl-Z: explore_keys_stop does it */
    EVENT_END,       /* the terminal is gone, or a signal ends the program */
} ExploreEvent;

bool explore_keys_open(Error *err);
/* Signals do again what they did before; one that ends the program does so now. */
void explore_keys_close(void);
/* Waits. *key: a character or EXPLORE_...; 0 for a key that is none of ours. What is typed behind it stays with the terminal. */
ExploreEvent explore_keys_wait(int *key);
/* Stops the program, as Ctrl-Z does, and returns when it goes on. */
void explore_keys_stop(void);

/* Reads one key from bytes: how many it takes; 0 when more must come (never when `last`). */
size_t explore_key_read(const char *bytes, size_t length, bool last, int *key);

#endif

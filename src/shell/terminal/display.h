/* The desktop, if there is one that a window could open on. */
#ifndef ATTN_SHELL_DISPLAY_H
#define ATTN_SHELL_DISPLAY_H

#include "base/error.h"

/* True if the server that DISPLAY or WAYLAND_DISPLAY names answers: a program that opens windows
 * may wait long for one that does not. ERR_PLOT says what is lacking. */
bool display_answers(Error *err);

#endif

/* The first minute: the banner, and `help first`. */
#ifndef ATTN_SHELL_WELCOME_H
#define ATTN_SHELL_WELCOME_H

#include "session/session.h"

/* At most four lines at any width from 40. */
void welcome_write(Host *host);

#endif

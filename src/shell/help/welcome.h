/* The first minute: the banner, and `help first`. */
#ifndef ATTN_SHELL_WELCOME_H
#define ATTN_SHELL_WELCOME_H

#include "session/session.h"
#include "shell/help/page.h"

/* At most four lines at any width from 40. */
void welcome_write(Host *host);

/* `help first`: lines to type, in order, and what they show. They run as they stand. */
extern const PageRow welcome_steps[];
void welcome_write_steps(Page *page);

#endif

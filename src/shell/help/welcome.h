/* What a newcomer reads first: the banner, `help` and `help first`. */
#ifndef ATTN_SHELL_WELCOME_H
#define ATTN_SHELL_WELCOME_H

#include "session/session.h"
#include "shell/help/page.h"

/* At most four lines at any width from 40. */
void welcome_write(Host *host);

/* Writes the paragraph below the steps of `help first`. */
void welcome_write_steps(Page *page, const Session *session);

/* `help` alone: what one can do, in the order of what one wants to do. */
extern const PageRow welcome_overview[];
void welcome_write_overview(Page *page);

#endif

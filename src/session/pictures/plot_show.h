/* Where a picture without a file is shown: the setting terminal. */
#ifndef ATTN_SESSION_PLOT_SHOW_H
#define ATTN_SESSION_PLOT_SHOW_H

#include "session/session.h"
#include "view/picture.h"

typedef bool ShowText(Session *session, const Picture *picture, Error *err);

/* As text by show_text, and in a window; or as an image in the terminal. Where no person reads, as
 * text. */
bool plot_show(Session *session, const Picture *picture, ShowText *show_text, Error *err);

/* The values of the setting terminal, the default first; NULL at the end. */
extern const char *const plot_terminal_names[];

/* Can pictures be shown in this way, one of these names? False and ERR_PLOT says what is
 * lacking. A script that nobody watches may ask for anything. */
bool plot_terminal_works(Session *session, const char *terminal, Error *err);

#endif

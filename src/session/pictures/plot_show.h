/* Saves a picture in a file, or shows it, as text or as an image. */
#ifndef ATTN_SESSION_PLOT_SHOW_H
#define ATTN_SESSION_PLOT_SHOW_H

#include "session/pictures/plot_request.h"

/* Draws into the file that the request names, or here, as it or the setting terminal asks for. */
bool drawing_deliver(Session *session, Drawing *drawing, const PlotRequest *request, Error *err);
/* Draws among what a command prints, within `rows`: no window opens. */
bool drawing_write(Session *session, Drawing *drawing, int rows, Error *err);

/* True if pictures can be shown in this way, one of terminal_names. False and ERR_PLOT says what is
 * lacking. A script that nobody watches may ask for anything. */
bool plot_terminal_works(Session *session, const char *terminal, Error *err);

#endif

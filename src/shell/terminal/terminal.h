/* The Host that is the standard streams: results go to stdout, remarks and errors to stderr. Also
 * what the terminal behind them can show. Waiting for a person is in pause.h. */
#ifndef ATTN_SHELL_TERMINAL_H
#define ATTN_SHELL_TERMINAL_H

#include "base/host.h"

/* color: "auto" (as NO_COLOR and the terminal say), "always" or "never". */
void terminal_init(Host *host, const char *color);
/* Writes out what is buffered. ERR_FILE if it cannot be written. */
bool terminal_flush(Error *err);
/* The number of texts shown so far: tells whether something was shown in between. */
size_t terminal_shown(void);
/* Ends the line that output has left open, if it has. */
void terminal_close_line(void);
/* Sets the host's columns and rows to the window's present size. */
void terminal_measure(Host *host);

/* Writes a paragraph to stderr, wrapped; columns 0: in one line. */
void terminal_write_remark(const Text *paragraph, int columns);

/* Files and pipes are always UTF-8; a terminal says by its locale what it reads. */
bool terminal_reads_utf8(int descriptor);
/* Sets a locale whose characters are UTF-8, because keys are, also where the environment names
 * none, or one that is not installed here. Numbers keep the form of the C locale. False: there is
 * none. */
bool terminal_choose_locale(void);
/* Decides by TERM: false for a terminal that only writes line after line. */
bool terminal_moves_cursor(void);

/* Host.picture of a terminal: a PNG in kitty's protocol, sixels as they are. */
bool terminal_show_picture(Host *host, const char *format, const char *bytes, size_t length,
                           const char *words, Error *err);

/* ---- images within the text of a terminal ---- */

/* A PNG in kitty's graphics protocol: base64 in chunks of 4096 characters, shown at the cursor.
 * columns: how many it is scaled to; 0: pixel by pixel. */
void kitty_write(Text *out, const char *png, size_t length, int columns);

/* The size in a PNG's header. False: it is none. */
bool png_size(const char *bytes, size_t length, int *width, int *height);

#endif

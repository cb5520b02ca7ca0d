/* The gnuplot child: started, fed, listened to, ended. */
#ifndef ATTN_VIEW_GNUPLOT_PROCESS_H
#define ATTN_VIEW_GNUPLOT_PROCESS_H

#include "base/text.h"

#include <sys/types.h>

typedef struct GnuplotProcess {
    pid_t pid;                 /* 0: none */
    int input, output, errors; /* our ends of its pipes; -1: closed */
} GnuplotProcess;

/* ERR_PLOT when the program cannot be started. */
bool gnuplot_process_start(GnuplotProcess *process, const char *program, Error *err);
/* Has it ended by itself? Then nothing is left of it. */
bool gnuplot_process_gone(GnuplotProcess *process);
/* Lets it end, and ends its group when it does not. */
void gnuplot_process_quit(GnuplotProcess *process);
void gnuplot_process_kill(GnuplotProcess *process);

typedef enum Exchange {
    EXCHANGE_DONE,
    EXCHANGE_DIED,
    EXCHANGE_LATE,
    EXCHANGE_INTERRUPTED,
    EXCHANGE_BROKEN
} Exchange;

/* Writes all bytes while reading what comes back, until `token` stands in the output. What it
 * prints is kept as far as it is the last few kilobytes. */
Exchange gnuplot_process_exchange(GnuplotProcess *process, const char *bytes, size_t length,
                                  const char *token, double seconds, Text *output, Text *errors);

#endif

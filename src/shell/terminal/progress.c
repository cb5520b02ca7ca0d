#include "shell/terminal/progress.h"

#include "base/clock.h"
#include "shell/terminal/terminal.h"

#include <stdio.h>

static const double SECONDS_UNSEEN = 0.5, SECONDS_BETWEEN = 0.1;

void terminal_show_progress(Host *host, const char *line, double done) {
    static double began, last; /* 0: no work is going on; nothing is shown */
    double now = clock_seconds();
    if (done >= 1) {
        if (last > 0) fputs("\r\x1b[K", stderr);
        began = last = 0;
    } else if (began == 0) {
        began = now;
    } else if (now - began >= SECONDS_UNSEEN && now - last >= SECONDS_BETWEEN) {
        if (last == 0) terminal_flush(NULL);
        fprintf(stderr, "\r\x1b[K%s", line);
        last = now;
        terminal_measure(host); /* the next line fits the window as it is then */
    }
    fflush(stderr);
}

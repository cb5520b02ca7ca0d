#include "shell/terminal/progress.h"

#include "shell/terminal/clock.h"
#include "shell/terminal/terminal.h"

#include <stdio.h>

static const double SECONDS_UNSEEN = 0.5;

void terminal_show_progress(Host *host, const char *work, double done) {
    static double began; /* 0: no work is going on */
    static bool shown;
    (void)host;
    if (done >= 1) {
        if (shown) fputs("\r\x1b[K", stderr);
        shown = false;
        began = 0;
    } else if (began == 0) {
        began = clock_seconds();
    } else if (clock_seconds() - began >= SECONDS_UNSEEN) {
        if (!shown) terminal_flush(NULL);
        fprintf(stderr, "\r\x1b[K%s %d%%", work, (int)(done * 100));
        shown = true;
    }
    fflush(stderr);
}

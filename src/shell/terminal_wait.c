#include "shell/terminal_wait.h"

#include "base/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Takes what was typed up to Enter. True: there was one, or the input has ended. */
static bool enter_was_pressed(void) {
    char c;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, &c, 1);
        if (got == 0 || (got > 0 && c == '\n')) return true;
        if (got < 0) return errno != EINTR && errno != EAGAIN;
        struct pollfd more = {STDIN_FILENO, POLLIN, 0};
        if (poll(&more, 1, 0) <= 0) return false;
    }
}

static bool wait_until(double end, Error *err) {
    for (;;) {
        struct pollfd input = {STDIN_FILENO, POLLIN, 0};
        double left = end - now();
        if (interrupted(err)) return false;
        if (left <= 0) return true;
        int ready = poll(&input, 1, left > 60 ? 60000 : (int)(left * 1000) + 1);
        if (ready > 0 && enter_was_pressed()) return true;
    }
}

bool terminal_wait(Host *host, const char *text, double seconds, Error *err) {
    bool timed = seconds >= 0, listens = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (text && !(host_write(host, text, strlen(text), err))) return false;
    if (!listens) return !text || host_write(host, "\n", 1, err);
    if (!timed && !host_print(host, err, text ? "  [Enter]" : "[Enter]")) return false;
    fflush(stdout);
    if (!wait_until(timed ? now() + seconds : now() + 1e9, err)) return host_print(host, err, "\n"), false;
    return !(timed && text) || host_write(host, "\n", 1, err);
}

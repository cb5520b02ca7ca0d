#include "shell/terminal/terminal_wait.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "base/utf8.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
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
        if (!signals_wait_for_key(0)) return false;
    }
}

/* Until the time, or Enter; what the terminal showed for Ctrl-C ends its line. */
static bool wait_until(double end, Host *host, Error *err) {
    fflush(stdout);
    for (;;) {
        double left = end - now();
        if (interrupted(err)) return host_print(host, err, "\n"), false;
        if (left <= 0) return true;
        if (signals_wait_for_key(left < 60 ? (int)(left * 1000) + 1 : 60000) && enter_was_pressed())
            return true;
    }
}

static const char sign[] = "[Enter]";
enum { GAP = 2 };

/* A sign stands behind the text where there is room, below it else. */
static bool sign_fits_beside(const Host *host, const char *text) {
    return !strchr(text, '\n') &&
           utf8_width(text, strlen(text)) + GAP + strlen(sign) <= (size_t)host->columns;
}

/* Enter took the cursor to the next line: back, and what is left is the text. */
static bool erase_sign(Host *host, const char *text, Error *err) {
    return !terminal_moves_cursor() ||
           host_print(host, err, "\033[A\r\033[K%s%s", text ? text : "", text ? "\n" : "");
}

static bool write_words(Host *host, const char *text, Error *err) {
    Text line, lines;
    text_init(&line);
    text_init(&lines);
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        text_clear(&line);
        text_bytes(&line, text, length);
        utf8_wrap(&lines, line.data, (size_t)host->columns);
    }
    lines.failed = lines.failed || line.failed;
    text_release(&line);
    return host_write_text(host, &lines, err);
}

static bool wait_for_enter(Host *host, const char *text, Error *err) {
    bool beside = text && sign_fits_beside(host, text);
    if (text && !beside && !write_words(host, text, err)) return false;
    /* An Enter too many, pressed before there was anything to read, turns no page. */
    tcflush(STDIN_FILENO, TCIFLUSH);
    if (!host_print(host, err, "%s%*s%s", beside ? text : "", beside ? GAP : 0, "", sign))
        return false;
    return wait_until(INFINITY, host, err) && erase_sign(host, beside ? text : NULL, err);
}

static bool wait_some_time(Host *host, const char *text, double seconds, Error *err) {
    return (!text || write_words(host, text, err)) && wait_until(now() + seconds, host, err);
}

bool terminal_wait(Host *host, const char *text, double seconds, Error *err) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return !text || write_words(host, text, err);
    bool ok =
        seconds < 0 ? wait_for_enter(host, text, err) : wait_some_time(host, text, seconds, err);
    terminal_measure(host); /* a window may have changed its size meanwhile */
    return ok;
}

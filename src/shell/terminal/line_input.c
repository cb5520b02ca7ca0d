#include "shell/terminal/line_input.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal_mode.h"

#include <errno.h>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

static const int heard[] = {SIGINT};

/* There is one terminal, and one who reads from it. */
static struct {
    bool hears_signals; /* false: no pipe was left; a Ctrl-C just before a wait is missed then */
    double deadline;    /* of clock_seconds */
} line_input;

void line_input_begin(double seconds, bool keys) {
    line_input.hears_signals = signals_begin(heard, 1, 1);
    line_input.deadline = clock_seconds() + seconds;
    if (keys) terminal_take(false);
    else terminal_take_lines();
}

void line_input_end(void) {
    terminal_give_back();
    if (!line_input.hears_signals) return;
    signals_take(); /* interrupt_flag has noted it; the handler before ours need not hear of it */
    signals_end();
}

/* A Ctrl-C from before line_input_begin may still drop what select has announced: the read must not
 * wait then. Standard output may be the same open file, so it blocks again right after. */
static ssize_t read_without_waiting(unsigned char *byte) {
    int flags = fcntl(STDIN_FILENO, F_GETFL);
    fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK);
    ssize_t got = read(STDIN_FILENO, byte, 1);
    int why = errno;
    fcntl(STDIN_FILENO, F_SETFL, flags);
    errno = why;
    return got;
}

int line_input_byte(void) {
    const double longest = 60; /* seconds: more would not fit into an int of milliseconds */
    for (;;) {
        if (interrupt_flag) {
            tcflush(STDIN_FILENO, TCIFLUSH);
            return LINE_INPUT_INTERRUPTED;
        }
        double left = line_input.deadline - clock_seconds();
        if (left <= 0) return LINE_INPUT_TIME_OVER;
        if (left > longest) left = longest;
        if (!signals_wait_for_key((int)(left * 1000) + 1)) continue;

        unsigned char byte;
        ssize_t got = read_without_waiting(&byte);
        if (got > 0 && byte == CTRL_C) { /* a key, so what was typed behind it is still to come */
            interrupt_flag = 1;
            return LINE_INPUT_INTERRUPTED;
        }
        if (got > 0) return byte;
        if (interrupt_flag) continue;
        if (got == 0 || (errno != EINTR && errno != EAGAIN)) return LINE_INPUT_END;
    }
}

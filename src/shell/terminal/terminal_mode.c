#include "shell/terminal/terminal_mode.h"

#include "base/ending.h"

#include <errno.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

/* Global, because the signal handler needs it. */
static struct {
    struct termios found;
    volatile sig_atomic_t taken, marks_paste;
} terminal;

void terminal_say(const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, text, length);
        if (written == 0 || (written < 0 && errno != EINTR)) return;
        if (written < 0) continue;
        text += written;
        length -= (size_t)written;
    }
}

/* TCSANOW: a wait until the output, which input modes do not affect, is written could be cut short
 * by a signal. */
static void set_mode(const struct termios *mode) { tcsetattr(STDIN_FILENO, TCSANOW, mode); }

/* NOFLSH: at a signal the terminal would also drop half of what is on its way to the screen. As a
 * key Ctrl-C comes in its order, and what is typed behind it is kept. */
static void take_over(bool keys, bool mark_paste) {
    if (terminal.taken || tcgetattr(STDIN_FILENO, &terminal.found) != 0) return;
    struct termios mode = terminal.found;
    mode.c_lflag |= NOFLSH;
    if (keys) {
        mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
        mode.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON); /* Ctrl-S searches */
        if (mode.c_cc[VINTR] == CTRL_C) mode.c_cc[VINTR] = _POSIX_VDISABLE;
        mode.c_cc[VMIN] = mode.c_cc[VTIME] = 0;
    }
    ending_note_call(terminal_give_back);
    terminal.marks_paste = mark_paste;
    terminal.taken = 1;
    set_mode(&mode);
    if (mark_paste) terminal_say(paste_on, sizeof paste_on - 1);
}

void terminal_take(bool mark_paste) { take_over(true, mark_paste); }
void terminal_take_lines(void) { take_over(false, false); }

void terminal_give_back(void) {
    if (!terminal.taken) return;
    terminal.taken = 0;
    if (terminal.marks_paste) terminal_say(paste_off, sizeof paste_off - 1);
    set_mode(&terminal.found);
}

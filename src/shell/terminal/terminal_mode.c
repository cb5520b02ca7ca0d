#include "shell/terminal/terminal_mode.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { ENDINGS = 3 };

static const int endings[ENDINGS] = {SIGTERM, SIGHUP, SIGQUIT};
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

/* For the signal handler too: it knows no context. */
static struct {
    struct termios found;
    struct sigaction before[ENDINGS];
    volatile sig_atomic_t taken, paste;
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

/* At once: waiting for the output, which the mode of the input does not touch, a signal could cut
 * short. */
static void set_mode(const struct termios *mode) { tcsetattr(STDIN_FILENO, TCSANOW, mode); }

static void restore(void) {
    if (!terminal.taken) return;
    terminal.taken = 0;
    if (terminal.paste) terminal_say(paste_off, sizeof paste_off - 1);
    set_mode(&terminal.found);
}

static void on_ending(int number) {
    restore();
    signal(number, SIG_DFL);
    raise(number);
}

void terminal_take(bool paste) {
    if (terminal.taken || tcgetattr(STDIN_FILENO, &terminal.found) != 0) return;
    struct termios raw = terminal.found;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_ending;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDINGS; i++) sigaction(endings[i], &action, &terminal.before[i]);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    raw.c_lflag |= NOFLSH; /* Ctrl-C must not take half of what is on its way to the screen: the
                              editor drops the keys itself */
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON); /* Ctrl-S searches */
    raw.c_cc[VMIN] = 0; /* a read never waits: Ctrl-C may drop what was there a moment ago */
    raw.c_cc[VTIME] = 0;
    terminal.paste = paste;
    terminal.taken = 1;
    set_mode(&raw);
    if (paste) terminal_say(paste_on, sizeof paste_on - 1);
}

void terminal_give_back(void) {
    if (!terminal.taken) return;
    restore();
    for (int i = 0; i < ENDINGS; i++) sigaction(endings[i], &terminal.before[i], NULL);
}

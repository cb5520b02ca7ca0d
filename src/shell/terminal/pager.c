#include "shell/terminal/pager.h"

#include "base/child.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "shell/terminal/terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { LOOK_MS = 20, TERMINATE_MS = 60 };

/* ---- how much room a text takes ---- */

/* Bytes of the escape sequence that begins here: ESC [ ... letter, ESC ] ... BEL, or ESC and one
 * more behind what may stand between. */
static size_t escape_length(const char *text, size_t length) {
    size_t at = 2;
    if (length < 2) return length;
    if (text[1] == '[') {
        while (at < length && !(text[at] >= 0x40 && text[at] <= 0x7E)) at++;
    } else if (text[1] == ']') {
        while (at < length && text[at] != '\a' && text[at] != '\033') at++;
        if (at + 1 < length && text[at] == '\033') at++; /* ESC \ ends it too */
    } else {
        for (at = 1; at < length && text[at] >= 0x20 && text[at] <= 0x2F;) at++;
    }
    return at < length ? at + 1 : length;
}

size_t pager_rows(const char *text, size_t length, size_t columns) {
    size_t rows = 0, column = 0;
    bool open = false; /* a line that no line break has ended */
    if (columns == 0) columns = 1;
    for (size_t i = 0, taken; i < length; i += taken) {
        uint32_t code_point;
        taken = text[i] == '\033' ? escape_length(text + i, length - i)
                                  : utf8_next(text + i, length - i, &code_point);
        open = text[i] != '\n';
        if (!open) {
            rows++;
            column = 0;
        } else if (text[i] != '\033') {
            size_t width = text[i] == '\t' ? 8 - column % 8 : utf8_width(text + i, taken);
            if (column + width > columns && column > 0) {
                rows++;
                column = 0;
            }
            column += width;
        }
    }
    return rows + open;
}

/* ---- the program ---- */

/* Where the terminal shows what is typed, a ^C stands in the line now. */
static void leave_line_of_key(void) {
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) != 0 || !(now.c_lflag & ECHO)) return;
    if (write(STDOUT_FILENO, "\n", 1) < 0) return; /* the prompt that follows will find out */
}

/* The terminal drops what was on its way when Ctrl-C came, be it half an escape sequence; the other
 * half stands in the line. */
static void clear_line(void) {
    static const char erase[] = "\r\x1b[K";
    if (write(STDOUT_FILENO, erase, sizeof erase - 1) < 0) return; /* as above */
}

/* Feeds the pager until it has ended. Ctrl-C ends it; but a line of several programs cannot be
 * ended whole: it hears of Ctrl-C itself, and is left only when asked twice. */
static void feed_until_end(Child *pager, const char *text, size_t length, bool one_program) {
    ChildInput input = {text, length, 0};
    int interrupts = 0, patience = one_program ? 0 : 1;
    while (!child_wait(pager, 0)) {
        if (interrupt_flag) {
            interrupts++;
            interrupt_flag = 0;
            leave_line_of_key();
        }
        if (interrupts > patience) {
            child_close_input(pager);
            child_signal(pager, SIGTERM);
            if (!child_wait(pager, TERMINATE_MS)) child_kill(pager);
        } else {
            bool reads = child_exchange(pager, &input, LOOK_MS, NULL, NULL);
            if (!reads || input.sent == length) child_close_input(pager);
        }
    }
    if (interrupts) interrupt_flag = 1;
}

/* Runs a command as a shell would, with the text as its input, until it ends. The terminal's
 * settings are afterwards as they were. False, with nothing shown: it could not be started. */
static bool run_pager(const char *command, const char *text, size_t length, bool utf8) {
    /* A shell that is told to exec becomes the one program, so that the process we know is the
     * pager itself. less needs no shell, which would complain where there is no less. */
    bool one_program = !command[strcspn(command, "|&;<>()`={}\n")];
    const char *variables[] = {"LESS=FRX", utf8 ? "LESSCHARSET=utf-8" : NULL, NULL};
    Text line = TEXT_EMPTY;
    text_format(&line, "%s%s", one_program ? "exec " : "", command);
    const char *by_shell[] = {"sh", "-c", line.data, NULL}, *alone[] = {"less", NULL};
    Child pager;
    struct termios before;
    bool terminal = tcgetattr(STDIN_FILENO, &before) == 0;
    bool started =
        !line.failed &&
        child_start(&pager, strcmp(command, "less") == 0 ? alone : by_shell, variables, true) == 0;
    text_release(&line);
    if (!started) return false;
    feed_until_end(&pager, text, length, one_program);
    if (terminal) tcsetattr(STDIN_FILENO, TCSANOW, &before);
    if (interrupt_flag) clear_line();
    /* What a shell answers for a program that is not there or is none. */
    return !WIFEXITED(pager.status) ||
           (WEXITSTATUS(pager.status) != 126 && WEXITSTATUS(pager.status) != 127);
}

/* ---- showing ---- */

static bool page_or_write(Host *host, const char *text, size_t length, Error *err) {
    const char *own = getenv("ATTN_PAGER"), *usual = getenv("PAGER"),
               *command = own     ? own
                          : usual ? usual
                                  : "less";
    terminal_measure(host);
    bool fits = pager_rows(text, length, (size_t)host->columns) + 2 <= (size_t)host->rows;
    if (!*command || fits) return host_write(host, text, length, err);
    if (!terminal_flush(err)) return false;
    return run_pager(command, text, length, host->utf8) || host_write(host, text, length, err);
}

bool pager_show(Host *host, const char *text, size_t length, Error *err) {
    if (!host->interactive || !terminal_moves_cursor()) return host_write(host, text, length, err);
    if (host->utf8) return page_or_write(host, text, length, err);
    Text ascii = TEXT_EMPTY;
    ascii_write_lines(&ascii, text, length, (size_t)host->columns);
    bool ok = text_ok(&ascii, err) && page_or_write(host, ascii.data, ascii.length, err);
    text_release(&ascii);
    return ok;
}

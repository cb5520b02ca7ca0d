#include "shell/terminal/pager.h"

#include "base/child.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"
#include "shell/terminal/terminal_mode.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { LOOK_MS = 20, TERMINATE_MS = 60 };

/* ---- the program ---- */

/* Starts a program, whose words are split at blanks. No shell reads them: false, with nothing
 * started, where only a shell would know what they mean. */
static bool start_pager(Child *pager, const char *command, bool utf8) {
    enum { WORDS_MOST = 30 };
    /* less keeps what it can do to what it shows: no files are written, no programs started. */
    const char *variables[] = {"LESS=FRX", "LESSSECURE=1", utf8 ? "LESSCHARSET=utf-8" : NULL, NULL};
    const char *arguments[WORDS_MOST + 1] = {NULL};
    LocalText words = TEXT_EMPTY;
    size_t count = 0;
    text_string(&words, command);
    for (char *word = strtok(words.data, " \t"); word && count < WORDS_MOST;
         word = strtok(NULL, " \t"))
        arguments[count++] = word;
    bool plain = !command[strcspn(command, "|&;<>()`$\\\"'\n")];
    return !words.failed && count > 0 && count < WORDS_MOST && plain &&
           child_start(pager, arguments, variables, true) == 0;
}

/* Stops the pager and ourselves until the shell lets us go on. less ignores Ctrl-Z while it may
 * start no programs: it would take the next key that is typed to the shell. */
static void stop_both(const Child *pager, const struct termios *before) {
    struct termios now;
    bool terminal = tcgetattr(STDIN_FILENO, &now) == 0;
    child_signal(pager, SIGSTOP);
    if (terminal) tcsetattr(STDIN_FILENO, TCSANOW, before);
    signals_stop();
    if (terminal) tcsetattr(STDIN_FILENO, TCSANOW, &now);
    child_signal(pager, SIGCONT);
}

/* Shows the text by that program, until it has ended or Ctrl-C ends it. The terminal's settings are
 * afterwards as they were. False, with nothing shown: it could not be started. */
static bool run_pager(const char *command, const char *text, size_t length, bool utf8) {
    static const int heard[] = {SIGTSTP};
    Child pager;
    ChildInput input = {text, length, 0};
    struct termios before, now;
    bool terminal = tcgetattr(STDIN_FILENO, &before) == 0, interrupted = false;
    if (!start_pager(&pager, command, utf8)) return false;
    bool hears = signals_begin(heard, 1, 0);
    while (!child_wait(&pager, 0)) {
        if (hears && signals_take()) stop_both(&pager, &before);
        if (interrupt_flag) {
            interrupted = true;
            interrupt_flag = 0;
            /* A terminal that shows what is typed has a ^C in its line now. */
            if (tcgetattr(STDIN_FILENO, &now) == 0 && (now.c_lflag & ECHO)) terminal_say("\n", 1);
        }
        if (interrupted) {
            child_close_input(&pager);
            child_signal(&pager, SIGTERM);
            if (!child_wait(&pager, TERMINATE_MS)) child_kill(&pager);
        } else {
            bool reads = child_exchange(&pager, &input, LOOK_MS, NULL, NULL);
            if (!reads || input.sent == length) child_close_input(&pager);
        }
    }
    if (hears) signals_end();
    if (interrupted) interrupt_flag = 1;
    if (terminal) tcsetattr(STDIN_FILENO, TCSANOW, &before);
    /* The terminal drops what was on its way when Ctrl-C came, be it half an escape sequence; the
     * other half is in the line. */
    if (interrupt_flag) terminal_say("\r\x1b[K", strlen("\r\x1b[K"));
    return true;
}

/* ---- showing ---- */

static bool page_or_write(Host *host, const char *text, size_t length, Error *err) {
    const char *own = getenv("ATTN_PAGER"), *usual = getenv("PAGER"),
               *command = own     ? own
                          : usual ? usual
                                  : "less";
    terminal_measure(host);
    size_t rows = host->rows > 2 ? (size_t)host->rows - 2 : 0;
    bool fits = utf8_rows(text, length, (size_t)host->columns, &rows) == length;
    if (!*command || fits) return host_write(host, text, length, err);
    if (!terminal_flush(err)) return false;
    return run_pager(command, text, length, host->utf8) || host_write(host, text, length, err);
}

bool pager_show(Host *host, const char *text, size_t length, Error *err) {
    if (!host->interactive || !terminal_moves_cursor()) return host_write(host, text, length, err);
    if (host->utf8) return page_or_write(host, text, length, err);
    LocalText ascii = TEXT_EMPTY;
    ascii_write_lines(&ascii, text, length, (size_t)host->columns);
    return text_ok(&ascii, err) && page_or_write(host, ascii.data, ascii.length, err);
}

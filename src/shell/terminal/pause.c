#include "shell/terminal/pause.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"
#include "shell/terminal/terminal_mode.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

/* ---- lines that the terminal edits ---- */

static const int heard[] = {SIGINT};

/* Global: there is one terminal, and one reader at a time. */
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

        /* A Ctrl-C from before line_input_begin may still drop what select has announced: the read
         * must not wait then. Standard output may be the same open file, so it blocks again right
         * after. */
        unsigned char byte;
        int flags = fcntl(STDIN_FILENO, F_GETFL);
        fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK);
        ssize_t got = read(STDIN_FILENO, &byte, 1);
        int why = errno;
        fcntl(STDIN_FILENO, F_SETFL, flags);
        if (got > 0 && byte == CTRL_C) { /* a key, so what was typed behind it is still to come */
            interrupt_flag = 1;
            return LINE_INPUT_INTERRUPTED;
        }
        if (got > 0) return byte;
        if (interrupt_flag) continue;
        if (got == 0 || (why != EINTR && why != EAGAIN)) return LINE_INPUT_END;
    }
}

/* ---- pauses and questions ---- */

/* Waits for Enter or the end of the input, which sets *ended; appends what was typed before to
 * `line`. ERR_INTERRUPT. */
static bool wait_for_line(Host *host, Text *line, bool *ended, Error *err) {
    int byte;
    fflush(stdout);
    line_input_begin(INFINITY, false);
    while ((byte = line_input_byte()) >= 0 && byte != '\n') text_char(line, (char)byte);
    line_input_end();
    *ended = byte == LINE_INPUT_END;
    if (byte != LINE_INPUT_INTERRUPTED) return true;
    host_print(host, err, "\n"); /* behind the ^C that the terminal shows */
    return !interrupted(err);
}

enum { TOGETHER_MS = 50, CTRL_D = 4, ESCAPE = 27 };

/* The key whose sequence has begun, as the letter that does the same: a space turns the page. */
static int read_sequence(void) {
    int begin = signals_wait_for_key(TOGETHER_MS) ? line_input_byte() : 0, first, end;
    if (begin != '[' && begin != 'O') return 0;
    for (first = end = line_input_byte(); end >= ' ' && end < '@';) end = line_input_byte();
    return end == 'C' || (first == '6' && end == '~') ? ' ' : 0; /* Right, Page Down */
}

/* Waits for the time, a key that turns the page, or q alone, which leaves: a script with exit, at a
 * prompt what runs there. Other words, which may begin with q, turn it with their Enter. */
static bool wait_for_page_key(double seconds, Host *host, Error *err) {
    bool text = false, leaves = false;
    int key;
    line_input_begin(seconds, true);
    fflush(stdout);
    while ((key = line_input_byte()) >= 0 && key != '\r' && key != '\n') {
        if (key == ESCAPE) key = read_sequence();
        if (text) continue;
        leaves = key == 'q' && !signals_wait_for_key(TOGETHER_MS);
        if (leaves || key == ' ' || key == CTRL_D) break;
        text = key > ' ' && key != 'b'; /* there is no way back */
    }
    line_input_end();
    if (key == LINE_INPUT_INTERRUPTED) return !interrupted(err);
    if (!leaves) return true;
    return host->interactive ? interrupt_error(err) : error_set(err, ERR_EXIT, "exit");
}

static bool write_wrapped(Host *host, const char *text, Error *err) {
    Text words = TEXT_EMPTY, lines = TEXT_EMPTY;
    text_string(&words, text);
    text_say_lines(&lines, &words, (size_t)host->columns);
    return host_write_plain(host, &lines, err);
}

/* Shows the text and waits for Enter. The sign for that is behind the text if there is room, else
 * below it, and is erased afterwards. */
static bool wait_for_enter(Host *host, const char *text, Error *err) {
    static const char sign[] = "[Enter]", gap[] = "  ";
    size_t width = text ? utf8_width(text, strlen(text)) + strlen(gap) + strlen(sign) : 0;
    bool beside = text && !strchr(text, '\n') && width <= (size_t)host->columns;
    if (text && !beside && !write_wrapped(host, text, err)) return false;

    /* An Enter pressed before there was anything to read turns no page. */
    tcflush(STDIN_FILENO, TCIFLUSH);
    if (!host_print(host, err, "%s%s%s", beside ? text : "", beside ? gap : "", sign)) return false;
    bool turned = wait_for_page_key(INFINITY, host, err);
    if (!host_print(host, turned ? err : NULL, "\n") || !turned) return false;

    if (!terminal_moves_cursor()) return true;
    static const char erase[] = "\033[A\r\033[K";
    return host_write(host, erase, sizeof erase - 1, err) &&
           (!beside || host_print(host, err, "%s\n", text));
}

bool pause_wait(Host *host, const char *text, double seconds, Error *err) {
    bool ok, terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (terminal && seconds < 0) {
        ok = wait_for_enter(host, text, err);
    } else {
        ok = !text || write_wrapped(host, text, err);
        if (ok && terminal) ok = wait_for_page_key(seconds, host, err);
    }
    if (terminal) terminal_measure(host); /* a window may have changed its size meanwhile */
    return ok;
}

bool pause_ask(Host *host, const char *question, bool *yes, Error *err) {
    LocalText text = TEXT_EMPTY, lines = TEXT_EMPTY, answer = TEXT_EMPTY;
    text_format(&text, "%s [y/N]", question);
    text_say_wrapped(&lines, text.data, (size_t)host->columns - 4); /* the answer follows it */
    if (lines.length > 0) lines.data[lines.length - 1] = ' ';

    /* Keys typed before there was a question answer nothing. */
    tcflush(STDIN_FILENO, TCIFLUSH);
    bool ended, ok = host_write_plain(host, &lines, err) &&
                     wait_for_line(host, &answer, &ended, err) && text_ok(&answer, err);
    bool says_yes = strcasecmp(answer.data, "y") == 0;
    for (Language language = 0; language_codes[language]; language++)
        says_yes = says_yes || strcasecmp(answer.data, tr_in(language, "yes")) == 0;
    *yes = ok && says_yes;
    return ok;
}

bool pause_read_line(Host *host, const char *prompt, Text *line, bool *ended, Error *err) {
    bool ok = host_write_printed(host, prompt, strlen(prompt), err) &&
              wait_for_line(host, line, ended, err) && text_ok(line, err);
    *ended = ok && *ended && line->length == 0;
    if (ok && line->length > 0 && line->data[line->length - 1] == '\r')
        line->data[--line->length] = 0; /* a file from Windows */
    return ok;
}

void pause_clear(Host *host) {
    static const char home[] = "\033[H\033[2J";
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal_moves_cursor())
        host_write(host, home, sizeof home - 1, NULL);
}

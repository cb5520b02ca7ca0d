#include "shell/editor/editor_input.h"

#include "shell/terminal/signals.h"
#include "shell/terminal/terminal_query.h"

#include <errno.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { CTRL_C = 3, EMPTY_MOST = 100 };

static const int heard[] = {SIGINT, SIGWINCH, SIGTSTP, SIGCONT};

static struct {
    char bytes[4096];
    const char *keys; /* bytes, or what was fed */
    size_t at, length;
    bool ended, fed;
    bool interrupted; /* by a key that was fed */
    int empty;        /* reads in a row that gave nothing */
} input;

/* What was typed while the terminal answered a question. */
static void take_typed_ahead(void) {
    if (input.fed || input.at < input.length) return;
    input.at = 0;
    input.length = terminal_typed_ahead(input.bytes, sizeof input.bytes);
}

void input_open(void) {
    input.keys = input.bytes;
    input.at = input.length = 0;
    input.ended = input.fed = false;
}

bool input_begin(void) {
    if (!signals_begin(heard, sizeof heard / sizeof *heard, 0)) return false;
    input.interrupted = false;
    take_typed_ahead();
    return true;
}

/* ---- keys ---- */

void input_feed(const char *keys, size_t length) {
    input.keys = keys;
    input.at = 0;
    input.length = length;
    input.ended = false;
    input.fed = true;
}

bool input_is_fed(void) { return input.fed; }

bool input_is_interrupted(void) { return input.interrupted || signals_has_come(SIGINT); }

bool input_is_over(void) { return input.ended || input_is_interrupted(); }

void input_forget(void) {
    if (input.fed) return;
    terminal_typed_ahead(input.bytes, sizeof input.bytes);
    tcflush(STDIN_FILENO, TCIFLUSH);
    input.at = input.length = 0;
}

static bool has_key(void) { return input.at < input.length; }

/* Nothing at all, again and again, is the end: the terminal has gone. */
static void take_bytes(void) {
    ssize_t length = read(STDIN_FILENO, input.bytes, sizeof input.bytes);
    input.at = 0;
    input.length = length > 0 ? (size_t)length : 0;
    input.empty = length == 0 ? input.empty + 1 : 0;
    if (input.empty > EMPTY_MOST || (length < 0 && errno != EINTR && errno != EAGAIN))
        input.ended = true;
}

/* Waits for keys or a signal; -1: as long as it takes. */
static void fill(int milliseconds) {
    if (input.fed) input.ended = true;
    if (!input.ended && signals_wait_for_key(milliseconds)) take_bytes();
}

/* Who feeds the keys has no terminal that makes a signal of Ctrl-C. */
static void see_fed_interrupt(void) {
    if (!input.fed || !has_key() || input.keys[input.at] != CTRL_C) return;
    input.at++;
    input.interrupted = true;
}

static bool take_interrupt(void) {
    bool was = input.interrupted;
    input.interrupted = false;
    return was;
}

InputEvent input_wait(void) {
    for (;;) {
        see_fed_interrupt();
        if (take_interrupt()) return INPUT_INTERRUPT;
        switch (signals_take()) {
        case SIGINT: return INPUT_INTERRUPT;
        case SIGWINCH: return INPUT_RESIZE;
        case SIGTSTP: return INPUT_STOP;
        case SIGCONT: return INPUT_CONTINUE;
        }
        if (has_key()) return INPUT_KEY;
        if (input.ended) return INPUT_END;
        fill(-1);
    }
}

bool input_is_waiting(int milliseconds) {
    if (!has_key() && !input.fed) fill(milliseconds);
    return has_key();
}

int input_read(void) {
    for (;;) {
        see_fed_interrupt();
        if (input.interrupted) return -1;
        if (has_key()) return (unsigned char)input.keys[input.at++];
        if (input_is_over()) return -1;
        fill(-1);
    }
}

int input_peek(void) { return has_key() ? (unsigned char)input.keys[input.at] : -1; }

/* ESC [, parameters, and what ends them; ESC O and one character. */
static size_t sequence_length(const char *bytes, size_t length) {
    if (length < 3 || bytes[0] != '\033' || (bytes[1] != '[' && bytes[1] != 'O')) return 0;
    size_t end = bytes[2] == '[' ? 3 : 2; /* ESC [ [ A is F1 of the Linux console */
    while (bytes[1] == '[' && end < length && bytes[end] >= 0x20 && bytes[end] < 0x40) end++;
    return end < length && bytes[end] >= 0x40 && bytes[end] < 0x7f ? end + 1 : 0;
}

size_t input_peek_sequence(const char **bytes) {
    *bytes = input.keys + input.at;
    return sequence_length(*bytes, input.length - input.at);
}

bool input_read_until(Text *out, const char *end) {
    size_t length = strlen(end), begin = out->length;
    for (int c; (c = input_read()) >= 0;) {
        text_char(out, (char)c);
        if (c != end[length - 1] || out->length - begin < length ||
            memcmp(out->data + out->length - length, end, length) != 0)
            continue;
        out->length -= length;
        out->data[out->length] = '\0';
        return true;
    }
    return false;
}

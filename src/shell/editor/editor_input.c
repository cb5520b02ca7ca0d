#include "shell/editor/editor_input.h"

#include "lang/value.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal_mode.h"
#include "shell/terminal/terminal_query.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { EMPTY_READS_MOST = 100 };

static const int heard[] = {SIGINT, SIGWINCH, SIGTSTP, SIGCONT};

static struct {
    char bytes[4096];
    const char *keys; /* bytes, or what was fed */
    size_t at, length;
    bool ended, fed;
    bool interrupted;    /* by the key Ctrl-C */
    bool ends_in_return; /* the last read, of more than one key, as of a pasted text */
    int empty_reads;     /* in a row */
} input;

void input_open(void) {
    input.keys = input.bytes;
    input.at = input.length = 0;
    input.ended = input.fed = false;
}

bool input_begin(void) {
    if (!signals_begin(heard, sizeof heard / sizeof *heard, 0)) return false;
    input.interrupted = false;
    if (!input.fed && input.at == input.length) {
        /* Takes what was typed while the terminal answered a question. */
        input.at = 0;
        input.length = terminal_typed_ahead(input.bytes, sizeof input.bytes);
    }
    return true;
}

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
    input.at = input.length = 0;
}

static bool has_key(void) { return input.at < input.length; }

/* Waits for keys or a signal and takes the keys; -1: as long as it takes. */
static void read_keys(int milliseconds) {
    if (input.fed) input.ended = true;
    if (milliseconds < 0 && values_free_left(true)) milliseconds = 0;
    if (input.ended || !signals_wait_for_key(milliseconds)) return;
    ssize_t length = read(STDIN_FILENO, input.bytes, sizeof input.bytes);
    input.at = 0;
    input.length = 0;
    /* A pasted text may have lines that end in \r\n, also where one read ends and the next begins:
     * the \n is dropped, since it would enter an empty line, which ends a block. */
    bool behind_return = input.ends_in_return;
    for (ssize_t i = 0; i < length; i++) {
        const char byte = input.bytes[i];
        if (byte != '\n' || !behind_return) input.bytes[input.length++] = byte;
        behind_return = byte == '\r';
    }
    input.ends_in_return = behind_return && length > 1;
    /* Ctrl-C drops the keys before it, which an Enter among them could run, and no other. */
    for (size_t i = input.length; i > 0 && input.at == 0; i--)
        if (input.bytes[i - 1] == CTRL_C) input.at = i;
    input.interrupted = input.at > 0;
    /* A read may find nothing, because a signal dropped what was there; but nothing time and again
     * means that the terminal has gone. */
    input.empty_reads = length == 0 ? input.empty_reads + 1 : 0;
    if (input.empty_reads > EMPTY_READS_MOST) input.ended = true;
    if (length < 0 && errno != EINTR && errno != EAGAIN) input.ended = true;
}

/* There is no terminal that would make a signal of a Ctrl-C that was fed. */
static void take_fed_interrupt(void) {
    if (!input.fed || !has_key() || input.keys[input.at] != CTRL_C) return;
    input.at++;
    input.interrupted = true;
}

InputEvent input_wait(void) {
    for (;;) {
        take_fed_interrupt();
        if (input.interrupted) {
            input.interrupted = false;
            return INPUT_INTERRUPT;
        }
        switch (signals_take()) {
        case SIGINT: input_forget(); return INPUT_INTERRUPT;
        case SIGWINCH: return INPUT_RESIZE;
        case SIGTSTP: return INPUT_STOP;
        case SIGCONT: return INPUT_CONTINUE;
        }
        if (has_key()) return INPUT_KEY;
        if (input.ended) return INPUT_END;
        read_keys(-1);
    }
}

bool input_is_waiting(int milliseconds) {
    if (!has_key() && !input.fed) read_keys(milliseconds);
    return has_key();
}

int input_read(void) {
    for (;;) {
        take_fed_interrupt();
        if (input.interrupted) return -1;
        if (has_key()) return (unsigned char)input.keys[input.at++];
        if (input_is_over()) return -1;
        read_keys(-1);
    }
}

int input_peek(void) { return has_key() ? (unsigned char)input.keys[input.at] : -1; }

/* ESC [, parameters, and what ends them; or ESC O and one character. */
size_t input_peek_sequence(const char **sequence) {
    const char *bytes = input.keys + input.at;
    size_t length = input.length - input.at;
    *sequence = bytes;
    if (length < 3 || bytes[0] != '\033' || (bytes[1] != '[' && bytes[1] != 'O')) return 0;
    size_t end = bytes[2] == '[' ? 3 : 2; /* ESC [ [ A is F1 of the Linux console */
    while (bytes[1] == '[' && end < length && bytes[end] >= 0x20 && bytes[end] < 0x40) end++;
    return end < length && bytes[end] >= 0x40 && bytes[end] < 0x7F ? end + 1 : 0;
}

bool input_read_until(Text *out, const char *end) {
    size_t length = strlen(end), begin = out->length;
    for (int c; (c = input_read()) >= 0;) {
        text_char(out, (char)c);
        if (c != end[length - 1] || out->length - begin < length ||
            memcmp(out->data + out->length - length, end, length) != 0)
            continue;
        text_cut(out, out->length - length);
        return true;
    }
    return false;
}

#include "shell/editor_input.h"

#include "shell/terminal_query.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 4, CTRL_C = 3, EMPTY_MOST = 100 };

static const struct { int number; InputEvent event; } heard[SIGNALS] = {
    {SIGINT, INPUT_INTERRUPT}, {SIGWINCH, INPUT_RESIZE}, {SIGTSTP, INPUT_STOP}, {SIGCONT, INPUT_CONTINUE}};

/* Signals know no context. A byte in the pipe wakes the poll, whichever thread the signal came to. */
static volatile sig_atomic_t raised[SIGNALS];
static int wake[2] = {-1, -1};

static struct {
    char bytes[4096];
    const char *keys; /* bytes, or what was fed */
    size_t at, length;
    bool ended, fed;
    int empty; /* reads in a row that gave nothing */
    struct sigaction before[SIGNALS];
} input;

/* ---- signals ---- */

static void on_signal(int number) {
    int kept = errno;
    for (int i = 0; i < SIGNALS; i++)
        if (heard[i].number == number) raised[i] = 1;
    if (write(wake[1], "", 1) < 0) errno = kept; /* full: it wakes as well */
    errno = kept;
}

static bool take_signal(InputEvent *event) {
    for (int i = 0; i < SIGNALS; i++) {
        if (!raised[i]) continue;
        raised[i] = 0;
        *event = heard[i].event;
        return true;
    }
    return false;
}

static bool interrupt_waits(void) {
    return raised[0];
}

static void drain(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) continue;
}

static bool prepare_end(int descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0;
}

bool input_open(void) {
    input.keys = input.bytes;
    input.at = input.length = 0;
    input.ended = input.fed = false;
    if (pipe(wake) != 0) return false;
    if (prepare_end(wake[0]) && prepare_end(wake[1])) return true;
    input_close();
    return false;
}

void input_close(void) {
    for (int i = 0; i < 2; i++) {
        if (wake[i] >= 0) close(wake[i]);
        wake[i] = -1;
    }
}

/* What was typed while the terminal answered a question. */
static void take_typed_ahead(void) {
    if (input.fed || input.at < input.length) return;
    input.at = 0;
    input.length = terminal_typed_ahead(input.bytes, sizeof input.bytes);
}

void input_begin(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        raised[i] = 0;
        sigaction(heard[i].number, &action, &input.before[i]);
    }
    take_typed_ahead();
}

void input_end(void) {
    for (int i = 0; i < SIGNALS; i++) sigaction(heard[i].number, &input.before[i], NULL);
}

void input_stop(void) {
    struct sigaction ours;
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = SIG_DFL}, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    raised[3] = 0; /* that it goes on is known */
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

bool input_is_over(void) {
    return input.ended || interrupt_waits();
}

void input_forget(void) {
    if (input.fed) return;
    terminal_typed_ahead(input.bytes, sizeof input.bytes);
    input.at = input.length = 0;
}

static bool has_key(void) {
    return input.at < input.length;
}

/* Nothing at all is the end when the terminal has gone, or says again and again that there is something. */
static void take_bytes(bool gone) {
    ssize_t length = read(STDIN_FILENO, input.bytes, sizeof input.bytes);
    input.at = 0;
    input.length = length > 0 ? (size_t)length : 0;
    input.empty = length == 0 ? input.empty + 1 : 0;
    if ((length == 0 && (gone || input.empty > EMPTY_MOST)) || (length < 0 && errno != EINTR && errno != EAGAIN)) input.ended = true;
}

/* Waits for keys or a signal; -1: as long as it takes. */
static void fill(int milliseconds) {
    struct pollfd wait[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
    if (input.fed) input.ended = true;
    if (input.ended || poll(wait, 2, milliseconds) <= 0) return;
    if (wait[1].revents) drain();
    if (wait[0].revents) take_bytes(wait[0].revents & ~POLLIN);
}

/* Who feeds the keys has no terminal that makes a signal of Ctrl-C. */
static void see_fed_interrupt(void) {
    if (!input.fed || !has_key() || input.keys[input.at] != CTRL_C) return;
    input.at++;
    raised[0] = 1;
}

InputEvent input_wait(void) {
    for (InputEvent event;;) {
        see_fed_interrupt();
        if (take_signal(&event)) return event;
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
        if (interrupt_waits()) return -1;
        if (has_key()) return (unsigned char)input.keys[input.at++];
        if (input.ended) return -1;
        fill(-1);
    }
}

int input_peek(void) {
    return has_key() ? (unsigned char)input.keys[input.at] : -1;
}

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
        if (c != end[length - 1] || out->length - begin < length || memcmp(out->data + out->length - length, end, length) != 0) continue;
        out->length -= length;
        out->data[out->length] = '\0';
        return true;
    }
    return false;
}

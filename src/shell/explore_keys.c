#include "shell/explore_keys.h"

#include "base/interrupt.h"
#include "base/utf8.h"
#include "shell/editor_input.h"
#include "shell/explore_model.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { ESCAPE_WAIT_MS = 30, KEY_BYTES_MOST = 16 };

/* ---- what bytes mean ---- */

static int key_of_letter(char letter) {
    static const char letters[] = "ABCDHF";
    static const int keys[] = {EXPLORE_UP, EXPLORE_DOWN, EXPLORE_RIGHT, EXPLORE_LEFT, EXPLORE_HOME, EXPLORE_END};
    const char *found = strchr(letters, letter);
    return found && letter ? keys[found - letters] : 0;
}

static int key_of_number(char first) {
    switch (first) {
    case '1': case '7': return EXPLORE_HOME;
    case '4': case '8': return EXPLORE_END;
    case '5': return EXPLORE_PAGE_UP;
    case '6': return EXPLORE_PAGE_DOWN;
    default: return 0;
    }
}

/* ESC [ or ESC O, numbers, a letter or ~. */
static size_t read_sequence(const char *bytes, size_t length, bool last, int *key) {
    size_t at = 2;
    while (at < length && (unsigned char)bytes[at] >= 0x20 && (unsigned char)bytes[at] < 0x40) at++;
    if (at == length) return *key = 0, last || length >= KEY_BYTES_MOST ? length : 0;
    bool one = at == 3 || (at > 3 && bytes[3] == ';');
    *key = bytes[at] == '~' ? (one ? key_of_number(bytes[2]) : 0) : key_of_letter(bytes[at]);
    return at + 1;
}

/* Letters and signs typed with a Chinese input method count as the ASCII ones that they stand for. */
static size_t read_character(const char *bytes, size_t length, bool last, int *key) {
    unsigned char first = (unsigned char)bytes[0];
    size_t needed = first < 0xC0 || first >= 0xF8 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t c;
    if (length < needed && !last) return 0;
    size_t taken = utf8_next(bytes, length, &c);
    char twin = c < 0x80 ? 0 : utf8_ascii_twin(c);
    *key = twin ? twin : (int)c;
    return taken;
}

size_t explore_key_read(const char *bytes, size_t length, bool last, int *key) {
    *key = 0;
    if (length == 0) return 0;
    if (bytes[0] != EXPLORE_ESCAPE) return read_character(bytes, length, last, key);
    if (length == 1 && !last) return 0;
    if (length > 1 && (bytes[1] == '[' || bytes[1] == 'O')) return read_sequence(bytes, length, last, key);
    *key = EXPLORE_ESCAPE;
    return 1;
}

/* ---- signals ---- */

enum { SIGNALS = 6, ENDINGS = 3 };

/* The first ones end the program. */
static const int numbers[SIGNALS] = {SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGWINCH, SIGTSTP};

/* A signal knows no context. A byte in the pipe wakes the poll, whichever thread the signal came to. */
static volatile sig_atomic_t raised[SIGNALS];
static struct sigaction before[SIGNALS];
static int wake[2] = {-1, -1};

static void on_signal(int number) {
    int kept = errno;
    for (int i = 0; i < SIGNALS; i++) {
        if (numbers[i] != number) continue;
        raised[i] = 1;
        if (i < ENDINGS || number == SIGINT) interrupt_flag = 1; /* ends what is being computed, too */
    }
    if (write(wake[1], "", 1) < 0) errno = kept; /* full: it wakes as well */
    errno = kept;
}

static bool prepare_end(int descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0;
}

static void close_pipe(void) {
    for (int i = 0; i < 2; i++) {
        if (wake[i] >= 0) close(wake[i]);
        wake[i] = -1;
    }
}

bool explore_keys_open(Error *err) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal;
    if (pipe(wake) != 0 || !prepare_end(wake[0]) || !prepare_end(wake[1])) {
        close_pipe();
        return error_set(err, ERR_LIMIT, "explore cannot hear signals: %s", strerror(errno));
    }
    for (int i = 0; i < SIGNALS; i++) {
        raised[i] = 0;
        sigaction(numbers[i], &action, &before[i]);
    }
    return true;
}

void explore_keys_close(void) {
    for (int i = 0; i < SIGNALS; i++) sigaction(numbers[i], &before[i], NULL);
    close_pipe();
    for (int i = 0; i < ENDINGS; i++)
        if (raised[i]) raise(numbers[i]);
}

void explore_keys_stop(void) {
    struct sigaction ours;
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = SIG_DFL}, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

static bool take_signal(ExploreEvent *event) {
    static const ExploreEvent events[SIGNALS] = {EVENT_END, EVENT_END, EVENT_END, EVENT_INTERRUPT, EVENT_RESIZE, EVENT_STOP};
    for (int i = 0; i < SIGNALS; i++) {
        if (!raised[i]) continue;
        if (i >= ENDINGS) raised[i] = 0;
        return *event = events[i], true;
    }
    return false;
}

/* ---- waiting ---- */

static void drain(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) continue;
}

/* For keys or a signal; -1: as long as it takes. */
static bool wait_for_input(int milliseconds) {
    struct pollfd wait[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
    if (poll(wait, 2, milliseconds) <= 0) return false;
    if (wait[1].revents) drain();
    return wait[0].revents != 0;
}

/* One byte and no more: what follows may be for the prompt. 0: there is none; -1: there never will be. */
static int take_byte(char *byte, int milliseconds) {
    if (input_peek() >= 0) return *byte = (char)input_read(), 1; /* typed ahead at the prompt */
    if (!wait_for_input(milliseconds)) return 0;
    ssize_t got = read(STDIN_FILENO, byte, 1);
    return got > 0 ? 1 : got < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

ExploreEvent explore_keys_wait(int *key) {
    char bytes[KEY_BYTES_MOST];
    size_t length = 0;
    for (ExploreEvent event;;) {
        if (take_signal(&event)) return event;
        int got = take_byte(bytes + length, length ? ESCAPE_WAIT_MS : -1);
        if (got < 0) return EVENT_END;
        bool last = got == 0;
        length += (size_t)got;
        if (length && explore_key_read(bytes, length, last, key)) return EVENT_KEY;
    }
}

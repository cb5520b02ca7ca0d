#include "shell/explore_keys.h"

#include "base/interrupt.h"
#include "base/utf8.h"
#include "shell/editor_input.h"
#include "shell/explore_model.h"

#include <errno.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { ESCAPE_WAIT_NS = 30 * 1000 * 1000, KEY_BYTES_MOST = 16 };

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

enum { SIGNALS = 5, ENDINGS = 3 };

/* The first ones end the program. */
static const int numbers[SIGNALS] = {SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP};

/* A signal knows no context. */
static volatile sig_atomic_t raised[SIGNALS];
static struct sigaction before[SIGNALS];

static void on_signal(int number) {
    for (int i = 0; i < SIGNALS; i++)
        if (numbers[i] == number) raised[i] = 1;
}

static void on_ending(int number) {
    on_signal(number);
    interrupt_flag = 1; /* ends what is being computed, too */
}

void explore_keys_open(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        raised[i] = 0;
        action.sa_handler = i < ENDINGS ? on_ending : on_signal;
        sigaction(numbers[i], &action, &before[i]);
    }
}

void explore_keys_close(void) {
    for (int i = 0; i < SIGNALS; i++) sigaction(numbers[i], &before[i], NULL);
    for (int i = 0; i < ENDINGS; i++)
        if (raised[i]) raise(numbers[i]);
}

void explore_keys_stop(void) {
    struct sigaction ours;
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = SIG_DFL}, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

static bool signal_waits(void) {
    bool any = interrupt_flag != 0;
    for (int i = 0; i < SIGNALS; i++) any = any || raised[i];
    return any;
}

static bool take_signal(ExploreEvent *event) {
    static const ExploreEvent events[SIGNALS] = {EVENT_END, EVENT_END, EVENT_END, EVENT_RESIZE, EVENT_STOP};
    for (int i = 0; i < SIGNALS; i++) {
        if (!raised[i]) continue;
        if (i >= ENDINGS) raised[i] = 0;
        return *event = events[i], true;
    }
    return interrupt_flag && (*event = EVENT_INTERRUPT, true);
}

/* ---- waiting ---- */

/* With all signals held until it sleeps: none can come unseen between the look at the flags and the sleep. */
static bool wait_for_input(const struct timespec *most) {
    sigset_t held, open;
    sigfillset(&held);
    sigprocmask(SIG_BLOCK, &held, &open);
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    bool some = !signal_waits() && pselect(STDIN_FILENO + 1, &input, NULL, NULL, most, &open) > 0;
    sigprocmask(SIG_SETMASK, &open, NULL);
    return some;
}

/* One byte and no more: what follows may be for the prompt. 0: there is none; -1: there never will be. */
static int take_byte(char *byte, const struct timespec *most) {
    if (input_peek() >= 0) return *byte = (char)input_read(), 1; /* typed ahead at the prompt */
    if (!wait_for_input(most)) return 0;
    ssize_t got = read(STDIN_FILENO, byte, 1);
    return got > 0 ? 1 : got < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

ExploreEvent explore_keys_wait(int *key) {
    static const struct timespec short_while = {0, ESCAPE_WAIT_NS};
    char bytes[KEY_BYTES_MOST];
    size_t length = 0;
    for (ExploreEvent event;;) {
        if (take_signal(&event)) return event;
        int got = take_byte(bytes + length, length ? &short_while : NULL);
        if (got < 0) return EVENT_END;
        bool last = got == 0;
        length += (size_t)got;
        if (length && explore_key_read(bytes, length, last, key)) return EVENT_KEY;
    }
}

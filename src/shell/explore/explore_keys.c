#include "shell/explore/explore_keys.h"

#include "base/utf8.h"
#include "shell/editor/editor_input.h"
#include "shell/explore/explore_model.h"
#include "shell/terminal/signals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { ESCAPE_WAIT_MS = 30, KEY_BYTES_MOST = 16 };

/* ---- what bytes mean ---- */

static int key_of_letter(char letter) {
    static const char letters[] = "ABCDHF";
    static const int keys[] = {EXPLORE_UP,   EXPLORE_DOWN, EXPLORE_RIGHT,
                               EXPLORE_LEFT, EXPLORE_HOME, EXPLORE_END};
    const char *found = strchr(letters, letter);
    return found && letter ? keys[found - letters] : 0;
}

static int key_of_number(char first) {
    switch (first) {
    case '1':
    case '7': return EXPLORE_HOME;
    case '4':
    case '8': return EXPLORE_END;
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

/* Letters and signs typed with a Chinese input method count as the ASCII ones that they stand for.
 */
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
    if (length > 1 && (bytes[1] == '[' || bytes[1] == 'O'))
        return read_sequence(bytes, length, last, key);
    *key = EXPLORE_ESCAPE;
    return 1;
}

/* ---- signals ---- */

enum { INTERRUPTING = 4 }; /* they end what is being computed, too */

static const int heard[] = {SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGTSTP, SIGCONT, SIGWINCH};

bool explore_keys_open(Error *err) {
    return signals_begin(heard, sizeof heard / sizeof *heard, INTERRUPTING) ||
           error_set(err, ERR_LIMIT, "explore cannot hear signals: %s", strerror(errno));
}

/* One that ends the program is left to who had it before. */
static bool take_signal(ExploreEvent *event) {
    int number = signals_take();
    switch (number) {
    case 0: return false;
    case SIGINT: return *event = EVENT_INTERRUPT, true;
    case SIGTSTP: return *event = EVENT_STOP, true;
    case SIGCONT: return *event = EVENT_CONTINUE, true;
    case SIGWINCH: return *event = EVENT_RESIZE, true;
    default: return raise(number), *event = EVENT_END, true;
    }
}

/* ---- waiting ---- */

/* One byte and no more: what follows may be for the prompt. 0: there is none; -1: there never will
 * be. */
static int take_byte(char *byte, int milliseconds) {
    if (input_peek() >= 0) return *byte = (char)input_read(), 1; /* typed ahead at the prompt */
    if (!signals_wait_for_key(milliseconds)) return 0;
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

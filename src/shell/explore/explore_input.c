#include "shell/explore/explore_input.h"

#include "base/utf8.h"
#include "shell/explore/explore_model.h"
#include "shell/terminal/signals.h"

#include <errno.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { ESCAPE_WAIT_MS = 30, KEY_BYTES_MOST = 16 };

/* ---- what bytes mean ---- */

/* The key that a sequence means by its last letter, or by its number, which ~ ends. */
static int key_of_sign(char sign) {
    static const struct {
        char sign;
        int key;
    } keys[] = {{'A', EXPLORE_UP},   {'B', EXPLORE_DOWN},    {'C', EXPLORE_RIGHT},
                {'D', EXPLORE_LEFT}, {'H', EXPLORE_HOME},    {'F', EXPLORE_END},
                {'1', EXPLORE_HOME}, {'7', EXPLORE_HOME},    {'4', EXPLORE_END},
                {'8', EXPLORE_END},  {'5', EXPLORE_PAGE_UP}, {'6', EXPLORE_PAGE_DOWN}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].sign == sign) return keys[i].key;
    return 0;
}

size_t explore_key_read(const char *bytes, size_t length, bool last, int *key) {
    *key = 0;
    if (length == 0) return 0;
    if (bytes[0] != EXPLORE_ESCAPE) {
        unsigned char first = (unsigned char)bytes[0];
        size_t needed = first < 0xC0 || first >= 0xF8 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        uint32_t c;
        if (length < needed && !last) return 0;
        size_t taken = utf8_next(bytes, length, &c);
        /* Letters and signs typed with a Chinese input method count as their ASCII twins. */
        char twin = c < 0x80 ? 0 : utf8_ascii_twin(c);
        *key = twin ? twin : (int)c;
        return taken;
    }
    if (length == 1 && !last) return 0;
    if (length == 1 || (bytes[1] != '[' && bytes[1] != 'O')) {
        *key = EXPLORE_ESCAPE;
        return 1;
    }
    /* ESC [ or ESC O, numbers, a letter or ~. */
    size_t at = 2;
    while (at < length && (unsigned char)bytes[at] >= 0x20 && (unsigned char)bytes[at] < 0x40) at++;
    if (at == length) return last || length >= KEY_BYTES_MOST ? length : 0;
    bool one = at == 3 || (at > 3 && bytes[3] == ';');
    if (bytes[at] != '~') *key = key_of_sign(bytes[at]);
    else if (one) *key = key_of_sign(bytes[2]);
    return at + 1;
}

/* ---- signals and waiting ---- */

bool explore_input_open(Error *err) {
    static const int heard[] = {SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGTSTP, SIGCONT, SIGWINCH};
    enum { INTERRUPTING = 4 }; /* the first four end what is being computed, too */
    return signals_begin(heard, sizeof heard / sizeof *heard, INTERRUPTING) ||
           error_set(err, ERR_LIMIT, "explore cannot hear signals: %s", strerror(errno));
}

/* Reads one byte and no more: what follows may be for the prompt. 0: there is none; -1: there never
 * will be. */
static int read_byte(char *byte, int milliseconds) {
    if (input_peek() >= 0) { /* typed ahead at the prompt */
        *byte = (char)input_read();
        return 1;
    }
    if (!signals_wait_for_key(milliseconds)) return 0;
    ssize_t got = read(STDIN_FILENO, byte, 1);
    if (got > 0) return 1;
    return got < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

InputEvent explore_input_wait(int *key) {
    char bytes[KEY_BYTES_MOST];
    size_t length = 0;
    for (;;) {
        int number = signals_take();
        switch (number) {
        case 0: break;
        case SIGINT:
            tcflush(STDIN_FILENO, TCIFLUSH); /* the prompt must not get the rest of a key */
            return INPUT_INTERRUPT;
        case SIGTSTP: return INPUT_STOP;
        case SIGCONT: return INPUT_CONTINUE;
        case SIGWINCH: return INPUT_RESIZE;
        default: raise(number); return INPUT_END; /* left to who had it before */
        }
        int got = read_byte(bytes + length, length ? ESCAPE_WAIT_MS : -1);
        if (got < 0) return INPUT_END;
        length += (size_t)got;
        if (length && explore_key_read(bytes, length, got == 0, key)) return INPUT_KEY;
    }
}

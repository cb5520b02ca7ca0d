#include "shell/terminal/terminal_query.h"

#include "base/interrupt.h"
#include "shell/terminal/display.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal_mode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 200, WAIT_FAR_MS = 1000, LOOK_MS = 20, READ_MOST = 1024 };

/* There is one terminal, and it does not change. */
static struct {
    bool asked, kitty, sixel;
    char keys[READ_MOST]; /* typed meanwhile */
    size_t key_count;
} answers;

/* ---- its answers ---- */

typedef struct Reply {
    char bytes[READ_MOST +
               1]; /* what was read and is not understood: keys, or the beginning of an answer */
    size_t length;
    bool ended;
} Reply;

static void cut(Reply *reply, size_t at, size_t length) {
    memmove(reply->bytes + at, reply->bytes + at + length, reply->length - at - length + 1);
    reply->length -= length;
}

/* ESC _ G i=31;OK ESC \ */
static void take_kitty(Reply *reply) {
    const char *begin = strstr(reply->bytes, "\033_G"),
               *end = begin ? strstr(begin, "\033\\") : NULL;
    if (!end) return;
    const char *good = strstr(begin, ";OK");
    answers.kitty = answers.kitty || (good && good < end);
    cut(reply, (size_t)(begin - reply->bytes), (size_t)(end + 2 - begin));
}

/* ESC [ ? 62 ; 4 c: one of the numbers after the first is a 4 where it knows sixel. Any terminal
 * answers this, and after the question before it: it ends the wait. */
static void take_attributes(Reply *reply) {
    const char *begin = strstr(reply->bytes, "\033[?");
    size_t inside = begin ? strspn(begin + 3, "0123456789;") : 0;
    if (!begin || begin[3 + inside] != 'c') return;
    for (const char *at = begin + 3; at < begin + 3 + inside; at++)
        if (*at == ';' && strtol(at + 1, NULL, 10) == 4) answers.sixel = true;
    reply->ended = true;
    cut(reply, (size_t)(begin - reply->bytes), inside + 4);
}

/* A zero byte (Ctrl-@) is no key that anyone misses. */
static void take(Reply *reply, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && reply->length < READ_MOST; i++)
        if (bytes[i]) reply->bytes[reply->length++] = bytes[i];
    reply->bytes[reply->length] = '\0';
    take_kitty(reply);
    take_attributes(reply);
}

/* ---- asking ---- */

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* An answer that comes later would be taken for keys: a far terminal gets more time. */
static int patience(void) {
    const char *far = getenv("SSH_CONNECTION");
    return far && *far ? WAIT_FAR_MS : WAIT_MS;
}

static void listen_to(Reply *reply) {
    double end = now_ms() + patience();
    while (!reply->ended && !interrupt_flag && reply->length < READ_MOST && now_ms() < end) {
        char bytes[256];
        if (!signals_wait_for_key(LOOK_MS)) continue;
        ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return;
        if (got > 0) take(reply, bytes, (size_t)got);
    }
}

/* A question of kitty's that shows nothing (a=q), then the one that all answer. What a simple
 * terminal shows of them is wiped away. */
static void ask(Reply *reply) {
    static const char question[] =
        "\0337\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c\0338\033[K";
    struct termios before, raw;
    fflush(stdout);
    if (tcgetattr(STDIN_FILENO, &before) != 0) return;
    raw = before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO); /* Ctrl-C stays a signal */
    raw.c_cc[VMIN] = raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) return;
    terminal_say(question, sizeof question - 1);
    listen_to(reply);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static bool ask_once(Error *err) {
    if (answers.asked) return true;
    Reply reply = {.length = 0};
    ask(&reply);
    memcpy(answers.keys, reply.bytes, reply.length);
    answers.key_count = reply.length;
    if (interrupted(err)) return false;
    return answers.asked = true;
}

size_t terminal_typed_ahead(char *keys, size_t most) {
    size_t count = answers.key_count < most ? answers.key_count : most;
    memcpy(keys, answers.keys, count);
    answers.key_count -= count;
    memmove(answers.keys, answers.keys + count, answers.key_count);
    return count;
}

/* ---- the host's question ---- */

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

/* They keep images to themselves, and what the environment says of the terminal may be of another
 * one. */
static const char *multiplexer(void) {
    const char *term = getenv("TERM");
    if (is_set("TMUX") || (term && strncmp(term, "tmux", 4) == 0)) return "tmux";
    if (is_set("STY") || (term && strncmp(term, "screen", 6) == 0)) return "screen";
    return NULL;
}

static bool shows_inline(HostImage image, Error *err) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(err, ERR_PLOT, "there is no terminal that could show an image");
    if (multiplexer()) {
        error_set(err, ERR_PLOT, "this is inside %s, where images do not reach the terminal",
                  multiplexer());
        return error_hint(err, "start attn in a terminal without it, or keep to text");
    }
    if (!ask_once(err)) return false;
    if (image == IMAGE_KITTY ? answers.kitty : answers.sixel) return true;
    error_set(err, ERR_PLOT, "this terminal does not say that it can show %s images",
              image == IMAGE_KITTY ? "kitty" : "sixel");
    if (answers.kitty || answers.sixel)
        return error_hint(err, "it says that it can show the other kind: set terminal %s",
                          answers.kitty ? "kitty" : "sixel");
    return error_hint(
        err, "kitty, WezTerm and Ghostty show kitty's, foot, mlterm and xterm -ti vt340 sixel");
}

bool terminal_can_show(Host *host, HostImage image, Error *err) {
    (void)host;
    return image == IMAGE_WINDOW ? display_answers(err) : shows_inline(image, err);
}

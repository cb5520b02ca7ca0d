#include "shell/terminal/terminal_query.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/size.h"
#include "io/file.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal_mode.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

/* abstract: the path is a name in Linux's own space, after a zero byte. */
static bool socket_answers(const char *path, bool abstract) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    size_t length = strlen(path), size = sizeof address;
    if (length + 2 > sizeof address.sun_path) return false;
    memcpy(address.sun_path + abstract, path, length);
    if (abstract) size = offsetof(struct sockaddr_un, sun_path) + 1 + length;

    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return false;
    bool ok = connect(fd, (const struct sockaddr *)&address, (socklen_t)size) == 0;
    close(fd);
    return ok;
}

/* DISPLAY is ":0", "unix:0.0", or a path (macOS). A display on another machine ("host:10") counts
 * as there: the program that opens the window will find out. */
static bool x_answers(const char *display) {
    char path[64];
    const char *colon = strrchr(display, ':');
    if (*display == '/') return socket_answers(display, false);
    if (!colon) return false;
    if (colon != display && strncmp(display, "unix:", 5) != 0) return true;
    snprintf(path, sizeof path, "/tmp/.X11-unix/X%d", atoi(colon + 1));
    return socket_answers(path, false) || socket_answers(path, true);
}

static bool wayland_answers(const char *name) {
    char path[256];
    const char *folder = environment("XDG_RUNTIME_DIR");
    if (*name == '/') return socket_answers(name, false);
    if (!*folder) return false;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return socket_answers(path, false);
}

/* True if the server that DISPLAY or WAYLAND_DISPLAY names answers: a program that opens windows
 * may wait long for one that does not. ERR_PLOT says what is lacking. */
static bool display_answers(Error *err) {
    const char *x = environment("DISPLAY"), *wayland = environment("WAYLAND_DISPLAY");
    if ((*x && x_answers(x)) || (*wayland && wayland_answers(wayland))) return true;
    if (*x || *wayland)
        return error_set(err, ERR_PLOT, "the display %s cannot be opened", *x ? x : wayland);
    return error_set(
        err, ERR_PLOT,
        "there is no display for a window: neither DISPLAY nor WAYLAND_DISPLAY is set");
}

enum { READ_MOST = 1024 };

/* There is one terminal, and it does not change. */
static struct {
    bool asked, kitty, sixel;
    char keys[READ_MOST]; /* typed while it was being asked */
    size_t key_count;
} answers;

/* The bytes that were read and are not understood yet: keys, or the beginning of an answer. */
typedef struct Reply {
    char bytes[READ_MOST + 1];
    size_t length;
    bool ended;
} Reply;

static void reply_cut(Reply *reply, const char *from, size_t length) {
    size_t at = (size_t)(from - reply->bytes);
    memmove(reply->bytes + at, reply->bytes + at + length, reply->length - at - length + 1);
    reply->length -= length;
}

/* Adds what was read and takes the answers out of it. A zero byte (Ctrl-@) is dropped: it is no key
 * that anyone misses. */
static void reply_add(Reply *reply, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && reply->length < READ_MOST; i++)
        if (bytes[i]) reply->bytes[reply->length++] = bytes[i];
    reply->bytes[reply->length] = '\0';

    /* kitty: ESC _ G i=31;OK ESC \ */
    const char *begin = strstr(reply->bytes, "\033_G"),
               *end = begin ? strstr(begin, "\033\\") : NULL;
    if (end) {
        const char *good = strstr(begin, ";OK");
        if (good && good < end) answers.kitty = true;
        reply_cut(reply, begin, (size_t)(end + 2 - begin));
    }

    /* The terminal's attributes, ESC [ ? 62 ; 4 c: one of the numbers after the first is a 4 where
     * it knows sixel. Every terminal answers this, after the question before it. */
    begin = strstr(reply->bytes, "\033[?");
    size_t inside = begin ? strspn(begin + 3, "0123456789;") : 0;
    if (begin && begin[3 + inside] == 'c') {
        for (const char *at = begin + 3; at < begin + 3 + inside; at++)
            if (*at == ';' && strtol(at + 1, NULL, 10) == 4) answers.sixel = true;
        reply->ended = true;
        reply_cut(reply, begin, inside + 4);
    }
}

/* An answer that comes after the wait would be taken for keys, so a far terminal gets more time. */
static void read_reply(Reply *reply) {
    double end = clock_seconds() + (*environment("SSH_CONNECTION") ? 1.0 : 0.2);
    while (!reply->ended && !interrupt_flag && reply->length < READ_MOST && clock_seconds() < end) {
        char bytes[256];
        if (!signals_wait_for_key(20)) continue;
        ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return;
        if (got > 0) reply_add(reply, bytes, (size_t)got);
    }
}

/* Asks kitty's question, which shows nothing (a=q), then the one that all terminals answer, and
 * erases what a simple terminal shows of them. ERR_INTERRUPT; it will then be asked again. */
static bool ask_once(Error *err) {
    static const char question[] =
        "\0337\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c\0338\033[K";
    struct termios before, raw;
    Reply reply = {.length = 0};
    if (answers.asked) return true;
    fflush(stdout);
    if (tcgetattr(STDIN_FILENO, &before) == 0) {
        raw = before;
        raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO); /* Ctrl-C stays a signal */
        raw.c_cc[VMIN] = raw.c_cc[VTIME] = 0;
        if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0) {
            terminal_say(question, sizeof question - 1);
            read_reply(&reply);
            tcsetattr(STDIN_FILENO, TCSANOW, &before);
        }
    }
    memcpy(answers.keys, reply.bytes, reply.length);
    answers.key_count = reply.length;
    if (interrupted(err)) return false;
    answers.asked = true;
    return true;
}

size_t terminal_typed_ahead(char *keys, size_t most) {
    size_t count = smaller(answers.key_count, most);
    memcpy(keys, answers.keys, count);
    answers.key_count -= count;
    memmove(answers.keys, answers.keys + count, answers.key_count);
    return count;
}

/* Multiplexers keep images to themselves, and what the environment says of the terminal may be
 * about another one. */
static const char *multiplexer(void) {
    const char *term = environment("TERM");
    if (*environment("TMUX") || strncmp(term, "tmux", 4) == 0) return "tmux";
    if (*environment("STY") || strncmp(term, "screen", 6) == 0) return "screen";
    return NULL;
}

bool terminal_can_show(Host *host, HostImage image, Error *err) {
    (void)host;
    if (image == IMAGE_WINDOW) return display_answers(err);
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

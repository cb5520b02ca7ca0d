#include "shell/terminal/terminal.h"

#include "base/text.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/host.h"
#include "base/interrupt.h"
#include "base/size.h"
#include "base/utf8.h"
#include "io/file.h"
#include "shell/terminal/ascii.h"
#include "shell/terminal/terminal_query.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double SECONDS_UNSEEN = 0.5, SECONDS_BETWEEN = 0.1;

/* Host.progress at a prompt: the line on stderr, once the work has taken half a second, ten times a
 * second at most. */
static void terminal_show_progress(Host *host, const char *line, double done) {
    static double began, last; /* 0: no work is going on; nothing is shown */
    double now = clock_seconds();
    if (done >= 1) {
        if (last > 0) fputs("\r\x1b[K", stderr);
        began = last = 0;
    } else if (began == 0) {
        began = now;
    } else if (now - began >= SECONDS_UNSEEN && now - last >= SECONDS_BETWEEN) {
        if (last == 0) terminal_flush(NULL);
        fprintf(stderr, "\r\x1b[K%s", line);
        last = now;
        terminal_measure(host); /* the next line fits the window as it is then */
    }
    fflush(stderr);
}

/* ---- what the environment says ---- */

bool terminal_reads_utf8(int descriptor) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    static const char *const spellings[] = {"UTF-8", "utf8", "UTF8", "utf-8"};
    const char *locale = "";
    if (!isatty(descriptor)) return true;
    for (size_t i = 0; i < 3 && !*locale; i++) locale = environment(variables[i]);
    for (size_t i = 0; i < 4; i++)
        if (strstr(locale, spellings[i])) return true;
    return false;
}

static bool locale_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

bool terminal_choose_locale(void) {
    static const char *const names[] = {"", "C.UTF-8", "en_US.UTF-8", "UTF-8"};
    for (size_t i = 0; !locale_is_utf8() && i < sizeof names / sizeof *names; i++)
        setlocale(LC_CTYPE, names[i]);
    return locale_is_utf8();
}

bool terminal_moves_cursor(void) {
    const char *term = environment("TERM");
    return *term && strcmp(term, "dumb") != 0;
}

/* choice: "auto", "always" or "never". */
static ColorDepth color_depth(const char *choice) {
    const char *term = environment("TERM"), *color = environment("COLORTERM");
    bool always = strcmp(choice, "always") == 0;
    bool wanted = always || (isatty(STDOUT_FILENO) && !*environment("NO_COLOR"));
    if (strcmp(choice, "never") == 0 || !wanted) return COLOR_NONE;
    if (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0) return COLOR_TRUE;
    if (always || strstr(term, "256color")) return COLOR_256;
    return terminal_moves_cursor() ? COLOR_16 : COLOR_NONE;
}

/* ---- writing ---- */

/* The state of the standard streams, which the whole process shares. */
static struct {
    size_t texts;
    bool line_is_open;
} shown;

size_t terminal_shown(void) { return shown.texts; }

void terminal_close_line(void) {
    if (shown.line_is_open) fputc('\n', stdout);
    shown.line_is_open = false;
}

/* Sets the error of a write that failed with errno; returns false. What Ctrl-C cut off is lost, and
 * no fault of the output. */
static bool write_failed(Error *err) {
    if (errno == EINTR && interrupt_flag) {
        clearerr(stdout);
        return !interrupted(err);
    }
    if (errno == EPIPE)
        return error_set(err, ERR_FILE, "the output was closed before all was written");
    return error_set(err, ERR_FILE, "the output cannot be written: %s", strerror(errno));
}

static bool write_out(Host *host, const char *text, size_t length, Error *err) {
    if (length > 0) {
        shown.texts++;
        shown.line_is_open = text[length - 1] != '\n';
    }
    if (host->utf8) return fwrite(text, 1, length, stdout) == length || write_failed(err);
    LocalText ascii = TEXT_EMPTY;
    ascii_write_lines(&ascii, text, length, (size_t)host->columns);
    bool ok = fwrite(ascii.data, 1, ascii.length, stdout) == ascii.length && !ascii.failed;
    if (ascii.failed) errno = ENOMEM;
    return ok || write_failed(err);
}

bool terminal_flush(Error *err) {
    return (fflush(stdout) == 0 && !ferror(stdout)) || write_failed(err);
}

static bool flush_out(Host *host, Error *err) {
    (void)host;
    return terminal_flush(err);
}

void terminal_write_remark(const Text *paragraph, int columns) {
    enum { NARROWEST = 20 };
    bool utf8 = terminal_reads_utf8(STDERR_FILENO);
    size_t width = columns > NARROWEST ? (size_t)columns : NARROWEST;
    LocalText plain = TEXT_EMPTY, lines = TEXT_EMPTY;
    if (!utf8) ascii_write(&plain, paragraph->data, paragraph->length, false);
    utf8_wrap(&lines, utf8 ? paragraph->data : plain.data, columns ? width : SIZE_MAX);
    terminal_flush(NULL);
    fwrite(lines.data, 1, lines.length, stderr);
}

static void write_note(Host *host, const char *text) {
    LocalText note = TEXT_EMPTY;
    text_bytes(&note, text, strcspn(text, "\n"));
    shown.texts++;
    terminal_write_remark(&note, host->interactive ? host->columns : 0);
}

/* ---- the host ---- */

void terminal_measure(Host *host) {
    struct winsize size;
    host->columns = 80;
    host->rows = 24;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        host->columns = size.ws_col;
        if (size.ws_row > 0) host->rows = size.ws_row;
        host->cell_width = size.ws_xpixel / size.ws_col;
        host->cell_height = size.ws_row > 0 ? size.ws_ypixel / size.ws_row : 0;
    } else if (atoi(environment("COLUMNS")) > 0) {
        host->columns = atoi(environment("COLUMNS"));
    }
}

void terminal_init(Host *host, const char *color) {
    *host = (Host){.write = write_out,
                   .flush = flush_out,
                   .note = write_note,
                   .can_show = terminal_can_show,
                   .picture = terminal_show_picture};
    host->terminal = isatty(STDOUT_FILENO);
    host->interactive = isatty(STDIN_FILENO) && host->terminal;
    if (host->interactive && terminal_moves_cursor()) host->progress = terminal_show_progress;
    host->color = color_depth(color);
    host->utf8 = terminal_reads_utf8(STDOUT_FILENO);
    terminal_measure(host);
}

/* a=T: transmit and show; f=100: a PNG; q=2: no answer, which would arrive as typed keys; m=1: more
 * follows. */
void kitty_write(Text *out, const char *png, size_t length, int columns) {
    enum { CHUNK = 4096 / 4 * 3 }; /* bytes: 4096 characters are the most that an escape may hold */
    for (size_t at = 0; at < length; at += CHUNK) {
        size_t part = smaller(length - at, CHUNK);
        text_string(out, "\033_G");
        if (at == 0) text_string(out, "a=T,f=100,q=2,");
        if (at == 0 && columns > 0) text_format(out, "c=%d,", columns);
        text_format(out, "m=%d;", at + part < length);
        base64_write(out, png + at, part);
        text_string(out, "\033\\");
    }
}

static int big_endian(const char *bytes) {
    unsigned number = 0;
    for (int i = 0; i < 4; i++) number = number << 8 | (unsigned char)bytes[i];
    return number < 1 << 24 ? (int)number : 0;
}

bool png_size(const char *bytes, size_t length, int *width, int *height) {
    static const char beginning[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    if (length < 24 || memcmp(bytes, beginning, 16) != 0) return false;
    *width = big_endian(bytes + 16);
    *height = big_endian(bytes + 20);
    return *width > 0 && *height > 0;
}

bool terminal_show_picture(Host *host, const char *format, const char *bytes, size_t length,
                           const char *words, Error *err) {
    LocalText text = TEXT_EMPTY;
    int width, height;
    (void)words; /* the screen shows the picture itself */
    if (strcmp(format, "sixel") == 0) {
        text_bytes(&text, bytes, length);
    } else {
        if (!png_size(bytes, length, &width, &height))
            return error_set(err, ERR_PLOT, "the picture is no PNG");
        /* Where the size of a cell is a guess, the terminal scales the image to the columns that we
         * counted on. */
        int columns = (width + CELL_WIDTH_USUAL - 1) / CELL_WIDTH_USUAL;
        if (columns > host->columns) columns = host->columns;
        kitty_write(&text, bytes, length, host->cell_width > 0 ? 0 : columns);
    }
    text_char(&text, '\n');
    return text_ok(&text, err) && host_write(host, text.data, text.length, err);
}

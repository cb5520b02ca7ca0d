#include "shell/terminal/pager.h"

#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "shell/terminal/pager_process.h"
#include "shell/terminal/terminal.h"

#include <stdlib.h>

/* ---- how much room a text takes ---- */

/* Bytes of the escape sequence that begins here: ESC [ ... letter, ESC ] ... BEL, or ESC and one
 * more behind what may stand between. */
static size_t escape_length(const char *text, size_t length) {
    size_t at = 2;
    if (length < 2) return length;
    if (text[1] == '[') {
        while (at < length && !(text[at] >= 0x40 && text[at] <= 0x7E)) at++;
    } else if (text[1] == ']') {
        while (at < length && text[at] != '\a' && text[at] != '\033') at++;
        if (at + 1 < length && text[at] == '\033') at++; /* ESC \ ends it too */
    } else {
        for (at = 1; at < length && text[at] >= 0x20 && text[at] <= 0x2F;) at++;
    }
    return at < length ? at + 1 : length;
}

typedef struct Measure {
    size_t rows, column, columns;
} Measure;

static void measure_character(Measure *at, const char *text, size_t length) {
    size_t width = *text == '\t' ? 8 - at->column % 8 : utf8_width(text, length);
    if (at->column + width > at->columns && at->column > 0) at->rows++, at->column = 0;
    at->column += width;
}

size_t pager_rows(const char *text, size_t length, size_t columns) {
    Measure at = {0, 0, columns > 0 ? columns : 1};
    bool open = false; /* a line that no line break has ended */
    for (size_t i = 0; i < length;) {
        uint32_t code_point;
        size_t taken = text[i] == '\033' ? escape_length(text + i, length - i)
                                         : utf8_next(text + i, length - i, &code_point);
        if (text[i] == '\n') at.rows++, at.column = 0;
        else if (text[i] != '\033') measure_character(&at, text + i, taken);
        open = text[i] != '\n';
        i += taken;
    }
    return at.rows + open;
}

/* ---- showing ---- */

static const char *pager_command(void) {
    const char *own = getenv("ATTN_PAGER"), *usual = getenv("PAGER");
    return own ? own : usual ? usual : "less";
}

static bool fits(Host *host, const char *text, size_t length) {
    terminal_measure(host);
    return pager_rows(text, length, (size_t)host->columns) + 2 <= (size_t)host->rows;
}

static bool show(Host *host, const char *text, size_t length, Error *err) {
    const char *command = pager_command();
    if (!*command || fits(host, text, length)) return host_write(host, text, length, err);
    if (!terminal_flush(err)) return false;
    return pager_process_run(command, text, length, host->utf8) ||
           host_write(host, text, length, err);
}

bool pager_show(Host *host, const char *text, size_t length, Error *err) {
    if (!host->interactive || !terminal_moves_cursor()) return host_write(host, text, length, err);
    if (host->utf8) return show(host, text, length, err);
    Text ascii;
    text_init(&ascii);
    ascii_write_lines(&ascii, text, length, (size_t)host->columns);
    bool ok = text_ok(&ascii, err) && show(host, ascii.data, ascii.length, err);
    text_release(&ascii);
    return ok;
}

#include "shell/terminal.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* ---- writing ---- */

static bool write_failed(Error *err) {
    if (errno == EPIPE) return error_set(err, ERR_FILE, "the output was closed before all was written");
    return error_set(err, ERR_FILE, "the output cannot be written: %s", strerror(errno));
}

static bool write_out(Host *host, const char *text, size_t length, Error *err) {
    (void)host;
    return fwrite(text, 1, length, stdout) == length || write_failed(err);
}

bool terminal_flush(Error *err) {
    return (fflush(stdout) == 0 && !ferror(stdout)) || write_failed(err);
}

static void write_note(Host *host, const char *text) {
    (void)host;
    fflush(stdout);
    fputs(text, stderr);
}

/* Waits for a line on stdin, or for the time to pass. */
static bool wait_enter(Host *host, const char *prompt, double seconds, Error *err) {
    if (!host_write(host, prompt, strlen(prompt), err) || !terminal_flush(err)) return false;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, seconds < 0 ? -1 : (int)(seconds * 1000)) > 0) {
        char line[256];
        while (fgets(line, sizeof line, stdin) && !strchr(line, '\n')) continue;
    }
    return true;
}

/* ---- what it can show ---- */

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static bool contains_utf8(const char *locale) {
    return strstr(locale, "UTF-8") || strstr(locale, "utf8") || strstr(locale, "UTF8") || strstr(locale, "utf-8");
}

/* Into a file or a pipe everything is UTF-8; a terminal says by its locale what it reads. */
static bool reads_utf8(void) {
    if (!isatty(STDOUT_FILENO)) return true;
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++)
        if (*environment(names[i])) return contains_utf8(environment(names[i]));
    return false;
}

static ColorDepth terminal_depth(void) {
    const char *term = environment("TERM"), *color = environment("COLORTERM");
    if (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0) return COLOR_TRUE;
    if (strstr(term, "256color")) return COLOR_256;
    if (!*term || strcmp(term, "dumb") == 0) return COLOR_NONE;
    return COLOR_16;
}

static ColorDepth color_depth(const char *choice) {
    if (strcmp(choice, "never") == 0) return COLOR_NONE;
    if (strcmp(choice, "always") == 0) return terminal_depth() > COLOR_256 ? COLOR_TRUE : COLOR_256;
    return isatty(STDOUT_FILENO) && !*environment("NO_COLOR") ? terminal_depth() : COLOR_NONE;
}

void terminal_measure(Host *host) {
    struct winsize size;
    host->columns = 80;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) host->columns = size.ws_col;
    else if (atoi(environment("COLUMNS")) > 0) host->columns = atoi(environment("COLUMNS"));
}

void terminal_init(Host *host, const char *color) {
    *host = (Host){.write = write_out, .note = write_note, .wait = wait_enter};
    host->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (!host->interactive) host->wait = NULL;
    host->color = color_depth(color);
    host->utf8 = reads_utf8();
    terminal_measure(host);
}

/* ---- errors ---- */

static void write_caret(Text *text, int indent, const Error *error) {
    text_repeat(text, ' ', (size_t)(indent + error->caret));
    text_repeat(text, '^', (size_t)(error->caret_width > 0 ? error->caret_width : 1));
    text_char(text, '\n');
}

static void write_place(Text *text, const Error *error, int prompt_width) {
    if (error->line == 0) return;
    bool typed = !*error->file;
    if (typed && prompt_width >= 0) {
        write_caret(text, prompt_width, error);
        return;
    }
    if (!typed) text_format(text, "%s:%d:%d:\n", error->file, error->line, error->column);
    text_format(text, "    %s\n", error->excerpt);
    write_caret(text, 4, error);
}

/* A remedy is a sentence of its own: its first word gets a capital unless it is a name. */
static void write_hint(Text *text, const char *hint, bool (*is_name)(const void *context, const char *word), const void *context) {
    char word[32] = "";
    size_t length = 0;
    while (length < sizeof word - 1 && islower((unsigned char)hint[length])) word[length] = hint[length], length++;
    word[length] = '\0';
    bool sentence = length > 0 && (hint[length] == ' ' || hint[length] == ':' || hint[length] == ',') && hint[length + 1] != '=' &&
                    length > 1 && !is_name(context, word);
    text_string(text, ". ");
    text_char(text, sentence ? (char)toupper((unsigned char)*hint) : *hint);
    text_string(text, hint + 1);
    size_t end = strlen(hint);
    if (isalnum((unsigned char)hint[end - 1]) && sentence) text_char(text, '.');
}

void terminal_report(const Error *error, int prompt_width, bool (*is_name)(const void *context, const char *word), const void *context) {
    Text text;
    fflush(stdout);
    text_init(&text);
    write_place(&text, error, prompt_width);
    text_format(&text, "%s: %s", error_kind_word(error->kind), error->message);
    if (*error->hint) write_hint(&text, error->hint, is_name, context);
    text_char(&text, '\n');
    if (text.failed) fprintf(stderr, "%s: %s\n", error_kind_word(error->kind), error->message);
    else fwrite(text.data, 1, text.length, stderr);
    text_release(&text);
}

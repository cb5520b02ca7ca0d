#include "view/gnuplot/gnuplot.h"

#include "base/interrupt.h"
#include "base/utf8.h"
#include "view/gnuplot/gnuplot_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Child {
    GnuplotProcess process;
    unsigned scripts; /* so far: makes each token a new one */
} Child;

/* Starting gnuplot takes longer than most pictures, so it stays from one to the next; and a
 * window is there as long as the child that opened it. */
static Child warm, window;

/* Those whose windows are painted and closed while gnuplot waits for its input. wxt's are not: from
 * a pipe it looks after them only while it draws. */
static const char *const window_terminals[] = {"qt", "x11"};
enum { WINDOW_TERMINALS = sizeof window_terminals / sizeof *window_terminals };
static const char *window_terminal; /* once known */

const char *gnuplot_program(void) {
    const char *program = getenv("ATTN_GNUPLOT");
    return program && *program ? program : "gnuplot";
}

static bool is_in(const char *folder, size_t length, const char *program) {
    char path[4096];
    int written =
        snprintf(path, sizeof path, "%.*s%s%s", (int)length, folder, length ? "/" : "", program);
    return written > 0 && (size_t)written < sizeof path && access(path, X_OK) == 0;
}

bool gnuplot_is_installed(void) {
    const char *program = gnuplot_program(), *folder = getenv("PATH");
    if (strchr(program, '/')) return is_in("", 0, program);
    for (; folder; folder = strchr(folder, ':'), folder += folder != NULL)
        if (is_in(folder, strcspn(folder, ":"), program)) return true;
    return false;
}

void gnuplot_quit(void) {
    gnuplot_process_quit(&warm.process);
    gnuplot_process_quit(&window.process);
}

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
}

/* Digits are escaped as well: \1 before a 2 would be read as \12. */
void gnuplot_quote(Text *out, const char *text, bool tic) {
    text_char(out, '"');
    for (const char *p = text; *p; p++) {
        for (int times = tic && *p == '%' ? 2 : 1; times > 0; times--) {
            if (is_plain(*p)) text_char(out, *p);
            else text_format(out, "\\%03o", (unsigned)(unsigned char)*p);
        }
    }
    text_char(out, '"');
}

/* What follows a script: the number of its error between tokens, and the words. A script that ends
 * within a line or a comment does not swallow it. */
static void write_question(Text *out, const char *token) {
    text_format(out,
                "\nset output\nset print \"-\"\nprint \"%s \", GPVAL_ERRNO\nprint "
                "GPVAL_ERRMSG\nprint \"%s end\"\nset print\nreset errors\n",
                token, token);
}

enum { TERMINALS_SECONDS = 5 };

/* ---- errors ---- */

static const char *last_line(const Text *text, size_t *length) {
    size_t end = text->length;
    while (end > 0 && (text->data[end - 1] == '\n' || text->data[end - 1] == ' ')) end--;
    size_t start = end;
    while (start > 0 && text->data[start - 1] != '\n') start--;
    *length = end - start;
    return text->data + start;
}

static bool died(const Text *errors, Error *err) {
    size_t length;
    const char *words = last_line(errors, &length);
    if (length > 200) length = utf8_offset(words, 200, 190);
    if (length == 0) error_set(err, ERR_PLOT, "gnuplot ended before the picture was drawn");
    else
        error_set(err, ERR_PLOT, "gnuplot ended before the picture was drawn: %.*s", (int)length,
                  words);
    return error_hint(
        err, "the next picture starts it anew; files that end in .txt, .csv or .gp need none");
}

static bool late(double seconds, Error *err) {
    error_set(err, ERR_PLOT, "gnuplot did not answer within %g seconds and was ended", seconds);
    return error_hint(
        err, "the next picture starts it anew; files that end in .txt, .csv or .gp need none");
}

/* "TOKEN 0\n\nTOKEN end": an error other than 0 comes with its words between. */
static bool read_answer(const Text *output, const char *token, Error *err) {
    const char *at = strstr(output->data, token) + strlen(token);
    int number = atoi(at);
    if (number == 0) return true;
    const char *words = strchr(at, '\n');
    const char *end = words ? strstr(words, token) : NULL;
    if (!end) return error_set(err, ERR_PLOT, "gnuplot reports error %d", number);
    while (words < end && (*words == '\n' || *words == ' ')) words++;
    while (end > words && (end[-1] == '\n' || end[-1] == ' ')) end--;
    return error_set(err, ERR_PLOT, "gnuplot says: %.*s", (int)(end - words), words);
}

/* A child that has not answered is in an unknown state: it does not see a second script. */
static bool judge(Child *child, Exchange result, const char *token, double seconds,
                  const Text *output, const Text *errors, Error *err) {
    if (result == EXCHANGE_DONE) return read_answer(output, token, err);
    gnuplot_process_kill(&child->process);
    switch (result) {
    case EXCHANGE_INTERRUPTED: return !interrupted(err);
    case EXCHANGE_LATE: return late(seconds, err);
    case EXCHANGE_BROKEN: return text_ok(output, err) && text_ok(errors, err);
    default: return died(errors, err);
    }
}

/* output: what the script printed is in it, too. */
static bool ask(Child *child, const char *script, size_t length, double seconds, Text *output,
                Error *err) {
    char token[40], ending[48];
    Text whole, errors;
    text_init(&whole);
    text_init(&errors);
    snprintf(token, sizeof token, "attn-answer-%u", ++child->scripts);
    snprintf(ending, sizeof ending, "%s end", token);
    text_bytes(&whole, script, length);
    write_question(&whole, token);
    bool ok = text_ok(&whole, err);
    if (ok) {
        Exchange result = gnuplot_process_exchange(&child->process, whole.data, whole.length,
                                                   ending, seconds, output, &errors);
        ok = judge(child, result, token, seconds, output, &errors, err);
    }
    text_release(&whole);
    text_release(&errors);
    return ok;
}

static bool run(Child *child, const char *script, size_t length, double seconds, Text *output,
                Error *err) {
    if (interrupted(err)) return false;
    if (gnuplot_process_gone(&child->process) &&
        !gnuplot_process_start(&child->process, gnuplot_program(), err))
        return false;
    return ask(child, script, length, seconds, output, err);
}

static bool run_silent(Child *child, const char *script, size_t length, double seconds,
                       Error *err) {
    Text output;
    text_init(&output);
    bool ok = run(child, script, length, seconds, &output, err);
    text_release(&output);
    return ok;
}

bool gnuplot_run(const char *script, size_t length, double seconds, Error *err) {
    return run_silent(&warm, script, length, seconds, err);
}

/* ---- windows ---- */

bool gnuplot_run_window(const char *script, size_t length, double seconds, Error *err) {
    return run_silent(&window, script, length, seconds, err);
}

/* GPVAL_TERMINALS: names between spaces. */
static const char *terminal_in(const char *names) {
    for (size_t i = 0; i < WINDOW_TERMINALS; i++) {
        char word[16];
        snprintf(word, sizeof word, " %s ", window_terminals[i]);
        if (strstr(names, word)) return window_terminals[i];
    }
    return NULL;
}

const char *gnuplot_window_terminal(Error *err) {
    static const char question[] = "set print \"-\"\nprint GPVAL_TERMINALS, \" \"";
    if (window_terminal) return window_terminal;
    Text output;
    text_init(&output);
    bool ok = run(&window, question, sizeof question - 1, TERMINALS_SECONDS, &output, err);
    if (ok) window_terminal = terminal_in(output.data);
    text_release(&output);
    if (ok && !window_terminal) {
        error_set(err, ERR_PLOT,
                  "this gnuplot opens no windows: it has neither the terminal qt nor x11");
        error_hint(err, "install one that does (apt install gnuplot-qt, dnf install gnuplot-qt)");
    }
    return window_terminal;
}

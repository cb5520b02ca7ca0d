#include "view/gnuplot.h"

#include "base/interrupt.h"
#include "base/utf8.h"
#include "view/gnuplot_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The one child. Starting gnuplot takes longer than most pictures, so it stays
 * from one to the next. */
static struct {
    GnuplotProcess process;
    unsigned scripts; /* so far: makes each token a new one */
} warm;

const char *gnuplot_program(void) {
    const char *program = getenv("ATTN_GNUPLOT");
    return program && *program ? program : "gnuplot";
}

static bool is_in(const char *folder, size_t length, const char *program) {
    char path[4096];
    int written = snprintf(path, sizeof path, "%.*s%s%s", (int)length, folder, length ? "/" : "", program);
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

/* What follows a script: the number of its error between tokens, and the words. A script that ends within
 * a line or a comment does not swallow it. */
static void write_question(Text *out, const char *token) {
    text_format(out, "\nset output\nset print \"-\"\nprint \"%s \", GPVAL_ERRNO\nprint GPVAL_ERRMSG\nprint \"%s end\"\nset print\nreset errors\n", token, token);
}

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
    else error_set(err, ERR_PLOT, "gnuplot ended before the picture was drawn: %.*s", (int)length, words);
    return error_hint(err, "the next picture starts it anew; files that end in .txt, .csv or .gp need none");
}

static bool late(double seconds, Error *err) {
    error_set(err, ERR_PLOT, "gnuplot did not answer within %g seconds and was ended", seconds);
    return error_hint(err, "the next picture starts it anew; files that end in .txt, .csv or .gp need none");
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
static bool judge(Exchange result, const char *token, double seconds, const Text *output, const Text *errors, Error *err) {
    if (result == EXCHANGE_DONE) return read_answer(output, token, err);
    gnuplot_process_kill(&warm.process);
    switch (result) {
    case EXCHANGE_INTERRUPTED: return !interrupted(err);
    case EXCHANGE_LATE: return late(seconds, err);
    case EXCHANGE_BROKEN: return text_ok(output, err) && text_ok(errors, err);
    default: return died(errors, err);
    }
}

static bool ask(const char *script, size_t length, double seconds, Error *err) {
    char token[40], ending[48];
    Text whole, output, errors;
    text_init(&whole);
    text_init(&output);
    text_init(&errors);
    snprintf(token, sizeof token, "attn-answer-%u", ++warm.scripts);
    snprintf(ending, sizeof ending, "%s end", token);
    text_bytes(&whole, script, length);
    write_question(&whole, token);
    bool ok = text_ok(&whole, err);
    if (ok) {
        Exchange result = gnuplot_process_exchange(&warm.process, whole.data, whole.length, ending, seconds, &output, &errors);
        ok = judge(result, token, seconds, &output, &errors, err);
    }
    text_release(&whole);
    text_release(&output);
    text_release(&errors);
    return ok;
}

bool gnuplot_run(const char *script, size_t length, double seconds, Error *err) {
    if (interrupted(err)) return false;
    if (gnuplot_process_gone(&warm.process) && !gnuplot_process_start(&warm.process, gnuplot_program(), err)) return false;
    return ask(script, length, seconds, err);
}

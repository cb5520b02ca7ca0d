#include "view/files/gnuplot.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "view/files/picture_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 50, QUIT_MS = 500, TERMINALS_SECONDS = 5, COMPLAINT_MOST = 200 };

/* Starting gnuplot takes longer than most pictures, so each child stays from one picture to the
 * next. */
static struct Gnuplot {
    Child child;
    unsigned scripts; /* so far: makes each token a new one */
} gnuplots[2];        /* by GnuplotUse */

const char *gnuplot_program(void) {
    const char *program = getenv("ATTN_GNUPLOT");
    return program && *program ? program : "gnuplot";
}

bool gnuplot_is_installed(void) { return child_program_exists(gnuplot_program()); }

/* Digits are escaped as well: \1 before a 2 would be read as \12. */
void gnuplot_quote(Text *out, const char *text, bool tic) {
    text_char(out, '"');
    for (const char *p = text; *p; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == ' ';
        for (int times = tic && *p == '%' ? 2 : 1; times > 0; times--) {
            if (plain) text_char(out, *p);
            else text_format(out, "\\%03o", (unsigned)(unsigned char)*p);
        }
    }
    text_char(out, '"');
}

/* ---- errors ---- */

static bool start_failed(int code, Error *err) {
    const char *program = gnuplot_program();
    if (code == ENOENT && strcmp(program, "gnuplot") == 0)
        error_set(err, ERR_PLOT, "gnuplot is not installed");
    else if (code == ENOENT)
        error_set(err, ERR_PLOT, "gnuplot is not installed: there is no program %s", program);
    else error_set(err, ERR_PLOT, "gnuplot cannot be started: %s: %s", program, strerror(code));
    return error_hint(err, "%sfiles that end in %s need none",
                      code == ENOENT ? "install it (apt install gnuplot-nox, dnf install gnuplot, "
                                       "brew install gnuplot); "
                                     : "",
                      picture_formats_list(FORMATS_WRITTEN, "or").text);
}

static bool hint_next_picture(Error *err) {
    return error_hint(err, "the next picture starts it anew; files that end in %s need none",
                      picture_formats_list(FORMATS_WRITTEN, "or").text);
}

/* The last line of its complaints says why it ended. */
static bool ended_early(const Text *errors, Error *err) {
    size_t end = trimmed_length(errors->data, errors->length, "\n ");
    size_t start = end;
    while (start > 0 && errors->data[start - 1] != '\n') start--;
    const char *words = errors->data + start;
    size_t length = end - start;
    if (length > COMPLAINT_MOST) length = utf8_offset(words, COMPLAINT_MOST, COMPLAINT_MOST - 10);
    error_set(err, ERR_PLOT, "gnuplot ended before the picture was drawn%s%.*s", length ? ": " : "",
              (int)length, words);
    return hint_next_picture(err);
}

/* ---- scripts ---- */

/* Sends the script and waits until `ending` is in the output. A child that does not send it is in
 * an unknown state: it is ended, so that it does not see a second script. */
static bool exchange(Child *child, const Text *script, const char *ending, double seconds,
                     Text *output, Error *err) {
    ChildInput input = {script->data, script->length, 0};
    double end = clock_seconds() + seconds;
    bool answered = false;
    LocalText errors = TEXT_EMPTY;
    for (;;) {
        double left = end - clock_seconds();
        int timeout = left <= 0 ? 0 : left * 1000 < LOOK_MS ? (int)(left * 1000) + 1 : LOOK_MS;
        bool open = child_exchange(child, &input, timeout, output, &errors);
        if (!text_ok(output, err) || !text_ok(&errors, err)) break;
        answered = input.sent == input.length && strstr(output->data, ending);
        if (answered || interrupted(err)) break;
        if (!open) {
            ended_early(&errors, err);
            break;
        }
        if (left <= 0) {
            error_set(err, ERR_PLOT, "gnuplot did not answer within %g seconds and was ended",
                      seconds);
            hint_next_picture(err);
            break;
        }
    }
    if (!answered) child_kill(child);
    return answered;
}

/* output: what the script prints is in it, too. */
static bool run_script(GnuplotUse use, const char *script, size_t length, double seconds,
                       Text *output, Error *err) {
    struct Gnuplot *gnuplot = &gnuplots[use];
    char token[40], ending[48];
    if (interrupted(err)) return false;
    if (child_wait(&gnuplot->child, 0)) {
        const char *const arguments[] = {gnuplot_program(), "-d" /* no init file */, NULL};
        int code = child_start(&gnuplot->child, arguments, NULL, false);
        if (code != 0) return start_failed(code, err);
    }
    snprintf(token, sizeof token, "attn-answer-%u", ++gnuplot->scripts);
    snprintf(ending, sizeof ending, "%s end", token);

    /* A question follows the script: the number of its error between tokens, and the words. A
     * script that ends within a line or a comment does not swallow it. */
    LocalText whole = TEXT_EMPTY;
    text_bytes(&whole, script, length);
    text_format(&whole,
                "\nset output\nset print \"-\"\nprint \"%s \", GPVAL_ERRNO\nprint "
                "GPVAL_ERRMSG\nprint \"%s end\"\nset print\nreset errors\n",
                token, token);
    if (!text_ok(&whole, err) || !exchange(&gnuplot->child, &whole, ending, seconds, output, err))
        return false;

    /* "TOKEN 0\n\nTOKEN end": an error other than 0 comes with its words between. */
    const char *answer = strstr(output->data, token) + strlen(token);
    int number = atoi(answer);
    if (number == 0) return true;
    const char *words = strchr(answer, '\n'), *end = words ? strstr(words, token) : NULL;
    if (!end) return error_set(err, ERR_PLOT, "gnuplot reports error %d", number);
    while (words < end && (*words == '\n' || *words == ' ')) words++;
    while (end > words && (end[-1] == '\n' || end[-1] == ' ')) end--;
    return error_set(err, ERR_PLOT, "gnuplot says: %.*s", (int)(end - words), words);
}

bool gnuplot_run(GnuplotUse use, const char *script, size_t length, double seconds, Error *err) {
    LocalText output = TEXT_EMPTY;
    return run_script(use, script, length, seconds, &output, err);
}

void gnuplot_quit(void) {
    for (size_t i = 0; i < 2; i++) {
        child_close_input(&gnuplots[i].child); /* it leaves at the end of its input */
        if (!child_wait(&gnuplots[i].child, QUIT_MS)) child_kill(&gnuplots[i].child);
    }
}

const char *gnuplot_window_terminal(Error *err) {
    /* Terminals whose windows are painted and closed while gnuplot waits for its input. wxt's are
     * not: from a pipe it looks after them only while it draws. */
    static const char *const usable[] = {"qt", "x11"};
    static const char question[] = "set print \"-\"\nprint GPVAL_TERMINALS, \" \"";
    static const char *terminal; /* once known */
    if (terminal) return terminal;
    LocalText output = TEXT_EMPTY;
    bool ok =
        run_script(GNUPLOT_WINDOW, question, sizeof question - 1, TERMINALS_SECONDS, &output, err);
    for (size_t i = 0; ok && !terminal && i < sizeof usable / sizeof *usable; i++) {
        char word[16]; /* the names are between spaces */
        snprintf(word, sizeof word, " %s ", usable[i]);
        if (strstr(output.data, word)) terminal = usable[i];
    }
    if (ok && !terminal) {
        error_set(err, ERR_PLOT,
                  "this gnuplot opens no windows: it has neither the terminal qt nor x11");
        error_hint(err, "install one that does (apt install gnuplot-qt, dnf install gnuplot-qt)");
    }
    return terminal;
}

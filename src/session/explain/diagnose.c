/* diagnose: what is wrong or notable on the bench, and which setting mends it. Silent when nothing
 * is. */
#include "base/interrupt.h"
#include "base/number.h"
#include "base/utf8.h"
#include "session/explain/mend.h"
#include "session/explain/place.h"
#include "session/bench/result_view.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

static const double ALIAS = 0.999;
enum { LISTED_MOST = 6, PLACES_MOST = 2048 };

/* A sentence that is being put together, or nothing, and the line below it that says what mends it.
 */
typedef struct Finding {
    Session *session;
    const Judged *judged;
    Text *out, *remedy;
    int digits;
} Finding;

/* ---- words ---- */

static void number(Finding *finding, double x) { number_write(finding->out, x, finding->digits); }

static void list_rows(Finding *finding, const Run *run, const bool *rows) {
    size_t listed = 0, count = 0;
    for (size_t row = 0; row < run->heads * run->queries; row++) {
        if (!rows[row] || count++ >= LISTED_MOST) continue;
        text_string(finding->out, listed++ ? ", " : "");
        place_write(finding->out, query_labels(finding->session, run->queries), row % run->queries);
        if (run->heads > 1) text_format(finding->out, " of head %zu", row / run->queries);
    }
    if (count > listed) text_format(finding->out, " and %zu more", count - listed);
}

/* "more spread: set temperature 2" */
static bool suggest(Finding *finding, const char *what, unsigned found, Error *err) {
    Text *line = finding->remedy;
    text_format(line, "%s: ", what);
    size_t begin = line->length;
    if (!mend_write(finding->session, finding->judged, found, line, err)) return false;
    if (line->length > begin) return true;
    text_clear(line);
    text_string(line, "no setting mends it, other inputs may");
    return true;
}

/* ---- the findings: each writes a sentence, or nothing ---- */

static bool find_saturated(Finding *finding, Error *err) {
    const Judged *judged = finding->judged;
    size_t count = judged_count(judged, judged->saturated);
    double norm = 0;
    if (count == 0) return true;
    for (size_t row = 0; row < judged->run->heads * judged->run->queries; row++)
        if (judged->saturated[row]) norm += judged->norms[row] / (double)count;
    text_format(finding->out, "saturated: %zu of %zu queries put%s more than 0.99 on one key (",
                count, judged->rows, count == 1 ? "s" : "");
    list_rows(finding, judged->run, judged->saturated);
    text_string(finding->out,
                "); the gradient that is left there, the mean norm of ∂weights/∂scores, is ");
    number(finding, norm);
    return suggest(finding, "more spread", FOUND_SATURATED, err);
}

static bool find_collapsed(Finding *finding, Error *err) {
    const Judged *judged = finding->judged;
    size_t count = judged_count(judged, judged->collapsed);
    if (count == 0) return true;
    text_format(finding->out,
                "collapsed: %zu of %zu queries look%s at all %s keys alike, with an entropy above "
                "0.99 of its ceiling (",
                count, judged->rows, count == 1 ? "s" : "", count == 1 ? "its" : "their");
    list_rows(finding, judged->run, judged->collapsed);
    text_char(finding->out, ')');
    return suggest(finding, "more contrast", FOUND_COLLAPSED, err);
}

static bool find_empty(Finding *finding, Error *err) {
    const Run *run = finding->judged->run;
    if (run->result.empty_rows == 0) return true;
    text_format(finding->out,
                "empty: %zu of %zu queries see%s no key: the weights and the output are 0 there "
                "and no gradient passes",
                run->result.empty_rows, run->heads * run->queries,
                run->result.empty_rows == 1 ? "s" : "");
    return suggest(finding, "without the mask", FOUND_EMPTY, err);
}

static bool find_variance(Finding *finding, Error *err) {
    const Judged *judged = finding->judged;
    bool high = judged_variance_high(judged);
    if (!high && !judged_variance_low(judged)) return true;
    text_string(finding->out, "variance: the scores of a query have the variance ");
    number(finding, judged->variance);
    text_string(finding->out,
                high ? " on average, more than 4: at temperature 1 the softmax tends to one key"
                     : " on average, less than 0.25: at temperature 1 the softmax tends to the "
                       "mean of all values");
    return suggest(finding, high ? "less" : "more", FOUND_VARIANCE, err);
}

/* Rows of length 1, so that a product of two is their cosine; rows of zeros stay. */
static void normalize_rows(Tensor *rows) {
    size_t n = rows->shape.size[0], width = rows->shape.size[1];
    for (size_t i = 0; i < n; i++) {
        double *x = tensor_doubles(rows) + i * width, sum = 0;
        for (size_t c = 0; c < width; c++) sum += x[c] * x[c];
        for (size_t c = 0; c < width && sum > 0; c++) x[c] /= sqrt(sum);
    }
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Pairs of places that look the same, and the first of them. */
typedef struct Aliases {
    size_t count, first, second;
    double cosine;
} Aliases;

static Aliases count_aliases(Tensor *rows) {
    size_t n = rows->shape.size[0], width = rows->shape.size[1];
    const double *x = tensor_doubles(rows);
    Aliases aliases = {.count = 0};
    normalize_rows(rows);
    for (size_t i = 0; i < n && !interrupt_flag; i++)
        for (size_t j = i + 1; j < n; j++) {
            double cosine = dot(x + i * width, x + j * width, width);
            if (cosine <= ALIAS) continue;
            if (aliases.count++ == 0)
                aliases.first = i, aliases.second = j, aliases.cosine = cosine;
        }
    return aliases;
}

/* The numbers by which places are told apart: what is added, or the angles' cosines and sines. */
static Tensor *place_rows(const Run *run, const PositionSpec *position, size_t places, Error *err) {
    size_t width = run->given.q->shape.size[1];
    if (position_is_additive(position->kind))
        return position_rows(position, places, width, run->given.spec.offset, err);
    return position_sinusoidal(places, run->d_k, 10000, (double)run->given.spec.offset, err);
}

static bool find_aliases_of(const Run *run, const PositionSpec *position, Aliases *out,
                            Error *err) {
    size_t places = run->queries > run->keys ? run->queries : run->keys;
    Tensor *rows = place_rows(run, position, places < PLACES_MOST ? places : PLACES_MOST, err);
    if (!rows) return false;
    *out = count_aliases(rows);
    tensor_unref(rows);
    return !interrupted(err);
}

/* Distances do not come round again, angles may. */
static bool suggest_position(Finding *finding, const Run *run, Error *err) {
    PositionSpec sinusoidal = {.kind = &sinusoidal_position};
    Aliases aliases = {.count = 1};
    bool learned = run->given.spec.position.kind == &learned_position;
    if (learned && !find_aliases_of(run, &sinusoidal, &aliases, err)) return false;
    text_string(finding->remedy,
                aliases.count == 0 ? "set position sinusoidal" : "set position alibi");
    return true;
}

static bool find_aliases(Finding *finding, Error *err) {
    const Run *run = finding->judged->run;
    const PositionSpec *position = &run->given.spec.position;
    Aliases aliases;
    if (!position_is_additive(position->kind) && !position_turns(position->kind)) return true;
    if (!find_aliases_of(run, position, &aliases, err)) return false;
    if (aliases.count == 0) return true;
    text_format(finding->out, "aliases: %zu pair%s of places look%s the same to the position ",
                aliases.count, aliases.count == 1 ? "" : "s", aliases.count == 1 ? "s" : "");
    position_write(finding->out, position);
    text_format(finding->out, ", %zu and %zu first (cosine ", aliases.first, aliases.second);
    number(finding, aliases.cosine);
    bool trained = position->kind == &learned_position && position->has_number;
    text_string(finding->out, trained ? "): places past those that were trained share the last row"
                                      : "): so few columns do not tell so many places apart");
    text_string(finding->remedy, trained ? "each its own: " : "more columns, or: ");
    return suggest_position(finding, run, err);
}

static bool only_zeros_and_ones(const Tensor *array) {
    for (size_t i = 0; i < array->count; i++) {
        double x = tensor_get(array, i);
        if (x != 0 && x != 1) return false;
    }
    return true;
}

/* A mask of numbers that was surely meant to be one of true and false? */
static bool is_additive_by_mistake(const MaskTerm *term) {
    return mask_adds(term) && only_zeros_and_ones(term->array);
}

/* A term as it would be typed; a large array that has no name is called M. */
static void write_term(const Settings *settings, int t, Text *out) {
    enum { WRITTEN_MOST = 64 };
    Settings one = {.mask = {.count = 1, .terms = {settings->mask.terms[t]}},
                    .mask_names = {settings->mask_names[t]}};
    const Tensor *array = settings->mask.terms[t].array;
    if (array && array->count > WRITTEN_MOST) text_string(out, "M");
    else setting_write(setting_find("mask"), &one, out);
}

/* The mask with each such term compared with 0. */
static void write_compared(const Settings *settings, const Run *run, Text *out) {
    for (int t = 0; t < settings->mask.count; t++) {
        bool compared = is_additive_by_mistake(&run->given.spec.mask.terms[t]);
        text_string(out, t ? " and " : "");
        text_string(out, compared ? "(" : "");
        write_term(settings, t, out);
        text_string(out, compared ? " > 0)" : "");
    }
}

static bool find_additive_mask(Finding *finding, Error *err) {
    const Run *run = finding->judged->run;
    bool found = false;
    (void)err;
    for (int t = 0; t < run->given.spec.mask.count && !found; t++)
        found = is_additive_by_mistake(&run->given.spec.mask.terms[t]);
    if (!found) return true;
    text_string(finding->out, "mask: an array of numbers is added to the scores, and this one "
                              "holds only 0 and 1, so it hides nothing");
    text_string(finding->remedy, "to hide where it is 0: set mask ");
    write_compared(&finding->session->bench.settings, run, finding->remedy);
    return true;
}

/* ---- the command ---- */

/* What is to be typed stays on one line. */
static bool write_finding(Finding *finding, Text *out, Error *err) {
    if (!text_ok(finding->out, err) || !text_ok(finding->remedy, err)) return false;
    if (finding->out->length)
        utf8_wrap(out, finding->out->data, (size_t)finding->session->interp.host->columns);
    if (finding->remedy->length) text_format(out, "  %s\n", finding->remedy->data);
    text_clear(finding->out);
    text_clear(finding->remedy);
    return true;
}

static bool write_all(Session *session, const Judged *judged, Text *out, Error *err) {
    static bool (*const finds[])(Finding *, Error *) = {find_saturated,     find_collapsed,
                                                        find_empty,         find_variance,
                                                        find_additive_mask, find_aliases};
    Text text, remedy;
    text_init(&text);
    text_init(&remedy);
    Finding finding = {session, judged, &text, &remedy, session->bench.settings.digits};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof finds / sizeof *finds; i++)
        ok = finds[i](&finding, err) && write_finding(&finding, out, err);
    text_release(&text);
    text_release(&remedy);
    return ok;
}

static bool diagnose(Session *session, CommandCall *call, Error *err) {
    Judged judged;
    Text out;
    if (!command_finish(call, err) || !session_need_run(session, err) ||
        !judge(&judged, session->bench.run, err))
        return false;
    text_init(&out);
    bool ok = write_all(session, &judged, &out, err);
    judged_release(&judged);
    if (!ok) return text_release(&out), false;
    return host_write_text(session->interp.host, &out, err);
}

const CommandDef diagnose_commands[] = {
    {{.name = "diagnose", .words = ""},
     diagnose,
     false,
     "diagnose",
     "Says what is wrong or notable on the bench, with numbers, and which setting mends it: "
     "saturated queries (more than 0.99 on one key), collapsed ones (entropy above 0.99 of its "
     "ceiling), queries "
     "that see no key, a variance of the scores outside 0.25 to 4, places that a position cannot "
     "tell apart, a mask of 0 and 1 that is added. Only queries that see two keys or more "
     "are judged. Where nothing is wrong it says nothing.",
     "Q = 9 * [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\ndiagnose",
     "entropy trace set"},
    {.syntax = {.name = NULL}},
};

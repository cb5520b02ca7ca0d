/* diagnose: what is wrong or notable on the bench, and which setting mends it. Silent when nothing is. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "engine/weights.h"
#include "session/place.h"
#include "session/result_view.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

static const double SATURATED = 0.99, COLLAPSED = 0.99, VARIANCE_LOW = 0.25, VARIANCE_HIGH = 4, ALIAS = 0.999;
enum { LISTED_MOST = 6, PLACES_MOST = 2048 };

/* The rows of a run with what is judged of them. Only rows that see two keys or more are. */
typedef struct Judged {
    const Run *run;
    size_t rows;          /* judged */
    double variance;      /* mean over them, of the visible scores of a row */
    bool *saturated, *collapsed; /* for each row of each head */
    double *norms;        /* of the derivative of each row by its scores */
    bool *memory;
} Judged;

typedef struct Finding {
    Session *session;
    Text *out;
    int digits;
} Finding;

/* ---- judging ---- */

typedef struct RowView {
    double *weights, *scores; /* of the visible keys */
    size_t count;
} RowView;

static void read_row(const Run *run, size_t row, RowView *view) {
    view->count = 0;
    for (size_t j = 0; j < run->keys; j++) {
        size_t at = row * run->keys + j;
        if (tensor_get(run->trace.visible, at) == 0) continue;
        view->weights[view->count] = tensor_get(run->trace.weights, at);
        view->scores[view->count++] = tensor_get(run->trace.scores, at);
    }
}

static double variance(const double *x, size_t n) {
    double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)n;
}

static void judge_row(Judged *judged, size_t row, const RowView *view) {
    const Run *run = judged->run;
    double most = 0, temperature = run->spec.temperature;
    if (view->count < 2) return;
    for (size_t i = 0; i < view->count; i++) most = fmax(most, view->weights[i]);
    judged->rows++;
    judged->variance += variance(view->scores, view->count);
    judged->saturated[row] = most > SATURATED;
    judged->collapsed[row] = tensor_get(run->result.entropy, row) > COLLAPSED * log((double)view->count);
    judged->norms[row] = temperature > 0 ? weights_jacobian_norm(view->weights, view->count) / temperature : 0;
}

static void judged_release(Judged *judged) {
    mem_free(judged->memory);
    mem_free(judged->norms);
}

static bool judge(Judged *judged, const Run *run, Error *err) {
    size_t rows = run->heads * run->queries;
    *judged = (Judged){.run = run};
    judged->memory = mem_zeroed(2 * rows + 1, sizeof *judged->memory, err);
    judged->norms = judged->memory ? mem_zeroed(rows + 1, sizeof *judged->norms, err) : NULL;
    double *room = judged->norms ? mem_aligned((2 * run->keys + 1) * sizeof *room, err) : NULL;
    if (!room) return judged_release(judged), false;
    judged->saturated = judged->memory;
    judged->collapsed = judged->memory + rows;
    RowView view = {room, room + run->keys, 0};
    for (size_t row = 0; row < rows; row++) {
        read_row(run, row, &view);
        judge_row(judged, row, &view);
    }
    if (judged->rows) judged->variance /= (double)judged->rows;
    mem_free(room);
    return true;
}

/* ---- words ---- */

static void number(Finding *finding, double x) {
    number_write(finding->out, x, finding->digits);
}

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

static size_t count_rows(const Run *run, const bool *rows) {
    size_t count = 0;
    for (size_t row = 0; row < run->heads * run->queries; row++) count += rows[row];
    return count;
}

/* Where the scores are not scaled by the width, that is what is wrong; else the temperature at which they have the spread 1. */
static void suggest_spread(Finding *finding, const Judged *judged) {
    if (!judged->run->spec.scale_sqrt) text_string(finding->out, "set scale sqrt");
    else text_string(finding->out, "set temperature "), number_write(finding->out, sqrt(judged->variance), 2);
}

/* ---- the findings: each writes a sentence, or nothing ---- */

static void find_saturated(Finding *finding, const Judged *judged) {
    size_t count = count_rows(judged->run, judged->saturated);
    double norm = 0;
    if (count == 0) return;
    for (size_t row = 0; row < judged->run->heads * judged->run->queries; row++)
        if (judged->saturated[row]) norm += judged->norms[row] / (double)count;
    text_format(finding->out, "saturated: %zu of %zu queries put more than 0.99 on one key (", count, judged->rows);
    list_rows(finding, judged->run, judged->saturated);
    text_string(finding->out, "); the gradient that is left there, the mean norm of ∂weights/∂scores, is ");
    number(finding, norm);
    text_string(finding->out, ". More spread: ");
    suggest_spread(finding, judged);
}

static void find_collapsed(Finding *finding, const Judged *judged) {
    size_t count = count_rows(judged->run, judged->collapsed);
    if (count == 0) return;
    text_format(finding->out, "collapsed: %zu of %zu queries look at all their keys alike, with an entropy above 0.99 of its ceiling (", count, judged->rows);
    list_rows(finding, judged->run, judged->collapsed);
    text_string(finding->out, "). ");
    if (!(judged->variance > 0)) text_string(finding->out, "Their scores are all equal: no setting tells the keys apart, other K or Q would");
    else text_string(finding->out, "More contrast: "), suggest_spread(finding, judged);
}

static void find_empty(Finding *finding, const Judged *judged) {
    const Run *run = judged->run;
    if (run->result.empty_rows == 0) return;
    text_format(finding->out, "empty: %zu of %zu queries see no key: their weights and output are 0 and no gradient passes. The mask is ", run->result.empty_rows,
                run->heads * run->queries);
    mask_write(finding->out, &run->spec.mask);
    text_string(finding->out, "; without it: set mask none");
}

static void find_variance(Finding *finding, const Judged *judged) {
    bool high = judged->variance > VARIANCE_HIGH, low = judged->variance < VARIANCE_LOW;
    if (judged->rows == 0 || !(high || low)) return;
    text_string(finding->out, "variance: the scores of a query have the variance ");
    number(finding, judged->variance);
    text_format(finding->out, " on average, %s. ", high ? "more than 4: the softmax tends to one key" : "less than 0.25: the softmax tends to the mean of all values");
    if (judged->variance == 0) text_string(finding->out, "All scores of a query are equal");
    else text_string(finding->out, high ? "Less: " : "More: "), suggest_spread(finding, judged);
}

static double cosine(const double *a, const double *b, size_t n) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static size_t count_aliases(const Tensor *rows, size_t *first, size_t *second, double *most) {
    size_t n = rows->shape.size[0], width = rows->shape.size[1], count = 0;
    const double *x = tensor_doubles(rows);
    for (size_t i = 0; i < n && !interrupt_flag; i++)
        for (size_t j = i + 1; j < n; j++) {
            double c = cosine(x + i * width, x + j * width, width);
            if (c <= ALIAS) continue;
            if (count++ == 0) *first = i, *second = j, *most = c;
        }
    return count;
}

/* The numbers by which places are told apart: what is added, or the angles' cosines and sines. */
static Tensor *place_rows(const Run *run, size_t places, Error *err) {
    const PositionSpec *position = &run->spec.position;
    size_t width = run->given[0]->shape.size[1];
    if (position_is_additive(position->kind)) return position_rows(position, places, width, run->spec.offset, err);
    return position_sinusoidal(places, run->d_k, 10000, (double)run->spec.offset, err);
}

static bool find_aliases(Finding *finding, const Judged *judged, Error *err) {
    const Run *run = judged->run;
    PositionKind kind = run->spec.position.kind;
    if (!position_is_additive(kind) && kind != POSITION_ROPE) return true;
    size_t places = run->queries > run->keys ? run->queries : run->keys, first = 0, second = 0;
    double most = 0;
    Tensor *rows = place_rows(run, places < PLACES_MOST ? places : PLACES_MOST, err);
    if (!rows) return false;
    size_t count = count_aliases(rows, &first, &second, &most);
    tensor_unref(rows);
    if (count == 0) return !interrupted(err);
    text_format(finding->out, "aliases: %zu pair%s of places look the same to the position ", count, count == 1 ? "" : "s");
    position_write(finding->out, &run->spec.position);
    text_format(finding->out, ", %zu and %zu first (cosine ", first, second);
    number(finding, most);
    text_string(finding->out, kind == POSITION_LEARNED ? "): places past those that were trained share the last row. set position sinusoidal knows them all"
                                                       : "): with so few columns the angles come round again. More columns, or: set position alibi");
    return true;
}

static bool only_zeros_and_ones(const Tensor *array) {
    for (size_t i = 0; i < array->count; i++) {
        double x = tensor_get(array, i);
        if (x != 0 && x != 1) return false;
    }
    return true;
}

static void find_additive_mask(Finding *finding, const Judged *judged) {
    const MaskSpec *mask = &judged->run->spec.mask;
    for (int t = 0; t < mask->count; t++) {
        const Tensor *array = mask->terms[t].array;
        if (mask->terms[t].kind != MASK_ARRAY || array->dtype == DTYPE_BOOL || !only_zeros_and_ones(array)) continue;
        text_string(finding->out, "mask: an array of numbers is added to the scores, and this one holds only 0 and 1, so it hides nothing. To hide where it is 0, compare it: set mask (M > 0)");
        return;
    }
}

/* ---- the command ---- */

static bool write_finding(Session *session, Text *finding, Text *out, Error *err) {
    if (!text_ok(finding, err)) return false;
    if (finding->length) utf8_wrap(out, finding->data, (size_t)session->interp.host->columns);
    text_clear(finding);
    return true;
}

static bool write_all(Session *session, const Judged *judged, Text *out, Error *err) {
    static void (*const finds[])(Finding *, const Judged *) = {find_saturated, find_collapsed, find_empty, find_variance, find_additive_mask};
    Text text;
    text_init(&text);
    Finding finding = {session, &text, session->settings.digits};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof finds / sizeof *finds; i++) {
        finds[i](&finding, judged);
        ok = write_finding(session, &text, out, err);
    }
    ok = ok && find_aliases(&finding, judged, err) && write_finding(session, &text, out, err);
    text_release(&text);
    return ok;
}

static bool diagnose(Session *session, CommandCall *call, Error *err) {
    Judged judged;
    Text out;
    if (!command_finish(call, err) || !session_need_run(session, err) || !judge(&judged, session->run, err)) return false;
    text_init(&out);
    bool ok = write_all(session, &judged, &out, err);
    judged_release(&judged);
    if (!ok) return text_release(&out), false;
    return host_write_text(session->interp.host, &out, err);
}

const CommandDef diagnose_commands[] = {
    {{.name = "diagnose", .words = ""}, diagnose, false, "diagnose",
     "Says what is wrong or notable on the bench, with numbers, and which setting mends it: saturated queries (more than 0.99 on one key), collapsed ones (entropy above 0.99 of its ceiling), queries "
     "that see no key, a variance of the scores outside 0.25 to 4, places that a position cannot tell apart, a mask of 0 and 1 that is added. Only queries that see two keys or more "
     "are judged. Where nothing is wrong it says nothing.",
     "Q = 9 * [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\ndiagnose", "entropy trace set"},
    {.syntax = {.name = NULL}},
};

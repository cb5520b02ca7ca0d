#include "session/explain/derivation.h"

#include "base/memory.h"
#include "session/explain/place.h"
#include "session/bench/result_view.h"
#include "session/bench/run_rows.h"

#include <math.h>
#include <string.h>

/* ---- taking the numbers out of the trace ---- */

static double *take(double **room, const Tensor *tensor, size_t first, size_t count) {
    double *numbers = *room;
    if (!tensor) return NULL;
    tensor_read(tensor, first, count, numbers);
    *room += count;
    return numbers;
}

static void take_visible(Derivation *d, const Tensor *visible, size_t first) {
    for (size_t j = 0; j < d->keys; j++) {
        d->visible[j] = tensor_get(visible, first + j) != 0;
        d->visible_count += d->visible[j];
    }
}

/* A score that is nan is larger than none, but it decides all the same. */
static void find_best(Derivation *d) {
    bool undefined = isnan(d->maximum);
    while (d->best + 1 < d->keys &&
           !(d->visible[d->best] &&
             (undefined ? isnan(d->score[d->best]) : d->score[d->best] == d->maximum)))
        d->best++;
}

/* The output of this head, summed from its own weights: Wo may have mixed what the run keeps. */
static void sum_output(Derivation *d) {
    for (size_t c = 0; c < d->d_v; c++) {
        d->output[c] = 0;
        for (size_t j = 0; j < d->keys; j++)
            if (d->weight[j] != 0) d->output[c] += d->weight[j] * d->v[j * d->d_v + c];
    }
}

static void take_all(Derivation *d, const RunRows *rows) {
    const AttentionTrace *trace = rows->trace;
    size_t h = d->head, n = d->keys, row = run_rows_at(rows, h, d->query), at = row * n;
    double *room = d->numbers;
    d->q = take(&room, trace->q, row * d->d_k, d->d_k);
    d->k = take(&room, trace->k, h * n * d->d_k, n * d->d_k);
    d->v = take(&room, trace->v, h * n * d->d_v, n * d->d_v);
    d->product = take(&room, trace->products, at, n);
    d->position = take(&room, trace->position, at, n);
    d->added = take(&room, trace->added, at, n);
    d->score = take(&room, trace->scores, at, n);
    d->exponential = take(&room, trace->exponentials, at, n);
    d->weight = take(&room, trace->weights, at, n);
    d->output = room;
    d->scale = trace->scale;
    d->maximum = tensor_get(trace->maximum, row);
    d->sum = tensor_get(trace->sum, row);
    take_visible(d, trace->visible, at);
    find_best(d);
    sum_output(d);
}

bool derivation_init(Derivation *d, const Session *session, const Run *run, size_t head,
                     size_t query, Error *err) {
    *d = (Derivation){.run = run,
                      .head = head,
                      .query = query,
                      .keys = run->keys,
                      .d_k = run->d_k,
                      .d_v = run->d_v};
    d->queries = query_labels(session, run->queries);
    d->keys_tokens = key_labels(session, run->keys);
    d->numbers =
        mem_aligned((d->d_k + d->d_v + d->keys * (d->d_k + d->d_v + 6)) * sizeof(double), err);
    d->visible = d->numbers ? mem_alloc((d->keys + 1) * sizeof *d->visible, err) : NULL;
    RunRows rows;
    bool ok = d->visible && run_rows_init(&rows, run, err);
    if (!ok) return derivation_release(d), false;
    ok = run_rows_take(&rows, query, 1, err);
    if (ok) take_all(d, &rows);
    run_rows_release(&rows);
    if (!ok) derivation_release(d);
    return ok;
}

void derivation_release(Derivation *d) {
    mem_free(d->numbers);
    mem_free(d->visible);
    d->numbers = NULL;
    d->visible = NULL;
}

/* ---- where the query's numbers come from ---- */

/* The row of the query as it was given: all columns of X where Wq meets it, else those of the head.
 */
typedef struct Given {
    Text name; /* "X[2]", "Q[2, 4:8]" */
    double *numbers;
    size_t columns; /* of the matrix */
    size_t from, width;
} Given;

static bool given_init(Given *given, const Derivation *d, Error *err) {
    const Run *run = d->run;
    bool cut = run->heads > 1 && !run->given.weights.q;
    given->columns = run->given.q->shape.size[1];
    given->width = run->given.weights.q ? given->columns : d->d_k;
    given->from = cut ? d->head * d->d_k : 0;
    given->numbers =
        doubles_of(run->given.q, d->query * given->columns + given->from, given->width, err);
    text_init(&given->name);
    text_format(&given->name, "%.*s[%zu", (int)strcspn(run->names, " "), run->names, d->query);
    if (cut) text_format(&given->name, ", %zu:%zu", given->from, given->from + d->d_k);
    text_char(&given->name, ']');
    return given->numbers != NULL;
}

static void given_release(Given *given) {
    mem_free(given->numbers);
    text_release(&given->name);
}

/* "x + p = sum", where p are the position's numbers of the same columns. */
static bool write_added(const Derivation *d, const Given *given, Working *w, Error *err) {
    const AttentionSpec *spec = &d->run->given.spec;
    Tensor *rows =
        position_rows(&spec->position, 1, given->columns, spec->offset + (long long)d->query, err);
    double *p = rows ? doubles_of(rows, given->from, given->width, err) : NULL;
    double *printed = p ? mem_aligned((given->width + 1) * sizeof *printed, err) : NULL;
    tensor_unref(rows);
    if (!printed) return mem_free(p), false;
    text_format(w->out, "%s + position = ", given->name.data);
    working_vector(w, given->numbers, given->width);
    text_string(w->out, " + ");
    working_vector(w, p, given->width);
    for (size_t i = 0; i < given->width; i++) {
        printed[i] = as_shown(given->numbers[i], w->digits) + as_shown(p[i], w->digits);
        p[i] += given->numbers[i];
    }
    working_vector_result(w, printed, d->run->given.weights.q ? p : d->q, given->width);
    text_char(w->out, '\n');
    mem_free(printed);
    mem_free(p);
    return true;
}

/* What Wq makes of the row, of which a head takes its columns. */
static void write_projected(const Derivation *d, const Given *given, Working *w) {
    bool added = position_is_additive(d->run->given.spec.position.kind);
    bool cut = d->run->heads > 1;
    text_format(w->out, "q = %s", cut ? "(" : "");
    text_format(w->out, added ? "(%s + position) @ Wq" : "%s @ Wq", given->name.data);
    if (cut) text_format(w->out, ")[%zu:%zu]", d->head * d->d_k, (d->head + 1) * d->d_k);
    if (d->run->given.spec.position.kind == POSITION_ROPE)
        text_string(w->out, ", turned by its place,");
    text_string(w->out, " = ");
    working_vector(w, d->q, d->d_k);
    text_char(w->out, '\n');
}

/* The first pair of columns is turned by the place itself, in radians. */
static void write_turned(const Derivation *d, const Given *given, Working *w) {
    long long place = d->run->given.spec.offset + (long long)d->query;
    text_format(w->out, "q = %s, turned by its place, = ", given->name.data);
    working_vector(w, d->q, d->d_k);
    text_format(w->out, "\nits first two columns by %lld rad: ", place);
    double printed = working_factor(w, given->numbers[0]) * cos((double)place);
    text_format(w->out, "×cos(%lld) - ", place);
    printed -= working_factor(w, given->numbers[1]) * sin((double)place);
    text_format(w->out, "×sin(%lld)", place);
    working_result(w, printed, d->q[0]);
    text_char(w->out, '\n');
}

static bool write_given(const Derivation *d, const Given *given, Working *w, Error *err) {
    PositionKind kind = d->run->given.spec.position.kind;
    bool projected = d->run->given.weights.q, added = position_is_additive(kind);
    if (added && !projected) text_string(w->out, "q = ");
    if (added && !write_added(d, given, w, err)) return false;
    if (projected) return write_projected(d, given, w), true;
    if (kind == POSITION_ROPE) return write_turned(d, given, w), true;
    if (added) return true;
    text_format(w->out, "q = %s = ", given->name.data);
    working_vector(w, d->q, d->d_k);
    text_char(w->out, '\n');
    return true;
}

bool derivation_write_query(const Derivation *d, Working *w, Error *err) {
    Given given;
    bool ok = given_init(&given, d, err) && write_given(d, &given, w, err);
    given_release(&given);
    return ok;
}

/* ---- words ---- */

void derivation_write_head(const Derivation *d, Text *out) {
    if (d->run->heads > 1) text_format(out, ", head %zu of %zu", d->head, d->run->heads);
}

bool derivation_has_temperature(const Derivation *d) {
    double temperature = d->run->given.spec.temperature;
    return temperature > 0 && isfinite(temperature);
}

bool derivation_hides(const Derivation *d, size_t key, bool by_score) {
    return !d->visible[key] && (d->score[key] == -INFINITY) == by_score;
}

/* "The mask hides 2 keys: 4, 5." */
static void write_hidden_keys(const Derivation *d, bool by_score, const char *before, Text *out) {
    enum { LISTED_MOST = 12 };
    size_t hidden = 0, listed = 0;
    for (size_t j = 0; j < d->keys; j++) hidden += derivation_hides(d, j, by_score);
    if (hidden == 0) return;
    text_format(out, "%s%s hides %zu key%s: ", before, by_score ? "A score of -inf" : "The mask",
                hidden, hidden == 1 ? "" : "s");
    for (size_t j = 0; j < d->keys && listed < LISTED_MOST; j++) {
        if (!derivation_hides(d, j, by_score)) continue;
        if (listed++) text_string(out, ", ");
        place_write(out, d->keys_tokens, j);
    }
    if (hidden > listed) text_format(out, " and %zu more", hidden - listed);
    text_char(out, '.');
}

void derivation_write_hidden(const Derivation *d, Text *out) {
    size_t begin = out->length;
    write_hidden_keys(d, false, "", out);
    write_hidden_keys(d, true, out->length > begin ? " " : "", out);
}

#include "session/derivation.h"

#include "base/memory.h"
#include "session/place.h"
#include "session/result_view.h"

#include <math.h>
#include <string.h>

/* ---- taking the numbers out of the trace ---- */

static double *take(double **room, const Tensor *tensor, size_t first, size_t count) {
    double *numbers = *room;
    if (!tensor) return NULL;
    for (size_t i = 0; i < count; i++) numbers[i] = tensor_get(tensor, first + i);
    *room += count;
    return numbers;
}

static void take_visible(Derivation *d, size_t first) {
    for (size_t j = 0; j < d->keys; j++) {
        d->visible[j] = tensor_get(d->run->trace.visible, first + j) != 0;
        d->visible_count += d->visible[j];
    }
}

static void find_best(Derivation *d) {
    while (d->best + 1 < d->keys && !(d->visible[d->best] && d->score[d->best] == d->maximum)) d->best++;
}

/* The output of this head, summed from its own weights: Wo may have mixed what the run keeps. */
static void sum_output(Derivation *d) {
    for (size_t c = 0; c < d->d_v; c++) {
        d->output[c] = 0;
        for (size_t j = 0; j < d->keys; j++)
            if (d->weight[j] != 0) d->output[c] += d->weight[j] * d->v[j * d->d_v + c];
    }
}

static void take_all(Derivation *d) {
    const AttentionTrace *trace = &d->run->trace;
    size_t h = d->head, n = d->keys, row = (h * d->run->queries + d->query), at = row * n;
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
    d->maximum = tensor_get(trace->maximum, row);
    d->sum = tensor_get(trace->sum, row);
    take_visible(d, at);
    find_best(d);
    sum_output(d);
}

bool derivation_init(Derivation *d, const Session *session, size_t head, size_t query, Error *err) {
    const Run *run = session->run;
    *d = (Derivation){.run = run, .head = head, .query = query, .keys = run->keys, .d_k = run->d_k, .d_v = run->d_v};
    d->queries = query_labels(session, run->queries);
    d->keys_tokens = key_labels(session, run->keys);
    d->numbers = mem_aligned((d->d_k + d->d_v + d->keys * (d->d_k + d->d_v + 6)) * sizeof(double), err);
    d->visible = d->numbers ? mem_alloc((d->keys + 1) * sizeof *d->visible, err) : NULL;
    if (!d->visible) return derivation_release(d), false;
    take_all(d);
    return true;
}

void derivation_release(Derivation *d) {
    mem_free(d->numbers);
    mem_free(d->visible);
    d->numbers = NULL;
    d->visible = NULL;
}

/* ---- where the query's numbers come from ---- */

/* The row as it was given: all columns of X, or those of the head. */
typedef struct Given {
    double *numbers;
    size_t width;
    bool whole;
} Given;

static bool given_init(Given *given, const Derivation *d, Error *err) {
    const Tensor *source = d->run->given[0];
    size_t columns = source->shape.size[1];
    given->whole = d->run->projected;
    given->width = given->whole ? columns : d->d_k;
    given->numbers = doubles_of(source, d->query * columns + (given->whole ? 0 : d->head * d->d_k), given->width, err);
    return given->numbers != NULL;
}

/* x + p, where p are the position's numbers of the same columns. */
static bool write_added(const Derivation *d, const Given *given, Working *w, const char *name, Error *err) {
    const AttentionSpec *spec = &d->run->spec;
    size_t columns = d->run->given[0]->shape.size[1], from = given->whole ? 0 : d->head * d->d_k;
    Tensor *rows = position_rows(&spec->position, 1, columns, spec->offset + (long long)d->query, err);
    double *p = rows ? doubles_of(rows, from, given->width, err) : NULL;
    tensor_unref(rows);
    if (!p) return false;
    bool exact = true;
    text_format(w->out, "%s + position = ", name);
    working_vector(w, given->numbers, given->width);
    text_string(w->out, " + ");
    working_vector(w, p, given->width);
    for (size_t i = 0; i < given->width; i++) {
        double printed = as_shown(given->numbers[i], w->digits) + as_shown(p[i], w->digits);
        p[i] += given->numbers[i];
        exact = exact && as_shown(printed, w->digits) == as_shown(p[i], w->digits);
    }
    w->rounded = w->rounded || !exact;
    text_string(w->out, exact ? " = " : " ≈ ");
    working_vector(w, p, given->width);
    text_char(w->out, '\n');
    mem_free(p);
    return true;
}

/* The first pair of columns is turned by the place itself, in radians. */
static void write_turned(const Derivation *d, const Given *given, Working *w) {
    double place = (double)(d->run->spec.offset + (long long)d->query);
    text_string(w->out, "q = ");
    working_vector(w, d->q, d->d_k);
    text_string(w->out, ": each pair of columns turned by its angle, the first by ");
    working_number(w, place);
    text_string(w->out, " rad");
    if (!given->whole) {
        double x = given->numbers[0], y = given->numbers[1];
        text_string(w->out, ": ");
        double printed = working_factor(w, x) * cos(place);
        text_format(w->out, "×cos(%g) - ", place);
        printed -= working_factor(w, y) * sin(place);
        text_format(w->out, "×sin(%g)", place);
        working_result(w, printed, d->q[0]);
    }
    text_char(w->out, '\n');
}

bool derivation_write_query(const Derivation *d, Working *w, Error *err) {
    const PositionKind kind = d->run->spec.position.kind;
    Text name;
    Given given;
    if (!given_init(&given, d, err)) return false;
    text_init(&name);
    text_format(&name, "%.*s[%zu]", (int)strcspn(d->run->names, " "), d->run->names, d->query);
    bool ok = true;
    if (position_is_additive(kind)) ok = write_added(d, &given, w, name.data, err);
    if (ok && kind == POSITION_ROPE) write_turned(d, &given, w);
    if (ok && kind != POSITION_ROPE) {
        bool plain = !given.whole && !position_is_additive(kind);
        if (plain) text_format(w->out, "q = %s = ", name.data);
        else text_string(w->out, given.whole ? "q, after Wq, = " : "q = ");
        working_vector(w, d->q, d->d_k);
        text_char(w->out, '\n');
    }
    text_release(&name);
    mem_free(given.numbers);
    return ok;
}

/* ---- words ---- */

void derivation_write_head(const Derivation *d, Text *out) {
    if (d->run->heads > 1) text_format(out, ", head %zu of %zu", d->head, d->run->heads);
}

static void write_hidden_keys(const Derivation *d, Text *out) {
    enum { LISTED_MOST = 12 };
    size_t hidden = d->keys - d->visible_count, listed = 0;
    text_format(out, "%zu key%s hidden: ", hidden, hidden == 1 ? " is" : "s are");
    for (size_t j = 0; j < d->keys && listed < LISTED_MOST; j++) {
        if (d->visible[j]) continue;
        if (listed++) text_string(out, ", ");
        place_write(out, d->keys_tokens, j);
    }
    if (hidden > listed) text_format(out, " and %zu more", hidden - listed);
}

void derivation_write_hidden(const Derivation *d, Text *out) {
    if (d->visible_count == d->keys) return;
    text_string(out, "The mask ");
    mask_write(out, &d->run->spec.mask);
    text_string(out, ": ");
    write_hidden_keys(d, out);
    text_char(out, '.');
}

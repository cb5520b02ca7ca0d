/* why i j [head h] [as latex]: the derivation of one weight, with its numbers in the formula. */
#include "base/memory.h"
#include "base/utf8.h"
#include "session/explain/derivation.h"
#include "session/explain/place.h"
#include "session/bench/result_view.h"

#include <math.h>
#include <string.h>

typedef struct Why {
    Session *session;
    Derivation d;
    size_t key;
    Text out;
    Text line;       /* being put together */
    Working working; /* on that line */
} Why;

static bool is_latex(const Why *why) { return why->working.latex; }

/* In LaTeX a line is one of an align environment. */
static void put_line(Why *why) {
    if (is_latex(why))
        text_format(&why->out, "  %s \\\\\n", why->line.data), text_clear(&why->line);
    utf8_wrap_lines(&why->out, &why->line, (size_t)why->session->interp.host->columns);
}

/* What stands before the first = of a line. */
static void begin(Why *why, const char *plain, const char *latex) {
    if (is_latex(why)) text_format(&why->line, "%s &= ", latex);
    else text_format(&why->line, "%s = ", plain);
}

/* ---- the score ---- */

static void put_product(Why *why) {
    const Derivation *d = &why->d;
    begin(why, "q·k", "q \\cdot k");
    working_dot(&why->working, d->q, d->k + why->key * d->d_k, d->d_k, d->product[why->key]);
    put_line(why);
}

static void put_score(Why *why) {
    const Derivation *d = &why->d;
    Working *w = &why->working;
    begin(why, "score", "s");
    double printed = working_factor(w, d->product[why->key]);
    text_string(&why->line, is_latex(why) ? " \\cdot " : " × ");
    printed *= working_factor(w, d->scale);
    if (d->position)
        text_string(&why->line, " + "), printed += working_factor(w, d->position[why->key]);
    if (d->added) text_string(&why->line, " + "), printed += working_factor(w, d->added[why->key]);
    working_result(w, printed, d->score[why->key]);
    if (!is_latex(why)) {
        if (d->run->given.spec.scale_sqrt)
            text_format(&why->line, "   the scale is 1/√%zu", d->d_k);
        if (d->position)
            text_string(&why->line,
                        d->run->given.spec.scale_sqrt ? ", the position " : "   the position "),
                position_write(&why->line, &d->run->given.spec.position);
    }
    put_line(why);
}

/* ---- the weight ---- */

static void put_exponential(Why *why) {
    const Derivation *d = &why->d;
    Working *w = &why->working;
    double temperature = d->run->given.spec.temperature;
    begin(why, "e", "e");
    text_string(&why->line, is_latex(why) ? "\\exp\\left(\\frac{" : "exp((");
    double printed = working_number(w, d->score[why->key]);
    text_string(&why->line, " - ");
    printed -= working_factor(w, d->maximum);
    text_string(&why->line, is_latex(why) ? "}{" : ") / ");
    printed /= working_number(w, temperature);
    text_string(&why->line, is_latex(why) ? "}\\right)" : ")");
    working_result(w, exp(printed), d->exponential[why->key]);
    if (!is_latex(why)) {
        text_string(&why->line, "   less the largest score, that of key ");
        place_write(&why->line, d->keys_tokens, d->best);
        text_string(&why->line, ", over the temperature");
    }
    put_line(why);
}

/* Over the keys that are seen. */
static bool put_sum(Why *why, Error *err) {
    const Derivation *d = &why->d;
    double *terms = mem_aligned((d->visible_count + 1) * sizeof *terms, err);
    if (!terms) return false;
    size_t count = 0;
    for (size_t j = 0; j < d->keys; j++)
        if (d->visible[j]) terms[count++] = d->exponential[j];
    begin(why, "sum of e", "Z");
    working_sum(&why->working, terms, count, d->sum);
    if (!is_latex(why))
        text_format(&why->line, "   over the %zu key%s that it sees", count, count == 1 ? "" : "s");
    put_line(why);
    mem_free(terms);
    return true;
}

static void put_weight(Why *why) {
    const Derivation *d = &why->d;
    Working *w = &why->working;
    begin(why, "weight", "w");
    if (is_latex(why)) text_string(&why->line, "\\frac{");
    double printed = working_number(w, d->exponential[why->key]);
    text_string(&why->line, is_latex(why) ? "}{" : " / ");
    printed /= working_number(w, d->sum);
    if (is_latex(why)) text_char(&why->line, '}');
    working_result(w, printed, d->weight[why->key]);
    put_line(why);
}

/* At the limits the softmax is a share among those that count. */
static void put_share(Why *why) {
    const Derivation *d = &why->d;
    bool frozen = d->run->given.spec.temperature == 0, counts = d->exponential[why->key] != 0;
    if (!is_latex(why)) {
        if (frozen && counts)
            text_format(&why->line,
                        "at temperature 0 the keys with the largest score share: %g of them",
                        d->sum);
        else if (frozen)
            text_string(&why->line, "at temperature 0 only the largest score counts, that of key "),
                place_write(&why->line, d->keys_tokens, d->best);
        else
            text_format(&why->line,
                        "at temperature inf all %g visible keys share, whatever their scores",
                        d->sum);
        put_line(why);
    }
    put_weight(why);
}

/* ---- what it adds ---- */

static bool put_scaled_vector(Why *why, const double *x, size_t n, Error *err) {
    const Derivation *d = &why->d;
    double *room = mem_aligned((2 * n + 1) * sizeof *room, err), *product = room,
           *printed = room + n;
    Working *w = &why->working;
    if (!room) return false;
    double weight = d->weight[why->key], shown = working_number(w, weight);
    text_string(&why->line, is_latex(why) ? " \\cdot " : " × ");
    working_vector(w, x, n);
    for (size_t c = 0; c < n; c++) {
        product[c] = weight == 0 ? 0 : weight * x[c];
        printed[c] = shown == 0 ? 0 : shown * as_shown(x[c], w->digits);
    }
    working_vector_result(w, printed, product, n);
    mem_free(room);
    return true;
}

static bool put_addition(Why *why, Error *err) {
    const Derivation *d = &why->d;
    begin(why, "it adds", "w \\cdot v");
    if (!put_scaled_vector(why, d->v + why->key * d->d_v, d->d_v, err)) return false;
    put_line(why);
    if (is_latex(why)) return true;
    text_string(&why->line, "to the output ");
    working_vector(&why->working, d->output, d->d_v);
    if (d->run->heads > 1) text_format(&why->line, " of head %zu", d->head);
    text_string(&why->line, " of query ");
    place_write(&why->line, d->queries, d->query);
    if (d->run->given.weights.o) text_string(&why->line, ", which Wo then mixes");
    put_line(why);
    return true;
}

/* ---- the whole ---- */

static void put_question(Why *why) {
    const Derivation *d = &why->d;
    text_string(&why->line, "weight of query ");
    place_write(&why->line, d->queries, d->query);
    text_string(&why->line, " on key ");
    place_write(&why->line, d->keys_tokens, why->key);
    derivation_write_head(d, &why->line);
    text_format(&why->line, ": %s", d->run->settings);
    put_line(why);
}

/* A key that is hidden has no exponential: its weight is 0 whatever its score. */
static void put_hidden(Why *why) {
    const Derivation *d = &why->d;
    bool by_score = derivation_hides(d, why->key, true);
    if (is_latex(why)) {
        text_string(&why->line, "w &= 0 \\quad\\text{(hidden)}");
    } else {
        text_string(&why->line, "weight = 0: ");
        text_string(&why->line,
                    by_score ? "a score of -inf hides the key" : "the mask hides the key");
        text_string(&why->line, ", so it adds nothing to the output");
        if (d->visible_count == 0) text_string(&why->line, "; this query sees no key at all");
    }
    put_line(why);
}

static bool put_all(Why *why, Error *err) {
    put_product(why);
    put_score(why);
    if (!why->d.visible[why->key]) return put_hidden(why), true;
    if (derivation_has_temperature(&why->d)) {
        put_exponential(why);
        if (!put_sum(why, err)) return false;
        put_weight(why);
    } else {
        put_share(why);
    }
    return put_addition(why, err);
}

static bool explain(Session *session, size_t query, size_t key, size_t head, bool latex,
                    Error *err) {
    Why why = {.session = session, .key = key};
    if (!derivation_init(&why.d, session, session->bench.run, head, query, err)) return false;
    text_init(&why.out);
    text_init(&why.line);
    why.working =
        (Working){.out = &why.line, .digits = session->bench.settings.digits, .latex = latex};
    if (latex) text_string(&why.out, "\\begin{align*}\n");
    else put_question(&why);
    bool ok = put_all(&why, err);
    if (latex) text_string(&why.out, "\\end{align*}\n");
    else working_write_note(&why.working, &why.line);
    if (why.line.length) put_line(&why);
    text_release(&why.line);
    derivation_release(&why.d);
    if (!ok) return text_release(&why.out), false;
    return host_write_text(session->interp.host, &why.out, err);
}

static bool why_command(Session *session, CommandCall *call, Error *err) {
    size_t query, key, head = 0;
    bool latex = false;
    if (!session_need_run(session, err)) return false;
    const Run *run = session->bench.run;
    if (!place_argument(call, "query", query_labels(session, run->queries), run->queries, &query,
                        err) ||
        !place_argument(call, "key", key_labels(session, run->keys), run->keys, &key, err) ||
        !head_argument(call, run, &head, err))
        return false;
    if (command_take(call, "as") && !(latex = command_take(call, "latex")))
        return error_set(err, ERR_SYNTAX,
                         "a derivation is written as latex, or without `as` as text"),
               command_error_at(call, call->next, err);
    return command_finish(call, err) && explain(session, query, key, head, latex, err);
}

const CommandDef why_commands[] = {
    {{.name = "why", .words = "head as latex"},
     why_command,
     false,
     "why QUERY KEY [head h] [as latex]",
     "The derivation of one weight, and of what it adds to the output of the query, with the real "
     "numbers in the formula. Queries and keys are numbers from 0, from the end when negative, or "
     "tokens in quotes; without a head it is head 0. as latex writes the lines of an align* "
     "environment.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\nwhy 0 1\nwhy 0 1 as latex",
     "trace weights"},
    {.syntax = {.name = NULL}},
};

#include "session/explain/derivation.h"

#include "base/memory.h"
#include "base/number.h"
#include "session/bench/result_view.h"
#include "session/bench/measure.h"
#include "session/bench/run_words.h"

#include <math.h>
#include <string.h>

/* ---- the numbers, out of the trace ---- */

static double *read_numbers(double **room, const Tensor *tensor, size_t first, size_t count) {
    double *numbers = *room;
    if (!tensor) return NULL;
    tensor_read(tensor, first, count, numbers);
    *room += count;
    return numbers;
}

static void read_trace(Derivation *d, const RunRows *rows) {
    const AttentionTrace *trace = rows->trace;
    size_t h = d->head, n = d->keys, row = run_rows_at(rows, h, d->query), at = row * n;
    double *room = d->numbers;
    d->q = read_numbers(&room, trace->q, row * d->d_k, d->d_k);
    d->k = read_numbers(&room, trace->k, h * n * d->d_k, n * d->d_k);
    d->v = read_numbers(&room, trace->v, h * n * d->d_v, n * d->d_v);
    d->product = read_numbers(&room, trace->products, at, n);
    d->position = read_numbers(&room, trace->position, at, n);
    d->added = read_numbers(&room, trace->added, at, n);
    d->score = read_numbers(&room, trace->scores, at, n);
    d->exponential = read_numbers(&room, trace->exponentials, at, n);
    d->weight = read_numbers(&room, trace->weights, at, n);
    d->scale = trace->scale;
    d->maximum = tensor_get(trace->maximum, row);
    d->sum = tensor_get(trace->sum, row);
    d->scaled = room;
    d->less = d->scaled + n;
    d->over = d->less + n;
    d->output = d->over + n;
    for (size_t j = 0; j < n; j++) {
        d->visible[j] = tensor_get(trace->visible, at + j) != 0;
        d->visible_count += d->visible[j];
        d->scaled[j] = d->product[j] * d->scale;
        d->less[j] = d->visible[j] ? d->score[j] - d->maximum : NAN;
        d->over[j] = d->less[j] / d->run->given.spec.temperature;
    }

    /* The first key with the largest score, or with a score of nan, which decides the result. */
    bool undefined = isnan(d->maximum);
    while (d->best + 1 < n &&
           !(d->visible[d->best] &&
             (undefined ? isnan(d->score[d->best]) : d->score[d->best] == d->maximum)))
        d->best++;

    /* The output of this head is summed from its weights, since Wo may have mixed what the run
     * keeps. */
    for (size_t c = 0; c < d->d_v; c++) {
        d->output[c] = 0;
        for (size_t j = 0; j < n; j++)
            if (d->visible[j]) d->output[c] += d->weight[j] * d->v[j * d->d_v + c];
    }
}

/* ---- the steps ---- */

/* The title of each, and the text before the = of a line, as text and in LaTeX. */
static const char *const step_names[STEP_KINDS][3] = {
    [STEP_PRODUCT] = {"q·k", "q·k", "q \\cdot k"},
    [STEP_SCALED] = {"scaled"},
    [STEP_POSITION] = {"position"},
    [STEP_ADDED] = {"added"},
    [STEP_SCORE] = {"score", "score", "s"},
    [STEP_LESS_MAX] = {"less max"},
    [STEP_OVER_TEMPERATURE] = {"over τ"},
    [STEP_EXPONENTIAL] = {"exp", "e", "e"},
    [STEP_SUM] = {"sum", "sum of e", "Z"},
    [STEP_WEIGHT] = {"weight", "weight", "w"},
    [STEP_CONTRIBUTION] = {"it adds", "it adds", "w \\cdot v"},
    [STEP_OUTPUT] = {"to", "to the output"},
    [STEP_ENTROPY] = {"entropy"}};

static void add_term(Step *step, char operator, StepKind of) {
    step->terms[step->count++] = (StepTerm){operator, of, 0};
}

static void add_number(Step *step, char operator, double number) {
    step->terms[step->count++] = (StepTerm){operator, STEP_KINDS, number};
}

/* numbers: one for each key, or NULL. from: the step of its first operand; STEP_KINDS: none. */
static Step *add_step(Derivation *d, StepKind kind, const double *numbers, StepKind from) {
    const char *const *names = step_names[kind];
    Step *step = &d->steps[kind];
    *step = (Step){.title = names[0], .left = names[1], .latex = names[2], .numbers = numbers};
    if (from != STEP_KINDS) add_term(step, 0, from);
    return step;
}

/* The one list of what is computed for a query, in its order. */
static void list_steps(Derivation *d) {
    bool sum = d->position || d->added;
    add_step(d, STEP_PRODUCT, d->product, STEP_KINDS);
    Step *step =
        add_step(d, sum ? STEP_SCALED : STEP_SCORE, sum ? d->scaled : d->score, STEP_PRODUCT);
    add_number(step, '*', d->scale);
    if (sum) step = add_step(d, STEP_SCORE, d->score, STEP_SCALED);
    if (d->position) {
        add_step(d, STEP_POSITION, d->position, STEP_KINDS);
        add_term(step, '+', STEP_POSITION);
    }
    if (d->added) {
        add_step(d, STEP_ADDED, d->added, STEP_KINDS);
        add_term(step, '+', STEP_ADDED);
    }

    add_number(add_step(d, STEP_LESS_MAX, d->less, STEP_SCORE), '-', d->maximum);
    if (derivation_has_temperature(d)) {
        step = add_step(d, STEP_OVER_TEMPERATURE, d->over, STEP_LESS_MAX);
        add_number(step, '/', d->run->given.spec.temperature);
        add_step(d, STEP_EXPONENTIAL, d->exponential, STEP_OVER_TEMPERATURE);
    } else {
        add_step(d, STEP_EXPONENTIAL, d->exponential, STEP_KINDS)->title = "share";
    }
    add_step(d, STEP_SUM, NULL, STEP_KINDS)->number = d->sum;
    add_term(add_step(d, STEP_WEIGHT, d->weight, STEP_EXPONENTIAL), '/', STEP_SUM);

    add_step(d, STEP_CONTRIBUTION, NULL, STEP_KINDS);
    add_step(d, STEP_OUTPUT, NULL, STEP_KINDS);
    add_step(d, STEP_ENTROPY, NULL, STEP_KINDS)->number =
        tensor_get(d->run->result.entropy, d->head * d->run->queries + d->query);
}

bool derivation_init(Derivation *d, const Session *session, const Run *run, size_t head,
                     size_t query, Error *err) {
    LocalRunRows rows = {.run = NULL};
    *d = (Derivation){.run = run,
                      .head = head,
                      .query = query,
                      .keys = run->keys,
                      .d_k = run->d_k,
                      .d_v = run->d_v};
    d->queries = query_labels(session, run->queries);
    d->keys_tokens = key_labels(session, run->keys);
    d->numbers =
        mem_aligned((d->d_k + d->d_v + d->keys * (d->d_k + d->d_v + 9)) * sizeof(double), err);
    d->visible = d->numbers ? mem_alloc((d->keys + 1) * sizeof *d->visible, err) : NULL;
    if (d->visible && run_rows_init(&rows, run, err) && run_rows_take(&rows, query, 1, err)) {
        read_trace(d, &rows);
        list_steps(d);
        return true;
    }
    derivation_release(d);
    return false;
}

void derivation_release(Derivation *d) {
    mem_free(d->numbers);
    mem_free(d->visible);
    d->numbers = NULL;
    d->visible = NULL;
}

bool derivation_has_temperature(const Derivation *d) {
    double temperature = d->run->given.spec.temperature;
    return temperature > 0 && isfinite(temperature);
}

/* ---- a step with its numbers ---- */

double step_apply(double left, char operator, double right) {
    switch (operator) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    case '/': return left / right;
    default: return right;
    }
}

static double term_number(const Derivation *d, const StepTerm *term, size_t key) {
    if (term->step == STEP_KINDS) return term->number;
    const Step *step = &d->steps[term->step];
    return step->numbers ? step->numbers[key] : step->number;
}

/* Writes steps that give a number. A division by the temperature or the sum is the last operation
 * of its formula, so that all before it is the numerator. */
static void write_formula(const Derivation *d, StepKind first, StepKind last, size_t key,
                          Working *w) {
    enum { TERMS_MOST = 8 };
    const StepTerm *terms[TERMS_MOST];
    size_t count = 0;
    for (StepKind kind = first; kind <= last;
         kind++) /* each begins with what the one before gave */
        for (size_t t = count > 0; t < d->steps[kind].count; t++)
            terms[count++] = &d->steps[kind].terms[t];
    bool divided = count > 1 && terms[count - 1]->operator== '/', sum = count > 2,
         exponential = last == STEP_EXPONENTIAL;

    double printed = 0;
    if (exponential) text_string(w->out, w->latex ? "\\exp\\left(" : "exp(");
    if (divided) text_string(w->out, w->latex ? "\\frac{" : sum ? "(" : "");
    for (size_t t = 0; t < count; t++) {
        char operator= terms[t]->operator;
        double x = term_number(d, terms[t], key);
        bool factor = t > 0 ? operator!= '/' : count> 1 && terms[1]->operator== '*';
        switch (operator) {
        case '+': text_string(w->out, " + "); break;
        case '-': text_string(w->out, " - "); break;
        case '*': text_string(w->out, w->latex ? " \\cdot " : " × "); break;
        case '/': text_string(w->out, w->latex ? "}{" : sum ? ") / " : " / "); break;
        default: break;
        }
        printed =
            step_apply(printed, operator, factor ? working_factor(w, x) : working_number(w, x));
    }
    if (divided && w->latex) text_char(w->out, '}');
    if (exponential) text_string(w->out, w->latex ? "\\right)" : ")");
    working_result(w, exponential ? exp(printed) : printed, d->steps[last].numbers[key]);
}

void derivation_write_step(const Derivation *d, StepKind first, StepKind last, size_t key,
                           Working *w) {
    switch (last) {
    case STEP_PRODUCT: working_sum(w, d->q, d->k + key * d->d_k, d->d_k, d->product[key]); break;
    case STEP_SUM: working_number(w, d->sum); break;
    case STEP_CONTRIBUTION:
        working_scaled_vector(w, d->weight[key], d->v + key * d->d_v, d->d_v);
        break;
    case STEP_OUTPUT: working_vector(w, d->output, d->d_v); break;
    case STEP_ENTROPY: {
        double most = log((double)d->visible_count);
        working_number(w, d->steps[STEP_ENTROPY].number);
        text_format(w->out, ", of ln %zu", d->visible_count);
        working_result(w, most, most);
        break;
    }
    default: write_formula(d, first, last, key, w);
    }
}

void derivation_write_best(const Derivation *d, Text *out) {
    size_t others = 0;
    for (size_t j = d->best + 1; j < d->keys; j++)
        others += d->visible[j] && d->score[j] == d->maximum;
    text_string(out, "key ");
    place_write(out, d->keys_tokens, d->best);
    if (others) text_format(out, " and %zu more", others);
}

void derivation_write_undefined(const Derivation *d, Working *w) {
    text_string(w->out, "key ");
    place_write(w->out, d->keys_tokens, d->best);
    text_string(w->out, " has the score ");
    working_number(w, d->score[d->best]);
    text_string(w->out, isnan(d->maximum) ? ", and" : ", and inf - inf is nan:");
    text_string(w->out, " what is computed with it is nan: the weights of all keys that are seen, "
                        "the entropy and the output.");
}

void derivation_write_words(const Derivation *d, StepKind step, size_t key, Text *out) {
    const AttentionSpec *spec = &d->run->given.spec;
    switch (step) {
    case STEP_SCORE:
        if (spec->scale_sqrt) text_format(out, "the scale is 1/√%zu", d->d_k);
        if (spec->scale_sqrt && d->position) text_string(out, ", ");
        if (d->position) text_string(out, "the position "), position_write(out, &spec->position);
        break;
    case STEP_LESS_MAX:
        if (d->best == key || d->score[key] == d->maximum) {
            text_string(out, "its own");
        } else {
            text_string(out, "of ");
            derivation_write_best(d, out);
        }
        break;
    case STEP_EXPONENTIAL: /* a share, where the temperature is 0 or inf */
        if (spec->temperature > 0)
            text_format(out, "τ inf: all %zu visible keys alike", d->visible_count);
        else if (d->exponential[key] != 0 && d->sum > 1)
            text_format(out, "τ 0: one of %.15g with the largest score", d->sum);
        else if (d->exponential[key] != 0) text_string(out, "τ 0: it has the largest score");
        else {
            text_string(out, "τ 0: only the largest score counts, that of ");
            derivation_write_best(d, out);
        }
        break;
    case STEP_SUM:
        text_format(out, "over the %zu key%s that it sees", d->visible_count,
                    d->visible_count == 1 ? "" : "s");
        break;
    case STEP_WEIGHT: /* of a key that is hidden */
        if (d->score[key] == -INFINITY) {
            text_string(out, "a score of -inf hides the key");
        } else {
            text_string(out, "hidden by the mask ");
            mask_write(out, &spec->mask);
        }
        break;
    default: break;
    }
}

/* ---- where the query's numbers come from ---- */

bool derivation_write_query(const Derivation *d, Working *w, Error *err) {
    const Run *run = d->run;
    const AttentionSpec *spec = &run->given.spec;
    bool projected = run->given.weights.q, rotated = position_turns(spec->position.kind),
         added = position_is_additive(spec->position.kind), several = run->heads > 1,
         cut = several && !projected;

    /* The row of the query as it was given, "X[2]" or "Q[2, 4:8]": all columns where Wq meets it,
     * else those of the head. */
    size_t columns = run->given.q->shape.size[1], from = cut ? d->head * d->d_k : 0,
           width = projected ? columns : d->d_k;
    LocalMemory double *given = doubles_of(run->given.q, d->query * columns + from, width, err);
    if (!given) return false;
    LocalText name = TEXT_FOR(w->out);
    text_format(&name, "%.*s", (int)run->query_name, run->names);
    if (!run->one_query) text_format(&name, "[%zu%s", d->query, cut ? ", " : "]");
    else if (cut) text_char(&name, '[');
    if (cut) text_format(&name, "%zu:%zu]", from, from + d->d_k);

    if (added) {
        if (!projected) text_string(w->out, "q = ");
        /* "x + p = sum", where p are the position's numbers of the same columns. */
        LocalTensor *rows =
            position_rows(&spec->position, 1, columns, spec->offset + (long long)d->query, err);
        LocalMemory double *p = rows ? doubles_of(rows, from, width, err) : NULL;
        LocalMemory double *printed = p ? mem_aligned((width + 1) * sizeof *printed, err) : NULL;
        if (!printed) return false;
        text_format(w->out, "%s + position = ", name.data);
        working_vector(w, given, width);
        text_string(w->out, " + ");
        working_vector(w, p, width);
        for (size_t i = 0; i < width; i++) {
            printed[i] = number_as_shown(given[i], w->digits) + number_as_shown(p[i], w->digits);
            p[i] += given[i];
        }
        working_vector_result(w, printed, projected ? p : d->q, width);
        text_char(w->out, '\n');
        if (!projected) return true;
    }

    bool same = !projected && strcmp(name.data, "q") == 0; /* attend q K V: not q = q = ... */
    if (!same) text_string(w->out, "q = ");
    if (projected) {
        if (several) text_char(w->out, '(');
        text_format(w->out, added ? "(%s + position) @ Wq" : "%s @ Wq", name.data);
        if (several) text_format(w->out, ")[%zu:%zu]", d->head * d->d_k, (d->head + 1) * d->d_k);
    } else {
        text_string(w->out, name.data);
    }
    if (rotated) text_string(w->out, ", turned by its place,");
    text_string(w->out, " = ");
    working_vector(w, d->q, d->d_k);
    text_char(w->out, '\n');
    if (projected || !rotated) return true;

    /* The first pair of columns is rotated by the position itself, in radians. */
    long long place = spec->offset + (long long)d->query;
    text_format(w->out, "its first two columns by %lld rad: ", place);
    double printed = working_factor(w, given[0]) * cos((double)place);
    text_format(w->out, "×cos(%lld) - ", place);
    printed -= working_factor(w, given[1]) * sin((double)place);
    text_format(w->out, "×sin(%lld)", place);
    working_result(w, printed, d->q[0]);
    text_char(w->out, '\n');
    return true;
}

/* ---- words ---- */

void derivation_write_head(const Derivation *d, Text *out) {
    if (d->run->heads > 1) text_format(out, ", head %zu of %zu", d->head, d->run->heads);
}

/* Writes "The mask hides 2 keys: 4, 5." or the like of keys whose score is -inf. */
static void write_hidden_keys(const Derivation *d, bool by_score, const char *before, Text *out) {
    enum { LISTED_MOST = 12 };
    size_t hidden = 0, listed = 0;
    for (size_t j = 0; j < d->keys; j++)
        hidden += !d->visible[j] && (d->score[j] == -INFINITY) == by_score;
    if (hidden == 0) return;
    text_format(out, "%s%s hides %zu key%s: ", before, by_score ? "A score of -inf" : "The mask",
                hidden, hidden == 1 ? "" : "s");
    for (size_t j = 0; j < d->keys && listed < LISTED_MOST; j++) {
        if (d->visible[j] || (d->score[j] == -INFINITY) != by_score) continue;
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

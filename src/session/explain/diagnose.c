/* diagnose: finds what is wrong or notable on the bench, and which setting puts it right; when
 * nothing is, says what was looked at. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/translate.h"
#include "engine/attention/weights.h"
#include "session/bench/attend.h"
#include "session/bench/measure.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"

#include <math.h>
#include <string.h>

/* ---- what is found ---- */

enum { FOUND_SATURATED = 1, FOUND_EVEN = 2, FOUND_EMPTY = 4, FOUND_VARIANCE = 8 };

typedef struct Findings {
    const Run *run;  /* borrowed */
    unsigned found;  /* FOUND_... */
    size_t rows;     /* the number of rows that were examined */
    bool *saturated; /* for each row of each head: a weight above 0.99 */
    bool *even;      /* for each row of each head: an entropy above 0.99 of ln n_visible */
    bool *undefined; /* for each row of each head: a weight is not finite */
    double *norms;   /* of the derivative of each row by its scores; 0 at temperature 0 */
    double *weights; /* of the row that is being read */
    size_t saturated_count, even_count, undefined_count;
    double largest, most_even; /* the largest weight; the largest share of an entropy's ceiling */
    double variance;           /* mean over the rows, of the visible scores of a row */
} Findings;

static const double SATURATED = 0.99, EVEN = 0.99, VARIANCE_LOW = 0.25, VARIANCE_HIGH = 4;

static void read_row(void *context, const RunRows *rows, size_t row, size_t at) {
    Findings *findings = context;
    const Run *run = rows->run;
    double *weights = findings->weights, most = 0, temperature = run->given.spec.temperature;
    size_t seen = run_rows_seen(rows, at);
    tensor_read(rows->trace->weights, at * run->keys, run->keys,
                weights); /* 0 where it is hidden */
    for (size_t j = 0; j < run->keys; j++) {
        most = fmax(most, weights[j]);
        if (!isfinite(weights[j])) findings->undefined[row] = true;
    }
    findings->undefined_count += findings->undefined[row];
    if (seen < 2) return;
    findings->rows++;
    findings->variance += run_rows_variance(rows, at);
    double share = tensor_get(run->result.entropy, row) / log((double)seen);
    findings->largest = fmax(findings->largest, most);
    findings->most_even = fmax(findings->most_even, share);
    findings->saturated[row] = most > SATURATED;
    findings->saturated_count += findings->saturated[row];
    findings->even[row] = share > EVEN;
    findings->even_count += findings->even[row];
    if (temperature > 0)
        findings->norms[row] = weights_jacobian_norm(weights, run->keys) / temperature;
}

static void findings_release(Findings *findings) {
    mem_free(findings->saturated);
    mem_free(findings->norms);
}

static bool findings_init(Findings *findings, const Run *run, Error *err) {
    size_t rows = run->heads * run->queries;
    *findings = (Findings){.run = run};
    findings->saturated = mem_zeroed(3 * rows + 1, sizeof *findings->saturated, err);
    if (findings->saturated) {
        findings->even = findings->saturated + rows;
        findings->undefined = findings->even + rows;
        findings->norms = mem_zeroed(rows + run->keys + 1, sizeof *findings->norms, err);
    }
    if (findings->norms) findings->weights = findings->norms + rows;
    if (!findings->norms || !run_rows_each(run, read_row, findings, err)) {
        findings_release(findings);
        return false;
    }

    if (findings->rows > 0) {
        findings->variance /= (double)findings->rows;
        if (findings->variance > VARIANCE_HIGH || findings->variance < VARIANCE_LOW)
            findings->found |= FOUND_VARIANCE;
    }
    if (findings->saturated_count) findings->found |= FOUND_SATURATED;
    if (findings->even_count) findings->found |= FOUND_EVEN;
    if (run->result.empty_rows) findings->found |= FOUND_EMPTY;
    return true;
}

/* ---- which setting puts it right: candidates are tried on the inputs of the bench ---- */

enum { DIGITS = 2, TEMPERATURES = 7, CANDIDATES_MOST = TEMPERATURES + 8 };

/* One setting at another value: a number, or its default, which is `word`. */
typedef struct Candidate {
    const char *setting, *word;
    double number; /* of scale and temperature, where `word` is NULL */
} Candidate;

typedef struct Candidates {
    Candidate items[CANDIDATES_MOST];
    size_t count;
} Candidates;

static void add_candidate(Candidates *all, const char *setting, const char *word, double number) {
    number = number_as_shown(number, DIGITS);
    if (word || (isfinite(number) && number != 0))
        all->items[all->count++] = (Candidate){setting, word, number};
}

/* Sets *found to what is found with a candidate, and *variance to the scores'; ~0 and 0 where the
 * inputs do not fit it. False when memory runs out or on Ctrl-C. */
static bool try_candidate(Session *session, const Candidate *candidate, unsigned *found,
                          double *variance, Error *err) {
    LocalSettings settings;
    settings_copy(&settings, &session->bench.settings);
    if (candidate->word) {
        setting_reset(setting_find(candidate->setting), &settings);
    } else if (strcmp(candidate->setting, "scale") == 0) {
        settings.scale_sqrt = false;
        settings.scale = candidate->number;
    } else {
        settings.temperature = candidate->number;
    }
    Error misfit = {.kind = ERR_NONE};
    LocalObject Run *run =
        bench_run(session, &session->bench.inputs, &settings, TRACE_LATER, &misfit);
    *found = ~0u;
    *variance = 0;
    if (!run) {
        bool failed = misfit.kind == ERR_LIMIT || misfit.kind == ERR_INTERRUPT;
        if (failed) *err = misfit;
        return !failed;
    }
    Findings findings;
    if (!findings_init(&findings, run, err)) return false;
    *found = findings.found;
    *variance = findings.variance;
    findings_release(&findings);
    return true;
}

/* ---- what is said ---- */

/* The finding that is being written: a sentence, or nothing, and the line to type against it. */
typedef struct Diagnosis {
    Session *session;
    const Findings *findings;
    bool stale; /* the inputs have changed since the run, so that no setting is tried on them */
    Text sentence, remedy;
} Diagnosis;

static void write_shown(Diagnosis *d, double x) {
    number_write(&d->sentence, x, d->session->bench.settings.digits);
}

/* "more spread: set temperature 2": what to type so that `found` (one of FOUND_...) is gone; of
 * several settings that do it the first that leaves nothing else either. */
static bool suggest(Diagnosis *d, const char *what, unsigned found, Error *err) {
    if (d->stale) {
        text_string(&d->remedy, "for the inputs as they are now: attend; diagnose");
        return true;
    }

    /* A variance of 0, as the scale 0 gives, or of more than a number can be does not tell at which
     * scale it is 1: scores at another scale are measured. */
    const Findings *findings = d->findings;
    const AttentionSpec *spec = &findings->run->given.spec;
    double scale = spec->scale_sqrt ? 1 / sqrt((double)findings->run->d_k) : spec->scale;
    double variance = findings->variance;
    unsigned left; /* the findings that remain */
    if (variance == 0 || isinf(variance)) {
        Candidate other = {"scale", NULL, variance == 0 ? 1 : scale * 1e-160};
        scale = other.number;
        if (!try_candidate(d->session, &other, &left, &variance, err)) return false;
    }

    /* The candidates that explain most are first. */
    Candidates all = {.count = 0};
    bool uneven = findings->found & FOUND_VARIANCE;
    if (found == FOUND_EMPTY) {
        add_candidate(&all, "mask", "none", 0);
    } else {
        if (!uneven && spec->temperature != 1) add_candidate(&all, "temperature", NULL, 1);
        if (!spec->scale_sqrt) add_candidate(&all, "scale", "sqrt", 0);
        if (uneven) add_candidate(&all, "scale", NULL, scale / sqrt(variance));
        /* Steps of 2 from the temperature at which the scores have the spread 1. */
        double factor = found == FOUND_SATURATED ? 2 : 0.5;
        for (int i = 0; found != FOUND_VARIANCE && i < TEMPERATURES; i++)
            add_candidate(&all, "temperature", NULL, sqrt(findings->variance) * pow(factor, i));
        if (position_is_bias(spec->position.kind)) add_candidate(&all, "position", "none", 0);
        if (mask_has_numbers(&spec->mask)) add_candidate(&all, "mask", "none", 0);
    }

    const Candidate *best = NULL;
    left = ~0u;
    for (size_t i = 0; i < all.count && left != 0; i++) {
        if (!try_candidate(d->session, &all.items[i], &left, &variance, err)) return false;
        if (!(left & found) && (!best || left == 0)) best = &all.items[i];
    }
    if (!best) {
        text_string(&d->remedy, "no setting that was tried mends it, other inputs may");
        return true;
    }
    text_format(&d->remedy, "%s: set %s ", what, best->setting);
    if (best->word) text_string(&d->remedy, best->word);
    else number_write_shortest(&d->remedy, best->number, false);
    return true;
}

/* ---- numbers that are not finite ---- */

/* Appends "K[2, 1] is nan", or where there are several "K[2, 1] is nan, the first of 3 such
 * numbers". Returns false if all numbers are finite; in a mask -inf may be, which hides. array:
 * NULL has none. */
static bool write_first_in(const char *name, const Tensor *array, bool mask, Text *out) {
    size_t count = 0, first = 0, size = array ? array->count : 0;
    for (size_t i = size; i-- > 0;) {
        double x = tensor_get(array, i);
        if (isfinite(x) || (mask && x == -INFINITY)) continue;
        first = i;
        count++;
    }
    if (!count) return false;
    text_format(out, "%s[", name);
    for (int a = 0; a < array->shape.axes; a++) {
        size /= array->shape.size[a];
        text_format(out, "%s%zu", a ? ", " : "", first / size % array->shape.size[a]);
    }
    text_string(out, "] is ");
    number_write(out, tensor_get(array, first), 1);
    if (count > 1) text_format(out, ", the first of %zu such numbers", count);
    return true;
}

/* Appends that for the first input of the run that has such a number. Returns false if none has. */
static bool write_first(const Session *session, const Run *run, Text *out) {
    const AttentionGiven *given = &run->given;
    const Inputs *inputs = &session->bench.inputs;
    const Tensor *arrays[INPUTS_MOST] = {given->q, given->k, given->v};
    const Tensor *weights[] = {given->weights.q, given->weights.k, given->weights.v,
                               given->weights.o};
    static const char *const roles[][INPUTS_MOST] = {{"Q", "K", "V"}, {"X", "Y", ""}};
    const MaskSpec *mask = &given->spec.mask;
    bool found = false;
    for (size_t i = 0; !found && i < INPUTS_MOST; i++)
        found = write_first_in(input_name(&inputs->items[i], roles[given->multihead][i]), arrays[i],
                               false, out);
    for (size_t i = 0; !found && i < 4; i++)
        found = write_first_in(projection_names[i], weights[i], false, out);
    for (int t = 0; !found && t < mask->count; t++) {
        const Symbol *symbol = session->bench.settings.mask_names[t];
        found = mask_adds(&mask->terms[t]) &&
                write_first_in(symbol ? symbol->name : "the mask", mask->terms[t].array, true, out);
    }
    return found;
}

/* Writes the first queries whose rows are marked (a mark for each query of each head), and how many
 * more there are. */
static void write_marked_rows(Diagnosis *d, const bool *rows, size_t heads) {
    enum { LISTED_MOST = 6 };
    const Run *run = d->findings->run;
    size_t count = 0;
    for (size_t row = 0; row < heads * run->queries; row++) {
        if (!rows[row] || count++ >= LISTED_MOST) continue;
        if (count > 1) text_string(&d->sentence, ", ");
        place_write(&d->sentence, query_labels(d->session, run->queries), row % run->queries);
        if (heads > 1) text_format(&d->sentence, " of head %zu", row / run->queries);
    }
    if (count > LISTED_MOST) text_format(&d->sentence, " and %zu more", count - LISTED_MOST);
}

/* Appends "; the weights of 2 of 3 queries (0, 2) are nan". */
static void write_rows(Diagnosis *d, const char *what, const bool *rows, size_t heads,
                       size_t count) {
    size_t all = heads * d->findings->run->queries;
    if (count == 0) return;
    if (count == all) {
        text_format(&d->sentence, "; %s of all %zu %s are not finite", what, all,
                    all == 1 ? "query" : "queries");
        return;
    }
    text_format(&d->sentence, "; %s of %zu of %zu queries are not finite (", what, count, all);
    write_marked_rows(d, rows, heads);
    text_char(&d->sentence, ')');
}

/* Writes a sentence that names the first such number of the inputs, or says that finite ones led
 * there, and the queries whose weights or outputs are not finite. Nothing when all are finite. */
static bool say_non_finite(Diagnosis *d, Error *err) {
    const Findings *findings = d->findings;
    const Run *run = findings->run;
    Text *sentence = &d->sentence;
    const Tensor *output = run->result.output;
    size_t width = output->shape.size[1], weights = findings->undefined_count, outputs = 0;
    LocalText input = TEXT_EMPTY;
    bool found = write_first(d->session, run, &input);
    LocalMemory bool *bad_output = mem_zeroed(run->queries + 1, sizeof *bad_output, err);
    if (!bad_output || !text_ok(&input, err)) return false;
    for (size_t i = 0; i < run->queries; i++) {
        for (size_t j = 0; j < width; j++)
            if (!isfinite(tensor_get(output, i * width + j))) bad_output[i] = true;
        outputs += bad_output[i];
    }
    if (!found && !weights && !outputs) return true;
    text_string(sentence, "not finite: ");
    text_string(sentence, found ? input.data
                                : "the inputs are finite, but so large that what is computed is "
                                  "not");
    write_rows(d, "the weights", findings->undefined, run->heads, weights);
    write_rows(d, "the outputs", bad_output, 1, outputs);
    if (!weights && !outputs) text_string(sentence, "; no weight and no output has it");
    return true;
}

/* ---- the other findings ---- */

static bool say_saturated(Diagnosis *d, Error *err) {
    const Findings *findings = d->findings;
    size_t count = findings->saturated_count;
    double norm = 0;
    if (count == 0) return true;
    for (size_t row = 0; row < findings->run->heads * findings->run->queries; row++)
        if (findings->saturated[row]) norm += findings->norms[row] / (double)count;
    text_format(&d->sentence, "saturated: %zu of %zu queries put%s more than 0.99 on one key (",
                count, findings->rows, count == 1 ? "s" : "");
    write_marked_rows(d, findings->saturated, findings->run->heads);
    text_string(&d->sentence,
                "); the gradient that is left there, the mean norm of ∂weights/∂scores, is ");
    write_shown(d, norm);
    return suggest(d, "more spread", FOUND_SATURATED, err);
}

static bool say_even(Diagnosis *d, Error *err) {
    const Findings *findings = d->findings;
    size_t count = findings->even_count;
    if (count == 0) return true;
    text_format(&d->sentence, "spread evenly: %zu of %zu queries look%s at all %s keys alike (",
                count, findings->rows, count == 1 ? "s" : "", count == 1 ? "its" : "their");
    write_marked_rows(d, findings->even, findings->run->heads);
    text_string(&d->sentence, "): the entropy is at its ceiling, above 0.99 of it");
    return suggest(d, "more contrast", FOUND_EVEN, err);
}

static bool say_empty(Diagnosis *d, Error *err) {
    const Run *run = d->findings->run;
    size_t count = run->result.empty_rows;
    if (count == 0) return true;
    text_format(&d->sentence,
                "empty: %zu of %zu queries see%s no key: the weights and the output are 0 there "
                "and no gradient passes",
                count, run->heads * run->queries, count == 1 ? "s" : "");
    return suggest(d, "without the mask", FOUND_EMPTY, err);
}

static bool say_variance(Diagnosis *d, Error *err) {
    bool high = d->findings->variance > VARIANCE_HIGH;
    if (!(d->findings->found & FOUND_VARIANCE)) return true;
    text_string(&d->sentence, "variance: the scores of a query have the variance ");
    write_shown(d, d->findings->variance);
    text_string(&d->sentence,
                high ? " on average, more than 4: at temperature 1 the softmax tends to one key"
                     : " on average, less than 0.25: at temperature 1 the softmax tends to the "
                       "mean of all values");
    return suggest(d, high ? "less" : "more", FOUND_VARIANCE, err);
}

/* The pairs of positions that an encoding cannot tell apart. */
typedef struct Aliases {
    size_t count, first, second; /* the first pair */
    double cosine;
} Aliases;

static bool count_aliases(const Run *run, const PositionSpec *position, Aliases *out, Error *err) {
    enum { PLACES_MOST = 2048 };
    static const double ALIKE = 0.999;
    size_t n = run->queries > run->keys ? run->queries : run->keys;
    if (n > PLACES_MOST) n = PLACES_MOST;

    /* The numbers that tell positions apart: those that are added, or the angles' cosines and
     * sines. */
    long long offset = run->given.spec.offset;
    LocalTensor *rows = position_is_additive(position->kind)
                            ? position_rows(position, n, run->given.q->shape.size[1], offset, err)
                            : position_sinusoidal(n, run->d_k, 10000, (double)offset, err);
    if (!rows) return false;

    /* Rows of length 1, so that a product of two is their cosine; rows of zeros stay. */
    size_t width = rows->shape.size[1];
    double *x = tensor_doubles(rows);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t c = 0; c < width; c++) sum += x[i * width + c] * x[i * width + c];
        for (size_t c = 0; c < width && sum > 0; c++) x[i * width + c] /= sqrt(sum);
    }

    *out = (Aliases){.count = 0};
    for (size_t i = 0; i < n && !interrupt_flag; i++)
        for (size_t j = i + 1; j < n; j++) {
            double cosine = 0;
            for (size_t c = 0; c < width; c++) cosine += x[i * width + c] * x[j * width + c];
            if (cosine <= ALIKE) continue;
            if (out->count == 0) *out = (Aliases){0, i, j, cosine};
            out->count++;
        }
    return !interrupted(err);
}

static bool say_aliases(Diagnosis *d, Error *err) {
    const Run *run = d->findings->run;
    const PositionSpec *position = &run->given.spec.position;
    PositionSpec sinusoidal = {.kind = &sinusoidal_position};
    bool learned = position->kind == &learned_position, trained = learned && position->has_number;
    Aliases aliases, others = {.count = 1};
    if (!position_is_additive(position->kind) && !position_turns(position->kind)) return true;
    if (!count_aliases(run, position, &aliases, err)) return false;
    if (aliases.count == 0) return true;
    bool many = aliases.count > 1;
    text_format(&d->sentence, "aliases: %zu pair%s of places look%s the same to the position ",
                aliases.count, many ? "s" : "", many ? "" : "s");
    position_write(&d->sentence, position);
    text_format(&d->sentence, ", %zu and %zu first (cosine ", aliases.first, aliases.second);
    write_shown(d, aliases.cosine);
    text_string(&d->sentence, trained ? "): places past those that were trained share the last row"
                                      : "): so few columns do not tell so many places apart");

    /* Angles may come round again, so that positions look alike; distances do not. */
    if (learned && !count_aliases(run, &sinusoidal, &others, err)) return false;
    text_string(&d->remedy, trained ? "each its own: " : "more columns, or: ");
    text_string(&d->remedy, others.count == 0 ? "set position sinusoidal" : "set position alibi");
    return true;
}

static bool say_additive_mask(Diagnosis *d, Error *err) {
    const MaskSpec *mask = &d->findings->run->given.spec.mask;
    (void)err;
    if (settings_mask_remedy(&d->session->bench.settings, mask, NULL, &d->remedy))
        text_string(&d->sentence, "mask: an array of numbers is added to the scores, and this one "
                                  "holds only 0 and 1, so it hides nothing");
    return true;
}

/* Says when nothing was found which figures were looked at, and where each would be notable. */
static void say_all_is_well(Diagnosis *d) {
    const Findings *findings = d->findings;
    if (findings->rows == 0) {
        text_string(&d->sentence, "nothing to judge: no query sees two keys or more");
        return;
    }
    text_format(&d->sentence, "nothing wrong in %zu quer%s: the largest weight is ", findings->rows,
                findings->rows == 1 ? "y" : "ies");
    write_shown(d, findings->largest);
    text_string(&d->sentence, " (saturated above 0.99), the highest entropy ");
    write_shown(d, findings->most_even);
    text_string(&d->sentence, " of its ceiling (even above 0.99), the variance of the scores ");
    write_shown(d, findings->variance);
    text_string(&d->sentence, " (usual: 0.25 to 4)");
}

/* Appends the sentence, and the remedy on a line of its own, since it is to be typed. */
static bool write_diagnosis(Diagnosis *d, Text *out, Error *err) {
    if (!text_ok(&d->sentence, err) || !text_ok(&d->remedy, err)) return false;
    if (d->sentence.length) text_say_wrapped(out, d->sentence.data, session_columns(d->session));
    if (d->remedy.length) {
        text_string(out, "  ");
        tr_write(out, d->remedy.data);
        text_char(out, '\n');
    }
    text_clear(&d->sentence);
    text_clear(&d->remedy);
    return true;
}

static bool diagnose(Session *session, CommandCall *call, Error *err) {
    static bool (*const sayings[])(Diagnosis *, Error *) = {
        say_non_finite, say_saturated,     say_even,   say_empty,
        say_variance,   say_additive_mask, say_aliases};
    Findings findings;
    Text out = TEXT_EMPTY;
    LocalText changes = TEXT_FOR(&out);
    if (!command_finish(call, err) || !session_need_run(session, err) ||
        !findings_init(&findings, session->bench.run, err))
        return false;
    run_heading_write_stale(session, findings.run, &changes);
    Diagnosis d = {.session = session,
                   .findings = &findings,
                   .stale = changes.length > 0,
                   .sentence = TEXT_EMPTY,
                   .remedy = TEXT_EMPTY};
    bool ok = true, any = false;
    run_heading_write_if_stale(session, findings.run, &out);
    for (size_t i = 0; ok && i < sizeof sayings / sizeof *sayings; i++) {
        ok = sayings[i](&d, err);
        any = any || d.sentence.length > 0;
        ok = ok && write_diagnosis(&d, &out, err);
    }
    if (ok && !any) {
        say_all_is_well(&d);
        ok = write_diagnosis(&d, &out, err);
    }
    text_release(&d.sentence);
    text_release(&d.remedy);
    findings_release(&findings);
    return session_write_text(session, ok, &out, err);
}

/* clang-format off */
const CommandDef diagnose_commands[] = {
    {{.name = "diagnose", .words = ""}, diagnose, false, "diagnose",
     "Says what is wrong or notable on the bench, with numbers, and which setting mends it: "
     "inputs that are not finite and the rows that they reach, saturated queries (more than 0.99 "
     "on one key), evenly spread ones (entropy above 0.99 of its ceiling), queries that see no "
     "key, a variance of the scores outside 0.25 to 4, places that a position cannot tell apart, "
     "a mask of 0 and 1 that is added. Only queries that see two keys or more are judged; a key to "
     "whose score a mask adds -1e4 or less counts as hidden. Where nothing is wrong, one line says "
     "what was looked at.",
     "Q = 9 * [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\ndiagnose",
     "entropy trace set"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */

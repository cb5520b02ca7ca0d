#include "model/generate.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/operator.h"
#include "engine/tensor/recording.h"
#include "model/cache.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

void generate_options_init(GenerateOptions *options) {
    *options = (GenerateOptions){
        .max_tokens = 40, .top_p = 1, .beam = 1, .length_penalty = 0.6, .end = NO_TOKEN};
}

bool generate_options_check(const GenerateOptions *options, Error *err) {
    if (options->max_tokens > INT_MAX)
        return error_set(err, ERR_VALUE, "%zu tokens are more than can be written",
                         options->max_tokens);
    if (!(options->temperature >= 0)) {
        error_set(err, ERR_VALUE, "the temperature must be 0 or more, not %g",
                  options->temperature);
        return error_hint(err, "0 always takes the likeliest token, 1 draws by the model's "
                               "probabilities, inf takes all alike.");
    }
    if (!(options->top_p > 0 && options->top_p <= 1)) {
        error_set(err, ERR_VALUE, "top_p must be above 0 and at most 1, not %g", options->top_p);
        return error_hint(err, "top_p=0.9 leaves the fewest tokens that have 90%% of the "
                               "probability, 1 leaves all.");
    }
    if (options->beam < 1 || options->beam > BEAM_MOST)
        return error_set(err, ERR_VALUE, "beam must be between 1 and %d, not %zu", BEAM_MOST,
                         options->beam);
    if (options->beam > 1 && options->temperature > 0) {
        error_set(err, ERR_VALUE,
                  "beam search draws nothing, so it has no temperature, and %g is given",
                  options->temperature);
        return error_hint(err, "Leave out beam to draw tokens, or temperature to search.");
    }
    if (options->beam > 1 && (options->top_k > 0 || options->top_p < 1)) {
        error_set(err, ERR_VALUE, "beam search draws nothing, so %s has no effect on it",
                  options->top_k > 0 ? "top_k" : "top_p");
        return error_hint(err, "Leave out beam to draw tokens, or top_k and top_p to search.");
    }
    if (!isfinite(options->frequency_penalty))
        return error_set(err, ERR_VALUE, "the frequency penalty must be finite, not %g",
                         options->frequency_penalty);
    if (options->beam > 1 && options->frequency_penalty != 0) {
        error_set(err, ERR_VALUE, "beam search has no frequency penalty");
        return error_hint(err, "Leave out beam, or frequency_penalty.");
    }
    if (!(options->length_penalty >= 0) || isinf(options->length_penalty))
        return error_set(err, ERR_VALUE, "the length penalty must be 0 or more, not %g",
                         options->length_penalty);
    return true;
}

void generated_release(Generated *generated) {
    mem_free(generated->ids);
    *generated = (Generated){.ids = NULL};
}

/* ---- the probabilities of the next token ---- */

/* The likelier one first; at the limits of the temperature by logits, then by number. */
static int by_likelihood(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->logit != y->logit) return x->logit < y->logit ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool not_finite(Error *err) {
    error_set(err, ERR_VALUE, "the model's logits are not numbers, so no token is the next one");
    return error_hint(err,
                      "A parameter, or what patch puts there, is nan or inf: it was set so, or "
                      "training went astray.");
}

bool generate_candidates(const Tensor *logits, size_t row, double temperature, Candidate *out,
                         Error *err) {
    size_t count = shape_columns(&logits->shape);
    Shape shape = shape_1d(count);
    OpAttributes how = {.number = temperature};
    LocalTensor *x = tensor_new(DTYPE_DOUBLE, &shape, err), *p = NULL;
    if (!x) return false;
    tensor_read(logits, row * count, count, tensor_doubles(x));
    if (!op_apply(OP_SOFTMAX, &x, 1, &how, &p, err)) return false;
    for (size_t i = 0; i < count; i++) {
        out[i] = (Candidate){(int)i, tensor_doubles(x)[i], tensor_doubles(p)[i]};
        if (isnan(out[i].probability)) return not_finite(err);
    }
    qsort(out, count, sizeof *out, by_likelihood);
    return true;
}

/* The number of sorted candidates that top_k leaves, and of these top_p: at least one. */
static size_t count_kept(const GenerateOptions *how, const Candidate *candidates, size_t count) {
    size_t kept = how->top_k && how->top_k < count ? how->top_k : count, nucleus = 0;
    double total = 0, sum = 0;
    if (how->top_p == 1) return kept;
    for (size_t i = 0; i < kept; i++) total += candidates[i].probability;
    while (nucleus < kept && sum < how->top_p * total) sum += candidates[nucleus++].probability;
    return nucleus;
}

static int draw(const Candidate *candidates, size_t count, Random *random) {
    double total = 0, at;
    for (size_t i = 0; i < count; i++) total += candidates[i].probability;
    at = random_uniform(random) * total;
    for (size_t i = 0; i + 1 < count; i++) {
        if (at < candidates[i].probability) return candidates[i].id;
        at -= candidates[i].probability;
    }
    return candidates[count - 1].id;
}

/* ---- what is written ---- */

/* Sequences that grow by a token at each step, all of one length. */
typedef struct Writer {
    const Transformer *model;
    const Tokens *source;
    const GenerateOptions *how;
    Tensor **views; /* of the model's parameters */
    Cache cache;
    size_t sequences; /* 1, or those of a beam search */
    size_t count;     /* tokens of each, with the prompt */
    size_t read;      /* the number of them that the model has read */
    size_t capacity;
    int *ids;              /* (beam, capacity) */
    int *fresh;            /* the tokens that are read next, (sequences, their number) */
    Candidate *candidates; /* (vocabulary,) */
} Writer;

static void writer_release(Writer *writer) {
    tensors_free(writer->views, writer->model->parameters.count);
    mem_free(writer->ids);
    mem_free(writer->fresh);
    mem_free(writer->candidates);
    cache_release(&writer->cache);
}

/* The number of tokens that a decoder reads again when it forgets the others. */
static size_t places_kept(const ModelConfig *config) { return (config->max_len + 1) / 2; }

static bool writer_init(Writer *writer, const Transformer *model, const Tokens *source,
                        const Tokens *prompt, const GenerateOptions *how, Error *err) {
    const ModelConfig *config = &model->config;
    size_t fresh = larger(prompt->length, how->beam * places_kept(config)),
           capacity = prompt->length + how->max_tokens, room = smaller(capacity, config->max_len);
    *writer = (Writer){.model = model,
                       .source = source,
                       .how = how,
                       .sequences = 1,
                       .count = prompt->length,
                       .capacity = capacity};
    bool ok = (writer->views = parameters_views(&model->parameters, err)) &&
              (writer->ids = mem_zeroed(how->beam * capacity, sizeof(int), err)) &&
              (writer->fresh = mem_zeroed(fresh, sizeof(int), err)) &&
              (writer->candidates = mem_zeroed(config->vocabulary, sizeof(Candidate), err)) &&
              cache_init(&writer->cache, config, 1, room, err);
    if (ok) memcpy(writer->ids, prompt->ids, prompt->length * sizeof(int));
    else writer_release(writer);
    return ok;
}

/* True if the model can read what is written so far. */
static bool writer_has_place(const Writer *writer) {
    const ModelConfig *config = &writer->model->config;
    return config->kind == MODEL_DECODER || writer->count <= config->max_len;
}

/* Lets the model read what it has not read yet: *logits becomes (sequences, n, vocabulary), where
 * the last of the n rows is about the next token. */
static bool writer_read(Writer *writer, Tensor **logits, Error *err) {
    size_t from = writer->read;
    if (interrupted(err)) return false;
    if (writer->cache.length + writer->count - from > writer->model->config.max_len) {
        writer->cache.length = 0; /* cross-attention keeps its keys and values */
        from = writer->count - places_kept(&writer->model->config);
    }
    size_t n = writer->count - from;
    for (size_t b = 0; b < writer->sequences; b++)
        memcpy(writer->fresh + b * n, writer->ids + b * writer->capacity + from, n * sizeof(int));
    const Tokens tokens = {.batch = writer->sequences, .length = n, .ids = writer->fresh};
    const ForwardOptions options = {.observer = writer->how->observer, .cache = &writer->cache};
    if (!transformer_forward(writer->model, writer->views, writer->source, &tokens, &options,
                             logits, err))
        return false;
    writer->read = writer->count;
    return true;
}

/* The row of the logits that is about the next token of sequence b. */
static size_t next_row(const Tensor *logits, size_t b) {
    return (b + 1) * logits->shape.size[1] - 1;
}

static double log_sum(const Candidate *candidates, size_t count, double largest) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += exp(candidates[i].logit - largest);
    return largest + log(sum);
}

/* ---- one sequence ---- */

/* The likeliest token, with no need to sort all of them. */
static bool take_likeliest(Writer *writer, const Tensor *logits, size_t row, Candidate *out,
                           Error *err) {
    size_t count = writer->model->config.vocabulary;
    Candidate *all = writer->candidates;
    *out = (Candidate){.id = NO_TOKEN, .logit = -INFINITY};
    for (size_t i = 0; i < count; i++) {
        all[i] = (Candidate){.id = (int)i, .logit = tensor_get(logits, row * count + i)};
        if (isnan(all[i].logit)) return not_finite(err);
        if (all[i].logit > out->logit) *out = all[i];
    }
    return isfinite(out->logit) || not_finite(err);
}

static bool write_tokens(Writer *writer, Random *random, Generated *out, Error *err) {
    const GenerateOptions *how = writer->how;
    size_t vocabulary = writer->model->config.vocabulary;
    out->stop = STOP_MAX_TOKENS;
    for (out->count = 0; out->count < how->max_tokens && out->stop != STOP_END; out->count++) {
        LocalTensor *logits = NULL;
        Candidate next;
        if (!writer_has_place(writer)) {
            out->stop = STOP_PLACES;
            break;
        }
        if (!writer_read(writer, &logits, err)) return false;
        size_t row = next_row(logits, 0);
        double penalty = how->frequency_penalty;
        if (penalty != 0 && !tensor_unique(&logits, err)) return false;
        for (size_t i = 0; penalty != 0 && i < out->count; i++) {
            size_t cell = row * vocabulary + (size_t)out->ids[i];
            tensor_set(logits, cell, tensor_get(logits, cell) - penalty);
        }
        if (how->temperature == 0) {
            if (!take_likeliest(writer, logits, row, &next, err)) return false;
        } else {
            Candidate *all = writer->candidates;
            if (!generate_candidates(logits, row, how->temperature, all, err)) return false;
            next.id = draw(all, count_kept(how, all, vocabulary), random);
            next.logit = tensor_get(logits, row * vocabulary + (size_t)next.id);
        }
        writer->ids[writer->count++] = out->ids[out->count] = next.id;
        out->log_probability += next.logit - log_sum(writer->candidates, vocabulary, next.logit);
        if (next.id == how->end) out->stop = STOP_END;
    }
    return true;
}

/* ---- beam search ---- */

typedef struct Extension {
    size_t from; /* the sequence that it goes on with */
    int id;
    double log_probability; /* of the whole */
} Extension;

typedef struct Beam {
    Writer *writer;
    size_t prompt;
    double *log_probability; /* of each sequence, the likeliest first */
    Extension *extensions;   /* of all sequences; a few more than `beam` of each are enough */
    size_t *from;            /* of the sequences that go on */
    int *next;               /* their ids, before they replace the writer's */
    double best;             /* score of what is in *out; -inf: nothing yet */
    Generated *out;
} Beam;

static int by_probability(const void *a, const void *b) {
    const Extension *x = a, *y = b;
    if (x->log_probability != y->log_probability)
        return x->log_probability < y->log_probability ? 1 : -1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static double beam_score(const Beam *beam, double log_probability, size_t length) {
    return log_probability / pow((5 + (double)length) / 6, beam->writer->how->length_penalty);
}

/* Sequence b, with one more token unless that is NO_TOKEN, is the answer if none was better. */
static void beam_end(Beam *beam, size_t b, int id, double log_probability, GenerateStop stop) {
    const Writer *writer = beam->writer;
    size_t written = writer->count - beam->prompt, count = written + (id != NO_TOKEN);
    double score = beam_score(beam, log_probability, count);
    Generated *out = beam->out;
    if (!(score > beam->best)) return;
    beam->best = score;
    memcpy(out->ids, writer->ids + b * writer->capacity + beam->prompt, written * sizeof(int));
    if (id != NO_TOKEN) out->ids[written] = id;
    out->count = count;
    out->log_probability = log_probability;
    out->stop = stop;
}

/* Goes on by one token with the likeliest sequences that do not end. */
static bool beam_step(Beam *beam, const Tensor *logits, Error *err) {
    Writer *writer = beam->writer;
    Candidate *candidates = writer->candidates;
    size_t width = writer->how->beam, vocabulary = writer->model->config.vocabulary;
    /* At most one token ends a sequence, so width + 1 of each leave enough that do not. */
    size_t each = smaller(width + 1, vocabulary), count = 0;
    for (size_t b = 0; b < writer->sequences; b++) {
        if (!generate_candidates(logits, next_row(logits, b), 1, candidates, err)) return false;
        double sum = log_sum(candidates, vocabulary, candidates[0].logit);
        for (size_t i = 0; i < each; i++)
            beam->extensions[count++] = (Extension){
                b, candidates[i].id, beam->log_probability[b] + candidates[i].logit - sum};
    }
    qsort(beam->extensions, count, sizeof *beam->extensions, by_probability);

    size_t taken = 0, capacity = writer->capacity;
    for (size_t i = 0; i < count && taken < width; i++) {
        const Extension *x = &beam->extensions[i];
        if (x->id == writer->how->end) {
            beam_end(beam, x->from, x->id, x->log_probability, STOP_END);
            continue;
        }
        int *ids = beam->next + taken * capacity;
        memcpy(ids, writer->ids + x->from * capacity, writer->count * sizeof *ids);
        ids[writer->count] = x->id;
        beam->from[taken] = x->from;
        beam->log_probability[taken++] = x->log_probability;
    }
    if (taken > 0 && !cache_select(&writer->cache, beam->from, taken, err)) return false;
    int *before = writer->ids;
    writer->ids = beam->next;
    beam->next = before;
    writer->sequences = taken;
    writer->count++;
    return true;
}

static bool search_beam(Writer *writer, Generated *out, Error *err) {
    const GenerateOptions *how = writer->how;
    size_t width = how->beam;
    GenerateStop stop = STOP_MAX_TOKENS;
    Beam beam = {.writer = writer, .prompt = writer->count, .best = -INFINITY, .out = out};
    beam.log_probability = mem_zeroed(width, sizeof *beam.log_probability, err);
    beam.extensions = mem_zeroed(width * (width + 1), sizeof *beam.extensions, err);
    beam.from = mem_zeroed(width, sizeof *beam.from, err);
    beam.next = mem_zeroed(width * writer->capacity, sizeof *beam.next, err);
    bool ok = beam.log_probability && beam.extensions && beam.from && beam.next, decided = false;
    while (ok && !decided && writer->count - beam.prompt < how->max_tokens &&
           writer->sequences > 0) {
        LocalTensor *logits = NULL;
        if (!writer_has_place(writer)) {
            stop = STOP_PLACES;
            break;
        }
        ok = writer_read(writer, &logits, err) && beam_step(&beam, logits, err);
        /* A sequence becomes less likely with each token, and the penalty is largest at the end. */
        decided = ok && writer->sequences > 0 &&
                  beam.best >= beam_score(&beam, beam.log_probability[0], how->max_tokens);
    }
    if (ok && !decided && writer->sequences > 0)
        beam_end(&beam, 0, NO_TOKEN, beam.log_probability[0], stop);
    mem_free(beam.log_probability);
    mem_free(beam.extensions);
    mem_free(beam.from);
    mem_free(beam.next);
    return ok;
}

/* ---- the whole ---- */

bool generate(const Transformer *model, const Tokens *source, const Tokens *prompt,
              const GenerateOptions *options, Random *random, Generated *out, Error *err) {
    Generated made = {.ids = NULL};
    Writer writer;
    assert(model_has_decoder(&model->config) && prompt->batch == 1 && !prompt->lengths);
    assert(random || options->temperature == 0);
    if (prompt->length == 0)
        return error_set(err, ERR_VALUE, "the prompt is empty, and a model goes on with a token");
    if (!generate_options_check(options, err) ||
        !transformer_check_length(&model->config, prompt->length, err))
        return false;
    if (!writer_init(&writer, model, source, prompt, options, err)) return false;
    bool recording = tape_set_recording(false);
    bool ok = (made.ids = mem_zeroed(options->max_tokens, sizeof *made.ids, err)) &&
              (options->beam > 1 ? search_beam(&writer, &made, err)
                                 : write_tokens(&writer, random, &made, err));
    tape_set_recording(recording);
    writer_release(&writer);
    if (ok) *out = made;
    else generated_release(&made);
    return ok;
}

bool transformer_forward_cached(const Transformer *model, Tensor *const *views,
                                const Tokens *source, const Tokens *target,
                                const ForwardOptions *options, Tensor **logits, Error *err) {
    size_t batch = target->batch, length = target->length, row = model->config.vocabulary;
    Shape shape = shape_3d(batch, length, row);
    Cache cache;
    ForwardOptions step = options ? *options : (ForwardOptions){.offset = 0};
    assert(model_has_decoder(&model->config) && !step.cache);
    step.cache = &cache;
    if (!transformer_check_length(&model->config, length, err) ||
        !cache_init(&cache, &model->config, batch, length, err))
        return false;
    Tensor *all = tensor_new(model->config.dtype, &shape, err);
    LocalMemory int *column = mem_zeroed(batch, sizeof *column, err);
    bool recording = tape_set_recording(false), ok = all && column;
    for (size_t t = 0; ok && t < length; t++) {
        const Tokens tokens = {.batch = batch, .length = 1, .ids = column};
        LocalTensor *one = NULL;
        for (size_t b = 0; b < batch; b++) {
            bool stands = !target->lengths || t < target->lengths[b];
            column[b] = stands ? target->ids[b * length + t] : 0;
        }
        ok = !interrupted(err) &&
             transformer_forward(model, views, source, &tokens, &step, &one, err);
        for (size_t b = 0; ok && b < batch; b++)
            memcpy(tensor_address(all, (b * length + t) * row), tensor_address(one, b * row),
                   row * dtype_size(all->dtype));
    }
    tape_set_recording(recording);
    cache_release(&cache);
    if (ok) *logits = all;
    else tensor_unref(all);
    return ok;
}

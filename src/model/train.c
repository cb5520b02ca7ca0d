#include "model/train.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/scratch.h"
#include "model/shards.h"

#include <math.h>
#include <string.h>

enum { RECENT_STEPS = 20, EVALUATED_AT_ONCE = 256 };

/* ---- options ---- */

const Option training_options[] = {TRAINING_OPTIONS(OPTION_ROW){.name = NULL}};

void train_options_init(TrainOptions *options) {
    *options = (TrainOptions){.hold_every = 50,
                              .hold_count = 256,
                              .optimiser = {.rate = 2e-3,
                                            .beta1 = 0.9,
                                            .beta2 = 0.98,
                                            .eps = 1e-8,
                                            .relative_rate = 10,
                                            .warmup = 100}};
    for (const Option *option = training_options; option->name; option++)
        option_reset(option, options);
}

static bool check_share(const char *name, double value, Error *err) {
    return (value >= 0 && value < 1) ||
           error_set(err, ERR_VALUE, "%s must be at least 0 and less than 1, not %g", name, value);
}

bool train_options_check(const TrainOptions *options, Error *err) {
    const OptimiserOptions *how = &options->optimiser;
    if (options->steps < 1) return error_set(err, ERR_VALUE, "training takes at least 1 step");
    if (options->batch < 1) return error_set(err, ERR_VALUE, "a batch has at least 1 sequence");
    if (!(how->rate > 0) || !isfinite(how->rate))
        return error_set(err, ERR_VALUE, "the rate must be more than 0, not %g", how->rate);
    if (!(how->clip >= 0))
        return error_set(err, ERR_VALUE, "clip must be 0 (none) or more, not %g", how->clip);
    if (!(how->weight_decay >= 0))
        return error_set(err, ERR_VALUE, "the weight decay must be 0 or more, not %g",
                         how->weight_decay);
    return check_share("momentum", how->momentum, err) && check_share("beta1", how->beta1, err) &&
           check_share("beta2", how->beta2, err) &&
           check_share("smoothing", options->smoothing, err) &&
           check_share("held", options->held, err);
}

/* ---- gradients, for one batch ---- */

bool train_gradients(const Transformer *model, const Batch *batch, double smoothing,
                     uint64_t dropout_seed, double *loss, Tensor *gradients, Error *err) {
    const Tensor *block = model->parameters.block;
    LocalTensor *made =
        gradients ? tensor_ref(gradients) : tensor_new(block->dtype, &block->shape, err);
    return made && shards_gradients(model, batch, smoothing, dropout_seed, made, loss, err);
}

/* ---- evaluation ---- */

/* A generator for one purpose of a seed: a step, or an evaluation. */
static void seed_for(Random *random, uint64_t seed, uint64_t purpose) {
    random_seed(random, seed);
    random_seed(random, random_next(random) + purpose);
}

bool evaluate(const Transformer *model, const BatchSource *source, size_t count, uint64_t seed,
              Evaluation *out, Error *err) {
    Evaluation sum = {.loss = 0};
    Random random;
    seed_for(&random, seed, UINT64_MAX);
    while (sum.sequences < count) {
        LocalBatch batch = {.memory = NULL};
        size_t more = at_most(count - sum.sequences, EVALUATED_AT_ONCE);
        if (!source->draw(source->self, model->config.kind, &random, true, more, &batch, err) ||
            !shards_evaluate(model, &batch, &sum, err))
            return false;
    }
    if (sum.tokens) {
        sum.loss /= (double)sum.tokens;
        sum.token_accuracy /= (double)sum.tokens;
        sum.sequence_accuracy /= (double)sum.sequences;
    }
    *out = sum;
    return true;
}

/* ---- training ---- */

/* One training from its first step to its last. */
typedef struct Training {
    Transformer *model;
    const BatchSource *source;
    const TrainOptions *options;
    Tensor *gradients; /* of a step, a block like the parameters' */
    double start;      /* by clock_seconds */
    double tokens;     /* seen so far */
    double accuracy;   /* held-out, when last measured */
} Training;

static bool not_finite(const Training *training, size_t step, double loss, int bad, Error *err) {
    const Parameters *parameters = &training->model->parameters;
    const OptimiserOptions *how = &training->options->optimiser;
    if (bad != NO_PARAMETER)
        error_set(err, ERR_VALUE, "step %zu: the loss is %g, and the gradient of %s is not finite",
                  step, loss, parameters->rows[bad].name);
    else error_set(err, ERR_VALUE, "step %zu: the loss is %g", step, loss);
    return error_hint(err,
                      how->clip == 0 || how->clip > 1
                          ? "Train with clip=1, or at a lower rate than %g."
                          : "Train at a lower rate than %g, or with more warmup.",
                      how->rate);
}

/* Draws the batch of step `step` of this training, and descends its gradient. */
static bool take_step(Training *training, size_t step, HistoryRow *row, Error *err) {
    Transformer *model = training->model;
    const TrainOptions *options = training->options;
    const OptimiserOptions *how = &options->optimiser;
    Random random;
    LocalBatch batch = {.memory = NULL};
    int bad;
    seed_for(&random, options->seed, model->history.count);
    if (!training->source->draw(training->source->self, model->config.kind, &random, false,
                                options->batch, &batch, err))
        return false;
    for (size_t b = 0; b < batch_count(&batch); b++) {
        training->tokens +=
            (double)(batch.source.lengths ? batch.source.lengths[b] : batch.source.length);
        training->tokens +=
            (double)(batch.target.lengths ? batch.target.lengths[b] : batch.target.length);
    }
    if (!shards_gradients(model, &batch, options->smoothing, random_next(&random),
                          training->gradients, &row->loss, err))
        return false;

    double norm = optimiser_norm(&model->parameters, training->gradients, &bad);
    if (!isfinite(row->loss) || !isfinite(norm))
        return not_finite(training, step + 1, row->loss, bad, err);
    double factor = how->clip > 0 && norm > how->clip ? how->clip / norm : 1;
    row->rate = options->total ? optimiser_rate(how, model->history.count, options->total)
                               : optimiser_rate(how, step, options->steps);
    return optimiser_step(&model->optimiser, how, row->rate, &model->parameters,
                          training->gradients, factor, err);
}

static bool look_at_held_out(Training *training, HistoryRow *row, Error *err) {
    Evaluation found;
    const TrainOptions *options = training->options;
    if (!evaluate(training->model, training->source, options->hold_count, options->seed, &found,
                  err))
        return false;
    row->held_loss = found.loss;
    row->held_accuracy = training->accuracy =
        training->source->by_token ? found.token_accuracy : found.sequence_accuracy;
    return true;
}

static void report(const Training *training, const TrainReport *to, size_t step) {
    const History *history = &training->model->history;
    size_t tenth = (training->options->steps + 9) / 10;
    size_t recent = at_most(step, at_most(tenth, RECENT_STEPS));
    if (!to || !to->progress) return;
    double seconds = clock_seconds() - training->start;
    TrainProgress progress = {.step = step,
                              .steps = training->options->steps,
                              .accuracy = training->accuracy,
                              .tokens_per_second = training->tokens / fmax(seconds, 1e-9)};
    progress.seconds_left = seconds / (double)step * (double)(training->options->steps - step);
    for (size_t i = 0; i < recent; i++)
        progress.loss += history->rows[history->count - 1 - i].loss / (double)recent;
    to->progress(to->self, &progress);
}

/* The schedule of a training that is a part of a longer one must reach to its last step. */
static bool check_total(const Transformer *model, const TrainOptions *options, Error *err) {
    size_t before = model->history.count;
    if (!options->total || before + options->steps <= options->total) return true;
    error_set(err, ERR_VALUE, "%zu steps behind %zu are more than total=%zu", options->steps,
              before, options->total);
    return error_hint(err, "The steps of all trainings of this model count towards total.");
}

static uint64_t hash_bytes(const void *bytes, size_t length, uint64_t hash) {
    return bytes ? random_hash(bytes, length, hash) : hash;
}

static uint64_t hash_tensor(const Tensor *t, uint64_t hash) {
    return t ? hash_bytes(t->data, t->count * dtype_size(t->dtype), hash) : hash;
}

static uint64_t hash_tokens(const Tokens *tokens, uint64_t hash) {
    const size_t sizes[] = {tokens->batch, tokens->length}, count = sizes[0] * sizes[1];
    hash = hash_bytes(sizes, sizeof sizes, hash);
    hash = hash_bytes(tokens->ids, count * sizeof *tokens->ids, hash);
    hash = hash_bytes(tokens->lengths, tokens->batch * sizeof *tokens->lengths, hash);
    return hash_tensor(tokens->vectors, hash);
}

/* The last draw is that of the held-out examples, which are the same at each look. */
bool train_key(const Transformer *model, const BatchSource *source, const TrainOptions *options,
               uint64_t *key) {
    const History *history = &model->history;
    const size_t numbers[] = {model->optimiser.kind, model->optimiser.step, source->by_token};
    uint64_t hash = hash_bytes(&model->config, sizeof model->config, 0);
    hash = hash_bytes(options, sizeof *options, hash_bytes(numbers, sizeof numbers, hash));
    hash = hash_bytes(history->rows, history->count * sizeof *history->rows, hash);
    hash = hash_bytes(history->heads, history->head_count * sizeof *history->heads, hash);
    hash = hash_tensor(model->parameters.block, hash);
    hash = hash_tensor(model->optimiser.first, hash);
    hash = hash_tensor(model->optimiser.second, hash);
    bool ok = source->repeats;
    for (size_t i = 0; ok && i <= options->steps; i++) {
        bool held_out = i == options->steps;
        Random random;
        Batch batch;
        seed_for(&random, options->seed, held_out ? UINT64_MAX : history->count + i);
        ok = source->draw(source->self, model->config.kind, &random, held_out,
                          held_out ? options->hold_count : options->batch, &batch, NULL);
        if (!ok) break;
        size_t labels = batch_count(&batch) * batch_answered(&batch)->length;
        hash = hash_tokens(&batch.target, hash_tokens(&batch.source, hash));
        hash = hash_bytes(batch.labels, labels * sizeof *batch.labels, hash);
        hash = hash_bytes(&random, sizeof random, hash);
        batch_release(&batch);
    }
    *key = hash;
    return ok;
}

bool train(Transformer *model, const BatchSource *source, const TrainOptions *options,
           const TrainReport *to, size_t *done, Error *err) {
    Training training = {.model = model, .source = source, .options = options, .accuracy = NAN};
    const Tensor *block = model->parameters.block;
    size_t taken = 0;
    bool ok = train_options_check(options, err) && check_total(model, options, err) &&
              (training.gradients = tensor_new(block->dtype, &block->shape, err));
    bool looks = to && to->look;
    training.start = clock_seconds();
    if (ok && looks) ok = to->look(to->watcher, model, 0, err);
    while (ok && taken < options->steps) {
        HistoryRow row = {.held_loss = NAN, .held_accuracy = NAN};
        /* Room first: a step that is taken must also be written down. */
        ok = !interrupted(err) && history_reserve(&model->history, err) &&
             take_step(&training, taken, &row, err);
        if (!ok) break;
        taken++;
        size_t every = options->hold_every;
        bool look = every && (taken % every == 0 || taken == options->steps);
        ok = !look || look_at_held_out(&training, &row, err);
        history_add(&model->history, &row);
        if (ok) report(&training, to, taken);
        if (ok && looks) ok = to->look(to->watcher, model, taken, err);
    }
    tensor_unref(training.gradients);
    if (done) *done = taken;
    return ok;
}

#include "model/train.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/size.h"
#include "model/shards.h"

#include <math.h>

enum { RECENT_STEPS = 20, EVALUATED_AT_ONCE = 256 };

/* ---- options ---- */

const Option training_options[] = {TRAINING_OPTIONS(OPTION_ROW){.name = NULL}};

void train_options_init(TrainOptions *options) {
    *options = (TrainOptions){.hold_every = 50,
                              .hold_count = 256,
                              .optimiser = {.rate = 2e-3,
                                            .momentum = 0.9,
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
        size_t more = smaller(count - sum.sequences, EVALUATED_AT_ONCE);
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
    double tokens;     /* seen so far */
} Training;

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
    for (size_t b = 0; b < batch_count(&batch); b++)
        training->tokens +=
            (double)(tokens_in_row(&batch.source, b) + tokens_in_row(&batch.target, b));
    if (!shards_gradients(model, &batch, options->smoothing, random_next(&random), &row->loss,
                          training->gradients, err))
        return false;

    double norm = optimiser_norm(&model->parameters, training->gradients, &bad);
    if (!isfinite(row->loss) || !isfinite(norm)) {
        if (bad != NO_PARAMETER)
            error_set(err, ERR_VALUE,
                      "step %zu: the loss is %g, and the gradient of %s is not finite", step + 1,
                      row->loss, model->parameters.rows[bad].name);
        else error_set(err, ERR_VALUE, "step %zu: the loss is %g", step + 1, row->loss);
        return error_hint(err,
                          how->clip == 0 || how->clip > 1
                              ? "Train with clip=1, or at a lower rate than %g."
                              : "Train at a lower rate than %g, or with more warmup.",
                          how->rate);
    }
    double factor = how->clip > 0 && norm > how->clip ? how->clip / norm : 1;
    row->rate = options->total ? optimiser_rate(how, model->history.count, options->total)
                               : optimiser_rate(how, step, options->steps);
    return optimiser_step(&model->optimiser, how, row->rate, &model->parameters,
                          training->gradients, factor, err);
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
    Training training = {.model = model, .source = source, .options = options};
    const Tensor *block = model->parameters.block;
    History *history = &model->history;
    size_t steps = options->steps, every = options->hold_every, taken = 0;
    double accuracy = NAN; /* held-out, when last measured */
    bool looks = to && to->look, ok = train_options_check(options, err);
    /* The schedule of a training that is a part of a longer one must reach to its last step. */
    if (ok && options->total && history->count + steps > options->total) {
        error_set(err, ERR_VALUE, "%zu steps behind %zu are more than total=%zu", steps,
                  history->count, options->total);
        ok = error_hint(err, "The steps of all trainings of this model count towards total.");
    }
    ok = ok && (training.gradients = tensor_new(block->dtype, &block->shape, err));
    double start = clock_seconds();
    if (ok && looks) ok = to->look(to->watcher, model, 0, err);
    while (ok && taken < steps) {
        HistoryRow row = {.held_loss = NAN, .held_accuracy = NAN};
        /* Room first: a step that is taken must also be written down. */
        ok = !interrupted(err) && history_reserve(history, err) &&
             take_step(&training, taken, &row, err);
        if (!ok) break;
        taken++;
        if (every && (taken % every == 0 || taken == steps)) {
            Evaluation found;
            ok = evaluate(model, source, options->hold_count, options->seed, &found, err);
            if (ok) {
                accuracy = source->by_token ? found.token_accuracy : found.sequence_accuracy;
                row.held_loss = found.loss;
                row.held_accuracy = accuracy;
            }
        }
        history->rows[history->count++] = row;

        if (ok && to && to->progress) {
            size_t recent = smaller(taken, smaller(divided_up(steps, 10), RECENT_STEPS));
            double seconds = clock_seconds() - start;
            TrainProgress progress = {.step = taken,
                                      .steps = steps,
                                      .accuracy = accuracy,
                                      .tokens_per_second = training.tokens / fmax(seconds, 1e-9),
                                      .seconds_left =
                                          seconds / (double)taken * (double)(steps - taken)};
            for (size_t i = 1; i <= recent; i++)
                progress.loss += history->rows[history->count - i].loss / (double)recent;
            to->progress(to->self, &progress);
        }
        if (ok && looks) ok = to->look(to->watcher, model, taken, err);
    }
    tensor_unref(training.gradients);
    if (done) *done = taken;
    return ok;
}

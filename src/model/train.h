/* Training and evaluation.
 *
 * A step draws a batch and cuts it into shards of whole sequences (shards.h). A shard's passes have
 * a tape of their own on whichever thread takes it; then the shards' gradients are added in their
 * order. So a step has the same bits for any number of threads. What is drawn at a step depends on
 * the seed and on how many steps the model has behind it, so training that goes on is the same as
 * if it had not stopped. */
#ifndef ATTN_MODEL_TRAIN_H
#define ATTN_MODEL_TRAIN_H

#include "model/evaluation.h"
#include "model/transformer.h"

/* A source of examples: a task, a test. Fills *out with `count` sequences for a model of that kind,
 * drawn from `random` alone, of the training or of the held-out side. */
typedef struct BatchSource {
    bool (*draw)(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                 Batch *out, Error *err);
    void *self;
    bool by_token; /* held-out accuracy is that of tokens, as of text; else of whole sequences */
    bool repeats;  /* nothing but `random` decides what is drawn, so it can be drawn twice */
} BatchSource;

typedef struct TrainOptions {
    size_t steps, batch;
    OptimiserOptions optimiser;
    double smoothing;  /* label smoothing (Szegedy et al. 2016): shared by all classes */
    double held;       /* the share of the inputs that a task holds out; 0: as it is */
    uint64_t seed;     /* of batches and dropout */
    size_t hold_every; /* steps between two looks at held-out examples; 0: never */
    size_t hold_count; /* the number of these: always the same */
    size_t total;      /* steps of a schedule that several trainings share, counted from the
                          model's first; 0: the schedule is that of this training */
} TrainOptions;

/* The options of a training in the order in which train() takes them, the steps first. None as the
 * default of one means that it depends on the others. */
/* clang-format off */
#define TRAINING_MEMBER(its_kind, member) \
    .kind = OPTION_##its_kind, .at = offsetof(TrainOptions, member)
#define TRAINING_WORD(member, its_words) TRAINING_MEMBER(WORD, member), .words = its_words
#define TRAINING_OPTIONS(X) \
    X("steps", "whole", "500", TRAINING_MEMBER(SIZE, steps)) \
    X("batch", "whole", "64", TRAINING_MEMBER(SIZE, batch)) \
    X("rate", "number?", "None", TRAINING_MEMBER(NUMBER, optimiser.rate)) \
    X("warmup", "whole?", "None", TRAINING_MEMBER(SIZE, optimiser.warmup)) \
    X("schedule", "text", "\"cosine\"", TRAINING_WORD(optimiser.schedule, schedule_names)) \
    X("optimizer", "text", "\"adamw\"", TRAINING_WORD(optimiser.kind, optimiser_names)) \
    X("momentum", "number?", "None", TRAINING_MEMBER(NUMBER, optimiser.momentum)) \
    X("smoothing", "number", "0", TRAINING_MEMBER(NUMBER, smoothing)) \
    X("clip", "number", "1", TRAINING_MEMBER(NUMBER, optimiser.clip)) \
    X("seed", "whole", "0", TRAINING_MEMBER(SEED, seed)) \
    X("total", "whole?", "None", TRAINING_MEMBER(SIZE, total)) \
    X("weight_decay", "number", "0.01", TRAINING_MEMBER(NUMBER, optimiser.weight_decay)) \
    X("held", "number?", "None", TRAINING_MEMBER(NUMBER, held))
/* clang-format on */
extern const Option training_options[]; /* a NULL name at the end */

/* The defaults: of what is not in the list AdamW with (0.9, 0.98) at a rate of 2e-3, a warm-up of
 * 100 steps, relative tables at ten times the rate, and a look at 256 held-out examples every 50
 * steps. */
void train_options_init(TrainOptions *options);
bool train_options_check(const TrainOptions *options, Error *err); /* ERR_VALUE */

typedef struct TrainProgress {
    size_t step, steps; /* of this training: step is done */
    double loss;        /* mean over the last tenth of all steps, 20 at most */
    double accuracy;    /* held-out, when last measured; nan: not yet */
    double tokens_per_second;
    double seconds_left;
} TrainProgress;

typedef struct TrainReport {
    void (*progress)(void *self, const TrainProgress *progress); /* after each step; or NULL */
    void *self;
    /* Looks into the model before the first step, as step 0, and after each; or NULL. It may add to
     * the history's heads. */
    bool (*look)(void *watcher, Transformer *model, size_t step, Error *err);
    void *watcher;
} TrainReport;

/* Trains the model in place. *done (or NULL) becomes the number of steps taken. Fails with
 * ERR_INTERRUPT (the steps so far stay), ERR_LIMIT, an error of the source, or ERR_VALUE where loss
 * or gradients are no longer finite: it names the step, the parameter and what to change. In each
 * case the model is as after its last whole step. */
bool train(Transformer *model, const BatchSource *source, const TrainOptions *options,
           const TrainReport *report, size_t *done, Error *err);

/* A hash of all that determines a training: the model, its moments, the options and what is drawn.
 * (So do the gaps between members of structs: trainings whose keys differ may be the same.) False:
 * the source does not repeat, or fails. */
bool train_key(const Transformer *model, const BatchSource *source, const TrainOptions *options,
               uint64_t *key);

/* Evaluates on held-out examples, the same ones for the same seed. */
bool evaluate(const Transformer *model, const BatchSource *source, size_t count, uint64_t seed,
              Evaluation *out, Error *err);

#endif

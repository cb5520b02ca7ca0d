#include "model/shards.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator.h"
#include "engine/tape/tape.h"
#include "engine/tensor/threads.h"

#include <string.h>

/* The forward and backward pass of a shard take a few sequences at a time, so that what the tape
 * keeps stays near the caches. */
enum { PIECE_TOKENS = 512 };

/* The state that threads share. */
typedef struct Job {
    const Transformer *model;
    const Batch *batch;
    double smoothing;
    uint64_t dropout_seed;
    size_t labels; /* of the whole batch */
    Tensor *sum;   /* the gradients, a block like the parameters'; NULL: an evaluation */
    struct Shard *shards;
    size_t count;
} Job;

typedef struct Shard {
    const Job *job;
    size_t first, end; /* its sequences */
    Tensor *block;     /* the model's parameters, borrowed */
    Tensor **views;    /* a leaf for each row of the parameters; without gradients, a view */
    Tensor **sums;     /* its gradients, a tensor for each row; NULL before the first piece */
    Random dropout;
    double loss; /* sum over labels */
    bool *right; /* of an evaluation: for each sequence of the batch, are all labels met? */
    size_t tokens_right;
    bool ok;
    Error err;
} Shard;

/* ---- a shard ---- */

static bool shard_init(Shard *shard, Error *err) {
    const Parameters *parameters = &shard->job->model->parameters;
    size_t count = parameters->count;
    if (!(shard->block = tensor_borrow(parameters->block, err)) ||
        !(shard->views = mem_zeroed(2 * count, sizeof *shard->views, err)))
        return false;
    shard->sums = shard->views + count;
    for (size_t i = 0; i < count; i++) {
        const Parameter *row = &parameters->rows[i];
        Tensor *view = tensor_view(shard->block, &row->shape, row->offset, err);
        if (view && shard->job->sum) {
            Tensor *leaf = tape_leaf(view, err);
            tensor_unref(view);
            view = leaf;
        }
        shard->views[i] = view;
        if (!view) return false;
    }
    return true;
}

static size_t tokens_of_sequence(const Batch *batch) {
    return batch->source.length + batch->target.length;
}

static Tokens tokens_from(const Tokens *tokens, size_t first, size_t count) {
    if (!tokens->batch) return *tokens;
    return (Tokens){count, tokens->length, tokens->ids + first * tokens->length,
                    tokens->lengths ? tokens->lengths + first : NULL, tokens->vectors};
}

static size_t likeliest(const Tensor *logits, size_t row, size_t n) {
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (tensor_get(logits, row * n + i) > tensor_get(logits, row * n + best)) best = i;
    return best;
}

/* Compares the likeliest tokens with the labels; logits has a row for each label. */
static void count_right(Shard *shard, const Tensor *logits, size_t first, size_t count) {
    const Batch *batch = shard->job->batch;
    size_t length = batch_answered(batch)->length, n = shard->job->model->config.vocabulary;
    size_t row = 0;
    for (size_t b = 0; b < count; b++) {
        const int *labels = batch->labels + (first + b) * length;
        bool all = true;
        for (size_t t = 0; t < length; t++) {
            if (labels[t] == NO_LABEL) continue;
            bool right = likeliest(logits, row++, n) == (size_t)labels[t];
            shard->tokens_right += right;
            all = all && right;
        }
        shard->right[first + b] = all;
    }
}

/* Runs the model over the sequences first .. first + count - 1: adds their loss, and their
 * gradients or, in an evaluation, what was right, to the shard. */
static bool run_piece(Shard *shard, size_t first, size_t count, Error *err) {
    const Job *job = shard->job;
    const Transformer *model = job->model;
    const Batch *batch = job->batch;
    Tokens source = tokens_from(&batch->source, first, count),
           target = tokens_from(&batch->target, first, count);
    /* Tensors of this thread's own, since no two threads may count the same references. */
    LocalTensor *all = NULL, *vectors = NULL, *logits = NULL, *losses = NULL;
    if (source.vectors) {
        size_t inputs = model->config.inputs;
        Shape shape = shape_3d(count, source.length, inputs);
        if (!(all = tensor_borrow(source.vectors, err)) ||
            !(vectors = tensor_view(all, &shape, first * source.length * inputs, err)))
            return false;
        source.vectors = vectors;
    }

    /* The cross-entropy where a label is; if the piece has none, at a first position that counts
     * for nothing. */
    size_t length = batch_answered(batch)->length, positions = count * length, labelled = 0;
    const int *given = batch->labels + first * length;
    for (size_t i = 0; i < positions; i++) labelled += given[i] != NO_LABEL;
    Shape asked = shape_2d(1, larger(labelled, 1));
    LocalTensor *rows = tensor_new(DTYPE_DOUBLE, &asked, err);
    LocalTensor *labels = tensor_full(DTYPE_DOUBLE, &asked, NO_LABEL, err);
    if (!rows || !labels) return false;
    tensor_doubles(rows)[0] = 0;
    for (size_t i = 0, row = 0; i < positions; i++) {
        if (given[i] == NO_LABEL) continue;
        tensor_doubles(rows)[row] = (double)i;
        tensor_doubles(labels)[row++] = given[i];
    }
    const ForwardOptions options = {.dropout = job->sum ? &shard->dropout : NULL, .rows = rows};
    if (!transformer_forward(model, shard->views, &source, &target, &options, &logits, err))
        return false;
    const IndexItem classes = {.kind = INDEX_ARRAY, .array = labels};
    const OpAttributes how = {.number = job->smoothing, .items = &classes, .item_count = 1};
    if (!op_apply(OP_CROSS_ENTROPY, &logits, 1, &how, &losses, err)) return false;
    for (size_t i = 0; i < losses->count; i++) shard->loss += tensor_get(losses, i);
    if (shard->right) count_right(shard, logits, first, count);
    if (!job->sum) return true;

    /* Back from the losses, each divided by the number of labels in the batch. */
    tensor_unref(logits); /* the backward pass needs the room */
    logits = NULL;
    int parameters = (int)model->parameters.count;
    LocalTensor *seed = tensor_full(losses->dtype, &losses->shape, 1 / (double)job->labels, err);
    if (!seed) return false;
    if (!shard->sums[0])
        return tape_gradient(losses, seed, shard->views, parameters, false, shard->sums, err);
    for (int i = 0; i < parameters; i++)
        if (!tensor_unique(&shard->sums[i], err)) return false;
    return tape_add_gradients(losses, seed, shard->views, parameters, shard->sums, err);
}

/* Serves threads_share: runs shard i of the Job, in pieces of as many sequences as make about
 * PIECE_TOKENS tokens. Sets the shard's ok, and its err on failure. */
static void run_shard(const void *data, size_t i, size_t thread) {
    const Job *job = data;
    Shard *shard = &job->shards[i];
    size_t tokens = tokens_of_sequence(job->batch);
    size_t piece = tokens < PIECE_TOKENS ? PIECE_TOKENS / (tokens + !tokens) : 1;
    (void)thread;
    random_seed(&shard->dropout, job->dropout_seed + i);
    shard->ok = shard_init(shard, &shard->err);
    for (size_t at = shard->first; shard->ok && at < shard->end; at += piece)
        shard->ok = !interrupted(&shard->err) &&
                    run_piece(shard, at, smaller(shard->end - at, piece), &shard->err);
}

/* ---- all of them ---- */

/* The number of shards that the tokens are worth, at most one for each sequence. */
static size_t count_shards(const Batch *batch) {
    size_t tokens = batch_count(batch) * tokens_of_sequence(batch), count = tokens / SHARD_TOKENS;
    count = smaller(larger(count, SHARDS_LEAST), SHARDS_MOST);
    return smaller(batch_count(batch), count);
}

static void release_shards(Job *job) {
    for (size_t i = 0; i < job->count; i++) {
        Shard *shard = &job->shards[i];
        tensors_free(shard->views, 2 * job->model->parameters.count);
        tensor_unref(shard->block);
    }
}

/* Cuts the batch into shards and runs them on threads. The error is that of the first shard that
 * failed. The caller releases the shards, also on failure. */
static bool run_shards(Job *job, bool *right, Error *err) {
    size_t sequences = batch_count(job->batch);
    for (size_t i = 0; i < job->count; i++)
        job->shards[i] = (Shard){.job = job,
                                 .first = i * sequences / job->count,
                                 .end = (i + 1) * sequences / job->count,
                                 .right = right};
    kernels(); /* chosen before threads ask for it */
    threads_share(threads_now(), job->count, run_shard, job);
    for (size_t i = 0; i < job->count; i++) {
        if (job->shards[i].ok) continue;
        *err = job->shards[i].err;
        return false;
    }
    return true;
}

static size_t count_labels(const Batch *batch) {
    const Tokens *answered = batch_answered(batch);
    size_t count = 0;
    for (size_t i = 0; i < answered->batch * answered->length; i++)
        count += batch->labels[i] != NO_LABEL;
    return count;
}

/* ---- the sum of gradients ---- */

/* Row i of the parameters, in pieces that stay in the cache while the shards are added. */
static void sum_row(const void *data, size_t i, size_t thread) {
    enum { SUM_PIECE = 1 << 13 }; /* numbers */
    const Job *job = data;
    const Parameter *row = &job->model->parameters.rows[i];
    (void)thread;
    for (size_t at = 0, n; at < row->count; at += n) {
        void *to = tensor_address(job->sum, row->offset + at);
        n = smaller(row->count - at, SUM_PIECE);
        memcpy(to, tensor_address(job->shards[0].sums[i], at), n * dtype_size(job->sum->dtype));
        for (size_t s = 1; s < job->count; s++) {
            const void *more = tensor_address(job->shards[s].sums[i], at);
            KERNEL(job->sum->dtype, binary[KERNEL_ADD](to, to, 1, more, 1, n));
        }
    }
}

bool shards_gradients(const Transformer *model, const Batch *batch, double smoothing,
                      uint64_t dropout_seed, double *loss, Tensor *gradients, Error *err) {
    Shard shards[SHARDS_MOST];
    Job job = {.model = model,
               .batch = batch,
               .smoothing = smoothing,
               .dropout_seed = dropout_seed,
               .labels = count_labels(batch),
               .sum = gradients,
               .shards = shards,
               .count = count_shards(batch)};
    if (job.labels == 0) return error_set(err, ERR_VALUE, "no token of the batch has a label");
    bool ok = run_shards(&job, NULL, err);
    if (ok) {
        size_t bytes = job.count * gradients->count * dtype_size(gradients->dtype);
        threads_share(threads_for_bytes(bytes), model->parameters.count, sum_row, &job);
        *loss = 0;
        for (size_t i = 0; i < job.count; i++) *loss += shards[i].loss;
        *loss /= (double)job.labels;
    }
    release_shards(&job);
    return ok;
}

bool shards_evaluate(const Transformer *model, const Batch *batch, Evaluation *sum, Error *err) {
    Shard shards[SHARDS_MOST];
    Job job = {.model = model,
               .batch = batch,
               .labels = count_labels(batch),
               .shards = shards,
               .count = count_shards(batch)};
    size_t sequences = batch_count(batch), tokens_right = 0;
    LocalMemory bool *right = mem_zeroed(sequences, sizeof *right, err);
    if (!right) return false;
    bool ok = run_shards(&job, right, err);
    release_shards(&job);
    if (!ok) return false;
    for (size_t i = 0; i < job.count; i++) {
        sum->loss += shards[i].loss;
        tokens_right += shards[i].tokens_right;
    }
    sum->token_accuracy += (double)tokens_right;
    sum->tokens += job.labels;
    sum->sequences += sequences;
    for (size_t b = 0; b < sequences; b++) {
        sum->sequence_accuracy += right[b];
        if (!batch->groups || batch->group_count > EVALUATION_GROUPS) continue;
        sum->groups = batch->group_count;
        sum->group[batch->groups[b]].sequences++;
        sum->group[batch->groups[b]].right += right[b];
    }
    return true;
}

/* The plain loop of attention's gradient: block by block of query rows, each line of
 * attention_backward.h in turn. Compiled twice: N is double or float, NUMBERS the kernels of that
 * type, and TYPED(name) adds the type to a name. */
#include "engine/attention/attention_backward_terms.h"

#include "engine/attention/attention_weights.inc"
#include "engine/operators/rope.h"

typedef struct Backward {
    const BackwardJob *job;
    Loop loop;
    N *d_scores; /* of a block: dp, then ds, where its weights lie */
} Backward;

/* The address of a head's row in a gradient, which has the layout of its input. */
static N *gradient_row(Tensor *gradient, HeadView layout, size_t head, size_t row) {
    return (N *)gradient->data + view_offset(layout, head, row);
}

/* D = do . o; nan where it is not finite: then so is a number that the row's scores have an effect
 * on. */
static double row_mean(const BackwardJob *job, size_t head, size_t query) {
    const N *d_output = view_row(job->d_output, head, query),
            *output = view_row(job->output, head, query);
    double mean = 0;
    for (size_t c = 0; c < job->output.width; c++) mean += (double)d_output[c] * (double)output[c];
    return isfinite(mean) ? mean : NAN;
}

static double surprisal(N p) { return p > 0 ? -log((double)p) : 0; }

/* ds = p (dp - D + dl - (ln p + h) dh) / t, plus what came to the scores themselves; adds it to the
 * gradients of the terms. The row of d_scores holds do . v at first. */
static void score_gradients(const Backward *backward, const Block *block, size_t r) {
    const Loop *loop = &backward->loop;
    const BackwardJob *job = backward->job;
    size_t keys = loop->job->keys, row = block->head * loop->job->queries + block->first + r;
    const uint8_t *visible = block->visible + r * keys;
    const N *p = block->weights + r * keys;
    N *ds = backward->d_scores + r * keys;
    const AttentionOutputGradients *given = &job->given;
    const N *d_weights = given->weights ? (const N *)given->weights->data + row * keys : NULL,
            *d_scores = given->scores ? (const N *)given->scores->data + row * keys : NULL;

    if (has_constant_weights(loop)) {
        for (size_t j = block->begin; j < block->end; j++) ds[j] = 0;
    } else {
        double mean = row_mean(job, block->head, block->first + r), d_entropy = 0, entropy = 0;
        if (given->logsumexp) mean -= (double)((const N *)given->logsumexp->data)[row];
        if (given->entropy) d_entropy = (double)((const N *)given->entropy->data)[row];
        if (d_weights)
            for (size_t j = block->begin; j < block->end; j++) {
                if (!visible[j]) continue;
                ds[j] += d_weights[j];
                mean += (double)p[j] * (double)d_weights[j];
            }
        if (given->entropy)
            for (size_t j = block->begin; j < block->end; j++)
                if (visible[j]) entropy += (double)p[j] * surprisal(p[j]);
        for (size_t j = block->begin; j < block->end; j++) {
            N slope = ds[j] - (N)mean;
            if (given->entropy) slope += (N)((surprisal(p[j]) - entropy) * d_entropy);
            ds[j] = visible[j] ? p[j] * slope / loop->temperature : 0;
        }
    }
    if (d_scores)
        for (size_t j = block->begin; j < block->end; j++) ds[j] += d_scores[j];
    if (!backward_has_terms(job)) return;
    for (size_t j = block->begin; j < block->end; j++) loop->term[j] = (double)ds[j];
    terms_add(terms_of_result(job), job, block->head, block->first + r, block->begin,
              loop->term + block->begin, block->end - block->begin);
}

/* The product for dv has 0 for nan and inf in do, as 0 * nan is nan. Adds those numbers to dv of
 * the visible keys. */
static void add_nonfinite_gradients(const BackwardJob *job, const Block *block, size_t r) {
    HeadView v = job->forward.v;
    const N *d_output = view_row(job->d_output, block->head, block->first + r);
    for (size_t c = 0; c < v.width; c++) {
        if (isfinite(d_output[c])) continue;
        for (size_t j = block->begin; j < block->end; j++) {
            size_t at = r * job->forward.keys + j;
            if (block->visible[at])
                gradient_row(job->made.v, v, block->head, j)[c] += block->weights[at] * d_output[c];
        }
    }
}

/* Makes the weights of a block of query rows again, and adds to the gradients what comes from these
 * rows, in the order in which attention_backward.h derives it. */
static void block_gradients(const Backward *backward, size_t head, size_t first) {
    const BackwardJob *job = backward->job;
    const Loop *loop = &backward->loop;
    const HeadView q = job->forward.q, k = job->forward.k, v = job->forward.v;
    Block block = block_at(loop, head, first);
    if (job->given.scores) { /* those of hidden keys count as well */
        block.begin = 0;
        block.end = job->forward.keys;
    }
    const size_t keys = job->forward.keys, rows = block.rows, begin = block.begin,
                 count = block.end - begin, d_output_row = job->d_output_finite.row_step;
    if (count == 0) return;
    score_rows(loop, &block);
    for (size_t r = 0; r < rows; r++) weigh_row(loop, &block, r);

    /* o_i = sum_j p_ij v_j: dv_j = sum_i p_ij do_i */
    const N *d_output = view_row(job->d_output_finite, head, first);
    kernels()->NUMBERS->gemm(count, v.width, rows, 1, block.weights + begin, 1, keys, d_output,
                             d_output_row, 1, gradient_row(job->made.v, v, head, begin), v.row_step,
                             true, loop->gemm_work);
    bool finite = job->d_output.data == job->d_output_finite.data;
    for (size_t r = 0; !finite && r < rows; r++) add_nonfinite_gradients(job, &block, r);
    if (has_constant_weights(loop) && !job->given.scores) return;

    /* dp_ij = do_i . v_j, and ds of that */
    N *ds = backward->d_scores + begin;
    kernels()->NUMBERS->gemm(rows, count, v.width, 1, d_output, d_output_row, 1,
                             view_row(v, head, begin), 1, v.row_step, ds, keys, false,
                             loop->gemm_work);
    for (size_t r = 0; r < rows; r++) score_gradients(backward, &block, r);

    /* s_ij = scale q_i . k_j: dq_i = scale sum_j ds_ij k_j, dk_j = scale sum_i ds_ij q_i */
    kernels()->NUMBERS->gemm(rows, q.width, count, loop->scale, ds, keys, 1,
                             view_row(job->k_finite, head, begin), k.row_step, 1,
                             gradient_row(job->made.q, q, head, first), q.row_step, false,
                             loop->gemm_work);
    kernels()->NUMBERS->gemm(count, k.width, rows, loop->scale, ds, 1, keys,
                             view_row(job->q_finite, head, first), q.row_step, 1,
                             gradient_row(job->made.k, k, head, begin), k.row_step, true,
                             loop->gemm_work);
}

/* Returns the bytes of scratch, and points into `at` unless that is NULL. */
static size_t lay_out_scratch(Backward *backward, char *at) {
    size_t total = 0;
    lay_out_loop(&backward->loop, &at, &total);
    backward->d_scores = scratch_take(&at, &total, block_cells(&backward->job->forward), sizeof(N));
    return total;
}

/* Sets the first `rows` rows of a head to 0, to which the blocks then add. */
static void clear_rows(Tensor *gradient, HeadView layout, size_t head, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        memset(gradient_row(gradient, layout, head, i), 0, layout.width * sizeof(N));
}

/* RoPE replaced q by q' = R q, so dq = R^T dq': rotates gradient rows by the opposite angles. */
static void undo_rope(Tensor *gradient, HeadView layout, size_t head, size_t rows) {
    N *at = gradient_row(gradient, layout, head, 0);
    if (layout.angles)
        rope_turn(layout.angles, layout.first_angle, at, layout.row_step, at, layout.row_step, rows,
                  true);
}

/* Serves threads_share_scratch: computes the gradients of one head of one sample, block by block.
 */
static void head_gradients(const void *shared, size_t head, void *scratch) {
    Backward backward = *(const Backward *)shared;
    const BackwardJob *job = backward.job;
    const AttentionJob *forward = &job->forward;
    if (!backward.loop.deferred[sample_of(forward, head)]) return;
    lay_out_scratch(&backward, scratch);
    clear_rows(job->made.q, forward->q, head, forward->queries);
    clear_rows(job->made.k, forward->k, head, forward->keys);
    clear_rows(job->made.v, forward->v, head, forward->keys);
    for (size_t first = 0; first < forward->queries && !interrupt_flag; first += BLOCK_ROWS)
        block_gradients(&backward, head, first);
    undo_rope(job->made.q, forward->q, head, forward->queries);
    undo_rope(job->made.k, forward->k, head, forward->keys);
}

bool TYPED(attention_backward_rows)(const BackwardJob *job, const bool *deferred, Error *err) {
    const AttentionJob *forward = &job->forward;
    Backward backward = {.job = job, .loop = loop_of(forward, deferred)};
    /* Heads may add to the same numbers of dbias and dtable: one thread does, in their order. */
    int threads = backward_has_terms(job) ? 1 : threads_for(forward, forward->heads);
    return threads_share_scratch(threads, forward->heads, lay_out_scratch(&backward, NULL),
                                 head_gradients, &backward, err);
}

/* The plain loop of attention: block by block of query rows, from products to the output. Compiled
 * twice: N is double or float, NUMBERS the kernels of that type, and TYPED(name) adds the type to a
 * name. */
#include "engine/attention/attention_loops.h"

#include "engine/attention/attention_weights.inc"

/* 0 * nan is nan, so nan and inf cannot go through the product with weights of hidden keys: they
 * were set to 0 in v, and are added here, where they are visible. */
static void add_nonfinite_values(const AttentionJob *job, const Block *block, size_t r, N *output) {
    const uint8_t *visible = block->visible + r * job->keys;
    const N *weights = block->weights + r * job->keys;
    for (size_t j = block->begin; j < block->end; j++) {
        if (!visible[j] || !job->nonfinite_key[j]) continue;
        const N *value = view_row(job->v_given, block->head, j);
        for (size_t c = 0; c < job->v.width; c++)
            if (!isfinite(value[c])) output[c] += weights[j] * value[c];
    }
}

/* Returns the bytes of scratch, and points into `at` unless that is NULL. */
static size_t lay_out(Loop *loop, char *at) {
    size_t total = 0;
    lay_out_loop(loop, &at, &total);
    return total;
}

static void run_block(const void *shared, size_t item, void *scratch) {
    Loop loop = *(const Loop *)shared;
    const AttentionJob *job = loop.job;
    AttentionResult *result = job->result;
    size_t in_head = divided_up(job->queries, BLOCK_ROWS), head = item / in_head;
    if (interrupt_flag || !loop.deferred[sample_of(job, head)]) return;
    lay_out(&loop, scratch);
    Block block = block_at(&loop, head, item % in_head * BLOCK_ROWS);
    score_rows(&loop, &block);
    for (size_t r = 0; r < block.rows; r++) {
        Row row = weigh_row(&loop, &block, r);
        size_t at = head * job->queries + block.first + r;
        ((N *)result->entropy->data)[at] = (N)row.entropy;
        ((N *)result->logsumexp->data)[at] = (N)row.logsumexp;
        tensor_doubles(result->visible)[at] = row.seen;
        if (!job->trace) continue;
        ((N *)job->trace->maximum->data)[at] = (N)row.maximum;
        ((N *)job->trace->sum->data)[at] = (N)row.sum;
    }

    size_t step = job->output.row_step, count = block.end - block.begin;
    N *output = (N *)result->output->data + view_offset(job->output, head, block.first);
    if (count == 0)
        for (size_t r = 0; r < block.rows; r++)
            memset(output + r * step, 0, job->v.width * sizeof(N));
    if (count == 0 || step == 0) return;
    kernels()->NUMBERS->gemm(block.rows, job->v.width, count, 1, block.weights + block.begin,
                             job->keys, 1, view_row(job->v, head, block.begin), job->v.row_step, 1,
                             output, step, false, loop.gemm_work);
    for (size_t r = 0; job->nonfinite_key && r < block.rows; r++)
        add_nonfinite_values(job, &block, r, output + r * step);
}

bool TYPED(attention_rows)(const AttentionJob *job, const bool *deferred, Error *err) {
    Loop loop = loop_of(job, deferred);
    size_t items = divided_up(job->queries, BLOCK_ROWS) * job->heads;
    return threads_share_scratch(threads_for(job, items), items, lay_out(&loop, NULL), run_block,
                                 &loop, err);
}

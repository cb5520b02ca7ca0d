/* The plain loop of attention: block by block of query rows, from products to the output. Compiled
 * twice: N is double or float, NUMBERS the kernels of that type, and TYPED(name) adds the type to a
 * name. */
#include "engine/attention/attention_rows.h"

#include "engine/attention/attention_weights.inc"

static void keep_row(const AttentionJob *job, size_t at, const Row *row) {
    AttentionResult *result = job->result;
    ((N *)result->entropy->data)[at] = (N)row->entropy;
    ((N *)result->logsumexp->data)[at] = (N)row->logsumexp;
    tensor_doubles(result->visible)[at] = row->seen;
    if (job->trace) {
        ((N *)job->trace->maximum->data)[at] = (N)row->maximum;
        ((N *)job->trace->sum->data)[at] = (N)row->sum;
    }
}

/* ---- output ---- */

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

static void output_rows(const Loop *loop, const Block *block) {
    const AttentionJob *job = loop->job;
    size_t step = job->output.row_step, count = block->end - block->begin;
    N *output = (N *)job->result->output->data + view_place(job->output, block->head, block->first);
    for (size_t r = 0; count == 0 && r < block->rows; r++)
        memset(output + r * step, 0, job->v.width * sizeof(N));
    if (count == 0 || step == 0) return;
    kernels()->NUMBERS->gemm(block->rows, job->v.width, count, 1, block->weights + block->begin,
                             job->keys, 1, view_row(job->v, block->head, block->begin),
                             job->v.row_step, 1, output, step, false, loop->gemm_work);
    for (size_t r = 0; job->nonfinite_key && r < block->rows; r++)
        add_nonfinite_values(job, block, r, output + r * step);
}

static void run_block(const Loop *loop, size_t head, size_t first) {
    Block block = block_at(loop, head, first);
    score_rows(loop, &block);
    for (size_t r = 0; r < block.rows; r++) {
        Row row = weigh_row(loop, &block, r);
        keep_row(loop->job, head * loop->job->queries + first + r, &row);
    }
    output_rows(loop, &block);
}

/* Called first to count the bytes of the scratch, then to lay it out. */
static size_t lay_out(Loop *loop, char *at) {
    size_t total = 0;
    lay_out_loop(loop, &at, &total);
    return total;
}

typedef struct Blocks {
    Loop loop; /* without scratch */
    size_t in_head;
    const bool *left;
} Blocks;

static void run_block_item(const void *job, size_t item, void *scratch) {
    const Blocks *blocks = job;
    Loop loop = blocks->loop;
    size_t head = item / blocks->in_head;
    if (interrupt_flag || !blocks->left[sample_of(loop.job, head)]) return;
    lay_out(&loop, scratch);
    run_block(&loop, head, item % blocks->in_head * BLOCK_ROWS);
}

bool TYPED(attention_rows)(const AttentionJob *job, const bool *left, Error *err) {
    Blocks blocks = {
        .loop = {.job = job, .scale = (N)job->scale, .temperature = (N)job->spec->temperature},
        .in_head = parts(job->queries, BLOCK_ROWS),
        .left = left};
    size_t items = blocks.in_head * job->heads;
    return threads_share_scratch(threads_for(job, items), items, lay_out(&blocks.loop, NULL),
                                 run_block_item, &blocks, err);
}

/* The gradient of attention in tiles. Compiled twice: N is double or float, NUMBERS the kernels of
 * that type, and TYPED(name) adds the type to a name. From large to small:
 *
 *   group       items that one thread takes, in their order
 *   item        all spans of a head; or one span, where fewer heads than keep the threads busy
 *   span        tiles of keys that share a dq; a head has 1 to SPANS
 *   key tile    TILE_KEYS keys, whose dk and dv stay in the cache
 *   block       BLOCK_ROWS query rows by a key tile
 *   small tile  SMALL_ROWS rows of a block, by the keys that any of them sees
 *
 * For each key tile, the query rows go by in blocks (Dao 2023, algorithm 2): the scores are made
 * again, with them p and ds of the block; then the three products that these enter, without what no
 * row sees:
 *
 *   dv += p^T do      dk += scale ds^T q      dq += scale ds k
 *
 * The dq of a head's spans are added in their order, and the cut into spans depends on the sizes of
 * a sample alone: the results are bit for bit the same for any number of threads, whatever the
 * other samples. */
#include "engine/attention/attention_backward_terms.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"

#include <math.h>
#include <string.h>

enum {
    SHARED_WORK = 1 << 22, /* multiply-adds: worth waking threads for */
    SPANS = 8,             /* of keys, over the heads of a sample: each may need a dq of its own */
    HEADS_PER_THREAD = 2,  /* with as many, threads share heads */
    SMALL_ROWS = TILE_QUERIES / 2, /* the fewer, the closer to what each row sees */
    SMALL_KEYS = 24,               /* the same for keys */
    BLOCK_TILES = 12,              /* p and ds of a block stay in the L2 cache */
    BLOCK_ROWS = BLOCK_TILES * SMALL_ROWS,
};

#include "engine/attention/attention_rules.inc"

/* The scratch of one thread. Rows as wide as q and k are filled up to plan->width, rows as wide as
 * v to plan->value_width: whole vectors. */
typedef struct Scratch {
    N *q, *d_output, *d_q; /* queries x width: all rows of a head */
    N *level, *mean; /* queries: temperature * logsumexp (0: no visible key), and D - dlogsumexp */
    N *k, *v;        /* a key tile's keys and values, both packed for tile_scores */
    N *k_rows, *d_k, *d_v; /* TILE_KEYS x width: its keys, not packed, and the gradients */
    N *p, *ds;             /* BLOCK_ROWS x TILE_STRIDE: of a block; at first its scores and dp */
    double *ds_row;        /* TILE_KEYS: a row of ds */
    Terms terms;           /* of the group: what it adds to */
    bool nonfinite;        /* a number is nan or inf, or too rough */
    Rules rules;
} Scratch;

typedef struct Plan {
    const BackwardJob *job;
    N scale, temperature;
    N inverse_temperature;     /* log2(e) / temperature */
    size_t width, value_width; /* of filled rows */
    size_t spans_per_head, tiles_per_span;
    size_t spans_per_item; /* 1, or all of a head: then the item adds up their dq */
    size_t items;
    TermSums sums; /* and groups of items */
    N *partial;    /* with 1 span per item: dq of those after the first, each laid out as made.q */
    bool *deferred;
} Plan;

typedef struct Block {
    size_t head, query, rows; /* the rows query .. query + rows - 1 */
    size_t first, keys;       /* the key tile: first .. first + keys - 1 */
    bool open;                /* all rows see all keys */
    size_t count;
    Tile tiles[BLOCK_TILES]; /* small tiles; one that sees no key has begin == end */
} Block;

/* Writes the gradient of rows as they were before RoPE rotated them, or adds it where `add`; `from`
 * is overwritten. RoPE replaced q by q' = R q, so dq = R^T dq': the gradient rows are rotated by
 * the opposite angles. */
static void store_rows(N *to, HeadView layout, size_t head, size_t first, N *from, size_t from_row,
                       size_t rows, bool add) {
    if (layout.angles)
        rope_turn(layout.angles, layout.first_angle + first, from, from_row, from, from_row, rows,
                  true);
    to += view_offset(layout, head, first);
    if (!add) copy_rows(to, layout.row_step, from, from_row, rows, layout.width);
    else
        for (size_t r = 0; r < rows; r++, to += layout.row_step, from += from_row)
            kernels()->NUMBERS->binary[KERNEL_ADD](to, to, 1, from, 1, layout.width);
}

/* ---- p and ds ---- */

static void clear_outside(const Tile *tile, size_t keys, N *rows) {
    size_t begin = tile->begin - tile->first, end = tile->end - tile->first;
    for (size_t r = 0; r < tile->rows; r++, rows += TILE_STRIDE) {
        if (begin > 0) memset(rows, 0, begin * sizeof(N));
        if (end < keys) memset(rows + end, 0, (keys - end) * sizeof(N));
    }
}

/* dp_ij = do_i . v_j, p = exp(s / t - logsumexp), ds = p (dp - D) / t */
static void weights_of_small_tile(const Plan *plan, const Tile *tile, Scratch *scratch) {
    const AttentionJob *forward = &plan->job->forward;
    size_t begin = tile->begin - tile->first, count = tile->end - tile->begin,
           at = tile->row * TILE_STRIDE + begin;
    N *p = scratch->p + at, *ds = scratch->ds + at;
    kernels()->NUMBERS->tile_scores(p, scratch->q + tile->query * plan->width, plan->width,
                                    scratch->k + begin * forward->k.width, tile->rows, count,
                                    forward->k.width, plan->scale);
    kernels()->NUMBERS->tile_scores(ds, scratch->d_output + tile->query * plan->value_width,
                                    plan->value_width, scratch->v + begin * forward->v.width,
                                    tile->rows, count, forward->v.width, 1);
    apply_rules(&scratch->rules, tile, p, NULL);
    kernels()->NUMBERS->tile_slopes(p, ds, tile->rows, count, plan->inverse_temperature,
                                    scratch->level + tile->query, scratch->mean + tile->query,
                                    1 / plan->temperature);
    if (!backward_has_terms(plan->job)) return;
    count = smaller(tile->end, forward->keys) - tile->begin;
    for (size_t r = 0; r < tile->rows; r++, ds += TILE_STRIDE) {
        for (size_t j = 0; j < count; j++) scratch->ds_row[j] = (double)ds[j];
        terms_add(scratch->terms, plan->job, tile->head, tile->query + r, tile->begin,
                  scratch->ds_row, count);
    }
}

/* Weights outside of what a small tile sees are 0: its neighbours may see them. */
static void weights_of_block(const Plan *plan, Block *block, Scratch *scratch) {
    block->count = 0;
    block->open = true;
    for (size_t row = 0; row < block->rows; row += SMALL_ROWS) {
        Tile *tile = &block->tiles[block->count++];
        *tile = (Tile){.head = block->head,
                       .query = block->query + row,
                       .row = row,
                       .rows = smaller(block->rows - row, SMALL_ROWS),
                       .first = block->first};
        if (tile_find_keys(&scratch->rules, tile)) weights_of_small_tile(plan, tile, scratch);
        else tile->begin = tile->end = tile->past = tile->first;
        block->open = block->open && tile->open;
        clear_outside(tile, block->keys, scratch->p + row * TILE_STRIDE);
        clear_outside(tile, block->keys, scratch->ds + row * TILE_STRIDE);
    }
}

/* ---- the products ---- */

/* The number of rows, from *row on, in small tiles that see any of the keys begin .. end-1. */
static size_t rows_that_see(const Block *block, size_t begin, size_t end, size_t *row) {
    size_t first = 0, past = 0;
    for (size_t t = 0; t < block->count; t++) {
        const Tile *tile = &block->tiles[t];
        if (tile->past <= block->first + begin || tile->begin >= block->first + end) continue;
        if (past == 0) first = tile->row;
        past = tile->row + tile->rows;
    }
    *row = first;
    return past - first;
}

/* dv_j = sum_i p_ij do_i, dk_j = scale sum_i ds_ij q_i */
static void key_and_value_gradients(const Plan *plan, const Block *block, Scratch *scratch) {
    const AttentionJob *forward = &plan->job->forward;
    size_t width = plan->width, value_width = plan->value_width,
           step = block->open ? block->keys : SMALL_KEYS;
    for (size_t j = 0, count, row; j < block->keys; j += count) {
        count = smaller(step, block->keys - j);
        size_t rows = rows_that_see(block, j, j + count, &row), query = block->query + row,
               at = row * TILE_STRIDE + j;
        kernels()->NUMBERS->tile_product(scratch->d_v + j * value_width, value_width, 1,
                                         scratch->p + at, 1, TILE_STRIDE,
                                         scratch->d_output + query * value_width, value_width,
                                         count, forward->v.width, rows, true);
        kernels()->NUMBERS->tile_product(
            scratch->d_k + j * width, width, plan->scale, scratch->ds + at, 1, TILE_STRIDE,
            scratch->q + query * width, width, count, forward->k.width, rows, true);
    }
}

/* dq_i = scale sum_j ds_ij k_j */
static void query_gradients(const Plan *plan, const Block *block, Scratch *scratch) {
    for (size_t t = 0; t < block->count; t++) {
        const Tile *tile = &block->tiles[t];
        size_t begin = tile->begin - tile->first, end = tile->past - tile->first,
               width = plan->width;
        kernels()->NUMBERS->tile_product(scratch->d_q + tile->query * width, width, plan->scale,
                                         scratch->ds + tile->row * TILE_STRIDE + begin, TILE_STRIDE,
                                         1, scratch->k_rows + begin * width, width, tile->rows,
                                         plan->job->forward.q.width, end - begin, true);
    }
}

/* ---- a tile of keys ---- */

static bool all_finite(const N *x, size_t count) {
    return isfinite(kernels()->NUMBERS->largest(x, count));
}

static void gradient_of_key_tile(const Plan *plan, size_t head, size_t first, Scratch *scratch) {
    const BackwardJob *job = plan->job;
    const AttentionJob *forward = &job->forward;
    HeadView k = forward->k, v = forward->v;
    size_t keys = smaller(forward->keys - first, TILE_KEYS), k_count = keys * plan->width,
           v_count = keys * plan->value_width;
    /* The last panels may stay as they are past the last key: no product reaches that far. */
    load_rows(scratch->k_rows, plan->width, k, head, first, keys);
    kernels()->NUMBERS->pack_keys(scratch->k, scratch->k_rows, plan->width, keys, k.width);
    kernels()->NUMBERS->pack_keys(scratch->v, view_row(v, head, first), v.row_step, keys, v.width);
    memset(scratch->d_k, 0, k_count * sizeof(N));
    memset(scratch->d_v, 0, v_count * sizeof(N));

    for (size_t query = 0; query < forward->queries && !interrupt_flag; query += BLOCK_ROWS) {
        Block block = {.head = head,
                       .query = query,
                       .rows = smaller(forward->queries - query, BLOCK_ROWS),
                       .first = first,
                       .keys = keys};
        Tile all = {.query = query, .rows = block.rows, .first = first};
        if (!tile_set_range(forward, &all))
            continue; /* masks in words hide the keys from all its rows */
        weights_of_block(plan, &block, scratch);
        key_and_value_gradients(plan, &block, scratch);
        query_gradients(plan, &block, scratch);
    }

    if (!all_finite(scratch->d_k, k_count) || !all_finite(scratch->d_v, v_count))
        scratch->nonfinite = true;
    store_rows((N *)job->made.k->data, k, head, first, scratch->d_k, plan->width, keys, false);
    store_rows((N *)job->made.v->data, v, head, first, scratch->d_v, plan->value_width, keys,
               false);
}

/* ---- a span of keys ---- */

static void load_head(const Plan *plan, size_t head, Scratch *scratch) {
    const BackwardJob *job = plan->job;
    size_t queries = job->forward.queries;
    const N *logsumexp = (const N *)job->forward.result->logsumexp->data + head * queries;
    const N *d_logsumexp =
        job->given.logsumexp ? (const N *)job->given.logsumexp->data + head * queries : NULL;
    load_rows(scratch->q, plan->width, job->forward.q, head, 0, queries);
    load_rows(scratch->d_output, plan->value_width, job->d_output, head, 0, queries);
    kernels()->NUMBERS->row_products(scratch->mean, scratch->d_output, plan->value_width,
                                     view_row(job->output, head, 0), job->output.row_step, queries,
                                     job->output.width);
    const double epsilon = sizeof(N) == sizeof(double) ? DBL_EPSILON : (double)FLT_EPSILON;
    for (size_t i = 0; i < queries; i++) {
        scratch->level[i] = 0;
        if (logsumexp[i] == -(N)INFINITY) continue; /* an empty row */
        scratch->level[i] = plan->temperature * logsumexp[i];
        if (d_logsumexp) scratch->mean[i] -= d_logsumexp[i];
        /* logsumexp = maximum + ln(sum). Beside a large maximum (masks of -1e9) rounding leaves
         * fewer than three digits of ln(sum), so the sample is deferred. Written with ! so that nan
         * is deferred, too. */
        if (!(fabs((double)logsumexp[i]) * epsilon < 1e-3)) scratch->nonfinite = true;
    }
}

/* A span makes a dq of its own: where threads share the spans of a head, those after the first keep
 * it in `partial`; else each is added to that of the spans before. */
static void gradient_of_span(const Plan *plan, size_t head, size_t span, Scratch *scratch) {
    const AttentionJob *forward = &plan->job->forward;
    size_t begin = span * plan->tiles_per_span, count = forward->queries * plan->width,
           end = smaller(divided_up(forward->keys, TILE_KEYS), begin + plan->tiles_per_span);
    memset(scratch->d_q, 0, count * sizeof(N));
    for (size_t tile = begin; tile < end; tile++)
        gradient_of_key_tile(plan, head, tile * TILE_KEYS, scratch);
    if (!all_finite(scratch->d_q, count)) scratch->nonfinite = true;

    Tensor *d_q = plan->job->made.q;
    bool separate = span > 0 && plan->spans_per_item == 1;
    N *to = separate ? plan->partial + (span - 1) * d_q->count : (N *)d_q->data;
    store_rows(to, forward->q, head, 0, scratch->d_q, plan->width, forward->queries,
               span > 0 && !separate);
}

/* ---- all spans ---- */

/* Returns the bytes of scratch, and points into `at` unless that is NULL. */
static size_t lay_out_scratch(const Plan *plan, Scratch *scratch, char *at) {
    const AttentionJob *forward = &plan->job->forward;
    size_t total = 0, keys = smaller(round_up(forward->keys, TILE_ALIGNED), TILE_KEYS),
           rows = BLOCK_ROWS;
    scratch->q = scratch_take(&at, &total, forward->queries * plan->width, sizeof(N));
    scratch->d_q = scratch_take(&at, &total, forward->queries * plan->width, sizeof(N));
    scratch->d_output = scratch_take(&at, &total, forward->queries * plan->value_width, sizeof(N));
    scratch->level = scratch_take(&at, &total, forward->queries, sizeof(N));
    scratch->mean = scratch_take(&at, &total, forward->queries, sizeof(N));
    scratch->k = scratch_take(&at, &total, keys * forward->k.width, sizeof(N));
    scratch->v = scratch_take(&at, &total, keys * forward->v.width, sizeof(N));
    scratch->k_rows = scratch_take(&at, &total, keys * plan->width, sizeof(N));
    scratch->d_k = scratch_take(&at, &total, keys * plan->width, sizeof(N));
    scratch->d_v = scratch_take(&at, &total, keys * plan->value_width, sizeof(N));
    scratch->p = scratch_take(&at, &total, rows * TILE_STRIDE, sizeof(N));
    scratch->ds = scratch_take(&at, &total, rows * TILE_STRIDE, sizeof(N));
    scratch->ds_row = scratch_take(&at, &total, TILE_KEYS, sizeof(double));
    scratch->rules = rules_of(forward, &at, &total);
    return total;
}

static void gradient_of_group(const void *shared, size_t group, void *memory) {
    const Plan *plan = shared;
    const AttentionJob *forward = &plan->job->forward;
    size_t count = plan->sums.groups, in_head = plan->spans_per_head / plan->spans_per_item,
           past = (group + 1) * plan->items / count;
    Scratch scratch;
    lay_out_scratch(plan, &scratch, memory);
    scratch.terms = term_sums_begin(&plan->sums, group);
    for (size_t item = group * plan->items / count; item < past; item++) {
        size_t head = item / in_head, first = item % in_head;
        if (interrupt_flag || is_deferred(forward, head, plan->deferred)) continue;
        scratch.nonfinite = false;
        load_head(plan, head, &scratch);
        for (size_t s = 0; s < plan->spans_per_item; s++)
            gradient_of_span(plan, head, first + s, &scratch);
        if (scratch.nonfinite) defer(forward, head, plan->deferred);
    }
}

/* Computes the samples that are not deferred. */
static bool run_groups(const Plan *plan, int threads, Error *err) {
    Scratch scratch;
    return threads_share_scratch(threads, plan->sums.groups, lay_out_scratch(plan, &scratch, NULL),
                                 gradient_of_group, plan, err);
}

/* A number that is not finite, or overflows on its way, ends in dq, dk or dv, since 0 times nan is
 * nan, or in a logsumexp: these are checked, and the inputs need not be. */
bool TYPED(attention_backward_tiles)(const BackwardJob *job, bool *deferred, Error *err) {
    const AttentionJob *forward = &job->forward;
    Tensor *d_q = job->made.q;
    int threads = attention_work(forward, forward->heads) >= SHARED_WORK ? threads_now() : 1;
    Plan plan = {.job = job,
                 .scale = (N)forward->scale,
                 .temperature = (N)forward->spec->temperature,
                 .deferred = deferred};
    if (!temperature_is_usable(plan.temperature)) {
        memset(deferred, true, forward->samples * sizeof *deferred);
        return true;
    }
    size_t key_tiles = divided_up(forward->keys, TILE_KEYS);
    plan.inverse_temperature = log2_e / plan.temperature;
    plan.width = round_up(forward->q.width, TILE_ALIGNED);
    plan.value_width = round_up(forward->v.width, TILE_ALIGNED);
    plan.tiles_per_span =
        divided_up(key_tiles, smaller(divided_up(SPANS, forward->spec->heads), key_tiles));
    plan.spans_per_head = divided_up(key_tiles, plan.tiles_per_span);
    bool terms = backward_has_terms(job); /* then the number of threads has no say in the cut */
    bool whole_heads = terms ? forward->heads >= TERM_GROUPS
                             : threads == 1 || forward->heads >= HEADS_PER_THREAD * (size_t)threads;
    plan.spans_per_item = whole_heads ? plan.spans_per_head : 1;
    plan.items = plan.spans_per_head / plan.spans_per_item * forward->heads;
    if (!term_sums_init(&plan.sums, job, plan.items, err)) return false;
    threads = (int)smaller((size_t)threads, plan.sums.groups > 0 ? plan.sums.groups : 1);
    size_t partials = plan.spans_per_item == 1 ? plan.spans_per_head - 1 : 0;
    plan.partial = mem_aligned(partials * d_q->count * sizeof(N), err);
    bool ok = plan.partial && run_groups(&plan, threads, err);
    /* A deferred sample may have added to dbias and dtable before it was found out: clear them, and
     * run again without it. */
    if (ok && terms && memchr(deferred, true, forward->samples)) {
        term_sums_clear(&plan.sums);
        ok = run_groups(&plan, threads, err);
    }
    if (ok) {
        for (size_t s = 0; s < partials; s++)
            kernels()->NUMBERS->binary[KERNEL_ADD]((N *)d_q->data, (const N *)d_q->data, 1,
                                                   plan.partial + s * d_q->count, 1, d_q->count);
        term_sums_join(&plan.sums);
    }
    mem_free(plan.partial);
    term_sums_release(&plan.sums);
    return ok;
}

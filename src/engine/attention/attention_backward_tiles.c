/* The gradient of attention in tiles. Compiled twice: N is double or float, NUMBERS the kernels of
 * that type, and TYPED(name) adds the type to a name.
 *
 * For each tile of keys, whose dk and dv stay in the cache, it goes over the query rows in blocks
 * (Dao 2023, algorithm 2): the scores are made again, with them p and ds of the block; then the
 * three products that these enter,
 *
 *   dv += p^T do      dk += scale ds^T q      dq += scale ds k
 *
 * Small tiles of rows within a block make only the keys that they see, and the products leave out
 * what no row sees.
 *
 * The tiles of keys of a head are cut into spans. Each makes a dq, and these are added up in their
 * order. Where there are fewer heads than threads keep busy, threads share the spans of a head, and
 * each span but the first keeps its dq until then. The cut depends on the sizes of a sample alone,
 * so neither the number of threads nor other samples change a bit. */
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
    SMALL_KEYS = 24,               /* likewise */
    BLOCK_TILES = 12,              /* p and ds of a block stay in the second cache */
    BLOCK_ROWS = BLOCK_TILES * SMALL_ROWS,
};

#include "engine/attention/attention_rules.inc"

/* What one thread works with. Rows of matrices are filled up to whole vectors. */
typedef struct Scratch {
    N *q, *d_output, *d_q; /* all rows of a head */
    N *level, *mean;       /* of each: temperature * logsumexp, and D - dl */
    N *k, *v;              /* a tile of keys and values, packed */
    N *k_rows, *d_k, *d_v; /* its keys again, and the gradients */
    N *p, *ds;      /* a block by the tile of keys, at TILE_STRIDE; at first its scores and dp */
    double *term;   /* a row of ds */
    Terms terms;    /* of the group: what it adds to */
    bool nonfinite; /* a number is nan or inf, or too rough */
    Rules rules;
} Scratch;

typedef struct Tiles {
    const BackwardJob *job;
    N scale, temperature;
    N inverse_temperature;     /* log2(e) / temperature */
    size_t width, value_width; /* of filled rows */
    size_t spans, span;        /* of each head; tiles of keys in one */
    size_t together;           /* spans in an item of work, one or all; if all, it adds them up */
    size_t items;
    TermSums sums; /* and groups of items */
    N *partial;    /* else: dq of the spans after the first, each laid out as d_q */
    bool *left;
} Tiles;

/* Rows, and what each small tile of them sees of a tile of keys: begin == end where that is
 * nothing. */
typedef struct Block {
    size_t head, query, rows;
    size_t first, keys;
    bool open; /* all see all */
    size_t count;
    Tile tiles[BLOCK_TILES];
} Block;

/* Writes the gradient of rows as they were before RoPE turned them, or adds it where `add`; `from`
 * is overwritten. Of turned rows q' = R q comes dq = R^T dq', and the transpose of a rotation turns
 * back. */
static void store_rows(N *to, HeadView like, size_t head, size_t first, N *from, size_t from_row,
                       size_t rows, bool add) {
    if (like.angles)
        rope_turn(like.angles, like.first_angle + first, from, from_row, from, from_row, rows,
                  true);
    to += view_place(like, head, first);
    if (!add) copy_rows(to, like.row_step, from, from_row, rows, like.width);
    else
        for (size_t r = 0; r < rows; r++, to += like.row_step, from += from_row)
            kernels()->NUMBERS->binary[KERNEL_ADD](to, to, 1, from, 1, like.width);
}

/* ---- p and ds ---- */

static void clear_outside(const Tile *tile, N *rows) {
    size_t begin = tile->begin - tile->first, end = tile->end - tile->first;
    for (size_t r = 0; end - begin < TILE_KEYS && r < tile->rows; r++, rows += TILE_STRIDE) {
        memset(rows, 0, begin * sizeof(N));
        memset(rows + end, 0, (TILE_KEYS - end) * sizeof(N));
    }
}

static void add_terms_of_tile(const Tiles *tiles, const Tile *tile, const N *ds, Scratch *scratch) {
    size_t count = at_most(tile->end, tiles->job->forward.keys) - tile->begin;
    for (size_t r = 0; r < tile->rows; r++, ds += TILE_STRIDE) {
        for (size_t j = 0; j < count; j++) scratch->term[j] = (double)ds[j];
        terms_add(scratch->terms, tiles->job, tile->head, tile->query + r, tile->begin,
                  scratch->term, count);
    }
}

/* dp_ij = do_i . v_j, p = exp(s / t - logsumexp), ds = p (dp - D) / t */
static void run_tile(const Tiles *tiles, const Tile *tile, Scratch *scratch) {
    const AttentionJob *forward = &tiles->job->forward;
    size_t begin = tile->begin - tile->first, count = tile->end - tile->begin,
           at = tile->row * TILE_STRIDE + begin;
    N *p = scratch->p + at, *ds = scratch->ds + at;
    kernels()->NUMBERS->tile_scores(p, scratch->q + tile->query * tiles->width, tiles->width,
                                    scratch->k + begin * forward->k.width, tile->rows, count,
                                    forward->k.width, tiles->scale);
    kernels()->NUMBERS->tile_scores(ds, scratch->d_output + tile->query * tiles->value_width,
                                    tiles->value_width, scratch->v + begin * forward->v.width,
                                    tile->rows, count, forward->v.width, 1);
    apply_rules(&scratch->rules, tile, p, NULL);
    kernels()->NUMBERS->tile_slopes(p, ds, tile->rows, count, tiles->inverse_temperature,
                                    scratch->level + tile->query, scratch->mean + tile->query,
                                    1 / tiles->temperature);
    if (backward_has_terms(tiles->job)) add_terms_of_tile(tiles, tile, ds, scratch);
}

/* Outside of what a small tile sees stands 0: its neighbours may see it. */
static void run_tiles(const Tiles *tiles, Block *block, Scratch *scratch) {
    block->count = 0;
    block->open = true;
    for (size_t row = 0; row < block->rows; row += SMALL_ROWS) {
        Tile *tile = &block->tiles[block->count++];
        *tile = (Tile){.head = block->head,
                       .query = block->query + row,
                       .row = row,
                       .rows = at_most(block->rows - row, SMALL_ROWS),
                       .first = block->first};
        if (tile_find_keys(&scratch->rules, tile)) run_tile(tiles, tile, scratch);
        else tile->begin = tile->end = tile->past = tile->first;
        block->open = block->open && tile->open;
        clear_outside(tile, scratch->p + row * TILE_STRIDE);
        clear_outside(tile, scratch->ds + row * TILE_STRIDE);
    }
}

/* ---- what they enter ---- */

/* How many rows, from *row on, lie in small tiles that see any of the keys begin .. end-1. */
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
static void key_gradients(const Tiles *tiles, const Block *block, Scratch *scratch) {
    const AttentionJob *forward = &tiles->job->forward;
    size_t width = tiles->width, value_width = tiles->value_width,
           step = block->open ? block->keys : SMALL_KEYS;
    for (size_t j = 0, count, row; j < block->keys; j += count) {
        count = at_most(step, block->keys - j);
        size_t rows = rows_that_see(block, j, j + count, &row), query = block->query + row,
               at = row * TILE_STRIDE + j;
        kernels()->NUMBERS->tile_product(scratch->d_v + j * value_width, value_width, 1,
                                         scratch->p + at, 1, TILE_STRIDE,
                                         scratch->d_output + query * value_width, value_width,
                                         count, forward->v.width, rows, true);
        kernels()->NUMBERS->tile_product(
            scratch->d_k + j * width, width, tiles->scale, scratch->ds + at, 1, TILE_STRIDE,
            scratch->q + query * width, width, count, forward->k.width, rows, true);
    }
}

/* dq_i = scale sum_j ds_ij k_j */
static void query_gradients(const Tiles *tiles, const Block *block, Scratch *scratch) {
    for (size_t t = 0; t < block->count; t++) {
        const Tile *tile = &block->tiles[t];
        size_t begin = tile->begin - tile->first, end = tile->past - tile->first,
               width = tiles->width;
        kernels()->NUMBERS->tile_product(scratch->d_q + tile->query * width, width, tiles->scale,
                                         scratch->ds + tile->row * TILE_STRIDE + begin, TILE_STRIDE,
                                         1, scratch->k_rows + begin * width, width, tile->rows,
                                         tiles->job->forward.q.width, end - begin, true);
    }
}

/* ---- a tile of keys ---- */

static bool is_finite(const N *x, size_t count) {
    return isfinite(kernels()->NUMBERS->largest(x, count));
}

static void run_keys(const Tiles *tiles, size_t head, size_t first, Scratch *scratch) {
    const BackwardJob *job = tiles->job;
    const AttentionJob *forward = &job->forward;
    HeadView k = forward->k, v = forward->v;
    size_t keys = at_most(forward->keys - first, TILE_KEYS), k_count = keys * tiles->width,
           v_count = keys * tiles->value_width;
    /* The last panels may stay as they are past the last key: no product reaches that far. */
    load_rows(scratch->k_rows, tiles->width, k, head, first, keys);
    kernels()->NUMBERS->pack_keys(scratch->k, scratch->k_rows, tiles->width, keys, k.width);
    kernels()->NUMBERS->pack_keys(scratch->v, view_row(v, head, first), v.row_step, keys, v.width);
    memset(scratch->d_k, 0, k_count * sizeof(N));
    memset(scratch->d_v, 0, v_count * sizeof(N));

    for (size_t query = 0; query < forward->queries && !interrupt_flag; query += BLOCK_ROWS) {
        Block block = {.head = head,
                       .query = query,
                       .rows = at_most(forward->queries - query, BLOCK_ROWS),
                       .first = first,
                       .keys = keys};
        Tile all = {.query = query, .rows = block.rows, .first = first};
        if (!tile_set_range(forward, &all))
            continue; /* masks in words hide the keys from all its rows */
        run_tiles(tiles, &block, scratch);
        key_gradients(tiles, &block, scratch);
        query_gradients(tiles, &block, scratch);
    }

    if (!is_finite(scratch->d_k, k_count) || !is_finite(scratch->d_v, v_count))
        scratch->nonfinite = true;
    store_rows((N *)job->made.k->data, k, head, first, scratch->d_k, tiles->width, keys, false);
    store_rows((N *)job->made.v->data, v, head, first, scratch->d_v, tiles->value_width, keys,
               false);
}

/* ---- a span of keys ---- */

static void begin_head(const Tiles *tiles, size_t head, Scratch *scratch) {
    const BackwardJob *job = tiles->job;
    size_t queries = job->forward.queries;
    const N *logsumexp = (const N *)job->forward.result->logsumexp->data + head * queries;
    const N *d_logsumexp =
        job->given.logsumexp ? (const N *)job->given.logsumexp->data + head * queries : NULL;
    load_rows(scratch->q, tiles->width, job->forward.q, head, 0, queries);
    load_rows(scratch->d_output, tiles->value_width, job->d_output_given, head, 0, queries);
    kernels()->NUMBERS->row_products(scratch->mean, scratch->d_output, tiles->value_width,
                                     view_row(job->output, head, 0), job->output.row_step, queries,
                                     job->output.width);
    const double epsilon = sizeof(N) == sizeof(double) ? DBL_EPSILON : (double)FLT_EPSILON;
    for (size_t i = 0; i < queries; i++) {
        scratch->level[i] = 0;
        if (logsumexp[i] == -(N)INFINITY) continue; /* an empty row */
        scratch->level[i] = tiles->temperature * logsumexp[i];
        if (d_logsumexp) scratch->mean[i] -= d_logsumexp[i];
        /* p needs what the sum of exponentials adds to the maximum. Beside a large one, as numbers
         * that stand for -inf make it, less than three digits of that are left. */
        if (!(fabs((double)logsumexp[i]) * epsilon < 1e-3)) scratch->nonfinite = true;
    }
}

/* A span makes a dq of its own: where threads share the spans of a head, those after the first keep
 * it in `partial`; else it is added up as they come. */
static void run_span(const Tiles *tiles, size_t head, size_t span, Scratch *scratch) {
    const AttentionJob *forward = &tiles->job->forward;
    size_t begin = span * tiles->span, count = forward->queries * tiles->width,
           end = at_most(parts(forward->keys, TILE_KEYS), begin + tiles->span);
    memset(scratch->d_q, 0, count * sizeof(N));
    for (size_t tile = begin; tile < end; tile++) run_keys(tiles, head, tile * TILE_KEYS, scratch);
    if (!is_finite(scratch->d_q, count)) scratch->nonfinite = true;

    Tensor *d_q = tiles->job->made.q;
    bool apart = span > 0 && tiles->together == 1;
    N *to = apart ? tiles->partial + (span - 1) * d_q->count : (N *)d_q->data;
    store_rows(to, forward->q, head, 0, scratch->d_q, tiles->width, forward->queries,
               span > 0 && !apart);
}

/* ---- all spans ---- */

/* Called to count, then to lay out for each thread. */
static size_t lay_out_scratch(const Tiles *tiles, Scratch *scratch, char *at) {
    const AttentionJob *forward = &tiles->job->forward;
    size_t total = 0, keys = at_most(round_up(forward->keys, TILE_ALIGNED), TILE_KEYS),
           rows = BLOCK_ROWS;
    scratch->q = take(&at, &total, forward->queries * tiles->width, sizeof(N));
    scratch->d_q = take(&at, &total, forward->queries * tiles->width, sizeof(N));
    scratch->d_output = take(&at, &total, forward->queries * tiles->value_width, sizeof(N));
    scratch->level = take(&at, &total, forward->queries, sizeof(N));
    scratch->mean = take(&at, &total, forward->queries, sizeof(N));
    scratch->k = take(&at, &total, keys * forward->k.width, sizeof(N));
    scratch->v = take(&at, &total, keys * forward->v.width, sizeof(N));
    scratch->k_rows = take(&at, &total, keys * tiles->width, sizeof(N));
    scratch->d_k = take(&at, &total, keys * tiles->width, sizeof(N));
    scratch->d_v = take(&at, &total, keys * tiles->value_width, sizeof(N));
    scratch->p = take(&at, &total, rows * TILE_STRIDE, sizeof(N));
    scratch->ds = take(&at, &total, rows * TILE_STRIDE, sizeof(N));
    scratch->term = take(&at, &total, TILE_KEYS, sizeof(double));
    scratch->rules = rules_of(forward, &at, &total);
    return total;
}

static void run_group(const void *shared, size_t group, void *memory) {
    const Tiles *tiles = shared;
    const AttentionJob *forward = &tiles->job->forward;
    size_t count = tiles->sums.groups, in_head = tiles->spans / tiles->together,
           past = (group + 1) * tiles->items / count;
    Scratch scratch;
    lay_out_scratch(tiles, &scratch, memory);
    scratch.terms = term_sums_begin(&tiles->sums, group);
    for (size_t item = group * tiles->items / count; item < past; item++) {
        size_t head = item / in_head, first = item % in_head;
        if (interrupt_flag || is_left(forward, head, tiles->left)) continue;
        scratch.nonfinite = false;
        begin_head(tiles, head, &scratch);
        for (size_t s = 0; s < tiles->together; s++) run_span(tiles, head, first + s, &scratch);
        if (scratch.nonfinite) leave(forward, head, tiles->left);
    }
}

/* For the samples that are not left. */
static bool run_groups(const Tiles *tiles, int threads, Error *err) {
    Scratch scratch;
    return threads_share_scratch(threads, tiles->sums.groups,
                                 lay_out_scratch(tiles, &scratch, NULL), run_group, tiles, err);
}

static Tiles tiles_of(const BackwardJob *job, int threads, bool *left) {
    const AttentionJob *forward = &job->forward;
    Tiles tiles = {.job = job,
                   .scale = (N)forward->scale,
                   .temperature = (N)forward->spec->temperature,
                   .left = left};
    size_t key_tiles = parts(forward->keys, TILE_KEYS);
    tiles.inverse_temperature = log2_e / tiles.temperature;
    tiles.width = round_up(forward->q.width, TILE_ALIGNED);
    tiles.value_width = round_up(forward->v.width, TILE_ALIGNED);
    tiles.span = parts(key_tiles, at_most(parts(SPANS, forward->spec->heads), key_tiles));
    tiles.spans = parts(key_tiles, tiles.span);
    bool terms = backward_has_terms(job); /* then threads have no say in the cut */
    bool alone = terms ? forward->heads >= TERM_GROUPS
                       : threads == 1 || forward->heads >= HEADS_PER_THREAD * (size_t)threads;
    tiles.together = alone ? tiles.spans : 1;
    tiles.items = tiles.spans / tiles.together * forward->heads;
    return tiles;
}

/* What is not finite, or overflows on its way, ends in dq, dk or dv, since 0 times nan is nan, or
 * in a logsumexp: these are looked at, and the inputs need not be. */
bool TYPED(attention_backward_tiles)(const BackwardJob *job, bool *left, Error *err) {
    const AttentionJob *forward = &job->forward;
    Tensor *d_q = job->made.q;
    int threads = attention_work(forward, forward->heads) >= SHARED_WORK ? threads_now() : 1;
    Tiles tiles = tiles_of(job, threads, left);
    if (!in_reach(tiles.temperature)) {
        memset(left, true, forward->samples * sizeof *left);
        return true;
    }
    if (!term_sums_init(&tiles.sums, job, tiles.items, err)) return false;
    threads = (int)at_most((size_t)threads, tiles.sums.groups > 0 ? tiles.sums.groups : 1);
    size_t partials = tiles.together == 1 ? tiles.spans - 1 : 0;
    tiles.partial = mem_aligned(partials * d_q->count * sizeof(N), err);
    bool ok = tiles.partial && run_groups(&tiles, threads, err);
    /* The sums hold the terms of samples that are left by now: they are made again, without. */
    if (ok && backward_has_terms(job) && memchr(left, true, forward->samples)) {
        term_sums_clear(&tiles.sums);
        ok = run_groups(&tiles, threads, err);
    }
    if (ok) {
        for (size_t s = 0; s < partials; s++)
            kernels()->NUMBERS->binary[KERNEL_ADD]((N *)d_q->data, (const N *)d_q->data, 1,
                                                   tiles.partial + s * d_q->count, 1, d_q->count);
        term_sums_join(&tiles.sums);
    }
    mem_free(tiles.partial);
    term_sums_release(&tiles.sums);
    return ok;
}

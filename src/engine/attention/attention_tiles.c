/* Attention in tiles of TILE_QUERIES rows by TILE_KEYS keys; kernels_attention.inc derives the sums
 * that are carried from tile to tile. Compiled twice: N is double or float, NUMBERS the kernels of
 * that type, and TYPED(name) adds the type to a name.
 *
 * The rows of each head are cut into spans, which threads share. For each tile of keys, a span
 * packs them once, copies values where they cannot be read in place, and goes over its rows. The
 * tiles of keys begin at multiples of TILE_KEYS and every sum runs over the keys in their order, so
 * the results are bit for bit the same for any number of threads. */
#include "engine/attention/attention_loops.h"

#include "base/interrupt.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"

#include <math.h>
#include <string.h>

enum {
    SHARED_WORK = 1 << 20, /* multiply-adds: worth waking threads for */
    COLLIDING = 4096,      /* bytes: rows so far apart share few lines of the caches */
    /* From this number of queries on, heads that lie side by side are copied. Values are read again
       for each TILE_QUERIES of them, from lines that push each other out. */
    COPIED_QUERIES = 512,
    COPIED_VALUES = 128,
    SPAN_BYTES = 3 << 18, /* of scratch: with a tile of keys it stays in the L2 cache */
    SPANS_PER_THREAD = 2, /* they take unequal time under a causal mask */
};

#include "engine/attention/attention_rules.inc"

/* The scratch of one thread. */
typedef struct Scratch {
    N *q;                              /* a span of queries, where they cannot be read in place */
    N *rotated;                        /* a tile of keys, if RoPE rotates them */
    N *k;                              /* the tile, packed */
    N *v;                              /* likewise of values, where they cannot be read in place */
    N *scores;                         /* a tile, then its exponentials */
    N *out, *sums, *spreads, *maximum; /* o, l, u and m of a span */
    double *seen;                      /* visible keys */
    bool *begun;                       /* for each TILE_QUERIES rows: the four are set */
    bool nonfinite;                    /* a number of the span is nan or inf */
    Rules rules;
} Scratch;

typedef struct Plan {
    const AttentionJob *job;
    N scale, temperature;
    N inverse_temperature;        /* log2(e) / temperature */
    size_t rows_per_span;         /* a multiple of TILE_QUERIES */
    size_t out_width;             /* columns of `out` */
    bool q_in_place;              /* queries are read where they lie */
    bool v_in_place;              /* likewise values, if their rows are whole vectors */
    size_t spans_per_head, spans; /* the latter of all heads */
    bool *deferred;
} Plan;

/* ---- scratch ---- */

/* Returns the bytes of scratch, and points into `at` unless that is NULL. */
static size_t lay_out(const Plan *plan, Scratch *scratch, char *at) {
    const AttentionJob *job = plan->job;
    size_t total = 0, keys = smaller(round_up(job->keys, TILE_ALIGNED), TILE_KEYS);
    scratch->q = scratch_take(&at, &total,
                              plan->q_in_place ? 0 : plan->rows_per_span * job->q.width, sizeof(N));
    scratch->rotated =
        scratch_take(&at, &total, job->k.angles ? keys * job->k.width : 0, sizeof(N));
    scratch->k = scratch_take(&at, &total, keys * job->k.width, sizeof(N));
    scratch->v =
        scratch_take(&at, &total, plan->v_in_place ? 0 : keys * plan->out_width, sizeof(N));
    scratch->scores = scratch_take(&at, &total, TILE_QUERIES * TILE_STRIDE, sizeof(N));
    scratch->out = scratch_take(&at, &total, plan->rows_per_span * plan->out_width, sizeof(N));
    scratch->sums = scratch_take(&at, &total, plan->rows_per_span * TILE_SUMS, sizeof(N));
    scratch->spreads = scratch_take(&at, &total, plan->rows_per_span * TILE_SUMS, sizeof(N));
    scratch->maximum = scratch_take(&at, &total, plan->rows_per_span, sizeof(N));
    scratch->seen = scratch_take(&at, &total, plan->rows_per_span, sizeof(double));
    scratch->begun =
        scratch_take(&at, &total, divided_up(plan->rows_per_span, TILE_QUERIES), sizeof(bool));
    scratch->rules = rules_of(job, &at, &total);
    return total;
}

/* ---- a tile ---- */

/* Sets l, u and m of rows that have seen no key. */
static void begin_rows(const Tile *tile, Scratch *scratch) {
    memset(scratch->sums + tile->row * TILE_SUMS, 0, tile->rows * TILE_SUMS * sizeof(N));
    memset(scratch->spreads + tile->row * TILE_SUMS, 0, tile->rows * TILE_SUMS * sizeof(N));
    memset(scratch->seen + tile->row, 0, tile->rows * sizeof *scratch->seen);
    hide(scratch->maximum, tile->row, tile->row + tile->rows);
}

static void run_tile(const Plan *plan, const Tile *tile, Scratch *scratch) {
    const AttentionJob *job = plan->job;
    size_t begin = tile->begin - tile->first, count = tile->end - tile->begin,
           width = plan->out_width;
    const N *q = scratch->q + tile->row * job->q.width, *v = scratch->v;
    size_t q_row = job->q.width, v_row = width;
    if (plan->q_in_place) {
        q = view_row(job->q, tile->head, tile->query);
        q_row = job->q.row_step;
    }
    if (plan->v_in_place) {
        v = view_row(job->v, tile->head, tile->first);
        v_row = job->v.row_step;
    }

    bool *begun = scratch->begun + tile->row / TILE_QUERIES;
    N *out = scratch->out + tile->row * width;
    if (!*begun) begin_rows(tile, scratch);
    kernels()->NUMBERS->tile_scores(scratch->scores, q, q_row, scratch->k + begin * job->k.width,
                                    tile->rows, count, job->k.width, plan->scale);
    apply_rules(&scratch->rules, tile, scratch->scores, scratch->seen + tile->row);
    kernels()->NUMBERS->tile_softmax(scratch->scores, tile->rows, count, plan->inverse_temperature,
                                     scratch->maximum + tile->row,
                                     scratch->sums + tile->row * TILE_SUMS,
                                     scratch->spreads + tile->row * TILE_SUMS, out, width);
    kernels()->NUMBERS->tile_product(out, width, 1, scratch->scores, TILE_STRIDE, 1,
                                     v + begin * v_row, v_row, tile->rows, job->v.width,
                                     tile->past - tile->begin, *begun);
    *begun = true;
}

/* ---- a span of rows ---- */

static void pack_tile(const Plan *plan, size_t head, size_t first, Scratch *scratch) {
    const AttentionJob *job = plan->job;
    size_t keys = smaller(job->keys - first, TILE_KEYS);
    HeadView k = job->k;
    const N *rows = view_row(k, head, first);
    if (k.angles) load_rows(scratch->rotated, k.width, k, head, first, keys);
    kernels()->NUMBERS->pack_keys(scratch->k, k.angles ? scratch->rotated : rows,
                                  k.angles ? k.width : k.row_step, keys, k.width);
    if (!plan->v_in_place) load_rows(scratch->v, plan->out_width, job->v, head, first, keys);
}

static void finish_rows(const Plan *plan, const Tile *tile, Scratch *scratch) {
    const AttentionJob *job = plan->job;
    AttentionResult *result = job->result;
    size_t row = tile->row, rows = tile->rows, at = tile->head * job->queries + tile->query;
    N *output = (N *)result->output->data + view_offset(job->output, tile->head, tile->query);
    N *entropy = (N *)result->entropy->data + at, *logsumexp = (N *)result->logsumexp->data + at;
    enum { ROOM = TILE_QUERIES + TILE_LANES }; /* whole vectors are written */
    N sum[ROOM], spread[ROOM];
    double log_sum[TILE_QUERIES], temperature = (double)plan->temperature;
    if (!scratch->begun[row / TILE_QUERIES]) { /* the rows see no key */
        begin_rows(tile, scratch);
        memset(scratch->out + row * plan->out_width, 0, rows * plan->out_width * sizeof(N));
    }
    if (!kernels()->NUMBERS->tile_finish(output, job->output.row_step,
                                         scratch->out + row * plan->out_width, plan->out_width,
                                         rows, job->v.width, scratch->sums + row * TILE_SUMS,
                                         scratch->spreads + row * TILE_SUMS, sum, spread))
        scratch->nonfinite = true;
    for (size_t r = 0; r < rows; r++) log_sum[r] = (double)sum[r];
    kernels()->f64->unary[KERNEL_LOG](log_sum, log_sum, rows);
    for (size_t r = 0; r < rows; r++) {
        double seen = scratch->seen[row + r];
        if (seen > 0 && scratch->maximum[row + r] == HIDDEN(N))
            scratch->nonfinite = true; /* all scores are -inf */
        tensor_doubles(result->visible)[at + r] = seen;
        entropy[r] = seen > 0 ? (N)(log_sum[r] - (double)spread[r] / temperature) : 0;
        logsumexp[r] = seen > 0 ? (N)((double)scratch->maximum[row + r] / temperature + log_sum[r])
                                : -(N)INFINITY;
    }
}

static void run_span(const void *shared, size_t item, void *memory) {
    const Plan *plan = shared;
    const AttentionJob *job = plan->job;
    /* The last span is the first to run: under a causal mask its rows take longest. */
    size_t span = plan->spans - 1 - item, head = span / plan->spans_per_head,
           first = span % plan->spans_per_head * plan->rows_per_span,
           rows = smaller(job->queries - first, plan->rows_per_span);
    Scratch scratch = {.nonfinite = false};
    if (interrupt_flag || is_deferred(job, head, plan->deferred)) return;
    lay_out(plan, &scratch, memory);
    if (!plan->q_in_place) load_rows(scratch.q, job->q.width, job->q, head, first, rows);
    memset(scratch.begun, 0, divided_up(rows, TILE_QUERIES));
    for (size_t key = 0; key < job->keys; key += TILE_KEYS) {
        bool packed = false;
        for (size_t row = 0; row < rows && !interrupt_flag; row += TILE_QUERIES) {
            Tile tile = {.head = head,
                         .query = first + row,
                         .row = row,
                         .rows = smaller(rows - row, TILE_QUERIES),
                         .first = key};
            if (!tile_find_keys(&scratch.rules, &tile)) continue;
            if (!packed) pack_tile(plan, head, key, &scratch);
            packed = true;
            run_tile(plan, &tile, &scratch);
        }
    }
    for (size_t row = 0; row < rows; row += TILE_QUERIES) {
        Tile tile = {.head = head,
                     .query = first + row,
                     .row = row,
                     .rows = smaller(rows - row, TILE_QUERIES)};
        finish_rows(plan, &tile, &scratch);
    }
    if (scratch.nonfinite) defer(job, head, plan->deferred);
}

/* True if rows are to be read where they lie. Rows that follow each other are not copied, rows that
 * lie apart are for many queries, and rows that RoPE rotates always are. */
static bool pays_in_place(HeadView x, size_t queries, size_t many) {
    if (x.angles) return false;
    return x.row_step == x.width || (queries < many && x.row_step * sizeof(N) % COLLIDING != 0);
}

bool TYPED(attention_tiles)(const AttentionJob *job, bool *deferred, Error *err) {
    Plan plan = {.job = job,
                 .scale = (N)job->scale,
                 .temperature = (N)job->spec->temperature,
                 .deferred = deferred};
    plan.inverse_temperature = log2_e / plan.temperature;
    plan.out_width = round_up(job->v.width, TILE_LANES);
    plan.q_in_place = pays_in_place(job->q, job->queries, COPIED_QUERIES);
    plan.v_in_place =
        pays_in_place(job->v, job->queries, COPIED_VALUES) && job->v.width % TILE_LANES == 0;
    if (!temperature_is_usable(plan.temperature)) {
        memset(deferred, true, job->samples * sizeof *deferred);
        return true;
    }
    int threads = attention_work(job, job->heads) >= SHARED_WORK ? threads_now() : 1;

    /* Spans are equal, and enough for the threads. */
    size_t row_bytes = (job->q.width + job->v.width + 2 * TILE_SUMS) * sizeof(N);
    size_t most = SPAN_BYTES / row_bytes / TILE_QUERIES * TILE_QUERIES;
    size_t spans = divided_up(job->queries, most > 0 ? most : TILE_QUERIES);
    size_t wanted = threads > 1 ? divided_up((size_t)threads * SPANS_PER_THREAD, job->heads) : 1;
    plan.rows_per_span = round_up(divided_up(job->queries, larger(spans, wanted)), TILE_QUERIES);
    plan.spans_per_head = divided_up(job->queries, plan.rows_per_span);
    plan.spans = plan.spans_per_head * job->heads;
    Scratch scratch;
    return threads_share_scratch(threads, plan.spans, lay_out(&plan, &scratch, NULL), run_span,
                                 &plan, err);
}

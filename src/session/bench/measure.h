/* A run in a few numbers, most of them means over its rows: for the answer to a changed setting,
 * for sweep, compare, diff and explore. */
#ifndef ATTN_SESSION_MEASURE_H
#define ATTN_SESSION_MEASURE_H

#include "session/bench/bench.h"

/* The means of a run and its largest weight, for which its weights are read. */
bool run_summary(Run *run, RunSummary *out, Error *err);

/* How exactly numbers are written: with so many digits, or (decimals > 0) with so many decimals. */
typedef struct Exactness {
    int digits, decimals;
} Exactness;
/* How much is said of a change: "entropy 0.6 → 0.3"; "mean entropy 0.6 → 0.3 of 0.7", and how many
 * rows see no key; the mean of the rows' largest weights too; the largest of all too; the same in
 * short, "entropy 0.6 → 0.3 of 0.7   max 0.5 → 0.8, largest 0.9". */
typedef enum AnswerForm {
    ANSWER_NONE,
    ANSWER_ENTROPY,
    ANSWER_CEILING,
    ANSWER_MAX,
    ANSWER_WHOLE,
    ANSWER_SHORT
} AnswerForm;
/* Appends "   mean entropy 0.6 → 0.3 of 0.7   mean max weight 0.5 → 0.8   largest 0.6 → 0.9", or
 * less of it: parts with three spaces before each. */
void run_summary_write_change(RunSummary before, RunSummary after, AnswerForm form,
                              Exactness exactness, Text *text);

/* Means over the rows that see a key, nan without such rows; share and the norms over the rows that
 * see two keys or more. */
typedef union Measures {
    double all[7]; /* the members below, for loops over them */
    struct {
        double entropy;    /* nats */
        double share;      /* entropy / ceiling */
        double max_weight; /* the largest of all */
        double norm;       /* Frobenius norm of d weights / d scores = (diag p - p p^T) /
                              temperature; nan at temperature 0, 0 at inf */
        double ceiling;    /* ln n_visible, in nats */
        double plain_norm; /* the norm without the factor 1 / temperature */
        double variance;   /* of a row's visible scores */
    };
} Measures;
bool run_measures(Run *run, Measures *out, Error *err);

/* Some queries of a run with all that is computed on their way. They are read from the run's trace
 * where it has one, else computed for these queries alone, so that no n x n arrays are held for the
 * sake of a few rows. */
typedef struct RunRows {
    const Run *run;              /* borrowed */
    const AttentionTrace *trace; /* holds the rows taken last: */
    size_t first, queries;       /* the queries first .. first + queries - 1 of the run */
    AttentionGiven
        projected; /* the inputs, of which parts are computed; only where the run has no trace */
    AttentionTrace own; /* the trace of such a part */
} RunRows;

bool run_rows_init(RunRows *rows, const Run *run, Error *err);
void run_rows_release(RunRows *rows); /* one of zeros is fine */
#define LocalRunRows __attribute__((cleanup(run_rows_release))) RunRows
/* Takes the queries first .. first + count - 1 into rows->trace: the same numbers, to the last bit,
 * as the trace of the whole run would have. */
bool run_rows_take(RunRows *rows, size_t first, size_t count, Error *err);
/* Takes all queries, in blocks that are small beside n x n, and calls `visit` for each row: number
 * `row` of the run, which is row `at` of rows->trace. */
typedef void RunRowsVisit(void *context, const RunRows *rows, size_t row, size_t at);
bool run_rows_each(const Run *run, RunRowsVisit *visit, void *context, Error *err);
/* The row of rows->trace for a query that was taken. */
size_t run_rows_at(const RunRows *rows, size_t head, size_t query);
/* Measures one row of rows->trace: the number of keys that it sees, and the variance of their
 * scores, 0 without any. A key to whose score a mask adds -1e4 or less is not seen: such a number
 * is there to hide it. */
size_t run_rows_seen(const RunRows *rows, size_t at);
double run_rows_variance(const RunRows *rows, size_t at);

/* Appends lines about what is wrong with the weights: rows that do not sum to 1, weight on a key
 * that the mask hides, rows of nan. Of a run without a trace only the rows of nan are known. */
void run_check(const Run *run, Text *text);
/* Tells the rest of the queries first .. first + count - 1 of such a run, which were taken. */
void run_rows_check(const RunRows *rows, size_t first, size_t count, Text *text);

#endif

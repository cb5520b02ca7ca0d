/* One run of attention: the object that attention() and multihead() give, and `last` of the bench.
 *
 * It holds the result and the inputs it came from. output, entropy and logsumexp are there at once;
 * weights, scores and the rest of the trace, which are n x n, are computed from the inputs when
 * somebody first reads them. Nothing that a run says ever changes, so it is shared by counting. */
#ifndef ATTN_LIBRARY_RUN_H
#define ATTN_LIBRARY_RUN_H

#include "lang/value.h"
#include "library/attention_given.h"

/* Whose Q, K and V a run has: "head 1 0 of", "pronoun", ": The dog sat". */
typedef struct RunOrigin {
    char *what;         /* NULL: nobody's */
    char *name, *run;   /* NULL: `what` says all, of an older state of a model */
    Object *model;      /* that has the name; NULL: none */
    Tensor *parameters; /* the model's when these were computed */
    size_t asked;       /* the query at which the model is asked; SIZE_MAX: none */
} RunOrigin;

typedef struct Run {
    Object object;
    AttentionGiven given; /* the inputs before positions are added */
    AttentionResult result;
    AttentionTrace trace; /* nothing, scores and weights, or everything: see run_is_traced */
    double max_weight;    /* the largest weight; below 0 until somebody has measured it, */
    double mean_max;      /* and the mean of the rows' largest */
    size_t heads, queries, keys, d_k, d_v;
    bool one_query; /* the queries were one vector: its attributes have no axis of queries */
    bool head_axis; /* its attributes have an axis of heads also where there is one head */
    /* How the bench describes the run; NULL where a function made it. */
    char *names;       /* "Q 3×4 K 5×4 V 5×2", "X 3×8", "X 3×8 from Y 5×8" */
    size_t query_name; /* the bytes of the first name */
    char *settings;    /* as settings_write_line writes them */
    RunOrigin origin;
} Run;

extern const ObjectType run_type;

/* When the trace of a run is computed: when it is first read, in the same pass as the result where
 * the run is small, or always in that pass. */
typedef enum RunTrace { TRACE_LATER, TRACE_SMALL, TRACE_AT_ONCE } RunTrace;

/* Runs attention over what is given, which the run takes over, also on failure. NULL on failure,
 * with the errors of attention_forward. */
Run *run_new(AttentionGiven *given, RunTrace trace, Error *err);
/* Gives a run, which has none, the origin of another one. */
bool run_copy_origin(Run *run, const Run *from, Error *err);
/* The run that a value holds, borrowed, or NULL when the value is something else. */
Run *run_of(const Value *value);
bool run_has(const char *name); /* is it an attribute of a run? */

bool run_is_small(const Run *run); /* its weights are few, so that each may as well be kept */
/* The whole trace is there, not just scores and weights. */
bool run_is_traced(const Run *run);
/* Computes the trace unless it is there. On failure the run is as before. */
bool run_need_trace(Run *run, Error *err);
/* The same for trace.scores and trace.weights alone: the rest of the trace is not kept. */
bool run_need_weights(Run *run, Error *err);
/* Frees the trace of a run that is no longer shown, if it is large: it can be computed again. NULL
 * is fine. */
void run_put_aside(Run *run);

/* The bytes of memory that a run takes with its arrays; 0 for NULL. */
size_t run_bytes(const Run *run);
size_t runs_bytes(Run *const *runs, size_t count); /* of all */
/* The bytes of a tensor's numbers; 0 for NULL. */
size_t tensor_bytes(const Tensor *tensor);

/* Measures over the rows that see a key; without such rows the means are nan, the largest is 0. */
typedef struct RunSummary {
    double entropy, ceiling; /* mean, nats; ceiling: ln n_visible */
    double max_weight;       /* the largest of all; run_means leaves it 0, */
    double mean_max;         /* and the mean of the rows' largest */
    size_t rows, empty_rows; /* rows with visible keys, and without: over heads and samples */
} RunSummary;
RunSummary run_means(const Run *run); /* without the largest weight: no weights are read */

#endif

/* The bench: which variables are the inputs, and what attention made of them. */
#ifndef ATTN_SESSION_BENCH_H
#define ATTN_SESSION_BENCH_H

#include "library/attention_given.h"
#include "session/settings.h"

/* An input is a name, looked up at each run, or a value that was given in place of one. */
typedef struct Input {
    Symbol *name;
    Tensor *tensor;
} Input;

typedef enum InputKind { INPUTS_NONE, INPUTS_QKV, INPUTS_X } InputKind;

typedef struct Inputs {
    InputKind kind;
    Input q, k, v; /* INPUTS_QKV */
    Input x, y;    /* INPUTS_X; y: keys and values come from it, or empty */
} Inputs;

void inputs_release(Inputs *inputs);
void inputs_copy(Inputs *out, const Inputs *inputs);
bool inputs_equal(const Inputs *a, const Inputs *b); /* the same names, the same arrays */
bool inputs_use(const Inputs *inputs,
                const Symbol *symbol); /* is it one of them, or Wq Wk Wv Wo with X? */

extern const char
    *const projection_names[4]; /* of the variables that X is multiplied with, where they exist */

/* One run of attention on the bench: an object of the language (`last`), counted. What it says
 * never changes, but its trace, which is n x n, may be made late: when somebody first reads of it.
 */
typedef struct Run {
    Object object;
    AttentionGiven given; /* with the masks of then; the inputs before positions are added */
    AttentionResult result;
    AttentionTrace trace; /* all NULL until it is needed */
    double max_weight;    /* below 0 until it is needed */
    size_t heads, queries, keys, d_k, d_v;
    char *names;    /* "Q 3×4 K 5×4 V 5×2", "X 3×8", "X 3×8 from Y 5×8" */
    char *settings; /* those it ran with, as settings_write_line has them */
} Run;

extern const ObjectType run_type;
bool run_has(const char *name); /* is it an attribute of a run? */
void run_unref(Run *run);       /* NULL is fine */
Run *run_ref(Run *run);
size_t run_bytes(const Run *run);          /* that its arrays take; NULL: 0 */
size_t tensor_bytes(const Tensor *tensor); /* likewise */

bool run_is_traced(const Run *run);
/* Makes the trace unless it is there. On failure the run is as before. */
bool run_need_trace(Run *run, Error *err);
/* Of a run that is not looked at now: a large trace goes, as it can be made again. */
void run_put_aside(Run *run); /* NULL is fine */

/* Runs attention over the inputs. ERR_NAME for an input that does not exist, ERR_TYPE for one that
 * is no matrix, ERR_SHAPE for ones that do not fit. NULL on failure. */
Run *bench_run(struct Session *session, const Inputs *inputs, const Settings *settings, Error *err);

#endif

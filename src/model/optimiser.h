/* How parameters follow their gradients: SGD with momentum, AdamW, Muon, and the rate over time. */
#ifndef ATTN_MODEL_OPTIMISER_H
#define ATTN_MODEL_OPTIMISER_H

#include "model/parameters.h"

typedef enum OptimiserKind { OPTIMISER_SGD, OPTIMISER_ADAMW, OPTIMISER_MUON } OptimiserKind;
typedef enum Schedule { SCHEDULE_COSINE, SCHEDULE_CONSTANT } Schedule;

extern const char *const optimiser_names[]; /* "sgd", "adamw", "muon"; NULL at the end */
extern const char *const schedule_names[];  /* "cosine", "constant" */

typedef struct OptimiserOptions {
    OptimiserKind kind;
    double rate;          /* the highest, at the end of the warm-up */
    double momentum;      /* SGD, Muon: v = momentum v + g; SGD: p = p - rate v; 0: none */
    double beta1, beta2;  /* AdamW */
    double eps;           /* AdamW */
    double weight_decay;  /* p = p (1 - rate * weight_decay), where parameter_decays */
    double relative_rate; /* times the rate, for tables of relative positions */
    double clip;          /* the greatest norm of all gradients together; 0: not clipped */
    size_t warmup;        /* steps over which the rate grows from 0 */
    Schedule schedule;    /* then: down to 0 as half a cosine, or as it is */
} OptimiserOptions;

/* An optimiser's memory between steps. Moments are laid out as the parameters' block, and made when
 * they are first needed. */
typedef struct Optimiser {
    OptimiserKind kind; /* of the moments: another kind begins anew */
    size_t step;        /* steps taken since the moments were 0 */
    Tensor *first;      /* AdamW: mean of gradients; SGD, Muon: velocity; or NULL */
    Tensor *second;     /* AdamW: mean of squares; or NULL */
} Optimiser;

void optimiser_release(Optimiser *optimiser); /* to the state before the first step */

/* The rate of step `step` (from 0) of `steps`. */
double optimiser_rate(const OptimiserOptions *options, size_t step, size_t steps);
/* The norm of all gradients, a block like the parameters' (Pascanu et al. 2013, for clipping);
 * with `bad` the first row that holds a number that is not finite, else NO_PARAMETER. */
double optimiser_norm(const Parameters *parameters, const Tensor *gradients, int *bad);
/* One step, with gradients times `factor` (1, or what clips them); the parameters' block is
 * written in place. AdamW: Loshchilov and Hutter 2019, algorithm 2, with bias correction.
 * Muon (Jordan et al. 2024): a matrix moves by its velocity with every singular value made about 1,
 * times 0.2 rate sqrt(the larger side), so that a step is as large as one of AdamW (Liu et al.
 * 2025, eq. 4); embeddings, gains and biases are AdamW's.
 * ERR_LIMIT when there is no memory for the moments; nothing has changed then. ERR_INTERRUPT in
 * Muon's step, which can take seconds: matrices that it has not come to are as they were. */
bool optimiser_step(Optimiser *optimiser, const OptimiserOptions *options, double rate,
                    Parameters *parameters, const Tensor *gradients, double factor, Error *err);

#endif

/* How well a model does on held-out examples. */
#ifndef ATTN_MODEL_EVALUATION_H
#define ATTN_MODEL_EVALUATION_H

#include <stddef.h>

enum { EVALUATION_GROUPS = 64 };

typedef struct Evaluation {
    double loss;              /* mean over labels, without smoothing or dropout */
    double token_accuracy;    /* of the positions that have a label */
    double sequence_accuracy; /* of the sequences all of whose labels are right */
    size_t sequences, tokens; /* the number that was evaluated */
    size_t groups;            /* 0: the task has none, or more than EVALUATION_GROUPS */
    struct {
        size_t sequences, right;
    } group[EVALUATION_GROUPS];
} Evaluation;

#endif

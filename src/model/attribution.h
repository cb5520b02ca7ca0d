/* Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer
 * Circuits"; nostalgebraist 2020): a logit as a sum over the parts of a model that add to the
 * residual stream.
 *
 * The norms on the way are taken as they were in this run: each divides by the same number,
 * whatever a part gives. Then all is linear, and the parts add up to the logit. */
#ifndef ATTN_MODEL_ATTRIBUTION_H
#define ATTN_MODEL_ATTRIBUTION_H

#include "model/model_run.h"

typedef enum PartKind {
    PART_EMBED,     /* the token's embedding, */
    PART_POSITIONS, /* and what is added to it for its position */
    PART_TYPES,     /* and for its type */
    PART_HEAD,
    PART_NETWORK,
    PART_BIAS,    /* all biases, of heads, norms and logits; absent where they give 0 */
    PART_PATCHED, /* what is patched into the stream beside the parts; absent where nothing is */
    /* The rest of the logit where numbers are so large that the sum of the other parts lost digits.
     * The caller adds it with attribution_complete, since only a run knows the logit. */
    PART_ROUNDING,
} PartKind;

typedef struct Part {
    PartKind kind;
    HeadPlace place; /* of a head; the site and layer of a network */
    double logit;    /* what it adds to the logit */
} Part;

typedef struct Attribution {
    Part *parts; /* in the order in which they are computed, then biases, patched, rounding */
    size_t count;
    double total; /* the sum */
} Attribution;

/* Splits the logit of `answer` at a position of the predicting stack, less that of `against` unless
 * it is NO_TOKEN. Release with attribution_release, also on failure. ERR_VALUE: the model's logits
 * go through a layer that is not linear, or it has none. */
bool model_attribution(const ModelRun *run, size_t place, int answer, int against, Attribution *out,
                       Error *err);
/* Adds a part for what is missing from the logit, unless that is as little as usual. */
void attribution_complete(Attribution *attribution, double logit);
void attribution_release(Attribution *attribution);

#endif

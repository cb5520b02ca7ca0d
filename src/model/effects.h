/* The effects of changes to a model's run on its answer: each change is put in force alone, beside
 * what is in force already, and the answer is measured. */
#ifndef ATTN_MODEL_EFFECTS_H
#define ATTN_MODEL_EFFECTS_H

#include "model/model_run.h"

/* The tokens that are read, and the one that each labelled position should give. */
typedef struct Question {
    Tokens source, target; /* as a Batch has them */
    const int *labels;     /* (batch, length) of the stack that predicts; NO_LABEL: not measured */
    int against;           /* the token whose logit is taken off that of the label; or NO_TOKEN */
} Question;

/* Means over the labelled positions: the label's probability, and its logit, less that of
 * `against`. */
typedef struct Answer {
    double probability, logit;
} Answer;

/* Measures the answer under each of the changes, and in out[count] without any. The changes of one
 * layer run at once, as samples of one batch, from that layer on (in a model of one stack), and end
 * with the logits of the labelled positions alone. `watch` (or NULL) hears the share that is done.
 * ERR_INTERRUPT on Ctrl-C. */
bool model_effects(const Transformer *model, const Question *question, const Intervention *changes,
                   size_t count, Answer *out, void (*watch)(void *context, double done),
                   void *context, Error *err);

/* Path patching (Wang et al. 2022): what reaches the receiver, a part of an activation, when the
 * senders, outputs of heads or feed-forward networks, give what they give in another run, while all
 * other attentions and networks give what they give in this one. What is in force at the receiver
 * itself is left out. New, the whole activation without the axis of samples. */
Tensor *model_path(const ModelRun *run, const ModelRun *other, const Intervention *senders,
                   size_t count, const Intervention *receiver, Error *err);

#endif

/* Other people's checkpoints: a folder with config.json, the tensors in .safetensors files, and
 * perhaps the files of a tokenizer. Its config.json says of which family it is; a family is a row
 * of families.c, with tables of what its settings and its tensors are here. */
#ifndef ATTN_MODEL_FAMILIES_FAMILY_H
#define ATTN_MODEL_FAMILIES_FAMILY_H

#include "model/families/tensor_files.h"
#include "model/transformer.h"

enum { TENSOR_PARTS = 3 };

/* A tensor of theirs. A * in the names means the number of a layer. */
typedef struct TensorRule {
    const char *theirs;
    const char *ours[TENSOR_PARTS]; /* the parts that lie side by side in it, by the names of
                                       model/parameters.h; none: it is left aside */
    bool transposed;                /* it is (out, in), and a matrix here is (in, out) */
    bool outside;                   /* its name never begins with the family's prefix */
} TensorRule;

/* A member of config.json. One that is null counts as one that is not there. */
typedef struct Setting {
    const char *theirs;    /* NULL: config.json does not say it */
    const char *ours;      /* the option that it is; NULL: only `otherwise` is known here */
    const char *otherwise; /* as our own files write it, where it is not there; NULL: it must be */
} Setting;

#define FOUR_TIMES_WIDTH "" /* as `otherwise` of d_ff */

typedef struct Family {
    const char *type; /* "model_type" in config.json */
    ModelKind kind;
    const char *prefix; /* of the names, where the tensor of the first rule has it */
    const TensorRule *rules;
    size_t rules_count;
    const Setting *settings;
    size_t settings_count;
    const char *output;    /* the tensor of a matrix of its own for the logits */
    const char *transform; /* a tensor of HEAD_TRANSFORM, without which the model has no head; NULL:
                              the head is linear */
} Family;

extern const Family families[]; /* a NULL type at the end */

/* Makes a model of a folder. ERR_FILE names what is wrong, and where; ERR_LIMIT, ERR_INTERRUPT.
 * *out is written on success alone. */
bool family_open(Transformer *out, const char *folder, Error *err);

#endif

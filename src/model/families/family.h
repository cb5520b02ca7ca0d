/* Other people's checkpoints: a folder with config.json, the tensors in .safetensors files, and
 * perhaps the files of a tokenizer. Its config.json says of which family it is; a family is a row,
 * with a table of what its tensors are here. */
#ifndef ATTN_MODEL_FAMILIES_FAMILY_H
#define ATTN_MODEL_FAMILIES_FAMILY_H

#include "model/families/settings.h"
#include "model/families/tensor_files.h"
#include "model/transformer.h"

enum { TENSOR_PARTS = 3 };

/* A tensor of theirs. A * in the names means the number of a layer. */
typedef struct TensorRule {
    const char *theirs;
    const char *ours[TENSOR_PARTS]; /* the parts that lie side by side in it, by the names of
                                       model/parameters.h; none: it is left aside */
    bool turned;                    /* it is (out, in), and a matrix here is (in, out) */
    bool outside;                   /* its name never begins with the family's prefix */
} TensorRule;

typedef struct Family {
    const char *type;   /* "model_type" in config.json */
    const char *prefix; /* of the names, where the tensor of the first rule has it */
    const TensorRule *rules;
    size_t rule_count;
    const char *output; /* the tensor of a matrix of its own for the logits */
    void (*configure)(FamilySettings *settings, const TensorFiles *files, ModelConfig *config);
} Family;

extern const Family gpt2_family, bert_family;

/* Makes a model of a folder. ERR_FILE names what is wrong, and where; ERR_LIMIT, ERR_INTERRUPT.
 * *out is written on success alone. */
bool family_open(Transformer *out, const char *folder, Error *err);

#endif

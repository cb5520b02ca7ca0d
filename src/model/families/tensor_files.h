/* The tensors of a checkpoint, by name, whichever file of its folder they are in: all in
 * model.safetensors, or in the files that model.safetensors.index.json lists. */
#ifndef ATTN_MODEL_FAMILIES_TENSOR_FILES_H
#define ATTN_MODEL_FAMILIES_TENSOR_FILES_H

#include "io/safetensors.h"

typedef struct NamedTensor {
    const SafetensorsEntry *entry;
    const Safetensors *file;
    bool known; /* it belongs to a part of the model, or is left aside on purpose */
} NamedTensor;

typedef struct TensorFiles {
    Safetensors *files;
    size_t file_count;
    NamedTensor *tensors; /* by name */
    size_t count;
} TensorFiles;

/* ERR_FILE: a file is missing or wrong, names a tensor that another one has, or the index and the
 * files say different things. Nothing is held then. */
bool tensor_files_open(TensorFiles *out, const char *folder, Error *err);
void tensor_files_release(TensorFiles *files); /* zeroed memory is fine */
/* NULL: there is none of this name. */
NamedTensor *tensor_files_find(const TensorFiles *files, const char *name);

#endif

/* .safetensors: named arrays in one file. Eight bytes hold the length of the header, little-endian;
 * the header is JSON,
 *   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...,
 *    "__metadata__": {"key": "text", ...}},
 * padded with spaces; behind it lie the numbers, little-endian, row by row, without gaps.
 * (https://huggingface.co/docs/safetensors describes the format.)
 *
 * Opening a file reads and checks the whole header, and none of the numbers; each tensor is read
 * when it is asked for. The header is not trusted: lengths, sizes and offsets are held against the
 * bytes that are there, names must differ, and what a message quotes of it has no control
 * characters. */
#ifndef ATTN_IO_SAFETENSORS_H
#define ATTN_IO_SAFETENSORS_H

#include "engine/tensor/tensor.h"
#include "io/json.h"

typedef enum SafetensorsType {
    SAFETENSORS_BOOL,
    SAFETENSORS_F16,
    SAFETENSORS_BF16,
    SAFETENSORS_F32,
    SAFETENSORS_F64,
    SAFETENSORS_I8,
    SAFETENSORS_U8,
    SAFETENSORS_I16,
    SAFETENSORS_U16,
    SAFETENSORS_I32,
    SAFETENSORS_U32,
    SAFETENSORS_I64,
    SAFETENSORS_U64,
} SafetensorsType;

/* ---- reading ---- */

typedef struct SafetensorsEntry {
    const char *name; /* valid UTF-8; the file's */
    SafetensorsType type;
    Shape shape;
    size_t count; /* of numbers */
    size_t begin; /* of the numbers, from the file's first byte */
} SafetensorsEntry;

typedef struct Safetensors {
    SafetensorsEntry *entries; /* in the order of the header */
    size_t count;
    JsonTree header;   /* holds the names and the metadata */
    char *path;        /* for messages; NULL when the bytes are in memory */
    int descriptor;    /* of the open file; -1 when the bytes are in memory */
    const char *bytes; /* the whole file, borrowed; NULL when it is read by the descriptor */
    size_t length;
} Safetensors;

/* Opens a file, or bytes that must stay as long as the Safetensors. ERR_FILE names the tensor and
 * what is wrong; nothing is held then. */
bool safetensors_open(Safetensors *file, const char *path, Error *err);
bool safetensors_parse(Safetensors *file, const char *bytes, size_t length, Error *err);
void safetensors_release(Safetensors *file);
#define LocalSafetensors __attribute__((cleanup(safetensors_release))) Safetensors

/* NULL when there is no tensor of this name. */
const SafetensorsEntry *safetensors_find(const Safetensors *file, const char *name);
/* A text of the metadata, borrowed; NULL when there is none of this key. */
const char *safetensors_metadata(const Safetensors *file, const char *key);

/* Reads the numbers: F32, F16 and BF16 as float, BOOL as bool, F64 and whole numbers as double
 * (those beyond 2^53 are rounded). New. */
Tensor *safetensors_tensor(const Safetensors *file, const SafetensorsEntry *entry, Error *err);

/* The same in pieces, for tensors too large to have twice: `count` numbers from number `at` on, of
 * F32, F16 and BF16 alone. */
bool safetensors_floats(const Safetensors *file, const SafetensorsEntry *entry, size_t at,
                        size_t count, float *out, Error *err);
const char *safetensors_type_name(SafetensorsType type); /* "F32" */

/* ---- writing ---- */

typedef struct SafetensorsItem {
    const char *name;
    Tensor *tensor;       /* borrowed */
    SafetensorsType type; /* BOOL, F16, BF16, F32 or F64, to which the numbers are rounded */
} SafetensorsItem;

typedef struct SafetensorsText {
    const char *key, *text;
} SafetensorsText;

/* The type that keeps all bits of a tensor's numbers. */
SafetensorsType safetensors_type_of(DType dtype);

/* Appends a file. The header lists the metadata, then the tensors, in the order given; the numbers
 * of wider types lie first, so that all are aligned. The same arguments give the same bytes.
 * ERR_VALUE for a name that comes twice or cannot be one. */
bool safetensors_write(Text *out, const SafetensorsItem *items, size_t count,
                       const SafetensorsText *metadata, size_t texts, Error *err);
/* Writes a file that is there whole or as it was. */
bool safetensors_save(const char *path, const SafetensorsItem *items, size_t count,
                      const SafetensorsText *metadata, size_t texts, Error *err);

#endif

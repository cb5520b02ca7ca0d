/* Models that come with the program: trained by scripts/models.attn, kept in lessons/models, and
 * put into the program by the build. Each is a name of the language, which is opened when it is
 * first read. */
#ifndef ATTN_LIBRARY_SHIPPED_MODELS_H
#define ATTN_LIBRARY_SHIPPED_MODELS_H

#include <stddef.h>

typedef struct ShippedModel {
    const char *name;
    const unsigned char *bytes; /* a .safetensors file */
    size_t length;
} ShippedModel;

extern const ShippedModel shipped_models[]; /* ends with a NULL name */

/* An input that a person may try with one of them. */
typedef struct ShippedExample {
    const char *name, *what, *ask, *limits; /* limits: what it cannot do */
} ShippedExample;
extern const ShippedExample shipped_examples[]; /* ends with a NULL name */

#endif

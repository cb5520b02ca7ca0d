/* Converts between values and arrays. */
#ifndef ATTN_LANG_ARRAY_H
#define ATTN_LANG_ARRAY_H

#include "lang/value.h"

/* Element i along the first axis: a number or boolean, or an array. */
bool tensor_element(Tensor *tensor, size_t i, Value *out, Error *err);

#endif

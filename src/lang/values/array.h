/* Between values and arrays. */
#ifndef ATTN_LANG_ARRAY_H
#define ATTN_LANG_ARRAY_H

#include "lang/value.h"

/* A number, a boolean, or an array without axes (as a recorded computation has them). */
static inline bool value_is_scalar(const Value *value) {
    return value->kind == VALUE_NUMBER || value->kind == VALUE_BOOL ||
           (value->kind == VALUE_TENSOR && value->tensor->shape.axes == 0);
}
/* Of a scalar. */
double value_scalar(const Value *value);
/* An array with axes. */
static inline bool value_is_array(const Value *value) {
    return value->kind == VALUE_TENSOR && value->tensor->shape.axes > 0;
}
/* Element i along the first axis: a number or boolean, or an array. */
bool tensor_element(Tensor *tensor, size_t i, Value *out, Error *err);

#endif

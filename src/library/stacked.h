/* Functions of matrices on stacks of them: as in NumPy's linear algebra, the
 * last two axes are a matrix, and those in front count matrices. */
#ifndef ATTN_LIBRARY_STACKED_H
#define ATTN_LIBRARY_STACKED_H

#include "engine/tensor/tensor.h"

enum { STACKED_MAX = 3 }; /* inputs, and results */

typedef struct MatrixFunction {
    /* results: new; false leaves none behind. context: the caller's. */
    bool (*apply)(const void *context, Tensor *const *matrices, Tensor **results, Error *err);
    const void *context;
    int input_count, result_count;
} MatrixFunction;

/* results[k] has the axes in front, then those of the k-th result of one
 * matrix. The axes in front of the inputs broadcast. */
bool apply_stacked(const MatrixFunction *function, Tensor *const *inputs, Tensor **results,
                   Error *err);

#endif

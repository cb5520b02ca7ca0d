/* The inner loops, in the compiler's vector types. Compiled once for each instruction set
 * (KERNEL_ISA) and number type (KERNEL_double or KERNEL_float), from parts that are one idea each
 * and use those before them. kernels_vector.inc comes first and names the types.
 *
 * Never with -ffast-math: masks are -inf, and nan must pass through. */
#include "engine/kernels/kernels.h"

#include <math.h>
#include <string.h>

#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ == 2
#error "these registers hold more digits than a double, and results would be wrong: -mfpmath=sse"
#endif

#include "engine/kernels/kernels_vector.inc"
#include "engine/kernels/kernels_exp.inc"
#include "engine/kernels/kernels_exp2.inc"
#include "engine/kernels/kernels_log.inc"
#include "engine/kernels/kernels_sigmoid.inc"
#include "engine/kernels/kernels_gelu.inc"
#include "engine/kernels/kernels_trigonometry.inc"
#include "engine/kernels/kernels_power.inc"
#include "engine/kernels/kernels_division.inc"
#include "engine/kernels/kernels_training.inc"
#include "engine/kernels/kernels_elementwise.inc"
#include "engine/kernels/kernels_rows.inc"
#include "engine/kernels/kernels_softmax.inc"
#include "engine/kernels/kernels_gemm.inc"
#include "engine/kernels/kernels_optimiser.inc"
#include "engine/kernels/kernels_attention.inc"
#include "engine/kernels/kernels_backward.inc"
#include "engine/kernels/kernels_rope.inc"

#define UNARY_ENTRY(identifier, name, ...) [KERNEL_##identifier] = name##_all,
#define TRANSPOSE_ENTRY(identifier, name, result) [TRANSPOSE_##identifier] = name,

extern const TABLE_TYPE TABLE;
const TABLE_TYPE TABLE = {
    .unary = {VECTOR_KERNELS(UNARY_ENTRY) LIBRARY_KERNELS(UNARY_ENTRY) NUMBER_KERNELS(UNARY_ENTRY)
                  WHOLE_KERNELS(UNARY_ENTRY)},
    .binary = {[KERNEL_ADD] = add,
               [KERNEL_SUBTRACT] = subtract,
               [KERNEL_MULTIPLY] = multiply,
               [KERNEL_DIVIDE] = divide,
               [KERNEL_MAXIMUM] = maximum,
               [KERNEL_MINIMUM] = minimum,
               [KERNEL_FLOOR_DIVIDE] = floor_divide,
               [KERNEL_MODULO] = modulo,
               [KERNEL_POWER] = power,
               [KERNEL_ARCTAN2] = arctan2,
               [KERNEL_HYPOT] = hypotenuse},
    .compare = {[KERNEL_EQUAL] = equal,
                [KERNEL_NOT_EQUAL] = not_equal,
                [KERNEL_LESS] = less,
                [KERNEL_LESS_EQUAL] = less_equal,
                [KERNEL_FINITE] = is_finite},
    .choose = choose,
    .fold = {[FOLD_SUM] = sum,
             [FOLD_SQUARES] = sum_squares,
             [FOLD_EXP] = sum_exp,
             [FOLD_ENTROPY] = sum_entropy,
             [FOLD_PRODUCT] = product,
             [FOLD_MIN] = fold_min,
             [FOLD_MAX] = fold_max},
    .fold_columns = fold_columns,
    .max = max,
    .find = find,
    .offsets = offsets,
    .normalize = normalize,
    .transpose = {TRANSPOSE_KERNELS(TRANSPOSE_ENTRY)},
    .exp_sum = exp_sum,
    .scale = scale,
    .add_scaled = add_scaled,
    .dot = dot,
    .rotate = rotate,
    .rotate_chain = rotate_chain,
    .symmetric_row = symmetric_row,
    .softmax = softmax,
    .gemm = gemm,
    .gemm_work = GEMM_WORK,
    .gemm_bytes = gemm_bytes,
    .largest = largest,
    .pack_keys = pack_keys,
    .tile_scores = tile_scores,
    .tile_add = tile_add,
    .tile_add_distances = tile_add_distances,
    .tile_hide = tile_hide,
    .tile_softmax = tile_softmax,
    .tile_finish = tile_finish,
    .tile_slopes = tile_slopes,
    .tile_product = tile_product,
    .row_products = row_products,
    .slope =
        {[SLOPE_RELU] = relu_back, [SLOPE_GELU] = gelu_back, [SLOPE_GELU_TANH] = gelu_tanh_back},
    .normalize_back = normalize_back,
    .add_rows = add_rows,
    .sgd_step = sgd_step,
    .adamw_step = adamw_step,
    .muon_step = muon_step,
    .muon_bytes = muon_bytes,
    .rotate_rows = rotate_rows,
};

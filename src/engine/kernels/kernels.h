/* The kernel table: inner loops, compiled from kernels.c once for each instruction set (base, avx2,
 * avx512) and number type (double, float), and chosen when the program starts.
 * ATTN_KERNELS=base|avx2|avx512 in the environment overrides the choice. */
#ifndef ATTN_ENGINE_KERNELS_H
#define ATTN_ENGINE_KERNELS_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(IDENTIFIER, name): functions of one number. The first are written for vectors, of the next
 * compilers make loops of vectors, and LIBRARY_KERNELS, X(IDENTIFIER, name, function), call the C
 * library for each number. */
/* clang-format off */
#define VECTOR_KERNELS(X) \
    X(EXP, exp) X(EXPM1, expm1) X(LOG, log) X(LOG1P, log1p) X(LOG2, log2) X(LOG10, log10) \
    X(SIN, sin) X(COS, cos) X(TAN, tan) X(TANH, tanh) X(SIGMOID, sigmoid) X(SILU, silu) \
    X(GELU, gelu) X(GELU_TANH, gelu_tanh)
#define NUMBER_KERNELS(X) \
    X(NEGATIVE, negative) X(ABS, abs) X(SQRT, sqrt) X(RELU, relu) X(SIGN, sign)
#define LIBRARY_KERNELS(X) \
    X(ARCSIN, arcsin, asin) X(ARCCOS, arccos, acos) X(ARCTAN, arctan, atan) \
    X(SINH, sinh, sinh) X(COSH, cosh, cosh) X(ARCSINH, arcsinh, asinh) \
    X(ARCTANH, arctanh, atanh) X(CBRT, cbrt, cbrt) X(ERF, erf, erf)
#define WHOLE_KERNELS(X) X(FLOOR, floor) X(CEIL, ceil) X(ROUND, round)
/* clang-format on */

typedef enum UnaryKernel {
#define UNARY_ENUM(identifier, ...) KERNEL_##identifier,
    VECTOR_KERNELS(UNARY_ENUM) LIBRARY_KERNELS(UNARY_ENUM) NUMBER_KERNELS(UNARY_ENUM)
        WHOLE_KERNELS(UNARY_ENUM)
#undef UNARY_ENUM
            UNARY_KERNELS
} UnaryKernel;

typedef enum BinaryKernel {
    KERNEL_ADD,
    KERNEL_SUBTRACT,
    KERNEL_MULTIPLY,
    KERNEL_DIVIDE,
    KERNEL_MAXIMUM,
    KERNEL_MINIMUM,
    KERNEL_FLOOR_DIVIDE,
    KERNEL_MODULO,
    KERNEL_POWER,
    KERNEL_ARCTAN2,
    KERNEL_HYPOT,
    BINARY_KERNELS
} BinaryKernel;

typedef enum CompareKernel {
    KERNEL_EQUAL,
    KERNEL_NOT_EQUAL,
    KERNEL_LESS,
    KERNEL_LESS_EQUAL,
    KERNEL_FINITE, /* tells of a alone whether it is finite */
    COMPARE_KERNELS
} CompareKernel;

/* X(IDENTIFIER, name, result): the result for the numbers x of a matrix that is transposed, and for
 * a number y. */
/* clang-format off */
#define TRANSPOSE_KERNELS(X) \
    X(COPY, transpose_copy, x) X(ADD, transpose_add, x + y) X(MULTIPLY, transpose_multiply, x * y) \
    X(SUBTRACT, transpose_subtract, x - y) X(SUBTRACT_FROM, transpose_subtract_from, y - x) \
    X(DIVIDE, transpose_divide, x / y) X(DIVIDE_INTO, transpose_divide_into, y / x)
/* clang-format on */

typedef enum TransposeKernel {
#define TRANSPOSE_ENUM(identifier, name, result) TRANSPOSE_##identifier,
    TRANSPOSE_KERNELS(TRANSPOSE_ENUM)
#undef TRANSPOSE_ENUM
        TRANSPOSE_COUNT
} TransposeKernel;

typedef enum FoldKernel {
    FOLD_SUM,
    FOLD_SQUARES,
    FOLD_EXP,
    FOLD_ENTROPY,
    FOLD_PRODUCT,
    FOLD_MIN,
    FOLD_MAX,
    FOLD_KERNELS
} FoldKernel;

enum { FOLD_COLUMNS = 512 };

/* Functions with a kernel for their derivative. */
typedef enum SlopeKernel { SLOPE_RELU, SLOPE_GELU, SLOPE_GELU_TANH, SLOPE_KERNELS } SlopeKernel;

/* The numbers of an optimiser's step; those that it does not use may be anything. */
typedef struct StepNumbers {
    double factor;       /* of the gradient */
    double rate;         /* AdamW: over 1 - beta1^t, which corrects the bias of the mean */
    double keep;         /* of the parameter: 1 - rate * weight decay */
    double momentum;     /* SGD, Muon */
    double beta1, beta2; /* AdamW */
    double inverse_root; /* AdamW: 1 / sqrt(1 - beta2^t) */
    double eps;
} StepNumbers;

/* gemm sums k in parts of this length, each added to c when it is done: a caller that cuts k
 * at multiples of it, and accumulates, gets the same bits (with alpha 1). */
enum { GEMM_DEPTH = 256 };

/* rotate_chain turns so many columns at once. */
enum { ROTATED_COLUMNS = 32 };

/* The sizes of attention's tiles. Every table's panels are at most TILE_ALIGNED wide, its vectors
 * at most TILE_LANES. */
enum {
    TILE_QUERIES = 24,
    TILE_KEYS = 256,
    /* The distance of rows of scores: rows a power of 2 apart would share few cache lines. */
    TILE_STRIDE = TILE_KEYS + 16,
    TILE_ALIGNED = 32,
    TILE_LANES = 16,
    TILE_SUMS = TILE_LANES, /* parts of a row's sums, one for each lane of a vector */
};

/* The score of a hidden key in a tile. Unlike -inf, it can be multiplied with its exponential, 0.
 */
#define HIDDEN(N) ((N)(sizeof(N) == sizeof(double) ? -DBL_MAX : -(double)FLT_MAX))

/* N is double or float. A step of 0 repeats one number, 1 walks. */
#define KERNEL_TABLE(N) \
    struct { \
        void (*unary[UNARY_KERNELS])(N * out, const N *x, size_t n); \
        void (*binary[BINARY_KERNELS])(N * out, const N *a, size_t step_a, const N *b, \
                                       size_t step_b, size_t n); \
        void (*compare[COMPARE_KERNELS])(uint8_t * out, const N *a, size_t step_a, const N *b, \
                                         size_t step_b, size_t n); \
        void (*choose)(N * out, const uint8_t *condition, size_t step, const N *yes, \
                       size_t step_yes, const N *no, size_t step_no, size_t n); \
        /* Make one number of n: the sum of x, (x - center)^2, exp(x - center) or -x ln x, in an \
         * order that all instruction sets share; the product; the least and the greatest, where \
         * nan wins. */ \
        double (*fold[FOLD_KERNELS])(const N *x, size_t n, double center); \
        /* The same of each of n columns, at most FOLD_COLUMNS, whose rows, one or more, lie `row` \
         * numbers apart: sums, products, the least and the greatest only. */ \
        void (*fold_columns)(FoldKernel kernel, double *out, const N *x, size_t row, size_t rows, \
                             size_t n); \
        N (*max)(const N *x, size_t n); /* nan wins */ \
        /* The first index of value (nan is found, too), or of a number that is not equal to it; \
         * n where there is none. */ \
        size_t (*find)(const N *x, size_t n, double value, bool equal); \
        /* Turns indices of an axis of `size` elements into offsets, up to the first that is no \
         * whole number or out of range; returns how many. Negative ones count from the end. */ \
        size_t (*offsets)(double *indices, size_t n, double size, double stride); \
        /* out = (x - center) * factor * gamma + beta */ \
        void (*normalize)(N * out, const N *x, size_t n, double center, double factor, \
                          const double *gamma, const double *beta); \
        /* out[j * out_row + i] = x[i * x_row + j], or the kernel's function of that and y. */ \
        void (*transpose[TRANSPOSE_COUNT])(N * out, size_t out_row, const N *x, size_t x_row, \
                                           size_t rows, size_t columns, N y); \
        /* out = exp((x - maximum) / temperature); returns the sum. -inf gives 0. */ \
        N (*exp_sum)(N * out, const N *x, size_t n, N maximum, N temperature); \
        void (*scale)(N * x, size_t n, N factor); \
        void (*add_scaled)(N *restrict out, const N *restrict x, size_t n, N factor); \
        N (*dot)(const N *x, const N *y, size_t n); \
        /* (x, y) becomes (c x - s y, s x + c y). */ \
        void (*rotate)(N *restrict x, N *restrict y, size_t n, N c, N s); \
        /* The same of neighbours among count + 1 rows of ROTATED_COLUMNS: the rows i and i + 1 by \
         * c[i] and s[i], for i = count - 1, ..., 0. */ \
        void (*rotate_chain)(N * x, size_t count, const N *c, const N *s); \
        /* A row of a symmetric matrix, from its diagonal on: row -= v[0] p + p[0] v; then y += A \
         * w for all elements of A that the row holds, those below the diagonal included. */ \
        void (*symmetric_row)(N *restrict row, const N *v, const N *p, const N *w, N *restrict y, \
                              size_t n); \
        /* Each of `rows` rows of n: exp((x - max) / temperature) over its sum; temperature > 0 \
         * and finite. nan and +inf make the row nan, -inf alone makes it 0. */ \
        void (*softmax)(N * out, const N *x, size_t rows, size_t n, N temperature); \
        /* c (m,n) = alpha * a (m,k) b (k,n), or += where accumulate. Element (i,j) is summed \
         * over k in one fixed order, whatever m, n and the position in a tile. Row strides lda, \
         * ldc; a is read as a[i*a_row + p*a_column], b likewise, so a transpose needs no copy. \
         * work: scratch of gemm_work bytes, 64-byte aligned. */ \
        void (*gemm)(size_t m, size_t n, size_t k, N alpha, const N *a, size_t a_row, \
                     size_t a_column, const N *b, size_t b_row, size_t b_column, N *c, size_t ldc, \
                     bool accumulate, void *work); \
        size_t gemm_work; \
        /* How much of gemm_work a product of these sizes needs. */ \
        size_t (*gemm_bytes)(size_t m, size_t n, size_t k); \
        /* Attention in tiles: kernels_attention.inc says how. */ \
        N (*largest)(const N *x, size_t n); /* absolute value; nan wins */ \
        void (*pack_keys)(N * out, const N *k, size_t row_step, size_t keys, size_t width); \
        void (*tile_scores)(N * s, const N *q, size_t q_row, const N *k, size_t rows, size_t keys, \
                            size_t width, N scale); \
        void (*tile_add)(N * s, const double *term, size_t keys); \
        size_t (*tile_hide)(N * s, const uint8_t *visible, size_t keys); \
        void (*tile_add_distances)(N * s, const double *term, size_t rows, size_t keys); \
        void (*tile_softmax)(N * s, size_t rows, size_t keys, N inverse_temperature, N *maximum, \
                             N *sums, N *spreads, N *out, size_t width); \
        void (*tile_product)(N * out, size_t out_row, N alpha, const N *a, size_t a_row, \
                             size_t a_column, const N *b, size_t b_row, size_t m, size_t n, \
                             size_t k, bool accumulate); \
        bool (*tile_finish)(N * result, size_t result_row, const N *out, size_t out_row, \
                            size_t rows, size_t width, const N *sums, const N *spreads, N *total, \
                            N *spread); \
        /* Its gradient: kernels_backward.inc. */ \
        void (*tile_slopes)(N * s, N *dp, size_t rows, size_t keys, N inverse_temperature, \
                            const N *level, const N *mean, N steepness); \
        void (*row_products)(N * out, const N *x, size_t x_row, const N *y, size_t y_row, \
                             size_t rows, size_t width); \
        /* Training: kernels_training.inc. out = g times the derivative at x. */ \
        void (*slope[SLOPE_KERNELS])(N * out, const N *g, const N *x, size_t n); \
        /* A row's way back through normalize; any of dx, gamma, d_gamma, d_beta may be NULL. \
         * d_gamma and d_beta are added to, dx where `accumulate`. */ \
        void (*normalize_back)(N * dx, const N *g, const N *x, size_t n, double center, \
                               double factor, const N *gamma, N *d_gamma, N *d_beta, \
                               bool centered, bool accumulate); \
        void (*add_rows)(N * out, const N *x, size_t rows, size_t n); /* out[j] += x[i][j] */ \
        /* Steps of an optimiser: kernels_optimiser.inc. */ \
        void (*sgd_step)(N *restrict p, N *restrict velocity, const N *restrict g, size_t n, \
                         const StepNumbers *how); \
        void (*adamw_step)(N *restrict p, N *restrict mean, N *restrict square, \
                           const N *restrict g, size_t n, const StepNumbers *how); \
        /* work: scratch of muon_bytes(rows, columns), 64-byte aligned */ \
        void (*muon_step)(N *restrict p, N *restrict velocity, const N *restrict g, size_t rows, \
                          size_t columns, const StepNumbers *how, void *work); \
        size_t (*muon_bytes)(size_t rows, size_t columns); \
        /* Pairs of columns by their angles: kernels_rope.inc. */ \
        void (*rotate_rows)(N * out, size_t out_row, const N *x, size_t x_row, const N *angles, \
                            size_t rows, size_t width, bool back); \
    }

typedef KERNEL_TABLE(double) DoubleKernels;
typedef KERNEL_TABLE(float) FloatKernels;

typedef struct Kernels {
    const char *name; /* base, avx2 or avx512 */
    const DoubleKernels *f64;
    const FloatKernels *f32;
} Kernels;

/* The table in use, chosen at the first call. */
const Kernels *kernels(void);
/* Calls the kernel of a tensor's type, double or float; the numbers are handed over as void *. */
#define KERNEL(dtype, call) ((dtype) == DTYPE_DOUBLE ? kernels()->f64->call : kernels()->f32->call)
/* Chooses a table by name, for tests; false if it is unknown or this machine cannot run it. */
bool kernels_choose(const char *name);

#endif

/* NumPy's @: the last two axes are matrices, the axes before them broadcast; an
 * input of one axis is a row on the left, a column on the right, and its axis goes. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels.h"
#include "engine/operator_table.h"
#include "engine/threads.h"

#include <string.h>

/* One input as matrices: rows × columns, with strides. */
typedef struct Matrices {
    size_t rows, columns, row_stride, column_stride;
    Shape batch;
    bool vector;
} Matrices;

static void transpose(Matrices *x) {
    size_t rows = x->rows, stride = x->row_stride;
    x->rows = x->columns;
    x->columns = rows;
    x->row_stride = x->column_stride;
    x->column_stride = stride;
}

static Matrices matrices_of(const Shape *shape, bool left, bool transposed) {
    Matrices x = {.batch = *shape, .vector = shape->axes == 1};
    x.columns = x.row_stride = shape->size[shape->axes - 1];
    x.column_stride = 1;
    x.rows = x.vector ? 1 : shape->size[shape->axes - 2];
    x.batch.axes = x.vector ? 0 : shape->axes - 2;
    if (x.vector ? !left : transposed) transpose(&x);
    return x;
}

/* ---- shape ---- */

static bool matmul_of_number(const OpCall *call, Error *err) {
    bool left = call->inputs[0]->shape.axes == 0;
    error_set(err, ERR_SHAPE, "the %s side of @ is a single number, and @ multiplies arrays", left ? "left" : "right");
    return error_hint(err, "Use * to multiply by a number.");
}

/* What would fit, where turning one side round does. */
static bool matmul_hint(const Matrices *a, const Matrices *b, Error *err) {
    if (!b->vector && !a->vector && a->columns == b->columns)
        return error_hint(err, "left @ right.T would be %zu×%zu.", a->rows, b->rows);
    if (!b->vector && a->vector && a->columns == b->columns)
        return error_hint(err, "left @ right.T would have %zu numbers.", b->rows);
    if (!a->vector && a->rows == b->rows)
        return error_hint(err, b->vector ? "left.T @ right would have %zu numbers." : "left.T @ right would be %zu×%zu.",
                          a->columns, b->columns);
    return false;
}

static bool matmul_mismatch(const OpCall *call, const Matrices *a, const Matrices *b, Error *err) {
    error_set(err, ERR_SHAPE, "the left side is %s and the right side %s, so the inner sizes %zu and %zu differ",
              shape_words(&call->inputs[0]->shape), shape_words(&call->inputs[1]->shape), a->columns, b->rows);
    return matmul_hint(a, b, err);
}

static bool matmul_inputs(const OpCall *call, Matrices *a, Matrices *b, Error *err) {
    const Shape *left = &call->inputs[0]->shape, *right = &call->inputs[1]->shape;
    if (left->axes == 0 || right->axes == 0) return matmul_of_number(call, err);
    *a = matrices_of(left, true, call->attributes->transpose_a);
    *b = matrices_of(right, false, call->attributes->transpose_b);
    return a->columns == b->rows || matmul_mismatch(call, a, b, err);
}

bool shape_of_matmul(const OpCall *call, Shape *out, Error *err) {
    Matrices a, b;
    Shape result;
    if (!matmul_inputs(call, &a, &b, err) || !shape_broadcast(&a.batch, &b.batch, &result, err)) return false;
    if (!a.vector) result.size[result.axes++] = a.rows;
    if (!b.vector) result.size[result.axes++] = b.columns;
    *out = result;
    return true;
}

/* ---- forward ---- */

/* Which matrix of x meets the one at `place` of the broadcast batch. */
static size_t batch_place(const Shape *batch, const Shape *x, size_t place) {
    size_t at = 0, stride = 1;
    for (int i = 0; i < batch->axes; i++) {
        size_t size = batch->size[batch->axes - 1 - i], own = i < x->axes ? x->size[x->axes - 1 - i] : 1;
        if (own != 1) at += place % size * stride;
        stride *= own;
        place /= size;
    }
    return at;
}

/* A batch on the left with one matrix on the right is one tall matrix. */
static void join_batch(Matrices *a, const Matrices *b, const Tensor *left) {
    bool upright = a->column_stride == 1 && !a->vector;
    if (!upright || b->batch.axes > 0 || a->columns == 0) return;
    a->rows = left->count / a->columns;
    a->batch.axes = 0;
}

/* How much one call of gemm does: short enough to answer Ctrl-C between them. */
enum { CALL_ROWS = 512, CALL_COLUMNS = 1024 };

static size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

static void gemm(const Tensor *out, size_t m, size_t n, size_t k, size_t a_at, const Matrices *a, const void *a_data,
                 size_t b_at, const Matrices *b, const void *b_data, size_t c_at, size_t ldc, bool accumulate,
                 void *work) {
    if (out->dtype == DTYPE_DOUBLE)
        kernels()->f64->gemm(m, n, k, 1, (const double *)a_data + a_at, a->row_stride, a->column_stride,
                             (const double *)b_data + b_at, b->row_stride, b->column_stride,
                             tensor_doubles(out) + c_at, ldc, accumulate, work);
    else
        kernels()->f32->gemm(m, n, k, 1, (const float *)a_data + a_at, a->row_stride, a->column_stride,
                             (const float *)b_data + b_at, b->row_stride, b->column_stride,
                             tensor_floats(out) + c_at, ldc, accumulate, work);
}

/* Threads share the rows; each has scratch of its own. A product that is done in less time than
 * threads need to wake stays on one. */
typedef struct Crew {
    int threads;
    size_t rows; /* that one call of gemm does */
    size_t work_bytes;
    char *work;
} Crew;

enum { SHARED_WORK = 1 << 24 }; /* multiply-adds */

static bool crew_init(Crew *crew, const Tensor *out, const Matrices *a, const Matrices *b, Error *err) {
    size_t m = a->rows, n = at_most(b->columns, CALL_COLUMNS), k = at_most(a->columns, GEMM_DEPTH);
    bool shared = (double)m * (double)b->columns * (double)a->columns >= SHARED_WORK;
    crew->threads = shared ? threads_now() : 1;
    crew->rows = at_most((m + (size_t)crew->threads - 1) / (size_t)crew->threads, CALL_ROWS);
    bool wide = out->dtype == DTYPE_DOUBLE;
    size_t bytes = wide ? kernels()->f64->gemm_bytes(crew->rows, n, k) : kernels()->f32->gemm_bytes(crew->rows, n, k);
    crew->work_bytes = (bytes + 63) / 64 * 64;
    crew->work = mem_aligned(crew->work_bytes * (size_t)crew->threads, err);
    return crew->work != NULL;
}

/* One product of matrices, which begin at these places of their data. */
static bool multiply(const OpCall *call, const Matrices *a, size_t a_at, const Matrices *b, size_t b_at, Tensor *out,
                     size_t c_at, const Crew *crew, Error *err) {
    size_t m = a->rows, n = b->columns, k = a->columns;
    long blocks = (long)((m + crew->rows - 1) / crew->rows);
    for (size_t j = 0; j < n; j += CALL_COLUMNS)
        for (size_t p = 0; p < k; p += GEMM_DEPTH) {
            if (interrupted(err)) return false;
#ifdef _OPENMP
#pragma omp parallel for num_threads(crew->threads) schedule(dynamic) if (crew->threads > 1)
#endif
            for (long block = 0; block < blocks; block++) {
                size_t i = (size_t)block * crew->rows;
                if (interrupt_flag) continue;
                gemm(out, at_most(m - i, crew->rows), at_most(n - j, CALL_COLUMNS), at_most(k - p, GEMM_DEPTH),
                     a_at + i * a->row_stride + p * a->column_stride, a, call->inputs[0]->data,
                     b_at + p * b->row_stride + j * b->column_stride, b, call->inputs[1]->data, c_at + i * n + j, n,
                     p > 0, crew->work + crew->work_bytes * (size_t)threads_self());
            }
        }
    return !interrupted(err);
}

static bool multiply_all(const OpCall *call, const Matrices *a, const Matrices *b, Tensor *out, const Crew *crew,
                         Error *err) {
    Shape batch;
    if (!shape_broadcast(&a->batch, &b->batch, &batch, err)) return false;
    size_t size = a->rows * b->columns, products = out->count / size;
    for (size_t i = 0; i < products; i++) {
        size_t a_at = batch_place(&batch, &a->batch, i) * a->rows * a->columns;
        size_t b_at = batch_place(&batch, &b->batch, i) * b->rows * b->columns;
        if (!multiply(call, a, a_at, b, b_at, out, i * size, crew, err)) return false;
    }
    return true;
}

bool forward_matmul(const OpCall *call, Tensor *out, Error *err) {
    Matrices a, b;
    if (!matmul_inputs(call, &a, &b, err)) return false;
    if (out->count == 0) return true;
    if (a.columns == 0) {
        memset(out->data, 0, out->count * dtype_size(out->dtype));
        return true;
    }
    join_batch(&a, &b, call->inputs[0]);
    Crew crew;
    if (!crew_init(&crew, out, &a, &b, err)) return false;
    bool done = multiply_all(call, &a, &b, out, &crew, err);
    mem_free(crew.work);
    return done;
}

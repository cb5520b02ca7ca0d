/* NumPy's @: the last two axes are matrices, the axes before them broadcast; an
 * input of one axis is a row on the left, a column on the right, and its axis goes. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/threads.h"

#include <math.h>
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
    error_set(err, ERR_SHAPE, "the %s side of @ is a single number, and @ multiplies arrays",
              left ? "left" : "right");
    return error_hint(err, "Use * to multiply by a number.");
}

/* What would fit, where turning one side round does. */
static bool matmul_hint(const Matrices *a, const Matrices *b, Error *err) {
    if (!b->vector && !a->vector && a->columns == b->columns)
        return error_hint(err, "left @ right.T would be %zu×%zu.", a->rows, b->rows);
    if (!b->vector && a->vector && a->columns == b->columns)
        return error_hint(err, "left @ right.T would have %zu numbers.", b->rows);
    if (!a->vector && a->rows == b->rows)
        return error_hint(err,
                          b->vector ? "left.T @ right would have %zu numbers."
                                    : "left.T @ right would be %zu×%zu.",
                          a->columns, b->columns);
    return false;
}

static bool matmul_mismatch(const OpCall *call, const Matrices *a, const Matrices *b, Error *err) {
    error_set(err, ERR_SHAPE,
              "the left side is %s and the right side %s, so the inner sizes %zu and %zu differ",
              shape_words(&call->inputs[0]->shape), shape_words(&call->inputs[1]->shape),
              a->columns, b->rows);
    return matmul_hint(a, b, err);
}

static bool matmul_inputs(const OpCall *call, Matrices *a, Matrices *b, Error *err) {
    const Shape *left = &call->inputs[0]->shape, *right = &call->inputs[1]->shape;
    if (left->axes == 0 || right->axes == 0) return matmul_of_number(call, err);
    *a = matrices_of(left, true, call->attributes->transpose_a);
    *b = matrices_of(right, false, call->attributes->transpose_b);
    return a->columns == b->rows || matmul_mismatch(call, a, b, err);
}

static bool shape_of_matmul(const OpCall *call, Shape *out, Error *err) {
    Matrices a, b;
    Shape result;
    if (!matmul_inputs(call, &a, &b, err) || !shape_broadcast(&a.batch, &b.batch, &result, err))
        return false;
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
        size_t size = batch->size[batch->axes - 1 - i],
               own = i < x->axes ? x->size[x->axes - 1 - i] : 1;
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

/* All products of a call, cut into blocks of rows and columns of the results: threads share the
 * blocks, and each has scratch of its own. The cuts change no bit of a result. */
typedef struct Plan {
    const OpCall *call;
    Tensor *out;
    Matrices a, b;
    Shape batch;
    size_t products;
    int threads;
    size_t rows, columns; /* of a block */
    size_t down, across;  /* blocks of one product */
    size_t work_bytes;
    char *work;
} Plan;

/* ---- cuts ---- */

enum {
    /* One call of gemm at the most: short enough to answer Ctrl-C between two. */
    CALL_ROWS = 512,
    CALL_COLUMNS = 1024,
    /* Besides its multiply-adds, a block costs the reading of its sides: as if each had so many
       more lines. */
    SIDE = 4,
    /* Multiply-adds that are done while threads wake. */
    SHARED_WORK = 1 << 18,
    FEW = 4,
};

static size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

static size_t parts(size_t n, size_t part) { return (n + part - 1) / part; }

static double block_time(size_t rows, size_t columns, size_t depth) {
    return (double)(rows + SIDE) * (double)(columns + SIDE) * (double)depth;
}

/* down by across blocks, or more where these would be too large. */
static void cut(Plan *plan, size_t down, size_t across) {
    plan->rows = at_most(parts(plan->a.rows, down), CALL_ROWS);
    plan->columns =
        at_most(parts(parts(plan->b.columns, across), TILE_ALIGNED) * TILE_ALIGNED, CALL_COLUMNS);
    plan->down = parts(plan->a.rows, plan->rows);
    plan->across = parts(plan->b.columns, plan->columns);
}

/* As many blocks as there are threads, of the shape that is done first; many products are cut by
 * their number alone. */
static void cut_for_threads(Plan *plan) {
    size_t threads = (size_t)plan->threads, best = 1;
    bool even = plan->products % threads == 0 || plan->products >= FEW * threads;
    double least = INFINITY;
    for (size_t down = 1; !even && down <= threads; down++) {
        if (threads % down != 0) continue;
        cut(plan, down, threads / down);
        double time = block_time(plan->rows, plan->columns, plan->a.columns);
        if (time < least) {
            least = time;
            best = down;
        }
    }
    cut(plan, best, even ? 1 : threads / best);
}

static int threads_for(double work) {
    double most = work / SHARED_WORK;
    return most < 2 ? 1 : most < threads_now() ? (int)most : threads_now();
}

static bool plan_init(Plan *plan, Error *err) {
    const Matrices *a = &plan->a, *b = &plan->b;
    if (!shape_broadcast(&a->batch, &b->batch, &plan->batch, err)) return false;
    plan->products = plan->out->count / (a->rows * b->columns);
    plan->threads =
        threads_for((double)plan->products * block_time(a->rows, b->columns, a->columns));
    cut_for_threads(plan);
    size_t m = plan->rows, n = at_most(plan->columns, b->columns), k = a->columns;
    bool wide = plan->out->dtype == DTYPE_DOUBLE;
    size_t bytes = wide ? kernels()->f64->gemm_bytes(m, n, k) : kernels()->f32->gemm_bytes(m, n, k);
    plan->work_bytes = parts(bytes, 64) * 64;
    plan->work = mem_aligned(plan->work_bytes * (size_t)plan->threads, err);
    return plan->work != NULL;
}

/* ---- blocks ---- */

/* Where a block of c, and what it is made of, begin. */
typedef struct Corner {
    size_t a, b, c;
} Corner;

static void multiply(const Plan *plan, Corner at, size_t m, size_t n, size_t k, bool accumulate,
                     void *work) {
    const Matrices *a = &plan->a, *b = &plan->b;
    const void *left = plan->call->inputs[0]->data, *right = plan->call->inputs[1]->data;
    if (plan->out->dtype == DTYPE_DOUBLE)
        kernels()->f64->gemm(m, n, k, 1, (const double *)left + at.a, a->row_stride,
                             a->column_stride, (const double *)right + at.b, b->row_stride,
                             b->column_stride, tensor_doubles(plan->out) + at.c, b->columns,
                             accumulate, work);
    else
        kernels()->f32->gemm(m, n, k, 1, (const float *)left + at.a, a->row_stride,
                             a->column_stride, (const float *)right + at.b, b->row_stride,
                             b->column_stride, tensor_floats(plan->out) + at.c, b->columns,
                             accumulate, work);
}

static void multiply_block(const void *job, size_t block, size_t thread) {
    const Plan *plan = job;
    const Matrices *a = &plan->a, *b = &plan->b;
    size_t j = block % plan->across * plan->columns,
           i = block / plan->across % plan->down * plan->rows;
    size_t product = block / plan->across / plan->down, k = a->columns;
    size_t m = at_most(a->rows - i, plan->rows), n = at_most(b->columns - j, plan->columns);
    Corner at = {batch_place(&plan->batch, &a->batch, product) * a->rows * k + i * a->row_stride,
                 batch_place(&plan->batch, &b->batch, product) * k * b->columns +
                     j * b->column_stride,
                 (product * a->rows + i) * b->columns + j};
    for (size_t p = 0, depth; p < k && !interrupt_flag; p += depth) {
        depth = at_most(k - p, GEMM_DEPTH);
        multiply(plan, at, m, n, depth, p > 0, plan->work + plan->work_bytes * thread);
        at.a += depth * a->column_stride;
        at.b += depth * b->row_stride;
    }
}

static bool multiply_all(const Plan *plan, Error *err) {
    threads_share(plan->threads, plan->products * plan->down * plan->across, multiply_block, plan);
    return !interrupted(err);
}

static bool forward_matmul(const OpCall *call, Tensor *out, Error *err) {
    Plan plan = {.call = call, .out = out};
    if (!matmul_inputs(call, &plan.a, &plan.b, err)) return false;
    if (out->count == 0) return true;
    if (plan.a.columns == 0) {
        memset(out->data, 0, out->count * dtype_size(out->dtype));
        return true;
    }
    join_batch(&plan.a, &plan.b, call->inputs[0]);
    bool done = plan_init(&plan, err) && multiply_all(&plan, err);
    mem_free(plan.work);
    return done;
}

/* ---- backward ---- */

/* x as a matrix: a vector gets the axis that the product gave it. */
static Tensor *as_matrix(const OpRecord *op, int input, Error *err) {
    Tensor *x = input_of(op, input);
    Shape matrix = input == 0 ? shape_2d(1, x->count) : shape_2d(x->count, 1);
    return x->shape.axes == 1 ? compute_reshape(x, &matrix, err) : x;
}

/* The gradient with the axes of size 1 that vectors have in the product. */
static Tensor *as_product(const OpRecord *op, Tensor *g, Error *err) {
    Shape shape = g->shape;
    bool row = op->inputs[0].shape.axes == 1, column = op->inputs[1].shape.axes == 1;
    if (column && !shape_insert(&shape, shape.axes, 1, &shape, err)) return NULL;
    if (row && !shape_insert(&shape, shape.axes - 1, 1, &shape, err)) return NULL;
    return compute_reshape(tensor_ref(g), &shape, err);
}

/* y = A B, where A is a or its transpose, B likewise: dA = g B^T, dB = A^T g, and da is dA or its
 * transpose. */
static Tensor *backward_matmul(const OpRecord *op, int input, Tensor *g, Error *err) {
    bool turned_a = op->attributes->transpose_a && op->inputs[0].shape.axes > 1;
    bool turned_b = op->attributes->transpose_b && op->inputs[1].shape.axes > 1;
    Tensor *product = as_product(op, g, err), *other = as_matrix(op, 1 - input, err), *dx = NULL;
    Tensor *inputs[2];
    OpAttributes how = {0};
    if (input == 0) {
        inputs[turned_a] = product;
        inputs[!turned_a] = other;
        how.transpose_a = turned_a && turned_b;
        how.transpose_b = turned_a || !turned_b;
    } else {
        inputs[!turned_b] = product;
        inputs[turned_b] = other;
        how.transpose_a = turned_b || !turned_a;
        how.transpose_b = turned_a && turned_b;
    }
    if (product && other && !op_apply(OP_MATMUL, inputs, 2, &how, &dx, err)) dx = NULL;
    tensor_unref(product);
    tensor_unref(other);
    /* A vector has no axis for the batch either: that of the product is summed away first. */
    if (!dx || op->inputs[input].shape.axes > 1) return dx;
    OpAttributes sums = {0};
    for (int axis = 0; axis < dx->shape.axes - 2; axis++) sums.axes[sums.axis_count++] = axis;
    if (sums.axis_count > 0) dx = compute(OP_SUM, dx, &sums, err);
    return compute_flat(dx, err);
}

const OperatorDef operator_matmul = {.name = "matmul",
                                     .least = 2,
                                     .most = 2,
                                     .inputs = INPUT_NUMBERS,
                                     .result = RESULT_NUMBER,
                                     .shape = shape_of_matmul,
                                     .forward = forward_matmul,
                                     .backward = backward_matmul,
                                     .keeps = KEEPS_INPUTS};

/* Products of matrices: NumPy's @, and layers of weights. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/scratch.h"
#include "engine/tensor/threads.h"

#include <math.h>
#include <string.h>

/* The last two axes of an array as matrices, rows x columns, with strides; the axes before them are
 * a batch. */
typedef struct Matrices {
    size_t rows, columns, row_stride, column_stride;
    Shape batch;
    bool vector; /* the array has one axis: a row on the left, a column on the right */
} Matrices;

static Matrices transpose_of(Matrices x) {
    return (Matrices){.rows = x.columns,
                      .columns = x.rows,
                      .row_stride = x.column_stride,
                      .column_stride = x.row_stride,
                      .batch = x.batch,
                      .vector = x.vector};
}

static Matrices matrices_of(const Shape *shape, bool left, bool transposed) {
    Matrices x = {.batch = *shape, .vector = shape->axes == 1};
    x.columns = x.row_stride = shape_columns(shape);
    x.column_stride = 1;
    x.rows = x.vector ? 1 : shape_rows(shape);
    x.batch.axes = x.vector ? 0 : shape->axes - 2;
    return (x.vector ? !left : transposed) ? transpose_of(x) : x;
}

/* ---- matmul: NumPy's @ ----
 *
 * The last two axes are matrices, the axes before them broadcast; an input of one axis is a row on
 * the left, a column on the right, and the result lacks its axis. */

static bool matmul_inputs(const OpCall *call, Matrices *a, Matrices *b, Error *err) {
    const Shape *left = &call->inputs[0]->shape, *right = &call->inputs[1]->shape;
    if (left->axes == 0 || right->axes == 0) {
        error_set(err, ERR_SHAPE, "the %s side of @ is a single number, and @ multiplies arrays",
                  left->axes == 0 ? "left" : "right");
        return error_hint(err, "Use * to multiply by a number.");
    }
    *a = matrices_of(left, true, call->attributes->transpose_a);
    *b = matrices_of(right, false, call->attributes->transpose_b);
    if (a->columns == b->rows) return true;
    error_set(err, ERR_SHAPE,
              "the left side is %s and the right side %s, so the inner sizes %zu and %zu differ",
              shape_words(left), shape_words(right), a->columns, b->rows);
    error_python(err,
                 "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                 "signature (n?,k),(k,m?)->(n?,m?) (size %zu is different from %zu)",
                 b->rows, a->columns);
    /* Hints at what would fit, where a transpose of one side does. */
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

size_t batch_index(const Shape *batch, const Shape *x, size_t place) {
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

/* All products of a call, cut into blocks of rows and columns of the results: threads share the
 * blocks, and each has scratch of its own. The cuts change no bit of a result. */
typedef struct Cut {
    Matrices a, b;
    const Tensor *left, *right; /* their numbers */
    Tensor *out;
    bool accumulate; /* add to out */
    Shape batch;
    size_t products;
    size_t rows, columns; /* of a block */
    size_t down, across;  /* blocks of one product */
    size_t work_bytes;
    char *work;
} Cut;

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

static double block_time(size_t rows, size_t columns, size_t depth) {
    return (double)(rows + SIDE) * (double)(columns + SIDE) * (double)depth;
}

/* down by across blocks, or more where these would be too large. */
static void cut_blocks(Cut *cut, size_t down, size_t across) {
    cut->rows = smaller(divided_up(cut->a.rows, down), CALL_ROWS);
    cut->columns =
        smaller(round_up(divided_up(cut->b.columns, across), TILE_ALIGNED), CALL_COLUMNS);
    cut->down = divided_up(cut->a.rows, cut->rows);
    cut->across = divided_up(cut->b.columns, cut->columns);
}

static void multiply_block(const void *job, size_t block, size_t thread) {
    const Cut *cut = job;
    const Matrices *a = &cut->a, *b = &cut->b;
    size_t j = block % cut->across * cut->columns, i = block / cut->across % cut->down * cut->rows;
    size_t product = block / cut->across / cut->down, k = a->columns;
    size_t m = smaller(a->rows - i, cut->rows), n = smaller(b->columns - j, cut->columns);
    /* The offsets at which the block of the result, and what it is made of, begin. */
    size_t at_a = batch_index(&cut->batch, &a->batch, product) * a->rows * k + i * a->row_stride,
           at_b =
               batch_index(&cut->batch, &b->batch, product) * k * b->columns + j * b->column_stride,
           at_out = (product * a->rows + i) * b->columns + j;
    for (size_t p = 0, depth; p < k && !interrupt_flag; p += depth) {
        depth = smaller(k - p, GEMM_DEPTH);
        const void *left = tensor_address(cut->left, at_a + p * a->column_stride),
                   *right = tensor_address(cut->right, at_b + p * b->row_stride);
        KERNEL(cut->out->dtype,
               gemm(m, n, depth, 1, left, a->row_stride, a->column_stride, right, b->row_stride,
                    b->column_stride, tensor_address(cut->out, at_out), b->columns,
                    cut->accumulate || p > 0, cut->work + cut->work_bytes * thread));
    }
}

/* A batch of `count` numbers as one tall matrix; x is not transposed (asserted). */
static Matrices matrices_tall(Matrices x, size_t count) {
    assert(x.column_stride == 1 && !x.vector);
    x.rows = x.columns ? count / x.columns : 0;
    x.batch.axes = 0;
    return x;
}

/* out = a b, or out += a b, all of one type; the batches broadcast, and out has their shape. Large
 * products are shared by threads. */
static bool matrices_multiply(Matrices a, const Tensor *left, Matrices b, const Tensor *right,
                              Tensor *out, bool accumulate, Error *err) {
    if (out->count == 0) return true;
    if (a.columns == 0) {
        if (!accumulate) memset(out->data, 0, out->count * dtype_size(out->dtype));
        return true;
    }
    Cut cut = {.a = a, .b = b, .left = left, .right = right, .out = out, .accumulate = accumulate};
    if (!shape_broadcast(&a.batch, &b.batch, &cut.batch, err)) return false;
    cut.products = out->count / (a.rows * b.columns);

    /* One block for each thread, of the shape that is fastest; many products are shared whole. */
    double shares = (double)cut.products * block_time(a.rows, b.columns, a.columns) / SHARED_WORK;
    size_t threads = (size_t)fmax(1, fmin(shares, threads_now())), best = 1;
    bool even = cut.products % threads == 0 || cut.products >= FEW * threads;
    double least = INFINITY;
    for (size_t down = 1; !even && down <= threads; down++) {
        if (threads % down != 0) continue;
        cut_blocks(&cut, down, threads / down);
        double time = block_time(cut.rows, cut.columns, a.columns);
        if (time < least) {
            least = time;
            best = down;
        }
    }
    cut_blocks(&cut, best, even ? 1 : threads / best);

    size_t bytes =
        KERNEL(out->dtype, gemm_bytes(cut.rows, smaller(cut.columns, b.columns), a.columns));
    cut.work_bytes = round_up(bytes, SCRATCH_ALIGNED);
    LocalMemory char *work = mem_aligned(cut.work_bytes * threads, err);
    if (!work) return false;
    cut.work = work;
    threads_share((int)threads, cut.products * cut.down * cut.across, multiply_block, &cut);
    return !interrupted(err);
}

static bool forward_matmul(const OpCall *call, Tensor *out, Error *err) {
    Matrices a, b;
    if (!matmul_inputs(call, &a, &b, err)) return false;
    /* A batch on the left with one matrix on the right is one tall matrix. */
    bool upright = a.column_stride == 1 && !a.vector;
    if (upright && b.batch.axes == 0) a = matrices_tall(a, call->inputs[0]->count);
    return matrices_multiply(a, call->inputs[0], b, call->inputs[1], out, false, err);
}

/* ---- backward ---- */

/* y = A B, where A is a or its transpose, B likewise: dA = g B^T, dB = A^T g, and da is dA or its
 * transpose. */
static Tensor *backward_matmul(const OpRecord *op, Tensor *g, Error *err) {
    bool turned_a = op->attributes->transpose_a && op->inputs[0].shape.axes > 1;
    bool turned_b = op->attributes->transpose_b && op->inputs[1].shape.axes > 1;

    /* The gradient and the other input as matrices: vectors have an axis of size 1 more in the
     * product. */
    Shape shape = g->shape;
    bool row = op->inputs[0].shape.axes == 1, column = op->inputs[1].shape.axes == 1;
    if (column && !shape_insert(&shape, shape.axes, 1, &shape, err)) return NULL;
    if (row && !shape_insert(&shape, shape.axes - 1, 1, &shape, err)) return NULL;
    Tensor *product = compute_reshape(tensor_ref(g), &shape, err);
    Tensor *other = input_of(op, 1 - op->input), *dx;
    if (other->shape.axes == 1) {
        Shape matrix = op->input == 1 ? shape_2d(1, other->count) : shape_2d(other->count, 1);
        other = compute_reshape(other, &matrix, err);
    }

    if (op->input == 0)
        dx = turned_a ? compute_matmul(other, turned_b, product, true, err)
                      : compute_matmul(product, false, other, !turned_b, err);
    else
        dx = turned_b ? compute_matmul(product, true, other, turned_a, err)
                      : compute_matmul(other, !turned_a, product, false, err);
    /* A vector has no axis for the batch either: that of the product is summed away first. */
    if (!dx || op->inputs[op->input].shape.axes > 1) return dx;
    OpAttributes sums = {0};
    for (int axis = 0; axis < dx->shape.axes - 2; axis++) sums.axes[sums.axis_count++] = axis;
    if (sums.axis_count > 0) dx = compute(OP_SUM, dx, &sums, err);
    return compute_flat(dx, err);
}

const OperatorDef operator_matmul = {TAKES_NUMBERS(2, 2), .shape = shape_of_matmul,
                                     .forward = forward_matmul,
                                     BACKWARD(backward_matmul, KEEPS_INPUTS)};

/* ---- linear: a layer of weights ----
 *
 * y = x W + b, in one pass (and W^T, if transpose_b). In a backward function g is the gradient of
 * y. */

static bool shape_of_linear(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape, *w = &call->inputs[1]->shape;
    bool transposed = call->attributes->transpose_b;
    if (x->axes == 0 || w->axes != 2)
        return error_set(err, ERR_SHAPE,
                         "a linear layer takes vectors and a matrix of weights, not %s and %s",
                         shape_words(x), shape_words(w));
    size_t in = w->size[transposed], width = w->size[!transposed];
    if (shape_columns(x) != in)
        return error_set(err, ERR_SHAPE, "the input is %s and the weights take rows of %zu",
                         shape_words(x), in);
    if (call->count > 2) {
        const Shape *bias = &call->inputs[2]->shape;
        if (bias->axes != 1 || bias->size[0] != width)
            return error_set(err, ERR_SHAPE, "the bias is %s and the weights give rows of %zu",
                             shape_words(bias), width);
    }
    *out = *x;
    out->size[x->axes - 1] = width;
    return true;
}

/* An array as one matrix, whose rows are its last axis. */
static Matrices rows_of(const Tensor *x) {
    Shape flat = shape_2d(0, shape_columns(&x->shape));
    return matrices_tall(matrices_of(&flat, true, false), x->count);
}

static bool forward_linear(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0], *w = call->inputs[1];
    const Tensor *bias = call->count > 2 ? call->inputs[2] : NULL;
    size_t bytes = bias ? bias->count * dtype_size(bias->dtype) : 0;
    for (size_t at = 0; bytes && at < out->count * dtype_size(out->dtype); at += bytes)
        memcpy((char *)out->data + at, bias->data, bytes);
    return matrices_multiply(rows_of(x), x,
                             matrices_of(&w->shape, false, call->attributes->transpose_b), w, out,
                             bias != NULL, err);
}

/* dx = g W^T, db = g (which is summed over the rows), dW = x^T g, or its transpose, over all rows.
 */
static Tensor *backward_linear(const OpRecord *op, Tensor *g, Error *err) {
    bool transposed = op->attributes->transpose_b;
    if (op->input == 2) return tensor_ref(g);
    if (op->input == 0)
        return compute_matmul(tensor_ref(g), false, input_of(op, 1), !transposed, err);
    const Tensor *x = op->inputs[0].tensor;
    size_t in = shape_columns(&x->shape), width = shape_columns(&g->shape);
    size_t rows = in ? x->count / in : 0;
    Shape x_rows = shape_2d(rows, in), g_rows = shape_2d(rows, width);
    Tensor *left = compute_reshape(input_of(op, 0), &x_rows, err),
           *right = compute_reshape(tensor_ref(g), &g_rows, err);
    return compute_matmul(transposed ? right : left, true, transposed ? left : right, false, err);
}

/* The same for all wanted inputs at once, not recorded: each product is added to the gradient that
 * the input has so far. */
static bool backward_linear_all(const OpRecord *op, Tensor *g, const bool *wanted,
                                Tensor **gradients, Error *err) {
    const Tensor *x = op->inputs[0].tensor, *w = op->inputs[1].tensor;
    bool transposed = op->attributes->transpose_b, accumulate;
    Matrices rows = rows_of(g), from = rows_of(x);
    if (wanted[0]) {
        Tensor *dx = gradient_to_fill(op, 0, gradients, &accumulate, err);
        if (!dx || !matrices_multiply(rows, g, matrices_of(&w->shape, false, !transposed), w, dx,
                                      accumulate, err))
            return false;
    }
    if (wanted[1]) {
        Tensor *dw = gradient_to_fill(op, 1, gradients, &accumulate, err);
        if (!dw ||
            !(transposed ? matrices_multiply(transpose_of(rows), g, from, x, dw, accumulate, err)
                         : matrices_multiply(transpose_of(from), x, rows, g, dw, accumulate, err)))
            return false;
    }
    if (op->count > 2 && wanted[2]) {
        Tensor *db = gradient_to_add_to(op, 2, gradients, err);
        if (!db) return false;
        KERNEL(g->dtype, add_rows(db->data, g->data, rows.rows, db->count));
    }
    return true;
}

const OperatorDef operator_linear = {TAKES_NUMBERS(2, 3), .shape = shape_of_linear,
                                     .forward = forward_linear, .backward_all = backward_linear_all,
                                     BACKWARD(backward_linear, KEEPS_INPUTS)};

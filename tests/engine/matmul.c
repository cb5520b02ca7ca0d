/* The product of matrices: the kernels' gemm in every table, number type and layout, and the
 * operator that cuts it for threads. */
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator.h"
#include "engine/tensor/threads.h"
#include "tests/engine/near.h"

#include <float.h>
#include <math.h>
#include <string.h>

Suite *matmul_suite(void);

/* Every test of the kernels runs for each of these. */
static const struct {
    const char *table;
    DType dtype;
} ways[] = {{"base", DTYPE_DOUBLE}, {"base", DTYPE_FLOAT},    {"avx2", DTYPE_DOUBLE},
            {"avx2", DTYPE_FLOAT},  {"avx512", DTYPE_DOUBLE}, {"avx512", DTYPE_FLOAT}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void use_standard(void) {
    for (int i = 0; i < WAYS; i++) kernels_choose(ways[i].table);
}

/* ---- the kernels ---- */

enum { UNTOUCHED = 5, MOST = 199, DEEPEST = 2 * GEMM_DEPTH + 9, LAYOUTS = 8 };

/* How a matrix lies: element (i, j) at i * row + j * column. */
typedef struct Layout {
    size_t row, column;
} Layout;

/* Upright or turned; tight, or with lines a power of 2 apart. */
static Layout layout_of(size_t rows, size_t columns, bool turned, bool spread) {
    size_t line = spread ? 1024 : turned ? rows : columns;
    return turned ? (Layout){1, line} : (Layout){line, 1};
}

typedef struct Bench {
    DType dtype;
    Tensor *a, *b, *c, *whole; /* the largest product, in MOST rows of MOST */
    void *work;
} Bench;

/* Numbers of either type, between -1 and 1. */
static double a_at(size_t i, size_t p) {
    return (double)((float)((i * 7919 + p * 104729 + 17) % 2003) / 1001.3f - 1);
}
static double b_at(size_t p, size_t j) {
    return (double)((float)((p * 15485863 + j * 1299709 + 5) % 1999) / 999.7f - 1);
}

static Bench bench_new(DType dtype) {
    Error err = {0};
    Shape side = shape_2d(DEEPEST, 1024), square = shape_2d(MOST, MOST + 3);
    size_t work = dtype == DTYPE_DOUBLE ? kernels()->f64->gemm_work : kernels()->f32->gemm_work;
    return (Bench){dtype,
                   tensor_zeros(dtype, &side, &err),
                   tensor_zeros(dtype, &side, &err),
                   tensor_zeros(dtype, &square, &err),
                   tensor_zeros(dtype, &square, &err),
                   mem_aligned(work, &err)};
}

static void bench_release(Bench *bench) {
    Tensor *all[] = {bench->a, bench->b, bench->c, bench->whole};
    for (int i = 0; i < 4; i++) tensor_unref(all[i]);
    mem_free(bench->work);
}

/* c (m,n), rows MOST + 3 apart, from rows i.. of a and columns j.. of b. */
static void multiply(const Bench *bench, Tensor *c, size_t i, size_t j, size_t m, size_t n,
                     size_t k, double alpha, Layout a, Layout b, bool accumulate) {
    size_t from_a = i * a.row, from_b = j * b.column;
    if (bench->dtype == DTYPE_DOUBLE)
        kernels()->f64->gemm(m, n, k, alpha, tensor_doubles(bench->a) + from_a, a.row, a.column,
                             tensor_doubles(bench->b) + from_b, b.row, b.column, tensor_doubles(c),
                             MOST + 3, accumulate, bench->work);
    else
        kernels()->f32->gemm(m, n, k, (float)alpha, tensor_floats(bench->a) + from_a, a.row,
                             a.column, tensor_floats(bench->b) + from_b, b.row, b.column,
                             tensor_floats(c), MOST + 3, accumulate, bench->work);
}

static void lay_out(const Bench *bench, size_t k, int layout, Layout *a, Layout *b) {
    *a = layout_of(MOST, k, layout & 1, layout & 4);
    *b = layout_of(k, MOST, layout & 2, layout & 4);
    for (size_t p = 0; p < k; p++)
        for (size_t i = 0; i < MOST; i++) {
            tensor_set(bench->a, i * a->row + p * a->column, a_at(i, p));
            tensor_set(bench->b, p * b->row + i * b->column, b_at(p, i));
        }
}

/* A sum of k products is wrong by k + 1 roundings at most (Higham 2002, section 3.1), of what the
 * amounts sum up to; one more for alpha. */
static void check_rounding(const Bench *bench, const Tensor *c, size_t k, double alpha,
                           double before) {
    double unit = bench->dtype == DTYPE_DOUBLE ? DBL_EPSILON / 2 : FLT_EPSILON / 2;
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j < MOST; j++) {
            long double exact = before, amounts = fabs(before);
            for (size_t p = 0; p < k; p++) {
                long double term = (long double)alpha * a_at(i, p) * b_at(p, j);
                exact += term;
                amounts += fabsl(term);
            }
            long double far = fabsl(tensor_get(c, i * (MOST + 3) + j) - exact);
            if (!(far <= (double)(k + 3) * unit * amounts))
                ck_abort_msg("k %zu: (%zu, %zu) is %Lg from %Lg", k, i, j, far, exact);
        }
}

static const size_t depths[] = {1, 2, 17, GEMM_DEPTH - 1, GEMM_DEPTH, GEMM_DEPTH + 1, DEEPEST};
enum { DEPTHS = sizeof depths / sizeof depths[0] };

START_TEST(products_are_right) {
    if (!kernels_choose(ways[_i].table)) return;
    Bench bench = bench_new(ways[_i].dtype);
    for (int d = 0; d < DEPTHS; d++) {
        Layout a, b;
        lay_out(&bench, depths[d], d % LAYOUTS, &a, &b);
        multiply(&bench, bench.c, 0, 0, MOST, MOST, depths[d], 1, a, b, false);
        check_rounding(&bench, bench.c, depths[d], 1, 0);
        for (size_t i = 0; i < bench.c->count; i++) tensor_set(bench.c, i, 5);
        multiply(&bench, bench.c, 0, 0, MOST, MOST, depths[d], 0.37, a, b, true);
        check_rounding(&bench, bench.c, depths[d],
                       bench.dtype == DTYPE_FLOAT ? (double)0.37f : 0.37, 5);
    }
    bench_release(&bench);
}
END_TEST

/* Rows i .. and columns j .. alone have the bits of the whole, and nothing beside them is touched.
 */
static void check_part(const Bench *bench, size_t m, size_t n, size_t k, Layout a, Layout b) {
    size_t i = MOST - m, j = (MOST - n) / 2, bytes = dtype_size(bench->dtype),
           line = (MOST + 3) * bytes;
    char *c = bench->c->data, *whole = bench->whole->data;
    memset(c, UNTOUCHED, bench->c->count * bytes);
    multiply(bench, bench->c, i, j, m, n, k, 1, a, b, false);
    for (size_t r = 0; r <= m && r < MOST; r++, c += line) {
        size_t inside = (r < m ? n : 0) * bytes, beside = 0;
        for (size_t at = inside; at < line; at++) beside += c[at] != UNTOUCHED;
        if (memcmp(c, whole + (i + r) * line + j * bytes, inside) != 0 || beside > 0)
            ck_abort_msg("row %zu of %zu×%zu×%zu", r, m, n, k);
    }
}

/* Whatever the size, the layout and the place in a tile. */
START_TEST(elements_are_summed_in_one_order) {
    static const size_t sizes[] = {0,  1,  2,  3,  6,  7,  13, 14,  15,
                                   16, 17, 29, 31, 32, 33, 64, 129, MOST};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    if (!kernels_choose(ways[_i].table)) return;
    Bench bench = bench_new(ways[_i].dtype);
    Layout a, b;
    for (int d = 1; d < DEPTHS; d += 2) {
        lay_out(&bench, depths[d], 0, &a, &b);
        multiply(&bench, bench.whole, 0, 0, MOST, MOST, depths[d], 1, a, b, false);
        for (int layout = 0; layout < LAYOUTS; layout++) {
            lay_out(&bench, depths[d], layout, &a, &b);
            for (int m = 0; m < SIZES; m++)
                for (int n = 0; n < SIZES; n++)
                    if (m == n || (m + n + layout + d) % 3 == 0 || sizes[n] * sizes[m] <= MOST)
                        check_part(&bench, sizes[m], sizes[n], depths[d], a, b);
        }
    }
    bench_release(&bench);
}
END_TEST

START_TEST(depth_may_be_cut) {
    Layout a, b;
    if (!kernels_choose(ways[_i].table)) return;
    Bench bench = bench_new(ways[_i].dtype);
    lay_out(&bench, DEEPEST, 0, &a, &b);
    multiply(&bench, bench.whole, 0, 0, MOST, MOST, DEEPEST, 1, a, b, false);
    size_t bytes = dtype_size(bench.dtype);
    Bench part = bench;
    for (size_t p = 0; p < DEEPEST; p += GEMM_DEPTH) {
        Tensor from_a = *bench.a, from_b = *bench.b;
        from_a.data = (char *)bench.a->data + p * a.column * bytes;
        from_b.data = (char *)bench.b->data + p * b.row * bytes;
        part.a = &from_a;
        part.b = &from_b;
        multiply(&part, bench.c, 0, 0, MOST, MOST,
                 p + GEMM_DEPTH < DEEPEST ? GEMM_DEPTH : DEEPEST - p, 1, a, b, p > 0);
    }
    CHECK_SAME(bench.c, bench.whole);
    bench_release(&bench);
}
END_TEST

START_TEST(no_depth_gives_zeros) {
    Layout tight = {0, 1};
    if (!kernels_choose(ways[_i].table)) return;
    Bench bench = bench_new(ways[_i].dtype);
    for (int accumulate = 1; accumulate >= 0; accumulate--) {
        for (size_t i = 0; i < bench.c->count; i++) tensor_set(bench.c, i, 5);
        multiply(&bench, bench.c, 0, 0, 3, 5, 0, 1, tight, tight, accumulate);
        for (size_t i = 0; i < bench.c->count; i++) {
            bool inside = i / (MOST + 3) < 3 && i % (MOST + 3) < 5;
            if (tensor_get(bench.c, i) != (inside && !accumulate ? 0 : 5))
                ck_abort_msg("at %zu", i);
        }
    }
    bench_release(&bench);
}
END_TEST

/* ---- the operator ---- */

/* One call of gemm for each product: products of a and b where they have so many. */
static Tensor *plain(const Tensor *a, const Tensor *b, size_t products, size_t m, size_t n,
                     size_t k, const OpAttributes *turned) {
    Error err = {0};
    Shape shape = shape_3d(products, m, n);
    Tensor *c = tensor_new(a->dtype, &shape, &err);
    Layout at_a = layout_of(m, k, turned->transpose_a, false),
           at_b = layout_of(k, n, turned->transpose_b, false);
    void *work = mem_aligned(kernels()->f64->gemm_work, &err);
    for (size_t i = 0; i < products; i++) {
        size_t from_a = i * m * k % a->count, from_b = i * k * n % b->count;
        if (a->dtype == DTYPE_DOUBLE)
            kernels()->f64->gemm(m, n, k, 1, tensor_doubles(a) + from_a, at_a.row, at_a.column,
                                 tensor_doubles(b) + from_b, at_b.row, at_b.column,
                                 tensor_doubles(c) + i * m * n, n, false, work);
        else
            kernels()->f32->gemm(m, n, k, 1, tensor_floats(a) + from_a, at_a.row, at_a.column,
                                 tensor_floats(b) + from_b, at_b.row, at_b.column,
                                 tensor_floats(c) + i * m * n, n, false, work);
    }
    mem_free(work);
    return c;
}

static Shape side(size_t products, size_t rows, size_t columns, bool turned) {
    Shape shape = turned ? shape_3d(products, columns, rows) : shape_3d(products, rows, columns);
    return products > 1 ? shape : shape_remove(&shape, 0);
}

static void check_threads(DType dtype, size_t of_a, size_t of_b, size_t m, size_t n, size_t k,
                          int turned) {
    static const int threads[] = {1, 2, 3, 8};
    Error err = {0};
    OpAttributes attributes = {.transpose_a = turned & 1, .transpose_b = turned & 2};
    Tensor *a = near_formula(dtype, side(of_a, m, k, turned & 1), 1),
           *b = near_formula(dtype, side(of_b, k, n, turned & 2), 2);
    Tensor *wanted = plain(a, b, of_a > of_b ? of_a : of_b, m, n, k, &attributes), *out;
    for (int t = 0; t < 4; t++) {
        threads_set(threads[t]);
        ck_assert(op_apply(OP_MATMUL, (Tensor *[]){a, b}, 2, &attributes, &out, &err));
        ck_assert_uint_eq(out->count, wanted->count);
        ck_assert_msg(memcmp(out->data, wanted->data, out->count * dtype_size(dtype)) == 0,
                      "%zu and %zu of %zu×%zu×%zu, turned %d, on %d threads", of_a, of_b, m, n, k,
                      turned, threads[t]);
        tensor_unref(out);
    }
    Tensor *made[] = {a, b, wanted};
    for (int i = 0; i < 3; i++) tensor_unref(made[i]);
}

START_TEST(threads_change_no_bit) {
    static const size_t shapes[][5] = {
        /* of a, of b, m, n, k */
        {1, 1, 130, 70, 300},  {1, 1, 1, 3000, 300},  {1, 1, 3000, 1, 300}, {1, 1, 3, 2100, 260},
        {1, 1, 1030, 17, 100}, {1, 1, 700, 1100, 40}, {5, 5, 60, 64, 65},   {4, 1, 70, 90, 64},
        {1, 3, 100, 80, 90},   {40, 40, 31, 33, 32},  {64, 64, 1, 130, 64}};
    int before = threads_now();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int turned = 0; turned < 4; turned++) {
            const size_t *s = shapes[i];
            check_threads(DTYPE_FLOAT, s[0], s[1], s[2], s[3], s[4], turned);
            check_threads(DTYPE_DOUBLE, s[0], s[1], s[2], s[3], s[4], turned);
        }
    threads_set(before);
}
END_TEST

START_TEST(threads_have_limits) {
    int before = threads_now();
    threads_set(0);
    ck_assert_int_eq(threads_now(), 1);
    threads_set(THREADS_LIMIT + 1);
    ck_assert_int_le(threads_now(), THREADS_LIMIT);
    threads_set(before);
    ck_assert_int_eq(threads_now(), before);
}
END_TEST

Suite *matmul_suite(void) {
    Suite *suite = suite_create("matmul");
    TCase *c = tcase_create("matmul");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, products_are_right, 0, WAYS);
    tcase_add_loop_test(c, elements_are_summed_in_one_order, 0, WAYS);
    tcase_add_loop_test(c, depth_may_be_cut, 0, WAYS);
    tcase_add_loop_test(c, no_depth_gives_zeros, 0, WAYS);
    tcase_add_test(c, threads_change_no_bit);
    tcase_add_test(c, threads_have_limits);
    suite_add_tcase(suite, c);
    return suite;
}

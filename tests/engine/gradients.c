/* Walks the operator table: every operator that has a backward function, against central finite
 * differences, for every one of the calls below that it accepts; and its second derivatives against
 * differences of the first. */
#include "engine/operators/compute.h"
#include "engine/operators/operator_table.h"
#include "engine/tape/tape.h"
#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *gradients_suite(void);

enum { INPUTS_MOST = 3 };

typedef struct Case {
    int count;
    Shape shapes[INPUTS_MOST];
    OpAttributes attributes;
} Case;

#define NONE \
    { \
        0, { 0 } \
    }
#define ONE(a) \
    { \
        1, { a } \
    }
#define TWO(a, b) \
    { \
        2, { a, b } \
    }
#define THREE(a, b, c) \
    { \
        3, { a, b, c } \
    }

static IndexItem slice_items[] = {{.kind = INDEX_SLICE, .has_start = true, .start = 1},
                                  {.kind = INDEX_SLICE, .has_step = true, .step = -2}};
static IndexItem gather_items[] = {{.kind = INDEX_ARRAY}}; /* 2, 0, 2: an element twice */
static double gathered[] = {2, 0, 2};
static IndexItem class_items[] = {{.kind = INDEX_ARRAY}}; /* 3, -1, 2: one row is not counted */
static double classes[] = {3, -1, 2};

static const Case cases[] = {
    {1, {NONE}, {.number = 2}},
    {1, {ONE(5)}, {.number = 2}},
    {1, {TWO(3, 4)}, {.number = 0.7}},
    {1, {TWO(3, 4)}, {.number = 2, .axis_count = 1, .axes = {0}}},
    {1, {TWO(3, 4)}, {.number = 2, .axis_count = 1, .axes = {-1}, .keepdims = true}},
    {1, {THREE(2, 3, 4)}, {.number = 2, .axis_count = 2, .axes = {0, 2}}},
    {1, {THREE(2, 3, 4)}, {.number = 2, .axis_count = 1, .axes = {1}}},
    {1, {THREE(2, 3, 4)}, {.number = 2, .axis_count = 3, .axes = {2, 0, 1}}},
    {1, {THREE(2, 3, 4)}, {.number = 2, .axis_count = 0, .inverse = true, .offset = 3}},
    {1, {TWO(3, 4)}, {.number = 2, .shape = TWO(2, 6)}},
    {1, {TWO(3, 1)}, {.number = 2, .shape = THREE(2, 3, 4)}},
    {1, {TWO(3, 4)}, {.number = 2, .items = slice_items, .item_count = 2, .shape = TWO(4, 8)}},
    {1, {TWO(3, 4)}, {.number = 2, .items = gather_items, .item_count = 1, .shape = TWO(3, 4)}},
    {1, {TWO(3, 4)}, {.number = 2, .dtype = DTYPE_DOUBLE}},
    {1, {TWO(3, 3)}, {.number = 2}}, /* square matrices, for linear algebra */
    {1, {THREE(2, 3, 3)}, {.number = 2}},
    {1, {TWO(4, 3)}, {.number = 2}},
    {2, {NONE, NONE}, {.number = 1e-5}},
    {2, {TWO(3, 4), TWO(3, 4)}, {.number = 1e-5}},
    {2, {TWO(3, 4), TWO(3, 4)}, {.number = 1e-5, .axis_count = 1, .axes = {1}}},
    {2, {TWO(3, 4), ONE(4)}, {.number = 1e-5}},
    {2, {TWO(3, 4), ONE(1)}, {.number = 1e-5}},
    {2, {THREE(2, 1, 3), TWO(4, 1)}, {.number = 1e-5}},
    {2, {TWO(3, 4), TWO(4, 2)}, {0}},
    {2, {ONE(4), ONE(4)}, {0}},
    {2, {ONE(4), TWO(4, 2)}, {0}},
    {2, {THREE(2, 3, 4), ONE(4)}, {0}},
    {2, {THREE(2, 3, 4), TWO(4, 2)}, {0}},
    {2, {{4, {2, 1, 3, 4}}, THREE(5, 4, 2)}, {0}},
    {2, {ONE(3), THREE(5, 3, 2)}, {0}},
    {2, {TWO(4, 3), TWO(2, 4)}, {.transpose_a = true, .transpose_b = true}},
    {2, {TWO(4, 3), TWO(4, 2)}, {.transpose_a = true}},
    {2, {THREE(2, 3, 4), TWO(2, 4)}, {.transpose_b = true}},
    {2, {TWO(3, 4), TWO(2, 2)}, {.items = slice_items, .item_count = 2}},
    {2, {TWO(3, 4), NONE}, {.items = slice_items, .item_count = 2}},
    {2, {TWO(3, 4), TWO(3, 4)}, {.items = gather_items, .item_count = 1}},
    {2, {TWO(3, 4), ONE(4)}, {.items = gather_items, .item_count = 1}},
    {2, {TWO(3, 3), TWO(3, 2)}, {0}},
    {2, {THREE(2, 3, 3), TWO(3, 2)}, {0}},
    {2, {TWO(3, 3), THREE(2, 3, 2)}, {0}},
    {3, {TWO(3, 4), ONE(4), NONE}, {.number = 1e-5}},
    {3, {TWO(3, 4), ONE(4), ONE(4)}, {.number = 1e-5}},
    {3, {THREE(2, 3, 4), TWO(4, 2), ONE(2)}, {0}},
    {3, {TWO(3, 4), TWO(5, 4), ONE(5)}, {.transpose_b = true}},
    {1, {TWO(3, 4)}, {.items = gather_items, .item_count = 1}},
    {1, {TWO(3, 4)}, {.number = 0.1, .items = class_items, .item_count = 1}},
    {1, {TWO(3, 40)}, {.number = 0.3, .seed = 7}},
};

/* Numbers between 0.1 and 1.6, or between -0.8 and 0.7: no two alike, none near a whole number. */
static Tensor *example(Shape shape, unsigned seed, bool signs) {
    Error err;
    Tensor *x = tensor_new(DTYPE_DOUBLE, &shape, &err);
    for (size_t i = 0; i < x->count; i++) {
        double n = (double)(i + 1); /* its square: rows of a matrix must not depend on each other */
        double u = fmod(0.754877666 * n + 0.0618034 * n * n + 0.569840291 * seed, 1);
        tensor_doubles(x)[i] = signs ? 1.5 * u - 0.80123 : 0.11 + 1.43 * u;
        if (fabs(tensor_doubles(x)[i] - 1) < 1e-3) tensor_doubles(x)[i] += 0.01;
    }
    return x;
}

/* sum(w * op(inputs)) with fixed weights w; NULL: the operator does not accept such inputs. */
static Tensor *loss_of(Op op, const Case *c, Tensor *const *inputs, Error *err) {
    Tensor *y;
    if (!op_apply(op, inputs, c->count, &c->attributes, &y, err)) return NULL;
    Tensor *w = example(y->shape, 7, true);
    return compute(OP_SUM, compute_multiply(y, w, err), &(OpAttributes){0}, err);
}

/* sum over inputs of sum(v * gradient) with fixed v, so a number that is the directional derivative
 * of the loss. */
static Tensor *slope_of(Op op, const Case *c, Tensor *const *leaves, bool create_graph,
                        Error *err) {
    Tensor *gradients[INPUTS_MOST], *loss = loss_of(op, c, leaves, err), *sum = NULL;
    ck_assert(loss && tape_gradient(loss, NULL, leaves, c->count, create_graph, gradients, err));
    for (int i = 0; i < c->count; i++) {
        Tensor *v = example(gradients[i]->shape, 11 + (unsigned)i, true);
        Tensor *part =
            compute(OP_SUM, compute_multiply(gradients[i], v, err), &(OpAttributes){0}, err);
        sum = i == 0 ? part : compute_add(sum, part, err);
    }
    tensor_unref(loss);
    ck_assert(sum);
    return sum;
}

static void make_leaves(const Case *c, Tensor *const *inputs, Tensor **leaves) {
    Error err;
    for (int i = 0; i < c->count; i++) leaves[i] = tape_leaf(inputs[i], &err);
}

static void release_all(Tensor **tensors, int count) {
    for (int i = 0; i < count; i++) tensor_unref(tensors[i]);
}

static double number(Tensor *x) {
    double value = tensor_get(x, 0);
    tensor_unref(x);
    return value;
}

/* The loss, or the slope, where element j of input i is moved by `step`. */
static double moved(Op op, const Case *c, Tensor **inputs, int i, size_t j, double step,
                    bool slope) {
    Error err;
    double *at = tensor_doubles(inputs[i]) + j, was = *at;
    double value;
    *at += step;
    if (slope) {
        Tensor *leaves[INPUTS_MOST];
        make_leaves(c, inputs, leaves);
        value = number(slope_of(op, c, leaves, false, &err));
        release_all(leaves, c->count);
    } else {
        value = number(loss_of(op, c, inputs, &err));
    }
    *at = was;
    return value;
}

static void check_against_differences(Op op, size_t k, Tensor **inputs, Tensor *const *gradients,
                                      bool slope) {
    const Case *c = &cases[k];
    const double h = 1e-5;
    for (int i = 0; i < c->count; i++) {
        ck_assert(shape_equal(&gradients[i]->shape, &inputs[i]->shape));
        for (size_t j = 0; j < inputs[i]->count; j++) {
            double wanted =
                (moved(op, c, inputs, i, j, h, slope) - moved(op, c, inputs, i, j, -h, slope)) /
                (2 * h);
            double found = tensor_get(gradients[i], j);
            ck_assert_msg(fabs(found - wanted) <= 1e-6 * fmax(1, fabs(wanted)),
                          "%s, case %zu, %s derivative, input %d, element %zu: %.10g, not %.10g",
                          op_name(op), k, slope ? "second" : "first", i, j, found, wanted);
        }
    }
}

/* False if the operator does not accept the case. */
static bool check_case(Op op, size_t k, bool signs) {
    const Case *c = &cases[k];
    const OperatorDef *def = operator_def(op);
    Error err;
    Tensor *inputs[INPUTS_MOST], *leaves[INPUTS_MOST], *gradients[INPUTS_MOST];
    if (c->count < def->least || c->count > def->most) return false;
    if (op == OP_RESHAPE && c->attributes.shape.axes == 0) return false;
    if (op == OP_CAST && c->attributes.dtype == DTYPE_BOOL) return false;
    if (op == OP_SCATTER) {
        if (!c->attributes.shape.axes || !c->attributes.item_count) return false;
    } else if (c->attributes.item_count && op != OP_INDEX && op != OP_STORE &&
               op != OP_CROSS_ENTROPY) {
        return false;
    }
    for (int i = 0; i < c->count; i++) inputs[i] = example(c->shapes[i], (unsigned)i + 1, signs);
    if (op == OP_SCATTER) { /* its input is what the index picks */
        Tensor *whole = example(c->attributes.shape, 5, signs);
        tensor_replace(&inputs[0],
                       tensor_index(whole, c->attributes.items, c->attributes.item_count, &err));
        tensor_unref(whole);
    }
    make_leaves(c, inputs, leaves);
    Tensor *loss = loss_of(op, c, leaves, &err);
    bool accepted = loss && isfinite(tensor_get(loss, 0));
    if (accepted) {
        ck_assert_msg(loss->node, "%s, case %zu: not recorded", op_name(op), k);
        bool done = tape_gradient(loss, NULL, leaves, c->count, false, gradients, &err);
        ck_assert_msg(done, "%s, case %zu: %s", op_name(op), k, err.message);
        check_against_differences(op, k, inputs, gradients, false);
        release_all(gradients, c->count);
        Tensor *slope = slope_of(op, c, leaves, true, &err);
        ck_assert(tape_gradient(slope, NULL, leaves, c->count, false, gradients, &err));
        check_against_differences(op, k, inputs, gradients, true);
        release_all(gradients, c->count);
        tensor_unref(slope);
    }
    tensor_unref(loss);
    release_all(leaves, c->count);
    release_all(inputs, c->count);
    return accepted;
}

static void setup(void) {
    Error err;
    near_remember();
    Shape three = shape_1d(3);
    gather_items[0].array = tensor_new(DTYPE_DOUBLE, &three, &err);
    memcpy(gather_items[0].array->data, gathered, sizeof gathered);
    class_items[0].array = tensor_new(DTYPE_DOUBLE, &three, &err);
    memcpy(class_items[0].array->data, classes, sizeof classes);
}

static void teardown(void) {
    tensor_unref(gather_items[0].array);
    tensor_unref(class_items[0].array);
    near_nothing_left();
}

START_TEST(every_backward_function_agrees_with_differences) {
    size_t checked = 0;
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        bool any = false;
        if (!operator_def(op)->backward) continue;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            any = check_case(op, k, false) || any;
            any = check_case(op, k, true) || any;
        }
        ck_assert_msg(any, "%s accepts none of the cases", op_name(op));
        checked++;
    }
    ck_assert_int_ge(checked, 50);
}
END_TEST

/* Zeros, ties and the limits of a temperature. */
START_TEST(special_places_have_the_usual_gradients) {
    static const struct {
        Op op;
        double x[3], dx[3];
    } known[] = {
        {OP_PROD, {0, 2, 3}, {6, 0, 0}},       {OP_PROD, {0, 2, 0}, {0, 0, 0}},
        {OP_MAX, {2, 1, 2}, {0.5, 0, 0.5}},    {OP_STD, {1, 1, 1}, {0, 0, 0}},
        {OP_NORM, {0, 0, 0}, {0, 0, 0}},       {OP_ENTROPY, {0, 1, 1}, {0, -1, -1}},
        {OP_GELU, {0, 0, 0}, {0.5, 0.5, 0.5}}, {OP_RELU, {-1, 0, 1}, {0, 0, 1}},
        {OP_ABS, {-2, 0, 2}, {-1, 0, 1}},      {OP_MEDIAN, {3, 1, 2}, {0, 0, 1}},
    };
    Error err;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        Tensor *x = near_tensor(DTYPE_DOUBLE, shape_1d(3), known[i].x), *leaf = tape_leaf(x, &err);
        Tensor *y = op_unary(known[i].op, leaf, &err), *dx;
        ck_assert(tape_gradient(y, NULL, &leaf, 1, false, &dx, &err));
        near_check(op_name(known[i].op), dx, known[i].dx, 3, 1e-15);
        tensor_unref(x);
        tensor_unref(leaf);
        tensor_unref(y);
        tensor_unref(dx);
    }
    Tensor *x = VECTOR(1, 2, 2), *leaf = tape_leaf(x, &err), *y, *dx;
    ck_assert(op_apply(OP_SOFTMAX, &leaf, 1, &(OpAttributes){.number = 0}, &y, &err));
    ck_assert(tape_gradient(y, x, &leaf, 1, false, &dx, &err));
    CHECK_EXACT(dx, 0, 0, 0);
    tensor_unref(dx);
    tensor_unref(y);
    Tensor *two = tensor_scalar(0, &err);
    y = op_binary(OP_POWER, leaf, two, &err); /* x^0 is constant, at 0 too */
    ck_assert(tape_gradient(y, NULL, &leaf, 1, false, &dx, &err));
    CHECK_EXACT(dx, 0, 0, 0);
    tensor_unref(dx);
    tensor_unref(y);
    tensor_unref(two);
    tensor_unref(leaf);
    tensor_unref(x);
}
END_TEST

/* A gradient has the type of its source, whatever was cast on the way. */
START_TEST(types_are_kept) {
    Error err;
    Tensor *x = near_formula(DTYPE_FLOAT, shape_2d(3, 2), 1), *leaf = tape_leaf(x, &err);
    Tensor *w = near_formula(DTYPE_DOUBLE, shape_2d(2, 3), 2), *wide = tape_leaf(w, &err);
    Tensor *y = op_binary(OP_MATMUL, leaf, wide, &err), *sources[] = {leaf, wide}, *gradients[2];
    ck_assert_int_eq(y->dtype, DTYPE_DOUBLE);
    ck_assert(tape_gradient(y, NULL, sources, 2, false, gradients, &err));
    ck_assert_int_eq(gradients[0]->dtype, DTYPE_FLOAT);
    ck_assert_int_eq(gradients[1]->dtype, DTYPE_DOUBLE);
    release_all(gradients, 2);
    tensor_unref(y);
    y = compute_cast(tensor_ref(leaf), DTYPE_DOUBLE, &err);
    ck_assert(y->node && tape_gradient(y, NULL, sources, 1, false, gradients, &err));
    ck_assert_int_eq(gradients[0]->dtype, DTYPE_FLOAT);
    release_all(gradients, 1);
    tensor_unref(y);
    release_all(sources, 2);
    tensor_unref(x);
    tensor_unref(w);
}
END_TEST

Suite *gradients_suite(void) {
    Suite *suite = suite_create("gradients");
    TCase *tests = tcase_create("gradients");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, every_backward_function_agrees_with_differences);
    tcase_add_test(tests, special_places_have_the_usual_gradients);
    tcase_add_test(tests, types_are_kept);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}

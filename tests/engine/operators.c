#include "engine/operators/operator.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/operator_table.h"
#include "engine/tape/tape.h"
#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *operators_suite(void);

START_TEST(every_operator_has_its_row) {
    static const char *const names[] = {
#define NAME(identifier, name) [OP_##identifier] = #name,
        OPERATORS(NAME)
#undef NAME
    };
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        const OperatorDef *def = operator_def(op);
        ck_assert_str_eq(op_name(op), names[op]);
        ck_assert(def->make || (def->shape && def->forward));
        ck_assert(def->backward || !def->keeps);
        ck_assert_int_le(def->least, def->most);
    }
}
END_TEST

/* ---- values ---- */

static void check_unary(Op op, const double *wanted) {
    Error err = {0};
    Tensor *x = VECTOR(-2.5, -0.5, 0, 0.5, 1.5), *y = op_unary(op, x, &err),
           *single = tensor_cast(x, DTYPE_FLOAT, &err);
    Tensor *z = op_unary(op, single, &err);
    near_check(op_name(op), y, wanted, 5, 1e-15);
    near_check(op_name(op), z, wanted, 5, 3e-6);
    ck_assert_int_eq(z->dtype, op_gives_bool(op) ? DTYPE_BOOL : DTYPE_FLOAT);
    for (size_t i = 0; i < 5; i++) {
        double scalar = op_scalar_unary(op, tensor_get(x, i));
        ck_assert(scalar == tensor_get(y, i) || (isnan(scalar) && isnan(tensor_get(y, i))));
    }
    tensor_unref(x);
    tensor_unref(y);
    tensor_unref(z);
    tensor_unref(single);
}

START_TEST(functions_of_one_number) {
    check_unary(OP_NEGATIVE, NUMBERS(2.5, 0.5, 0, -0.5, -1.5));
    check_unary(OP_EXP, NUMBERS(0.0820849986238988, 0.6065306597126334, 1, 1.6487212707001282,
                                4.4816890703380645));
    check_unary(OP_EXPM1, NUMBERS(-0.9179150013761012, -0.3934693402873666, 0, 0.6487212707001282,
                                  3.481689070338065));
    check_unary(OP_LOG, NUMBERS(NAN, NAN, -INFINITY, -0.6931471805599453, 0.4054651081081644));
    check_unary(OP_LOG1P,
                NUMBERS(NAN, -0.6931471805599453, 0, 0.4054651081081644, 0.916290731874155));
    check_unary(OP_LOG2, NUMBERS(NAN, NAN, -INFINITY, -1, 0.5849625007211562));
    check_unary(OP_LOG10, NUMBERS(NAN, NAN, -INFINITY, -0.3010299956639812, 0.17609125905568124));
    check_unary(OP_SQRT, NUMBERS(NAN, NAN, 0, 0.7071067811865476, 1.224744871391589));
    check_unary(OP_ABS, NUMBERS(2.5, 0.5, 0, 0.5, 1.5));
    check_unary(OP_SIGN, NUMBERS(-1, -1, 0, 1, 1));
    check_unary(OP_SIN, NUMBERS(-0.5984721441039564, -0.47942553860420295, 0, 0.47942553860420295,
                                0.9974949866040544));
    check_unary(OP_COS, NUMBERS(-0.8011436155469338, 0.8775825618903725, 1, 0.8775825618903725,
                                0.0707372016677029));
    check_unary(OP_TAN, NUMBERS(0.7470222972386602, -0.5463024898437905, 0, 0.5463024898437905,
                                14.10141994717172));
    check_unary(OP_TANH, NUMBERS(-0.9866142981514303, -0.46211715726000974, 0, 0.46211715726000974,
                                 0.9051482536448665));
    check_unary(OP_SIGMOID, NUMBERS(0.07585818002124355, 0.3775406687981454, 0.5,
                                    0.6224593312018546, 0.8175744761936437));
    check_unary(OP_RELU, NUMBERS(0, 0, 0, 0.5, 1.5));
    check_unary(OP_GELU, NUMBERS(-0.015524163314440398, -0.15426876936299344, 0,
                                 0.34573123063700656, 1.399789198096713));
    check_unary(OP_SILU, NUMBERS(-0.18964545005310887, -0.1887703343990727, 0, 0.3112296656009273,
                                 1.2263617142904655));
    check_unary(OP_FLOOR, NUMBERS(-3, -1, 0, 0, 1));
    check_unary(OP_CEIL, NUMBERS(-2, 0, 0, 1, 2));
    check_unary(OP_ROUND, NUMBERS(-2, 0, 0, 0, 2));
    check_unary(OP_ISNAN, NUMBERS(0, 0, 0, 0, 0));
    check_unary(OP_ISFINITE, NUMBERS(1, 1, 1, 1, 1));
}
END_TEST

START_TEST(functions_of_what_is_not_finite) {
    static const struct {
        Op op;
        double at_inf, at_minus_inf;
    } limits[] = {{OP_TANH, 1, -1},         {OP_SIGMOID, 1, 0},
                  {OP_RELU, INFINITY, 0},   {OP_GELU, INFINITY, 0},
                  {OP_SILU, INFINITY, 0},   {OP_SIGN, 1, -1},
                  {OP_EXP, INFINITY, 0},    {OP_EXPM1, INFINITY, -1},
                  {OP_SQRT, INFINITY, NAN}, {OP_FLOOR, INFINITY, -INFINITY}};
    Error err = {0};
    Tensor *x = VECTOR(INFINITY, -INFINITY, NAN);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        Tensor *y = op_unary(limits[i].op, x, &err);
        near_check(op_name(limits[i].op), y, NUMBERS(limits[i].at_inf, limits[i].at_minus_inf, NAN),
                   3, 0);
        tensor_unref(y);
    }
    tensor_unref(x);
}
END_TEST

static void check_binary(Op op, const double *wanted) {
    Error err = {0};
    Tensor *a = VECTOR(7, -7, 7, -7, 1, -1, 0, -8, -1, NAN),
           *b = VECTOR(3, 3, -3, -3, 0, 0, 0, 1. / 3, INFINITY, 1);
    Tensor *y = op_binary(op, a, b, &err);
    near_check(op_name(op), y, wanted, 10, 1e-15);
    for (size_t i = 0; i < 10; i++) {
        double scalar = op_scalar_binary(op, tensor_get(a, i), tensor_get(b, i));
        ck_assert(scalar == tensor_get(y, i) || (isnan(scalar) && isnan(tensor_get(y, i))));
    }
    tensor_unref(a);
    tensor_unref(b);
    tensor_unref(y);
}

START_TEST(functions_of_two_numbers) {
    check_binary(OP_ADD, NUMBERS(10, -4, 4, -10, 1, -1, 0, -8 + 1. / 3, INFINITY, NAN));
    check_binary(OP_SUBTRACT, NUMBERS(4, -10, 10, -4, 1, -1, 0, -8 - 1. / 3, -INFINITY, NAN));
    check_binary(OP_MULTIPLY, NUMBERS(21, -21, -21, 21, 0, 0, 0, -8. / 3, -INFINITY, NAN));
    check_binary(OP_DIVIDE,
                 NUMBERS(7. / 3, -7. / 3, -7. / 3, 7. / 3, INFINITY, -INFINITY, NAN, -24, 0, NAN));
    check_binary(OP_FLOOR_DIVIDE, NUMBERS(2, -3, -3, 2, INFINITY, -INFINITY, NAN, -25, -1, NAN));
    check_binary(OP_MODULO,
                 NUMBERS(1, 2, -2, -1, NAN, NAN, NAN, fmod(-8, 1. / 3) + 1. / 3, INFINITY, NAN));
    check_binary(OP_POWER, NUMBERS(343, -343, 1. / 343, -1. / 343, 1, 1, 1, NAN, 1, NAN));
    check_binary(OP_MAXIMUM, NUMBERS(7, 3, 7, -3, 1, 0, 0, 1. / 3, INFINITY, NAN));
    check_binary(OP_MINIMUM, NUMBERS(3, -7, -3, -7, 0, -1, 0, -8, -1, NAN));
    check_binary(OP_EQUAL, NUMBERS(0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
    check_binary(OP_NOT_EQUAL, NUMBERS(1, 1, 1, 1, 1, 1, 0, 1, 1, 1));
    check_binary(OP_LESS, NUMBERS(0, 1, 0, 1, 0, 1, 0, 1, 1, 0));
    check_binary(OP_LESS_EQUAL, NUMBERS(0, 1, 0, 1, 0, 1, 1, 1, 1, 0));
    check_binary(OP_GREATER, NUMBERS(1, 0, 1, 0, 1, 0, 0, 0, 0, 0));
    check_binary(OP_GREATER_EQUAL, NUMBERS(1, 0, 1, 0, 1, 0, 1, 0, 0, 0));
}
END_TEST

START_TEST(squares_and_roots) {
    Error err = {0};
    Tensor *x = VECTOR(-3, 0, 2), *two = tensor_scalar(2, &err),
           *minus_one = tensor_scalar(-1, &err);
    Tensor *square = op_binary(OP_POWER, x, two, &err),
           *inverse = op_binary(OP_POWER, x, minus_one, &err);
    CHECK_EXACT(square, 9, 0, 4);
    CHECK_EXACT(inverse, -1. / 3, INFINITY, 0.5);
    Tensor *all[] = {x, two, minus_one, square, inverse};
    for (int i = 0; i < 5; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(inputs_broadcast) {
    Error err = {0};
    Tensor *column = MATRIX(3, 1, 1, 2, 3), *row = VECTOR(10, 20),
           *sum = op_binary(OP_ADD, column, row, &err);
    ck_assert_str_eq(shape_words(&sum->shape), "3×2");
    CHECK_EXACT(sum, 11, 21, 12, 22, 13, 23);
    Tensor *cube = near_formula(DTYPE_DOUBLE, shape_3d(4, 3, 2), 1),
           *difference = op_binary(OP_SUBTRACT, cube, column, &err);
    for (size_t i = 0; i < 24; i++)
        ck_assert_double_eq(tensor_get(difference, i),
                            tensor_get(cube, i) - (double)(i / 2 % 3 + 1));
    Tensor *none = near_tensor(DTYPE_DOUBLE, shape_2d(0, 2), NULL),
           *empty = op_binary(OP_LESS, none, row, &err);
    ck_assert_str_eq(shape_words(&empty->shape), "0×2");
    Tensor *three = VECTOR(1, 2, 3);
    ck_assert(!op_binary(OP_ADD, three, cube, &err) && err.kind == ERR_SHAPE);
    Tensor *all[] = {column, row, sum, cube, difference, none, empty, three};
    for (int i = 0; i < 8; i++) tensor_unref(all[i]);
}
END_TEST

/* The result for a copy of x that is given up, and for `other`, which is not. */
static Tensor *applied_to_last(Op op, const Tensor *x, Tensor *other, bool *over, Error *err) {
    Tensor *copy = tensor_copy(x, err), *inputs[] = {copy, tensor_ref(other)}, *out = NULL;
    ck_assert(op_apply_last(op, inputs, other ? 2 : 1, NULL, 1, &out, err));
    *over = out == copy;
    tensor_unref(copy);
    tensor_unref(other);
    return out;
}

START_TEST(results_lie_over_inputs_that_are_given_up) {
    Error err = {0};
    Tensor *numbers = near_formula(DTYPE_FLOAT, shape_2d(3, 7), 1),
           *bools = tensor_cast(numbers, DTYPE_BOOL, &err), *row;
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        bool logic = operator_def(op)->inputs == INPUT_BOOLS, over;
        Tensor *x = logic ? bools : numbers, *pair[] = {x, NULL};
        if (!op_scalar_inputs(op)) continue;
        row = logic ? BOOLS(1, 7, 1, 0, 1, 1, 0, 0, 1) : near_formula(DTYPE_FLOAT, shape_1d(7), 2);
        if (op_scalar_inputs(op) == 2) pair[1] = row;
        Tensor *wanted, *out = applied_to_last(op, x, pair[1], &over, &err);
        ck_assert(op_apply(op, pair, pair[1] ? 2 : 1, NULL, &wanted, &err));
        near_check_same(op_name(op), out, wanted);
        ck_assert_msg(over == (wanted->dtype == x->dtype), "%s", op_name(op));
        tensor_unref(wanted);
        tensor_unref(out);
        tensor_unref(row);
    }
    tensor_unref(numbers);
    tensor_unref(bools);
}
END_TEST

START_TEST(inputs_that_others_hold_stay) {
    Error err = {0};
    bool over;
    Tensor *small = VECTOR(1, 2), *large = MATRIX(2, 2, 1, 2, 3, 4), *leaf = tape_leaf(small, &err);
    Tensor *wider = applied_to_last(OP_ADD, small, large, &over, &err);
    ck_assert(!over);
    Tensor *tracked = applied_to_last(OP_MULTIPLY, small, leaf, &over, &err);
    ck_assert(!over);
    Tensor *shown = tensor_view(large, &small->shape, 2, &err), *held = tensor_ref(small), *out[2];
    ck_assert(op_apply_last(OP_NEGATIVE, &shown, 1, NULL, 1, &out[0], &err));
    ck_assert(op_apply_last(OP_NEGATIVE, &held, 1, NULL, 1, &out[1], &err));
    CHECK_EXACT(large, 1, 2, 3, 4);
    CHECK_EXACT(small, 1, 2);
    Tensor *all[] = {small, large, leaf, wider, tracked, shown, held, out[0], out[1]};
    for (int i = 0; i < 9; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(where_chooses) {
    Error err = {0};
    Tensor *condition = near_tensor(DTYPE_BOOL, shape_2d(2, 1), NUMBERS(1, 0)), *yes = VECTOR(1, 2),
           *no = tensor_scalar(-1, &err);
    Tensor *inputs[] = {condition, yes, no}, *out;
    ck_assert(op_apply(OP_WHERE, inputs, 3, NULL, &out, &err));
    CHECK_EXACT(out, 1, 2, -1, -1);
    tensor_unref(out);
    Tensor *bools[] = {condition, condition, condition};
    ck_assert(op_apply(OP_WHERE, bools, 3, NULL, &out, &err));
    ck_assert_int_eq(out->dtype, DTYPE_BOOL);
    tensor_unref(out);
    for (int i = 0; i < 3; i++) tensor_unref(inputs[i]);
}
END_TEST

/* ---- types ---- */

static void check_type(DType a, int axes_a, DType b, int axes_b, DType wanted) {
    Error err = {0};
    Shape shapes[] = {shape_scalar(), shape_1d(1)};
    Tensor *x = near_tensor(a, shapes[axes_a], NUMBERS(1)),
           *y = near_tensor(b, shapes[axes_b], NUMBERS(1));
    Tensor *sum = op_binary(OP_ADD, x, y, &err), *other = op_binary(OP_ADD, y, x, &err);
    ck_assert_str_eq(dtype_name(sum->dtype), dtype_name(wanted));
    ck_assert_int_eq(other->dtype, wanted);
    Tensor *all[] = {x, y, sum, other};
    for (int i = 0; i < 4; i++) tensor_unref(all[i]);
}

START_TEST(types_are_promoted) {
    check_type(DTYPE_FLOAT, 1, DTYPE_DOUBLE, 0, DTYPE_FLOAT);
    check_type(DTYPE_FLOAT, 1, DTYPE_DOUBLE, 1, DTYPE_DOUBLE);
    check_type(DTYPE_FLOAT, 1, DTYPE_FLOAT, 1, DTYPE_FLOAT);
    check_type(DTYPE_FLOAT, 1, DTYPE_BOOL, 1, DTYPE_FLOAT);
    check_type(DTYPE_BOOL, 1, DTYPE_BOOL, 1, DTYPE_DOUBLE);
    check_type(DTYPE_BOOL, 1, DTYPE_DOUBLE, 0, DTYPE_DOUBLE);
    check_type(DTYPE_FLOAT, 0, DTYPE_DOUBLE, 1, DTYPE_DOUBLE);
}
END_TEST

START_TEST(logic_wants_booleans) {
    Error err = {0};
    Tensor *a = BOOLS(2, 2, 0, 0, 1, 1), *b = BOOLS(1, 2, 0, 1), *x = VECTOR(1, 0);
    Tensor *and = op_binary(OP_AND, a, b, &err), * or = op_binary(OP_OR, a, b, &err),
           *not = op_unary(OP_NOT, a, &err);
    CHECK_EXACT(and, 0, 0, 0, 1);
    CHECK_EXACT(or, 0, 1, 1, 1);
    CHECK_EXACT(not, 1, 1, 0, 0);
    ck_assert_int_eq(not ->dtype, DTYPE_BOOL);
    ck_assert(!op_binary(OP_AND, a, x, &err) && err.kind == ERR_TYPE);
    ck_assert_str_eq(err.message, "& wants booleans, not numbers");
    ck_assert(!op_unary(OP_NOT, x, &err) && err.kind == ERR_TYPE);
    Tensor *negative = op_unary(OP_NEGATIVE, a, &err);
    ck_assert_int_eq(negative->dtype, DTYPE_DOUBLE);
    Tensor *all[] = {a, b, x, and, or, not, negative};
    for (int i = 0; i < 7; i++) tensor_unref(all[i]);
}
END_TEST

/* ---- what may go wrong on the way ---- */

/* Every operator that takes these two inputs, however it ends. */
static bool apply_all(Tensor *a, Tensor *b, Error *err) {
    bool done = true;
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        Tensor *inputs[] = {a, b, b}, *out;
        const OperatorDef *def = operator_def(op);
        bool bools = def->inputs == INPUT_BOOLS, layer = op == OP_LAYERNORM || op == OP_RMSNORM;
        if (bools) continue;
        OpAttributes attributes = {
            .axis_count = op == OP_TRANSPOSE ? 0 : 1, .number = 1, .shape = shape_2d(2, 6)};
        if (op == OP_BROADCAST) attributes.shape = shape_3d(2, 4, 3);
        if (op == OP_SCATTER) attributes.shape = a->shape;
        int count = layer ? 1 : def->least;
        if (!op_apply(op, inputs, count, &attributes, &out, err)) {
            done = false;
            continue;
        }
        tensor_unref(out);
    }
    return done;
}

START_TEST(memory_may_run_out) {
    Error err = {0};
    Tensor *a = near_formula(DTYPE_FLOAT, shape_2d(4, 2), 1),
           *b = near_formula(DTYPE_DOUBLE, shape_2d(4, 2), 2);
    apply_all(a, b, &err);
    for (long n = 1; n < 150; n++) {
        mem_fail_at(n, n % 2);
        apply_all(a, b, &err);
    }
    mem_fail_at(0, false);
    tensor_unref(a);
    tensor_unref(b);
}
END_TEST

START_TEST(long_calls_can_be_interrupted) {
    static const Op ops[] = {OP_ADD,       OP_LESS,    OP_EXP,     OP_LOG,       OP_ISNAN,
                             OP_SUM,       OP_VAR,     OP_MEDIAN,  OP_MAX,       OP_CUMSUM,
                             OP_SORT,      OP_ARGSORT, OP_SOFTMAX, OP_LOGSUMEXP, OP_ENTROPY,
                             OP_TRANSPOSE, OP_MATMUL};
    Error err = {0};
    Tensor *x = near_formula(DTYPE_DOUBLE, shape_2d(600, 600), 1), *out;
    interrupt_flag = 1;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        Tensor *inputs[] = {x, x};
        err.kind = ERR_NONE;
        bool done = op_apply(ops[i], inputs, operator_def(ops[i])->least, NULL, &out, &err);
        if (done) tensor_unref(out);
        ck_assert_msg(!done || x->count < 1 << 20, "%s does not listen", op_name(ops[i]));
        if (!done) ck_assert_int_eq(err.kind, ERR_INTERRUPT);
    }
    ck_assert(!op_binary(OP_MATMUL, x, x, &err) && !op_unary(OP_SORT, x, &err) &&
              !op_binary(OP_ADD, x, x, &err));
    interrupt_flag = 0;
    tensor_unref(x);
}
END_TEST

Suite *operators_suite(void) {
    Suite *suite = suite_create("operators");
    TCase *c = tcase_create("operators");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, every_operator_has_its_row);
    tcase_add_test(c, functions_of_one_number);
    tcase_add_test(c, functions_of_what_is_not_finite);
    tcase_add_test(c, functions_of_two_numbers);
    tcase_add_test(c, squares_and_roots);
    tcase_add_test(c, inputs_broadcast);
    tcase_add_test(c, results_lie_over_inputs_that_are_given_up);
    tcase_add_test(c, inputs_that_others_hold_stay);
    tcase_add_test(c, where_chooses);
    tcase_add_test(c, types_are_promoted);
    tcase_add_test(c, logic_wants_booleans);
    tcase_add_test(c, memory_may_run_out);
    tcase_add_test(c, long_calls_can_be_interrupted);
    suite_add_tcase(suite, c);
    return suite;
}

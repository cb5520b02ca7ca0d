/* Derivatives of functions of the language, through the engine's tape: the tests call the functions
 * with leaves. What the builtins make of them is in tests/language/derivative.attn. */
#include "tests/library/console.h"

#include "base/memory.h"
#include "engine/tape/tape.h"

#include <check.h>
#include <math.h>
#include <string.h>

Suite *gradient_suite(void);

static Console console;

static void setup(void) {
    Error err;
    ck_assert(console_init(&console, NULL, &err));
    ck_assert(console_run(
        &console, "seed(1); X = randn(4, 3); K = randn(5, 2); V = randn(5, 3); W = randn(3, 2)",
        &err));
}

static void teardown(void) { console_release(&console); }

static Value evaluate(const char *expression) {
    Error err;
    Value value;
    ck_assert_msg(interp_evaluate(&console.interp, expression, &value, &err), "%s: %s", expression,
                  err.message);
    if (value.kind == VALUE_LIST) {
        Tensor *array = value_as_tensor(&value, "the list", &err);
        value_release(&value);
        value = value_tensor(array);
    }
    return value;
}

/* function(x), a number or an array; its sum without the tape. */
static double sum_at(const Value *function, Tensor *x) {
    Error err;
    Value argument = {.kind = VALUE_TENSOR, .tensor = x}, out;
    ck_assert_msg(interp_call(&console.interp, function, &argument, 1, &out, &err), "%s",
                  err.message);
    Tensor *y = value_as_tensor(&out, "the result", &err);
    double sum = 0;
    for (size_t i = 0; i < y->count; i++) sum += tensor_get(y, i);
    tensor_unref(y);
    value_release(&out);
    return sum;
}

/* The function's gradient at x, against central differences. */
static void check(const char *function_text, const char *x_text) {
    const double h = 1e-5;
    Error err;
    Value function = evaluate(function_text), x = evaluate(x_text), out;
    ck_assert(x.kind == VALUE_TENSOR);
    Tensor *leaf = tape_leaf(x.tensor, &err), *gradient, *numbers = tensor_copy(x.tensor, &err);
    Value argument = {.kind = VALUE_TENSOR, .tensor = leaf};
    ck_assert_msg(interp_call(&console.interp, &function, &argument, 1, &out, &err), "%s: %s",
                  function_text, err.message);
    ck_assert_msg(out.kind == VALUE_TENSOR && out.tensor->node, "%s is not tracked", function_text);
    ck_assert(tape_gradient(out.tensor, NULL, &leaf, 1, false, &gradient, &err));
    for (size_t i = 0; i < numbers->count; i++) {
        double was = tensor_doubles(numbers)[i], up, down;
        tensor_doubles(numbers)[i] = was + h;
        up = sum_at(&function, numbers);
        tensor_doubles(numbers)[i] = was - h;
        down = sum_at(&function, numbers);
        tensor_doubles(numbers)[i] = was;
        double wanted = (up - down) / (2 * h), found = tensor_get(gradient, i);
        ck_assert_msg(fabs(found - wanted) <= 1e-6 * fmax(1, fabs(wanted)),
                      "%s at %s, element %zu: %.10g, not %.10g", function_text, x_text, i, found,
                      wanted);
    }
    tensor_unref(gradient);
    tensor_unref(numbers);
    tensor_unref(leaf);
    value_release(&out);
    value_release(&function);
    value_release(&x);
}

START_TEST(a_function_with_attention_in_a_loop) {
    Error err;
    ck_assert_msg(console_run(&console,
                              "def loss(W):\n"
                              "    total = 0\n"
                              "    out = zeros(4, 3)\n"
                              "    for i in range(2):\n"
                              "        a = attention(X @ W * (i + 1), K, V)\n"
                              "        out[i] = a.output[i] + a.output[-1] * 0.5\n"
                              "        out[2:] += a.output[:2]\n"
                              "        total += sum(a.output) + sum(a.entropy)\n"
                              "        note = f\"{i}: {total:.3f}, {out[i, 0]}\"\n"
                              "        print(note)\n"
                              "    return total + sum(out ** 2)\n",
                              &err),
                  "%s", err.message);
    check("loss", "W");
    ck_assert(console_run(&console, "loss(W)", &err));
    ck_assert_ptr_nonnull(strstr(console.output.data, "1: "));
    check("lambda W: sum(attention(X @ W, K, V).output)", "W");
    check("lambda W: sum(attention(X @ W, K, V, causal=True, position=\"alibi\").weights ** 2)",
          "W");
    check(
        "lambda W: sum(attention(X @ W, K, V).scores ** 2) + sum(attention(X @ W, K, V).logsumexp)",
        "W");
    check("lambda X: sum(multihead(X, eye(3), eye(3), eye(3), eye(3), heads=1).weights ** 2)", "X");
    check("lambda X: sum(multihead(X, eye(3), eye(3), eye(3), eye(3), heads=3).output ** 3)", "X");
}
END_TEST

START_TEST(numbers_stay_on_the_tape) {
    static const char *const functions[] = {
        "lambda x: x[0] * x[1] - -x[2] / 3 + x[-1] ** 2",
        "lambda x: sum([x[0] * 2, x[1] + x[0], 1])",
        "lambda x: sum([e ** 2 for e in x])",
        "lambda x: max(x[0] * 3, x[1] * 2, 0.1) + min([x[0], x[1]])",
        "lambda x: sum(sorted(x)[:2] * [1, 2]) + sum(sorted([x[2], x[0] ** 2])[0])",
        "lambda x: abs(x[0]) + float(x[1]) * 2 + round(x[2], 2) + exp(x[0]) + sqrt(x[1])",
        "lambda x: sum(softmax(x) * log(x)) if x[0] > -10 and x[1] != 5 else 0",
        "lambda x: dot(x, [1, 2, 3]) + sum(outer(x, x)) + norm(x)",
        "lambda x: sum(concatenate([x, [x[0]]])) + stack([x, x * 2])[1, 0]",
        "lambda x: sum(x.reshape(3, 1).T @ x.reshape(3, 1))",
        "lambda x: sum(array(x, dtype=\"float64\") ** 2)",
        "lambda x: sum(where(x > 0.5, x ** 2, -x)) + mean(x) * var(x)",
        "lambda x: sum(repeat(x, 2) * [1, 2, 3, 4, 5, 6]) + sum(roll(x, 1) * x)",
    };
    Error err;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        check(functions[i], "[0.7, 1.3, 2.1]");
    ck_assert(console_run(&console,
                          "def stores(x):\n"
                          "    a = zeros(3)\n"
                          "    xs = []\n"
                          "    ys = [1.0]\n"
                          "    r = record(v=x[0])\n"
                          "    for i, e in enumerate(x):\n"
                          "        a[i] = e * i\n"
                          "        xs.append(e)\n"
                          "        ys.append(e ** 2)\n"
                          "    a[:2] *= x[1:]\n"
                          "    a[[0, 0]] = x[1:] + 1\n"
                          "    r.v += x[2]\n"
                          "    return sum(a * a) + sum(xs) * r.v + sum(array(ys) * ys)\n",
                          &err));
    check("stores", "[0.7, 1.3, 2.1]");
}
END_TEST

/* Calls the function with a leaf and expects ERR_VALUE "a gradient cannot go through PART". */
static void refuses(const char *function_text, const char *part, const char *hint) {
    Error err = {0};
    Value function = evaluate(function_text), x = evaluate("[[2.0, 1.0], [0.5, 3.0]]"), out;
    Tensor *leaf = tape_leaf(x.tensor, &err);
    Value argument = {.kind = VALUE_TENSOR, .tensor = leaf};
    ck_assert_msg(!interp_call(&console.interp, &function, &argument, 1, &out, &err), "%s",
                  function_text);
    ck_assert_msg(err.kind == ERR_VALUE && strstr(err.message, "a gradient cannot go through") &&
                      strstr(err.message, part),
                  "%s: %s", function_text, err.message);
    ck_assert_msg(strstr(err.hint, hint), "%s: %s", function_text, err.hint);
    ck_assert_msg(err.line > 0 && err.caret_width > 0, "%s has no place", function_text);
    tensor_unref(leaf);
    value_release(&function);
    value_release(&x);
}

START_TEST(plain_numbers_are_refused_with_a_place) {
    refuses("lambda x: int(x[0, 0])", "int(x)", "plain number");
    refuses("lambda x: bool(x[0, 0])", "bool(x)", "");
    refuses("lambda x: X[x[0, 0]]", "an index", "");
    refuses("lambda x: X[x[0]]", "an index", "");
    refuses("lambda x: X[:x[0, 0]]", "the end of a slice", "");
    refuses("lambda x: [\"a\", \"b\", \"c\"][x[0, 1]]", "an index", "");
    refuses("lambda x: zeros(x[0, 0])", "shape of zeros", "");
    refuses("lambda x: sum(x, axis=x[0, 1])", "axis of sum", "");
    refuses("lambda x: softmax(x, temperature=x[0, 0])", "the argument temperature of softmax",
            "Divide by the temperature instead");
    refuses("lambda x: attention(X, X, X, temperature=x[0, 0])", "temperature", "Divide");
    refuses("lambda x: attention(X, X, X, scale=x[0, 0])", "the scale", "Multiply the queries");
    refuses("lambda x: [i for i in range(x[0, 0])]", "range", "");
    refuses("lambda x: \"ab\" * x[0, 0]", "the number of repeats", "");
    refuses("lambda x: one_hot(x[0])", "one_hot", "");
    refuses("lambda x: repeat(X, x[0, 0])", "the number of repeats", "");
    refuses("lambda x: roll(X, x[0, 0])", "the shift", "");
    refuses("lambda x: json(x)", "json(x)", "");
    refuses("lambda x: save(\"x.csv\", x)", "save", "");
}
END_TEST

START_TEST(the_place_shows_where_a_derivative_is_lost) {
    static const struct {
        const char *code, *excerpt;
        int caret, width;
    } lost[] = {
        {"grad(lambda x: 1 + 2 * argmax(x), [1, 2])", NULL, 23, 9},
        {"def f(x):\n    k = argmax(x)\n    return k if x[k] > 1 else x[k]\ngrad(f, [1, 2])",
         "    k = argmax(x)", 8, 9},
        {"grad(lambda x: sum(x * 2 > 1), [1, 2])", NULL, 19, 9},
        {"grad(lambda x: 3 if argmax(x) > 0 else sum(argsort(-x)), [2, 1])", NULL, 43, 11},
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        Error err;
        ck_assert(!console_run(&console, lost[i].code, &err));
        ck_assert_msg(err.kind == ERR_VALUE && err.caret == lost[i].caret &&
                          err.caret_width == lost[i].width,
                      "%s: %s, at %d, %d", lost[i].code, err.message, err.caret, err.caret_width);
        ck_assert_str_eq(err.excerpt, lost[i].excerpt ? lost[i].excerpt : lost[i].code);
    }
}
END_TEST

/* What has no gradient reads the number, and its result is plain. */
START_TEST(values_can_be_looked_at) {
    static const char *const functions[] = {
        "lambda x: 1 if x[0] < x[1] and x[0] in [0.7, 3] and not x[0] == x[1] else 0",
        "lambda x: len(str(x[0])) + len(f\"{x[1]:.2f} {x}\")",
        "lambda x: argmax(x) + sum(x > 1) + sum(isnan(x)) + len([y for y in x if y > 1])",
        "lambda x: x.shape[0] + x[0].ndim + len(x)",
    };
    Error err;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        Value function = evaluate(functions[i]), x = evaluate("[0.7, 1.3, 2.1]"), out;
        Tensor *leaf = tape_leaf(x.tensor, &err);
        Value argument = {.kind = VALUE_TENSOR, .tensor = leaf};
        ck_assert_msg(interp_call(&console.interp, &function, &argument, 1, &out, &err), "%s: %s",
                      functions[i], err.message);
        ck_assert_msg(out.kind == VALUE_NUMBER && out.number == sum_at(&function, x.tensor), "%s",
                      functions[i]);
        tensor_unref(leaf);
        value_release(&function);
        value_release(&x);
    }
}
END_TEST

START_TEST(memory_may_run_out) {
    Error err;
    ck_assert(
        console_run(&console,
                    "def f(x):\n"
                    "    s = 0\n"
                    "    for e in x: s += e ** 2\n"
                    "    x[0] = s\n"
                    "    return sum(attention(x[None, :], x[None, :], x[None, :]).weights) + s\n",
                    &err));
    Value function = evaluate("f"), x = evaluate("[0.7, 1.3, 2.1]");
    bool done = false;
    for (long n = 1; !done; n++) {
        size_t used = mem_used();
        Tensor *leaf = tape_leaf(x.tensor, &err), *gradient;
        Value argument = {.kind = VALUE_TENSOR, .tensor = leaf}, out;
        mem_fail_at(n, false);
        if (interp_call(&console.interp, &function, &argument, 1, &out, &err)) {
            done = tape_gradient(out.tensor, NULL, &leaf, 1, false, &gradient, &err);
            if (done) tensor_unref(gradient);
            value_release(&out);
        }
        mem_fail_at(0, false);
        tensor_unref(leaf);
        ck_assert_msg(mem_used() <= used + 4096, "a failure at allocation %ld leaks", n);
    }
    value_release(&function);
    value_release(&x);
}
END_TEST

Suite *gradient_suite(void) {
    Suite *suite = suite_create("gradient");
    TCase *tests = tcase_create("gradient");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_function_with_attention_in_a_loop);
    tcase_add_test(tests, numbers_stay_on_the_tape);
    tcase_add_test(tests, plain_numbers_are_refused_with_a_place);
    tcase_add_test(tests, the_place_shows_where_a_derivative_is_lost);
    tcase_add_test(tests, values_can_be_looked_at);
    tcase_add_test(tests, memory_may_run_out);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite;
}

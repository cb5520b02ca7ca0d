#include "tests/lang/tree.h"

#include <check.h>
#include <string.h>

#define CHECK_TREE(text, expected) ck_assert_str_eq(tree_of(text), expected)

/* Each example of "Which is it?" */
START_TEST(which_is_it) {
    CHECK_TREE("plot [1, 2]", "(plot (array 1 2))");
    CHECK_TREE("plot (Q @ K.T)", "(plot (matmul Q (. K T)))");
    CHECK_TREE("plot -A", "(plot (negative A))");
    CHECK_TREE("trace -1", "(trace (negative 1))");
    CHECK_TREE("plot[0]", "(index plot 0)");
    CHECK_TREE("plot(x)", "(call plot x)");
    CHECK_TREE("plot.T", "(. plot T)");
    CHECK_TREE("plot - 1", "(subtract plot 1)");
    CHECK_TREE("weights += 1", "(add= weights 1)");
    CHECK_TREE("weights, h = f()", "(= (tuple weights h) (call f))");
    CHECK_TREE("plot = 3", "(= plot 3)");
    CHECK_TREE("entropy(x)", "(call entropy x)");
    CHECK_TREE("train (m)", "(call train m)");
    CHECK_TREE("entropy", "(entropy)");
    CHECK_TREE("weights; scores", "(weights) | (scores)");
    CHECK_TREE("weights and x", "(&& weights x)");
    CHECK_TREE("weights or x", "(|| weights x)");
    CHECK_TREE("weights in x", "(cmp weights in x)");
    CHECK_TREE("weights is x", "(cmp weights is x)");
    CHECK_TREE("weights not in x", "(cmp weights not-in x)");
    CHECK_TREE("weights if x else y", "(? x weights y)");
    CHECK_TREE("weights @ V", "(matmul weights V)");
    CHECK_TREE("weights == x", "(cmp weights == x)");
    CHECK_TREE("weights |= x", "(or= weights x)");
    CHECK_TREE("plot -1", "(plot (negative 1))");
    CHECK_TREE("plot +1", "(plot (plus 1))");
    CHECK_TREE("weights # all", "(weights)");
}
END_TEST

START_TEST(everywhere) {
    CHECK_TREE("if x: attend", "(if x {(attend)})");
    CHECK_TREE("for t in ts:\n  set temperature t\n  attend;\n",
               "(for t ts {(set temperature: t) (attend);})");
    CHECK_TREE("x = 1; plot x", "(= x 1) | (plot x)");
    CHECK_TREE("def f(): plot Q", "(def f {(plot Q)})");
}
END_TEST

START_TEST(arguments) {
    CHECK_TREE("attend Q K V", "(attend Q K V)");
    CHECK_TREE("attend X from Y", "(attend X from: Y)");
    CHECK_TREE("attend X.T f(x) A[0, :] (a + b)",
               "(attend (. X T) (call f x) (index A 0 (slice _ _ _)) (add a b))");
    CHECK_TREE("trace -1 head 0", "(trace (negative 1) head: 0)");
    CHECK_TREE("trace \"it\" 'a'", "(trace 'it' 'a')");
    CHECK_TREE("sweep temperature 0.01 100", "(sweep temperature: 0.01 100)");
    CHECK_TREE("sweep scale -1 +2", "(sweep scale: (negative 1) (plus 2))");
    CHECK_TREE("trace head(1) head[0] head.x", "(trace (call head 1) (index head 0) (. head x))");
    CHECK_TREE("trace (head)", "(trace head)");
    CHECK_TREE("train m on reverse for 500 steps rate 1e-3",
               "(train m on: reverse for: 500 steps: rate: 0.001)");
    CHECK_TREE("trace A [0]", "(trace A (array 0))");
}
END_TEST

START_TEST(expressions) {
    CHECK_TREE("plot Q @ K.T head 1 to \"a.svg\"", "(plot (matmul Q (. K T)) head: 1 to: 'a.svg')");
    CHECK_TREE("plot a, b, c to 'x.png'", "(plot (tuple a b c) to: 'x.png')");
    CHECK_TREE("plot weights", "(plot weights:)");
    CHECK_TREE("plot weights head 0 as text", "(plot weights: head: 0 as: text:)");
    CHECK_TREE("plot weights[0]", "(plot (index weights 0))");
    CHECK_TREE("plot entropy(S) to 'e.csv'", "(plot (call entropy S) to: 'e.csv')");
    CHECK_TREE("plot (entropy)", "(plot entropy)");
    CHECK_TREE("plot x if c else y as text", "(plot (? c x y) as: text:)");
}
END_TEST

START_TEST(settings) {
    CHECK_TREE("set temperature t / 2", "(set temperature: (divide t 2))");
    CHECK_TREE("set temperature -1", "(set temperature: (negative 1))");
    CHECK_TREE("set mask causal and window 4", "(set mask: causal: and: window: 4)");
    CHECK_TREE("set mask (causal)", "(set mask: causal)");
    CHECK_TREE("set mask mine", "(set mask: mine)");
    CHECK_TREE("set position relative 0.5", "(set position: relative: 0.5)");
    CHECK_TREE("set tokens A from B", "(set tokens: A from: B)");
    CHECK_TREE("set tokens \"the cat\"", "(set tokens: 'the cat')");
    CHECK_TREE("set temprature 0.5", "(set temprature 0.5)");
    CHECK_TREE("set mask", "(set mask:)");
    CHECK_TREE("set", "(set)");
    CHECK_TREE("compare temperature 0.1 against 2", "(compare temperature: 0.1 against: 2)");
    CHECK_TREE("compare mask none causal", "(compare mask: none: causal:)");
    CHECK_TREE("compare mask causal and window 4 against none",
               "(compare mask: causal: and: window: 4 against: none:)");
}
END_TEST

START_TEST(questions) {
    CHECK_TREE("softmax?", "(help softmax)");
    CHECK_TREE("plot?", "(help plot)");
    CHECK_TREE("plot ?", "(help plot)");
    CHECK_TREE("softmax？", "(help softmax)");
    CHECK_TREE("help plot", "(help plot)");
    CHECK_TREE("help for", "(help for:)");
}
END_TEST

Suite *parse_command_suite(void) {
    Suite *suite = suite_create("parse_command");
    TCase *tests = tcase_create("commands");
    tcase_add_test(tests, which_is_it);
    tcase_add_test(tests, everywhere);
    tcase_add_test(tests, arguments);
    tcase_add_test(tests, expressions);
    tcase_add_test(tests, settings);
    tcase_add_test(tests, questions);
    suite_add_tcase(suite, tests);
    return suite;
}

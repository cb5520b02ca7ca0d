/* The bench: where inputs come from, what an attend shows, and the answer to a turned knob. */
#include "tests/session/desk.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

Suite *attend_suite(void);

static const char inputs[] = "Q = [1, 0; 0, 1; 1, 1]; K = [1, 0; 0, 2]; V = [1, 2; 3, 4];\n";

START_TEST(queries_keys_and_values) {
    Desk *desk = desk_open();
    desk_fails(desk, "attend", ERR_NAME, "set tokens");
    desk_do(desk, inputs);
    desk_mentions(desk, "attend", "Q 3×2 K 2×2 V 2×2: temperature 1, scale sqrt, mask none");
    desk_do(desk, "assert sum(abs(last.weights - softmax(Q @ K.T / sqrt(2)))) < 1e-12");
    desk_do(desk, "assert sum(abs(last.output - last.weights @ V)) < 1e-12");
    desk_do(desk, "assert sum(abs(last.scores - Q @ K.T / sqrt(2))) < 1e-12");
    desk_do(desk, "assert sum(abs(last.entropy - entropy(last.weights))) < 1e-12");
    desk_mentions(desk, "A = Q; attend A K V", "A 3×2 K 2×2");
    desk_mentions(desk, "attend", "A 3×2 K 2×2");
    desk_mentions(desk, "attend (Q * 2) K V", "(Q * 2) 3×2 K 2×2");
    desk_do(desk, "assert sum(abs(last.scores - 2 * Q @ K.T / sqrt(2))) < 1e-12");
    desk_shows(desk, "attend;", "");
    desk_close(desk);
}
END_TEST

START_TEST(one_input_with_projections) {
    Desk *desk = desk_open();
    desk_mentions(desk, "X = randn(4, 6); attend", "X 4×6: temperature");
    desk_do(desk, "assert sum(abs(last.weights - softmax(X @ X.T / sqrt(6)))) < 1e-12");
    desk_do(desk,
            "Wq = randn(6, 4); Wk = randn(6, 4); Wv = randn(6, 2); Wo = randn(2, 6); attend;");
    desk_do(desk, "assert sum(abs(last.output - multihead(X, Wq, Wk, Wv, Wo, 1).output)) < 1e-12");
    desk_do(desk, "Y = randn(3, 6)");
    desk_mentions(desk, "attend X from Y", "X 4×6 from Y 3×6");
    desk_do(desk, "assert sum(abs(last.scores - X @ Wq @ (Y @ Wk).T / sqrt(4))) < 1e-9");
    desk_close(desk);
}
END_TEST

static void notes(Desk *desk, const char *text, const char *part) {
    desk_do(desk, text);
    ck_assert_msg(strstr(desk->notes.data, part) != NULL, "%s: %s", text, desk->notes.data);
}

static void notes_nothing(Desk *desk, const char *text) {
    desk_do(desk, text);
    ck_assert_msg(desk->notes.length == 0, "%s: %s", text, desk->notes.data);
}

#define IS_EMBEDDING(tokens) "assert all(X == embed(" tokens ", 8)), \"other vectors\""

START_TEST(own_vectors_follow_the_tokens) {
    Desk *desk = desk_open();
    desk_do(desk, "set tokens \"we love tea\"\nattend;");
    notes(desk, "set tokens \"dog dog dog\"", "(X = embed(tokens(\"dog dog dog\"), 8): made again");
    ck_assert_ptr_nonnull(strstr(desk->shown.data, "X   mean entropy"));
    desk_do(desk, IS_EMBEDDING("\"dog dog dog\""));
    desk_do(desk, "assert all(last.weights[0] == last.weights[1])");
    desk_do(desk, "undo");
    desk_do(desk, IS_EMBEDDING("\"we love tea\""));
    desk_mentions(desk, "weights", "love");

    /* Another number of tokens; one of another list for the keys, and back. */
    notes(desk, "set tokens \"one two\"", "made again");
    desk_mentions(desk, "weights", "two");
    notes(desk, "set tokens \"a b\" from \"c d e\"",
          "(X = embed(tokens(\"a b\"), 8), Y = embed(tokens(\"c d e\"), 8): made again");
    desk_shows(desk, "last.weights.shape", "(2, 3)");
    notes(desk, "set tokens \"a b c\"", "(X = embed(tokens(\"a b c\"), 8): made again");
    desk_shows(desk, "last.weights.shape", "(3, 3)");
    notes_nothing(desk, "set tokens \"x y z\";");
    desk_do(desk, IS_EMBEDDING("\"x y z\""));

    /* Snapshots and reset know them as their own. */
    desk_do(desk, "snapshot s; set tokens \"p q\"; restore s");
    notes(desk, "set tokens \"u v w\"", "made again");
    desk_do(desk, "reset");
    notes(desk, "set tokens \"one more\"", "made again");
    notes_nothing(desk, "attend;");
    notes(desk, "del X; attend", "a vector for each token");
    desk_close(desk);
}
END_TEST

/* An X that attend made gives way to Q, K and V that were all assigned after it. */
START_TEST(own_vectors_give_way) {
    static const char place[] = "Q, K and V take the place of the X that attend made";
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); set tokens \"we love tea\"; attend");
    desk_do(desk, "K = eye(2); V = K");
    desk_mentions(desk, "attend", "X 3×8:"); /* Q is older */
    notes(desk, "Q = eye(2); attend", place);
    desk_mentions(desk, "attend", "Q 2×2 K 2×2 V 2×2:");
    ck_assert_ptr_null(strstr(desk->notes.data, place));
    desk_do(desk, "undo\nundo");
    desk_mentions(desk, "attend", "X 3×8:");
    notes(desk, "Q[0, 0] = 3; attend", place);

    /* Whoever names X, or makes it, keeps it. */
    desk_do(desk, "reset all; set tokens \"we love tea\"; attend; attend X");
    desk_mentions(desk, "Q = eye(2); K = Q; V = Q; attend", "X 3×8:");
    desk_do(desk, "reset all; set tokens \"a b\"; attend; X = eye(2); attend;");
    desk_mentions(desk, "Q = eye(3); K = Q; V = Q; attend", "X 2×2:");

    /* The tokens that fit are labels of Q, which is said. */
    desk_do(desk, "reset all; set tokens \"a b\"; attend; Q = eye(2); K = Q; V = Q");
    desk_mentions(desk, "attend", "a       ");
    desk_do(desk, "set tokens \"c d\"");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "the labels are new, Q, K and V are not"));
    desk_do(desk, "snapshot s; reset; restore s");
    desk_mentions(desk, "attend", "Q 2×2");
    desk_close(desk);
}
END_TEST

/* One query q is a row that keeps its own name, and is followed like any other input. */
START_TEST(one_query_is_a_vector) {
    Desk *desk = desk_open();
    desk_do(desk, "q = [0.5, 1]; K = eye(2); V = K; set tokens \"a b\"; attend q K V;");
    desk_mentions(desk, "attend", "q 2 K 2×2 V 2×2");
    desk_mentions(desk, "trace", "\nq = [0.5, 1]\n");
    desk_mentions(desk, "why 0 \"b\"", "q·k = 0.5×0 + 1×1 = 1");
    ck_assert_ptr_null(strstr(desk->notes.data, "for 1 query"));
    desk_do(desk, "q = [1, 1]");
    desk_mentions(desk, "weights", "(before q changed)");
    desk_mentions(desk, "attend; weights", "heads 1\nweights");
    desk_mentions(desk, "set heads 2; trace head 1", "q = q[1:2] = [1]");
    desk_do(desk, "assert last.output.shape == (2,) and last.weights.shape == (2, 2)");
    desk_fails(desk, "attend q", ERR_SHAPE, "a vector of 2");
    desk_close(desk);
}
END_TEST

START_TEST(what_is_random_says_so_once) {
    static const char meaning[] = "random numbers and carry no meaning; what a model has learned "
                                  "does: inspect pronoun \"";
    Desk *desk = desk_open();
    notes(desk, "set tokens \"我 爱 你\"; attend;", meaning);
    ck_assert_ptr_nonnull(
        strstr(desk->notes.data, "(X = embed(tokens(\"我 爱 你\"), 8): a vector"));
    desk_do(desk, "assert all(X == embed(tokens(\"我 爱 你\"), 8))");
    notes(desk, "del X; attend", "a vector for each token");
    ck_assert_ptr_null(strstr(desk->notes.data, meaning));
    notes(desk, "set position learned", "(learned positions are random numbers and carry no");
    notes_nothing(desk, "set position none; set position learned 2");
    desk_close(desk);
    desk = desk_open();
    notes_nothing(desk, "X = eye(3); set position learned;");
    notes(desk, "attend", "(learned positions are random");
    desk_close(desk);
    desk = desk_open();
    notes(desk, "X = eye(3); compare position none learned", "(learned positions are random");
    desk_close(desk);
}
END_TEST

START_TEST(vectors_of_a_person_stay) {
    Desk *desk = desk_open();
    desk_do(desk, "X = randn(3, 4)");
    notes(desk, "set tokens \"we love tea\"",
          "the labels are new, the vectors are not; new ones: X = embed(\"we love tea\", 4)");
    desk_do(desk, "Z = X; attend");
    notes(desk, "set tokens [\"a\", \"b\", \"c\"]", "X = embed([\"a\", \"b\", \"c\"], 4)");
    desk_do(desk, "assert all(X == Z)");
    notes_nothing(desk, "set tokens none");
    notes_nothing(desk, "X = embed(\"a b c\", 4); set tokens \"a b c\"");
    notes(desk, "set tokens \"a b\"",
          "attend embed(tokens(\"a b\"), 8); without tokens: set tokens none");
    notes(desk, "del X; attend", "X = embed(tokens(\"a b\"), 8)");
    desk_shows(desk, "X.shape", "(2, 8)");

    /* Attend's own X in which a number was changed is the person's. */
    desk_do(desk, "X[0, 0] = 1");
    notes(desk, "set tokens \"c d\"", "the vectors are not; new ones: X = embed");

    /* Q, K and V that were made for other tokens. */
    notes(desk, "Q = eye(2); attend Q Q Q; set tokens \"e f\"", "Q, K and V are not");
    notes(desk, "unset tokens; set tokens \"g h\"", "(the tokens name the rows of Q, K and V");
    notes_nothing(desk, "unset tokens; set tokens \"g h\"");
    desk_close(desk);
    desk = desk_open();
    desk_do(desk, "set tokens \"g h\"; attend; K = X @ randn(8, 2); attend K K X;");
    notes(desk, "set tokens \"i j\"", "Q, K and V are not");
    notes(desk, "attend embed(tokens(\"i j\"), 8); set tokens \"k l\"",
          "the vectors are not; new ones: attend embed(\"k l\", 8)");
    desk_close(desk);
}
END_TEST

START_TEST(what_is_shown_says_what_it_is_from) {
    Desk *desk = desk_open();
    static const char *const words[] = {"weights",      "scores",       "output",     "entropy",
                                        "plot weights", "plot entropy", "plot output"};
    desk_do(desk, "Q = eye(2); K = Q; V = Q; attend;");
    desk_do(desk, "set heads 3");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        desk_mentions(desk, words[i], "set heads 3; these settings do not fit)");
    desk_do(desk, "undo;");
    desk_do(desk, "del Q");
    desk_mentions(desk, "weights", "Q 2×2 K 2×2 V 2×2: temperature 1");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        desk_mentions(desk, words[i], "del Q)");
    desk_mentions(desk, "trace 1", "(before del Q)");
    desk_mentions(desk, "why 1 1", "(before del Q)");
    desk_mentions(desk, "diagnose", "(before del Q)");
    desk_do(desk, "Q = eye(2)");
    desk_do(desk, "weights");
    ck_assert_ptr_null(strstr(desk->shown.data, "before"));
    desk_mentions(desk, "K = K + 1; weights", "(before K changed)");
    desk_do(desk, "M = ones(2, 2) == 1; set mask M; attend; M = ~M");
    desk_mentions(desk, "weights", "(before M changed)");
    desk_do(desk, "set mask none; X = eye(2); attend X; Wq = eye(2)");
    desk_mentions(desk, "entropy", "(before Wq\nchanged)");
    desk_close(desk);
}
END_TEST

START_TEST(a_mask_of_zeros_and_ones_is_noted) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(3); K = Q; V = Q; L = tril(ones(3, 3)); set scale none;");
    notes(desk, "set mask L", "hides nothing; to hide where it is 0: set mask (L == 1)");
    notes(desk, "attend", "set mask (L == 1)");
    desk_mentions(desk, "diagnose", "  to hide where it is 0: set mask (L == 1)");
    notes_nothing(desk, "set mask (L == 1)");
    desk_shows(desk, "last.weights[0]", "[1, 0, 0]");
    notes(desk, "set mask triu(ones(3,3),1)",
          "to hide where it is 1: set mask (triu(ones(3,3),1) == 0)");
    notes_nothing(desk, "set mask (triu(ones(3,3),1) == 0)");
    desk_shows(desk, "last.weights[0]", "[1, 0, 0]");
    notes(desk, "set mask causal and L", "set mask causal and (L == 1)");
    notes_nothing(desk, "set mask (triu(ones((3, 3)), 1) * -1e9)");
    notes_nothing(desk, "set mask (zeros((3, 3)))");
    notes_nothing(desk, "set mask L;");
    notes(desk, "a = attention(Q, K, V, mask=L)", "mask=(L == 1)");
    notes(desk, "a = multihead(Q, Q, Q, Q, Q, 1, mask=L)", "mask=(L == 1)");
    notes(desk, "N = 1 - L; a = attention(Q, K, V, mask=N)", "mask=(N == 0)");
    notes(desk, "for i in range(3): a = attention(Q, K, V, mask=L + 0)", "mask=(M == 1)");
    ck_assert_ptr_null(strstr(strstr(desk->notes.data, "mask= holds") + 1, "mask= holds"));
    notes_nothing(desk, "a = attention(Q, K, V, mask=(L == 1))");
    notes(desk, "compare mask none against L", "set mask (L == 1)");

    /* Numbers that hide are no scores. */
    desk_do(desk, "set mask (triu(ones(3, 3), 1) * -1e9); set scale 3; attend;");
    desk_mentions(desk, "diagnose", "nothing wrong in 2 queries");
    desk_close(desk);
}
END_TEST

START_TEST(tokens_become_inputs) {
    Desk *desk = desk_open();
    desk_do(desk, "set tokens \"the cat sat\"\nattend");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "X = embed(tokens(\"the cat sat\"), 8)"));
    ck_assert_ptr_nonnull(strstr(desk->shown.data, "cat"));
    desk_shows(desk, "X.shape", "(3, 8)");
    desk_do(desk, "assert all(X == embed(tokens(\"the cat sat\"), 8))");
    desk_do(desk, "undo;");
    desk_fails(desk, "X", ERR_NAME, "");
    desk_close(desk);
}
END_TEST

START_TEST(labels_that_do_not_fit) {
    Desk *desk = desk_open();
    desk_do(desk, inputs);
    desk_do(desk, "set tokens \"one two three four\"; attend");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "4 tokens for 3 queries"));
    ck_assert_ptr_null(strstr(desk->shown.data, "four"));
    desk_do(desk, "attend embed(tokens(\"one two three four\"), 8)");
    ck_assert_str_eq(desk->notes.data, "");
    desk_do(desk, "undo\nset tokens none");
    desk_do(desk, "set tokens \"one two three\" from [\"left\", \"right hand\"]");
    ck_assert_ptr_nonnull(strstr(desk->notes.data,
                                 "attend embed(tokens(\"one two three\"), 8) from "
                                 "embed(['left', 'right hand'], 8)"));
    desk_mentions(desk, "attend", "right");
    desk_close(desk);
}
END_TEST

START_TEST(wrong_inputs) {
    Desk *desk = desk_open();
    desk_do(desk, inputs);
    desk_fails(desk, "attend Q K", ERR_SYNTAX, "V");
    desk_fails(desk, "attend Q K V Q", ERR_SYNTAX, "Q");
    desk_fails(desk, "attend Qq K V", ERR_NAME, "Qq is not defined");
    desk_fails(desk, "attend Q from", ERR_SYNTAX, "");
    desk_fails(desk, "attend Q (eye(3)) V", ERR_SHAPE, "2");
    desk_fails(desk, "attend Q K (eye(3))", ERR_SHAPE, "");
    desk_fails(desk, "v = [1, 2]; attend v", ERR_SHAPE, "matrix");
    desk_fails(desk, "attend \"a\"", ERR_TYPE, "");
    desk_fails(desk, "w = \"a\"; attend w", ERR_TYPE, "w");
    desk_fails(desk, "Z = zeros((0, 2)); attend Z", ERR_SHAPE, "empty");
    desk_fails(desk, "attend Q K V; del Q; attend", ERR_NAME, "Q is not defined");
    desk_fails(desk, "set heads 3; attend", ERR_VALUE, "3 heads");
    desk_close(desk);
}
END_TEST

START_TEST(the_answer_in_one_line) {
    Desk *desk = desk_open();
    desk_do(desk, inputs);
    desk_shows(desk, "set temperature 0.5", "");
    desk_do(desk, "attend;");
    desk_mentions(desk, "set temperature 0.25", "temperature 0.5 → 0.25   mean entropy ");
    desk_mentions(desk, "set scale none", "scale sqrt → none   mean entropy ");
    desk_mentions(desk, "set mask causal", "mask none → causal   mean entropy ");
    desk_mentions(desk, "set position alibi", "position none → alibi   mean entropy ");
    desk_mentions(desk, "set heads 2", "heads 1 → 2   mean entropy ");
    desk_mentions(desk, "unset heads", "heads 2 → 1   mean entropy ");
    desk_mentions(desk, "unset heads", "max weight");
    ck_assert_ptr_null(strchr(desk->shown.data, '\n'));
    desk_shows(desk, "set temperature 2;", "");
    desk_shows(desk, "set digits 5", "");
    desk_shows(desk, "assert last.weights.shape == (3, 2)", "");
    desk_close(desk);
}
END_TEST

START_TEST(the_numbers_of_the_answer) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = zeros((2, 2)); V = eye(2); attend;");
    desk_shows(desk, "set temperature 3",
               "temperature 1 → 3   mean entropy 0.6931 → 0.6931 of 0.6931   mean max weight 0.5 → "
               "0.5   largest 0.5 → 0.5");
    desk_shows(desk, "set mask causal",
               "mask none → causal   mean entropy 0.6931 → 0.3466 of 0.3466   mean max weight 0.5 "
               "→ 0.75   largest 0.5 → 1");
    desk_shows(
        desk, "set mask padding 0",
        "mask causal → padding 0   mean entropy 0.3466 → nan of nan   mean max weight 0.75 → "
        "nan   largest 1 → 0   2 rows see no key");
    desk_mentions(desk, "set temperature sqrt(0.03559)", "temperature 3 → 0.188653   mean");
    desk_close(desk);
}
END_TEST

/* What does not fit is said; the setting stays; the next attend is the error. */
START_TEST(a_misfit_keeps_the_setting) {
    Desk *desk = desk_open();
    desk_do(desk, inputs);
    desk_do(desk, "attend;");
    desk_mentions(desk, "set heads 3", "heads 1 → 3   does not fit: ");
    desk_shows(desk, "show heads", "heads       3");
    desk_do(desk, "weights");
    desk_fails(desk, "attend", ERR_VALUE, "3 heads");
    desk_mentions(desk, "set heads 2", "heads 1 → 2   mean entropy ");
    /* What did not fit is told with what makes it fit. */
    desk_do(desk, "set heads 3; set temperature 2;");
    desk_mentions(desk, "set heads 2", "heads 2, temperature 1 → 2   mean entropy ");
    desk_do(desk, "unset temperature;");
    desk_mentions(desk, "set mask segments [0, 1]", "does not fit");
    desk_shows(desk, "set mask segments [0, 0];", "");
    desk_do(desk, "set mask none");
    desk_do(desk, "attend;");
    desk_close(desk);
}
END_TEST

START_TEST(assignments_at_a_prompt_answer) {
    Desk *desk = desk_open();
    desk_do(desk, inputs);
    desk_do(desk, "attend;");
    desk_shows(desk, "Q = Q * 2", "");
    desk->host.interactive = true;
    desk_mentions(desk, "Q = Q * 2", "Q   entropy ");
    desk_do(desk, "assert sum(abs(last.weights - softmax(Q @ K.T / sqrt(2)))) < 1e-12");
    desk_mentions(desk, "K[0, 0] = 5", "K   entropy ");
    desk_mentions(desk, "Q = Q * 1.5; K = K * 0.5", "Q, K   ");
    desk_shows(desk, "Q = Q / 2;", "");
    desk_do(desk, "assert sum(abs(last.weights - softmax(Q @ K.T / sqrt(2)))) < 1e-12");
    desk_shows(desk, "other = 1", "");
    desk_mentions(desk, "Q = eye(7)", "Q   does not fit: ");
    desk_mentions(desk, "del Q", "Q   does not fit: Q is not defined");
    desk_fails(desk, "attend", ERR_NAME, "Q is not defined");
    desk_close(desk);
}
END_TEST

START_TEST(masks_by_name_are_looked_up_at_each_run) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = Q; V = Q; ban = [1, 0; 1, 1] > 0; set mask ban; attend;");
    desk_do(desk, "assert last.weights[0, 1] == 0");
    desk_do(desk, "ban = [1, 1; 1, 1] > 0; attend; assert last.weights[0, 1] > 0");
    desk_do(desk, "ban = [0, -inf; 0, 0]; attend; assert last.weights[0, 1] == 0");
    desk_do(desk, "del ban");
    desk_fails(desk, "attend", ERR_NAME, "the mask ban no longer exists");
    desk_do(desk, "set mask none; ban = eye(2); set mask (ban > 0); ban = 3; attend;");
    desk_fails(desk, "ban = \"x\"; set mask ban", ERR_VALUE, "\"x\" is no mask");
    desk_close(desk);
}
END_TEST

START_TEST(heads_are_shown_each) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = randn(3, 4); K = Q; V = Q; set heads 2; attend;");
    desk_mentions(desk, "weights", "head 1");
    desk_do(desk, "weights head 0");
    ck_assert_ptr_null(strstr(desk->shown.data, "head 1"));
    desk_fails(desk, "weights head 2", ERR_VALUE, "there are 2");
    desk_fails(desk, "weights head 1e300", ERR_VALUE, "there are 2");
    desk_fails(desk, "weights head -1", ERR_VALUE, "");
    desk_fails(desk, "weights head 0.5", ERR_VALUE, "");
    desk_fails(desk, "plot weights head inf to \"w.txt\"", ERR_VALUE, "");
    desk_fails(desk, "plot weights head 1e300 to \"w.txt\"", ERR_VALUE, "");
    desk_shows(desk, "last.weights.shape", "(2, 3, 3)");
    desk_close(desk);
}
END_TEST

/* A word that shows something gives way to a variable of its name, and says so. */
START_TEST(words_give_way) {
    Desk *desk = desk_open();
    desk_fails(desk, "weights", ERR_NAME, "attend makes them");
    desk_do(desk, inputs);
    desk_do(desk, "attend;");
    desk_do(desk, "weights = [1, 2, 3]");
    desk_shows(desk, "weights", "[1, 2, 3]");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "last.weights"));
    desk_shows(desk, "show weights", "[1, 2, 3]");
    desk_shows(desk, "weights + 1", "[2, 3, 4]");
    desk_do(desk, "plot weights as text");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "last.weights"));
    desk_shows(desk, "last.weights.shape", "(3, 2)");
    desk_do(desk, "del weights");
    desk_mentions(desk, "weights", "entropy");
    desk_mentions(desk, "show scores", "scores");
    desk_do(desk, "mask = 3; heads = 4; state = 5");
    desk_shows(desk, "heads", "4");
    desk_shows(desk, "state", "5");
    desk_shows(desk, "show mask", "mask        none");
    desk_shows(desk, "show heads", "heads       1");
    desk_close(desk);
}
END_TEST

START_TEST(wrong_weights_would_be_said) {
    Desk *desk = desk_open();
    Text text;
    text_init(&text);
    desk_do(desk, "Q = eye(2); K = Q; V = Q; set mask causal; attend;");
    Run *run = desk->session->bench.run;
    ck_assert(run_need_trace(run, &desk->err));
    run_check(run, &text);
    ck_assert_str_eq(text.data, "");
    tensor_set(run->trace.weights, 1, 0.5);
    run_check(run, &text);
    ck_assert_ptr_nonnull(strstr(text.data, "which the mask hides"));
    ck_assert_ptr_nonnull(strstr(text.data, "sums to 1.5"));
    text_release(&text);
    desk_close(desk);
}
END_TEST

START_TEST(rows_without_keys_and_strange_numbers) {
    Desk *desk = desk_open();
    desk_mentions(desk, "Q = eye(2); K = Q; V = Q; set mask padding 0; attend",
                  "2 of 2 rows see no key");
    desk_mentions(desk, "compare mask none against padding 0", "2 of 2 rows see no key");
    desk_mentions(desk, "set mask none; Q = [nan, 1; 0, 1]; attend", "row 0 is nan");
    desk_do(desk, "X = full((9, 2), nan); attend X;");
    desk_mentions(desk, "weights", "row 2 is nan: its scores are not all finite\nand 6 rows more");
    desk_mentions(desk, "X = X[:4]; attend; weights", "\nand 1 row more");
    desk_do(desk, "X = full((9, 2), nan); attend;");
    desk_mentions(desk, "set heads 2; weights",
                  "row 2 of head 0 is nan: its scores are not all finite\nand 15 rows more");
    desk_do(desk, "set heads 1; attend Q K V;");
    desk_do(desk, "Q = [inf, 1; 0, 1]; attend");
    desk_do(desk, "set temperature 0; attend; set temperature inf; attend");
    desk_do(desk, "Q = ones((1, 1)); K = Q; V = Q; attend");
    desk_close(desk);
}
END_TEST

START_TEST(tokens_label_what_is_there) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = Q; V = Q; attend;");
    desk_do(desk, "set tokens \"cat mat\"");
    ck_assert_ptr_nonnull(strstr(
        desk->notes.data, "(the tokens name the rows of Q, K and V, nothing else; vectors of"));
    desk_mentions(desk, "weights", "cat");
    ck_assert_str_eq(desk->notes.data, ""); /* once */
    desk_do(desk, "attend embed(tokens(\"cat mat\"), 8)\nundo");
    ck_assert_str_eq(desk->notes.data, "");
    desk_do(desk, "set tokens \"the cat sat\"");
    ck_assert_ptr_nonnull(strstr(
        desk->notes.data, "(3 tokens for 2 queries: numbers are shown instead; vectors of the "
                          "tokens: attend embed(tokens(\"the cat sat\"), 8); without tokens: "
                          "set tokens none)"));
    desk_do(desk, "weights");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "3 tokens for 2 queries"));
    ck_assert_ptr_null(strstr(desk->shown.data, "cat"));
    desk_close(desk);
}
END_TEST

START_TEST(scores_are_shown_before_the_mask) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = Q; V = Q; set mask causal; set scale none; attend;");
    desk_mentions(desk, "last.scores", "[0, 1]");
    desk_do(desk, "scores");
    ck_assert_msg(!strstr(desk->shown.data, "·") && strstr(desk->shown.data, "0"), "%s",
                  desk->shown.data);
    desk_close(desk);
}
END_TEST

START_TEST(answers_are_short) {
    Desk *desk = desk_open();
    desk->host.interactive = true;
    desk->host.columns = 80;
    desk_do(desk, "Q = randn(3, 4); K = randn(5, 4); V = K; M = ones((3, 5)) > 0; attend;");
    desk_do(desk, "set temperature 0.25");
    char *end = strchr(desk->shown.data, '\n');
    ck_assert_msg(!end && utf8_width(desk->shown.data, desk->shown.length) <= 80 &&
                      strstr(desk->shown.data, "   entropy ") &&
                      strstr(desk->shown.data, "   max ") && strstr(desk->shown.data, ", largest "),
                  "%s", desk->shown.data);
    desk->host.columns = 40;
    desk_do(desk, "set temperature 0.125");
    for (char *line = desk->shown.data; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        ck_assert_msg(utf8_width(line, length) <= 40 && strchr(line, ' '), "%s", desk->shown.data);
    }
    desk->host.columns = 80;
    desk_mentions(desk, "set mask (M)", "mask none → array 3×5   entropy");
    desk_shows(desk, "set position relative [1, 0, 1];", "");
    desk_mentions(desk, "attend", "relative [1, 0, 1]");
    desk_do(desk, "set mask M;");
    desk_mentions(desk, "M[0, 1:] = False", "M   entropy");
    desk_close(desk);
}
END_TEST

START_TEST(what_was_written_is_said) {
    Desk *desk = desk_open();
    desk_folder(desk);
    notes_nothing(desk, "plot eye(2) to \"w.txt\"");
    desk->host.interactive = true;
    notes(desk, "plot eye(2) to \"w.txt\"", "(wrote w.txt)");
    notes(desk, "save(\"w.npy\", eye(2))", "(wrote w.npy)");
    desk_close(desk);
}
END_TEST

static int questions;

static bool refuse(Host *host, const char *question, bool *yes, Error *err) {
    (void)host, (void)err;
    ck_assert_ptr_nonnull(strstr(question, "overwrite "));
    questions++;
    *yes = false;
    return true;
}

static bool agree(Host *host, const char *question, bool *yes, Error *err) {
    refuse(host, question, yes, err);
    return *yes = true;
}

static bool stop(Host *host, const char *question, bool *yes, Error *err) {
    refuse(host, question, yes, err);
    return error_set(err, ERR_INTERRUPT, "interrupted");
}

START_TEST(files_of_others_are_replaced_after_a_question) {
    Desk *desk = desk_open();
    desk_file(desk, "w.txt", "of another making");
    desk_file(desk, "w.npy", "likewise");
    desk_file(desk, "w.md", "likewise");
    desk_file(desk, "w.csv", "likewise");
    desk->host.ask = refuse;
    desk_do(desk, "plot eye(2) to \"free.txt\"; save(\"w.csv\", eye(2))");
    ck_assert_int_eq(questions, 0); /* a script asks nothing */

    desk->host.interactive = true;
    desk_fails(desk, "plot eye(2) to \"w.txt\"", ERR_FILE, "plot ... to \"w.txt\" --force");
    desk_fails(desk, "save(\"w.npy\", eye(2))", ERR_FILE, "save(\"w.npy\", x, force=True)");
    desk_fails(desk, "save session \"w.md\"", ERR_FILE, "save session \"w.md\" --force");
    ck_assert_int_eq(questions, 3);
    desk->host.ask = stop;
    desk_fails(desk, "save(\"w.npy\", eye(2))", ERR_INTERRUPT, "interrupted");
    desk_fails(desk, "load(\"w.npy\")", ERR_FILE, "w.npy"); /* still of another making */
    ck_assert_int_eq(questions, 4);

    desk->host.ask = refuse;
    desk_do(desk, "plot eye(2) to \"w.txt\" --force\nsave(\"w.npy\", eye(2), force=True)");
    desk_do(desk, "save session \"w.md\" --force\nsave session --force \"w.md\"");
    desk_do(desk, "plot eye(2) to \"w.txt\"; save(\"w.npy\", eye(2)); plot eye(2) to \"free.txt\"");
    desk_do(desk, "save(\"w.csv\", eye(2)); plot eye(2) to \"new.txt\"");
    ck_assert_int_eq(questions, 4); /* its own files are replaced without a question */
    desk_close(desk);
}
END_TEST

START_TEST(files_are_replaced_where_the_answer_is_yes) {
    Desk *desk = desk_open();
    desk_file(desk, "w.npy", "of another making");
    desk_file(desk, "v.npy", "likewise");
    desk_file(desk, "own.attn", "save(\"v.npy\", eye(3))");
    desk->host.interactive = true;
    desk->host.ask = agree;
    questions = 0;
    desk_do(desk, "save(\"w.npy\", eye(2)); save(\"w.npy\", eye(2)); load(\"w.npy\")");
    ck_assert_int_eq(questions, 1);
    desk->host.ask = refuse;
    desk_do(desk, "run \"own.attn\""); /* which is a script, wherever it runs */
    ck_assert_int_eq(questions, 1);
    desk_close(desk);
}
END_TEST

START_TEST(names_are_whole_in_a_narrow_terminal) {
    static const char *const lines[] = {"compare position none sinusoidal",
                                        "compare position sinusoidal rope alibi"};
    Desk *desk = desk_open();
    desk->host.columns = 40;
    desk_do(desk, "set tokens \"we love tea\"; attend");
    for (size_t i = 0; i < 2; i++) {
        desk_mentions(desk, lines[i], "sinusoidal");
        ck_assert_ptr_null(strstr(desk->shown.data, "sinusoi…"));
    }
    desk_mentions(desk, "snapshot", "There are no snapshots. snapshot NAME\nputs inputs");
    desk_close(desk);
}
END_TEST

START_TEST(what_is_missing_is_named) {
    Desk *desk = desk_open();
    desk_fails(desk, "K = eye(2); V = K; attend", ERR_NAME, "Q = K; attend");
    desk_fails(desk, "Q = eye(2); attend", ERR_NAME, "K = Q; V = Q; attend");
    desk_fails(desk, "K = eye(2); V = K; attend", ERR_NAME, "K and V are there, but Q is not");
    desk_do(desk, "K = eye(2); V = K; Q = K; attend");
    desk_close(desk);
}
END_TEST

START_TEST(settings_come_from_variables) {
    Desk *desk = desk_open();
    desk_do(desk, "name = \"relative 0.5\"; set position name");
    desk_shows(desk, "show position", "position    relative 0.5");
    desk_do(desk, "for p in [\"rope\", \"alibi\"]: set position (p)");
    desk_shows(desk, "show position", "position    alibi");
    desk_do(desk, "m = \"causal and window 2\"; set mask m; m = 3");
    desk_shows(desk, "show mask", "mask        causal and window 2");
    desk_do(desk, "w = 4; set mask f\"window {w}\"");
    desk_shows(desk, "show mask", "mask        window 4");
    desk_do(desk, "set mask (causal_mask(3) & window_mask(3, 1))");
    desk_do(desk, "Q = eye(3); K = Q; V = Q; p = \"rope\"; Q = ones(3, 4); K = Q; compare position "
                  "none p name;");
    desk_fails(desk, "set position (Q)", ERR_VALUE, "is no position");
    desk_close(desk);
}
END_TEST

START_TEST(mistakes_say_what_may_stand) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = Q; V = Q");
    desk_fails(desk, "attend Q K", ERR_SYNTAX, "attend Q K V");
    desk_fails(desk, "atend", ERR_NAME, "Did you mean attend?");
    desk_fails(desk, "x = attend(Q, K, V)", ERR_NAME, "attend is a command");
    desk_fails(desk, "attend Q causal", ERR_NAME, "write set mask causal; attend Q");
    desk_fails(desk, "attend Q from temperature 0.5", ERR_NAME, "set temperature 0.5");
    desk_fails(desk, "attend heads 2", ERR_NAME, "set heads 2");
    desk_fails(desk, "q @ K", ERR_NAME, "Did you mean Q?");
    desk_fails(desk, "set temp 1", ERR_NAME, "write set temperature 1");
    desk_fails(desk, "set temperature cold", ERR_NAME, "a number from 0, or inf");
    desk_fails(desk, "set palette virids", ERR_VALUE, "did you mean viridis?");
    desk_fails(desk, "set mask \"causal\"", ERR_TYPE, "write set mask causal");
    desk_fails(desk, "show M", ERR_NAME, "neither a setting nor a variable");
    desk_fails(desk, "plot Q to w.png", ERR_NAME, "Put it in quotes: \"w.png\"");
    desk_fails(desk, "plot Q to \"w.gif\"", ERR_VALUE, ".gif");
    ck_assert_int_eq(desk->err.caret, 10);
    desk_fails(desk, "plot 5", ERR_SHAPE, "single number");
    desk_close(desk);
}
END_TEST

START_TEST(reset_empties_the_bench) {
    Desk *desk = desk_open();
    desk_do(desk, inputs);
    desk_do(desk, "attend; set temperature 3; set mask causal; set digits 9; reset");
    desk_fails(desk, "last", ERR_NAME, "last");
    desk_fails(desk, "weights", ERR_NAME, "");
    desk_shows(desk, "show temperature", "temperature 1");
    desk_shows(desk, "Q.shape", "(3, 2)");
    desk_do(desk, "reset all");
    desk_fails(desk, "Q", ERR_NAME, "");
    desk_do(desk, "undo;");
    desk_shows(desk, "Q.shape", "(3, 2)");
    desk_close(desk);
}
END_TEST

/* Wherever memory fails. Chinese: each line is translated, with parts that are so themselves. */
START_TEST(an_explanation_is_whole_or_an_error) {
    static const char *const entries[] = {"why 0 1", "diagnose"};
    Desk *desk = desk_open();
    desk_do(desk, "set language zh; X = eye(3); attend X");
    for (size_t i = 0; i < 2; i++) {
        long first = mem_requests();
        desk_do(desk, entries[i]);
        long count = mem_requests() - first;
        char *whole = strdup(desk->shown.data);
        for (long n = 1; n <= count; n++) {
            mem_fail_at(n, false);
            bool ok = desk_run(desk, entries[i]);
            mem_fail_at(0, false);
            if (ok) ck_assert_str_eq(desk->shown.data, whole);
            else ck_assert_int_eq(desk->err.kind, ERR_LIMIT);
        }
        free(whole);
    }
    desk_do(desk, "set language en");
    desk_close(desk);
}
END_TEST

Suite *attend_suite(void) {
    Suite *suite = suite_create("attend");
    TCase *tests = tcase_create("attend");
    tcase_add_test(tests, queries_keys_and_values);
    tcase_add_test(tests, one_input_with_projections);
    tcase_add_test(tests, tokens_become_inputs);
    tcase_add_test(tests, own_vectors_follow_the_tokens);
    tcase_add_test(tests, own_vectors_give_way);
    tcase_add_test(tests, one_query_is_a_vector);
    tcase_add_test(tests, what_is_random_says_so_once);
    tcase_add_test(tests, vectors_of_a_person_stay);
    tcase_add_test(tests, what_is_shown_says_what_it_is_from);
    tcase_add_test(tests, a_mask_of_zeros_and_ones_is_noted);
    tcase_add_test(tests, labels_that_do_not_fit);
    tcase_add_test(tests, wrong_inputs);
    tcase_add_test(tests, the_answer_in_one_line);
    tcase_add_test(tests, the_numbers_of_the_answer);
    tcase_add_test(tests, a_misfit_keeps_the_setting);
    tcase_add_test(tests, assignments_at_a_prompt_answer);
    tcase_add_test(tests, masks_by_name_are_looked_up_at_each_run);
    tcase_add_test(tests, heads_are_shown_each);
    tcase_add_test(tests, words_give_way);
    tcase_add_test(tests, wrong_weights_would_be_said);
    tcase_add_test(tests, rows_without_keys_and_strange_numbers);
    tcase_add_test(tests, tokens_label_what_is_there);
    tcase_add_test(tests, scores_are_shown_before_the_mask);
    tcase_add_test(tests, answers_are_short);
    tcase_add_test(tests, what_was_written_is_said);
    tcase_add_test(tests, files_of_others_are_replaced_after_a_question);
    tcase_add_test(tests, files_are_replaced_where_the_answer_is_yes);
    tcase_add_test(tests, names_are_whole_in_a_narrow_terminal);
    tcase_add_test(tests, what_is_missing_is_named);
    tcase_add_test(tests, settings_come_from_variables);
    tcase_add_test(tests, mistakes_say_what_may_stand);
    tcase_add_test(tests, reset_empties_the_bench);
    tcase_add_test(tests, an_explanation_is_whole_or_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}

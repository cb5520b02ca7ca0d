/* Weights that are read late, or only some rows of: they are those of the run, whatever became of
 * the bench. */
#include "tests/session/desk.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/bench/measure.h"

Suite *late_suite(void);

/* More cells than are computed at once when they are shown. */
static const char large[] = "X = randn(300, 6); Y = randn(290, 6);\n";

/* ---- the same to the last bit ---- */

static const char *const setups[] = {
    "attend X;",
    "set temperature 0.3; set scale none; attend X from Y;",
    "set heads 3; set mask causal; attend X from Y;",
    "set mask window 70; set position relative 0.1; attend X;",
    "set heads 2; set mask padding 250 and causal; set position alibi; attend X;",
    "set position sinusoidal; attend X from Y;",
    "set position learned 100; attend X;",
    "set position rope; set heads 3; attend X;",
    "S = floor(arange(300) / 37); set mask segments S and window 30; attend X;",
    "M = randn(300, 300) > 0; set mask M; attend X;",
    "M = randn(2, 300, 290); set heads 2; set mask M and causal; attend X from Y;",
    "M = randn(1, 290); N = randn(300, 1) > 0; set mask M and N; attend X from Y;",
    ("Wq = randn(6, 8); Wk = randn(6, 8); Wv = randn(6, 4); Wo = randn(4, 6); set heads 2;"
     "attend X from Y;"),
    "Wq = randn(6, 8); Wk = randn(6, 8); set position sinusoidal; set mask causal; attend X;",
    "set temperature 0; attend X;",
    "set temperature inf; set mask window 3; attend X;",
    "X[7, 1] = nan; Y[200, 2] = inf; attend X from Y;",
    "Q = randn(300, 70); K = randn(500, 70); V = randn(500, 3); attend Q K V;",
    "attend (float32(X)) (float32(Y)) (float32(Y));",
    "set mask padding 0; attend X;",
};

static Desk *desk_with(const char *setup) {
    Desk *desk = desk_open();
    desk_do(desk, large);
    desk_do(desk, setup);
    return desk;
}

/* What changes everything that the run came from. */
static void turn_all(Desk *desk) {
    desk_do(desk, "set temperature 5; set mask window 1; set position none; set heads 1; set scale "
                  "7; set threads 1;");
    desk_do(desk, "X[0, 0] = 99; Y = X * 2; M = eye(2); N = M; S = [1, 2]; Q = eye(2); K = Q; V = "
                  "Q; Wq = eye(2); Wk = Wq; Wo = Wq; set seed 7;");
}

/* A run of the same bench that got its trace at once. */
static Run *traced_run(Desk *desk) {
    Session *session = desk->session;
    Run *run = bench_run(session, &session->bench.inputs, &session->bench.settings, TRACE_LATER,
                         &desk->err);
    ck_assert(run && !run_is_traced(run));
    attention_result_release(&run->result);
    ck_assert(attention_given_run(&run->given, &run->result, &run->trace, &desk->err));
    return run;
}

static void assert_same_bits(const char *setup, const Tensor *a, const Tensor *b) {
    ck_assert(a->dtype == b->dtype && shape_equal(&a->shape, &b->shape));
    ck_assert_msg(memcmp(a->data, b->data, a->count * dtype_size(a->dtype)) == 0,
                  "%s: some numbers differ", setup);
}

START_TEST(late_weights_are_those_of_the_run) {
    const char *setup = setups[_i];
    Desk *desk = desk_with(setup);
    Run *late = object_ref(desk->session->bench.run), *at_once = traced_run(desk);
    ck_assert(!run_is_traced(late));
    turn_all(desk);
    ck_assert(run_need_trace(late, &desk->err));
    assert_same_bits(setup, late->trace.weights, at_once->trace.weights);
    assert_same_bits(setup, late->trace.scores, at_once->trace.scores);
    assert_same_bits(setup, late->trace.visible, at_once->trace.visible);
    ck_assert(late->heads == at_once->heads && late->queries == at_once->queries &&
              late->keys == at_once->keys);
    ck_assert_uint_eq(late->d_k, late->trace.q->shape.size[late->trace.q->shape.axes - 1]);
    ck_assert_uint_eq(late->d_v, late->trace.v->shape.size[late->trace.v->shape.axes - 1]);
    object_unref(late);
    object_unref(at_once);
    desk_close(desk);
}
END_TEST

/* ---- some rows ---- */

static void assert_row(const char *setup, const Tensor *all, const Tensor *some, size_t row,
                       size_t at) {
    size_t bytes = all->shape.size[all->shape.axes - 1] * dtype_size(all->dtype);
    bool same = memcmp((const char *)all->data + row * bytes, (const char *)some->data + at * bytes,
                       bytes) == 0;
    ck_assert_msg(same, "%s: row %zu differs", setup, row);
}

static void check_rows(const char *setup, const Run *traced, RunRows *rows, size_t first,
                       size_t count) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(run_rows_take(rows, first, count, &err), "%s", err.message);
    for (size_t head = 0; head < traced->heads; head++)
        for (size_t query = first; query < first + count; query++) {
            size_t row = head * traced->queries + query, at = run_rows_at(rows, head, query);
            assert_row(setup, traced->trace.products, rows->trace->products, row, at);
            assert_row(setup, traced->trace.scores, rows->trace->scores, row, at);
            assert_row(setup, traced->trace.exponentials, rows->trace->exponentials, row, at);
            assert_row(setup, traced->trace.weights, rows->trace->weights, row, at);
            assert_row(setup, traced->trace.visible, rows->trace->visible, row, at);
            assert_row(setup, traced->trace.q, rows->trace->q, row, at);
        }
    assert_same_bits(setup, traced->trace.k, rows->trace->k);
    assert_same_bits(setup, traced->trace.v, rows->trace->v);
}

START_TEST(some_rows_are_those_of_the_whole) {
    static const size_t parts[][2] = {{0, 20}, {280, 20}, {0, 1},   {299, 1},
                                      {63, 2}, {17, 200}, {256, 44}};
    const char *setup = setups[_i];
    Desk *desk = desk_with(setup);
    RunRows rows;
    Run *late = object_ref(desk->session->bench.run), *traced = traced_run(desk);
    turn_all(desk);
    ck_assert(run_rows_init(&rows, late, &desk->err));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_rows(setup, traced, &rows, parts[i][0], parts[i][1]);
    run_rows_release(&rows);
    object_unref(late);
    object_unref(traced);
    desk_close(desk);
}
END_TEST

START_TEST(the_largest_weight_without_a_trace) {
    const char *setup = setups[_i];
    Desk *desk = desk_with(setup);
    Run *run = desk->session->bench.run;
    RunSummary late, traced;
    ck_assert(run_summary(run, &late, &desk->err) && !run_is_traced(run));
    run->max_weight = -1;
    ck_assert(run_need_trace(run, &desk->err) && run_summary(run, &traced, &desk->err));
    ck_assert(memcmp(&late.max_weight, &traced.max_weight, sizeof late.max_weight) == 0);
    desk_close(desk);
}
END_TEST

/* ---- what is shown ---- */

static void assert_shows_alike(Desk *desk, const char *command) {
    ck_assert(!run_is_traced(desk->session->bench.run));
    desk_do(desk, command);
    ck_assert_msg(!run_is_traced(desk->session->bench.run), "%s makes a trace", command);
    char *late = mem_string(desk->shown.data, desk->shown.length, NULL);
    Run *run = object_ref(desk->session->bench.run);
    ck_assert(run_need_trace(run, &desk->err));
    desk_shows(desk, command, late);
    attention_trace_release(&run->trace);
    object_unref(run);
    mem_free(late);
}

START_TEST(tables_and_workings_show_the_same) {
    Desk *desk = desk_with("Wq = randn(6, 4); Wk = randn(6, 4); set heads 2; set mask causal; set "
                           "position sinusoidal; attend X from Y;");
    assert_shows_alike(desk, "weights");
    assert_shows_alike(desk, "weights head 1");
    assert_shows_alike(desk, "scores");
    assert_shows_alike(desk, "trace -1 head 1");
    assert_shows_alike(desk, "why 100 7");
    assert_shows_alike(desk, "print(last)");
    assert_shows_alike(desk, "diagnose");
    assert_shows_alike(desk, "entropy");
    assert_shows_alike(desk, "plot entropy as text");
    desk_do(desk, "attend");
    ck_assert(!run_is_traced(desk->session->bench.run));
    ck_assert_ptr_nonnull(strstr(desk->shown.data, "rows 20 to 279 of 300 are not shown"));
    desk_close(desk);
}
END_TEST

START_TEST(who_reads_it_makes_it) {
    static const char *const readers[] = {"last.weights;",
                                          "last.scores;",
                                          "plot weights as text",
                                          "plot mask to \"m.csv\"",
                                          "plot scores to \"s.csv\"",
                                          "snapshot a; set temperature 2; diff a"};
    Desk *desk = desk_with("set heads 2; attend X;");
    desk_folder(desk);
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        desk_do(desk, "attend X;");
        ck_assert(!run_is_traced(desk->session->bench.run));
        desk_do(desk, readers[i]);
        ck_assert_msg(desk->session->bench.run->trace.weights, "%s makes no weights", readers[i]);
        bool attribute =
            strncmp(readers[i], "last.", 5) == 0; /* which keeps no more than is read */
        ck_assert_msg(run_is_traced(desk->session->bench.run) != attribute, "%s", readers[i]);
    }
    desk_do(desk, "X = randn(5, 4)\nattend X;");
    ck_assert(!run_is_traced(desk->session->bench.run));
    desk_do(desk, "weights");
    ck_assert(run_is_traced(desk->session->bench.run));
    desk_close(desk);
}
END_TEST

START_TEST(rows_without_numbers_are_told) {
    Desk *desk = desk_with("X[5, 0] = nan; Y[3, 0] = 2; set mask padding 200; attend X from Y;");
    desk_mentions(desk, "weights", "row 5 is nan: its scores are not all finite");
    ck_assert_ptr_null(strstr(desk->shown.data, "wrong"));
    desk_mentions(desk, "Y[3, 0] = nan; attend",
                  "row 2 is nan: its scores are not all finite\nand 297 rows more");
    desk_mentions(desk, "set mask padding 0; attend", "300 of 300 rows see no key");
    ck_assert(!run_is_traced(desk->session->bench.run));
    desk_close(desk);
}
END_TEST

/* Weights that were made for a table are checked as those of a trace are. */
START_TEST(wrong_rows_would_be_said) {
    Desk *desk = desk_with("set heads 2; set mask causal; attend X;");
    RunRows rows;
    Text text;
    text_init(&text);
    ck_assert(run_rows_init(&rows, desk->session->bench.run, &desk->err) &&
              run_rows_take(&rows, 10, 6, &desk->err));
    run_rows_check(&rows, 10, 6, &text);
    ck_assert_str_eq(text.data, "");
    for (size_t query = 10; query < 16; query++)
        tensor_set(rows.trace->weights, run_rows_at(&rows, 1, query) * 300 + 299, 0.5);
    run_rows_check(&rows, 10, 6, &text);
    ck_assert_ptr_nonnull(
        strstr(text.data, "wrong: row 10 of head 1 puts weight 0.5 on key 299, which the mask "
                          "hides\nwrong: row 10 of head 1 sums to 1.5, not 1\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "row 12 of head 1"));
    ck_assert_ptr_null(strstr(text.data, "row 13"));
    ck_assert_ptr_nonnull(strstr(text.data, "and 3 rows more"));
    text_release(&text);
    run_rows_release(&rows);
    desk_close(desk);
}
END_TEST

START_TEST(sweeps_and_pairs_hold_no_large_trace) {
    Desk *desk = desk_with("attend X;");
    desk_do(desk, "sweep temperature 0.5 2; compare temperature 0.5 2");
    const Session *session = desk->session;
    desk_folder(desk);
    for (size_t i = 0; i < session->bench.sweep->count; i++)
        ck_assert(!run_is_traced(session->bench.sweep->runs[i]));
    ck_assert(!run_is_traced(session->bench.compared->runs[0]) &&
              !run_is_traced(session->bench.compared->runs[1]));
    desk_do(desk, "plot sweep as text\nplot compare as text\nplot compare to \"c.csv\"");
    desk_do(desk, "compare temperature 0.5 1 2\nplot compare as text");
    ck_assert(!run_is_traced(session->bench.compared->runs[0]));
    Measures late = session->bench.sweep->measures[0], traced;
    Run *run = session->bench.sweep->runs[0];
    ck_assert(run_need_trace(run, &desk->err) && run_measures(run, &traced, &desk->err));
    ck_assert_double_eq(late.max_weight, traced.max_weight);
    ck_assert_double_eq_tol(late.variance, traced.variance, 1e-12);
    ck_assert_double_eq_tol(late.norm, traced.norm, 1e-12);
    ck_assert_double_eq_tol(late.share, traced.share, 1e-12);
    desk_close(desk);
}
END_TEST

/* ---- the way back ---- */

START_TEST(undo_and_snapshots_keep_late_runs) {
    Desk *desk = desk_with("attend X;");
    desk_do(desk,
            "first = last\nsnapshot a\nset temperature 3;\nX = X * 2\nattend;\nundo; undo; undo");
    ck_assert(!run_is_traced(desk->session->bench.run));
    desk_do(desk, "assert sum(abs(last.weights - softmax(X @ X.T / sqrt(6)))) < 1e-9");
    desk_do(desk, "redo; redo; redo\nassert sum(abs(last.weights - softmax(X @ X.T / sqrt(6), "
                  "temperature=3))) < 1e-9");
    desk_do(desk, "assert any(first.weights != last.weights); restore a\nassert all(first.weights "
                  "== last.weights)");
    desk_close(desk);
}
END_TEST

/* Only what undo holds a large trace of would make it forget the steps before. */
START_TEST(a_run_that_leaves_the_bench_loses_a_large_trace) {
    Desk *desk = desk_with("attend X; first = last; large = last.weights;");
    Run *run = object_ref(desk->session->bench.run);
    ck_assert(run->trace.weights);
    desk_do(desk, "set temperature 2;");
    ck_assert(!run->trace.weights);
    desk_do(desk, "assert all(first.weights == large)\nundo;\nassert all(last.weights == large)");
    object_unref(run);
    desk_do(desk, "X = eye(3); attend; first = last; weights");
    run = object_ref(desk->session->bench.run);
    desk_do(desk, "set temperature 3;");
    ck_assert(run_is_traced(run));
    object_unref(run);
    desk_close(desk);
}
END_TEST

/* ---- failures ---- */

static void assert_reads(Desk *desk, const char *text) {
    char *before = desk_state(desk);
    bool ok = false;
    for (long n = 1; !ok; n++) {
        ck_assert_int_lt(n, 400);
        mem_fail_at(n, false);
        ok = desk_run(desk, text);
        mem_fail_at(0, false);
        if (ok) break;
        char *after = desk_state(desk);
        ck_assert_msg(desk->err.kind == ERR_LIMIT && strcmp(before, after) == 0,
                      "%s, allocation %ld: %s", text, n, desk->err.message);
        mem_free(after);
    }
    mem_free(before);
}

START_TEST(no_memory_at_the_late_reading) {
    static const char *const readers[] = {"assert last.weights[0, 0, 0] >= 0",
                                          "assert last.scores.shape == (2, 300, 290)",
                                          "weights",
                                          "trace 3",
                                          "why 3 4",
                                          "plot weights as text"};
    Desk *desk = desk_with("Wq = randn(6, 4); Wk = randn(6, 4); set heads 2; set position "
                           "sinusoidal; attend X from Y;");
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        attention_trace_release(&desk->session->bench.run->trace);
        assert_reads(desk, readers[i]);
    }
    desk_close(desk);
}
END_TEST

START_TEST(an_interrupt_leaves_it_unread) {
    Desk *desk = desk_with("attend X;");
    Run *run = desk->session->bench.run;
    RunSummary summary;
    interrupt_flag = 1;
    ck_assert(!run_need_trace(run, &desk->err) && desk->err.kind == ERR_INTERRUPT &&
              !run_is_traced(run));
    interrupt_flag = 1;
    ck_assert(!run_summary(run, &summary, &desk->err) && desk->err.kind == ERR_INTERRUPT &&
              run->max_weight < 0);
    interrupt_flag = 0;
    desk_do(desk, "assert sum(abs(last.weights - softmax(X @ X.T / sqrt(6)))) < 1e-9");
    desk_close(desk);
}
END_TEST

Suite *late_suite(void) {
    Suite *suite = suite_create("late");
    TCase *tests = tcase_create("late");
    int count = sizeof setups / sizeof *setups;
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, late_weights_are_those_of_the_run, 0, count);
    tcase_add_loop_test(tests, some_rows_are_those_of_the_whole, 0, count);
    tcase_add_loop_test(tests, the_largest_weight_without_a_trace, 0, count);
    tcase_add_test(tests, tables_and_workings_show_the_same);
    tcase_add_test(tests, who_reads_it_makes_it);
    tcase_add_test(tests, rows_without_numbers_are_told);
    tcase_add_test(tests, wrong_rows_would_be_said);
    tcase_add_test(tests, sweeps_and_pairs_hold_no_large_trace);
    tcase_add_test(tests, undo_and_snapshots_keep_late_runs);
    tcase_add_test(tests, a_run_that_leaves_the_bench_loses_a_large_trace);
    tcase_add_test(tests, no_memory_at_the_late_reading);
    tcase_add_test(tests, an_interrupt_leaves_it_unread);
    suite_add_tcase(suite, tests);
    return suite;
}

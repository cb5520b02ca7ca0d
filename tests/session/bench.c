/* What the commands of the bench keep, and bring back. What they print is read in tests/commands.
 */
#include "tests/session/desk.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "io/file.h"
#include "session/explain/derivation.h"
#include "session/models/inspection.h"

#include <math.h>
#include <stdio.h>

Suite *bench_suite(void);

#define INPUTS "Q = randn(4, 6); K = randn(5, 6); V = randn(5, 3)\nattend Q K V;\n"

/* ---- reset ---- */

START_TEST(reset_empties_the_bench) {
    Desk *desk = desk_open();
    const Session *session = desk->session;
    desk_do(desk, INPUTS "sweep temperature;\ncompare temperature 1 2;\nsnapshot a");
    desk_do(desk, "reset");
    ck_assert(!session->bench.run && !session->bench.sweep && !session->bench.compared &&
              session->bench.inputs.kind == INPUTS_NONE);
    desk_do(desk, "restore a;\nassert Q.shape == (4, 6)");
    desk_do(desk, "undo; undo;");
    ck_assert(session->bench.run && session->bench.sweep && session->bench.compared);
    desk_do(desk, "reset all");
    ck_assert(!session->bench.snapshots);
    desk_fails(desk, "restore a", ERR_NAME, "there is no snapshot a");
    desk_do(desk, "undo;\nrestore a;\nassert Q.shape == (4, 6)");
    desk_close(desk);
}
END_TEST

/* ---- progress ---- */

static Text told;
static bool interrupts; /* Ctrl-C comes in the middle */

static void tell(Host *host, const char *line, double done) {
    (void)host;
    text_format(&told, "%s %.2f, ", line, done);
    if (interrupts && done > 0) interrupt_flag = 1;
}

/* A window that is swept is none of them. */
START_TEST(pictures_name_the_settings_that_runs_share) {
    Desk *desk = desk_open();
    desk->host.columns = 200;
    desk_do(desk, INPUTS "set mask causal and window 2; sweep window 1 3;");
    desk_mentions(desk, "plot sweep as text", "scale sqrt, mask causal, ");
    desk_do(desk, "set mask window 2 and causal; sweep window 1 3;");
    desk_mentions(desk, "plot sweep as text", "scale sqrt, mask causal, ");
    desk_do(desk, "set mask window 2; sweep window 1 3;");
    desk_mentions(desk, "plot sweep as text", "scale sqrt, mask none, ");
    desk_mentions(desk, "show mask", "window 2");
    desk_do(desk, "compare temperature 1 2; set mask none;");
    desk_mentions(desk, "plot compare as text",
                  "scale sqrt, mask window 2, position none, heads 1");
    desk_close(desk);
}
END_TEST

START_TEST(a_sweep_says_how_far_it_is) {
    Desk *desk = desk_open();
    text_init(&told);
    desk->host.progress = tell;
    desk_do(desk, INPUTS "sweep heads 1 3");
    ck_assert_ptr_nonnull(strstr(told.data, "sweep 0% ░░░░░░░░░░░░░░░░░░░░░░░░  0.00, "));
    ck_assert_ptr_nonnull(strstr(told.data, "sweep 50% ████████████░░░░░░░░░░░░ 0:0"));
    ck_assert_ptr_nonnull(strstr(told.data, " left 0.50, sweep 100% ████"));
    text_clear(&told);
    interrupts = true;
    desk_fails(desk, "sweep temperature 1 2", ERR_INTERRUPT, "");
    interrupts = false;
    interrupt_flag = 0;
    ck_assert_ptr_nonnull(strstr(told.data, "sweep 9% ██"));
    ck_assert_ptr_nonnull(strstr(told.data, "sweep 100% ████"));
    text_release(&told);
    desk_close(desk);
}
END_TEST

/* ---- snapshots ---- */

START_TEST(restore_gives_the_same_run_again) {
    Desk *desk = desk_open();
    desk_do(desk, "X = randn(4, 6); M = tril(ones((4, 4))) > 0\nset mask M; set temperature "
                  "0.5;\nattend X;\nbefore = last.weights\nsnapshot a");
    desk_do(desk, "Wq = randn(6, 6); X = X * 2; M = eye(4) > 0; set mask causal; set temperature "
                  "3; set heads 2;\nattend X;");
    desk_do(desk, "restore a;\nassert all(last.weights == before)");
    desk_fails(desk, "Wq", ERR_NAME, "Wq is not defined");
    desk_shows(desk, "show mask", "mask        M");
    desk_do(desk, "attend;\nassert all(last.weights == before)"); /* and it can be computed anew */
    desk_shows(desk, "undo; undo; undo; Wq.shape; X.shape",
               "undone: attend;\nundone: restore a;\nundone: attend X;\n(6, 6)\n(4, 6)");
    desk_close(desk);
}
END_TEST

START_TEST(restore_goes_back_before_the_first_attend) {
    Desk *desk = desk_open();
    desk_do(desk,
            "set temperature 2; snapshot early\n" INPUTS "set temperature 3;\nrestore early;");
    ck_assert(!desk->session->bench.run && desk->session->bench.inputs.kind == INPUTS_NONE);
    desk_shows(desk, "show temperature", "temperature 2");
    desk_fails(desk, "last", ERR_NAME, "last is not defined");
    desk_fails(desk, "weights", ERR_NAME, "attend");
    desk_shows(desk, "undo; show temperature; last.weights.shape",
               "undone: restore early;\ntemperature 3\n(4, 5)");
    desk_close(desk);
}
END_TEST

START_TEST(diff_says_what_became_of_an_input) {
    Desk *desk = desk_open();
    desk_do(desk, INPUTS "snapshot a\nQ = Q + 0\nattend Q K V;");
    desk_do(desk, "diff a");
    ck_assert_msg(!strstr(desk->shown.data, "has changed"), "%s", desk->shown.data);
    desk_mentions(desk, "Q = Q * 2\ndiff a", "Q has changed\n");
    desk_mentions(desk, "diff a", "heads 1\n(before Q changed)\n");
    desk_mentions(desk, "Q = randn(2, 6)\ndiff a", "Q has changed from 4×6 to 2×6\n");
    desk_mentions(desk, "Q = 3\ndiff a", "Q has changed from 4×6 to a number\n");
    desk_mentions(desk, "del Q\ndiff a", "Q has changed from 4×6 to nothing\n");
    desk_close(desk);
}
END_TEST

START_TEST(diff_says_that_inputs_are_others) {
    Desk *desk = desk_open();
    desk_do(desk,
            INPUTS "snapshot a\nX = randn(4, 4); attend X;\nsnapshot b\nX = X + 1; Q = Q + 1");
    desk_do(desk, "diff a b");
    ck_assert_msg(strstr(desk->shown.data, "a: Q 4×6 K 5×6 V 5×3\nb: X 4×4\n") == desk->shown.data,
                  "%s", desk->shown.data);
    desk_mentions(desk, "diff b", "X has changed\n");
    ck_assert_msg(!strstr(desk->shown.data, "b: "), "%s", desk->shown.data);
    desk_do(desk, EXAMPLE_MODEL "inspect m \"the cat\"; head 0 0;\nsnapshot h\n"
                                "head 0 0;");
    desk_do(desk, "diff h");
    ck_assert_msg(!strstr(desk->shown.data, "h: head"), "%s", desk->shown.data);
    desk_do(desk, "inspect m \"the sat\"; head 0 0;");
    desk_mentions(desk, "diff h", "h: head 0 0 of m: the cat\nnow: head 0 0 of m: the sat\n");
    desk_mentions(desk, "inspect m \"the\"; head 0 0;\ndiff h", " ·           ·\nmax weight");
    desk_close(desk);
}
END_TEST

START_TEST(a_snapshot_is_what_it_was) {
    Desk *desk = desk_open();
    desk_do(desk, INPUTS
            "kept = last.weights\nsnapshot a\nQ[0, 0] = 100; K += 1\nset temperature 9;\nattend;");
    desk_do(desk, "snapshot b\nrestore a;\nassert all(last.weights == kept) and Q[0, 0] != "
                  "100\nrestore b;\nassert Q[0, 0] == 100");
    desk_do(desk, "undo; undo; undo; undo; undo; undo; redo; redo; redo; redo; redo; redo;\nassert "
                  "Q[0, 0] == 100");
    desk_close(desk);
}
END_TEST

/* ---- state ---- */

static const char *const states[] = {
    "set temperature 1 / 3; set scale 1 / 7; set heads 3",
    "set temperature inf; set mask causal and window 4 and padding 3",
    "set mask segments [0, 0, 1, 1]; set position relative [0.1, 0, -1 / 3]",
    "set mask (randn(12, 12)); set position learned 2", /* more than a screen shows */
    "set mask (eye(9) > 0) and ([0, -inf, 0.1])",
    "own = eye(4) > 0; set mask own and causal; set position relative (1 / 3)",
    "set tokens [\"it's\", 'say \"no\"', \"tab\\there\", \"line\\nbreak\", \"back\\\\slash\", "
    "\"中文\", \"{x}\", \"#\"]; set position rope",
    "set tokens \"the cat\" from [\"a b\", \"\"]; set seed 12345678901; set digits 17; set palette "
    "grey; set color never; set language zh; set threads 1",
    "set temperature 0; set scale -2.5; set position alibi 0.3",
};

START_TEST(state_sets_it_all_again) {
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        Desk *desk = desk_open();
        desk_do(desk, states[i]);
        desk_do(desk, "state");
        char *line = mem_string(desk->shown.data, desk->shown.length, NULL),
             *before = desk_state(desk);
        desk_do(desk, "temperature = 5"); /* names that settings have are no hindrance */
        desk_do(desk, "undo;");
        for (const SettingDef *row = setting_table; row->name; row++) {
            char unset[60];
            snprintf(unset, sizeof unset, "unset %s;", row->name);
            desk_do(desk, unset);
        }
        Settings fresh;
        settings_init(&fresh);
        ck_assert_msg(settings_equal(&fresh, &desk->session->bench.settings),
                      "unset leaves something of %s", states[i]);
        settings_release(&fresh);
        desk_do(desk, line);
        char *after = desk_state(desk);
        size_t same = (size_t)(strstr(before, "\ninputs ") - before);
        ck_assert_msg(strncmp(before, after, same) == 0,
                      "%s\nfrom the state\n%s\ngives\n%s\nnot\n%s", line, states[i], after, before);
        mem_free(line);
        mem_free(before);
        mem_free(after);
        desk_close(desk);
    }
}
END_TEST

/* ---- what undo holds ---- */

START_TEST(undo_counts_sweeps_pairs_and_snapshots) {
    static const char *const entries[] = {"sweep temperature 0.1 10;", "compare temperature 1 2;",
                                          "attend;\nsnapshot a",
                                          "attend Q Q Q;\nsnapshot b;\nrestore b;"};
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
        Desk *desk = desk_open();
        size_t used = 0;
        desk_do(desk, "Q = randn(400, 4)\nattend Q Q Q;");
        for (int i = 0; i < 60; i++) {
            desk_do(desk, entries[e]);
            if (mem_used() > used) used = mem_used();
        }
        ck_assert_uint_le(desk->session->undo.bytes, UNDO_BYTES_MAX);
        ck_assert_msg(used < UNDO_BYTES_MAX + ((size_t)100 << 20), "60 times %s took %zu bytes",
                      entries[e], used);
        desk_close(desk);
    }
}
END_TEST

/* ---- save session ---- */

static char *saved(Desk *desk, const char *command) {
    Error err = {.kind = ERR_NONE};
    Text text, path;
    text_init(&text);
    text_init(&path);
    desk_do(desk, command);
    path_join(&path, desk->session->interp.directory, "x.md");
    ck_assert(file_read(path.data, 0, &text, &err));
    text_release(&path);
    return text_take(&text, &err);
}

static void saved_holds(Desk *desk, const char *command, const char *part, bool wanted) {
    char *text = saved(desk, command);
    ck_assert_msg((strstr(text, part) != NULL) == wanted, "%s\nwrites\n%s\n%s %s", command, text,
                  wanted ? "without" : "with", part);
    mem_free(text);
}

START_TEST(save_session_does_what_was_seen) {
    Desk *desk = desk_open();
    desk_folder(desk);
    desk->host.interactive = true;
    desk_do(desk, "Q = K = V = [[1, 2], [3, 4]]\nattend;\nQ = [[0, 1], [1, 0]];\nA = last.weights");
    saved_holds(desk, "save session \"x.md\" --force",
                "```attn\nQ = [[0, 1], [1, 0]]; attend;\n```\n", true);
    desk_do(desk, "K[0, 0] = 5 # a comment\nif True:\n    V[0, :] = 1\n\n1 + 1\nprint(\"no "
                  "\\x1b[1mcolour\")");
    saved_holds(desk, "save session \"x.md\" --force", "K[0, 0] = 5; attend;\n```\n", true);
    saved_holds(desk, "save session \"x.md\" --force", "    V[0, :] = 1\nattend;\n```\n", true);
    saved_holds(desk, "save session \"x.md\" --force", "1 + 1\n```\n\n```attn output\n2\n```\n",
                true);
    saved_holds(desk, "save session \"x.md\" --force", "```attn output\nno colour\n```\n", true);
    desk_do(desk, "plot A");
    saved_holds(desk, "save session \"x.md\" --force", "```attn output picture Heatmap: A. 2 rows",
                true);
    saved_holds(desk, "save session \"x.md\" --force", "\033", false);
    desk_close(desk);
}
END_TEST

START_TEST(save_session_loses_nothing) {
    Desk *desk = desk_open();
    desk_file(desk, "empty.attn", "");
    desk_file(desk, "saving.attn", "save session \"x.md\"\n");
    desk_do(desk, "x = 1\ny = \"```\"\n");
    saved_holds(desk, "save session \"x.md\"", "```attn\nx = 1\n```", true);
    saved_holds(desk, "save session \"x.md\"", "````attn\ny = \"```\"\n````", true);
    saved_holds(desk, "save session \"x.md\"", "save session", false);
    desk_fails_whole(desk, "x = 2; save session \"x.md\"", ERR_VALUE);
    desk_fails(desk, "set temperature 2; save session \"x.md\"", ERR_VALUE, "line of its own");
    desk_do(desk, "save session \"x.md\"; z = 3");
    saved_holds(desk, "save session \"x.md\"", "z = 3", true);
    desk_do(desk, "run \"saving.attn\"");
    saved_holds(desk, "save session \"x.md\"", "run \"saving.attn\"", true);
    desk_fails(desk, "save session \"x.txt\"", ERR_VALUE, ".md");
    desk_fails(desk, "save session \"none/x.md\"", ERR_FILE, "none");
    desk_close(desk);
}
END_TEST

/* ---- places that do not begin at 0 ---- */

/* No command sets an offset yet: the run is made again with one. */
static void run_with_offset(Run *run, long long offset) {
    Error err = {.kind = ERR_NONE};
    attention_result_release(&run->result);
    attention_trace_release(&run->trace);
    run->given.spec.offset = offset;
    ck_assert(attention_given_run(&run->given, &run->result, NULL, &err));
}

static void check_line(Desk *desk, const char *setting, long long offset, const char *part) {
    Error err = {.kind = ERR_NONE};
    Derivation d;
    Text out;
    desk_do(desk, setting);
    desk_do(desk, "attend Q K V;");
    run_with_offset(desk->session->bench.run, offset);
    ck_assert(derivation_init(&d, desk->session, desk->session->bench.run, 0, 1, &err));
    text_init(&out);
    Working working = {.out = &out, .digits = 4};
    ck_assert(derivation_write_query(&d, &working, &err));
    ck_assert_msg(strstr(out.data, part) != NULL, "%s at offset %lld: %s does not hold %s", setting,
                  offset, out.data, part);
    text_release(&out);
    derivation_release(&d);
}

START_TEST(workings_know_the_offset) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = [1, 0; 2, 1]; K = [1, 0; 0, 1]; V = K");
    check_line(
        desk, "set position sinusoidal", 2,
        "q = Q[1] + position = [2, 1] + [0.1411, -0.99] ≈ [2.141, 0.01001]\n"); /* sin 3, cos 3 */
    check_line(desk, "set position rope", 2,
               "its first two columns by 3 rad: 2×cos(3) - 1×sin(3) = -2.121\n");
    check_line(desk, "set position rope", 1234567,
               "by 1234568 rad: 2×cos(1234568) - 1×sin(1234568) = ");
    check_line(desk, "set position none", 2, "q = Q[1] = [2, 1]\n");
    desk_close(desk);
}
END_TEST

START_TEST(masks_and_distances_know_the_offset) {
    Desk *desk = desk_open();
    Error err = {.kind = ERR_NONE};
    Derivation d;
    desk_do(
        desk,
        "Q = eye(3); K = eye(3); V = K\nset mask causal; set position relative 1;\nattend Q K V;");
    run_with_offset(desk->session->bench.run, 1);
    ck_assert(derivation_init(&d, desk->session, desk->session->bench.run, 0, 0, &err));
    ck_assert(d.visible[0] && d.visible[1] && !d.visible[2] && d.visible_count == 2);
    ck_assert_double_eq(d.position[0], -1);
    ck_assert_double_eq(d.position[1], 0);
    derivation_release(&d);
    desk_close(desk);
}
END_TEST

Suite *bench_suite(void) {
    Suite *suite = suite_create("bench");
    TCase *tests = tcase_create("bench");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, reset_empties_the_bench);
    tcase_add_test(tests, pictures_name_the_settings_that_runs_share);
    tcase_add_test(tests, a_sweep_says_how_far_it_is);
    tcase_add_test(tests, restore_gives_the_same_run_again);
    tcase_add_test(tests, restore_goes_back_before_the_first_attend);
    tcase_add_test(tests, diff_says_what_became_of_an_input);
    tcase_add_test(tests, diff_says_that_inputs_are_others);
    tcase_add_test(tests, a_snapshot_is_what_it_was);
    tcase_add_test(tests, state_sets_it_all_again);
    tcase_add_test(tests, undo_counts_sweeps_pairs_and_snapshots);
    tcase_add_test(tests, save_session_does_what_was_seen);
    tcase_add_test(tests, save_session_loses_nothing);
    tcase_add_test(tests, workings_know_the_offset);
    tcase_add_test(tests, masks_and_distances_know_the_offset);
    suite_add_tcase(suite, tests);
    return suite;
}

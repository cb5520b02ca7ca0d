/* Models in a session: what undo, errors and Ctrl-C leave of a training, and what is said of it. */
#include "tests/session/desk.h"

#include "base/interrupt.h"
#include "base/utf8.h"
#include "engine/tensor/threads.h"

#include <stdio.h>

Suite *models_suite(void);

static const char prepare[] =
    "t = task(\"copy\", length=2, vocab=3)\n"
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=1, layers=1, d_ff=4)\n"
    "def total(model): return sum([sum(p) for p in [model.parameters[n] for n in "
    "model.parameters]])\n"
    "first = total(m)\n";

static Desk *desk_with_model(void) {
    Desk *desk = desk_open();
    desk_do(desk, prepare);
    return desk;
}

START_TEST(undo_takes_a_training_back) {
    Desk *desk = desk_with_model();
    desk_do(desk, "alias = m\nother = copy(m)");
    desk_do(desk, "train m on t for 2 steps batch 2;");
    desk_do(desk, "second = total(m)\nassert second != first and total(alias) == second");
    desk_do(desk, "assert total(other) == first and other.steps == 0");
    desk_do(desk, "for i in range(2): r = train(m, t, steps=1, batch=2)");
    desk_do(desk, "assert m.steps == 4 and alias.steps == 4");
    desk_do(desk, "undo;\nassert m.steps == 2 and total(m) == second");
    desk_do(desk, "redo;\nassert m.steps == 4");
    desk_do(desk, "undo;\nundo;\nassert m.steps == 2"); /* second = ... */
    desk_do(desk, "undo;\nassert m.steps == 0 and total(m) == first and total(alias) == first");
    desk_do(desk, "redo;\nassert m.steps == 2 and alias.steps == 2");
    desk_close(desk);
}
END_TEST

/* At temperature 0 the options of drawing do nothing, which is said once. */
START_TEST(options_of_drawing_without_a_temperature) {
    Desk *desk = desk_with_model();
    desk_do(desk, "generate(m, \"ab\", temperature=1, top_k=2, seed=1)");
    ck_assert_uint_eq(desk->notes.length, 0);
    desk_do(desk, "generate(m, \"ab\", top_k=2, seed=1)");
    ck_assert_ptr_nonnull(
        strstr(desk->notes.data, "so top_k changes nothing: temperature=1 draws"));
    desk_do(desk, "generate(m, \"ab\", seed=2)");
    ck_assert_uint_eq(desk->notes.length, 0);
    desk_close(desk);
}
END_TEST

START_TEST(mistakes_are_marked_at_their_value) {
    Desk *desk = desk_with_model();
    static const char *const values[][2] = {
        {"rate", "nan"}, {"rate", "0"}, {"batch", "0"}, {"clip", "-1"}, {"smoothing", "1"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char line[80];
        snprintf(line, sizeof line, "train m on t for 10 steps %s %s", values[i][0], values[i][1]);
        desk_fails(desk, line, ERR_VALUE, "");
        ck_assert_int_eq(desk->err.caret, (int)(strlen(line) - strlen(values[i][1])));
        ck_assert_int_eq(desk->err.caret_width, (int)strlen(values[i][1]));
    }
    desk_fails(desk, "train m on t for 0 steps", ERR_VALUE, "at least 1 step");
    ck_assert_int_eq(desk->err.caret, 17);
    desk_fails(desk, "train(m, t, steps=0)", ERR_VALUE, "at least 1 step");
    desk_fails(desk, "plot m.history", ERR_TYPE, "plot loss draws");
    desk_fails(desk, "plot m.history", ERR_TYPE, "or plot m.history.loss");
    desk_do(desk, "train m on t for 2 steps batch 2;\nplot m.history.loss");
    desk_close(desk);
}
END_TEST

START_TEST(an_error_takes_the_entry_back) {
    Desk *desk = desk_with_model();
    desk_fails(desk, "train m on t for 1 step batch 2; 1 + \"a\"", ERR_TYPE, "");
    desk_do(desk, "assert m.steps == 0 and total(m) == first");
    desk_fails(desk, "m.parameters[\"embed\"] = m.parameters.embed * 2; nothing_such", ERR_NAME,
               "");
    desk_do(desk, "assert total(m) == first");
    desk_fails(desk, "train m on t for 9 steps batch 2 rate 1e9 clip 0 warmup 0", ERR_VALUE,
               "clip=1");
    desk_do(desk, "assert m.steps == 0 and total(m) == first");
    desk_do(desk, "try: train(m, t, steps=9, batch=2, rate=1e9, clip=0, warmup=0)\n"
                  "except ValueError as x: words = x.message\n"
                  "assert \"step \" in words and m.steps > 0");
    desk_close(desk);
}
END_TEST

START_TEST(a_model_is_one_even_while_it_learns) {
    Desk *desk = desk_with_model();
    desk_do(desk,
            "def nested():\n    train(m, t, steps=1, batch=2)\n    return randint(0, 3, 2), [1]\n");
    desk_do(desk, "n = task(nested, tokens=range(3))"); /* drawing for the task may train m */
    desk_do(desk,
            "k = transformer(\"decoder\", vocab=n.vocab, d_model=4, heads=1, layers=1, d_ff=4)");
    desk_do(desk, "train k on n for 1 step batch 2;\nassert k.steps == 1");
    desk_do(desk, "def itself():\n    if learning: k.parameters[\"embed\"] = k.parameters.embed\n"
                  "    return randint(0, 3, 2), [1]\n");
    desk_do(desk, "learning = False\nn = task(itself, tokens=range(3))\nlearning = True");
    desk_fails(desk, "train k on n for 1 step", ERR_VALUE, "this model is being trained");
    desk_do(desk,
            "def copies():\n    if learning: c = copy(k)\n    return randint(0, 3, 2), [1]\n");
    desk_do(desk, "learning = False\nn = task(copies, tokens=range(3))\nlearning = True");
    desk_fails(desk, "train k on n for 1 step", ERR_VALUE, "this model is being trained");
    desk_close(desk);
}
END_TEST

/* ---- what is said ---- */

static int lines, widest;
static double done_last;
static bool interrupts;

static void watch(Host *host, const char *line, double done) {
    (void)host;
    int width = (int)utf8_width(line, strlen(line));
    lines++;
    if (width > widest) widest = width;
    done_last = done;
    if (interrupts && lines == 3) interrupt_flag = 1;
}

START_TEST(progress_fits_and_ends) {
    const int columns[] = {20, 40, 80, 200};
    Desk *desk = desk_with_model();
    desk->host.progress = watch;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        desk->host.columns = columns[i];
        lines = widest = 0;
        desk_mentions(desk, "train m on t for 5 steps batch 2", "5 steps in ");
        ck_assert_int_eq(lines, 6);
        ck_assert_int_lt(widest, columns[i]);
        ck_assert_double_eq(done_last, 1);
    }
    desk_close(desk);
}
END_TEST

START_TEST(an_interrupt_keeps_what_was_learned) {
    Desk *desk = desk_with_model();
    desk->host.progress = watch;
    lines = 0;
    interrupts = true;
    desk_fails(desk, "train m on t for 500 steps batch 2", ERR_INTERRUPT, "stopped after 3 steps");
    interrupts = false;
    interrupt_flag = 0;
    ck_assert_double_eq(done_last, 1);
    desk_do(desk, "assert m.steps == 3\nundo;\nassert m.steps == 0 and total(m) == first");
    desk_close(desk);
}
END_TEST

START_TEST(plot_loss_is_of_the_last_trained) {
    Desk *desk = desk_with_model();
    desk_fails(desk, "plot loss", ERR_NAME, "no model was trained yet");
    desk_do(desk,
            "train m on t for 2 steps batch 2;\nk = copy(m)\nr = train(k, t, steps=3, batch=2)");
    desk_mentions(desk, "plot loss as text", "5");
    desk_do(desk, "loss = [1, 2]");
    desk_do(desk, "plot loss as text");
    ck_assert(strstr(desk->notes.data, "your variable loss"));
    desk_close(desk);
}
END_TEST

/* Appends the last column of a .csv as a list, of the rows that begin so. */
static void write_column(Desk *desk, const char *name, const char *beginning, Text *out) {
    char path[300], line[300];
    snprintf(path, sizeof path, "%s/%s", desk->session->interp.directory, name);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file)); /* the head */
    text_char(out, '[');
    while (fgets(line, sizeof line, file))
        if (strncmp(line, beginning, strlen(beginning)) == 0)
            text_format(out, "%.*s, ", (int)strcspn(strrchr(line, ',') + 1, "\n"),
                        strrchr(line, ',') + 1);
    text_char(out, ']');
    fclose(file);
}

/* Asserts that these are the numbers of an expression. */
static void column_is(Desk *desk, const char *name, const char *beginning, const char *expected) {
    Text text = TEXT_EMPTY;
    text_string(&text, "abs(array(");
    write_column(desk, name, beginning, &text);
    text_format(&text, ") - (%s)).max() < 1e-5", expected);
    desk_shows(desk, text.data, "True");
    text_release(&text);
}

START_TEST(loss_of_several_models) {
    Desk *desk = desk_open();
    desk_folder(desk);
    desk_do(desk,
            "t = task(\"copy\", length=3, vocab=4)\n"
            "m = transformer(\"decoder\", vocab=t.vocab, d_model=8, heads=2, layers=1, d_ff=8)\n"
            "n = copy(m)\ntrain m on t for 100 steps;\ntrain n on t for 5 steps;\n"
            "plot loss of m, n to \"loss.csv\"");
    column_is(desk, "loss.csv", "m: training", "m.history.loss");
    column_is(desk, "loss.csv", "n: training", "n.history.loss");
    column_is(desk, "loss.csv", "m: held-out", "[x for x in m.history.held_loss if not isnan(x)]");
    desk_mentions(desk, "plot loss of n", "loss of n\n");
    desk_mentions(desk, "def loss(w): return w\nplot loss of n", "loss of n\n");
    desk_fails(desk, "plot loss of m, 3", ERR_TYPE, "3 is no model");
    desk_fails(desk, "plot loss of m, copy(transformer(vocab=t.vocab))", ERR_NAME,
               "not trained yet");
    desk_close(desk);
}
END_TEST

/* The pictures of lens, rollout and saliency have the numbers and the title of the tables. */
START_TEST(origins_are_drawn) {
    static const struct {
        const char *name, *column, *mark;
    } tables[] = {{"lens", "probability", "answer"},
                  {"rollout", "share", NULL},
                  {"saliency", "saliency", "without"},
                  {"attribute", "direct", "ablated"}};
    Desk *desk = desk_open();
    desk_folder(desk);
    desk_fails(desk, "plot lens", ERR_VALUE, "inspect");
    desk_do(desk, "inspect pronoun \"The dog chase the cat because it was too tired\";");
    desk_do(desk, "lens; assert \"answer\" not in last.table; set answer \"cat\" against \"dog\"");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *thing = i == 3 ? "attribution" : tables[i].name;
        for (int place = 0; place < 2; place++) {
            char line[200];
            const char *at = place ? " at 2" : "";
            snprintf(line, sizeof line, "%s%s;\nasked = last.table\nplot %s%s to \"t.csv\"",
                     tables[i].name, at, thing, at);
            desk_do(desk, line);
            desk_do(desk, "rows = open(\"t.csv\").read().strip().split(\"\\n\")[1:]\n"
                          "rows = [r.split(\",\")[1:] for r in rows]");
            snprintf(line, sizeof line,
                     "assert abs(array([float(r[0]) for r in rows]) - asked.%s).max() < 1e-5",
                     tables[i].column);
            desk_do(desk, line);
            snprintf(
                line, sizeof line,
                "assert all([(r[1] == \"nan\") == isnan(x) and not abs(float(r[1]) - x) > 1e-9 "
                "for r, x in zip(rows, asked.%s)])",
                tables[i].mark);
            if (tables[i].mark) desk_do(desk, line);
            snprintf(line, sizeof line, "print(asked.of); plot %s%s as text", thing, at);
            desk_do(desk, line);
            size_t length = strcspn(desk->shown.data, "\n");
            ck_assert_msg(strncmp(desk->shown.data + length + 1, desk->shown.data, 20) == 0, "%s",
                          desk->shown.data);
        }
    }
    desk_fails(desk, "plot lens at 50", ERR_VALUE, "there is no place 50");
    desk_fails(desk, "plot lens 3 4", ERR_SYNTAX, "");
    desk_mentions(desk, "lens = [1, 2]; plot lens as text", "│");
    desk_close(desk);
}
END_TEST

/* plot effects draws the map of ablate each and patch each, with their names and title. */
START_TEST(effects_are_drawn) {
    static const char *const commands[][2] = {
        {"ablate each;", "[\"\"] + [f\"head {h}\" for h in range(2)] + [\"mlp\"]"},
        {"patch each z from \"b b c\";", "[\"\", \"head 0\", \"head 1\"]"},
        {"patch each resid_pre from \"b b c\";", "[\"\", \"a\", \"b\", \"c\", \"<sep>\"]"},
        {"patch each attn_out on t;",
         "[\"\"] + [str(p) for p in range(len(lines[1].split(\",\")) - 1)]"}};
    Desk *desk = desk_with_model();
    desk_folder(desk);
    desk_do(desk,
            "n = transformer(\"decoder\", vocab=t.vocab, d_model=8, heads=2, layers=3, d_ff=8)\n"
            "inspect n \"a b c\"; lens;");
    desk_fails(desk, "plot effects", ERR_NAME, "no effects on the inspected run");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[400];
        desk_do(desk, "set language zh");
        desk_do(desk, commands[i][0]);
        desk_mentions(desk, "plot effects as text", i < 2 ? "列：头" : "列：位置");
        desk_do(desk, "set language en");
        desk_do(desk, commands[i][0]);
        desk_do(
            desk,
            "plot effects to \"e.csv\" --force\n"
            "lines = open(\"e.csv\").read().strip().split(\"\\n\")\n"
            "cells = [l.split(\",\") for l in lines]\n"
            "assert [c[0] for c in cells[1:]] == [\"layer 0\", \"layer 1\", \"layer 2\"]\n"
            "assert array_equal([[float(x) for x in c[1:]] for c in cells[1:]], last.table.map)");
        snprintf(line, sizeof line, "assert cells[0] == %s", commands[i][1]);
        desk_do(desk, line);
        desk_do(desk, "plot effects to \"e.txt\" --force\n"
                      "title = last.table.of + \"; change of the \" + last.table.measure\n"
                      "assert open(\"e.txt\").read().replace(\"\\n\", \"\").startswith(title)");
    }
    desk_close(desk);
}
END_TEST

/* A head of layer 0 that looks where the repeat usually is scores as an induction head would. */
START_TEST(the_first_layer_is_no_induction_head) {
    Desk *desk = desk_with_model();
    desk_do(desk, "s = task(\"induction\", 14, 12)\n"
                  "d = transformer(\"decoder\", s.vocab, 32, 4, 2, 0, position=\"rope\", seed=7)\n"
                  "inspect d \"kabcdefghijcde\";\nheads on s");
    ck_assert_ptr_null(strstr(desk->shown.data, "cannot know"));
    desk_do(desk, "train d on s for 200 steps batch 32 rate 2e-2;\n"
                  "inspect d \"kabcdefghijcde\";");
    desk_mentions(desk, "heads on s", "a head of layer 0 cannot know");
    desk_mentions(desk, "max(last.table.induction[:4]) > last.table.random.induction[1] + 0.2",
                  "True");
    desk_close(desk);
}
END_TEST

START_TEST(the_threads_do_not_matter) {
    Desk *desk = desk_with_model();
    char all[48];
    snprintf(all, sizeof all, "all_threads = %d", threads_most());
    desk_do(desk, all);
    desk_do(desk, "k = copy(m)\nset threads 1\ntrain m on t for 3 steps batch 8;\n"
                  "set threads (all_threads)\ntrain k on t for 3 steps batch 8;\n"
                  "assert all([all(m.parameters[n] == k.parameters[n]) for n in m.parameters])");
    threads_set(threads_most());
    desk_close(desk);
}
END_TEST

START_TEST(who_says_how_large_it_is) {
    Desk *desk = desk_with_model();
    desk_mentions(desk, "who", "m           model ");
    ck_assert(strstr(desk->shown.data, " kB"));
    desk_close(desk);
}
END_TEST

Suite *models_suite(void) {
    Suite *suite = suite_create("models");
    TCase *tests = tcase_create("models");
    tcase_add_test(tests, undo_takes_a_training_back);
    tcase_add_test(tests, options_of_drawing_without_a_temperature);
    tcase_add_test(tests, mistakes_are_marked_at_their_value);
    tcase_add_test(tests, an_error_takes_the_entry_back);
    tcase_add_test(tests, a_model_is_one_even_while_it_learns);
    tcase_add_test(tests, progress_fits_and_ends);
    tcase_add_test(tests, an_interrupt_keeps_what_was_learned);
    tcase_add_test(tests, plot_loss_is_of_the_last_trained);
    tcase_add_test(tests, loss_of_several_models);
    tcase_add_test(tests, origins_are_drawn);
    tcase_add_test(tests, effects_are_drawn);
    tcase_add_test(tests, the_first_layer_is_no_induction_head);
    tcase_add_test(tests, the_threads_do_not_matter);
    tcase_add_test(tests, who_says_how_large_it_is);
    suite_add_tcase(suite, tests);
    return suite;
}

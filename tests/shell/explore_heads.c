/* The heads of a model on explore's screen: what each key does, and what is seen, without a
 * terminal. */
#include "shell/explore/explore_heads.h"

#include "base/memory.h"
#include "session/models/effects_table.h"
#include "session/session.h"

#include <check.h>
#include <string.h>

Suite *explore_heads_suite(void);

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore(Host *host, const char *text) { (void)host, (void)text; }

static Host host = {.write = swallow, .note = ignore, .columns = 80, .rows = 24, .utf8 = true};
static Session *session;
static ExploreHeads heads;
static Error err;

static void run(const char *text) {
    ck_assert_msg(session_run_text(session, "", text, strlen(text), &err), "%s", err.message);
}

static void begin(const char *model, const char *inspected) {
    err = (Error){.kind = ERR_NONE};
    session = session_new(&host, NULL, &err);
    ck_assert_ptr_nonnull(session);
    run(model);
    run(inspected);
    ck_assert_msg(explore_heads_init(&heads, session, &err), "%s", err.message);
}

static void begin_decoder(void) {
    begin("m = transformer(\"decoder\", vocab=[\"the\", \"cat\", \"sat\"], d_model=8, heads=2, "
          "layers=3, d_ff=8, max_len=8)",
          "inspect m \"the cat sat\";");
}

static void end(void) {
    explore_heads_release(&heads);
    session_free(session);
}

static void press(int key) {
    ck_assert_msg(scene_press(&heads.scene, key, &err), "%s", err.message);
}

/* The screen as lines of text. */
static const char *screen(size_t columns, size_t rows) {
    static char text[64 * 256];
    Sheet sheet;
    sheet_init(&sheet, true, false);
    sheet_clear(&sheet, rows, columns);
    ck_assert_msg(scene_page(&heads.scene, &sheet, &err), "%s", err.message);
    size_t at = 0;
    for (size_t i = 0; i < sheet.count && at + 256 < sizeof text; i++) {
        const SheetPiece *piece = &sheet.pieces[i];
        ck_assert_uint_lt(piece->row, rows);
        ck_assert_uint_le(piece->column + piece->width, columns);
        memcpy(text + at, sheet.text.data + piece->begin, piece->length);
        at += piece->length;
        text[at++] = '\n';
    }
    text[at] = '\0';
    sheet_release(&sheet);
    return text;
}

static void check_selected(size_t layer, size_t head) {
    HeadPlace place = explore_heads_selected(&heads);
    ck_assert_uint_eq(place.layer, layer);
    ck_assert_uint_eq(place.head, head);
}

START_TEST(arrows_select) {
    begin_decoder();
    check_selected(0, 0);
    press(EXPLORE_LEFT);
    press(EXPLORE_UP);
    check_selected(0, 0);
    press(EXPLORE_RIGHT);
    press(EXPLORE_RIGHT);
    press('j');
    check_selected(1, 1);
    press(EXPLORE_DOWN);
    press(EXPLORE_DOWN);
    press(EXPLORE_HOME);
    check_selected(2, 0);
    end();
}
END_TEST

/* x is what ablate is; r and leaving by Esc take it back. */
START_TEST(x_switches_a_head_off) {
    begin_decoder();
    press(EXPLORE_RIGHT);
    press('x');
    ck_assert_str_eq(
        inspection_head_change(session->bench.inspection, explore_heads_selected(&heads)), " off");
    ck_assert_ptr_nonnull(strstr(heads.scene.change.data, "head 0 1 off; at \"sat\" (2): "));
    ck_assert_ptr_nonnull(strstr(screen(80, 24), "1 off"));
    ck_assert_ptr_nonnull(strstr(screen(80, 24), "head 0"));
    ck_assert_ptr_nonnull(strstr(screen(80, 30), "    cat"));
    ck_assert_ptr_nonnull(strstr(screen(80, 24), "layer 0 head 1: previous"));
    Text line = TEXT_EMPTY;
    explore_heads_write_commands(&heads, &line);
    ck_assert_str_eq(line.data, "ablate 0 1;");
    text_release(&line);
    Tensor *by_key = tensor_ref(session->bench.inspection->logits);
    press('x');
    ck_assert_ptr_null(explore_heads_in_force(&heads));
    run("ablate 0 1;");
    const Tensor *by_command = session->bench.inspection->logits;
    ck_assert_mem_eq(by_key->data, by_command->data, by_key->count * sizeof(float));
    tensor_unref(by_key);
    press('r');
    ck_assert_ptr_null(explore_heads_in_force(&heads));
    press('x');
    ck_assert(explore_heads_restore(&heads, &err));
    ck_assert_ptr_null(explore_heads_in_force(&heads));
    end();
}
END_TEST

static void check_commands(const char *wanted) {
    Text line = TEXT_EMPTY;
    explore_heads_write_commands(&heads, &line);
    ck_assert_str_eq(line.data ? line.data : "", wanted);
    text_release(&line);
}

/* What was in force before is seen, and the line that does the same leaves it in force where it
 * can. */
START_TEST(what_is_in_force_is_seen) {
    begin("m = transformer(\"decoder\", vocab=[\"the\", \"cat\", \"sat\"], d_model=8, heads=2, "
          "layers=2, d_ff=8, max_len=8)",
          "inspect m \"the cat sat the cat sat the cat\"; ablate each; patch path 0.0 to 1.0 k "
          "from \"sat cat the sat cat the sat cat\"; "
          "ablate 0 0, 0 1 mean; ablate 0 0;");
    const char *text = screen(80, 24);
    ck_assert_ptr_nonnull(strstr(text, "head 0 off"));
    ck_assert_ptr_nonnull(strstr(text, "head 1 mean"));
    ck_assert_ptr_nonnull(strstr(text, "head 0 patched"));
    ck_assert_ptr_null(strstr(text, ", off ")); /* it was measured with nothing in force */
    check_commands("");
    press(EXPLORE_DOWN);
    press('x');
    check_commands("ablate 1 0;");
    press(EXPLORE_UP);
    press('x');
    check_commands("ablate none; ablate 1 0;");
    end();
}
END_TEST

/* Nothing leaves the screen, however small it is; the selected head is in sight. */
START_TEST(every_size_holds_it) {
    static const size_t sizes[][2] = {{80, 24}, {40, 20}, {200, 50}, {20, 10}, {7, 5}, {1, 1}};
    begin("m = transformer(\"encoder-decoder\", vocab=[\"<begin>\", \"the\", \"cat\", \"sat\", "
          "\"on\", \"mat\"], d_model=24, heads=12, layers=3, d_ff=8, max_len=12)",
          "inspect m \"the cat sat on the mat\" \"mat on\";");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int step = 0; step < 8; step++) press(EXPLORE_DOWN);
        press(EXPLORE_END);
        const char *text = screen(sizes[i][0], sizes[i][1]);
        if (i < 3)
            ck_assert_msg(strstr(text, i == 2 ? "▸head 11" : "▸11") != NULL, "%.2000s", text);
        if (i == 0) ck_assert_msg(strstr(text, "cross 2") != NULL, "%s", text);
    }
    end();
}
END_TEST

/* The measure of set answer stands below, also before a key; what ablate each has found, beside the
 * selected head, and in the titles of plot heads. */
START_TEST(measure_and_effects_are_shown) {
    begin_decoder();
    const char *shown = screen(80, 24);
    ck_assert_msg(strstr(shown, "at \"sat\" (2): ") != NULL, "%s", shown);
    ck_assert_ptr_null(strstr(shown, "→ the, "));
    run("set answer \"cat\" against \"the\"");
    ck_assert_ptr_nonnull(strstr(screen(80, 24), "logit − the "));
    ck_assert_ptr_null(strstr(screen(80, 24), ", off "));
    run("ablate each;");
    ck_assert_ptr_nonnull(strstr(screen(80, 24), ", off "));
    double effect = inspection_head_effect(session->bench.inspection, (HeadPlace){.layer = 1});
    run("z = activations(m, \"the cat sat\")[\"blocks.1.attn.hook_z\"]; z[:, 0] = 0\n"
        "d = m(\"the cat sat\", patch={\"blocks.1.attn.hook_z\": z}) - m(\"the cat sat\")\n"
        "r = float(d[2, 1] - d[2, 0])");
    const Symbol *symbol = interp_find(&session->interp, "r");
    ck_assert_double_eq_tol(effect, symbol->value.number, 1e-5);
    end();
}
END_TEST

START_TEST(what_is_no_key_says_so) {
    begin_decoder();
    press('y');
    ck_assert_ptr_nonnull(strstr(screen(80, 24), "y is no key here"));
    press('?');
    ck_assert_ptr_nonnull(strstr(screen(80, 24), "switch the head off"));
    press('x');
    ck_assert_ptr_null(explore_heads_in_force(&heads)); /* it led back only */
    press('\r');
    ck_assert_int_eq(heads.scene.state, EXPLORE_OPENED);
    press('q');
    ck_assert_int_eq(heads.scene.state, EXPLORE_KEPT);
    end();
}
END_TEST

START_TEST(the_figures_of_a_head_say_what_they_are_of) {
    begin("m = transformer(\"decoder\", vocab=[\"the\", \"cat\", \"sat\"], d_model=8, heads=2, "
          "layers=1, d_ff=8, max_len=8)",
          "set answer \"sat\"; inspect m \"the cat\"; ablate each;");
    ck_assert_ptr_nonnull(strstr(screen(120, 30), "logit of \"sat\""));
    end();
    begin("m = transformer(\"decoder\", vocab=[\"the\", \"cat\", \"sat\"], d_model=8, heads=2, "
          "layers=1, d_ff=8, max_len=8)",
          "inspect m \"the\";");
    ck_assert_ptr_nonnull(strstr(screen(120, 30), "no query sees more than one key"));
    end();
}
END_TEST

Suite *explore_heads_suite(void) {
    Suite *suite = suite_create("explore_heads");
    TCase *tests = tcase_create("heads");
    tcase_add_test(tests, arrows_select);
    tcase_add_test(tests, x_switches_a_head_off);
    tcase_add_test(tests, what_is_in_force_is_seen);
    tcase_add_test(tests, every_size_holds_it);
    tcase_add_test(tests, measure_and_effects_are_shown);
    tcase_add_test(tests, the_figures_of_a_head_say_what_they_are_of);
    tcase_add_test(tests, what_is_no_key_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}

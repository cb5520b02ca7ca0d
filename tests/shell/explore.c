/* What each key of explore does, and the screen that comes of it, without a terminal. */
#include "shell/explore/explore.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "shell/explore/explore_input.h"
#include "shell/explore/explore_model.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *explore_suite(void);

/* ---- a session and its bench ---- */

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore(Host *host, const char *text) { (void)host, (void)text; }

static Host host = {.write = swallow, .note = ignore, .columns = 80, .rows = 24, .utf8 = true};
static Session *session;
static Explore model;
static Error err;

static void begin(const char *text) {
    err = (Error){.kind = ERR_NONE};
    session = session_new(&host, NULL, &err);
    ck_assert_msg(session && session_run_text(session, "", text, strlen(text), &err) &&
                      explore_init(&model, session, &err),
                  "%s: %s", text, err.message);
}

static void end(void) {
    explore_release(&model);
    session_free(session);
}

static void press(const char *keys) {
    for (; *keys; keys++)
        ck_assert_msg(scene_press(&model.scene, *keys, &err), "%c: %s", *keys, err.message);
}

static void press_key(int key) { ck_assert(scene_press(&model.scene, key, &err)); }

/* The settings as they would be typed, short, and the run is theirs. */
static void check_settings(const char *expected) {
    Text line;
    text_init(&line);
    settings_write_line(&model.settings, NULL, &line);
    ck_assert_str_eq(line.data, model.run->settings);
    ck_assert_msg(strstr(line.data, expected) != NULL, "%s is not in: %s", expected, line.data);
    text_release(&line);
}

static void check_after(const char *keys, const char *expected) {
    press(keys);
    check_settings(expected);
}

#define SIX "X = randn(6, 8)\nattend X;\n"

/* ---- moving ---- */

START_TEST(arrows_move_within_the_weights) {
    begin("X = randn(3, 4)\nY = randn(5, 4)\nattend X from Y;");
    for (int i = 0; i < 9; i++) press_key(EXPLORE_RIGHT), press_key(EXPLORE_DOWN);
    ck_assert(model.key == 4 && model.query == 2);
    press("hk");
    ck_assert(model.key == 3 && model.query == 1);
    press("lj");
    press_key(EXPLORE_LEFT);
    press_key(EXPLORE_UP);
    ck_assert(model.key == 3 && model.query == 1);
    press_key(EXPLORE_HOME);
    ck_assert_uint_eq(model.key, 0);
    press_key(EXPLORE_LEFT);
    ck_assert_uint_eq(model.key, 0);
    press_key(EXPLORE_END);
    ck_assert_uint_eq(model.key, 4);
    model.layout.shown_queries = 2;
    press_key(EXPLORE_PAGE_UP);
    ck_assert_uint_eq(model.query, 0);
    press_key(EXPLORE_PAGE_DOWN);
    ck_assert_uint_eq(model.query, 2);
    ck_assert(!explore_has_changed(&model) && model.scene.state == EXPLORE_OPEN);
    end();
}
END_TEST

/* ---- turning ---- */

START_TEST(temperature_goes_from_0_to_inf) {
    begin(SIX);
    check_after("t", "temperature 0.7");
    ck_assert_str_eq(model.scene.change.data, "temperature 1 → 0.7");
    check_after("t", "temperature 0.5");
    for (int i = 0; i < 40; i++) press("t");
    check_settings("temperature 0,");
    ck_assert_int_eq(model.scene.remark.kind, ERR_VALUE);
    check_after("T", "temperature 0.01");
    for (int i = 0; i < 40; i++) press("T");
    check_settings("temperature inf");
    ck_assert_int_eq(model.scene.remark.kind, ERR_VALUE);
    check_after("t", "temperature 100");
    check_after("1", "temperature 1,");
    check_after("t0", "temperature 1,");
    end();
    begin("set temperature 0.25\n" SIX);
    check_after("T", "temperature 0.3");
    check_after("r", "temperature 0.25");
    check_after("t", "temperature 0.2,");
    end();
}
END_TEST

START_TEST(scale_goes_round_with_ones_own) {
    begin(SIX);
    check_after("s", "scale none");
    check_after("s", "scale sqrt");
    end();
    begin("set scale 3\n" SIX);
    check_after("s", "scale sqrt");
    check_after("s", "scale none");
    check_after("s", "scale 3");
    end();
}
END_TEST

/* Presses the key until the settings are the expected ones, for one round at most. */
static void check_on_the_way(char key, const char *expected) {
    enum { ROUND_MOST = 20 };
    bool found = false;
    for (int i = 0; i < ROUND_MOST && !found; i++) {
        const char pressed[] = {key, 0};
        Text line;
        text_init(&line);
        press(pressed);
        settings_write_line(&model.settings, NULL, &line);
        found = strstr(line.data, expected) != NULL;
        text_release(&line);
    }
    ck_assert_msg(found, "%c does not come to %s", key, expected);
    check_settings(expected);
}

START_TEST(every_kind_is_on_the_way) {
    begin("X = randn(6, 4)\nattend X;\n");
    for (const MaskDef *const *kind = mask_kinds; *kind; kind++) {
        char setting[64];
        /* An array without a word, or in one, has to be there already. */
        if (!(*kind)->words.word || (*kind)->words.takes == WORD_TAKES_ARRAY) continue;
        snprintf(setting, sizeof setting, "mask %s", (*kind)->words.word);
        check_on_the_way('m', setting);
        check_on_the_way('M', setting);
    }
    for (const PositionDef *const *kind = position_kinds; *kind; kind++) {
        char setting[64];
        snprintf(setting, sizeof setting, "position %s", (*kind)->words.word);
        check_on_the_way('p', setting);
        check_on_the_way('P', setting);
    }
    end();
}
END_TEST

START_TEST(mask_goes_round_with_ones_own) {
    begin(SIX);
    check_after("m", "mask causal,");
    check_after("m", "mask window 2");
    check_after("W", "mask window 3");
    check_after("m", "mask causal and window 3");
    check_after("w", "mask causal and window 2");
    check_after("m", "mask padding 5");
    check_after("ww", "mask padding 3");
    check_after("M", "mask causal and window 2");
    check_on_the_way('m', "mask none");
    check_on_the_way('M', "mask padding 3");
    check_on_the_way('m', "mask none");
    check_after("mm", "mask window 2");
    check_after("wwwwww", "mask window 0");
    ck_assert_int_eq(model.scene.remark.kind, ERR_VALUE);
    check_after("WWWWWWWWW", "mask window 5");
    ck_assert_int_eq(model.scene.remark.kind, ERR_VALUE);
    end();
    begin("M = eye(6) > 0\nset mask M and window 3\n" SIX);
    check_after("m", "mask none");
    check_after("w", "mask none");
    ck_assert_ptr_nonnull(strstr(model.scene.remark.message, "m leads to a window"));
    check_after("mmmm", "mask padding 5");
    check_on_the_way('m', "mask M and window 3");
    check_after("w", "mask M and window 2");
    end();
}
END_TEST

START_TEST(position_passes_over_what_does_not_fit) {
    begin("X = randn(4, 5)\nattend X;\n");
    check_after("pppp", "position alibi");
    check_after("P", "position relative");
    check_on_the_way('p', "position none");
    ck_assert_ptr_nonnull(strstr(model.scene.change.data, "passed over"));
    ck_assert_int_eq(model.scene.remark.kind, ERR_NONE);
    end();
    begin("set position relative 0.25\n" SIX);
    check_on_the_way('p', "position rope");
    check_on_the_way('P', "position learned");
    check_after("PPP", "position rope");
    check_after("pppp", "position relative 0.25");
    end();
}
END_TEST

START_TEST(heads_go_over_the_divisors) {
    begin(SIX);
    check_after("H", "heads 2");
    ck_assert_uint_eq(model.run->heads, 2);
    press("]");
    ck_assert_uint_eq(model.head, 1);
    press("]");
    ck_assert_uint_eq(model.head, 0);
    press("[");
    ck_assert_uint_eq(model.head, 1);
    press_key(EXPLORE_TAB);
    check_settings("heads 4");
    check_after("H", "heads 8");
    press("[");
    ck_assert_uint_eq(model.head, 0);
    press("[");
    check_after("H", "heads 1");
    ck_assert_uint_eq(model.head, 0);
    press("]");
    ck_assert_int_eq(model.scene.remark.kind, ERR_VALUE);
    end();
    begin("Q = randn(3, 4)\nK = randn(3, 4)\nV = randn(3, 3)\nattend Q K V;\n");
    check_after("H", "heads 1");
    ck_assert_ptr_nonnull(strstr(model.scene.remark.message, "widths 4 and 3"));
    end();
}
END_TEST

/* The settings, the run and the picture stay; what does not fit is said. */
START_TEST(what_does_not_fit_changes_nothing) {
    begin("set position alibi 0.3\n" SIX);
    const Run *run = model.run;
    check_after("H", "heads 1");
    ck_assert_int_eq(model.scene.remark.kind, ERR_VALUE);
    ck_assert_ptr_eq(model.run, run);
    ck_assert(!explore_has_changed(&model));
    press("j");
    ck_assert_int_eq(model.scene.remark.kind, ERR_NONE);
    end();
}
END_TEST

START_TEST(leaves_in_two_ways) {
    begin(SIX);
    press("tm");
    ck_assert(explore_has_changed(&model));
    Text text;
    text_init(&text);
    explore_write_changes(&model, &text);
    ck_assert_str_eq(text.data, "temperature 1 → 0.7, mask none → causal");
    text_clear(&text);
    explore_write_commands(&model, &text);
    ck_assert_str_eq(text.data, "set temperature 0.7; set mask causal;");
    text_release(&text);
    press("r");
    ck_assert(!explore_has_changed(&model));
    press("q");
    ck_assert_int_eq(model.scene.state, EXPLORE_KEPT);
    end();
    begin(SIX);
    press("?");
    ck_assert(model.scene.helping);
    press("q");
    ck_assert(!model.scene.helping && model.scene.state == EXPLORE_OPEN);
    press("x");
    ck_assert_ptr_nonnull(strstr(model.scene.remark.message, "? lists"));
    press_key(EXPLORE_ESCAPE);
    ck_assert_int_eq(model.scene.state, EXPLORE_DROPPED);
    end();
}
END_TEST

START_TEST(an_interrupt_is_handed_on) {
    begin(SIX);
    interrupt_flag = 1;
    ck_assert(!scene_press(&model.scene, 't', &err) && err.kind == ERR_INTERRUPT);
    interrupt_flag = 0;
    ck_assert(!explore_has_changed(&model));
    end();
}
END_TEST

/* ---- the screen ---- */

typedef struct Screenful {
    Sheet sheet;
    char *rows[64];
} Screenful;

static Screenful screen;

/* A wide character is followed by a cell that is left out of the row's text. */
static void paint(const SheetPiece *piece, uint32_t cells[64][256]) {
    const char *text = screen.sheet.text.data + piece->begin;
    size_t column = piece->column;
    for (size_t at = 0; at < piece->length;) {
        uint32_t c;
        size_t taken = utf8_next(text + at, piece->length - at, &c),
               width = utf8_width(text + at, taken);
        if (width) cells[piece->row][column] = c;
        if (width == 2) cells[piece->row][column + 1] = 0;
        column += width;
        at += taken;
    }
    ck_assert_msg(column == piece->column + piece->width,
                  "a piece of %zu columns in place of %zu: %.*s", column - piece->column,
                  piece->width, (int)piece->length, text);
    ck_assert_uint_le(column, screen.sheet.columns);
    ck_assert_uint_lt(piece->row, screen.sheet.rows);
}

static void look(size_t columns, size_t rows, bool utf8, bool colored) {
    static uint32_t cells[64][256];
    for (size_t i = 0; i < 64 * 256; i++) cells[i / 256][i % 256] = ' ';
    model.layout = (ExploreLayout){.first_query = 0};
    sheet_init(&screen.sheet, utf8, colored);
    sheet_clear(&screen.sheet, rows, columns);
    ck_assert_msg(scene_page(&model.scene, &screen.sheet, &err), "%s", err.message);
    for (size_t i = 0; i < screen.sheet.count; i++) paint(&screen.sheet.pieces[i], cells);
    for (size_t row = 0; row < rows; row++) {
        Text text;
        text_init(&text);
        for (size_t column = 0; column < columns; column++)
            if (cells[row][column]) utf8_write(&text, cells[row][column]);
        screen.rows[row] = text.data;
    }
    sheet_release(&screen.sheet);
}

static void look_away(size_t rows) {
    for (size_t row = 0; row < rows; row++) mem_free(screen.rows[row]);
}

static bool shows(size_t rows, const char *text) {
    for (size_t row = 0; row < rows; row++)
        if (strstr(screen.rows[row], text)) return true;
    return false;
}

static void check_shows(size_t columns, size_t rows, bool utf8, bool colored,
                        const char *const *texts) {
    look(columns, rows, utf8, colored);
    for (; *texts; texts++) {
        bool not = **texts == '!';
        if (shows(rows, *texts + not ) != not ) continue;
        for (size_t row = 0; row < rows; row++) printf("%s\n", screen.rows[row]);
        ck_abort_msg("at %zux%zu there is %s: %s", columns, rows, not ? "" : "no", *texts);
    }
    look_away(rows);
}
#define SHOWS(columns, rows, utf8, colored, ...) \
    check_shows(columns, rows, utf8, colored, (const char *const[]){__VA_ARGS__, NULL})

#define TWO \
    "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nset tokens \"我 cat\"\nset scale none\nset " \
    "temperature 0.5\nattend Q K V;\n"

/* q·k is 1 with itself and 0 with the other: exp(-1 / 0.5) = 0.1353, of 1.1353. */
START_TEST(shows_how_a_weight_comes_about) {
    begin(TWO);
    press("l");
    SHOWS(80, 24, true, true, "Q 2×2", "temperature 0.5", "▸我", "0.881", "[0.119]", "0.365",
          "0.693", "query 0 \"我\", key 1 \"cat\"", "q·k      1×0 + 0×1 = 0", "score    0 × 1 = 0",
          "less max 0 - 1 = -1", "of key 0 \"我\"", "over τ   -1 / 0.5 = -2", "exp(-2) = 0.1353",
          "0.1353 / 1.135 = 0.1192", "entropy  0.3653, of ln 2 = 0.6931", "? keys  q keep");
    SHOWS(40, 20, true, true, "[0.12]", "0.365", "0.1353 / 1.135 = 0.1192",
          "? keys  q keep  Esc cancel");
    SHOWS(200, 50, true, true, "[0.119]", "it adds  0.1192 × [3, 4]", "k        [0, 1]", "less max",
          "▸1 cat");
    SHOWS(80, 24, false, false, ">?", "[0.119]", "exp(-2) = 0.1353", "entropy  0.3653, of ln 2",
          "!·");
    press("m");
    SHOWS(80, 24, true, true, "mask none → causal", "mean entropy",
          "weight   0: hidden by the mask causal", "[  ·  ]");
    press("T");
    SHOWS(80, 24, true, true, "temperature 0.5 → 0.7");
    end();
}
END_TEST

/* On the usual screen there is room for whose score the largest is. */
START_TEST(says_whose_score_is_the_largest) {
    begin("Q = randn(40, 4, seed=1); K = randn(70, 4, seed=2); V = K\nattend Q K V;\n");
    SHOWS(80, 24, true, true, "less max 0.08417 - 2.564 = -2.48  of key 16");
    end();
}
END_TEST

START_TEST(shows_limits_and_misfits) {
    begin("M = [True, True; False, False]\nset mask M\nset position alibi 0.5\n" TWO);
    press("jH");
    SHOWS(80, 24, true, true, "no key", "this query sees no key at all", "slope");
    press("ktttttttttttttttt");
    SHOWS(80, 24, true, true, "temperature 0,", "τ 0: it has the largest score");
    press("lTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT");
    SHOWS(80, 24, true, true, "temperature inf,", "τ inf: all 2 visible keys alike", "1 / 2 = 0.5");
    press("?");
    SHOWS(40, 20, true, true, "Keys (any key leads back)", "temperature down, up",
          "leave, as before (or Ctrl-C)", "a page of queries", "!…");
    SHOWS(40, 20, false, true, "temperature down, up", "a page of queries");
    end();
}
END_TEST

START_TEST(shows_which_part_is_in_sight) {
    begin("X = randn(40, 4)\nattend X;\n");
    SHOWS(80, 24, true, true, "queries 0–9 of 40, keys 0–33 of 40");
    for (int i = 0; i < 39; i++) press("jl");
    SHOWS(80, 24, true, true, "queries 30–39 of 40, keys 6–39 of 40", "query 39, key 39");
    end();
}
END_TEST

/* Whatever is pressed, at whatever size: every piece within the screen, and the run that of the
 * settings. */
START_TEST(survives_any_keys) {
    static const char *const benches[] = {
        TWO, SIX, "X = randn(33, 6)\nWq = randn(6, 4)\nWk = randn(6, 4)\nattend X;\n",
        ("set tokens [\"\", \"注意力机制\", \"a\\nb\", \"\U0001F600\", \"́\"]\nX = randn(5, 3) * "
         "1e200\nattend X;\n"),
        "X = [nan; 1]\nattend X;\n"};
    static const int keys[] = {EXPLORE_UP,
                               EXPLORE_DOWN,
                               EXPLORE_LEFT,
                               EXPLORE_RIGHT,
                               EXPLORE_PAGE_UP,
                               EXPLORE_PAGE_DOWN,
                               EXPLORE_HOME,
                               EXPLORE_END,
                               EXPLORE_TAB,
                               't',
                               'T',
                               '1',
                               's',
                               'm',
                               'w',
                               'W',
                               'p',
                               'H',
                               '[',
                               ']',
                               'z',
                               'r',
                               '?',
                               'x',
                               0x4E00,
                               0};
    srand(7);
    for (size_t b = 0; b < sizeof benches / sizeof *benches; b++) {
        begin(benches[b]);
        for (int i = 0; i < 400; i++) {
            press_key(keys[rand() % (int)(sizeof keys / sizeof *keys)]);
            check_settings("");
            size_t columns = 1 + (size_t)rand() % 200, rows = 1 + (size_t)rand() % 60;
            look(columns, rows, rand() % 4, rand() % 2);
            look_away(rows);
        }
        end();
    }
}
END_TEST

/* ---- memory ---- */

/* Each request in turn: an error, and all that was held is given back (the sanitizer sees to that).
 */
START_TEST(running_out_of_memory_is_an_error) {
    for (const char *key = " tmpH?z"; *key; key++) {
        bool ok = false;
        for (long n = 1; !ok; n++) {
            begin(SIX);
            Explore again;
            Sheet sheet;
            Error lost = {.kind = ERR_NONE};
            sheet_init(&sheet, true, true);
            sheet_clear(&sheet, 24, 80);
            mem_fail_at(n, false);
            bool made = explore_init(&again, session, &lost);
            ok = made && scene_press(&again.scene, *key, &lost) &&
                 again.scene.remark.kind != ERR_LIMIT && scene_page(&again.scene, &sheet, &lost);
            mem_fail_at(0, false);
            ck_assert_msg(ok || lost.kind == ERR_LIMIT ||
                              (made && again.scene.remark.kind == ERR_LIMIT),
                          "%c, request %ld: %s", *key, n, lost.message);
            if (made) explore_release(&again);
            sheet_release(&sheet);
            end();
            ck_assert_int_lt(n, 5000);
        }
    }
}
END_TEST

/* ---- the command ---- */

/* Without a terminal it is an error that says what to use. */
START_TEST(the_example_runs) {
    static const CommandDef *const further[] = {explore_commands, NULL};
    const char *example = explore_commands[0].example;
    err = (Error){.kind = ERR_NONE};
    session = session_new(&host, further, &err);
    ck_assert_msg(session && session_run_text(session, "", example, strlen(example), &err), "%s",
                  err.message);
    ck_assert(!session_run_text(session, "", "explore", 7, &err) && err.kind == ERR_PLOT &&
              strstr(err.hint, "attend"));
    session_free(session);
}
END_TEST

/* ---- keys as bytes ---- */

START_TEST(reads_keys) {
    static const struct {
        const char *bytes;
        int key;
        size_t taken;
    } rows[] = {{"q", 'q', 1},
                {"\t", EXPLORE_TAB, 1},
                {"\033[A", EXPLORE_UP, 3},
                {"\033OB", EXPLORE_DOWN, 3},
                {"\033[C", EXPLORE_RIGHT, 3},
                {"\033OD", EXPLORE_LEFT, 3},
                {"\033[H", EXPLORE_HOME, 3},
                {"\033[F", EXPLORE_END, 3},
                {"\033[1~", EXPLORE_HOME, 4},
                {"\033[4~", EXPLORE_END, 4},
                {"\033[5~", EXPLORE_PAGE_UP, 4},
                {"\033[6~", EXPLORE_PAGE_DOWN, 4},
                {"\033[1;5C", EXPLORE_RIGHT, 6},
                {"\033[15~", 0, 5},
                {"\033[200~", 0, 6},
                {"\033q", EXPLORE_ESCAPE, 1},
                {"\033\033", EXPLORE_ESCAPE, 1},
                {"？", '?', 3},
                {"ｑ", 'q', 3},
                {"注", 0x6CE8, 3},
                {"\377", 0xFFFD, 1},
                {"qt", 'q', 1},
                {"\033", 0, 0},
                {"\033[", 0, 0},
                {"\033[1;", 0, 0},
                {"\346", 0, 0},
                {"", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int key = -1;
        size_t taken = explore_key_read(rows[i].bytes, strlen(rows[i].bytes), false, &key);
        ck_assert_msg(taken == rows[i].taken && (taken == 0 || key == rows[i].key),
                      "%zu: key %d of %zu bytes", i, key, taken);
        size_t last = explore_key_read(rows[i].bytes, strlen(rows[i].bytes), true, &key);
        ck_assert_msg(last > 0 || !*rows[i].bytes, "%zu: waits for more than there is", i);
    }
    int key;
    ck_assert(explore_key_read("\033", 1, true, &key) == 1 && key == EXPLORE_ESCAPE);
}
END_TEST

Suite *explore_suite(void) {
    Suite *suite = suite_create("explore");
    TCase *keys = tcase_create("keys"), *pages = tcase_create("screen");
    tcase_add_test(keys, arrows_move_within_the_weights);
    tcase_add_test(keys, temperature_goes_from_0_to_inf);
    tcase_add_test(keys, scale_goes_round_with_ones_own);
    tcase_add_test(keys, every_kind_is_on_the_way);
    tcase_add_test(keys, mask_goes_round_with_ones_own);
    tcase_add_test(keys, position_passes_over_what_does_not_fit);
    tcase_add_test(keys, heads_go_over_the_divisors);
    tcase_add_test(keys, what_does_not_fit_changes_nothing);
    tcase_add_test(keys, leaves_in_two_ways);
    tcase_add_test(keys, an_interrupt_is_handed_on);
    tcase_add_test(keys, the_example_runs);
    tcase_add_test(keys, reads_keys);
    tcase_set_timeout(pages, 120);
    tcase_add_test(pages, shows_how_a_weight_comes_about);
    tcase_add_test(pages, says_whose_score_is_the_largest);
    tcase_add_test(pages, shows_limits_and_misfits);
    tcase_add_test(pages, shows_which_part_is_in_sight);
    tcase_add_test(pages, survives_any_keys);
    tcase_add_test(pages, running_out_of_memory_is_an_error);
    suite_add_tcase(suite, keys);
    suite_add_tcase(suite, pages);
    return suite;
}

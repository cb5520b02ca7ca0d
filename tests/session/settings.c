/* The table of settings, walked; and what each of them takes and refuses. */
#include "tests/session/desk.h"

#include "base/memory.h"

#include <stdio.h>

Suite *settings_suite(void);

static char *written(const SettingDef *row, const Settings *settings) {
    Text text;
    text_init(&text);
    setting_write(row, settings, &text);
    char *value = text_take(&text, NULL);
    text_release(&text);
    return value;
}

static void set(Desk *desk, const char *name, const char *value) {
    Text text;
    text_init(&text);
    text_format(&text, "set %s %s;", name, value);
    desk_do(desk, text.data);
    text_release(&text);
}

/* What a setting writes, typed again, is the same setting. */
static void typed_again(Desk *desk, const SettingDef *row) {
    char *once = written(row, &desk->session->bench.settings), line[60];
    snprintf(line, sizeof line, "unset %s;", row->name);
    desk_do(desk, line);
    set(desk, row->name, once);
    char *twice = written(row, &desk->session->bench.settings);
    ck_assert_str_eq(once, twice);
    mem_free(once);
    mem_free(twice);
}

START_TEST(every_setting) {
    for (const SettingDef *row = setting_table; row->name; row++) {
        Desk *desk = desk_open();
        char *standard = written(row, &desk->session->bench.settings), line[60];
        ck_assert_ptr_eq(setting_find(row->name), row);
        ck_assert_msg(row->summary && *row->summary && *setting_values(row), "%s has no help",
                      row->name);
        typed_again(desk, row);
        desk_do(desk, row->example);
        typed_again(desk, row);
        char *now = written(row, &desk->session->bench.settings);
        snprintf(line, sizeof line, "show %s", row->name);
        desk_mentions(desk, line, now);
        desk_mentions(desk, "show", now);
        mem_free(now);
        snprintf(line, sizeof line, "unset %s", row->name);
        desk_do(desk, line);
        now = written(row, &desk->session->bench.settings);
        ck_assert_str_eq(now, standard);
        mem_free(now);
        mem_free(standard);
        snprintf(line, sizeof line, "set %s", row->name);
        desk_fails(desk, line, ERR_SYNTAX, row->name);
        snprintf(line, sizeof line, "unset %s 3", row->name);
        desk_fails(desk, line, ERR_SYNTAX, "3");
        desk_close(desk);
    }
}
END_TEST

static const struct {
    const char *name, *typed, *shown;
} values[] = {
    {"temperature", "0", "0"},
    {"temperature", "inf", "inf"},
    {"temperature", "0.1", "0.1"},
    {"temperature", "1/3", "0.3333333333333333"},
    {"temperature", "x / 2", "1"},
    {"temperature", "(x)", "2"},
    {"scale", "sqrt", "sqrt"},
    {"scale", "none", "none"},
    {"scale", "0.125", "0.125"},
    {"scale", "-1", "-1"},
    {"scale", "1", "none"},
    {"scale", "1 / sqrt(16)", "0.25"},
    {"mask", "none", "none"},
    {"mask", "causal", "causal"},
    {"mask", "window 4", "window 4"},
    {"mask", "padding 3", "padding 3"},
    {"mask", "causal and window 4", "causal and window 4"},
    {"mask", "segments [0, 0, 1]", "segments [0, 0, 1]"},
    {"mask", "A", "A"},
    {"mask", "A and causal and padding 2", "A and causal and padding 2"},
    {"mask", "(eye(2))", "[[1, 0], [0, 1]]"},
    {"mask", "(eye(2) > 0)", "[[True, False], [False, True]]"},
    {"mask", "window x", "window 2"},
    {"position", "none", "none"},
    {"position", "sinusoidal", "sinusoidal"},
    {"position", "learned", "learned"},
    {"position", "learned 8", "learned 8"},
    {"position", "relative", "relative"},
    {"position", "relative 0.5", "relative 0.5"},
    {"position", "relative [1, 0, 1]", "relative [1, 0, 1]"},
    {"position", "alibi", "alibi"},
    {"position", "alibi 0.25", "alibi 0.25"},
    {"position", "rope", "rope"},
    {"heads", "4", "4"},
    {"tokens", "\"the cat\"", "['the', 'cat']"},
    {"tokens", "\"我喜欢\"", "['我', '喜', '欢']"},
    {"tokens", "[\"a b\", \"it's\"]", "['a b', \"it's\"]"},
    {"tokens", "\"a b\" from \"c\"", "['a', 'b'] from ['c']"},
    {"tokens", "none", "none"},
    {"tokens", "[\"a\\nb\", \"\\\\\", '\"']", NULL},
    {"seed", "7", "7"},
    {"seed", "9007199254740991", "9007199254740991"},
    {"digits", "17", "17"},
    {"color", "always", "always"},
    {"palette", "diverging", "diverging"},
    {"threads", "1", "1"},
};

START_TEST(values_written_and_read) {
    Desk *desk = desk_open();
    desk_do(desk, "x = 2; A = eye(3) > 0;");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const SettingDef *row = setting_find(values[i].name);
        set(desk, row->name, values[i].typed);
        char *now = written(row, &desk->session->bench.settings);
        if (values[i].shown) ck_assert_str_eq(now, values[i].shown);
        mem_free(now);
        typed_again(desk, row);
    }
    desk_close(desk);
}
END_TEST

/* Each word of a mask or position is the same in `set` and as an argument. */
static void check_word(const SettingDef *setting, const WordDef *words) {
    static const char *const arguments[] = {"", " 4", " 0.5", " [0, 1]", " [1, 0, 2]"};
    char value[60], line[200];
    if (!words->word) return;
    snprintf(value, sizeof value, "%s%s", words->word, arguments[words->takes]);
    ck_assert_ptr_nonnull(strstr(setting_words(setting), words->word));
    ck_assert_ptr_nonnull(strstr(setting_values(setting), words->usage));
    Desk *desk = desk_open();
    set(desk, setting->name, value);
    char *now = written(setting, &desk->session->bench.settings);
    ck_assert_str_eq(now, value);
    mem_free(now);
    if (words->takes != WORD_TAKES_ARRAY && words->takes != WORD_TAKES_NUMBER_OR_ARRAY) {
        snprintf(line, sizeof line,
                 "X = randn(2, 4); attend X X X;\n"
                 "assert all(last.weights == attention(X, X, X, %s=\"%s\").weights)",
                 setting->name, value);
        desk_do(desk, line);
    }
    desk_close(desk);
}

START_TEST(words_are_the_same_everywhere) {
    for (size_t i = 0; mask_kinds[i]; i++) check_word(setting_find("mask"), &mask_kinds[i]->words);
    for (size_t i = 0; position_kinds[i]; i++)
        check_word(setting_find("position"), &position_kinds[i]->words);
}
END_TEST

static const struct {
    const char *line;
    ErrorKind kind;
    const char *part;
} mistakes[] = {
    {"set temperature -1", ERR_VALUE, "0 or more"},
    {"set temperature nan", ERR_VALUE, "0 or more"},
    {"set temperature \"a\"", ERR_TYPE, ""},
    {"set temperature 1 2", ERR_SYNTAX, "2"},
    {"set temperatur 1", ERR_NAME, "temperature"},
    {"set xyzzy 1", ERR_NAME, "show lists"},
    {"set", ERR_SYNTAX, "name of a setting"},
    {"set scale inf", ERR_VALUE, "finite"},
    {"set scale nan", ERR_VALUE, "finite"},
    {"set mask casual", ERR_NAME, "causal"},
    {"set mask window -1", ERR_VALUE, "whole"},
    {"set mask window 1.5", ERR_VALUE, "whole"},
    {"set mask window", ERR_SYNTAX, "window"},
    {"set mask causal and", ERR_SYNTAX, ""},
    {"set mask none and causal", ERR_SYNTAX, ""},
    {"set mask causal window 4", ERR_SYNTAX, "window"},
    {"set mask causal and causal and causal and causal and causal and causal and causal and causal "
     "and causal",
     ERR_LIMIT, "8"},
    {"set mask \"causal\"", ERR_TYPE, ""},
    {"set position roop", ERR_VALUE, "rope"},
    {"set position learned 0", ERR_VALUE, "whole"},
    {"set position learned 1.5", ERR_VALUE, "whole"},
    {"set position relative [1, 2]", ERR_SHAPE, "2m + 1"},
    {"set position alibi inf", ERR_VALUE, "finite"},
    {"set position alibi [1, 0, 1]", ERR_TYPE, ""},
    {"set position rope 3", ERR_SYNTAX, "3"},
    {"set heads 0", ERR_VALUE, "whole"},
    {"set heads 1.5", ERR_VALUE, "whole"},
    {"set heads inf", ERR_VALUE, "whole"},
    {"set tokens 5", ERR_TYPE, "sentence"},
    {"set tokens [\"a\", 1]", ERR_TYPE, "tokens are strings"},
    {"set tokens \"a\" from", ERR_SYNTAX, ""},
    {"set seed -1", ERR_VALUE, "whole"},
    {"set seed 1e300", ERR_VALUE, "whole"},
    {"set digits 0", ERR_VALUE, "1 to 17"},
    {"set digits 18", ERR_VALUE, "1 to 17"},
    {"set color blue", ERR_VALUE, "always"},
    {"set palette jet", ERR_VALUE, "viridis"},
    {"set terminal braille", ERR_VALUE, "kitty"},
    {"set threads 0", ERR_VALUE, "whole"},
    {"set language fr", ERR_VALUE, "zh"},
    {"show temperatur", ERR_NAME, "temperature"},
    {"unset", ERR_SYNTAX, "name of a setting"},
    {"unset all", ERR_NAME, ""},
};

START_TEST(wrong_values_change_nothing) {
    Desk *desk = desk_open();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *before = desk_state(desk);
        desk_fails(desk, mistakes[i].line, mistakes[i].kind, mistakes[i].part);
        ck_assert_msg(desk->err.line == 1 && desk->err.caret_width > 0, "%s: no place",
                      mistakes[i].line);
        char *after = desk_state(desk);
        ck_assert_str_eq(before, after);
        mem_free(before);
        mem_free(after);
    }
    desk_close(desk);
}
END_TEST

START_TEST(own_words_win_over_variables) {
    Desk *desk = desk_open();
    desk_do(desk, "causal = eye(2) > 0; set mask causal; assert True");
    desk_shows(desk, "show mask", "mask        causal");
    desk_do(desk, "set mask (causal)");
    desk_shows(desk, "show mask", "mask        [[True, False], [False, True]]");
    desk_do(desk, "sqrt = 3; set scale sqrt");
    desk_shows(desk, "show scale", "scale       sqrt");
    desk_close(desk);
}
END_TEST

START_TEST(the_seed_restarts_the_generator) {
    Desk *desk = desk_open();
    desk_do(desk, "a = rand(4); set seed 0; assert all(a == rand(4)); unset seed; assert all(a == "
                  "rand(4)); seed(0); assert all(a == rand(4))");
    desk_do(desk, "set seed 5; b = rand(4); seed(5); assert all(b == rand(4)); assert any(a != b)");
    desk_close(desk);
}
END_TEST

START_TEST(digits_and_color_reach_out) {
    Desk *desk = desk_open();
    desk_shows(desk, "set digits 3; 1 / 3", "0.333");
    desk_shows(desk, "undo; 1 / 3", "undone: set digits 3; 1 / 3\n0.3333");
    desk_do(desk, "set color always");
    ck_assert_int_ne(desk->host.color, COLOR_NONE);
    desk_mentions(desk, "Q = eye(2); K = Q; V = Q; attend", "\033[");
    desk_do(desk, "unset color");
    ck_assert_int_eq(desk->host.color, COLOR_NONE);
    desk_do(desk, "attend");
    ck_assert_ptr_null(strchr(desk->shown.data, '\033'));
    desk_close(desk);
}
END_TEST

Suite *settings_suite(void) {
    Suite *suite = suite_create("settings");
    TCase *tests = tcase_create("settings");
    tcase_add_test(tests, every_setting);
    tcase_add_test(tests, values_written_and_read);
    tcase_add_test(tests, words_are_the_same_everywhere);
    tcase_add_test(tests, wrong_values_change_nothing);
    tcase_add_test(tests, own_words_win_over_variables);
    tcase_add_test(tests, the_seed_restarts_the_generator);
    tcase_add_test(tests, digits_and_color_reach_out);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Each thing that plot draws with each word of plot, in characters and in files: the word changes
 * what is shown, or is refused. The things are the command's own words, the words those of its
 * usage line, so that a new one is tried without a new test. */
#include "tests/session/desk.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>

Suite *plot_words_suite(void);

/* What is drawn beside the command's own words, and those words that need more behind them. */
static const char *const more_things[] = {"head 1 0",
                                          "links layer 0",
                                          "lens at 3",
                                          "loss of m, m2",
                                          "[[0.9, 0.1, 0.5], [0.2, 0.8, 0.7]]",
                                          "randn(2, 3, 3)",
                                          "[1, 4, 9]",
                                          "X, [2, 1, 2]",
                                          "[3, 1, 2], [2, 1, 4], [5, 5, 5]",
                                          "before",
                                          "sweep, before",
                                          NULL};

/* Inputs of two heads, a model that was trained and one that is inspected, sweeps, a comparison;
 * and a value for each NAME of the usage line. */
static const char setting_up[] =
    "set tokens \"the cat sat\"\n"
    "t = task(\"copy\", length=3, vocab=4)\n"
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=8, heads=2, layers=1, d_ff=8)\n"
    "train m on t for 4 steps;\n"
    "m2 = copy(m)\n"
    "train m2 on t for 2 steps;\n"
    "inspect pronoun \"The dog chase the cat\";\n"
    "Q = randn(3, 8); K = randn(3, 8); V = randn(3, 8)\n"
    "set heads 2; set position alibi; set mask window 1\n"
    "attend Q K V;\n"
    "compare temperature 0.5 against 2;\n"
    "sweep window 1 2 as before;\n"
    "sweep window 1 2;\n"
    "M = ones(2, 3, 3) > 0; M[1, 0, 2] = False; M[1, 1, 2] = False; set mask M;\n"
    "X = [1, 2, 4]; H = 1; QUERY = 1; P = 0.35; LOW = 0.1; HIGH = 0.7; WIDTH = 701; HEIGHT = 503\n"
    "N = 31\n";

/* The words of the usage line as they are typed, `[size WIDTH HEIGHT]` as "size WIDTH HEIGHT", each
 * of `[as text|lines]` for itself. */
static size_t words_of_usage(const char *usage, char words[][80], size_t most) {
    size_t count = 0;
    for (const char *at = usage; (at = strchr(at, '[')) != NULL; at++) {
        char inside[80] = "";
        size_t length = strcspn(at + 1, "]");
        if (strncmp(at + 1, "to ", 3) == 0 || strncmp(at + 1, "new", 3) == 0) continue;
        snprintf(inside, sizeof inside, "%.*s", (int)length, at + 1);
        if (strncmp(inside, "as ", 3) != 0) {
            ck_assert_uint_lt(count, most);
            snprintf(words[count++], 80, "%s", inside);
            continue;
        }
        for (char *one = strtok(inside + 3, "|"); one; one = strtok(NULL, "|")) {
            ck_assert_uint_lt(count, most);
            snprintf(words[count++], 80, "as %s", one);
        }
    }
    return count;
}

static bool is_in_usage(const char *usage, const char *word, size_t length) {
    for (const char *at = usage; (at = strstr(at, word)) != NULL; at++)
        if (strchr("[ |", at[-1]) && strchr("] |", at[length])) return true;
    return false;
}

/* What stands on the screen, or in the file, for this thing with these words; "" with an error. */
static char *drawn(Desk *desk, const char *thing, const char *word, const char *suffix) {
    char line[300], path[300] = "";
    Text text = TEXT_EMPTY;
    desk_do(desk, "set seed 1;");
    if (strcmp(thing, "effects") == 0) desk_do(desk, "ablate each;");
    if (*suffix) snprintf(path, sizeof path, "%s/p.%s", desk->session->interp.directory, suffix);
    if (*suffix) snprintf(line, sizeof line, "plot %s %s to \"p.%s\"", thing, word, suffix);
    else snprintf(line, sizeof line, "plot %s %s", thing, word);
    bool ok = desk_run(desk, line);
    FILE *file = ok && *path ? fopen(path, "r") : NULL;
    if (ok && !*path) text_string(&text, desk->shown.data);
    for (int c; file && (c = getc(file)) != EOF;) text_char(&text, (char)c);
    if (file) fclose(file);
    if (ok) ck_assert_msg(text.length > 0, "%s shows nothing", line);
    else ck_assert_msg(*desk->err.message, "%s", line);
    return text_take(&text, NULL);
}

/* `as lines` and `as text` may say what is there anyway, where they are taken. */
static bool may_agree(const char *word, const char *suffix) {
    return strcmp(word, "as lines") == 0 || (strcmp(word, "as text") == 0 && !*suffix) ||
           (strcmp(word, "--force") == 0 && *suffix);
}

static void try_thing(Desk *desk, const char *thing, char words[][80], size_t count, Text *found) {
    static const char *const suffixes[] = {"", "gp", "csv", "txt"};
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
        char *plain = drawn(desk, thing, "", suffixes[s]);
        ck_assert_msg(*plain, "plot %s: %s", thing, desk->err.message);
        for (size_t w = 0; w < count; w++) {
            char *with = drawn(desk, thing, words[w], suffixes[s]);
            bool refused = !*with;
            if (!refused && !may_agree(words[w], suffixes[s]) && strcmp(with, plain) == 0)
                text_format(found, "plot %s %s as .%s: the word does nothing\n", thing, words[w],
                            suffixes[s]);
            if (refused && !*desk->err.hint && !strstr(desk->err.message, "counted from 0"))
                text_format(found, "plot %s %s as .%s: %s: no remedy\n", thing, words[w],
                            suffixes[s], desk->err.message);
            mem_free(with);
        }
        mem_free(plain);
    }
}

START_TEST(each_word_counts_or_is_refused) {
    static char words[40][80];
    Text found = TEXT_EMPTY;
    Desk *desk = desk_open();
    desk_folder(desk);
    desk->host.columns = 100;
    desk_do(desk, setting_up);
    size_t count = words_of_usage(plot_commands[0].usage, words, 40), things = 0;
    ck_assert_uint_gt(count, 12);
    for (const char *at = plot_commands[0].syntax.words; *at; at += strspn(at, " ")) {
        char thing[40];
        size_t length = strcspn(at, " ");
        snprintf(thing, sizeof thing, "%.*s", (int)length, at);
        at += length;
        if (is_in_usage(plot_commands[0].usage, thing, length) || strcmp(thing, "as") == 0)
            continue;
        try_thing(desk, thing, words, count, &found);
        things++;
    }
    ck_assert_uint_gt(things, 9);
    for (size_t i = 0; more_things[i]; i++) try_thing(desk, more_things[i], words, count, &found);
    ck_assert_msg(found.length == 0, "%s", found.data);
    text_release(&found);
    desk_close(desk);
}
END_TEST

/* The usage line lists all words that may stand behind a thing. */
START_TEST(tokens_name_rows_and_columns) {
    Desk *desk = desk_open();
    desk_do(desk, "set tokens \"we love\" from \"tea and milk\";");
    desk_mentions(desk, "plot ones(2, 3)", "love");
    desk_mentions(desk, "plot ones(2, 3)", "milk");
    desk_mentions(desk, "plot ones(4, 3)", "milk");
    desk_mentions(desk, "plot ones(2, 5)", "love");
    desk_close(desk);
}
END_TEST

START_TEST(usage_lists_the_words) {
    const char *lists[] = {plot_commands[0].syntax.options, "head to as text"};
    for (size_t l = 0; l < 2; l++) {
        for (const char *at = lists[l]; *at; at += strspn(at, " ")) {
            char word[40];
            size_t length = strcspn(at, " ");
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            at += length;
            if (strstr("layer at encoder decoder cross", word)) continue; /* places in a model */
            ck_assert_msg(is_in_usage(plot_commands[0].usage, word, length), "%s", word);
        }
    }
}
END_TEST

Suite *plot_words_suite(void) {
    Suite *suite = suite_create("plot_words");
    TCase *tests = tcase_create("plot_words");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, each_word_counts_or_is_refused);
    tcase_add_test(tests, tokens_name_rows_and_columns);
    tcase_add_test(tests, usage_lists_the_words);
    suite_add_tcase(suite, tests);
    return suite;
}

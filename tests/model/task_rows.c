/* What each task draws. */
#include "base/memory.h"
#include "io/file.h"
#include "tests/engine/near.h"
#include "tests/model/task_case.h"

#include <stdlib.h>
#include <string.h>

Suite *model_task_rows_suite(void);

static Error err;

enum { DRAWN = 4000, SYMBOLS = 40 };

START_TEST(symbols_are_copied_reversed_sorted) {
    TaskExample example = {.input = NULL};
    Random random;
    random_seed(&random, 1);
    Task *copy = task_case("copy", NULL), *reverse = task_case("reverse", NULL),
         *sort = task_case("sort", NULL);
    for (int i = 0; i < 200; i++) {
        task_case_draw(copy, &random, i % 2, &example);
        ck_assert_uint_eq(example.input_count, 12);
        ck_assert_mem_eq(example.input, example.answer, 12 * sizeof(int));
        task_case_draw(reverse, &random, i % 2, &example);
        for (int t = 0; t < 12; t++) ck_assert_int_eq(example.answer[t], example.input[11 - t]);
        task_case_draw(sort, &random, i % 2, &example);
        ck_assert_uint_eq(example.answer_count, 10);
        int sum = 0;
        for (int t = 0; t < 10; t++) {
            if (t) ck_assert_int_le(example.answer[t - 1], example.answer[t]);
            sum += example.input[t] * example.input[t] - example.answer[t] * example.answer[t];
        }
        ck_assert_int_eq(sum, 0);
    }
    task_example_release(&example);
    task_unref(copy);
    task_unref(reverse);
    task_unref(sort);
}
END_TEST

/* Half are palindromes; each pair is broken equally often, on both sides. */
START_TEST(palindromes_break_in_one_pair) {
    Task *task = task_case("palindrome", NULL);
    TaskExample example = {.input = NULL};
    Random random;
    random_seed(&random, 2);
    for (int held_out = 0; held_out < 2; held_out++) {
        int groups[5] = {0};
        for (int i = 0; i < DRAWN; i++) {
            task_case_draw(task, &random, held_out, &example);
            int broken = 0, at = 0;
            for (int d = 1; d <= 4; d++) {
                if (example.input[4 - d] == example.input[4 + d]) continue;
                broken++;
                at = d;
            }
            ck_assert_int_eq(broken, example.group > 0);
            ck_assert_int_eq(at, example.group);
            ck_assert_uint_eq(example.mark, 4);
            ck_assert_str_eq(task->vocabulary->tokens[example.answer[0]], broken ? "≠" : "=");
            groups[example.group]++;
        }
        ck_assert_int_lt(abs(groups[0] - DRAWN / 2), 150);
        for (int d = 1; d <= 4; d++) ck_assert_int_lt(abs(groups[d] - DRAWN / 8), 110);
    }
    task_example_release(&example);
    task_unref(task);
}
END_TEST

START_TEST(order_is_held_out_by_pairs) {
    Task *task = task_case("order", NULL);
    TaskExample example = {.input = NULL};
    Random random;
    bool seen[2][16][16] = {{{false}}};
    random_seed(&random, 3);
    for (int held_out = 0; held_out < 2; held_out++)
        for (int i = 0; i < DRAWN; i++) {
            task_case_draw(task, &random, held_out, &example);
            int a = example.input[1], b = example.input[2];
            ck_assert_int_ne(a, b);
            seen[held_out][a][b] = true;
            ck_assert_str_eq(task->vocabulary->tokens[example.answer[0]], a < b ? "<" : ">");
        }
    int held = 0;
    for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++) {
            ck_assert(seen[0][a][b] + seen[1][a][b] == (a != b));
            ck_assert(seen[0][a][b] == seen[0][b][a]);
            if (abs(a - b) == 1) ck_assert(seen[0][a][b]);
            held += seen[1][a][b];
        }
    ck_assert_int_gt(held, 20);
    ck_assert_int_lt(held, 70);
    ck_assert_str_eq(task->vocabulary->tokens[example.input[0]], "?");
    task_example_release(&example);
    task_unref(task);
}
END_TEST

/* Among held-out examples each pair comes with its mirror image. */
START_TEST(order_is_balanced) {
    Task *task = task_case("order", NULL);
    BatchSource source = task_source(task);
    Random random;
    Batch batch;
    random_seed(&random, 3);
    ck_assert(source.draw(source.self, MODEL_ENCODER, &random, true, 100, &batch, &err));
    for (size_t b = 0; b < 100; b += 2) {
        const int *one = batch.source.ids + 3 * b, *other = one + 3;
        ck_assert(one[1] == other[2] && one[2] == other[1]);
        ck_assert(batch.labels[3 * b] != batch.labels[3 * b + 3]);
    }
    batch_release(&batch);
    task_unref(task);
}
END_TEST

static int digits_value(const int *digits, int count, bool reversed) {
    int value = 0;
    for (int i = 0; i < count; i++) value = 10 * value + digits[reversed ? count - 1 - i : i];
    return value;
}

START_TEST(sums_are_right) {
    TaskExample example = {.input = NULL};
    Random random;
    random_seed(&random, 4);
    for (int reversed = 0; reversed < 2; reversed++) {
        const TaskOptions options = {.given = 1u << TASK_REVERSED, .reversed = reversed};
        Task *task = task_case("addition", reversed ? NULL : &options); /* the default */
        for (int i = 0; i < 300; i++) {
            task_case_draw(task, &random, i % 2, &example);
            ck_assert_uint_eq(example.input_count, 7);
            ck_assert_uint_eq(example.answer_count, 4);
            ck_assert_str_eq(task->vocabulary->tokens[example.input[3]], "+");
            ck_assert_int_eq(digits_value(example.input, 3, false) +
                                 digits_value(example.input + 4, 3, false),
                             digits_value(example.answer, 4, reversed));
        }
        ck_assert_str_eq(task->vocabulary->tokens[task->vocabulary->separator], "=");
        task_unref(task);
    }
    task_example_release(&example);
}
END_TEST

/* A segment of 8 to 16 tokens comes again, no token comes twice otherwise, and what counts is the
 * repeat but for its first token. */
START_TEST(induction_repeats_one_segment) {
    Task *task = task_case("induction", NULL);
    TaskExample example = {.input = NULL};
    Random random;
    int lengths[33] = {0}, distances[33] = {0};
    random_seed(&random, 5);
    for (int i = 0; i < DRAWN; i++) {
        task_case_draw(task, &random, i % 2, &example);
        ck_assert_uint_eq(example.input_count, 32);
        int seen_at[SYMBOLS], segment = 0, distance = 0, last = -1;
        memset(seen_at, -1, sizeof seen_at);
        for (int t = 0; t < 32; t++) {
            int token = example.input[t];
            ck_assert_int_lt(token, SYMBOLS);
            bool repeated = seen_at[token] >= 0;
            if (repeated) {
                ck_assert(segment == 0 || (t == last + 1 && t - seen_at[token] == distance));
                distance = t - seen_at[token];
                last = t;
                segment++;
            }
            if (t > 0)
                ck_assert_int_eq(example.answer[t - 1], repeated && segment > 1 ? token : NO_LABEL);
            seen_at[token] = t;
        }
        ck_assert_int_eq(example.answer[31], NO_LABEL);
        ck_assert(segment >= 8 && segment <= 16 && distance >= segment);
        lengths[segment]++;
        distances[distance]++;
    }
    for (int n = 8; n <= 16; n++) ck_assert_int_gt(lengths[n], DRAWN / 9 - 110);
    for (int n = 9; n <= 22; n++) ck_assert_int_gt(distances[n], 0);
    task_example_release(&example);
    task_unref(task);
}
END_TEST

START_TEST(motifs_stand_at_one_place) {
    Task *task = task_case("motif", NULL);
    TaskExample example = {.input = NULL};
    Random random;
    int places[19] = {0};
    random_seed(&random, 6);
    for (int i = 0; i < DRAWN; i++) {
        task_case_draw(task, &random, i % 2, &example);
        const char *text = task_case_text(task, &example);
        const char *motif = strstr(text, "TATAAT");
        ck_assert(text[0] == '?' && example.mark == 0 && motif && !strstr(motif + 1, "TATAAT"));
        int place = (int)(motif - text) - 1;
        ck_assert_int_eq(atoi(strstr(text, "-> ") + 3), place);
        places[place]++;
    }
    for (int n = 0; n < 19; n++) ck_assert_int_lt(abs(places[n] - DRAWN / 19), 70);
    task_example_release(&example);
    task_unref(task);
}
END_TEST

/* ---- sentences ---- */

static const TaskOptions sentences[] = {
    {.given = 1u << TASK_FRAMES, .frames = FRAMES_ROLE},
    {.given = 1u << TASK_FRAMES, .frames = FRAMES_PLACE},
    {.given = 1u << TASK_FRAMES | 1u << TASK_LANGUAGE,
     .frames = FRAMES_ROLE,
     .language = TASK_CHINESE},
    {.given = 1u << TASK_FRAMES | 1u << TASK_LANGUAGE,
     .frames = FRAMES_PLACE,
     .language = TASK_CHINESE},
    {.given = 1u << TASK_FRAMES, .frames = FRAMES_BOTH},
    {.given = 1u << TASK_LANGUAGE, .language = TASK_CHINESE}, /* both is the default */
};
static const char *const from_the_grammars[][2] = {
    {"The dog didn't chase the cat because it was too tired",
     "The dog didn't chase the cat because it was too fast"},
    {"The animal didn't cross the street because it was too tired",
     "The animal didn't cross the street because it was too wide"},
    {"狗没有追上猫，因为它太累了", "狗没有追上猫，因为它太快了"},
    {"那只猫坐在垫子上，因为它很困", "那只猫坐在垫子上，因为它很柔软"},
    {"The animal didn't cross the street because it was too tired.",
     "The dog didn't chase the cat because it was too fast."},
    {"那只猫坐在垫子上因为它很困。", "狗没有追上猫，因为它太快了。"},
};

/* The adjective is the last token but for a full stop and 了. */
static int adjective_of(const Task *task, const int *ids, size_t count) {
    static const char *const behind[] = {".", "。", "了"};
    for (size_t i = 0; i < 3;) {
        bool ends = strcmp(task->vocabulary->tokens[ids[count - 1]], behind[i]) == 0;
        if (ends) count--;
        i = ends ? 0 : i + 1;
    }
    return ids[count - 1];
}

/* Tokens that are written as text are read as the same tokens. */
static void check_round_trip(const Task *task, const int *ids, size_t count) {
    Text text = TEXT_EMPTY;
    int *again;
    size_t found;
    ck_assert(vocabulary_decode(task->vocabulary, ids, count, &text, &err));
    ck_assert_msg(vocabulary_encode(task->vocabulary, text.data, text.length, &again, &found, &err),
                  "%s: %s", text.data, err.message);
    ck_assert_uint_eq(found, count);
    ck_assert_mem_eq(again, ids, count * sizeof *ids);
    mem_free(again);
    text_release(&text);
}

/* The answer is one of the sentence's nouns: the first where the adjective suits the subject. Each
 * adjective does so always or never, and both come equally often. */
START_TEST(adjectives_decide_what_it_is) {
    Task *task = task_case("pronoun", &sentences[_i]);
    TaskExample example = {.input = NULL};
    Random random;
    int subjects = 0, *decided = calloc(task->vocabulary->count, sizeof *decided);
    bool chinese = _i == 2 || _i == 3 || _i == 5;
    random_seed(&random, 7);
    for (int i = 0; i < DRAWN; i++) {
        task_case_draw(task, &random, i % 2, &example);
        check_round_trip(task, example.input, example.input_count);
        ck_assert_str_eq(task->vocabulary->tokens[example.input[example.mark]],
                         chinese ? "它" : "it");
        int adjective = adjective_of(task, example.input, example.input_count);
        size_t first = 0;
        while (example.input[first] != example.answer[0]) first++;
        bool subject = first <= 1;
        ck_assert_int_eq(example.group % 2, !subject);
        ck_assert_uint_lt(first, example.mark);
        ck_assert(decided[adjective] != (subject ? 2 : 1));
        decided[adjective] = subject ? 1 : 2;
        subjects += subject;
    }
    ck_assert_int_lt(abs(subjects - DRAWN / 2), 150);
    for (int i = 0; i < 2; i++) {
        int *ids;
        size_t count;
        const char *text = from_the_grammars[_i][i];
        ck_assert(vocabulary_encode(task->vocabulary, text, strlen(text), &ids, &count, &err));
        ck_assert_int_eq(decided[adjective_of(task, ids, count)], i + 1);
        mem_free(ids);
    }
    free(decided);
    task_example_release(&example);
    task_unref(task);
}
END_TEST

/* What both frames hold out is held out by the task of each frame, too, whose tokens are the same:
 * so a model that learned both is measured on each. With and without comma and full stop. */
START_TEST(frames_share_one_split) {
    Task *both = task_case("pronoun", &sentences[4 + _i]),
         *each[] = {task_case("pronoun", &sentences[2 * _i]),
                    task_case("pronoun", &sentences[2 * _i + 1])};
    TaskExample example = {.input = NULL};
    Random random;
    size_t stops = 0, commas = 0;
    random_seed(&random, 9);
    for (int i = 0; i < DRAWN; i++) {
        task_case_draw(both, &random, i % 2, &example);
        const Task *task = each[example.group / 2];
        ck_assert(vocabulary_equal(both->vocabulary, task->vocabulary));
        ck_assert_int_eq(task->def->is_held_out(task, &example), i % 2);
        for (size_t at = 0; at < example.input_count; at++) {
            const char *token = both->vocabulary->tokens[example.input[at]];
            stops += strcmp(token, _i ? "。" : ".") == 0;
            commas += strcmp(token, "，") == 0;
        }
    }
    ck_assert_int_lt(abs((int)stops - DRAWN / 2), DRAWN / 10);
    ck_assert_int_lt(abs((int)commas - _i * DRAWN * 3 / 4), DRAWN / 10);
    task_example_release(&example);
    task_unref(both);
    task_unref(each[0]);
    task_unref(each[1]);
}
END_TEST

START_TEST(pronouns_keep_combinations_apart) {
    Task *task = task_case("pronoun", NULL);
    TaskExample example = {.input = NULL};
    Random random;
    random_seed(&random, 8);
    size_t words = task->vocabulary->count;
    char *side = calloc(words * words * words, 1);
    for (int i = 0; i < 4 * DRAWN; i++) {
        task_case_draw(task, &random, i % 2, &example);
        size_t subject = example.input[1], object = example.input[5], adjective = example.input[10];
        char *at = &side[(subject * words + object) * words + adjective];
        ck_assert(*at == 0 || *at == 1 + i % 2);
        *at = 1 + i % 2;
    }
    free(side);
    task_example_release(&example);
    task_unref(task);
}
END_TEST

/* Both languages give the same pairs of sentences, the other way round. */
START_TEST(translations_go_both_ways) {
    static const TaskOptions chinese = {.given = 1u << TASK_LANGUAGE, .language = TASK_CHINESE};
    Task *there = task_case("translate", NULL), *back = task_case("translate", &chinese);
    TaskExample one = {.input = NULL}, other = {.input = NULL};
    ck_assert(task_example_reserve(&one, 16, &err) && task_example_reserve(&other, 16, &err));
    for (uint64_t seed = 0; seed < 500; seed++) {
        Random random, again;
        random_seed(&random, seed);
        random_seed(&again, seed);
        ck_assert(there->def->draw_side(there, &random, false, &one, &err));
        ck_assert(back->def->draw_side(back, &again, false, &other, &err));
        ck_assert_uint_eq(one.input_count, other.answer_count);
        ck_assert_uint_eq(one.answer_count, other.input_count);
        ck_assert_mem_eq(one.input, other.answer, one.input_count * sizeof(int));
        ck_assert_mem_eq(one.answer, other.input, one.answer_count * sizeof(int));
        check_round_trip(there, one.input, one.input_count);
        check_round_trip(there, one.answer, one.answer_count);
    }
    task_example_release(&one);
    task_example_release(&other);
    task_unref(there);
    task_unref(back);
}
END_TEST

/* ---- text ---- */

/* Windows of the file: the first nine tenths for training, the last for the other side. */
START_TEST(texts_are_cut_in_two_parts) {
    TaskOptions options = task_case_text_options();
    options.given |= 1u << TASK_LENGTH | (_i ? 1u << TASK_TOKENS : 0);
    options.length = 20;
    options.tokens = _i ? TASK_PAIRS : TASK_CHARACTERS;
    Task *task = task_case("text", &options);
    ck_assert_uint_eq(task->vocabulary->unit, _i ? TOKENS_PAIRS : TOKENS_CHARACTERS);
    TaskExample example = {.input = NULL};
    Random random;
    int last = 0, first = 400; /* lines of training, and held out */
    random_seed(&random, 9);
    for (int i = 0; i < DRAWN; i++) {
        task_case_draw(task, &random, i % 2, &example);
        ck_assert_uint_eq(example.input_count, 20);
        ck_assert_mem_eq(example.input + 1, example.answer, 19 * sizeof(int));
        const char *text = task_case_text(task, &example), *line = strchr(text, '\n');
        if (!line || strchr(line + 1, ' ') == NULL || line + 20 > strstr(text, " -> ")) continue;
        int number = atoi(line + 1);
        if (i % 2 == 0 && number > last) last = number;
        if (i % 2 == 1 && number < first) first = number;
    }
    ck_assert(last > 340 && last <= first && first < 370);
    task_example_release(&example);
    task_unref(task);
}
END_TEST

/* Examples begin at a line, or behind a mark, on both sides; the tokens of one text serve another.
 */
START_TEST(examples_begin_at_marks) {
    static const char *const marks[] = {"line", "saw "};
    for (TaskTokens tokens = TASK_CHARACTERS; tokens <= TASK_WORDS; tokens++)
        for (int mark = 0; mark < 2; mark++) {
            TaskOptions options = task_case_text_options();
            options.given |= 1u << TASK_LENGTH | 1u << TASK_TOKENS | 1u << TASK_EACH;
            options.length = 12;
            options.tokens = tokens;
            options.each = marks[mark];
            Task *task = task_case("text", &options);
            TaskExample example = {.input = NULL};
            Random random;
            random_seed(&random, 4);
            for (int i = 0; i < DRAWN; i++) {
                task_case_draw(task, &random, i % 2, &example);
                const char *text = task_case_text(task, &example);
                if (strncmp(text, "0 cats", 6) == 0) continue; /* the text's beginning is one */
                int number = atoi(text), root = 0;
                while (root * root < number) root++;
                const char *end = text + strspn(text, "0123456789");
                ck_assert_msg(end > text, "%s", text);
                ck_assert_msg(strstr(text, mark ? "只" : "cats") - end <= 1, "%s", text);
                if (mark) ck_assert_int_eq(root * root, number);
                ck_assert_mem_eq(example.input + 1, example.answer, 11 * sizeof(int));
            }
            TaskOptions again = task_case_text_options();
            again.given_vocabulary = task->vocabulary;
            Task *other = task_case("text", &again);
            ck_assert(other->vocabulary == task->vocabulary);
            task_example_release(&example);
            task_unref(task);
            task_unref(other);
        }
}
END_TEST

static void check_text_refused(TaskOptions options, ErrorKind kind, const char *message) {
    ck_assert_ptr_null(task_new("text", &options, &err));
    ck_assert_int_eq(err.kind, kind);
    ck_assert_msg(strstr(err.message, message), "%s", err.message);
}

START_TEST(files_are_checked) {
    check_text_refused((TaskOptions){0}, ERR_VALUE, "needs a file");
    TaskOptions options = {.given = 1u << TASK_PATH, .path = "/nowhere/text"};
    check_text_refused(options, ERR_FILE, "/nowhere/text");
    options = task_case_text_options();
    options.given |= 1u << TASK_LENGTH;
    options.length = 4000;
    check_text_refused(options, ERR_VALUE, "examples of 4000 need at least 40010");
    options = task_case_text_options();
    options.given |= 1u << TASK_VOCABULARY;
    options.vocabulary = 300;
    check_text_refused(options, ERR_VALUE, "tokens=\"pairs\" only");
    options = task_case_text_options();
    options.given |= 1u << TASK_EACH;
    options.each = "dogs";
    check_text_refused(options, ERR_VALUE, "\"dogs\" is there too seldom for examples of 64");
    options.each = "";
    check_text_refused(options, ERR_VALUE, "not an empty text");
    static const char *const bad[] = {"abc\xff", "", "ab"};
    static const char *const why[] = {"not UTF-8: byte 3", "is empty", "2 tokens"};
    for (int i = 0; i < 3; i++) {
        options = task_case_text_options();
        ck_assert(file_write(options.path, bad[i], strlen(bad[i]), &err));
        check_text_refused(options, i ? ERR_VALUE : ERR_FILE, why[i]);
    }
    ck_assert(file_write(options.path, "a\0b", 3, &err));
    check_text_refused(options, ERR_FILE, "byte 1 is 0");
}
END_TEST

Suite *model_task_rows_suite(void) {
    Suite *suite = suite_create("model_task_rows");
    TCase *tests = tcase_create("rows");
    tcase_add_checked_fixture(tests, near_remember, task_case_nothing_left);
    tcase_add_test(tests, symbols_are_copied_reversed_sorted);
    tcase_add_test(tests, palindromes_break_in_one_pair);
    tcase_add_test(tests, order_is_held_out_by_pairs);
    tcase_add_test(tests, order_is_balanced);
    tcase_add_test(tests, sums_are_right);
    tcase_add_test(tests, induction_repeats_one_segment);
    tcase_add_test(tests, motifs_stand_at_one_place);
    tcase_add_loop_test(tests, adjectives_decide_what_it_is, 0, 6);
    tcase_add_loop_test(tests, frames_share_one_split, 0, 2);
    tcase_add_test(tests, pronouns_keep_combinations_apart);
    tcase_add_test(tests, translations_go_both_ways);
    tcase_add_loop_test(tests, texts_are_cut_in_two_parts, 0, 2);
    tcase_add_test(tests, examples_begin_at_marks);
    tcase_add_test(tests, files_are_checked);
    suite_add_tcase(suite, tests);
    return suite;
}

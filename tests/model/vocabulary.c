/* Text to tokens and back, in both languages, and vocabularies in files. */
#include "base/memory.h"
#include "base/random.h"
#include "model/tokenizers/byte_pairs.h"
#include "model/tokenizers/vocabulary.h"
#include "tests/engine/near.h"

#include <string.h>

Suite *model_vocabulary_suite(void);

static Error err;

static Vocabulary *of_words(TokenUnit unit, const char *words) {
    Vocabulary *vocabulary = vocabulary_of_words(unit, words, strlen(words), &err);
    ck_assert_msg(vocabulary != NULL, "%s", err.message);
    return vocabulary;
}

static size_t encoded(const Vocabulary *vocabulary, const char *text, int *out) {
    int *ids;
    size_t count;
    ck_assert_msg(vocabulary_encode(vocabulary, text, strlen(text), &ids, &count, &err), "%s",
                  err.message);
    if (out) memcpy(out, ids, count * sizeof *ids);
    mem_free(ids);
    return count;
}

/* Checks that `text` has `count` tokens, and that they are written as `again`. */
static void check_round_trip(const Vocabulary *vocabulary, const char *text, size_t count,
                             const char *again) {
    int ids[256];
    Text out = TEXT_EMPTY;
    ck_assert_uint_eq(encoded(vocabulary, text, ids), count);
    ck_assert(vocabulary_decode(vocabulary, ids, count, &out, &err));
    ck_assert_str_eq(out.data, again);
    text_release(&out);
}

START_TEST(words_are_cut_at_spaces_and_by_length) {
    Vocabulary *english = of_words(TOKENS_WORDS, "The the cat cats didn't sleep . , <sep>"),
               *chinese = of_words(TOKENS_WORDS, "那只 那 猫 坐在 垫子 垫子上 ， 因为 它 很");
    check_round_trip(english, "The cat didn't sleep.", 5, "The cat didn't sleep.");
    check_round_trip(english, "  the cats ,the cat", 5, "the cats, the cat");
    check_round_trip(english, "CATS<sep>cat", 3, "cats <sep> cat");
    ck_assert_int_eq(english->separator, 8);
    check_round_trip(chinese, "那只猫坐在垫子上，因为它很", 8, "那只猫坐在垫子上，因为它很");
    check_round_trip(chinese, "那 猫 坐在 垫子", 4, "那猫坐在垫子");
    vocabulary_unref(english);
    vocabulary_unref(chinese);
}
END_TEST

START_TEST(characters_stand_alone) {
    Vocabulary *vocabulary = of_words(TOKENS_CHARACTERS, "a b 猫 <begin> <end> <sep>");
    check_round_trip(vocabulary, "ab猫 a<sep>b", 6, "ab猫a<sep>b");
    ck_assert_int_eq(vocabulary->begin, 3);
    ck_assert_int_eq(vocabulary->end, 4);
    vocabulary_unref(vocabulary);
    static const char *const tokens[] = {"a", " ", "\n"};
    vocabulary = vocabulary_new(TOKENS_CHARACTERS, tokens, 3, &err);
    check_round_trip(vocabulary, "a a\n", 4, "a a\n");
    Text shown = TEXT_EMPTY;
    for (int i = 0; i < 3; i++) vocabulary_show(vocabulary, i, &shown);
    ck_assert_str_eq(shown.data, "a␣\\n");
    text_release(&shown);
    vocabulary_unref(vocabulary);
}
END_TEST

static void check_unknown(const Vocabulary *vocabulary, const char *text, const char *message,
                          const char *hint) {
    int *ids;
    size_t count;
    ck_assert(!vocabulary_encode(vocabulary, text, strlen(text), &ids, &count, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_msg(strstr(err.message, message), "%s", err.message);
    ck_assert_msg(strstr(err.hint, hint), "%s", err.hint);
}

START_TEST(unknown_tokens_are_named) {
    Vocabulary *words = of_words(TOKENS_WORDS, "the horse 猫");
    check_unknown(words, "the hores", "\"hores\" is not a token", "\"horse\"");
    check_unknown(words, "the\x1b[2J", "\"?\"", "The tokens are: the horse 猫");
    check_unknown(words, "猫狗", "\"狗\" is not", "The tokens");
    check_unknown(words, "\xff", "is not", "The tokens");
    Text out = TEXT_EMPTY;
    const int bad[] = {0, 3};
    ck_assert(!vocabulary_decode(words, bad, 2, &out, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "no token 3: they are from 0 to 2"));
    text_release(&out);
    vocabulary_unref(words);
}
END_TEST

START_TEST(tokens_must_differ) {
    static const char *const twice[] = {"a", "b", "a"}, *const empty[] = {"a", ""},
                             *const bad[] = {"\xe4"};
    ck_assert_ptr_null(vocabulary_new(TOKENS_WORDS, twice, 3, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "\"a\" is there twice"));
    ck_assert_ptr_null(vocabulary_new(TOKENS_WORDS, empty, 2, &err));
    ck_assert_ptr_null(vocabulary_new(TOKENS_WORDS, bad, 1, &err));
    ck_assert_ptr_null(vocabulary_new(TOKENS_WORDS, twice, 0, &err));
}
END_TEST

START_TEST(the_longest_token_is_found) {
    char longest[1002] = "", text[5000];
    memset(longest, 'a', 1001);
    const char *tokens[] = {"a", "aab", longest};
    ck_assert_ptr_null(vocabulary_new(TOKENS_CHARACTERS, tokens, 3, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "a token has at most 1000 bytes"));
    longest[1000] = '\0';
    Vocabulary *vocabulary = vocabulary_new(TOKENS_CHARACTERS, tokens, 3, &err);
    memset(text, 'a', 2002); /* twice the longest, then "aab" twice */
    strcpy(text + 2002, "baab");
    ck_assert_uint_eq(encoded(vocabulary, text, NULL), 4);
    vocabulary_unref(vocabulary);
}
END_TEST

/* ---- byte pairs ---- */

static const char rhyme[] = "the cat and the hat, the cat on the mat; 猫 and 猫";

static Vocabulary *learned(const char *text, size_t count) {
    Vocabulary *vocabulary = vocabulary_learn(text, strlen(text), count, &err);
    ck_assert_msg(vocabulary != NULL, "%s", err.message);
    return vocabulary;
}

START_TEST(pairs_are_learned_from_a_text) {
    Vocabulary *vocabulary = learned(rhyme, 300);
    size_t whole = strlen(rhyme), count = encoded(vocabulary, rhyme, NULL);
    ck_assert_uint_lt(count, whole / 2);
    ck_assert_int_ne(vocabulary_find(vocabulary, " the", 4), NO_TOKEN);
    ck_assert_int_eq(vocabulary_find(vocabulary, "the cat", 7), NO_TOKEN); /* a space inside */
    check_round_trip(vocabulary, rhyme, count, rhyme);
    check_round_trip(vocabulary, "\t?", 2, "\t?"); /* any text can be encoded */
    ck_assert_str_eq(vocabulary->tokens['\n'], "\\n");
    ck_assert_str_eq(vocabulary->tokens[0xe4], "\\xe4");
    ck_assert_str_eq(vocabulary->tokens['\\'], "\\\\");
    ck_assert_int_eq(vocabulary_find(vocabulary, "hat,", 4), NO_TOKEN); /* punctuation */
    ck_assert_int_eq(vocabulary_find(vocabulary, " mat;", 5), NO_TOKEN);
    const int half = 0xe4;
    Text out = TEXT_EMPTY;
    ck_assert(vocabulary_decode(vocabulary, &half, 1, &out, &err));
    ck_assert_str_eq(out.data, "\xef\xbf\xbd"); /* U+FFFD */
    text_release(&out);
    vocabulary_unref(vocabulary);
}
END_TEST

/* Words are known to be frequent in the text that pairs come from, also from a file. */
START_TEST(rare_words_are_named) {
    Text text = TEXT_EMPTY, rare = TEXT_EMPTY;
    for (int i = 0; i < 9; i++) text_string(&text, "The cat didn't sit. ");
    for (int i = 0; i < 7; i++) text_string(&text, "dog ");
    Vocabulary *vocabulary = learned(text.data, 290);
    for (int round = 0; round < 2; round++) {
        const char asked[] = "The dog, the cat and the dog didn't.";
        text_clear(&rare);
        vocabulary_write_rare(vocabulary, asked, strlen(asked), &rare);
        ck_assert_str_eq(rare.data, "dog, the, and");
        text_clear(&text);
        vocabulary_write_json(vocabulary, &text);
        vocabulary_unref(vocabulary);
        vocabulary = vocabulary_read_json(text.data, text.length, &err);
        ck_assert_msg(vocabulary != NULL, "%s", err.message);
    }
    /* Where the words are not known, those that no pair joins. */
    vocabulary_unref(vocabulary->words);
    vocabulary->words = NULL;
    const char other[] = "The dog's Zuzu, a cat, a qj.";
    text_clear(&rare);
    vocabulary_write_rare(vocabulary, other, strlen(other), &rare);
    ck_assert_str_eq(rare.data, "Zuzu, qj");
    text_release(&text);
    text_release(&rare);
    vocabulary_unref(vocabulary);
}
END_TEST

START_TEST(characters_are_joined_before_their_pairs) {
    const char text[] = "我们我们我们我们 竹石 竹石";
    const char *const characters[] = {"我", "们", "竹", "石"};
    for (size_t pairs = 8; pairs <= 9; pairs++) { /* two for each character, then the pair of two */
        Vocabulary *vocabulary = learned(text, BYTE_TOKENS + pairs);
        for (size_t i = 0; i < 4; i++)
            ck_assert_int_ne(vocabulary_find(vocabulary, characters[i], 3), NO_TOKEN);
        ck_assert_int_eq(vocabulary_find(vocabulary, "我们", 6) != NO_TOKEN, pairs == 9);
        vocabulary_unref(vocabulary);
    }
}
END_TEST

START_TEST(pairs_stay_short) {
    char same[3000];
    memset(same, 'a', sizeof same);
    same[sizeof same - 1] = 0;
    Vocabulary *vocabulary = learned(same, 400);
    ck_assert_uint_eq(vocabulary->longest, PAIR_BYTES_MOST);
    vocabulary_unref(vocabulary);
    vocabulary = learned("", 400);
    ck_assert_uint_eq(vocabulary->count, BYTE_TOKENS);
    vocabulary_unref(vocabulary);
}
END_TEST

/* The definition: each pair in its turn is joined wherever it stands. */
static size_t joined_in_turn(const PairTable *pairs, int *ids, size_t count) {
    for (size_t p = 0; p < pairs->count; p++) {
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            bool here = i + 1 < count && ids[i] == pairs->pairs[p].left &&
                        ids[i + 1] == pairs->pairs[p].right;
            ids[kept++] = here ? pairs->pairs[p].joined : ids[i];
            i += here;
        }
        count = kept;
    }
    return count;
}

START_TEST(joining_is_joining_in_turn) {
    enum { MOST = 400 };
    Vocabulary *vocabulary = learned("ab abb aab babab aaaa bbbb abab abba cabac", 290);
    Random random;
    random_seed(&random, 1);
    for (int round = 0; round < 300; round++) {
        char text[MOST];
        int ids[MOST], expected[MOST];
        size_t length = (size_t)random_below(&random, MOST);
        for (size_t i = 0; i < length; i++) {
            text[i] = "ab c"[random_below(&random, 4)];
            expected[i] = text[i];
        }
        text[length ? length - 1 : 0] = 0;
        length = strlen(text);
        size_t count = joined_in_turn(&vocabulary->pairs, expected, length);
        ck_assert_uint_eq(encoded(vocabulary, text, ids), count);
        for (size_t i = 0; i < count; i++) ck_assert_int_eq(ids[i], expected[i]);
    }
    vocabulary_unref(vocabulary);
}
END_TEST

/* ---- files ---- */

static void check_json(Vocabulary *vocabulary) {
    Text json = TEXT_EMPTY;
    vocabulary_write_json(vocabulary, &json);
    ck_assert(text_ok(&json, &err));
    Vocabulary *again = vocabulary_read_json(json.data, json.length, &err);
    ck_assert_msg(again != NULL, "%s", err.message);
    ck_assert(vocabulary_equal(vocabulary, again));
    ck_assert_int_eq(vocabulary->end, again->end);
    ck_assert_int_eq(vocabulary->ask, again->ask);
    text_release(&json);
    vocabulary_unref(again);
    vocabulary_unref(vocabulary);
}

START_TEST(files_keep_vocabularies) {
    check_json(of_words(TOKENS_WORDS, "那只 猫 \" \\ <sep> <end>"));
    Vocabulary *equation = of_words(TOKENS_CHARACTERS, "1 2 + = <end>");
    equation->separator = 3;
    equation->ask = 2;
    check_json(equation);
    check_json(learned(rhyme, 280));
}
END_TEST

START_TEST(damaged_files_are_refused) {
    static const char *const damaged[] = {
        "",
        "[]",
        "{}",
        "{\"unit\": 3}",
        "{\"unit\": \"bytes\"}",
        "{\"unit\": \"words\"}",
        "{\"unit\": \"words\", \"tokens\": [], \"separator\": -1}",
        "{\"unit\": \"words\", \"tokens\": [1], \"separator\": -1}",
        "{\"unit\": \"words\", \"tokens\": [\"a\"], \"separator\": 1}",
        "{\"unit\": \"words\", \"tokens\": [\"a\"], \"separator\": -2}",
        "{\"unit\": \"words\", \"tokens\": [\"a\"], \"separator\": -1, \"ask\": 1}",
        "{\"unit\": \"words\", \"tokens\": [\"a\"], \"separator\": -1, \"ask\": \"a\"}",
        "{\"unit\": \"words\", \"tokens\": [\"a\", \"a\"], \"separator\": -1}",
        "{\"unit\": \"words\", \"tokens\": [\"a\\u0000b\"], \"separator\": -1}",
        "{\"unit\": \"pairs\", \"pairs\": [[256, 0]]}",
        "{\"unit\": \"pairs\", \"pairs\": [[-1, 0]]}",
        "{\"unit\": \"pairs\", \"pairs\": [[1]]}",
        "{\"unit\": \"pairs\", \"pairs\": [1]}",
        ("{\"unit\": \"pairs\", \"pairs\": [[1, 1], [256, 256], [257, 257], [258, 258], "
         "[259, 259], [260, 260], [261, 261]]}"),
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        ck_assert_msg(!vocabulary_read_json(damaged[i], strlen(damaged[i]), &err), "%s",
                      damaged[i]);
        ck_assert_msg(err.kind == ERR_FILE, "%s: %s", damaged[i], err.message);
    }
}
END_TEST

START_TEST(memory_may_run_out) {
    bool done = false;
    for (long n = 1; !done; n++) {
        Text json = TEXT_EMPTY;
        int *ids = NULL;
        size_t count;
        Vocabulary *again = NULL;
        mem_fail_at(n, false);
        Vocabulary *vocabulary = vocabulary_learn(rhyme, strlen(rhyme), 270, &err);
        if (vocabulary && vocabulary_encode(vocabulary, rhyme, 10, &ids, &count, &err)) {
            vocabulary_write_json(vocabulary, &json);
            done = text_ok(&json, &err) &&
                   (again = vocabulary_read_json(json.data, json.length, &err)) != NULL;
        }
        mem_fail_at(0, false);
        if (!done) ck_assert_int_eq(err.kind, ERR_LIMIT);
        mem_free(ids);
        text_release(&json);
        vocabulary_unref(vocabulary);
        vocabulary_unref(again);
        ck_assert_int_lt(n, 10000);
    }
}
END_TEST

Suite *model_vocabulary_suite(void) {
    Suite *suite = suite_create("model_vocabulary");
    TCase *tests = tcase_create("vocabulary");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, words_are_cut_at_spaces_and_by_length);
    tcase_add_test(tests, characters_stand_alone);
    tcase_add_test(tests, unknown_tokens_are_named);
    tcase_add_test(tests, tokens_must_differ);
    tcase_add_test(tests, the_longest_token_is_found);
    tcase_add_test(tests, pairs_are_learned_from_a_text);
    tcase_add_test(tests, rare_words_are_named);
    tcase_add_test(tests, characters_are_joined_before_their_pairs);
    tcase_add_test(tests, pairs_stay_short);
    tcase_add_test(tests, joining_is_joining_in_turn);
    tcase_add_test(tests, files_keep_vocabularies);
    tcase_add_test(tests, damaged_files_are_refused);
    tcase_add_test(tests, memory_may_run_out);
    suite_add_tcase(suite, tests);
    return suite;
}

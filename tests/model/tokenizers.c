/* The tokenizers of others: small ones that are made here, read from text and from folders. */
#include "base/memory.h"
#include "io/file.h"
#include "model/tokenizers/tokenizer.h"
#include "tests/engine/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *model_tokenizers_suite(void);

static Error err;

/* ---- folders ---- */

static char folder[] = "/tmp/attn-tokenizers-XXXXXX";

static void make_folder(void) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void path_of(const char *name, char out[96]) { snprintf(out, 96, "%s/%s", folder, name); }

static void put(const char *name, const char *text) {
    char path[96];
    path_of(name, path);
    ck_assert(file_write(path, text, strlen(text), &err));
}

static void drop(const char *name) {
    char path[96];
    path_of(name, path);
    unlink(path);
}

static void remove_folder(void) {
    static const char *const names[] = {"tokenizer.json",
                                        "vocab.json",
                                        "merges.txt",
                                        "vocab.txt",
                                        "tokenizer_config.json",
                                        "special_tokens_map.json",
                                        "added_tokens.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) drop(names[i]);
    rmdir(folder);
}

static Vocabulary *opened(void) {
    bool found;
    Vocabulary *vocabulary = vocabulary_open_folder(folder, &found, &err);
    ck_assert_msg(vocabulary != NULL, "%s", err.message);
    ck_assert(found);
    return vocabulary;
}

static void check_refused(const char *message) {
    bool found = false;
    Vocabulary *vocabulary = vocabulary_open_folder(folder, &found, &err);
    ck_assert_msg(!vocabulary && found, "%s", message);
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_msg(strstr(err.message, message), "%s, not %s", err.message, message);
    ck_assert(*err.hint);
}

/* ---- what is compared ---- */

/* Checks that the text becomes these tokens, as they are shown, with spaces between them. */
static void check_tokens(const Vocabulary *vocabulary, const char *text, const char *expected) {
    int *ids;
    size_t count;
    Text shown = TEXT_EMPTY;
    ck_assert_msg(vocabulary_encode(vocabulary, text, strlen(text), &ids, &count, &err), "%s",
                  err.message);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_char(&shown, ' ');
        vocabulary_show(vocabulary, ids[i], &shown);
    }
    ck_assert_str_eq(shown.data, expected);
    text_release(&shown);
    mem_free(ids);
}

static void check_round_trip(const Vocabulary *vocabulary, const char *text, const char *again) {
    int *ids;
    size_t count;
    Text out = TEXT_EMPTY;
    ck_assert_msg(vocabulary_encode_part(vocabulary, text, strlen(text), &ids, &count, &err), "%s",
                  err.message);
    ck_assert(vocabulary_decode(vocabulary, ids, count, &out, &err));
    ck_assert_str_eq(out.data, again);
    text_release(&out);
    mem_free(ids);
}

/* The vocabulary from its own JSON; the one that is given is released. */
static Vocabulary *read_again(Vocabulary *vocabulary) {
    Text json = TEXT_EMPTY;
    vocabulary_write_json(vocabulary, &json);
    ck_assert(text_ok(&json, &err));
    Vocabulary *again = vocabulary_read_json(json.data, json.length, &err);
    ck_assert_msg(again != NULL, "%s", err.message);
    ck_assert(vocabulary_equal(vocabulary, again));
    text_release(&json);
    vocabulary_unref(vocabulary);
    return again;
}

/* ---- byte-level pairs ---- */

#define ONE_BYTES \
    "\"a\": 0, \"b\": 1, \"c\": 2, \"Ġ\": 3, \"'\": 4, \"s\": 5, \"1\": 6, \"!\": 7, \"Ċ\": 8, " \
    "\"ä\": 9, \"½\": 10, \"ł\": 11, "
#define PAIRS_VOCAB \
    "{" ONE_BYTES "\"ab\": 12, \"Ġab\": 13, \"'s\": 14, \"abc\": 15, \"<|endoftext|>\": 16}"
#define PAIRS_MERGES "a b\nĠ ab\n' s\nab c\n"

static Vocabulary *byte_level(void) {
    make_folder();
    put("vocab.json", PAIRS_VOCAB);
    put("merges.txt", "#version: 0.2\n" PAIRS_MERGES);
    return opened();
}

START_TEST(byte_level_pairs_are_read_from_two_files) {
    Vocabulary *vocabulary = byte_level();
    for (int round = 0; round < 2; round++) {
        ck_assert_uint_eq(vocabulary->count, 17);
        ck_assert_int_eq(vocabulary->end, 16);
        check_tokens(vocabulary, "abc ab", "abc ␣ab");
        check_tokens(vocabulary, " abc", "␣ab c"); /* the pair that stands first */
        check_tokens(vocabulary, "ab's  c", "ab 's ␣ ␣ c");
        check_tokens(vocabulary, "a1b!!", "a 1 b ! !");
        check_tokens(vocabulary, "a\n\nb", "a \\n \\n b");
        check_tokens(vocabulary, "a<|endoftext|><|endoftext|> b",
                     "a <|endoftext|> <|endoftext|> ␣ b");
        check_tokens(vocabulary, "你", "\\xe4 \\xbd \\xa0");
        check_tokens(vocabulary, "", "");
        check_round_trip(vocabulary, "ab  你<|endoftext|>'s", "ab  你<|endoftext|>'s");
        int *ids;
        size_t count;
        ck_assert(!vocabulary_encode(vocabulary, "ab?", 3, &ids, &count, &err));
        ck_assert_msg(strstr(err.message, "the byte \\x3f is not a token"), "%s", err.message);
        vocabulary = read_again(vocabulary);
    }
    vocabulary_unref(vocabulary);
    remove_folder();
}
END_TEST

START_TEST(byte_level_settings_stand_beside) {
    make_folder();
    put("vocab.json", PAIRS_VOCAB);
    put("merges.txt", PAIRS_MERGES "\r\n");
    put("tokenizer_config.json",
        "{\"add_prefix_space\": true, \"eos_token\": {\"content\": \"abc\"}, "
        "\"tokenizer_class\": \"GPT2TokenizerFast\"}");
    put("added_tokens.json", "{\"<pad>\": 17}");
    Vocabulary *vocabulary = read_again(opened());
    check_tokens(vocabulary, "ab", "␣ab");
    check_tokens(vocabulary, "abc<pad>ab", "abc <pad> ␣ab"); /* abc is an added token */
    vocabulary_unref(vocabulary);
    put("tokenizer_config.json",
        "{\"added_tokens_decoder\": {\"16\": {\"content\": \"<|endoftext|>\", \"lstrip\": true, "
        "\"rstrip\": true}}}");
    vocabulary = read_again(opened());
    check_tokens(vocabulary, "a \n<|endoftext|> \nb", "a <|endoftext|> b");
    vocabulary_unref(vocabulary);
    drop("tokenizer_config.json");
    put("added_tokens.json", "{\"<pad>\": 4294967313}"); /* 17 in 32 bits */
    check_refused("\"<pad>\" has no number");
    drop("added_tokens.json");
    put("tokenizer_config.json", "{\"tokenizer_class\": \"RobertaTokenizer\"}");
    check_refused("tokenizer_class \"RobertaTokenizer\" is not known");
    put("tokenizer_config.json", "{\"add_bos_token\": true}");
    check_refused("\"add_bos_token\" is not known");
    put("tokenizer_config.json", "[]");
    check_refused("tokenizer_config.json holds no object");
    drop("tokenizer_config.json");
    drop("merges.txt");
    check_refused("merges.txt");
    drop("vocab.json");
    bool found = true;
    ck_assert_ptr_null(vocabulary_open_folder(folder, &found, &err));
    ck_assert(!found);
    remove_folder();
}
END_TEST

START_TEST(long_words_are_joined) {
    enum { LENGTH = 100000 };
    Vocabulary *vocabulary = byte_level();
    char *text = mem_alloc(LENGTH, &err);
    for (size_t i = 0; i < LENGTH; i++) text[i] = "ab"[i % 2];
    int *ids;
    size_t count;
    ck_assert(vocabulary_encode(vocabulary, text, LENGTH, &ids, &count, &err));
    ck_assert_uint_eq(count, LENGTH / 2);
    mem_free(ids);
    mem_free(text);
    vocabulary_unref(vocabulary);
    remove_folder();
}
END_TEST

/* ---- word pieces ---- */

#define PIECES "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\nun\n##aff\n##able\n猫\n.\n'\nt\n"

START_TEST(word_pieces_are_read_from_a_list) {
    make_folder();
    put("vocab.txt", PIECES);
    Vocabulary *vocabulary = opened();
    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(vocabulary->ask, 4);
        check_tokens(vocabulary, "The Cats unaffable.",
                     "[CLS] the cat ##s un ##aff ##able . [SEP]");
        check_tokens(vocabulary,
                     "thé\tc\xcc\xa7"
                     "at dog'T",
                     "[CLS] the cat [UNK] ' t [SEP]");
        check_tokens(vocabulary, "the[MASK]猫猫 [mask]",
                     "[CLS] the [MASK] 猫 猫 [UNK] [UNK] [UNK] [SEP]");
        check_tokens(vocabulary, "", "[CLS] [SEP]");
        check_round_trip(vocabulary, "the  cats unaffable 猫猫.", "the cats unaffable猫猫.");
        vocabulary = read_again(vocabulary);
    }
    vocabulary_unref(vocabulary);
    put("tokenizer_config.json", "{\"do_lower_case\": false}");
    vocabulary = read_again(opened());
    check_tokens(vocabulary, "the The thé", "[CLS] the [UNK] [UNK] [SEP]");
    vocabulary_unref(vocabulary);
    put("tokenizer_config.json", "{\"do_lower_case\": 1}");
    check_refused("\"lowercase\" is not true or false");
    drop("tokenizer_config.json");
    put("vocab.txt", "a\n[UNK]\n");
    check_refused("puts \"[CLS]\" around a text, which is no token");
    put("vocab.txt", "[UNK]\n[UNK]\n");
    check_refused("vocab.txt");
    put("vocab.txt", "[CLS]\n[SEP]\n\xff\n");
    check_refused("vocab.txt");
    remove_folder();
}
END_TEST

/* ---- tokenizer.json ---- */

#define BYTE_LEVEL "\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": false}"
#define BERT \
    "\"normalizer\": {\"type\": \"BertNormalizer\"}, \"pre_tokenizer\": {\"type\": " \
    "\"BertPreTokenizer\"}"
#define BPE(vocab, merges) \
    "\"model\": {\"type\": \"BPE\", \"vocab\": {" vocab "}, \"merges\": [" merges "]}"
#define PIECE_MODEL \
    "\"model\": {\"type\": \"WordPiece\", \"unk_token\": \"u\", \"vocab\": {\"u\": 0}}"

START_TEST(one_file_says_all) {
    make_folder();
    put("vocab.txt", "this is not read");
    put("tokenizer.json",
        "{" BYTE_LEVEL ", \"post_processor\": {\"type\": \"RobertaProcessing\", "
        "\"cls\": [\"a\", 0], \"sep\": [\"b\", 1]}, \"added_tokens\": [{\"id\": 3, "
        "\"content\": \"猫 x\"}, {\"id\": 4, \"content\": \"猫 xy\"}], " BPE(
            "\"a\": 0, \"b\": 1, \"ab\": 2", "\"a b\", [\"a\", \"b\"]") "}");
    Vocabulary *vocabulary = read_again(opened());
    check_tokens(vocabulary, "ab猫 xy猫 xa", "a ab 猫␣xy 猫␣x a b");
    check_round_trip(vocabulary, "ab猫 xy", "ab猫 xy");
    vocabulary_unref(vocabulary);
    remove_folder();
}
END_TEST

START_TEST(what_is_not_known_is_refused_by_name) {
    static const struct {
        const char *json, *message;
    } refused[] = {
        {"", "tokenizer.json is not the JSON"},
        {"[]", "model type \"none\""},
        {"{\"model\": {\"type\": \"Unigram\", \"vocab\": [[\"a\", 1]]}}", "model type \"Unigram\""},
        {"{\"model\": {\"type\": 3}}", "model type \"no type\""},
        {"{" BYTE_LEVEL "," BPE("", "") "}", "from 1 to"},
        {"{" BPE("\"a\": 0", "") "}", "pre_tokenizer \"none\""},
        {"{\"pre_tokenizer\": {\"type\": \"Sequence\"}, " BPE("\"a\": 0", "") "}",
         "pre_tokenizer \"Sequence\""},
        {"{\"normalizer\": {\"type\": \"NFC\"}, " BYTE_LEVEL "," BPE("\"a\": 0", "") "}",
         "normalizer \"NFC\""},
        {"{\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"use_regex\": false}, " BPE("\"a\": 0",
                                                                                     "") "}",
         "cuts no words"},
        {"{" BYTE_LEVEL ", \"post_processor\": {\"type\": \"Sequence\"}, " BPE("\"a\": 0", "") "}",
         "post_processor \"Sequence\""},
        {"{" BYTE_LEVEL ", \"model\": {\"type\": \"BPE\", \"end_of_word_suffix\": \"</w>\", "
         "\"vocab\": {\"a\": 0}, \"merges\": []}}",
         "\"end_of_word_suffix\""},
        {"{" BYTE_LEVEL ", \"model\": {\"type\": \"BPE\", \"byte_fallback\": true, "
         "\"vocab\": {\"a\": 0}, \"merges\": []}}",
         "\"byte_fallback\""},
        {"{" BYTE_LEVEL ", \"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}}}",
         "no \"merges\""},
        {"{" BYTE_LEVEL "," BPE("\"a\": 1", "") "}", "has no number from 0"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0.5", "") "}", "has no number from 0"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0, \"b\": 0", "") "}", "have the same number 0"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0, \"b\": 1", "\"a b\"") "}",
         "gives \"ab\", is not made of"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0, \"ab\": 1", "\"a b\"") "}", "is not made of tokens"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0", "\"a\"") "}", "pair 0 of the tokenizer's merges"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0", "\"a a a\"") "}", "is not two tokens"},
        {"{" BYTE_LEVEL "," BPE("\"a\": 0", "7") "}", "is not two tokens"},
        {"{" BYTE_LEVEL
         ", \"added_tokens\": [{\"id\": 1, \"content\": \"\"}], " BPE("\"a\": 0", "") "}",
         "an added token has no text"},
        {"{" BYTE_LEVEL
         ", \"added_tokens\": [{\"id\": 1, \"content\": \"a\"}], " BPE("\"a\": 0", "") "}",
         "the added token \"a\" has two numbers"},
        {"{" BYTE_LEVEL ", \"added_tokens\": [{\"id\": 1, \"content\": \"x\"}, {\"id\": 2, "
         "\"content\": \"x\"}], " BPE("\"a\": 0", "") "}",
         "\"x\" is added twice"},
        {"{" BYTE_LEVEL ", \"added_tokens\": [{\"id\": 0, \"content\": \"a\"}, {\"id\": 0, "
         "\"content\": \"a\"}], " BPE("\"a\": 0", "") "}",
         "\"a\" is added twice"},
        {"{" BYTE_LEVEL ", \"added_tokens\": [{\"id\": 0, \"content\": \"a\", \"single_word\": "
         "true}], " BPE("\"a\": 0", "") "}",
         "\"single_word\""},
        {"{" BERT
         ", \"added_tokens\": [{\"id\": 1, \"content\": \"a\", \"normalized\": true}], " PIECE_MODEL
         "}",
         "\"normalized\""},
        {"{" BERT ", \"model\": {\"type\": \"WordPiece\", \"vocab\": {\"a\": 0}}}",
         "\"unk_token\" is no token"},
        {"{" BERT
         ", \"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": []}, " PIECE_MODEL
         "}",
         "not one \"Sequence\""},
        {"{" BERT ", \"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": "
         "[{\"SpecialToken\": {\"id\": \"u\"}}, {\"SpecialToken\": {\"id\": \"u\"}}]}, " PIECE_MODEL
         "}",
         "one token on each side"},
        {"{" BERT
         ", \"post_processor\": {\"type\": \"BertProcessing\", \"cls\": [\"u\", 1]}, " PIECE_MODEL
         "}",
         "\"cls\" is no token"},
    };
    make_folder();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        put("tokenizer.json", refused[i].json);
        check_refused(refused[i].message);
    }
    remove_folder();
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_may_run_out_anywhere) {
    make_folder();
    put("vocab.json", PAIRS_VOCAB);
    put("merges.txt", PAIRS_MERGES);
    put("vocab.txt", PIECES);
    put("tokenizer_config.json", "{\"add_prefix_space\": true}");
    static const char *const texts[] = {"ab's<|endoftext|>ab", "thé[MASK]cats"};
    for (int kind = 0; kind < 2; kind++) {
        bool done = false;
        for (long n = 1; !done; n++) {
            Text json = TEXT_EMPTY;
            Vocabulary *again = NULL;
            int *ids;
            size_t count;
            bool found;
            mem_fail_at(n, false);
            Vocabulary *vocabulary = vocabulary_open_folder(folder, &found, &err);
            ck_assert(found);
            if (vocabulary && vocabulary_encode(vocabulary, texts[kind], strlen(texts[kind]), &ids,
                                                &count, &err)) {
                mem_free(ids);
                vocabulary_write_json(vocabulary, &json);
                done = text_ok(&json, &err) &&
                       (again = vocabulary_read_json(json.data, json.length, &err)) != NULL;
            }
            mem_fail_at(0, false);
            if (!done) ck_assert_msg(err.kind == ERR_LIMIT, "%s", err.message);
            vocabulary_unref(vocabulary);
            vocabulary_unref(again);
            text_release(&json);
            ck_assert_int_lt(n, 10000);
        }
        drop("vocab.json");
    }
    remove_folder();
}
END_TEST

Suite *model_tokenizers_suite(void) {
    Suite *suite = suite_create("model_tokenizers");
    TCase *tests = tcase_create("tokenizers");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, byte_level_pairs_are_read_from_two_files);
    tcase_add_test(tests, byte_level_settings_stand_beside);
    tcase_add_test(tests, long_words_are_joined);
    tcase_add_test(tests, word_pieces_are_read_from_a_list);
    tcase_add_test(tests, one_file_says_all);
    tcase_add_test(tests, what_is_not_known_is_refused_by_name);
    tcase_add_test(tests, memory_may_run_out_anywhere);
    suite_add_tcase(suite, tests);
    return suite;
}

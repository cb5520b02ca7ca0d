/* Tokenizers as JSON. */
#include "model/tokenizers/tokenizer.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "io/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MOST = 1 << 20 };

/* ---- members of objects ---- */

/* The "type" of an object such as a normaliser; "" for null, and for one that is not there. */
static const char *type_of(json_t *part) {
    const char *type = json_text(json_object_get(part, "type"));
    if (!part || json_is_null(part)) return "";
    return type ? type : "no type";
}

/* True or false, or `otherwise` where the member is not there. */
static bool read_flag(json_t *object, const char *name, bool otherwise, bool *out, Error *err) {
    json_t *value = json_object_get(object, name);
    *out = otherwise;
    if (!value || json_is_null(value)) return true;
    *out = json_is_true(value);
    return json_is_boolean(value) ||
           error_set(err, ERR_FILE, "the tokenizer's \"%s\" is not true or false", name);
}

/* Refuses a member that would change how text is cut in a way that is not known here. */
static bool check_absent(json_t *object, const char *name, Error *err) {
    json_t *value = json_object_get(object, name);
    const char *text = json_string_value(value);
    if (!value || json_is_null(value) || json_is_false(value) || (text && !*text)) return true;
    if (json_is_number(value) && json_number_value(value) == 0) return true;
    return error_set(err, ERR_FILE, "the tokenizer's \"%s\" is not known here", name);
}

/* Refuses an object whose "type" is not this one; "" is none. */
static bool check_type(json_t *root, const char *name, const char *known, Error *err) {
    const char *type = type_of(json_object_get(root, name));
    if (strcmp(type, known) == 0) return true;
    error_set(err, ERR_FILE, "the tokenizer's %s \"%s\" is not known here", name,
              quoted_text(*type ? type : "none").text);
    return *known ? error_hint(err, "For this model type it is %s.", known)
                  : error_hint(err, "For this model type there is none.");
}

/* ---- tokens ---- */

static bool place_token(Tokenizer *tokenizer, json_t *number, const char *token, Error *err) {
    int id;
    if (!json_whole(number, 0, tokenizer->count, &id))
        return error_set(err, ERR_FILE,
                         "the token \"%s\" has no number from 0 to the count of tokens",
                         quoted_text(token).text);
    if (tokenizer->spelled[id])
        return error_set(err, ERR_FILE, "the tokens \"%s\" and \"%s\" have the same number %d",
                         quoted_text(tokenizer->spelled[id]).text, quoted_text(token).text, id);
    return (tokenizer->spelled[id] = mem_string(token, strlen(token), err)) != NULL;
}

/* The number of a token by its spelling; NO_TOKEN: there is none. */
static int number_of(json_t *vocab, const char *token) {
    json_t *number = json_object_get(vocab, token);
    return number ? (int)json_integer_value(number) : NO_TOKEN;
}

static bool place_added(Tokenizer *tokenizer, json_t *vocab, json_t *added, Error *err) {
    json_t *number = json_object_get(added, "id");
    const char *token = json_text(json_object_get(added, "content"));
    json_int_t id = json_integer_value(number);
    AddedToken made;
    bool single, normalised;
    if (!token || !*token) return error_set(err, ERR_FILE, "an added token has no text");
    if (!read_flag(added, "lstrip", false, &made.takes_left, err) ||
        !read_flag(added, "rstrip", false, &made.takes_right, err) ||
        !read_flag(added, "single_word", false, &single, err) ||
        !read_flag(added, "normalized", false, &normalised, err))
        return false;
    if (single || (normalised && (tokenizer->lower || tokenizer->strip_accents)))
        return error_set(err, ERR_FILE, "\"%s\" of the added token \"%s\" is not known here",
                         single ? "single_word" : "normalized", quoted_text(token).text);
    if (number_of(vocab, token) == NO_TOKEN) {
        if (!place_token(tokenizer, number, token, err)) return false;
    } else if (!json_is_integer(number) || number_of(vocab, token) != id) {
        return error_set(err, ERR_FILE, "the added token \"%s\" has two numbers",
                         quoted_text(token).text);
    }
    if (tokenizer->is_added[id])
        return error_set(err, ERR_FILE, "the token \"%s\" is added twice", quoted_text(token).text);
    made.id = (int)id;
    made.text = tokenizer->spelled[id];
    tokenizer->is_added[id] = true;
    tokenizer->added_begins[(unsigned char)*token] = true;
    tokenizer->added[tokenizer->added_count++] = made;
    return true;
}

/* The tokens of the model and the added ones: each number from 0 on is there once. */
static bool read_tokens(Tokenizer *tokenizer, json_t *vocab, json_t *added, Error *err) {
    const char *token;
    json_t *number;
    size_t at;
    json_object_foreach(vocab, token, number) {
        if (!place_token(tokenizer, number, token, err)) return false;
    }
    json_array_foreach(added, at, number) {
        if (!place_added(tokenizer, vocab, number, err)) return false;
    }
    size_t most = tokenizer->count, known = 0;
    while (known < most && tokenizer->spelled[known]) known++;
    for (size_t i = known; i < most; i++)
        if (tokenizer->spelled[i])
            return error_set(err, ERR_FILE, "the tokenizer has a token %zu, but no token %zu", i,
                             known);
    tokenizer->count = known;
    return true;
}

static int by_length(const void *a, const void *b) {
    const char *x = ((const AddedToken *)a)->text, *y = ((const AddedToken *)b)->text;
    size_t lx = strlen(x), ly = strlen(y);
    return lx != ly ? (lx < ly ? 1 : -1) : strcmp(x, y);
}

/* Puts the longest added tokens first. */
static bool sort_added(Tokenizer *tokenizer, Error *err) {
    AddedToken *added = tokenizer->added;
    qsort(added, tokenizer->added_count, sizeof *added, by_length);
    for (size_t i = tokenizer->added_count; i-- > 1;)
        if (strcmp(added[i - 1].text, added[i].text) == 0)
            return error_set(err, ERR_FILE, "the token \"%s\" is added twice",
                             quoted_text(added[i].text).text);
    return true;
}

/* ---- what is put around a text ---- */

/* The token of ["[SEP]", 102]. */
static bool read_pair_token(json_t *post, const char *name, const Tokenizer *tokenizer, int *out,
                            Error *err) {
    return json_whole(json_array_get(json_object_get(post, name), 1), 0, tokenizer->count, out) ||
           error_set(err, ERR_FILE, "the tokenizer's \"%s\" is no token", name);
}

/* [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}, {"SpecialToken": ...}] */
static bool read_template(json_t *post, Tokenizer *tokenizer, Error *err) {
    json_t *single = json_object_get(post, "single"), *step;
    size_t at, sequences = 0;
    json_array_foreach(single, at, step) {
        json_t *special = json_object_get(step, "SpecialToken");
        const char *name = json_text(json_object_get(special, "id"));
        int *out = sequences ? &tokenizer->last : &tokenizer->first;
        if (json_object_get(step, "Sequence")) {
            sequences++;
            continue;
        }
        if (!name || *out != NO_TOKEN)
            return error_set(err, ERR_FILE,
                             "the tokenizer does not put one token on each side of a text");
        for (size_t i = 0; i < tokenizer->count; i++)
            if (strcmp(tokenizer->spelled[i], name) == 0) *out = (int)i;
        if (*out == NO_TOKEN)
            return error_set(err, ERR_FILE,
                             "the tokenizer puts \"%s\" around a text, which is no token",
                             quoted_text(name).text);
    }
    return sequences == 1 ||
           error_set(err, ERR_FILE, "the tokenizer's post_processor has not one \"Sequence\"");
}

static bool read_around(json_t *root, Tokenizer *tokenizer, Error *err) {
    json_t *post = json_object_get(root, "post_processor");
    const char *type = type_of(post);
    if (!*type || strcmp(type, "ByteLevel") == 0) return true;
    if (strcmp(type, "TemplateProcessing") == 0) return read_template(post, tokenizer, err);
    if (strcmp(type, "BertProcessing") == 0 || strcmp(type, "RobertaProcessing") == 0)
        return read_pair_token(post, "cls", tokenizer, &tokenizer->first, err) &&
               read_pair_token(post, "sep", tokenizer, &tokenizer->last, err);
    return error_set(err, ERR_FILE, "the tokenizer's post_processor \"%s\" is not known here",
                     quoted_text(type).text);
}

/* ---- byte-level pairs ---- */

/* The two halves of "a b" or ["a", "b"] in `left`, which has a zero byte between them. */
static const char *split_pair(json_t *pair, Text *left) {
    const char *text = json_text(pair), *right = json_text(json_array_get(pair, 1));
    text_clear(left);
    if (text) {
        const char *space = strchr(text, ' ');
        if (!space || space == text || !space[1] || strchr(space + 1, ' ')) return NULL;
        text_bytes(left, text, (size_t)(space - text));
        return space + 1;
    }
    text = json_text(json_array_get(pair, 0));
    if (!text || !right || json_array_size(pair) != 2) return NULL;
    text_string(left, text);
    return right;
}

static bool read_pairs(Tokenizer *tokenizer, json_t *vocab, json_t *merges, Error *err) {
    LocalText written = TEXT_EMPTY;
    size_t at;
    json_t *merge;
    if (!json_is_array(merges)) return error_set(err, ERR_FILE, "the tokenizer has no \"merges\"");
    tokenizer->pairs = mem_zeroed(json_array_size(merges), sizeof *tokenizer->pairs, err);
    bool ok = tokenizer->pairs != NULL;
    json_array_foreach(merges, at, merge) {
        if (!ok) break;
        BytePair pair = {NO_TOKEN, NO_TOKEN, NO_TOKEN};
        const char *right = split_pair(merge, &written);
        if (right) {
            pair.left = number_of(vocab, written.data);
            pair.right = number_of(vocab, right);
            text_string(&written, right);
            pair.joined = number_of(vocab, written.data);
        }
        ok = text_ok(&written, err);
        if (ok && !right)
            ok = error_set(err, ERR_FILE, "pair %zu of the tokenizer's merges is not two tokens",
                           at);
        if (ok && (pair.left == NO_TOKEN || pair.right == NO_TOKEN || pair.joined == NO_TOKEN))
            ok = error_set(
                err, ERR_FILE,
                "pair %zu of the tokenizer's merges, which gives \"%s\", is not made of tokens", at,
                quoted_text(written.data).text);
        if (ok) tokenizer->pairs[tokenizer->pair_count++] = pair;
    }
    return ok;
}

static bool read_byte_level(json_t *root, json_t *model, Tokenizer *tokenizer, Error *err) {
    static const char *const unknown[] = {"dropout", "continuing_subword_prefix",
                                          "end_of_word_suffix", "byte_fallback", "ignore_merges"};
    json_t *vocab = json_object_get(model, "vocab"), *cut = json_object_get(root, "pre_tokenizer");
    bool pattern;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (!check_absent(model, unknown[i], err)) return false;
    if (!check_type(root, "normalizer", "", err) ||
        !check_type(root, "pre_tokenizer", "ByteLevel", err) ||
        !read_flag(cut, "add_prefix_space", true, &tokenizer->prefix_space, err) ||
        !read_flag(cut, "use_regex", true, &pattern, err))
        return false;
    if (!pattern)
        return error_set(err, ERR_FILE, "a tokenizer that cuts no words is not known here");
    if (!read_tokens(tokenizer, vocab, json_object_get(root, "added_tokens"), err)) return false;
    for (size_t i = 0; i < tokenizer->count; i++) {
        const char *spelled = tokenizer->spelled[i];
        uint32_t letter;
        bool one = utf8_next(spelled, strlen(spelled), &letter) == strlen(spelled);
        int byte = one && !tokenizer->is_added[i] ? byte_of_letter(letter) : -1;
        if (byte >= 0) tokenizer->bytes[byte] = (int)i;
    }
    return read_pairs(tokenizer, vocab, json_object_get(model, "merges"), err);
}

/* ---- word pieces ---- */

static bool read_word_pieces(json_t *root, json_t *model, Tokenizer *tokenizer, Error *err) {
    json_t *vocab = json_object_get(model, "vocab"), *plain = json_object_get(root, "normalizer"),
           *most = json_object_get(model, "max_input_chars_per_word");
    const char *continued = json_text(json_object_get(model, "continuing_subword_prefix"));
    if (!continued) continued = "##";
    tokenizer->letters_most = 100;
    if (most && json_integer_value(most) < 1)
        return error_set(err, ERR_FILE, "the tokenizer's max_input_chars_per_word is no number");
    if (most) tokenizer->letters_most = (size_t)json_integer_value(most);
    if (!check_type(root, "normalizer", "BertNormalizer", err) ||
        !check_type(root, "pre_tokenizer", "BertPreTokenizer", err) ||
        !read_flag(plain, "clean_text", true, &tokenizer->clean, err) ||
        !read_flag(plain, "handle_chinese_chars", true, &tokenizer->chinese_apart, err) ||
        !read_flag(plain, "lowercase", true, &tokenizer->lower, err) ||
        !read_flag(plain, "strip_accents", tokenizer->lower, &tokenizer->strip_accents, err))
        return false;
    tokenizer->continued = mem_string(continued, strlen(continued), err);
    if (!tokenizer->continued ||
        !read_tokens(tokenizer, vocab, json_object_get(root, "added_tokens"), err))
        return false;
    const char *unknown = json_text(json_object_get(model, "unk_token"));
    if (unknown) tokenizer->unknown = number_of(vocab, unknown);
    return tokenizer->unknown != NO_TOKEN ||
           error_set(err, ERR_FILE, "the tokenizer's \"%s\" is no token", "unk_token");
}

Vocabulary *tokenizer_read_json(struct json_t *root, Error *err) {
    json_t *model = json_object_get(root, "model"), *vocab = json_object_get(model, "vocab");
    const char *type = type_of(model);
    bool pairs = strcmp(type, "BPE") == 0;
    if (!pairs && strcmp(type, "WordPiece") != 0) {
        error_set(err, ERR_FILE, "the tokenizer's model type \"%s\" is not known here",
                  quoted_text(*type ? type : "none").text);
        error_hint(err, "Known are BPE, of the GPT-2 family, and WordPiece, of the BERT family.");
        return NULL;
    }
    size_t most = json_object_size(vocab) + json_array_size(json_object_get(root, "added_tokens"));
    if (most < 1 || most > TOKENS_MOST) {
        error_set(err, ERR_FILE, "a tokenizer has from 1 to %d tokens, not %zu", TOKENS_MOST, most);
        return NULL;
    }
    Tokenizer *tokenizer = tokenizer_new(most, err);
    if (!tokenizer) return NULL;
    bool ok = pairs ? read_byte_level(root, model, tokenizer, err)
                    : read_word_pieces(root, model, tokenizer, err);
    if (ok && read_around(root, tokenizer, err) && sort_added(tokenizer, err))
        return vocabulary_of_tokenizer(pairs ? TOKENS_BYTE_LEVEL : TOKENS_WORD_PIECES, tokenizer,
                                       err);
    tokenizer_free(tokenizer);
    return NULL;
}

/* ---- writing ---- */

static const char *flag(bool on) { return on ? "true" : "false"; }

static void write_step(const Tokenizer *tokenizer, int id, Text *out) {
    if (id == NO_TOKEN) return;
    text_string(out, "{\"SpecialToken\": {\"id\": ");
    json_write_text(out, tokenizer->spelled[id]);
    text_string(out, "}}");
}

void tokenizer_write_json(const Vocabulary *vocabulary, Text *out) {
    const Tokenizer *tokenizer = vocabulary->tokenizer;
    bool pairs = vocabulary->unit == TOKENS_BYTE_LEVEL;
    text_format(out, "{\"unit\": \"%s\", \"added_tokens\": [", token_unit_names[vocabulary->unit]);
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        const AddedToken *added = &tokenizer->added[i];
        text_format(out,
                    "%s{\"id\": %d, \"lstrip\": %s, \"rstrip\": %s, \"content\": ", i ? ", " : "",
                    added->id, flag(added->takes_left), flag(added->takes_right));
        json_write_text(out, added->text);
        text_char(out, '}');
    }
    text_string(out, "], \"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [");
    write_step(tokenizer, tokenizer->first, out);
    text_format(out, "%s{\"Sequence\": {\"id\": \"A\"}}%s",
                tokenizer->first == NO_TOKEN ? "" : ", ", tokenizer->last == NO_TOKEN ? "" : ", ");
    write_step(tokenizer, tokenizer->last, out);
    text_string(out, "]}, ");
    if (pairs) {
        text_format(out,
                    "\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": %s}, "
                    "\"model\": {\"type\": \"BPE\", ",
                    flag(tokenizer->prefix_space));
    } else {
        text_format(out,
                    "\"normalizer\": {\"type\": \"BertNormalizer\", \"clean_text\": %s, "
                    "\"handle_chinese_chars\": %s, \"strip_accents\": %s, \"lowercase\": %s}, "
                    "\"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}, \"model\": {\"type\": "
                    "\"WordPiece\", \"max_input_chars_per_word\": %zu, \"unk_token\": ",
                    flag(tokenizer->clean), flag(tokenizer->chinese_apart),
                    flag(tokenizer->strip_accents), flag(tokenizer->lower),
                    tokenizer->letters_most);
        json_write_text(out, tokenizer->spelled[tokenizer->unknown]);
        text_string(out, ", \"continuing_subword_prefix\": ");
        json_write_text(out, tokenizer->continued);
        text_string(out, ", ");
    }
    text_string(out, "\"vocab\": {");
    for (size_t i = 0; i < tokenizer->count; i++) {
        if (i > 0) text_string(out, ", ");
        json_write_text(out, tokenizer->spelled[i]);
        text_format(out, ": %zu", i);
    }
    if (pairs) {
        text_string(out, "}, \"merges\": [");
        for (size_t i = 0; i < vocabulary->pairs.count; i++) {
            const BytePair *pair = &vocabulary->pairs.pairs[i];
            text_string(out, i ? ", [" : "[");
            json_write_text(out, tokenizer->spelled[pair->left]);
            text_string(out, ", ");
            json_write_text(out, tokenizer->spelled[pair->right]);
            text_char(out, ']');
        }
    }
    text_string(out, pairs ? "]}}" : "}}}");
}

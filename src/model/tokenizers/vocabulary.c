#include "model/tokenizers/vocabulary.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/random.h"
#include "base/size.h"
#include "base/utf8.h"
#include "io/json.h"
#include "model/tokenizers/byte_pairs.h"
#include "model/tokenizers/tokenizer.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>

enum { TOKENS_MOST = 1 << 20, TOKEN_BYTES_MOST = 1000, WORDS_MOST = 50000, SELDOM = 8 };

const char *const token_unit_names[] = {"words",      "characters",  "pairs",
                                        "byte-level", "word-pieces", NULL};

/* ---- the table of tokens ---- */

/* The slot of a token with this text, whose random_hash is given, or the free one where it would
 * be. */
static size_t slot_of(const Vocabulary *vocabulary, uint64_t hash, const char *text,
                      size_t length) {
    size_t mask = vocabulary->slot_count - 1, at = (size_t)hash & mask;
    for (;; at = (at + 1) & mask) {
        int id = vocabulary->slots[at];
        if (id == NO_TOKEN) return at;
        const char *token = vocabulary->tokens[id];
        if (strlen(token) == length && memcmp(token, text, length) == 0) return at;
    }
}

int vocabulary_find(const Vocabulary *vocabulary, const char *text, size_t length) {
    return vocabulary->slots[slot_of(vocabulary, random_hash(text, length, 0), text, length)];
}

/* The vocabulary, or, unless `ok`, NULL instead of it. */
static Vocabulary *vocabulary_if(bool ok, Vocabulary *vocabulary) {
    if (ok) return vocabulary;
    vocabulary_unref(vocabulary);
    return NULL;
}

/* An empty vocabulary with room for `most` tokens. */
static Vocabulary *vocabulary_empty(TokenUnit unit, size_t most, Error *err) {
    Vocabulary *vocabulary = mem_zeroed(1, sizeof *vocabulary, err);
    if (!vocabulary) return NULL;
    *vocabulary = (Vocabulary){.refs = 1,
                               .unit = unit,
                               .begin = NO_TOKEN,
                               .end = NO_TOKEN,
                               .separator = NO_TOKEN,
                               .ask = NO_TOKEN,
                               .slot_count = 4};
    while (vocabulary->slot_count < 2 * most) vocabulary->slot_count *= 2;
    vocabulary->tokens = mem_zeroed(most, sizeof *vocabulary->tokens, err);
    vocabulary->slots =
        vocabulary->tokens ? mem_alloc(vocabulary->slot_count * sizeof(int), err) : NULL;
    if (!vocabulary->slots) return vocabulary_if(false, vocabulary);
    for (size_t i = 0; i < vocabulary->slot_count; i++) vocabulary->slots[i] = NO_TOKEN;
    return vocabulary;
}

/* Adds a token that is not there yet. */
static bool add_token(Vocabulary *vocabulary, const char *text, size_t length, Error *err) {
    if (vocabulary->unit < TOKENS_PAIRS && length > TOKEN_BYTES_MOST)
        return error_set(err, ERR_VALUE, "a token has at most %d bytes, \"%s\" has %zu",
                         TOKEN_BYTES_MOST, quoted_text(text).text, length);
    char *copy = mem_string(text, length, err);
    if (!copy) return false;
    int id = (int)vocabulary->count++;
    vocabulary->slots[slot_of(vocabulary, random_hash(text, length, 0), text, length)] = id;
    vocabulary->tokens[id] = copy;
    vocabulary->longest = larger(vocabulary->longest, length);
    if (vocabulary->unit >= TOKENS_PAIRS) return true;
    if (strcmp(copy, BEGIN_TOKEN) == 0) vocabulary->begin = id;
    if (strcmp(copy, END_TOKEN) == 0) vocabulary->end = id;
    if (strcmp(copy, SEPARATOR_TOKEN) == 0) vocabulary->separator = id;
    return true;
}

static bool check_token(const Vocabulary *vocabulary, const char *text, Error *err) {
    size_t length = strlen(text);
    if (length == 0) return error_set(err, ERR_VALUE, "a token must not be empty");
    if (utf8_check(text, length) < length)
        return error_set(err, ERR_VALUE, "the token \"%s\" is not valid UTF-8",
                         quoted_text(text).text);
    if (vocabulary_find(vocabulary, text, length) != NO_TOKEN)
        return error_set(err, ERR_VALUE, "the token \"%s\" is there twice", quoted_text(text).text);
    return true;
}

Vocabulary *vocabulary_new(TokenUnit unit, const char *const *tokens, size_t count, Error *err) {
    assert(unit < TOKENS_PAIRS);
    if (count < 1 || count > TOKENS_MOST) {
        error_set(err, ERR_VALUE, "a vocabulary has from 1 to %d tokens, not %zu", TOKENS_MOST,
                  count);
        return NULL;
    }
    Vocabulary *vocabulary = vocabulary_empty(unit, count, err);
    bool ok = vocabulary != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = check_token(vocabulary, tokens[i], err) &&
             add_token(vocabulary, tokens[i], strlen(tokens[i]), err);
    return vocabulary_if(ok, vocabulary);
}

Vocabulary *vocabulary_of_words(TokenUnit unit, const char *words, size_t length, Error *err) {
    Vocabulary *vocabulary = vocabulary_empty(unit, length / 2 + 1, err);
    for (size_t at = 0; vocabulary && at < length; at++) {
        size_t begin = at;
        while (at < length && words[at] != ' ') at++;
        if (at == begin || vocabulary_find(vocabulary, words + begin, at - begin) != NO_TOKEN)
            continue;
        if (!add_token(vocabulary, words + begin, at - begin, err))
            return vocabulary_if(false, vocabulary);
    }
    return vocabulary;
}

/* The bytes of a token, for the two units whose tokens are bytes. */
static void write_bytes(const Vocabulary *vocabulary, int id, Text *out) {
    if (vocabulary->unit == TOKENS_PAIRS) byte_pairs_write(&vocabulary->pairs, id, out);
    else byte_level_write(vocabulary->tokenizer, id, out);
}

/* Adds the next token, which means bytes: its text is UTF-8 without control characters. \ is
 * escaped, too, so that different tokens look different. */
static bool add_bytes(Vocabulary *vocabulary, int id, Error *err) {
    LocalText shown = TEXT_EMPTY, bytes = TEXT_FOR(&shown);
    write_bytes(vocabulary, id, &bytes);
    for (size_t at = 0, taken; at < bytes.length; at += taken) {
        const char *byte = bytes.data + at;
        size_t whole = utf8_check(byte, smaller(bytes.length - at, 4));
        uint32_t code_point;
        taken = whole > 0 ? utf8_next(byte, whole, &code_point) : 1;
        if (*byte == '\n') text_string(&shown, "\\n");
        else if (*byte == '\t') text_string(&shown, "\\t");
        else if (*byte == '\\') text_string(&shown, "\\\\");
        else if (whole > 0 && (*byte == ' ' || utf8_width(byte, taken) > 0))
            text_bytes(&shown, byte, taken);
        else
            for (size_t i = 0; i < taken; i++)
                text_format(&shown, "\\x%02x", (unsigned)(unsigned char)byte[i]);
    }
    return text_ok(&shown, err) && add_token(vocabulary, shown.data, shown.length, err);
}

Vocabulary *vocabulary_of_pairs(const BytePair *pairs, size_t count, Error *err) {
    size_t lengths[BYTE_PAIRS_MOST];
    assert(BYTE_TOKENS + count <= BYTE_PAIRS_MOST);
    for (size_t i = 0; i < BYTE_TOKENS; i++) lengths[i] = 1;
    for (size_t i = 0; i < count; i++) {
        size_t *length = &lengths[BYTE_TOKENS + i];
        *length = lengths[pairs[i].left] + lengths[pairs[i].right];
        if (*length > PAIR_BYTES_MOST) {
            error_set(err, ERR_VALUE, "byte pair %zu has more than %d bytes", i, PAIR_BYTES_MOST);
            return NULL;
        }
    }
    Vocabulary *vocabulary = vocabulary_empty(TOKENS_PAIRS, BYTE_TOKENS + count, err);
    bool ok = vocabulary && pair_table_init(&vocabulary->pairs, pairs, count, err);
    for (size_t i = 0; ok && i < BYTE_TOKENS + count; i++) ok = add_bytes(vocabulary, (int)i, err);
    return vocabulary_if(ok, vocabulary);
}

Vocabulary *vocabulary_of_tokenizer(TokenUnit unit, Tokenizer *tokenizer, Error *err) {
    Vocabulary *vocabulary = vocabulary_empty(unit, tokenizer->count, err);
    if (!vocabulary) {
        tokenizer_free(tokenizer);
        return NULL;
    }
    vocabulary->tokenizer = tokenizer;
    bool ok = unit != TOKENS_BYTE_LEVEL ||
              pair_table_init(&vocabulary->pairs, tokenizer->pairs, tokenizer->pair_count, err);
    for (size_t i = 0; ok && i < tokenizer->count; i++) {
        const char *spelled = tokenizer->spelled[i];
        ok = unit == TOKENS_BYTE_LEVEL ? add_bytes(vocabulary, (int)i, err)
                                       : add_token(vocabulary, spelled, strlen(spelled), err);
    }
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        const AddedToken *added = &tokenizer->added[i];
        if (strcmp(added->text, "<|endoftext|>") == 0) vocabulary->end = added->id;
        if (strcmp(added->text, "[MASK]") == 0) vocabulary->ask = added->id;
    }
    return vocabulary_if(ok, vocabulary);
}

Vocabulary *vocabulary_ref(Vocabulary *vocabulary) {
    if (vocabulary) vocabulary->refs++;
    return vocabulary;
}

void vocabulary_unref(Vocabulary *vocabulary) {
    if (!vocabulary || --vocabulary->refs > 0) return;
    for (size_t i = 0; i < vocabulary->count; i++) mem_free(vocabulary->tokens[i]);
    mem_free(vocabulary->tokens);
    mem_free(vocabulary->slots);
    pair_table_release(&vocabulary->pairs);
    tokenizer_free(vocabulary->tokenizer);
    vocabulary_unref(vocabulary->words);
    mem_free(vocabulary);
}

bool vocabulary_equal(const Vocabulary *a, const Vocabulary *b) {
    if (a == b) return true;
    if (a->unit != b->unit || a->count != b->count || a->separator != b->separator) return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->tokens[i], b->tokens[i]) != 0) return false;
    return true;
}

/* ---- from text to tokens ---- */

/* A letter of a word that is written without spaces inside: not Chinese. */
static bool is_letter(const char *text, size_t length) {
    uint32_t code_point;
    utf8_next(text, length, &code_point);
    return code_point == '\'' || (utf8_is_name(code_point) && !utf8_is_cjk(code_point));
}

/* True if a cut after n bytes is within a word. */
static bool cuts_word(const char *text, size_t length, size_t n) {
    size_t last = utf8_begin(text, n - 1);
    return n < length && is_letter(text + last, length - last) && is_letter(text + n, length - n);
}

/* The bytes of the first word of a text, or of the one character that is in none. */
static size_t word_length(const char *text, size_t length) {
    size_t n = utf8_cluster(text, length);
    while (n < length && cuts_word(text, length, n)) n += utf8_cluster(text + n, length - n);
    return n;
}

Vocabulary *vocabulary_of_text(const char *text, size_t length, Error *err) {
    Vocabulary *vocabulary = vocabulary_empty(TOKENS_WORDS, WORDS_MOST, err);
    for (size_t at = 0, n; vocabulary && at < length; at += n) {
        uint32_t code_point;
        n = word_length(text + at, length - at);
        utf8_next(text + at, n, &code_point);
        if ((utf8_is_space(code_point) && code_point != '\n') ||
            vocabulary_find(vocabulary, text + at, n) != NO_TOKEN)
            continue;
        if (vocabulary->count == WORDS_MOST) {
            error_set(err, ERR_VALUE, "the text has more than %d different words", WORDS_MOST);
            error_hint(err, "tokens=\"pairs\" takes any text.");
            return vocabulary_if(false, vocabulary);
        }
        if (!add_token(vocabulary, text + at, n, err)) return vocabulary_if(false, vocabulary);
    }
    return vocabulary;
}

Vocabulary *vocabulary_learn(const char *text, size_t length, size_t count, Error *err) {
    BytePair pairs[BYTE_PAIRS_MOST - BYTE_TOKENS];
    size_t learned;
    if (!byte_pairs_learn(text, length, count, pairs, &learned, err)) return NULL;
    Vocabulary *vocabulary = vocabulary_of_pairs(pairs, learned, err);
    if (!vocabulary) return NULL;

    /* The words that the text has at least SELDOM times, unless it has too many different ones. */
    Error why = {.kind = ERR_NONE};
    Vocabulary *all = vocabulary_of_text(text, length, &why);
    if (!all && why.kind == ERR_VALUE) return vocabulary;
    if (!all && err) *err = why;
    LocalText frequent = TEXT_EMPTY;
    LocalMemory int *counts = all ? mem_zeroed(all->count, sizeof *counts, err) : NULL;
    for (size_t at = 0, n; counts && at < length; at += n) {
        n = word_length(text + at, length - at);
        int id = vocabulary_find(all, text + at, n);
        if (id == NO_TOKEN || !is_letter(text + at, n) || ++counts[id] != SELDOM) continue;
        text_bytes(&frequent, text + at, n);
        text_char(&frequent, ' ');
    }
    vocabulary_unref(all);
    if (counts && text_ok(&frequent, err))
        vocabulary->words = vocabulary_of_words(TOKENS_WORDS, frequent.data, frequent.length, err);
    return vocabulary_if(vocabulary->words != NULL, vocabulary);
}

/* True if a word is not among those that are frequent in the text of the byte pairs; or, where
 * these are not known, if the pairs cut it into single letters or less. */
static bool is_rare(const Vocabulary *vocabulary, const char *word, size_t length) {
    if (vocabulary->words) return vocabulary_find(vocabulary->words, word, length) == NO_TOKEN;
    LocalText behind = TEXT_EMPTY; /* a blank, as within a text */
    LocalMemory int *ids = NULL;
    size_t pieces, letters = 0;
    for (size_t at = 0; at < length; letters++) at += utf8_cluster(word + at, length - at);
    text_format(&behind, " %.*s", (int)length, word);
    return letters > 1 && text_ok(&behind, NULL) &&
           vocabulary_encode_part(vocabulary, behind.data, behind.length, &ids, &pieces, NULL) &&
           pieces >= letters;
}

void vocabulary_write_rare(const Vocabulary *vocabulary, const char *text, size_t length,
                           Text *out) {
    bool pairs = vocabulary->unit == TOKENS_PAIRS || vocabulary->unit == TOKENS_BYTE_LEVEL;
    Vocabulary *own = pairs ? vocabulary_of_text(text, length, NULL) : NULL;
    for (size_t i = 0; own && i < own->count; i++) {
        const char *word = own->tokens[i];
        size_t n = strlen(word);
        if (is_letter(word, n) && is_rare(vocabulary, word, n))
            text_format(out, "%s%s", out->length ? ", " : "", word);
    }
    vocabulary_unref(own);
}

/* The longest token with which the text begins. */
static int longest_token(const Vocabulary *vocabulary, const char *text, size_t length) {
    const uint64_t empty = random_hash(text, 0, 0);
    uint64_t hash = empty;
    int longest = NO_TOKEN;
    for (size_t n = 1; n <= smaller(length, vocabulary->longest); n++) {
        hash = random_hash(text + n - 1, 1, hash ^ empty); /* that of the first n bytes */
        int id = vocabulary->slots[slot_of(vocabulary, hash, text, n)];
        if (id != NO_TOKEN && !(vocabulary->unit == TOKENS_WORDS && cuts_word(text, length, n)))
            longest = id;
    }
    return longest;
}

static char small_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* The same for words where capitals and small letters of ASCII count as the same. */
static int longest_token_any_case(const Vocabulary *vocabulary, const char *text, size_t length) {
    size_t best = 0;
    int found = NO_TOKEN;
    for (size_t i = 0; i < vocabulary->count; i++) {
        const char *token = vocabulary->tokens[i];
        size_t n = strlen(token), same = 0;
        if (n <= best || n > length) continue;
        while (same < n && small_letter(token[same]) == small_letter(text[same])) same++;
        if (same < n || cuts_word(text, length, n)) continue;
        best = n;
        found = (int)i;
    }
    return found;
}

static bool unknown_token(const Vocabulary *vocabulary, const char *text, size_t length,
                          Error *err) {
    size_t n =
        vocabulary->unit == TOKENS_WORDS ? word_length(text, length) : utf8_cluster(text, length);
    char word[64] = "";
    memcpy(word, text, smaller(n, sizeof word - 1));
    error_set(err, ERR_VALUE, "\"%s\" is not a token here", quoted_text(word).text);
    Nearest nearest;
    nearest_begin(&nearest, text, n);
    for (size_t i = 0; i < vocabulary->count; i++) nearest_offer(&nearest, vocabulary->tokens[i]);
    if (nearest.found) return error_hint(err, "Did you mean \"%s\"?", nearest.found);

    char some[240] = "";
    size_t used = 0;
    for (size_t i = 0; i < vocabulary->count; i++) {
        QuotedText token = quoted_text(vocabulary->tokens[i]);
        size_t more = strlen(token.text);
        if (used + more + 8 > sizeof some) {
            strcpy(some + used, " …");
            break;
        }
        some[used++] = ' ';
        memcpy(some + used, token.text, more + 1);
        used += more;
    }
    return error_hint(err, "The tokens are:%s", some);
}

static bool encode(const Vocabulary *vocabulary, const char *text, size_t length, bool whole,
                   int **ids, size_t *count, Error *err) {
    enum { POLL_EVERY = 1 << 10 };
    if (vocabulary->tokenizer)
        return tokenizer_encode(vocabulary, text, length, whole, ids, count, err);
    if (vocabulary->unit == TOKENS_PAIRS)
        return byte_pairs_encode(&vocabulary->pairs, text, length, ids, count, err);
    Text straight = TEXT_EMPTY; /* didn't for didn’t, as a page prints it */
    for (size_t i = 0; vocabulary->unit == TOKENS_WORDS && i < length; i++) {
        bool curly = length - i >= strlen("’") && memcmp(text + i, "’", strlen("’")) == 0;
        text_char(&straight, curly ? '\'' : text[i]);
        i += curly ? strlen("’") - 1 : 0;
    }
    bool again = straight.length > 0 && straight.length < length && !straight.failed &&
                 vocabulary_find(vocabulary, "’", strlen("’")) == NO_TOKEN &&
                 encode(vocabulary, straight.data, straight.length, whole, ids, count, NULL);
    text_release(&straight);
    if (again) return true;
    LocalMemory int *out = mem_alloc(length * sizeof *out, err); /* a token has at least a byte */
    size_t found = 0;
    if (!out) return false;
    for (size_t at = 0; at < length;) {
        if (found % POLL_EVERY == 0 && interrupted(err)) return false;
        int id = longest_token(vocabulary, text + at, length - at);
        if (id == NO_TOKEN) {
            uint32_t code_point;
            size_t taken = utf8_next(text + at, length - at, &code_point);
            if (utf8_is_space(code_point)) {
                at += taken;
                continue;
            }
            if (vocabulary->unit == TOKENS_WORDS)
                id = longest_token_any_case(vocabulary, text + at, length - at);
        }
        if (id == NO_TOKEN) return unknown_token(vocabulary, text + at, length - at, err);
        out[found++] = id;
        at += strlen(vocabulary->tokens[id]);
    }
    *ids = out;
    *count = found;
    out = NULL;
    return true;
}

bool vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length, int **ids,
                       size_t *count, Error *err) {
    return encode(vocabulary, text, length, true, ids, count, err);
}

bool vocabulary_encode_part(const Vocabulary *vocabulary, const char *text, size_t length,
                            int **ids, size_t *count, Error *err) {
    return encode(vocabulary, text, length, false, ids, count, err);
}

/* ---- from tokens to text ---- */

/* True if a space is written between two words. */
static bool spaced(const char *left, const char *right) {
    static const char *const joined[] = {".",  ",",  "!",  "?",  ";",  ":", "。",
                                         "，", "！", "？", "；", "：", "、"};
    uint32_t code_point;
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        if (*left == '\n' || *right == '\n' || strcmp(right, joined[i]) == 0 ||
            (i >= 6 && strcmp(left, joined[i]) == 0))
            return false;
    utf8_next(left, strlen(left), &code_point);
    bool chinese = utf8_is_cjk(code_point);
    utf8_next(right, strlen(right), &code_point);
    return !chinese && !utf8_is_cjk(code_point);
}

bool vocabulary_decode(const Vocabulary *vocabulary, const int *ids, size_t count, Text *out,
                       Error *err) {
    for (size_t i = 0; i < count; i++)
        if (ids[i] < 0 || (size_t)ids[i] >= vocabulary->count)
            return error_set(err, ERR_VALUE, "there is no token %d: they are from 0 to %zu", ids[i],
                             vocabulary->count - 1);
    if (vocabulary->unit != TOKENS_PAIRS && vocabulary->unit != TOKENS_BYTE_LEVEL) {
        bool words = vocabulary->unit != TOKENS_CHARACTERS;
        for (size_t i = 0; i < count; i++) {
            const char *token = vocabulary->tokens[ids[i]];
            bool joined = i == 0 || !words ||
                          (vocabulary->unit == TOKENS_WORD_PIECES &&
                           word_piece_continues(vocabulary->tokenizer, ids[i], &token)) ||
                          !spaced(vocabulary->tokens[ids[i - 1]], token);
            if (!joined) text_char(out, ' ');
            text_string(out, token);
        }
        return text_ok(out, err);
    }
    LocalText bytes = TEXT_FOR(out);
    for (size_t i = 0; i < count; i++) write_bytes(vocabulary, ids[i], &bytes);
    for (size_t at = 0; at < bytes.length;) { /* a character that is cut becomes U+FFFD */
        uint32_t code_point;
        at += utf8_next(bytes.data + at, bytes.length - at, &code_point);
        utf8_write(out, code_point);
    }
    return text_ok(out, err);
}

void vocabulary_show(const Vocabulary *vocabulary, int id, Text *out) {
    const char *token = vocabulary->tokens[id];
    size_t length = strlen(token);
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        size_t taken = utf8_next(token + at, length - at, &code_point);
        if (code_point == ' ') text_string(out, "␣");
        else if (code_point == '\n') text_string(out, "\\n");
        else if (code_point == '\t') text_string(out, "\\t");
        else if (code_point < ' ' || code_point == 0x7F)
            text_format(out, "\\x%02x", (unsigned)code_point);
        else text_bytes(out, token + at, taken);
        at += taken;
    }
}

/* ---- files ---- */

void vocabulary_write_json(const Vocabulary *vocabulary, Text *out) {
    if (vocabulary->tokenizer) {
        tokenizer_write_json(vocabulary, out);
        return;
    }
    const Vocabulary *listed = vocabulary;
    text_format(out, "{\"unit\": \"%s\", ", token_unit_names[vocabulary->unit]);
    if (vocabulary->unit == TOKENS_PAIRS) {
        text_string(out, "\"pairs\": [");
        for (size_t i = 0; i < vocabulary->pairs.count; i++)
            text_format(out, "%s[%d, %d]", i ? ", " : "", vocabulary->pairs.pairs[i].left,
                        vocabulary->pairs.pairs[i].right);
        listed = vocabulary->words;
        if (listed) text_string(out, "], \"words\": [");
    } else {
        text_format(out, "\"separator\": %d, ", vocabulary->separator);
        if (vocabulary->ask != NO_TOKEN) text_format(out, "\"ask\": %d, ", vocabulary->ask);
        text_string(out, "\"tokens\": [");
    }
    for (size_t i = 0; listed && i < listed->count; i++) {
        if (i > 0) text_string(out, ", ");
        json_write_text(out, listed->tokens[i]);
    }
    text_string(out, "]}");
}

/* Reads the number of a token, or NO_TOKEN, of that name. */
static bool read_special(json_t *root, const char *name, size_t count, int *out, Error *err) {
    return json_whole(json_object_get(root, name), NO_TOKEN, count, out) ||
           error_set(err, ERR_FILE, "the vocabulary's %s is none of its tokens", name);
}

/* A vocabulary of the texts in a list. */
static Vocabulary *read_list(TokenUnit unit, json_t *list, Error *err) {
    size_t count = json_array_size(list);
    LocalMemory const char **tokens = mem_zeroed(count, sizeof *tokens, err);
    if (!tokens) return NULL;
    for (size_t i = 0; i < count; i++) {
        tokens[i] = json_text(json_array_get(list, i));
        if (!tokens[i]) {
            error_set(err, ERR_FILE, "token %zu of the vocabulary is no text", i);
            return NULL;
        }
    }
    return vocabulary_new(unit, tokens, count, err);
}

static Vocabulary *read_tokens(TokenUnit unit, json_t *root, Error *err) {
    json_t *list = json_object_get(root, "tokens");
    size_t count = json_array_size(list);
    int separator = NO_TOKEN, ask = NO_TOKEN;
    if (!read_special(root, "separator", count, &separator, err) ||
        (json_object_get(root, "ask") && !read_special(root, "ask", count, &ask, err)))
        return NULL;
    Vocabulary *vocabulary = read_list(unit, list, err);
    if (vocabulary) {
        vocabulary->separator = separator;
        vocabulary->ask = ask;
    }
    return vocabulary;
}

static Vocabulary *read_pairs(json_t *root, Error *err) {
    json_t *list = json_object_get(root, "pairs");
    size_t count = json_array_size(list);
    if (count > BYTE_PAIRS_MOST - BYTE_TOKENS) {
        error_set(err, ERR_FILE, "the vocabulary has %zu byte pairs, more than %d", count,
                  BYTE_PAIRS_MOST - BYTE_TOKENS);
        return NULL;
    }
    LocalMemory BytePair *pairs = mem_zeroed(count, sizeof *pairs, err);
    if (!pairs) return NULL;
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(list, i);
        pairs[i].joined = BYTE_TOKENS + (int)i;
        if (!json_whole(json_array_get(pair, 0), 0, BYTE_TOKENS + i, &pairs[i].left) ||
            !json_whole(json_array_get(pair, 1), 0, BYTE_TOKENS + i, &pairs[i].right)) {
            error_set(err, ERR_FILE, "byte pair %zu of the vocabulary does not join earlier tokens",
                      i);
            return NULL;
        }
    }
    Vocabulary *vocabulary = vocabulary_of_pairs(pairs, count, err);
    json_t *words = json_object_get(root, "words");
    if (!vocabulary || !json_array_size(words)) return vocabulary;
    vocabulary->words = read_list(TOKENS_WORDS, words, err);
    return vocabulary_if(vocabulary->words != NULL, vocabulary);
}

Vocabulary *vocabulary_read_json(const char *json, size_t length, Error *err) {
    LocalJsonTree tree = {NULL, NULL};
    Vocabulary *vocabulary = NULL;
    Error why = {.kind = ERR_NONE};
    if (!json_tree_read(&tree, json, length, "the vocabulary", err)) return NULL;
    const char *name = json_string_value(json_object_get(tree.root, "unit"));
    int unit = 0;
    while (name && token_unit_names[unit] && strcmp(name, token_unit_names[unit]) != 0) unit++;
    if (!name || !token_unit_names[unit])
        error_set(&why, ERR_FILE, "the vocabulary's unit is none of those that are known");
    else if (unit > TOKENS_PAIRS) vocabulary = tokenizer_read_json(tree.root, &why);
    else if (unit == TOKENS_PAIRS) vocabulary = read_pairs(tree.root, &why);
    else vocabulary = read_tokens((TokenUnit)unit, tree.root, &why);
    if (!vocabulary && why.kind == ERR_VALUE) why.kind = ERR_FILE; /* of its tokens */
    if (!vocabulary && err) *err = why;
    return vocabulary;
}

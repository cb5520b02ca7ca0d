/* The files of a tokenizer in a folder. Those that are older than tokenizer.json are joined to its
 * layout, so that one reader checks all of them. */
#include "io/file.h"
#include "io/json.h"
#include "model/tokenizers/tokenizer.h"

#include <jansson.h>
#include <string.h>

enum { FILE_MOST = 1 << 28 };

/* Leaves *out without a tree if there is no such file. */
static bool read_settings(const char *folder, const char *name, JsonTree *out, Error *err) {
    bool there;
    if (!file_is_in(folder, name, &there, err)) return false;
    return !there || json_tree_read_file(out, folder, name, FILE_MOST, name, err);
}

/* The files beside the tokens; NULL where one is not there. */
typedef struct Settings {
    json_t *config;   /* tokenizer_config.json */
    json_t *specials; /* special_tokens_map.json */
    json_t *added;    /* added_tokens.json */
} Settings;

/* Refuses a class whose method is not known, and settings that change the method. */
static bool settings_check(const Settings *settings, const char *const *classes, Error *err) {
    static const char *const unknown[] = {"add_bos_token", "add_eos_token"};
    json_t *config = settings->config;
    const char *class = json_string_value(json_object_get(config, "tokenizer_class"));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (json_is_true(json_object_get(config, unknown[i])))
            return error_set(err, ERR_FILE, "the tokenizer's \"%s\" is not known here", unknown[i]);
    if (json_is_false(json_object_get(config, "do_basic_tokenize")))
        return error_set(err, ERR_FILE,
                         "a tokenizer without \"do_basic_tokenize\" is not known here");
    for (size_t i = 0; class && classes[i]; i++) {
        size_t n = strlen(classes[i]);
        if (strncmp(class, classes[i], n) == 0 && (!class[n] || strcmp(class + n, "Fast") == 0))
            return true;
    }
    if (!class) return true;
    error_set(err, ERR_FILE, "the tokenizer_class \"%s\" is not known here",
              quoted_text(class).text);
    return error_hint(err, "For this file of tokens it is %s.", classes[0]);
}

/* ---- the members of tokenizer.json ---- */

/* "as": what a setting says. One of another type is written as text, which the reader refuses. */
static void write_flag(Text *out, const char *as, json_t *object, const char *name,
                       const char *otherwise) {
    json_t *value = json_object_get(object, name);
    const char *written = json_is_true(value)    ? "true"
                          : json_is_false(value) ? "false"
                          : json_is_null(value)  ? "null"
                          : value                ? "\"neither\""
                                                 : otherwise;
    text_format(out, "\"%s\": %s", as, written);
}

/* The special token of this role, such as "sep_token". */
static const char *special_token(const Settings *settings, const char *role,
                                 const char *otherwise) {
    json_t *from[] = {settings->config, settings->specials};
    for (size_t i = 0; i < 2; i++) {
        json_t *token = json_object_get(from[i], role);
        const char *text = json_string_value(token);
        if (!text) text = json_string_value(json_object_get(token, "content"));
        if (text) return text;
    }
    return otherwise;
}

static void begin_added(Text *out, bool *first, const char *content) {
    text_string(out, *first ? "{\"content\": " : ", {\"content\": ");
    json_write_text(out, content);
    *first = false;
}

/* Each role and the token that has it where the settings say nothing; NULL: none. */
typedef struct Role {
    const char *name, *token;
} Role;

/* The list of added tokens: what the settings list by number, or else by name, and the special
 * tokens that the vocabulary has. */
static void write_added(Text *out, const Settings *settings, json_t *vocab, const Role *roles) {
    json_t *decoder = json_object_get(settings->config, "added_tokens_decoder"), *value;
    const char *name;
    bool first = true;
    text_string(out, "\"added_tokens\": [");
    json_object_foreach(decoder, name, value) {
        const char *content = json_string_value(json_object_get(value, "content"));
        bool digits = strspn(name, "0123456789") == strlen(name) && *name != '0';
        begin_added(out, &first, content ? content : "");
        text_string(out, ", \"id\": ");
        if (strcmp(name, "0") == 0 || (digits && strlen(name) < 10)) text_string(out, name);
        else json_write_text(out, name);
        static const char *const flags[] = {"lstrip", "rstrip", "single_word", "normalized"};
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
            text_string(out, ", ");
            write_flag(out, flags[i], value, flags[i], "false");
        }
        text_char(out, '}');
    }
    if (json_object_size(decoder)) {
        text_string(out, "], ");
        return;
    }
    json_object_foreach(settings->added, name, value) {
        long long id = json_is_integer(value) ? json_integer_value(value) : NO_TOKEN;
        begin_added(out, &first, name);
        text_format(out, ", \"id\": %lld}", id);
    }
    for (const Role *role = roles; role->name; role++) {
        const char *token = special_token(settings, role->name, role->token);
        json_t *number = token ? json_object_get(vocab, token) : NULL;
        bool again = false;
        for (const Role *before = roles; number && before < role; before++) {
            const char *other = special_token(settings, before->name, before->token);
            again = again || (other && strcmp(other, token) == 0);
        }
        if (!number || again || json_object_get(settings->added, token)) continue;
        begin_added(out, &first, token);
        text_format(out, ", \"id\": %d}", (int)json_integer_value(number));
    }
    text_string(out, "], ");
}

/* ---- byte-level pairs: vocab.json, merges.txt ---- */

static bool write_byte_level(Text *out, const char *folder, const Settings *settings, Text *vocab,
                             json_t *numbers, Error *err) {
    static const char *const classes[] = {"GPT2Tokenizer", NULL};
    static const Role roles[] = {{"eos_token", "<|endoftext|>"},
                                 {"bos_token", NULL},
                                 {"unk_token", NULL},
                                 {"pad_token", NULL},
                                 {"mask_token", NULL},
                                 {NULL, NULL}};
    LocalText merges = TEXT_FOR(out);
    if (!settings_check(settings, classes, err)) return false;
    if (!file_read_in(folder, "merges.txt", FILE_MOST, &merges, err)) return false;
    text_char(out, '{');
    write_added(out, settings, numbers, roles);
    text_string(out, "\"pre_tokenizer\": {\"type\": \"ByteLevel\", ");
    write_flag(out, "add_prefix_space", settings->config, "add_prefix_space", "false");
    text_string(out, "}, \"model\": {\"type\": \"BPE\", \"vocab\": ");
    text_bytes(out, vocab->data, vocab->length);
    text_string(out, ", \"merges\": [");
    size_t written = 0;
    for (size_t at = 0; at < merges.length;) {
        bool head = at == 0;
        TextLine line = text_line(&merges, &at);
        if (line.length && line.bytes[line.length - 1] == '\r') line.length--;
        if (line.length == 0 || (head && strncmp(line.bytes, "#version", 8) == 0)) continue;
        if (written++) text_string(out, ", ");
        json_write_string(out, line.bytes, line.length);
    }
    text_string(out, "]}}");
    return text_ok(out, err);
}

/* ---- word pieces: vocab.txt ---- */

/* The lines of vocab.txt as an object from tokens to numbers. */
static bool write_numbered(Text *out, const char *folder, Error *err) {
    LocalText lines = TEXT_FOR(out);
    bool ok = file_read_in(folder, "vocab.txt", FILE_MOST, &lines, err);
    size_t count = 0;
    text_char(out, '{');
    for (size_t at = 0; ok && at < lines.length; count++) {
        TextLine line = text_line(&lines, &at);
        if (line.length && line.bytes[line.length - 1] == '\r') line.length--;
        if (count > 0) text_string(out, ", ");
        json_write_string(out, line.bytes, line.length);
        text_format(out, ": %zu", count);
    }
    text_char(out, '}');
    return ok && text_ok(out, err);
}

static bool write_word_pieces(Text *out, const Settings *settings, Text *vocab, json_t *numbers,
                              Error *err) {
    static const char *const classes[] = {"BertTokenizer", "DistilBertTokenizer", NULL};
    static const Role roles[] = {{"unk_token", "[UNK]"},   {"sep_token", "[SEP]"},
                                 {"pad_token", "[PAD]"},   {"cls_token", "[CLS]"},
                                 {"mask_token", "[MASK]"}, {NULL, NULL}};
    json_t *config = settings->config;
    if (!settings_check(settings, classes, err)) return false;
    text_char(out, '{');
    write_added(out, settings, numbers, roles);
    text_string(out, "\"normalizer\": {\"type\": \"BertNormalizer\", ");
    write_flag(out, "lowercase", config, "do_lower_case", "true");
    text_string(out, ", ");
    write_flag(out, "strip_accents", config, "strip_accents", "null");
    text_string(out, ", ");
    write_flag(out, "handle_chinese_chars", config, "tokenize_chinese_chars", "true");
    text_string(out,
                "}, \"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}, \"post_processor\": "
                "{\"type\": \"TemplateProcessing\", \"single\": [{\"SpecialToken\": {\"id\": ");
    json_write_text(out, special_token(settings, "cls_token", "[CLS]"));
    text_string(out, "}}, {\"Sequence\": {\"id\": \"A\"}}, {\"SpecialToken\": {\"id\": ");
    json_write_text(out, special_token(settings, "sep_token", "[SEP]"));
    text_string(out, "}}]}, \"model\": {\"type\": \"WordPiece\", \"unk_token\": ");
    json_write_text(out, special_token(settings, "unk_token", "[UNK]"));
    text_string(out, ", \"vocab\": ");
    text_bytes(out, vocab->data, vocab->length);
    text_string(out, "}}");
    return text_ok(out, err);
}

/* Writes what tokenizer.json would say. */
static bool put_together(Text *out, const char *folder, bool pairs, Error *err) {
    LocalJsonTree config = {NULL, NULL}, specials = {NULL, NULL}, added = {NULL, NULL},
                  numbers = {NULL, NULL};
    LocalText vocab = TEXT_EMPTY;
    bool ok = read_settings(folder, "tokenizer_config.json", &config, err) &&
              read_settings(folder, "special_tokens_map.json", &specials, err) &&
              read_settings(folder, "added_tokens.json", &added, err);
    if (ok && pairs) ok = file_read_in(folder, "vocab.json", FILE_MOST, &vocab, err);
    else if (ok) ok = write_numbered(&vocab, folder, err);
    if (!ok || !json_tree_read(&numbers, vocab.data, vocab.length,
                               pairs ? "vocab.json" : "vocab.txt, as a list,", err))
        return false;
    const Settings settings = {config.root, specials.root, added.root};
    return pairs ? write_byte_level(out, folder, &settings, &vocab, numbers.root, err)
                 : write_word_pieces(out, &settings, &vocab, numbers.root, err);
}

Vocabulary *vocabulary_open_folder(const char *folder, bool *found, Error *err) {
    static const char *const files[] = {"tokenizer.json", "vocab.json", "vocab.txt", NULL};
    enum { TOKENIZER_JSON, VOCAB_JSON };
    LocalText text = TEXT_EMPTY;
    LocalJsonTree tree = {NULL, NULL};
    Vocabulary *vocabulary = NULL;
    Error why = {.kind = ERR_NONE};
    int file = 0;
    bool ok = file_is_in(folder, files[file], found, &why);
    while (ok && !*found && files[++file]) ok = file_is_in(folder, files[file], found, &why);
    if (ok && !*found) return NULL;

    *found = true;
    if (ok && file == TOKENIZER_JSON)
        ok = file_read_in(folder, files[file], FILE_MOST, &text, &why);
    else if (ok) ok = put_together(&text, folder, file == VOCAB_JSON, &why);
    if (ok && json_tree_read(&tree, text.data, text.length, files[file], &why))
        vocabulary = tokenizer_read_json(tree.root, &why);
    if (vocabulary) return vocabulary;
    if (why.kind == ERR_FILE && !*why.hint)
        error_hint(&why, "The tokenizer is read from the files in %s.", folder);
    if (err) *err = why;
    return NULL;
}

/* Tokens: the pieces into which text is cut, each with a number.
 *
 * Words are cut at spaces, and where none are written (Chinese), the longest word that is known is
 * taken. Characters are taken one by one. Byte pairs (byte_pairs.h) are sequences of bytes that are
 * frequent in a text. The tokenizers of others (tokenizer.h) cut text into such bytes, too, or into
 * pieces of words. */
#ifndef ATTN_MODEL_VOCABULARY_H
#define ATTN_MODEL_VOCABULARY_H

#include "base/text.h"
#include "model/tokenizers/pair_table.h"

typedef enum TokenUnit {
    TOKENS_WORDS,
    TOKENS_CHARACTERS,
    TOKENS_PAIRS,
    TOKENS_BYTE_LEVEL, /* a tokenizer from other people's checkpoints, as is the next */
    TOKENS_WORD_PIECES,
} TokenUnit;

/* The units as they are typed, by value; NULL at the end. */
extern const char *const token_unit_names[]; /* "words", "characters", "pairs" ... */

typedef struct Tokenizer Tokenizer; /* the rules of the last two units: tokenizer.h */

typedef struct Vocabulary {
    int refs; /* counted: a task and the models that learn it share one */
    TokenUnit unit;
    char **tokens; /* token i as text; of byte pairs with what is not text escaped, as \n or \xe4 */
    size_t count;
    int begin, end, separator; /* NO_TOKEN where there is none */
    int ask; /* the token at which an encoder's answer is read; NO_TOKEN: at every position */
    size_t longest;       /* bytes of the longest token */
    int *slots;           /* the tokens by the hash of their text; NO_TOKEN: free */
    size_t slot_count;    /* a power of two */
    PairTable pairs;      /* of byte pairs and byte level: pair i becomes token 256 + i */
    Tokenizer *tokenizer; /* of byte level and word pieces; else NULL */
    struct Vocabulary
        *words; /* of byte pairs: the words that are frequent in their text; or NULL */
} Vocabulary;

/* The names of the special tokens. */
#define BEGIN_TOKEN "<begin>"
#define END_TOKEN "<end>"
#define SEPARATOR_TOKEN "<sep>"

/* Copies the tokens, which must differ; begin, end and separator are those of these names. Not for
 * byte pairs. ERR_VALUE names a token that is empty, is not UTF-8, or comes twice. */
Vocabulary *vocabulary_new(TokenUnit unit, const char *const *tokens, size_t count, Error *err);
/* Tokens with spaces between them; one that comes again is dropped. */
Vocabulary *vocabulary_of_words(TokenUnit unit, const char *words, size_t length, Error *err);
/* The words and signs of a text, in the order in which they come first; an end of a line is one,
 * other white space is none. ERR_VALUE: there are too many. */
Vocabulary *vocabulary_of_text(const char *text, size_t length, Error *err);
/* 256 bytes, and token 256 + i for pair i, whose parts have smaller numbers. */
Vocabulary *vocabulary_of_pairs(const BytePair *pairs, size_t count, Error *err);
/* At most `count` tokens, bytes and the pairs that are learned from a text. Fails as
 * byte_pairs_learn. */
Vocabulary *vocabulary_learn(const char *text, size_t length, size_t count, Error *err);
/* Takes the tokenizer, also on failure. */
Vocabulary *vocabulary_of_tokenizer(TokenUnit unit, Tokenizer *tokenizer, Error *err);
/* Reads a tokenizer from the files in a folder: tokenizer.json; vocab.json and merges.txt;
 * vocab.txt. NULL with an error, or, where *found is false, without one: none of them is there. */
Vocabulary *vocabulary_open_folder(const char *folder, bool *found, Error *err);
Vocabulary *vocabulary_ref(Vocabulary *vocabulary); /* NULL gives NULL */
void vocabulary_unref(Vocabulary *vocabulary);      /* NULL is fine */
bool vocabulary_equal(const Vocabulary *a, const Vocabulary *b);

/* The number of the token with this text; NO_TOKEN: there is none. */
int vocabulary_find(const Vocabulary *vocabulary, const char *text, size_t length);
/* *ids: new, to be freed with mem_free. Where a word is unknown as it is written, capitals and
 * small letters count as the same. Spaces count where they are tokens. ERR_VALUE names what is no
 * token, and the nearest that is one. */
bool vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length, int **ids,
                       size_t *count, Error *err);
/* The same without the tokens that a tokenizer puts around a whole text, [CLS] and [SEP]. */
bool vocabulary_encode_part(const Vocabulary *vocabulary, const char *text, size_t length,
                            int **ids, size_t *count, Error *err);
/* Appends the words of a text, each once, that the text of the byte pairs has seldom or never, as
 * its words say or, without these, the pairs: they cut such a word into letters. */
void vocabulary_write_rare(const Vocabulary *vocabulary, const char *text, size_t length,
                           Text *out);
/* Appends tokens as a person writes them: words with spaces between them (Chinese without),
 * characters and pairs joined. ERR_VALUE for a number that is no token; ERR_LIMIT as text_ok. */
bool vocabulary_decode(const Vocabulary *vocabulary, const int *ids, size_t count, Text *out,
                       Error *err);
/* Appends one token as a table shows it: a space as ␣, a newline as \n. */
void vocabulary_show(const Vocabulary *vocabulary, int id, Text *out);

/* Writes all of it as JSON, for files. Reading trusts nothing: ERR_FILE. */
void vocabulary_write_json(const Vocabulary *vocabulary, Text *out);
Vocabulary *vocabulary_read_json(const char *json, size_t length, Error *err);

#endif

/* The tokens of a task or model as a value, and tokens as they are given. */
#ifndef ATTN_LIBRARY_VOCABULARY_VALUE_H
#define ATTN_LIBRARY_VOCABULARY_VALUE_H

#include "lang/value.h"
#include "model/batch.h"
#include "model/tokenizers/vocabulary.h"

/* t.vocab: the vocabulary, of which a new reference is taken. */
bool give_vocabulary(Vocabulary *vocabulary, Value *out, Error *err);
/* The vocabulary that a value holds, borrowed; NULL when the value is something else. */
Vocabulary *vocabulary_of(const Value *value);
/* A new vocabulary of a list of tokens, strings or numbers: characters where each is one, else
 * words. With `specials`, <sep>, <begin> and <end> are added where they are not among them. */
Vocabulary *vocabulary_of_list(const Value *list, bool specials, Error *err);

/* The bytes of a text that a model reads: of byte pairs without blanks at the end, since a token
 * begins with the blank before its word. A text of blanks alone is read as it is. */
size_t read_length(const Vocabulary *vocabulary, const String *text);
/* The tokens in a string, or in a list of tokens (strings) and class numbers below `count`. *ids:
 * new, at least one, to be freed with mem_free. vocabulary NULL: numbers alone. ERR_TYPE,
 * ERR_VALUE name `what`. */
bool tokens_given(const Vocabulary *vocabulary, size_t count, const Value *value, const char *what,
                  int **ids, size_t *length, Error *err);
/* One sequence as tokens_given takes it, or several of one length: a list of sentences or of lists,
 * a matrix of class numbers; *many says which. A list of strings is one sequence where each is a
 * token. The ids of *out are new, to be freed with mem_free. */
bool sequences_given(const Vocabulary *vocabulary, size_t count, const Value *value,
                     const char *what, Tokens *out, bool *many, Error *err);
/* Tokens as a person writes them; as a list of numbers where there is no vocabulary. */
bool give_tokens(const Vocabulary *vocabulary, const int *ids, size_t count, Value *out,
                 Error *err);

#endif

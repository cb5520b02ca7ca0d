/* Words with an argument, such as `window 4` or `relative 0.5`: the language of masks and
 * positions in `set`, in mask= and position=, and in what is written back.
 *
 * A grammar is a table of rows, one for each word; it feeds the reading, the messages, help and
 * completion. Where the words come from is behind a WordSource: the text of a string here, the
 * items of a tuple in library/, the arguments of a command in session/. */
#ifndef ATTN_ENGINE_WORDS_H
#define ATTN_ENGINE_WORDS_H

#include "engine/tensor/tensor.h"

/* ---- the words that there are ---- */

typedef enum WordTakes {
    WORD_ALONE,
    WORD_TAKES_WHOLE,  /* a whole number */
    WORD_TAKES_NUMBER, /* a finite number */
    WORD_TAKES_ARRAY,
    WORD_TAKES_NUMBER_OR_ARRAY,
} WordTakes;

typedef struct WordDef {
    const char *word; /* NULL: an array without a word */
    WordTakes takes;
    bool optional;     /* the argument may be left out */
    const char *usage; /* the word with its argument, as help writes it: "window W" */
    const char *note;  /* what help adds in parentheses, or NULL */
    const char *what;  /* the argument in messages: "the width of a window" */
    double least;      /* WORD_TAKES_WHOLE: the smallest */
    /* The remedy when an array is needed in a text, which holds none; or NULL. */
    const char *hint;
    bool (*check_array)(const Tensor *array, Error *err); /* NULL: any array will do */
} WordDef;

typedef struct WordGrammar {
    const char *noun;                /* "mask" */
    const WordDef *(*row)(size_t i); /* NULL behind the last one */
    const char *joint;               /* the word that joins several; or NULL */
} WordGrammar;

/* A word that was read, with its argument. */
typedef struct WordTerm {
    const WordDef *def;
    bool has_number;
    double number;
    Tensor *array; /* a new reference, or NULL */
} WordTerm;

/* "none causal window padding segments and", for completion. */
void word_write_all(const WordGrammar *grammar, Text *text);
/* "none, causal, window W, padding N (the first N keys are real) ...", for help. */
void word_write_usage(const WordGrammar *grammar, Text *text);
/* The word, and the number where there is one. */
void word_write(Text *text, const WordDef *def, bool has_number, double number);

/* Refuses a number (ERR_VALUE) or an array (ERR_SHAPE) that the word does not take. */
bool word_check(const WordTerm *term, Error *err);

/* ---- where they come from ---- */

typedef struct Word {
    const char *text; /* not ended by a zero byte */
    int length;       /* an int, so that "%.*s" takes it */
} Word;

typedef struct WordSource WordSource;
struct WordSource {
    ErrorKind missing; /* the kind of the error when something is missing at the end */
    bool (*at_end)(const WordSource *source);
    bool (*take)(WordSource *source, const char *word); /* takes the next one if it is this word */
    bool (*next)(WordSource *source, Word *out);        /* takes the next one, whatever it is */
    /* Takes the next one as the argument of a row: a number, or an array (a new reference) where
     * the row takes one. */
    bool (*argument)(WordSource *source, const WordDef *def, WordTerm *out, Error *err);
    /* True if the next one is an array. NULL, as `nearest` is, where no word can be an array. */
    bool (*is_array)(const WordSource *source);
    /* The nearest to a mistyped word, of these words and the names of arrays; or NULL. */
    const char *(*nearest)(const WordSource *source, Word word, const char *const *words);
};

/* Takes one word with its argument. ERR_VALUE says which words there are; ERR_NAME where arrays
 * may. */
bool word_read(WordSource *source, const WordGrammar *grammar, WordTerm *out, Error *err);

/* The words of a string. */
typedef struct WordText {
    WordSource source;
    const char *rest;
} WordText;
WordText word_text(const char *text);
/* ERR_VALUE unless the text is at its end. */
bool word_text_finish(WordText *text, const WordGrammar *grammar, Error *err);

#endif

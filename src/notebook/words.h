/* The words of the program around a document, in the languages of lessons. One table holds them: a
 * word that is added is a name here and a row in words.c. */
#ifndef ATTN_NOTEBOOK_WORDS_H
#define ATTN_NOTEBOOK_WORDS_H

#include <stdbool.h>

typedef enum Language { LANGUAGE_ENGLISH, LANGUAGE_CHINESE, LANGUAGES } Language;

typedef enum WordId {
    /* what stands in a lesson */
    WORD_EXERCISE,
    WORD_PREDICTION,
    WORD_CHOICE,
    WORD_OPEN,
    WORD_HINT,    /* of one hint alone */
    WORD_HINT_OF, /* two numbers: which one, and how many there are */
    WORD_SOLUTION,
    WORD_ANSWER,
    WORD_RIGHT, /* of an option of a choice */
    WORD_NOT_RIGHT,
    /* around a page */
    WORD_CONTENTS,
    WORD_SKIP_TO_TEXT,
    WORD_CELL, /* what a screen reader says of a cell and of what it gave */
    WORD_OUTPUT,
    WORD_ERROR_SHOWN, /* of a cell that is there to show an error */
    WORD_PREVIOUS,
    WORD_NEXT,
    WORD_ALL_LESSONS,
    WORD_THIS_LANGUAGE, /* its own name */
    WORD_COURSE,
    WORD_COURSE_ABOUT,
    WORD_MADE_BY,
    WORDS
} WordId;

/* "en" or "zh"; any other name is English. */
Language language_from_name(const char *name);
const char *language_name(Language language);

const char *word_in(Language language, WordId word);

#endif

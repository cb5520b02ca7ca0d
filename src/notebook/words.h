/* The words of the program around a document, in the languages of lessons. One table holds them: a
 * word that is added is a name here and a row in words.c. */
#ifndef ATTN_NOTEBOOK_WORDS_H
#define ATTN_NOTEBOOK_WORDS_H

#include "base/text.h"

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
    /* a lesson at the prompt; what is put into each stands in words.c */
    WORD_ENTER_GOES_ON,
    WORD_ENTER_RUNS,
    WORD_ENTER_ANSWERS,
    WORD_YOUR_GUESS,
    WORD_YOUR_CHOICE,
    WORD_YOUR_ANSWER,
    WORD_SOLVED_ENTER,
    WORD_THE_END,
    WORD_EXERCISE_OF,
    WORD_CHOICE_OF,
    WORD_HOW_EXERCISE,
    WORD_HOW_EXERCISE_AGAIN,
    WORD_HOW_CHOICE,
    WORD_HOW_OPEN,
    WORD_SOLVED,
    WORD_SOLVED_BEFORE,
    WORD_NOT_SOLVED,
    WORD_NOT_THERE_YET,
    WORD_CHECK_FAILED,
    WORD_NO_HINT,
    WORD_NO_MORE_HINTS,
    WORD_ONE_SOLUTION,
    WORD_NO_SOLUTION,
    WORD_SKIPPED,
    WORD_SOLUTION_HOLDS,
    WORD_SAYS_RIGHT,
    WORD_SAYS_WRONG,
    WORD_NO_OPTION,
    WORD_KEPT,
    WORD_NO_EXERCISE,
    WORD_HOW_GUESS,
    WORD_GUESS_NOTED,
    WORD_GUESS_RIGHT,
    WORD_GUESS_NEAR,
    WORD_GUESS_WRONG,
    WORD_TRUTH,
    WORD_FIRST_STEPS,
    WORD_RESUMED,
    WORD_CHANGED,
    WORD_CHANGED_AGAIN,
    WORD_BRINGS_BACK,
    WORD_NOT_BROUGHT_BACK,
    WORD_PROGRESS_LOST,
    WORD_CELL_FAILED,
    WORD_YOURS_IS,
    WORD_YOUR_VECTOR,
    WORD_WRONG_KIND,
    WORD_RETURNS_NOTHING,
    WORD_CHECK_STOPPED,
    WORD_BEGINNING,
    WORD_WENT_BACK,
    WORD_NOWHERE,
    WORD_WHERE,
    WORD_FINISHED,
    WORD_LEFT_OPEN,
    WORD_GOES_ON_WITH,
    WORD_GO_ON,
    WORD_FORGET_EXERCISE,
    WORD_FORGET_LESSON,
    WORD_FORGET_ALL,
    WORD_FORGOTTEN,
    WORD_MINUTES,
    WORD_NEEDS,
    WORD_PROGRESS,
    WORD_HOW_LESSONS,
    /* what can be typed in a lesson, as help lists it */
    WORD_HELP_TITLE,
    WORD_HELP_ENTER_KEY,
    WORD_HELP_ENTER,
    WORD_HELP_LINE_KEY,
    WORD_HELP_LINE,
    WORD_HELP_CHECK,
    WORD_HELP_HINT,
    WORD_HELP_SOLUTION,
    WORD_HELP_SKIP,
    WORD_HELP_BACK,
    WORD_HELP_AGAIN,
    WORD_HELP_GOTO,
    WORD_HELP_WHERE,
    WORD_HELP_FORGET,
    WORD_HELP_LESSONS,
    WORD_HELP_QUIT,
    WORD_HELP_MORE,
    WORDS
} WordId;

/* "en" or "zh"; any other name is English. */
Language language_from_name(const char *name);
const char *language_name(Language language);

const char *word_in(Language language, WordId word);
/* Appends what a hint is called: "Hint", or "Hint 2 of 3" where there are several. */
void hint_name(Text *out, Language language, int number, int count);

#endif

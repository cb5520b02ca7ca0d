/* The languages of the interface, and what the program says in each. A file languages/CODE.txt
 * makes one exist: the build reads its words into the table. A word that is added is a name below
 * and a line in each of these files. */
#ifndef ATTN_BASE_LANGUAGE_H
#define ATTN_BASE_LANGUAGE_H

#include "base/text.h"

/* clang-format off */
typedef enum WordId {
    /* the language: as pages name it, its own name, and an answer in it */
    WORD_HTML_LANGUAGE, WORD_OWN_NAME, WORD_YES,
    /* what stands in a lesson */
    WORD_EXERCISE, WORD_PREDICTION, WORD_CHOICE, WORD_OPEN, WORD_FURTHER, WORD_HINT, WORD_HINT_OF,
    WORD_SOLUTION, WORD_ANSWER, WORD_RIGHT, WORD_NOT_RIGHT, WORD_COLON,
    /* around a page */
    WORD_CONTENTS, WORD_SKIP_TO_TEXT, WORD_CELL, WORD_OUTPUT, WORD_ERROR_SHOWN, WORD_PREVIOUS,
    WORD_NEXT, WORD_ALL_LESSONS, WORD_COURSE, WORD_COURSE_ABOUT, WORD_MADE_BY,
    /* a lesson at the prompt */
    WORD_ENTER_GOES_ON, WORD_ENTER_RUNS, WORD_ENTER_ANSWERS, WORD_YOUR_GUESS, WORD_YOUR_CHOICE,
    WORD_YOUR_ANSWER, WORD_ANSWERED_ENTER, WORD_FURTHER_ENTER, WORD_SOLVED_ENTER, WORD_THE_END,
    WORD_EXERCISE_OF, WORD_CHOICE_OF, WORD_EXERCISE_FURTHER, WORD_CHOICE_FURTHER,
    WORD_HOW_EXERCISE, WORD_HOW_EXERCISE_AGAIN, WORD_HOW_CHOICE, WORD_HOW_OPEN, WORD_SOLVED,
    WORD_SOLVED_FURTHER, WORD_MISSED, WORD_MISSED_FURTHER, WORD_ANSWERED_BEFORE,
    WORD_SOLVED_BEFORE, WORD_NOT_SOLVED, WORD_NOT_THERE_YET, WORD_CHECK_FAILED, WORD_NO_HINT,
    WORD_NO_MORE_HINTS, WORD_ONE_SOLUTION, WORD_NO_SOLUTION, WORD_SKIPPED,
    WORD_SKIPPED_AND_TAKEN_BACK, WORD_SOLUTION_HOLDS,
    WORD_SAYS_RIGHT, WORD_SAYS_WRONG, WORD_NO_OPTION, WORD_KEPT, WORD_NO_EXERCISE, WORD_HOW_GUESS,
    WORD_GUESS_NOTED, WORD_GUESS_RIGHT, WORD_GUESS_NEAR, WORD_GUESS_WRONG, WORD_TRUTH,
    WORD_FIRST_STEPS, WORD_RESUMED, WORD_CHANGED, WORD_CHANGED_AGAIN, WORD_BRINGS_BACK,
    WORD_NOT_BROUGHT_BACK, WORD_PROGRESS_LOST, WORD_CELL_FAILED, WORD_YOURS_IS, WORD_YOUR_VECTOR,
    WORD_WRONG_KIND, WORD_RETURNS_NOTHING, WORD_CHECK_STOPPED, WORD_BEGINNING, WORD_WENT_BACK,
    WORD_NOWHERE, WORD_WHERE, WORD_FINISHED, WORD_LEFT_OPEN, WORD_GOES_ON_WITH, WORD_FURTHER_COMES,
    WORD_FURTHER_OR_NEXT, WORD_GO_ON, WORD_FORGET_EXERCISE, WORD_FORGET_LESSON, WORD_FORGET_ALL,
    WORD_FORGOTTEN, WORD_MINUTES, WORD_NEEDS, WORD_PROGRESS, WORD_HOW_LESSONS,
    /* what can be typed in a lesson, as help lists it */
    WORD_HELP_TITLE, WORD_HELP_ENTER_KEY, WORD_HELP_ENTER, WORD_HELP_LINE_KEY, WORD_HELP_LINE,
    WORD_HELP_CHECK, WORD_HELP_HINT, WORD_HELP_SOLUTION, WORD_HELP_SKIP, WORD_HELP_BACK,
    WORD_HELP_AGAIN, WORD_HELP_GOTO, WORD_HELP_WHERE, WORD_HELP_FORGET, WORD_HELP_LESSONS,
    WORD_HELP_QUIT, WORD_HELP_MORE,
    /* a picture in words */
    WORD_PICTURE_HEATMAP, WORD_PICTURE_LINE_CHART, WORD_PICTURE_BAR_CHART, WORD_PICTURE_LINK_CHART,
    WORD_PICTURE_SEVERAL, WORD_PICTURE_ROW_COUNT, WORD_PICTURE_COLUMN_COUNT, WORD_PICTURE_AXIS,
    WORD_COMMA, WORD_STOP, WORD_AND_SO_ON, WORD_PICTURE_CELL, WORD_PICTURE_LARGEST,
    WORD_PICTURE_SMALLEST, WORD_PICTURE_HIDDEN, WORD_PICTURE_X, WORD_PICTURE_Y, WORD_PICTURE_LINE,
    WORD_PICTURE_UNNAMED_LINE, WORD_PICTURE_COURSE, WORD_PICTURE_LINK_COUNT, WORD_PICTURE_LINK,
    WORD_PICTURE_PANEL,
    WORDS
} WordId;
/* clang-format on */

typedef struct LanguageDef {
    const char *code;                  /* "en" */
    const char *const (*summaries)[2]; /* of pages of help: name and words; NULL at the end */
    const char *words[WORDS];          /* NULL: said in English */
    /* The entries of CODE.po (base/translate.h): each is its English and its translation, both
     * ended by a zero byte. They are in the order of their English, by bytes. */
    const char *messages;
    const unsigned *message_begins; /* of each, from `messages` on */
    size_t message_count;
} LanguageDef;

/* The languages, English first; a NULL code at the end. The codes stand by themselves, too. */
extern const LanguageDef language_table[];
extern const char *const language_codes[];

/* A row of the table. */
typedef int Language;
enum { LANGUAGE_ENGLISH = 0 };

/* The language with whose code a name begins, as "zh_CN.UTF-8" does; English where there is none.
 */
Language language_from_name(const char *name);

/* A word, which may be a format, in a language. */
const char *word_in(Language language, WordId word);
/* The summary of a page of help; NULL: this language has none of its own. */
const char *summary_in(Language language, const char *page);

#endif

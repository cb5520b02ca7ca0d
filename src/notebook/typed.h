/* Judges a line that a person types in a lesson: where it waits for a guess or a letter, an entry
 * or an answer in words; and which variables made so are in the way of a cell or a check. */
#ifndef ATTN_NOTEBOOK_TYPED_H
#define ATTN_NOTEBOOK_TYPED_H

#include "base/language.h"
#include "notebook/progress.h"
#include "session/session.h"

/* True if the line is no entry, but said in words: "the lemon", "about 0.4". */
bool typed_is_words(Session *session, const char *line, size_t length);
/* True if the line is a sentence, even if it begins with a command's name ("compare them with
 * others that vary"): four words or more, without digits or signs of the language, fewer than half
 * of them known names. */
bool typed_is_sentence(const Session *session, const char *line, size_t length);
/* True if the line is a guess: arithmetic, or an amount with words around it that is no entry of
 * the language: "about 3/4", "1/9: two in three", "-ln(1/3)"; or a function's name, which would
 * say nothing as an entry: "all". A command is none, but in "more than 64". */
bool typed_is_guess(Session *session, const char *line, size_t length);
/* The number of a guess: of arithmetic, or the one that is among the words, 0.4 for "about
 * 40%", log(2) for "ln 2", 1/2 for "half"; among several the one that begins the line, if it is
 * alone in the first clause, "0, word 2 is too far", or the one that it comes to: "1/8 of them, so
 * 250". It is appended as the language writes it. nan: there is none, or it is a range, 0.7-0.8. */
double typed_guess(Text *out, Session *session, const char *line, size_t length);
/* The number of a value that is a number or a truth; nan: it is another. */
double number_of_value(const Value *value);

/* Appends "your K is 3×2, your z is a string" for what the person has made among the names in
 * the line where an error came up; functions only where that is wanted. Returns how many they are.
 */
int typed_causes(Text *out, Session *session, const Document *document, const Progress *progress,
                 Language language, const Error *problem, bool functions);
/* The built-in that a cell of the lesson uses and the person has given another value, or NULL. */
const Symbol *typed_over(Session *session, const Progress *progress, const Cell *cell);

#endif

/* The lessons that come with the program, which holds their texts. */
#ifndef ATTN_NOTEBOOK_CATALOG_H
#define ATTN_NOTEBOOK_CATALOG_H

#include "base/language.h"

#include "base/error.h"
#include "base/text.h"

/* A lesson's text, which the build takes from lessons/LANGUAGE/NAME.md. The table of them is
 * sorted; a NULL name ends it. */
typedef struct CatalogText {
    const char *language; /* "en" */
    const char *name;     /* "07-order" */
    const char *text;
} CatalogText;
extern const CatalogText catalog_texts[];

typedef struct CatalogEntry {
    const CatalogText *source;
    int number;
    const char *id; /* "order", the same in all languages */
} CatalogEntry;

/* Entry i of a language, in the order of their numbers. False: there are no more. */
bool catalog_entry(Language language, size_t i, CatalogEntry *out);
/* Finds a lesson by its number, its id, its name, or as "zh/07-order", which chooses the language,
 * too. ERR_NAME with the nearest id. */
bool catalog_find(const char *what, Language language, CatalogEntry *out, Error *err);
/* The lesson that follows the one of that id. False: there is none. */
bool catalog_after(const char *id, Language language, CatalogEntry *out);

/* The head of a lesson: its title, about how many minutes it takes (0: it does not
 * say), and the numbers of the lessons that it builds on: "1, 2". */
typedef struct LessonHead {
    Text title, needs;
    int minutes;
} LessonHead;
void lesson_head_read(const char *text, LessonHead *out);
void lesson_head_release(LessonHead *head);
#define LocalLessonHead __attribute__((cleanup(lesson_head_release))) LessonHead
/* Sets the next number of `needs`; what follows it is returned, NULL after the last one. */
const char *lesson_need_next(const char *needs, int *number);

#endif

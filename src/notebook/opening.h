/* Opens what is read step by step: a lesson, or a document or script shown to others. */
#ifndef ATTN_NOTEBOOK_OPENING_H
#define ATTN_NOTEBOOK_OPENING_H

#include "notebook/catalog.h"
#include "notebook/player.h"

/* Opens a lesson: session->player becomes it, in the place of one that was open. what: its number
 * or id, or the path of a document that ends in .md; NULL: the one that was read last, else the
 * first. ERR_NAME, ERR_FILE, and what document_parse says. */
bool lesson_open(Session *session, const char *what, ReportError *report, Error *err);

/* Parses a lesson, found as above. name: by which its progress is kept; folder: where a document of
 * the person's own lies; left empty for a lesson of the program. */
bool lesson_read(const char *what, Language language, Document **document, Text *name, Text *folder,
                 Error *err);

/* The lesson whose progress was written last; false: there is none. */
bool lesson_find_last(Language language, CatalogEntry *out);

/* Appends a script as a document: each entry is a cell, and the comments above it are prose; what
 * only pauses is left out. In a script with pause page, if `pages` is not NULL, each page is a
 * cell, its comments are notes, and *pages is true. ERR_SYNTAX with its place, ERR_LIMIT. */
bool document_of_script(Session *session, const char *path, const Text *script, bool *pages,
                        Text *out, Error *err);

/* Opens a document (.md) or a script: session->player then presents it. ERR_FILE, ERR_SYNTAX with
 * its place, ERR_LIMIT. */
bool present_open(Session *session, const char *path, ReportError *report, Error *err);

#endif

/* Marks for a class: attn collect. */
#ifndef ATTN_NOTEBOOK_COLLECT_H
#define ATTN_NOTEBOOK_COLLECT_H

#include "notebook/collect/class.h"

/* Reads submissions, runs what each student gave for the exercises (class.h), and writes the marks
 * as the names of the outputs ask for (.csv, .html), or as a table to the host where there is none.
 * A file that is no submission has a row that says so. ERR_FILE, ERR_VALUE for the name of an
 * output, ERR_INTERRUPT, ERR_LIMIT, and what a lesson itself ends in; nothing is written then. */
bool collect_marks(Host *host, const CollectRequest *request, Error *err);

#endif

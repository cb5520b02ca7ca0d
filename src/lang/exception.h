/* The names that `except` catches and `raise` raises: our kinds of errors by their words (value,
 * shape, ...), and Python's names of exceptions, which pasted code uses. */
#ifndef ATTN_LANG_EXCEPTION_H
#define ATTN_LANG_EXCEPTION_H

#include "base/error.h"

typedef struct Exception {
    const char *name;
    ErrorKind kind;      /* of an error that is raised under the name */
    const char *catches; /* the kinds of errors that it catches; NULL: those of its own name */
    const char *parents; /* names that catch what is raised under this one; NULL: no others */
} Exception;

const Exception *exception_find(const char *name); /* NULL: no such name */
bool exception_catches(const Exception *exception, const Error *err);

#endif

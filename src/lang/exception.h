/* The names that `except` catches and `raise` raises: our kinds of errors by their words (value,
 * shape, ...), and Python's names of exceptions, which pasted code uses. */
#ifndef ATTN_LANG_EXCEPTION_H
#define ATTN_LANG_EXCEPTION_H

#include "lang/class.h"

typedef struct Exception {
    const char *name;
    ErrorKind kind;      /* of an error that is raised under the name */
    const char *catches; /* the kinds of errors that it catches; NULL: those of its own name */
    const char *parents; /* names that catch what is raised under this one; NULL: no others */
} Exception;

const Exception *exception_find(const char *name); /* NULL: no such name */
bool exception_catches(const Exception *exception, const Error *err);

/* The class of a predefined error. *out is new. */
bool exception_class(Interp *interp, const Exception *exception, Value *out, Error *err);
void exception_classes_release(Interp *interp);
/* True if `except` with this class catches the error. */
bool class_catches(const Interp *interp, const Class *class, const Error *err);
/* Raises an object of an error's class, or a new one of the class. Returns false. */
bool raise_value(Interp *interp, const Value *value, Error *err);
/* The same with a new object of a predefined class; argument: None for none. */
bool raise_predefined(Interp *interp, const char *name, const Value *argument, Error *err);
/* The object that was raised as this error, borrowed; NULL: it was not raised as one. */
const Value *raised_object(const Interp *interp, const Error *err);
/* A caught error, what `except ... as x` names. *err is read; on a failure of its own it is
 * written. */
bool value_of_error(Interp *interp, Value *out, Error *err);
const Error *error_of_value(const Value *value); /* NULL: it is no caught error */
/* x.message, x.kind and x.hint of an error; VALUE_UNSET: it is another name. */
bool error_attribute(Interp *interp, const Value *object, const char *name, Value *out, Error *err);

#endif

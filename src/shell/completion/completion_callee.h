/* Finds what a chain of names means: a value, or a function whose parameters are known. Only names
 * and their attributes are looked up: nothing is called, indexed or changed. */
#ifndef ATTN_SHELL_COMPLETION_CALLEE_H
#define ATTN_SHELL_COMPLETION_CALLEE_H

#include "session/session.h"
#include "shell/completion/completion_context.h"

/* The meaning of a chain. */
typedef struct Meaning {
    bool module; /* np: its attributes are the functions that there are without it */
    Value value; /* new; VALUE_UNSET: not known */
} Meaning;

/* False: memory ran out. */
bool chain_meaning(const Session *session, const char *text, Chain chain, Meaning *out, Error *err);

/* The function of a call, with its parameters. */
typedef struct Callee {
    const char *name;    /* borrowed */
    Signature signature; /* of a builtin */
    Value function;      /* of the language, a reference; or VALUE_UNSET */
    int first;           /* how many parameters the value before the dot takes */
    int count;           /* parameters; 0 if nothing is known */
} Callee;

/* False: there is none, or memory ran out (then err is filled). */
bool callee_find(const Session *session, const char *text, Chain chain, Callee *out, Error *err);
void callee_release(Callee *callee);
/* NULL: the parameter cannot be named in a call (*rest). */
const char *callee_parameter(const Callee *callee, int i);
/* Appends "softmax(x, axis=-1, temperature=1)". */
void callee_write(const Callee *callee, int digits, Text *out);

#endif

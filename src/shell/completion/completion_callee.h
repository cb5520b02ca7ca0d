/* What a chain of names stands for: a value, or what its call runs. Only names and their attributes
 * are looked up: nothing is called, indexed, or changed. */
#ifndef ATTN_SHELL_COMPLETION_CALLEE_H
#define ATTN_SHELL_COMPLETION_CALLEE_H

#include "session/session.h"
#include "shell/completion/completion_context.h"

/* What a chain stands for. */
typedef struct Meaning {
    bool module; /* np: a name of a module is nothing but its functions */
    Value value; /* new; VALUE_UNSET: not known */
} Meaning;

/* False: memory ran out. */
bool chain_meaning(const Session *session, const char *text, Chain chain, Meaning *out, Error *err);

/* A call's function, with its parameters. */
typedef struct Callee {
    const char *name;    /* borrowed */
    Signature signature; /* of a builtin */
    Value function;      /* of the language, a reference; or VALUE_UNSET */
    int first;           /* parameters that what stands before the dot takes */
    int count;           /* parameters; 0 when nothing is known */
} Callee;

/* False: there is none such, or memory ran out (then err is filled). */
bool callee_find(const Session *session, const char *text, Chain chain, Callee *out, Error *err);
void callee_release(Callee *callee);
/* NULL: it is one that has no name at the call (*rest). */
const char *callee_parameter(const Callee *callee, int i);
/* "softmax(x, temperature=1, axis=-1)" */
void callee_write(const Callee *callee, int digits, Text *out);

#endif

/* One query of a run with all that is computed on its way: the list of steps that trace, why and
 * explore show, each in its own way. */
#ifndef ATTN_SESSION_DERIVATION_H
#define ATTN_SESSION_DERIVATION_H

#include "session/explain/working.h"
#include "session/bench/session_state.h"

/* The steps in their order. A query takes those whose title is not NULL. */
typedef enum StepKind {
    STEP_PRODUCT,          /* q·k */
    STEP_SCALED,           /* times the scale, where a term is added to it */
    STEP_POSITION,         /* the position's term */
    STEP_ADDED,            /* the term of a mask of numbers */
    STEP_SCORE,            /* the sum of these */
    STEP_LESS_MAX,         /* less the largest score that is seen; nan: a hidden key */
    STEP_OVER_TEMPERATURE, /* there is none at temperature 0 and inf */
    STEP_EXPONENTIAL,      /* at temperature 0 and inf the key's share, 0 or 1 */
    STEP_SUM,              /* of the exponentials: one number for all keys */
    STEP_WEIGHT,
    STEP_CONTRIBUTION, /* weight times value: a vector, see derivation_write_step */
    STEP_OUTPUT,       /* their sum */
    STEP_ENTROPY,
    STEP_KINDS
} StepKind;

/* One operand of a step. */
typedef struct StepTerm {
    char operator; /* + - * / before it; 0: it is the first */
    StepKind step; /* the number of this step for the same key, or */
    double number; /* STEP_KINDS: this number for all keys */
} StepTerm;

typedef struct Step {
    const char *title;     /* above a column of a table, before a line of explore */
    const char *left;      /* before the = of why; NULL: it is part of a later line */
    const char *latex;     /* the same in LaTeX */
    const double *numbers; /* one for each key, or NULL: */
    double number;         /* the same for all keys */
    StepTerm
        terms[3]; /* the operands of a number, from left to right; an exponential is exp() of it */
    size_t count;
} Step;

typedef struct Derivation {
    const Run *run;             /* borrowed */
    Value queries, keys_tokens; /* labels, borrowed; VALUE_NONE: none */
    size_t head, query, keys, d_k, d_v;
    Step steps[STEP_KINDS];
    double *numbers; /* holds all that follow */
    double *q;       /* (d_k) as it enters the product */
    double *k, *v;   /* (keys, d_k), (keys, d_v) */
    double *product, *scaled, *position, *added, *score, *less, *over, *exponential,
        *weight;    /* (keys); position and added NULL where there is none */
    double *output; /* (d_v): of this head, before Wo */
    bool *visible;  /* (keys) */
    size_t visible_count;
    double scale, maximum, sum;
    size_t best; /* the first key that has the maximum */
} Derivation;

/* run: of the session, or of its inputs with other settings; it stays borrowed. */
bool derivation_init(Derivation *derivation, const Session *session, const Run *run, size_t head,
                     size_t query, Error *err);
void derivation_release(Derivation *derivation);

/* "q[2] = Q[2] + position = [...] + [...] = [...]" and the like: where the query's numbers come
 * from. One or more lines. */
bool derivation_write_query(const Derivation *derivation, Working *working, Error *err);
/* "0.5 × 0.7071 + 0.1 = 0.4536": how the number of `last` for a key comes about, with the steps
 * from `first` on written as one formula. */
void derivation_write_step(const Derivation *derivation, StepKind first, StepKind last, size_t key,
                           Working *working);
/* Appends "key 3", or "key 3 and 2 more" where several share the largest score. */
void derivation_write_best(const Derivation *derivation, Text *out);
/* "key 3 has the score inf, and ...": where a weight is nan there are no further numbers to show.
 */
void derivation_write_undefined(const Derivation *derivation, Working *working);
/* Writes a remark on a step of a key beside its numbers, such as "over the 3 keys that it sees";
 * often nothing. */
void derivation_write_words(const Derivation *derivation, StepKind step, size_t key, Text *out);
/* Computes a step from two operands. */
double step_apply(double left, char operator, double right);

/* "The mask hides 2 keys: 4, 5."; nothing when all are visible. */
void derivation_write_hidden(const Derivation *derivation, Text *out);
/* ", head 1 of 2" where there are several. */
void derivation_write_head(const Derivation *derivation, Text *out);
/* True if the temperature divides the scores: it is neither 0 nor inf. */
bool derivation_has_temperature(const Derivation *derivation);

#endif

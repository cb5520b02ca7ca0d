/* One query of a run with all that was computed on its way: what trace and why write down. */
#ifndef ATTN_SESSION_DERIVATION_H
#define ATTN_SESSION_DERIVATION_H

#include "session/session.h"
#include "session/explain/working.h"

typedef struct Derivation {
    const Run *run;             /* borrowed */
    Value queries, keys_tokens; /* labels, borrowed; VALUE_NONE: none */
    size_t head, query, keys, d_k, d_v;
    double *numbers; /* holds all that follow */
    double *q;       /* (d_k) as it enters the product */
    double *k, *v;   /* (keys, d_k), (keys, d_v) */
    double *product, *position, *added, *score, *exponential,
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
/* "The mask hides 2 keys: 4, 5."; nothing when all are visible. */
void derivation_write_hidden(const Derivation *derivation, Text *out);
/* Is the key hidden, by a score of -inf or (by_score false) by the mask? */
bool derivation_hides(const Derivation *derivation, size_t key, bool by_score);
/* ", head 1 of 2" where there are several. */
void derivation_write_head(const Derivation *derivation, Text *out);
/* One that divides scores: neither 0 nor inf. */
bool derivation_has_temperature(const Derivation *derivation);

#endif

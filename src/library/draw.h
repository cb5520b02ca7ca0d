/* Declares the parts that functions which draw random numbers share. */
#ifndef ATTN_LIBRARY_DRAW_H
#define ATTN_LIBRARY_DRAW_H

#include "library/arguments.h"

/* The parts of a call in which its rows differ: a function draws from the session's generator or,
 * with seed=, from one of its own, a method from its receiver. */
typedef struct DrawSource {
    Random *random;
    Random own; /* with seed= it is this one */
    int first;  /* the first argument after the receiver */
} DrawSource;

/* Chooses the generator; for a function, `seed` is the index of its argument seed=. ERR_TYPE. */
bool source_at(const Call *call, int seed, DrawSource *source, Error *err);
/* Draws numbers by a function of the generator or, without one, whole ones from [low, low + span).
 */
Tensor *draw_numbers(Random *random, double (*next)(Random *), long long low, uint64_t span,
                     const Shape *shape, Error *err);

#endif

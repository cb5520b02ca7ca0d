/* Draws random numbers: the functions of random.c, which the methods of a generator
 * (random_generator.c) share with the functions that draw from the session's. */
#ifndef ATTN_LIBRARY_RANDOM_DRAW_H
#define ATTN_LIBRARY_RANDOM_DRAW_H

#include "base/random.h"
#include "library/arguments.h"

/* The parts of a call in which its rows differ. */
typedef struct DrawSource {
    Random *random;
    Random own; /* with seed= it is this one */
    int first;  /* the first argument after the receiver */
} DrawSource;

/* Numbers of the standard normal and the uniform distribution in a shape: (size). */
bool draw_standard_normal(const Call *call, Value *out, Error *err);
bool draw_random(const Call *call, Value *out, Error *err);
/* (loc, scale, size), (low, high, size), (low, high, size, dtype, endpoint). */
bool draw_normal(const Call *call, Value *out, Error *err);
bool draw_uniform(const Call *call, Value *out, Error *err);
bool draw_integers(const Call *call, Value *out, Error *err);
/* (x), (a, size, replace, p). */
bool draw_permutation(const Call *call, Value *out, Error *err);
bool draw_choice(const Call *call, Value *out, Error *err);

/* The generator that a method's receiver holds, about to be drawn from: the journal has kept what
 * it was. ERR_TYPE. */
Random *generator_random(const Call *call, Error *err);

#endif

/* Changes to what a model computes, which stay in force in each of its runs: a head that is
 * switched off, an activation that is replaced by another input's.
 *
 * An intervention names an activation as observers know it (transformer.c) and which part of it is
 * replaced: one head or all, one position or all. Observers see it replaced. What does not fit a
 * run, such as a pattern over other numbers of keys, is left as it is there. */
#ifndef ATTN_MODEL_INTERVENTION_H
#define ATTN_MODEL_INTERVENTION_H

#include "engine/tensor/tensor.h"

enum { HOOK_NAME = 64, ALL_HEADS = -1, ALL_PLACES = -1 };
typedef char HookName[HOOK_NAME]; /* of an activation */

typedef enum InterventionKind {
    INTERVENE_ZERO,    /* 0 */
    INTERVENE_MEAN,    /* the same vector at each position */
    INTERVENE_UNIFORM, /* of hook_pattern: all visible keys share alike */
    INTERVENE_PATCH,   /* other values, such as those of another run */
    INTERVENE_ADD      /* values that are added */
} InterventionKind;

typedef struct Intervention {
    InterventionKind kind;
    HookName hook;
    long long head, place; /* place: counted from the first token that the stack has read */
    /* A reference. MEAN: the last axes of the activation, (w,) or (H, w). PATCH and ADD: the
     * activation, with or without its axis of samples. */
    Tensor *values;
    char *from; /* PATCH and ADD: where the values come from, as a person wrote it, or NULL */
    size_t sample, samples; /* the first sample that it is for, and how many; samples 0: all */
} Intervention;

/* A list that never changes, counted. NULL stands for the empty one. */
typedef struct Interventions {
    int refs;
    size_t count;
    Intervention *items;
} Interventions;

/* The same list with one more, of which it keeps references and copies; one for the same part is
 * replaced. NULL and ERR_LIMIT on failure. */
Interventions *interventions_with(const Interventions *list, const Intervention *added, Error *err);
/* *out: the list without the one for that part, NULL where none is left. ERR_LIMIT. */
bool interventions_without(const Interventions *list, const Intervention *part, Interventions **out,
                           Error *err);
/* The one for the part that a head's, or an activation's, is; NULL: there is none. */
const Intervention *interventions_find(const Interventions *list, const Intervention *part);
Interventions *interventions_ref(Interventions *list);
void interventions_unref(Interventions *list);

/* The axes of an activation that are positions and heads; -1: it has none. */
typedef struct HookAxes {
    int place, head;
} HookAxes;
HookAxes hook_axes(const char *hook);
/* The shape in which an activation is shown: without its axis of samples unless there are many. */
Shape hook_shape(const char *hook, const Shape *shape, bool many);
/* False and ERR_VALUE for an activation from which nothing is computed: replacing it would change
 * nothing. */
bool hook_can_change(const char *hook, Error *err);

/* Replaces what the list changes of the activation of that name, whose first position is `offset`:
 * *x becomes another tensor if anything is. `visible`, of a pattern's shape: the keys that a query
 * sees, boolean; NULL for other activations. Can be differentiated, and leaves counts of references
 * alone, so that threads may share a list. */
bool interventions_apply(const Interventions *list, const char *hook, long long offset,
                         const Tensor *visible, Tensor **x, Error *err);
/* True if any of them changes the activation of that name. */
bool interventions_touch(const Interventions *list, const char *hook);

#endif

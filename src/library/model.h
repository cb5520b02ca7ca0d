/* A Transformer as a value: transformer() makes one.
 *
 * Whoever has a model shares it, so that it learns for all of them (lang/value.h, SharedObject).
 * Its state holds the Transformer, which is never written to while anybody else has a reference:
 * the journal, from which undo takes it, or a copy of the model. */
#ifndef ATTN_LIBRARY_MODEL_H
#define ATTN_LIBRARY_MODEL_H

#include "lang/interp.h"
#include "model/transformer.h"

typedef struct ModelState {
    Object object;
    Transformer transformer;
} ModelState;

typedef struct Model {
    SharedObject shared;
    bool learns;    /* a training of it is running */
    uint64_t noted; /* the last entry in which a patch that changes nothing was noted */
    uint64_t used;  /* larger than that of each model that was made or changed before */
} Model;

extern const ObjectType model_type;
extern const BuiltinDef model_call; /* m(...) */
/* Notes, once an entry, that a patch puts numbers there that are there already. */
void model_note_unchanged(Interp *interp, Model *model, const char *hook);

/* The model that a value holds, borrowed; NULL when the value is something else. */
Model *model_of(const Value *value);
/* The model that argument i holds, borrowed; another value is ERR_TYPE. */
Model *model_at(const Call *call, int i, Error *err);
/* A model of its own; takes the transformer over, also on failure. */
bool give_model(Transformer *transformer, Value *out, Error *err);

static inline const Transformer *model_transformer(const Model *model) {
    return &((const ModelState *)model->shared.state)->transformer;
}
/* The transformer, to be written to: the journal has kept what it was. ERR_LIMIT; ERR_VALUE while
 * a training of it is running. */
Transformer *model_change(Interp *interp, Model *model, Error *err);
/* Puts these interventions in force in the model's runs; NULL: none. Fails as model_change. */
bool model_intervene(Interp *interp, Model *model, Interventions *list, Error *err);

/* Puts back a state that the model had earlier in this entry: what was changed since has failed. */
void model_put_back(Model *model, Object *state);

/* The tensor given for the parameter of that name, in the model's type, tracked or not: new; *row
 * is its number. ERR_NAME, ERR_SHAPE, ERR_TYPE. */
Tensor *parameter_given(const Parameters *parameters, const char *name, const Value *value,
                        int *row, Error *err);

/* Sets an option of the struct `base` (model/option.h) to a value; `quote` is around the words
 * that ERR_VALUE lists. ERR_TYPE, ERR_VALUE. */
bool option_set(const Option *option, void *base, const Value *value, const char *quote,
                Error *err);

/* The table of its parts, with shapes and numbers of parameters, in 40 columns. */
void model_write(Object *object, Text *text, int digits);

#endif

#include "library/model_tokens.h"

#include "base/memory.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <limits.h>
#include <math.h>

void tokens_release(Tokens *tokens) {
    mem_free((void *)tokens->ids);
    *tokens = (Tokens){.batch = 0};
}

/* A class number below the model's vocabulary. */
static bool class_number(const Transformer *model, double x, const char *what, int *out,
                         Error *err) {
    const size_t vocabulary = model->config.vocabulary;
    if (x >= 0 && x < (double)vocabulary && x == floor(x)) {
        *out = (int)x;
        return true;
    }
    error_set(err, ERR_VALUE, "%s holds %g, which is no class number of the model", what, x);
    return error_hint(err, "Its tokens are 0 … %zu.", vocabulary - 1);
}

bool tokens_given(const Transformer *model, const Value *value, const char *what, Tokens *out,
                  Error *err) {
    Value items = VALUE_MISSING;
    int *ids = NULL;
    bool texts = value->kind == VALUE_STRING;
    if (!texts && !elements_of(value, what, &items, err)) return false;
    size_t count = texts ? 0 : items.list->count;
    for (size_t i = 0; i < count; i++) texts = texts || items.list->items[i].kind == VALUE_STRING;
    bool ok = !texts ||
              error_set(err, ERR_VALUE, "this model has no words, only the class numbers 0 … %zu",
                        model->config.vocabulary - 1);
    if (ok && count == 0) ok = error_set(err, ERR_VALUE, "%s is empty", what);
    if (ok) ok = (ids = mem_alloc(count * sizeof *ids, err)) != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        double x;
        ok = value_plain_number(&items.list->items[i], what, &x, err) &&
             class_number(model, x, what, &ids[i], err);
    }
    value_release(&items);
    if (ok) *out = (Tokens){1, count, ids, NULL};
    else mem_free(ids);
    return ok;
}

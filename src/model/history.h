/* What training has seen: a row for each step. */
#ifndef ATTN_MODEL_HISTORY_H
#define ATTN_MODEL_HISTORY_H

#include "base/forward.h"

#include <stddef.h>

typedef struct HistoryRow {
    double loss;          /* of the step's batch, before the step */
    double rate;          /* of the step */
    double held_loss;     /* on held-out examples after the step; nan: not measured then */
    double held_accuracy; /* BatchSource says of what; nan likewise */
} HistoryRow;

typedef struct History {
    HistoryRow *rows; /* step 1, 2, ... since the model was made */
    size_t count, capacity;
} History;

void history_release(History *history);
bool history_reserve(History *history, Error *err);        /* room for one more row; ERR_LIMIT */
void history_add(History *history, const HistoryRow *row); /* after history_reserve */
bool history_copy(History *out, const History *history, Error *err);

#endif

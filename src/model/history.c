#include "model/history.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

void history_release(History *history) {
    mem_free(history->rows);
    *history = (History){.rows = NULL};
}

bool history_reserve(History *history, Error *err) {
    HistoryRow *rows =
        mem_grow(history->rows, history->count, &history->capacity, sizeof *rows, err);
    if (!rows) return false;
    history->rows = rows;
    return true;
}

void history_add(History *history, const HistoryRow *row) {
    assert(history->count < history->capacity);
    history->rows[history->count++] = *row;
}

bool history_copy(History *out, const History *history, Error *err) {
    History copy = {.count = history->count, .capacity = history->count};
    copy.rows = mem_alloc(copy.count * sizeof *copy.rows, err);
    if (!copy.rows) return false;
    if (copy.count) memcpy(copy.rows, history->rows, copy.count * sizeof *copy.rows);
    *out = copy;
    return true;
}

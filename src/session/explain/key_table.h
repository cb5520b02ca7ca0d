/* Tables of the steps of a query: a row for each key, a column for each step. Of very many keys the
 * first and the last have rows of their own and those between them share one, so that the table
 * still adds up. */
#ifndef ATTN_SESSION_KEY_TABLE_H
#define ATTN_SESSION_KEY_TABLE_H

#include "session/explain/derivation.h"
#include "view/label.h"

enum { KEYS_MOST = 24, KEY_ROWS_MOST = KEYS_MOST + 1, KEY_COLUMNS_MOST = 8 };

/* The keys that begin a row; each row is for all keys up to the next one. */
Shown key_rows(size_t keys);
static inline size_t key_rows_end(const Shown *rows, size_t row) { return shown_at(rows, row + 1); }
/* True for a row of several keys. */
static inline bool key_rows_gap(const Shown *rows, size_t row) {
    return shown_gap_before(rows, row + 1);
}

typedef struct KeyTable {
    const Derivation *derivation; /* borrowed */
    Shown rows;
    char *labels[KEY_ROWS_MOST];
    size_t label_count; /* one more than `rows` has where there is a row of totals */
    StepKind steps[KEY_COLUMNS_MOST];
    double columns[KEY_COLUMNS_MOST][KEY_ROWS_MOST]; /* nan: an empty cell, or */
    bool has_nan[KEY_COLUMNS_MOST];                  /* a number of the column that is nan */
    size_t count;
    int digits;
    const char *palette;
} KeyTable;

/* total: the label of the last row, "sum"; or NULL. */
bool key_table_init(KeyTable *table, const Session *session, const Derivation *derivation,
                    const char *total, Error *err);
void key_table_release(KeyTable *table);
/* Adds the column of a step, where the query takes it and each key has a number. */
void key_table_add(KeyTable *table, StepKind step);
/* A number of a column as the table shows it. */
double key_table_shown(const KeyTable *table, size_t column, size_t row);
/* Writes the table, and below it the rows that come out a little different when they are computed
 * with the digits shown. scores: those of the rows as they were shown before, where the table has
 * no column of them. what: "the score". */
void key_table_write(const KeyTable *table, const double *scores, const char *what,
                     const Host *host, Text *out);

#endif

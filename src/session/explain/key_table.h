/* Tables of the steps of a query: a row for each key, a column for each step. Of very many keys the
 * first and the last have rows of their own and those between them share one, so that what stands
 * there still adds up. */
#ifndef ATTN_SESSION_KEY_TABLE_H
#define ATTN_SESSION_KEY_TABLE_H

#include "session/explain/derivation.h"

enum { KEYS_MOST = 24, KEYS_FIRST = 12, KEY_ROWS_MOST = KEYS_MOST + 2, KEY_COLUMNS_MOST = 8 };

/* The keys that are written out. */
typedef struct KeyRows {
    size_t shown[KEYS_MOST + 1], count;
    size_t keys;
    bool gap; /* shown[KEYS_FIRST] stands for all keys up to the next one shown */
} KeyRows;

KeyRows key_rows(size_t keys);
bool key_rows_gap(const KeyRows *rows, size_t row);
size_t key_rows_end(const KeyRows *rows, size_t row); /* one past the last key of the row */

typedef struct KeyTable {
    const Derivation *derivation; /* borrowed */
    KeyRows rows;
    char *labels[KEY_ROWS_MOST];
    size_t label_count; /* one more than rows.count where there is a row of totals */
    StepKind steps[KEY_COLUMNS_MOST];
    double columns[KEY_COLUMNS_MOST][KEY_ROWS_MOST]; /* nan: an empty place, or */
    bool has_nan[KEY_COLUMNS_MOST];                  /* a number of the column that is nan */
    size_t count;
    int digits;
    const char *palette;
} KeyTable;

/* total: the label of the last row, "sum"; or NULL. */
bool key_table_init(KeyTable *table, const Session *session, const Derivation *derivation,
                    const char *total, Error *err);
void key_table_release(KeyTable *table);
/* Adds the column of a step, where the query goes through it and each key has a number. */
void key_table_add(KeyTable *table, StepKind step);
/* A number of a column as the table shows it. */
double key_table_shown(const KeyTable *table, size_t column, size_t row);
/* Writes the table, and below it the rows that come out a little different when they are computed
 * with the digits shown. scores: those of the rows as they were shown before, where the table has
 * no column of them. what: "the score". */
void key_table_write(const KeyTable *table, const double *scores, const char *what,
                     const Host *host, Text *out);

#endif

/* Tables with a row for each key of a derivation; of very many keys the first and the last, the
 * others in one row between them, so that what stands there still adds up. */
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
double key_rows_sum(const KeyRows *rows, size_t row, const double *x, size_t stride);

typedef struct KeyTable {
    KeyRows rows;
    char *labels[KEY_ROWS_MOST];
    const char *titles[KEY_COLUMNS_MOST]; /* borrowed */
    double
        *columns[KEY_COLUMNS_MOST]; /* nan: an empty place, where it is no number of the column's */
    bool has_nan[KEY_COLUMNS_MOST]; /* it is one */
    size_t label_count, count;      /* rows, one more for `last`; columns */
    int digits;
    const char *palette;
    Text rounded; /* the rows whose last digit shows that more digits were used */
    size_t rounded_count, rounded_row; /* the last of them */
} KeyTable;

/* last: the label of a further row, "sum"; or NULL. */
bool key_table_init(KeyTable *table, const Session *session, const Derivation *derivation,
                    const char *last, Error *err);
void key_table_release(KeyTable *table);
double *key_table_column(KeyTable *table, const char *title,
                         Error *err); /* new, all nan; NULL on failure */
/* A number of a column as the table shows it. */
double key_table_shown(const KeyTable *table, size_t column, size_t row);
/* Keeps in mind that a cell is not what the numbers before it, as they are shown, come to. */
void key_table_expect(KeyTable *table, size_t column, size_t row, double come_to);
/* The table, and below it which rows were kept in mind. `what`: "the score". */
void key_table_write(KeyTable *table, const Host *host, const char *what, Text *out);

#endif

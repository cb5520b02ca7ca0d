/* The command line: a case, and options that it takes. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { NOT_GIVEN = -1 };

typedef struct Options {
    long n, keys, heads, dim, window; /* attention; keys and window NOT_GIVEN: n, none */
    long m, k, rows;                  /* m x k times k x n; softmax of rows x n */
    long threads, runs;
    const char *dtype, *position;
    bool causal, transpose_a, transpose_b, scratch, serve, help;
} Options;

void options_init(Options *options);
/* words: what follows the name of the case. False: it has said what is wrong. */
bool options_read(Options *options, const char *name, char **words);
void options_list(void);

#endif

/* The way back: what each entry changed, in order. */
#ifndef ATTN_SESSION_UNDO_H
#define ATTN_SESSION_UNDO_H

#include "session/bench/bench.h"

enum { UNDO_STEPS_MAX = 1000 };
#define UNDO_BYTES_MAX ((size_t)256 << 20)

/* All that undo brings back beside the variables. */
typedef struct BenchState {
    Bench bench;
    Random random;
    uint64_t seed;
} BenchState;

typedef struct UndoStep {
    Journal journal;
    BenchState state;
    char *label; /* the entry's first line */
    size_t bytes;
} UndoStep;

typedef struct Undo {
    UndoStep *steps[UNDO_STEPS_MAX + 1]; /* [0 .. done) can be undone, [done .. count) redone */
    size_t count, done, bytes;
    size_t outside; /* the steps that were there before the lesson that is open */
    size_t held;    /* these, and those of its beginning, which undo leaves */
} Undo;

void undo_release(Undo *undo);

struct Session;
void bench_state_take(const struct Session *session, BenchState *state); /* new references */
/* Puts the state back; it then holds what was there. */
void bench_state_swap(struct Session *session, BenchState *state);
void bench_state_release(BenchState *state);

/* Keeps a step, which it takes over. Forgets what could be redone, and the oldest steps past the
 * limits. Where memory runs out the entry stays but cannot be taken back, nor can what was before
 * it. */
void undo_keep(Undo *undo, UndoStep step);
/* Takes one step back, or forward again. Its label, borrowed; NULL when there is none. */
const char *undo_back(struct Session *session);
const char *undo_forward(struct Session *session);

#endif

#include "session/bench/session_state.h"

#include "base/memory.h"
#include "session/bench/session_state.h"

#include <string.h>

void bench_state_take(const Session *session, BenchState *state) {
    bench_copy(&state->bench, &session->bench);
    state->random = session->interp.random;
    state->seed = session->interp.seed;
}

void bench_state_swap(Session *session, BenchState *state) {
    BenchState held = {session->bench, session->interp.random, session->interp.seed};
    session->bench = state->bench;
    session->interp.random = state->random;
    session->interp.seed = state->seed;
    *state = held;
    session_apply_settings(session);
}

void bench_state_release(BenchState *state) { bench_release(&state->bench); }

/* Forgets the steps from `first` up to `end`. */
static void drop_steps(Undo *undo, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        UndoStep *step = undo->steps[i];
        undo->bytes -= step->bytes;
        journal_release(&step->journal);
        bench_state_release(&step->state);
        mem_free(step->label);
        mem_free(step);
    }
    size_t left = undo->count - end;
    if (left) memmove(undo->steps + first, undo->steps + end, left * sizeof *undo->steps);
    undo->count = first + left;
    if (undo->done > undo->count) undo->done = undo->count;
}

void undo_release(Undo *undo) {
    drop_steps(undo, 0, undo->count);
    *undo = (Undo){0};
}

void undo_keep(Undo *undo, UndoStep step) {
    drop_steps(undo, undo->done, undo->count);
    UndoStep *kept = mem_alloc(sizeof *kept, NULL);
    if (!kept) {
        drop_steps(undo, 0, undo->count);
        journal_release(&step.journal);
        bench_state_release(&step.state);
        mem_free(step.label);
        return;
    }
    *kept = step;
    undo->steps[undo->count++] = kept;
    undo->done = undo->count;
    undo->bytes += step.bytes;
    while (undo->count > UNDO_STEPS_MAX || (undo->bytes > UNDO_BYTES_MAX && undo->count > 0)) {
        drop_steps(undo, 0, 1);
        undo->outside -= undo->outside > 0;
        undo->held -= undo->held > 0;
    }
}

static const char *step_swap(Session *session, UndoStep *step) {
    journal_apply(&step->journal);
    bench_state_swap(session, &step->state);
    return step->label ? step->label : "";
}

const char *undo_back(Session *session) {
    Undo *undo = &session->undo;
    return undo->done <= undo->held ? NULL : step_swap(session, undo->steps[--undo->done]);
}

const char *undo_forward(Session *session) {
    Undo *undo = &session->undo;
    return undo->done == undo->count ? NULL : step_swap(session, undo->steps[undo->done++]);
}

#include "session/undo.h"

#include "base/memory.h"
#include "session/session.h"

#include <string.h>

/* ---- the state beside the variables ---- */

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

/* ---- steps ---- */

static void step_release(UndoStep *step) {
    journal_release(&step->journal);
    bench_state_release(&step->state);
    mem_free(step->label);
}

static void step_drop(Undo *undo, UndoStep *step) {
    undo->bytes -= step->bytes;
    step_release(step);
    mem_free(step);
}

void undo_release(Undo *undo) {
    for (size_t i = 0; i < undo->count; i++) step_drop(undo, undo->steps[i]);
    mem_free(undo->steps);
    *undo = (Undo){0};
}

static void drop_redo(Undo *undo) {
    while (undo->count > undo->done) step_drop(undo, undo->steps[--undo->count]);
}

static void drop_oldest(Undo *undo, size_t count) {
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) step_drop(undo, undo->steps[i]);
    memmove(undo->steps, undo->steps + count, (undo->count - count) * sizeof *undo->steps);
    undo->count -= count;
    undo->done -= count;
}

static bool step_room(Undo *undo, Error *err) {
    if (undo->count < undo->capacity) return true;
    size_t capacity = undo->capacity ? undo->capacity * 2 : 16;
    UndoStep **steps = mem_resize(undo->steps, capacity * sizeof *steps, err);
    if (!steps) return false;
    undo->steps = steps;
    undo->capacity = capacity;
    return true;
}

void undo_keep(Undo *undo, UndoStep step) {
    Error ignored;
    drop_redo(undo);
    UndoStep *kept = step_room(undo, &ignored) ? mem_alloc(sizeof *kept, &ignored) : NULL;
    if (!kept) {
        drop_oldest(undo, undo->count);
        step_release(&step);
        return;
    }
    *kept = step;
    undo->steps[undo->count++] = kept;
    undo->done = undo->count;
    undo->bytes += step.bytes;
    size_t drop = undo->count > UNDO_STEPS_MAX ? undo->count - UNDO_STEPS_MAX : 0;
    if (drop) drop_oldest(undo, drop);
    while (undo->bytes > UNDO_BYTES_MAX && undo->count > 0) drop_oldest(undo, 1);
}

static const char *step_swap(Session *session, UndoStep *step) {
    journal_apply(&step->journal);
    bench_state_swap(session, &step->state);
    return step->label ? step->label : "";
}

const char *undo_back(Session *session) {
    Undo *undo = &session->undo;
    return undo->done == 0 ? NULL : step_swap(session, undo->steps[--undo->done]);
}

const char *undo_forward(Session *session) {
    Undo *undo = &session->undo;
    return undo->done == undo->count ? NULL : step_swap(session, undo->steps[undo->done++]);
}

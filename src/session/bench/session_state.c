#include "session/bench/session_state.h"

#include "base/memory.h"
#include "base/translate.h"
#include "engine/tensor/threads.h"
#include "library/model.h"

#include <string.h>
#include <sys/stat.h>

const CommandDef *session_command(const Session *session, const char *name) {
    for (size_t t = 0; session->commands[t]; t++)
        for (const CommandDef *row = session->commands[t]; row->syntax.name; row++)
            if (strcmp(row->syntax.name, name) == 0) return row;
    return NULL;
}

const Symbol *session_variable(const Session *session, const char *name) {
    const Symbol *symbol = interp_find(&session->interp, name);
    return symbol && symbol->value.kind != VALUE_UNSET ? symbol : NULL;
}

Symbol **session_variables(const Session *session, size_t *count, Error *err) {
    VariableWalk walk = {.interp = &session->interp};
    Symbol **found = NULL;
    size_t capacity = 0;
    *count = 0;
    for (Symbol *symbol; (symbol = variable_next(&walk));) {
        Symbol **longer = mem_grow(found, *count, &capacity, sizeof *longer, err);
        if (!longer) {
            mem_free(found);
            return NULL;
        }
        found = longer;
        found[(*count)++] = symbol;
    }
    return found ? found : mem_alloc(sizeof *found, err);
}

bool session_set_variable(Session *session, const char *name, const Value *value, Error *err) {
    Symbol *symbol = interp_symbol(&session->interp, name, strlen(name), err);
    if (!symbol) return false;
    if (value) return interp_set(&session->interp, symbol, *value, err);
    return symbol->value.kind == VALUE_UNSET || interp_unset(&session->interp, symbol, err);
}

const Value *session_variable_instead(Session *session, const char *word) {
    const Symbol *symbol = session_variable(session, word);
    if (!symbol) return NULL;
    if (run_has(word))
        host_note(session->interp.host, "(your variable %s; the bench's: last.%s)\n", word, word);
    else
        host_note(session->interp.host, "(your variable %s; attn's own %s again after: del %s)\n",
                  word, word, word);
    return &symbol->value;
}

const Model *session_trained(const Session *session) {
    const Journal *journal = &session->interp.journal;
    for (size_t i = journal->count; i > 0; i--) {
        const Model *model = model_of(&journal->changes[i - 1].holder);
        if (model && model_transformer(model)->history.count > 0) return model;
    }
    return session->bench.trained;
}

bool session_write_value(Session *session, const Value *value, Error *err) {
    Text text = TEXT_EMPTY;
    if (session->interp.host->interactive) {
        value_view(&text, value, session->interp.host, session->interp.digits);
    } else {
        value_write_result(&text, value, session->interp.digits);
        text_char(&text, '\n');
    }
    return session_write_text(session, true, &text, err);
}

bool session_write_text(Session *session, bool made, Text *text, Error *err) {
    Host *host = session->interp.host;
    if (made && session->room >= SIZE_MAX / 2) return host_write_text(host, text, err);
    LocalText rest = TEXT_EMPTY;
    bool ok = made && host_write_rows(host, text, &session->room, &rest, err);
    if (ok && rest.length) {
        if (!session->cut) text_release(&session->left_out);
        session->cut = true;
        text_bytes(&session->left_out, rest.data, rest.length);
        ok = text_ok(&session->left_out, err);
    }
    text_release(text);
    return ok;
}

void printout_wrap(Printout *printout) {
    text_say_lines(&printout->out, &printout->line, session_columns(printout->session));
}

void printout_clear(Printout *printout) {
    text_clear(&printout->out);
    text_clear(&printout->line);
}

bool printout_show(Printout *printout, bool made, Error *err) {
    printout_wrap(printout);
    return session_write_text(printout->session, made, &printout->out, err);
}

Language session_language(const Session *session) {
    return language_from_name(session->bench.settings.language);
}

void session_apply_settings(Session *session) {
    Host *host = session->interp.host;
    if (!interp_runs_python(&session->interp))
        session->interp.digits = session->bench.settings.digits;
    threads_set(session->bench.settings.threads);
    translate_to(session_language(session));
    const char *color = session->bench.settings.color;
    host->color = session->host_color;
    if (strcmp(color, "never") == 0) host->color = COLOR_NONE;
    if (strcmp(color, "always") == 0 && session->host_color == COLOR_NONE) host->color = COLOR_256;
}

bool session_may_write(Session *session, const char *path, bool forced, const char *remedy,
                       Error *err) {
    Host *host = session->interp.host;
    bool asks = !forced && host->interactive && host->ask && session->run_depth == 0;
    struct stat there; /* a folder is never replaced: the writer says so */
    bool replaces = stat(path, &there) == 0 && !S_ISDIR(there.st_mode);
    if (asks && !record_get(session->written.record, path) && replaces) {
        LocalText question = TEXT_EMPTY;
        bool yes = false;
        text_say(&question, "overwrite %s, which this session has not written?", path);
        if (!text_ok(&question, err) || !host->ask(host, question.data, &yes, err)) return false;
        if (!yes) {
            error_set(err, ERR_FILE, "%s is kept as it was", path);
            return error_hint(err, "%s", remedy);
        }
    }
    return record_set(session->written.record, path, VALUE_NOTHING, err);
}

/* ---- the way back ---- */

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
    kept->number = ++undo->numbers;
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

size_t undo_last(const Undo *undo) { return undo->done ? undo->steps[undo->done - 1]->number : 0; }

bool undo_back_to(Session *session, size_t number) {
    Undo *undo = &session->undo;
    size_t end = undo->done;
    while (end > undo->held && undo->steps[end - 1]->number != number) end--;
    if (end == 0 || undo->steps[end - 1]->number != number) return false;
    while (undo->done > end) undo_back(session);
    drop_steps(undo, end, undo->count);
    return true;
}

/* Keeps the entries that have run in a lesson, and runs them again to bring it back. */
#include "notebook/player_state.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/translate.h"
#include "notebook/recorder.h"

#include <string.h>

/* ---- progress ---- */

/* Writes the progress by a function of progress.h; that it cannot be written is said once. */
static bool keep_by(Player *player, bool (*write)(Progress *progress, Error *err), Error *err) {
    Error problem = {.kind = ERR_NONE};
    if (write(&player->progress, &problem) || player->unkept) return true;
    player->unkept = true;
    return player_say_unkept(player, err, problem.message);
}

bool player_keep(Player *player, Error *err) { return keep_by(player, progress_save, err); }

bool player_note(Player *player, EventKind kind, int number, const char *text, Error *err) {
    Progress *progress = &player->progress;
    if (!progress_add(progress, kind, number, text, text ? strlen(text) : 0, err)) return false;
    progress->events[progress->event_count - 1].step = undo_last(&player->session->undo);
    return true;
}

/* A hash of the task and of what is checked. */
static unsigned long long hash_of_exercise(const Cell *exercise) {
    unsigned long long hash = 0;
    for (const Cell *part = exercise; part; part = cell_part(part, CELL_CHECK))
        hash = random_hash(part->code, strlen(part->code), hash);
    return hash;
}

bool player_note_state(Player *player, ExerciseState state, Error *err) {
    ExerciseRecord *record = progress_record(&player->progress, player->cell->id, err);
    if (!record) return false;
    if (state > record->state) record->state = state;
    record->text = hash_of_exercise(player->cell);
    return true;
}

double player_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void player_note_seconds(Player *player, double began) {
    Progress *progress = &player->progress;
    Event *event = &progress->events[progress->event_count - 1];
    event->seconds = player_seconds() - began;
    event->step = undo_last(&player->session->undo);
}

/* ---- running ---- */

/* Runs a text, entry by entry, as a part of the lesson. */
static bool run_text(Player *player, const char *text, size_t length, Error *err) {
    Session *session = player->session;
    const char *before = session->interp.directory, *script = session->script;
    if (player->folder) session->interp.directory = player->folder;
    session->script = player->name; /* its pictures are numbered on from cell to cell */
    bool ok = notebook_run_text(session, "", text, length, err);
    session->script = script;
    session->interp.directory = before;
    return ok;
}

bool player_run_cell(Player *player, const Cell *cell, Error *problem, Error *err) {
    if (run_text(player, cell->code, strlen(cell->code), problem)) return true;
    if (problem->kind == ERR_INTERRUPT && err) *err = *problem;
    if (problem->kind == ERR_INTERRUPT) return false;
    player->report(player->session, problem, NULL);
    return true;
}

/* Runs a text that nobody watches. An error of it goes to `problem` (or NULL), and does not end
 * anything; only Ctrl-C does. */
static bool run_unseen(Player *player, const char *text, Error *problem, Error *err) {
    Error ignored = {.kind = ERR_NONE};
    if (!problem) problem = &ignored;
    Recorder unseen;
    recorder_begin_unseen(&unseen, player->session, true);
    bool ok = run_text(player, text, strlen(text), problem);
    recorder_end_unseen(&unseen, player->session);
    if (ok || problem->kind != ERR_INTERRUPT) return true;
    if (err) *err = *problem;
    return false;
}

bool player_run_solution(Player *player, const Cell *exercise, Error *err) {
    const Cell *solution = cell_part(exercise, CELL_SOLUTION);
    return !solution || run_unseen(player, solution->code, NULL, err);
}

/* Writes what the person has set for the screen, or for the whole program, as lines that set it. */
static void write_lasting_settings(const Player *player, Text *out) {
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->outlives_lesson) continue;
        text_format(out, "set %s ", row->name);
        setting_write(row, &player->session->bench.settings, out);
        text_char(out, '\n');
    }
}

/* Makes the session as it is where the lesson begins, but for the settings that outlive it. */
static bool reset_to_beginning(Player *player, Error *err) {
    LocalText text = TEXT_EMPTY;
    text_string(&text, "reset all\n");
    for (const SettingDef *row = setting_table; row->name; row++)
        text_format(&text, "unset %s\n", row->name);
    write_lasting_settings(player, &text);
    if (player_presents(player)) text_string(&text, "args = []\n"); /* a script may ask for it */
    bool ok = text_ok(&text, err) && run_unseen(player, text.data, NULL, err);
    player->session->undo.held = player->session->undo.done;
    return ok;
}

/* Runs an event again. *said: the person was told of a line that failed, and is not told of more.
 */
static bool replay_event(Player *player, const Event *event, bool *said, Error *err) {
    const Cell *cell = document_cell(player->document, event->number);
    Error problem = {.kind = ERR_NONE};
    LocalText why = TEXT_EMPTY;
    if (!cell && event->kind != EVENT_LINE) return true;
    switch (event->kind) {
    case EVENT_LINE:
        if (!run_unseen(player, event->text, &problem, err)) return false;
        if (!problem.kind || *said) return true;
        *said = true; /* It ran when it was typed: a file that it reads may be gone. */
        tr_write(&why, problem.message);
        return player_say(player, err, "(this line of yours could not be done again: %.*s: %s)",
                          (int)strcspn(event->text, "\n"), event->text, why.data);
    case EVENT_CELL: player->guess = NULL; return run_unseen(player, cell->code, NULL, err);
    case EVENT_SOLUTION: return player_run_solution(player, cell, err);
    case EVENT_GUESS:
        player->guess = cell;
        return mem_replace_string(&player->guessed, event->text, err);
    default: return true;
    }
}

/* Runs again, unseen, all that was noted. */
static bool replay(Player *player, Error *err) {
    enum { SECONDS_SAID = 2 }; /* who waits as long is told of it */
    const Progress *progress = &player->progress;
    Host *host = player->session->interp.host;
    double all = 0, done = 0;
    for (size_t i = 0; i < progress->event_count; i++) all += progress->events[i].seconds;
    if (all >= SECONDS_SAID &&
        !player_say(player, err,
                    "(what you did is done again, which takes about %d s; Ctrl-C leaves)",
                    (int)(all + 0.5)))
        return false;
    bool ok = reset_to_beginning(player, err);
    player->guess = NULL;
    bool said = false;
    for (size_t i = 0; ok && i < progress->event_count; i++) {
        Event *event = &progress->events[i];
        if (all >= SECONDS_SAID) host_progress(host, "", done / all * 0.99);
        done += event->seconds;
        ok = replay_event(player, event, &said, err);
        event->step = undo_last(&player->session->undo);
    }
    if (all >= SECONDS_SAID) host_progress(host, "", 1);
    return ok;
}

bool player_return(Player *player, size_t count, Error *err) {
    Progress *progress = &player->progress;
    size_t step = count ? progress->events[count - 1].step : 0;
    LocalText settings = TEXT_EMPTY;
    write_lasting_settings(player, &settings);
    if (!text_ok(&settings, err)) return false;
    progress_cut(progress, count);
    if (step == 0 || !undo_back_to(player->session, step)) return replay(player, err);
    player->guess = NULL;
    return run_unseen(player, settings.data, NULL, err);
}

/* ---- ways through the lesson without the person ---- */

bool player_pass_over(Player *player, int from, int to, Error *err) {
    Host *host = player->session->interp.host;
    for (int b = from; b < to; b++) {
        const Cell *cell = player->blocks[b]->cell;
        double began = player_seconds();
        bool runs = cell && cell_runs(cell), solves = cell && cell->kind == CELL_EXERCISE;
        if (!runs && !solves) continue;
        host_progress(host, "", (double)(b - from) / (to - from));
        bool ok = runs ? run_unseen(player, cell->code, NULL, err)
                       : player_run_solution(player, cell, err);
        if (!ok || !player_note(player, runs ? EVENT_CELL : EVENT_SOLUTION, cell->index, NULL, err))
            return false;
        player_note_seconds(player, began);
    }
    host_progress(host, "", 1);
    return true;
}

bool player_pass_from_beginning(Player *player, int to, Error *err) {
    progress_cut(&player->progress, 0);
    return reset_to_beginning(player, err) && player_pass_over(player, 0, to, err);
}

/* ---- where the person left ---- */

/* Begins the lesson as it now is where the person stood in the one that was. */
static bool begin_changed(Player *player, bool translated, Error *err) {
    /* Exercises that are not what was solved are open again; but not in another language, in which
     * all of them differ. */
    LocalText again = TEXT_EMPTY;
    for (const Cell *cell = player->document->cells; cell; cell = cell->next) {
        if (!cell_is_exercise(cell) || player_state(player, cell) == EXERCISE_OPEN) continue;
        ExerciseRecord *record =
            progress_record(&player->progress, cell->id, NULL); /* it is there */
        unsigned long long now = hash_of_exercise(cell);
        if (record->text && record->text != now && !translated) {
            record->state = EXERCISE_OPEN;
            text_format(&again, "%s%s", again.length ? ", " : "", cell->id);
        }
        record->text = now;
    }
    /* The lesson goes on at the last exercise that the person has worked on, or behind it. */
    int block = 0;
    for (int b = 0; b < player->block_count; b++) {
        const Cell *cell = player->blocks[b]->cell;
        const ExerciseRecord *record =
            cell && cell_is_exercise(cell) ? progress_find(&player->progress, cell->id) : NULL;
        if (record) block = b + (record->state != EXERCISE_OPEN);
    }
    bool ok = player_pass_from_beginning(player, block, err);
    if (ok && again.length)
        ok = player_say(player, err,
                        "(the lesson has changed since you were here; to be done again: %s)",
                        again.data);
    else if (ok)
        ok = player_say(
            player, err,
            translated
                ? "(here you left; back goes back, goto 1 to the first exercise)"
                : "(the lesson has changed since you were here; what you solved stays solved)");
    return ok && keep_by(player, progress_replace, err) && player_leave_line(player, err) &&
           player_go_to(player, block, err);
}

bool player_begin(Player *player, Error *err) {
    Progress *progress = &player->progress;
    const Document *document = player->document;
    unsigned long long hash = random_hash(document->source, document->length, 0);
    const char *language = language_codes[session_language(player->session)];
    int block = 0;
    player->session->interp.host->rows_written = 0;
    bool changed = progress->event_count > 0 && progress->hash != hash,
         translated = strcmp(progress->language, language) != 0;
    progress->hash = hash;
    memcpy(progress->language, language, 3);
    if (changed) return begin_changed(player, translated, err);
    size_t i = progress->event_count;
    while (i > 0 && progress->events[i - 1].kind != EVENT_AT) i--;
    if (i > 0) block = progress->events[i - 1].number;
    bool ok = replay(player, err);
    if (player_presents(player)) return ok && player_go_to(player, 0, err);
    if (ok && i > 0)
        ok = player_say(player, err,
                        "(here you left; back goes back, goto 1 to the first exercise)");
    else if (ok)
        ok = player_say(player, err,
                        "(Enter goes on; type anything at any time; back, where, quit)") &&
             player_note(player, EVENT_AT, 0, NULL, err);
    return ok && player_leave_line(player, err) && player_show_screen(player, block, err) &&
           player_keep(player, err);
}

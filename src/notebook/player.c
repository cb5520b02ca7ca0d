#include "notebook/player_state.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/translate.h"
#include "notebook/catalog.h"
#include "notebook/check.h"
#include "notebook/prose.h"
#include "notebook/typed.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool player_presents(const Player *player) { return player && player->mode >= PLAYER_PRESENTS; }

/* ---- ways through the lesson ---- */

enum { ROWS_BELOW = 10 }; /* of the screen: what the rest of the lesson gets below an output */

bool player_pass_cell(Player *player, bool anyway, Error *err) {
    const Cell *cell = player->cell;
    Host *host = player->session->interp.host;
    Error problem = {.kind = ERR_NONE};
    double began = player_seconds();
    const Symbol *over = typed_over(player->session, &player->progress, cell);
    if (over && !anyway)
        return player_say(player, err,
                          "The lesson's cell means the built-in %s, and now it is your own. del %s "
                          "brings it back; skip runs the cell with yours.",
                          over->name, over->name);
    if (!player_run_cell(player, cell, &problem, err)) return false;
    if (problem.kind && cell->kind == CELL_RUN && !player_presents(player) && !anyway) {
        /* It cannot go wrong but by what the person has changed. */
        LocalText causes = TEXT_EMPTY, clause = TEXT_EMPTY;
        if (typed_causes(&causes, player->session, player->document, &player->progress,
                         player->language, &problem, true))
            text_format(&clause, tr_in(player->language, " (%s)"), causes.data);
        return player_say(player, err,
                          "The lesson's cell met an error%s. goto here makes the variables as the "
                          "lesson has them; Enter tries again, skip goes on without.",
                          clause.data);
    }
    if (!player_note(player, EVENT_CELL, cell->index, NULL, err)) return false;
    player_note_seconds(player, began);
    if (!player_reveal(player, err)) return false;
    if (!player_presents(player) && host->rows_written + ROWS_BELOW <= (size_t)host->rows)
        return player_leave_line(player, err) && player_go_to(player, player->block, err);
    /* The output of the cell stays in sight: the next screen waits. */
    player->stop = STOP_PAGE;
    player->cell = NULL;
    if (player_presents(player)) return true;
    player->screen = player->block;
    return player_note(player, EVENT_AT, player->block, NULL, err) && player_keep(player, err);
}

/* Goes on from where something is asked. What an exercise leaves to the rest of the lesson comes
 * from its solution, run on what the lesson had before the person tried; but not where it was
 * solved in an earlier visit and the answer is still there. */
static bool skip(Player *player, Error *err) {
    bool exercise = player->stop == STOP_EXERCISE || player->stop == STOP_CHOICE;
    bool before = exercise && player_is_done(player, player->cell);
    bool holds = before && exercise_passes(player->session, player->cell, NULL);
    if (exercise && !player->solved && !holds) {
        bool task = player->stop == STOP_EXERCISE;
        const Progress *progress = &player->progress;
        size_t count = progress->event_count; /* of events before what was tried here */
        while (task && count > 0 && progress->events[count - 1].kind == EVENT_LINE) count--;
        bool tried = count < progress->event_count;
        if ((tried && !player_return(player, count, err)) ||
            !player_run_solution(player, player->cell, err) ||
            !player_note(player, EVENT_SOLUTION, player->cell->index, NULL, err) ||
            !player_note_state(player, EXERCISE_SKIPPED, err))
            return false;
        const char *words =
            before  ? "Solved before: %s. A solution holds from here on; yours is not kept."
            : tried ? "Skipped: %s. What you ran here is taken back, and its solution holds from "
                      "here on."
                    : "Skipped: %s. Its solution holds from here on.";
        if (task &&
            !(player_say(player, err, words, player->cell->id) && player_leave_line(player, err)))
            return false;
    }
    return player_go_to(player, player->block, err);
}

static bool is_sure(Player *player, const char *question, const char *what, bool *yes, Error *err) {
    Host *host = player->session->interp.host;
    *yes = true;
    if (!host->ask) return true;
    LocalText text = TEXT_EMPTY;
    text_format(&text, tr_in(player->language, question), what);
    return text_ok(&text, err) && host->ask(host, text.data, yes, err);
}

/* Leaves the lesson, or goes on with the next one, as the person wants it. */
static bool end_lesson(Player *player, Error *err) {
    CatalogEntry next;
    bool goes_on = false, asks = !player_presents(player) && player->session->interp.host->ask &&
                                 catalog_after(player->name, player->language, &next);
    if (asks && !is_sure(player, "Go on with the next lesson?", "", &goes_on, err)) return false;
    player->ended = !goes_on;
    if (!goes_on) return true;
    return mem_replace_string(&player->session->lesson, next.id, err);
}

/* Does what Enter does where the screen has stopped, such as to run the cell. */
static bool go_on(Player *player, Error *err) {
    switch (player->stop) {
    case STOP_PAGE:
        /* Behind a long output the screen is noted already, but not shown. */
        return player->screen == player->block ? player_show_screen(player, player->block, err)
                                               : player_go_to(player, player->block, err);
    case STOP_CELL: return player_pass_cell(player, false, err);
    case STOP_GUESS: return player_take_guess(player, "", 0, err);
    case STOP_OPEN: return player_go_to(player, player->block, err);
    case STOP_EXERCISE:
    case STOP_CHOICE: {
        bool done = player->solved || player_is_done(player, player->cell);
        if (!done && player_presents(player)) return player_present_answer(player, err);
        if (!done && player->stop == STOP_CHOICE) return player_show_stop(player, err);
        if (!done)
            return player_say(
                player, err,
                "Not solved yet: check says what is missing, hint helps, skip goes on.");
        return skip(player, err);
    }
    case STOP_END:
        return player->block < player->block_count ? player_go_to(player, player->block, err)
                                                   : end_lesson(player, err);
    }
    return true;
}

/* Shows the last screen but `screens` again, with the session as it was there; not the cell behind
 * a guess, where the guess could not be made again. */
static bool return_to_screen(Player *player, int screens, Error *err) {
    Progress *progress = &player->progress;
    const Event *events = progress->events;
    size_t i = progress->event_count;
    for (; i > 0; i--) {
        bool guessed = i > 1 && events[i - 2].kind == EVENT_GUESS;
        if (events[i - 1].kind == EVENT_AT && screens-- <= 0 && !guessed) break;
    }
    if (i == 0) return player_say(player, err, "This is the beginning.");
    int block = progress->events[i - 1].number;
    return player_return(player, i - 1, err) &&
           player_say(player, err, "(variables are as they were here)") &&
           player_leave_line(player, err) && player_go_to(player, block, err);
}

static bool back(Player *player, Error *err) { return return_to_screen(player, 1, err); }

/* Goes to an exercise by its name or number, in a show to a page; "here": to the screen that is
 * shown. Forwards what lies between runs; else the lesson runs up to there from its beginning,
 * without what the person did. */
static bool go_to_exercise(Player *player, Error *err) {
    const Document *document = player->document;
    const char *target = player->target;
    const Cell *found = NULL;
    int number = atoi(target);
    for (const Cell *cell = document->cells; !found && cell; cell = cell->next) {
        bool named = strcmp(cell->id, target) == 0 ||
                     (cell_counts(cell) && document_exercise_count(document, cell) == number);
        if (named && *cell->id) found = cell;
        if (player->mode == PLAYER_SHOWS && cell->index + 1 == number) found = cell;
    }
    bool here = !found && strcmp(target, "here") == 0;
    if (!found && !here)
        return player_say(player, err, "There is no exercise %s; where lists them.", target);
    int block = here ? player->screen : 0, from = player->block;
    for (int b = 0; found && b < player->block_count; b++)
        if (player->blocks[b]->cell == found) block = b;
    if (found && player->mode == PLAYER_SHOWS)
        block--; /* to the notes, which stand before a page */
    bool cell_waits = player->cell && player->stop != STOP_GUESS && !player->solved;
    if (cell_waits) from--;
    bool anew = here || block < from || player->cell == found;
    player->guess = NULL;
    return (anew ? player_pass_from_beginning(player, block, err)
                 : player_pass_over(player, from, block, err)) &&
           player_go_to(player, block, err);
}

/* How many blocks that a student sees stand before block `end`. */
static int count_steps(const Player *player, int end) {
    int count = 0;
    for (int b = 0; b < end && b < player->block_count; b++)
        count += document_is_step(player->blocks[b]);
    return count;
}

static bool show_where(Player *player, Error *err) {
    const Document *document = player->document;
    LocalText text = TEXT_EMPTY, heading = TEXT_FOR(&text);
    for (int b = 0; b < player->block && b < player->block_count; b++) {
        if (player->blocks[b]->kind != DOC_HEADING) continue;
        text_clear(&heading);
        prose_plain(&heading, player->blocks[b]);
    }
    player_write_heading(player, &text, "Step %d of %d: %s", count_steps(player, player->block),
                         count_steps(player, player->block_count), heading.data);
    for (const Cell *cell = document->cells; cell; cell = cell->next) {
        if (!cell_is_exercise(cell)) continue;
        static const char *const marks[EXERCISE_STATES] = {"·", "-", "×", "✓"};
        text_format(&text, " %s ", marks[player_state(player, cell)]);
        if (cell->further) text_string(&text, "+");
        else text_format(&text, "%d", document_exercise_count(document, cell));
        text_format(&text, " %s%s\n", cell->id, cell == player->cell ? " ←" : "");
    }
    return host_write_text(player->session->interp.host, &text, err);
}

static bool forget_exercise(Player *player, Error *err) {
    bool yes;
    const char *id = player->cell->id;
    if (!is_sure(player, "Forget what you did in %s?", id, &yes, err)) return false;
    ExerciseRecord *record = yes ? progress_record(&player->progress, id, err) : NULL;
    if (!record) return !yes;
    record->state = EXERCISE_OPEN;
    record->attempts = record->hints = 0;
    mem_replace_string(&record->given, NULL, err);
    player->solved = false;
    /* The variables that solved it go, too, or the next check would find them. */
    return progress_replace(&player->progress, err) && player_say(player, err, "Forgotten.") &&
           player_leave_line(player, err) &&
           player_pass_from_beginning(player, player->screen, err) &&
           player_go_to(player, player->screen, err);
}

static bool forget_lesson(Player *player, Error *err) {
    bool yes;
    if (!is_sure(player, "Forget all progress in this lesson and begin anew?", "", &yes, err))
        return false;
    if (!yes) return true;
    return progress_forget(&player->progress, err) && player_say(player, err, "Forgotten.") &&
           player_begin(player, err);
}

/* ---- what can be asked for ---- */

static bool show_again(Player *player, Error *err) {
    if (player->mode == PLAYER_SHOWS) return return_to_screen(player, 0, err);
    return player_show_screen(player, player->screen, err);
}

/* Runs the checks of the exercise at hand. A choice has none: says how it is answered. */
static bool check_here(Player *player, Error *err) {
    return player->stop == STOP_EXERCISE ? player_check(player, err)
                                         : player_show_stop(player, err);
}

static bool skip_here(Player *player, Error *err) {
    return player->stop == STOP_CELL ? player_pass_cell(player, true, err) : skip(player, err);
}

static bool leave(Player *player, Error *err) {
    (void)err;
    return player->ended = true;
}

/* clang-format off */
const LessonWord lesson_words[] = {
    {.name = "next", .answer = go_on},
    {.name = "check", "check", "says what the exercise still lacks", check_here, .of_exercise = true},
    {.name = "hint", "hint", "the next hint, from gentle to plain", player_show_hint, .of_exercise = true},
    {.name = "solution", "solution", "shows an answer", player_show_solution, .of_exercise = true},
    {.name = "skip", "skip", "goes on with that answer", skip_here, .letter = 0},
    {.name = "back", "back", "one screen back, variables too", back, .letter = 'b'},
    {.name = "again", "again", "shows the screen once more", show_again, .letter = 'r'},
    {.name = "goto", "goto 2", "to exercise 2, or by name; goto here: variables anew", go_to_exercise, .letter = 0},
    {.name = "where", "where", "where you are, and what is solved", show_where, .letter = 'w'},
    {.name = "forget", "forget", "the exercise anew; forget lesson, all of it", forget_exercise, .of_exercise = true},
    {.name = "forget lesson", .answer = forget_lesson},
    {.name = "lessons", "lessons", "all lessons; lesson 2 opens one", .answer = NULL},
    {.name = "quit", "quit", "leaves; what you did is kept", leave, .letter = 'q'},
    {.name = NULL},
};
/* clang-format on */

/* Does what a lesson word asks for. */
static bool run_lesson_word(Player *player, const LessonWord *word, Error *err) {
    bool at_exercise = player->cell && cell_is_exercise(player->cell);
    if (word->of_exercise && !at_exercise)
        return player_say(player, err, "There is no exercise here; goto NUMBER leads to one.");
    return word->answer(player, err);
}

bool player_ask(Player *player, const char *word, const char *where, Error *err) {
    if (player->session->interp.rehearses) return true;
    if (!mem_replace_string(&player->target, where, err)) return false;
    player->asked = lesson_words;
    while (strcmp(player->asked->name, word) != 0) player->asked++;
    return true;
}

/* The word that a letter alone stands for while presenting; NULL if it is a variable. */
static const LessonWord *word_of_letter(const Player *player, char letter) {
    const Symbol *symbol = interp_find(&player->session->interp, (const char[]){letter, '\0'});
    if (symbol && symbol->value.kind != VALUE_UNSET) return NULL;
    for (const LessonWord *word = lesson_words; word->name; word++)
        if (word->letter && word->letter == letter) return word;
    return NULL;
}

/* ---- the person's lines ---- */

bool player_take(Player *player, const char *line, size_t length, bool *taken, Error *err) {
    enum { PAUSE_MOST = 300 };
    while (length && isspace((unsigned char)line[length - 1])) length--;
    while (length && isspace((unsigned char)*line)) line++, length--;
    *taken = true;
    player->session->interp.host->rows_written = 0;
    player->typed_at = player_seconds();
    /* The time since the last line counts: the person read and thought, or was elsewhere if it was
     * long. */
    double now = clock_seconds(), passed = now - player->heard_at;
    player->progress.seconds += passed < PAUSE_MOST ? passed : PAUSE_MOST;
    player->heard_at = now;
    if (length == 0) return go_on(player, err);
    const LessonWord *letter =
        length == 1 && player_presents(player) ? word_of_letter(player, *line) : NULL;
    if (letter) return run_lesson_word(player, letter, err);
    size_t end = 0;
    while (end < length && !isspace((unsigned char)line[end])) end++;
    bool command = command_find(player->session->interp.hooks.commands, line, end) != NULL;
    if (player->stop == STOP_GUESS && typed_is_guess(player->session, line, length))
        return player_take_guess(player, line, length, err);
    if (player->stop == STOP_CHOICE && !player->solved && !command) {
        bool ok = player_take_choice(player, line, length, taken, err);
        if (*taken) return ok;
    }
    if (player->stop == STOP_OPEN && (!command || typed_is_sentence(player->session, line, length)))
        return player_take_answer(player, line, length, err);
    *taken = false;
    text_clear(&player->typed);
    player->session->transcript.lines = &player->typed;
    return true;
}

/* Keeps the entries since the last step of the lesson as what was given for the exercise at which
 * the screen stops, unless it is solved by others. */
static bool note_given(Player *player, Error *err) {
    const Progress *progress = &player->progress;
    const ExerciseRecord *record = progress_find(progress, player->cell->id);
    LocalText given = TEXT_EMPTY;
    size_t first = progress->event_count;
    if (record && record->given && player_is_done(player, player->cell)) return true;
    while (first > 0 && progress->events[first - 1].kind == EVENT_LINE) first--;
    if (first == progress->event_count) return true;
    for (size_t i = first; i < progress->event_count; i++)
        text_format(&given, "%s\n", progress->events[i].text);
    return progress_give(&player->progress, player->cell->id, &given, err);
}

bool player_after(Player *player, bool ran, Error *err) {
    const LessonWord *asked = player->asked;
    player->language = session_language(player->session);
    player->asked = NULL;
    player->session->transcript.lines = NULL;
    if (player->typed.length || player->typed.failed) {
        if (!text_ok(&player->typed, err) ||
            !progress_add(&player->progress, EVENT_LINE, 0, player->typed.data,
                          player->typed.length - 1, err)) /* without its last newline */
            return false;
        player_note_seconds(player, player->typed_at);
        if (player->stop == STOP_EXERCISE && !note_given(player, err)) return false;
        if (!player_keep(player, err)) return false;
    }
    if (asked) return !ran || run_lesson_word(player, asked, err);
    bool checks = player->stop == STOP_EXERCISE && (ran || player->typed.length);
    return !checks || player_check_silently(player, err);
}

void player_write_prompt(const Player *player, Text *out) {
    static const char *const words[] = {
        [STOP_PAGE] = "Enter: on",    [STOP_CELL] = "Enter: run", [STOP_GUESS] = "your guess",
        [STOP_EXERCISE] = NULL,       [STOP_CHOICE] = "which?",   [STOP_OPEN] = "your answer",
        [STOP_END] = "the end, Enter"};
    bool further = player->stop == STOP_END && player->block < player->block_count;
    const char *now = further                       ? "the end, Enter: further"
                      : !player->solved             ? words[player->stop]
                      : player->stop == STOP_CHOICE ? "answered, Enter: on"
                                                    : "solved, Enter: on";
    if (player_presents(player)) {
        bool answers = player->stop == STOP_EXERCISE || player->stop == STOP_CHOICE;
        if (player->solved || player->stop == STOP_GUESS || player->stop == STOP_OPEN)
            now = "Enter: on";
        else if (answers) now = "Enter: answer";
        int seconds = (int)(time(NULL) - player->began);
        text_format(out, "[%d/%d %d:%02d %s] ", count_steps(player, player->block),
                    count_steps(player, player->block_count), seconds / 60, seconds % 60,
                    tr_in(player->language, now));
        return;
    }
    text_format(out, "[%s] ", now ? tr_in(player->language, now) : player->cell->id);
}

bool player_has_ended(const Player *player) { return player->ended; }

const char *player_exercise(const Player *player, int i) {
    for (const Cell *cell = player->document->cells; cell; cell = cell->next)
        if (cell_is_exercise(cell) && *cell->id && i-- == 0) return cell->id;
    return NULL;
}

Player *player_new(Session *session, Document *document, const char *name, const char *folder,
                   PlayerMode mode, ReportError *report, Error *err) {
    Player *player = mem_zeroed(1, sizeof *player, err);
    if (!player) {
        document_free(document);
        return NULL;
    }
    *player = (Player){.session = session,
                       .document = document,
                       .report = report,
                       .mode = mode,
                       .began = time(NULL),
                       .heard_at = clock_seconds(),
                       .stuck = SIZE_MAX,
                       .typed = TEXT_KEPT,
                       .language = session_language(session)};
    session->undo.outside = session->undo.held = session->undo.done;
    for (const DocNode *node = document->root->first; node; node = node->next)
        player->block_count++;
    player->blocks = mem_zeroed((size_t)player->block_count + 1, sizeof *player->blocks, err);
    if (!player->blocks || !mem_replace_string(&player->name, name, err) ||
        !mem_replace_string(&player->folder, folder, err)) {
        player_free(player);
        return NULL;
    }
    int count = 0;
    for (const DocNode *node = document->root->first; node; node = node->next)
        player->blocks[count++] = node;
    if (player_presents(player)) return player;
    Error problem = {.kind = ERR_NONE};
    if (!progress_open(&player->progress, name, mode == PLAYER_KEEPS, &problem)) {
        if (problem.kind == ERR_INTERRUPT) { /* else nothing that is done in it would be kept */
            if (err) *err = problem;
            player_free(player);
            return NULL;
        }
        player->unkept = true;
        player_say_unkept(player, NULL, problem.message);
    } else if (!player->progress.path) {
        player_say_unkept(player, NULL, mode == PLAYER_KEEPS ? "HOME is not set" : "--safe");
    }
    return player;
}

void player_free(Player *player) {
    if (!player) return;
    Session *session = player->session;
    Undo *undo = &session->undo;
    const char *language = session->bench.settings.language; /* however it was chosen */
    undo->held = 0;
    while (undo->done > undo->outside && undo_back(session)) continue;
    undo->outside = 0;
    session->bench.settings.language = language;
    session_apply_settings(session);
    player->session->transcript.lines = NULL;
    text_release(&player->typed);
    progress_release(&player->progress);
    document_free(player->document);
    mem_free((void *)player->blocks);
    mem_free(player->name);
    mem_free(player->folder);
    mem_free(player->guessed);
    mem_free(player->target);
    mem_free(player);
}

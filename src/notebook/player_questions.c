/* The questions of a lesson: predictions, exercises, choices, open questions. */
#include "notebook/player_state.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "notebook/check.h"
#include "notebook/prose.h"
#include "notebook/recorder.h"
#include "notebook/typed.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- predictions ---- */

bool player_reveal(Player *player, Error *err) {
    const Cell *cell = player->guess;
    if (!cell) return true;
    LocalValue truth = value_unseen(player->session, cell->answer);
    LocalText words = TEXT_EMPTY;
    player->guess = NULL;
    if (truth.kind == VALUE_UNSET) return true;
    double wanted = number_of_value(&truth);
    /* A result that should be 0 may be some 1e-16, which is nothing beside the tolerance. */
    if (fabs(wanted) < 1e-6 * cell->within) text_char(&words, '0');
    else value_write(&words, &truth, player->session->interp.digits, false);
    if (!player->guessed || !*player->guessed)
        return player_say(player, err, "It is %s.", words.data);
    LocalValue said = value_unseen(player->session, player->guessed);
    double number = number_of_value(&said);
    if (strcmp(player->guessed, words.data) == 0 ||
        fabs(number - wanted) <= 1e-9 * fmax(1, fabs(wanted)))
        return player_say(player, err, "You said %s, and so it is.", player->guessed);
    bool near = fabs(number - wanted) <= cell->within;
    return player_say(player, err,
                      near ? "You said %s; it is %s. Close enough." : "You said %s; it is %s.",
                      player->guessed, words.data);
}

bool player_take_guess(Player *player, const char *line, size_t length, Error *err) {
    LocalText words = TEXT_EMPTY;
    if (length > 1 && line[length - 1] == '.') length--; /* of the sentence */
    bool number = !length || !isnan(typed_guess(&words, player->session, line, length));
    if (!text_ok(&words, err)) return false;
    if (!number)
        return player_say(
            player, err,
            "A guess is one number here, such as 0.4. Enter alone goes on without one.");
    if (!mem_replace_string(&player->guessed, words.data, err)) return false;
    player->guess = player->cell;
    return player_note(player, EVENT_GUESS, player->cell->index, player->guessed, err) &&
           (length == 0 || (player_say(player, err, "Noted: %s. Now see.", player->guessed) &&
                            player_leave_line(player, err))) &&
           player_go_to(player, player->block, err);
}

/* ---- exercises ---- */

/* Keeps that the exercise is solved, or that the choice was missed, and says so. */
static bool announce(Player *player, ExerciseState state, Error *err) {
    const Cell *cell = player->cell;
    bool solved = state == EXERCISE_SOLVED;
    player->solved = true;
    if (!player_note_state(player, state, err) || !player_keep(player, err)) return false;
    if (cell->further)
        return player_say(player, err,
                          solved ? "Solved: %s. Enter goes on." : "Not solved: %s. Enter goes on.",
                          cell->id);
    return player_say(player, err,
                      solved ? "Solved: %s (%d of %d). Enter goes on."
                             : "Not solved: %s (%d of %d). Enter goes on.",
                      cell->id, player_count_solved(player),
                      document_exercise_count(player->document, NULL));
}

/* Says that the check was stopped: a function that it calls may never end, until Ctrl-C. */
static bool say_stopped(Player *player, Error *err) {
    interrupt_flag = 0;
    player->stuck = player->session->undo.done;
    return player_leave_line(player, err) &&
           player_say(player, err,
                      "The check was stopped. It runs what you have made, and that did not end.");
}

bool player_check(Player *player, Error *err) {
    Error problem = {.kind = ERR_NONE};
    if (exercise_passes(player->session, player->cell, &problem))
        return announce(player, EXERCISE_SOLVED, err);
    if (problem.kind == ERR_INTERRUPT) return say_stopped(player, err);
    ExerciseRecord *record = progress_record(&player->progress, player->cell->id, err);
    if (!record) return false;
    record->attempts++;
    LocalText text = TEXT_EMPTY;
    bool own = strcmp(problem.file, player->document->file) != 0;
    exercise_write_failure(&text, player->session, player->document, &player->progress,
                           player->language, &problem);
    bool ok = player_say(player, err, "Not yet: %s", text.data);
    if (ok && own && problem.line > 0)
        ok = host_print(player->session->interp.host, err, "    %s\n",
                        problem.excerpt + strspn(problem.excerpt, " "));
    return ok && player_keep(player, err);
}

/* player->stuck remembers a check that was stopped by Ctrl-C: it does not run again before an entry
 * has changed something. */
bool player_check_silently(Player *player, Error *err) {
    Error problem = {.kind = ERR_NONE};
    if (player->solved || player->stuck == player->session->undo.done) return true;
    player->stuck = SIZE_MAX;
    if (exercise_passes(player->session, player->cell, &problem))
        return announce(player, EXERCISE_SOLVED, err);
    return problem.kind != ERR_INTERRUPT || say_stopped(player, err);
}

bool player_show_hint(Player *player, Error *err) {
    const Cell *hint = player->cell;
    int total = cell_part_count(hint, CELL_HINT);
    ExerciseRecord *record = progress_record(&player->progress, hint->id, err);
    if (!record) return false;
    if (total == 0) return player_say(player, err, "There is no hint here.");
    if (record->hints >= total)
        return player_say(player, err, "These are all hints; solution shows an answer.");
    for (int i = 0; i <= record->hints; i++) hint = cell_part(hint, CELL_HINT);
    record->hints++;
    Text text = TEXT_EMPTY;
    player_write_heading(player, &text, "Hint %d of %d", record->hints, total);
    player_write_parts(player, &text, hint);
    return host_write_text(player->session->interp.host, &text, err) && player_keep(player, err);
}

bool player_show_solution(Player *player, Error *err) {
    const Cell *solution = cell_part(player->cell, CELL_SOLUTION);
    if (!solution) return player_say(player, err, "There is no solution here.");
    ExerciseRecord *record = progress_record(&player->progress, player->cell->id, err);
    if (!record) return false;
    record->shown |= record->state != EXERCISE_SOLVED;
    if (!player_keep(player, err)) return false;
    LocalText text = TEXT_EMPTY;
    prose_write(&text, player->session->interp.host, solution->node);
    if (player_say(player, err, "One solution (type it, or skip to go on with it):") &&
        player_leave_line(player, err))
        return host_write_text(player->session->interp.host, &text, err);
    return false;
}

/* ---- choices ---- */

enum { OPTIONS_MAX = 26 };

static int count_options(const Cell *cell) {
    int count = 0;
    while (count < OPTIONS_MAX && document_option(cell, count)) count++;
    return count;
}

/* Reads the letters, or numbers, of options: one, or several where several are right, as in "b",
 * "(a), c" and "我选 ｂ，因为…". False: the line holds something else. */
static bool read_choice(const Cell *cell, const char *line, size_t length,
                        bool chosen[OPTIONS_MAX]) {
    static const char before[] = "我选择项答案是应该";
    int count = count_options(cell);
    bool any = false, ended = false;
    memset(chosen, false, OPTIONS_MAX * sizeof *chosen);
    uint32_t code_point;
    for (size_t i = 0, bytes; i < length; i += bytes) {
        bytes = utf8_next(line + i, length - i, &code_point);
        int c = code_point < 0x80 ? (int)code_point : utf8_ascii_twin(code_point);
        if (!c && any && ended) return true;
        if (!c && !any && bytes == 3 &&
            search_bytes(before, sizeof before, 0, line + i, bytes) != NOT_FOUND)
            continue;
        c = tolower(c);
        if (c && strchr(" ,():;.", c)) {
            ended |= any && c != ' ';
            continue;
        }
        int number = c >= 'a' && c <= 'z' ? c - 'a' : c >= '1' && c <= '9' ? c - '1' : count;
        if (number >= count || chosen[number]) return false;
        any = chosen[number] = true;
    }
    return any;
}

/* Says whether an option is right, and why. */
static bool say_reason(Player *player, int number, Error *err) {
    const DocNode *option = document_option(player->cell, number);
    LocalText reason = TEXT_EMPTY;
    text_format(&reason, "%c) ", 'a' + number);
    prose_option(option, NULL, &reason);
    return player_say(player, err, option->task == 'x' ? "Right: %s" : "No: %s", reason.data);
}

/* The first answer counts. The reasons of all options follow it, those of what was chosen first. */
bool player_take_choice(Player *player, const char *line, size_t length, bool *taken, Error *err) {
    const Cell *cell = player->cell;
    int options = count_options(cell);
    bool chosen[OPTIONS_MAX];
    *taken = true;
    if (!read_choice(cell, line, length, chosen)) {
        *taken = typed_is_words(player->session, line, length);
        return !*taken ||
               player_say(player, err, "Type one of the letters a to %c.", 'a' + options - 1);
    }
    bool right = true, ok = true;
    for (int i = 0; i < options; i++)
        right = right && chosen[i] == (document_option(cell, i)->task == 'x');
    for (int rest = 0; rest < 2; rest++)
        for (int i = 0; ok && i < options; i++)
            if (chosen[i] == !rest) ok = say_reason(player, i, err);
    if (!ok) return false;
    if (!player_is_done(player, cell)) {
        LocalText letters = TEXT_EMPTY;
        for (int i = 0; i < options; i++)
            if (chosen[i]) text_char(&letters, (char)('a' + i));
        return progress_give(&player->progress, cell->id, &letters, err) &&
               announce(player, right ? EXERCISE_SOLVED : EXERCISE_MISSED, err);
    }
    player->solved = true;
    return player_show_stop(player, err);
}

bool player_present_answer(Player *player, Error *err) {
    bool ok = true;
    player->solved = true;
    for (int i = 0; ok && document_option(player->cell, i); i++) ok = say_reason(player, i, err);
    if (!ok || player->stop == STOP_CHOICE) return ok;
    const Cell *solution = cell_part(player->cell, CELL_SOLUTION);
    if (!solution || !player_show_solution(player, err)) return !solution;
    Error problem = {.kind = ERR_NONE};
    return player_run_cell(player, solution, &problem, err) &&
           player_note(player, EVENT_SOLUTION, player->cell->index, NULL, err);
}

/* ---- open questions ---- */

bool player_take_answer(Player *player, const char *line, size_t length, Error *err) {
    if (utf8_check(line, length) == length) {
        ExerciseRecord *record = progress_record(&player->progress, player->cell->id, err);
        char *answer = record ? mem_string(line, length, err) : NULL;
        if (!answer) return false;
        mem_free(record->answer);
        record->answer = answer;
        if (!player_say(player, err, "Kept.") || !player_leave_line(player, err)) return false;
    }
    return player_go_to(player, player->block, err);
}

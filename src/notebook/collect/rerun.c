/* Runs a lesson again for a class: its own cells, and at each exercise what students gave. */
#include "base/arena.h"
#include "base/memory.h"
#include "base/translate.h"
#include "lang/token.h"
#include "notebook/check.h"
#include "notebook/collect/collect.h"
#include "notebook/prose.h"
#include "notebook/recorder.h"
#include "notebook/typed.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* LATE_MOST: a student of whose answers in a lesson so many did not end has no more of it run. */
enum { LATE_MOST = 2, GUESS_MOST = 200 };

char *lesson_keep(const CollectedLesson *lesson, const Text *text, Error *err) {
    return text_ok(text, err)
               ? arena_string(&lesson->document->arena, text->data, text->length, err)
               : NULL;
}

/* ---- answers ---- */

bool answer_step(const Answer *answer, size_t *at, const char **message, const char **code) {
    if (*at >= answer->steps_length) return false;
    *message = answer->steps + *at;
    *code = *message + strlen(*message) + 1;
    *at += strlen(*message) + strlen(*code) + 2;
    return true;
}

Answer *work_answer(const Work *work, const Asked *asked) {
    return work->answers[asked - work->lesson->asked];
}

/* Appends the tokens of a text: answers that differ in comments and in the width of blanks alone
 * are one. A text that the scanner refuses stands for itself. */
static void write_tokens(Text *out, const char *code) {
    LocalChunk *chunk = chunk_new("", code, strlen(code), NULL);
    Lexer lexer;
    Token token = {.kind = TOKEN_NEWLINE};
    bool ok = chunk && lexer_init(&lexer, chunk, false, NULL);
    size_t begin = out->length;
    while (ok && token.kind != TOKEN_END) {
        ok = lexer_next(&lexer, &token);
        bool has_text = token.kind > TOKEN_DEDENT;
        text_format(out, "%d%s", (int)token.kind, has_text && token.space_before ? " " : "_");
        if (ok && has_text)
            text_bytes(out, code + token.span.begin, token.span.end - token.span.begin);
    }
    if (!ok) text_cut(out, begin);
    if (!ok) text_string(out, code);
}

/* Notes what a student gave, as an answer of its own where nobody gave it yet. before: entries that
 * are to run before it; "" none. */
static bool add_answer(const Rerun *rerun, Work *work, Asked *asked, char *given,
                       const Text *before, Error *err) {
    LocalText key = TEXT_EMPTY;
    Answer **answer = &work->answers[asked - work->lesson->asked];
    write_tokens(&key, before->data);
    write_tokens(&key, given);
    if (!text_ok(before, err) || !text_ok(&key, err)) return false;
    for (size_t i = 0; i < asked->count; i++) {
        *answer = &asked->answers[i];
        if (strcmp((*answer)->key, key.data) == 0) return true;
    }
    *answer = &asked->answers[asked->count++];
    (*answer)->given = given;
    (*answer)->key = lesson_keep(rerun->lesson, &key, err);
    (*answer)->before = lesson_keep(rerun->lesson, before, err);
    return (*answer)->key && (*answer)->before;
}

/* An answer that the student's program took for right may need what was typed earlier, which runs
 * no more where some of it did not end: the lines in front of its first one if the file still has
 * them, or else the answers to the exercises before. */
static bool add_retry(const Rerun *rerun, Work *work, Asked *asked, Error *err) {
    const Answer *answer = work_answer(work, asked);
    const Progress *progress = &work->from->progress;
    bool claimed = progress_state(progress, asked->cell->id) == EXERCISE_SOLVED;
    LocalText before = TEXT_EMPTY;
    if (!answer || answer->solved || !claimed || work->late) return true;
    size_t first = 0;
    for (; first < progress->event_count; first++) {
        const Event *event = &progress->events[first];
        if (event->kind == EVENT_LINE &&
            strncmp(answer->given, event->text, strlen(event->text)) == 0)
            break;
    }
    for (size_t i = 0; i < first && first < progress->event_count; i++)
        if (progress->events[i].kind == EVENT_LINE)
            text_format(&before, "%s\n", progress->events[i].text);
    for (const Asked *other = work->lesson->asked; !before.length && other < asked; other++) {
        const Answer *earlier = work_answer(work, other);
        if (earlier && other->cell->kind == CELL_EXERCISE) text_string(&before, earlier->given);
    }
    return !before.length || add_answer(rerun, work, asked, answer->given, &before, err);
}

/* A choice is right where the right options are chosen and no other; the steps get the words of the
 * option that was chosen. */
static bool mark_choice(const Rerun *rerun, const Asked *asked, Answer *answer, Error *err) {
    answer->ran = answer->solved = true;
    LocalText words = TEXT_EMPTY;
    const DocNode *option;
    for (int i = 0; (option = document_option(asked->cell, i)); i++) {
        bool chosen = strchr(answer->given, 'a' + i) != NULL;
        if (chosen && words.length) text_string(&words, " + ");
        if (chosen) prose_option(option, &words, NULL);
        if (chosen != (option->task == 'x')) answer->solved = false;
    }
    text_bytes(&words, "\0", 2); /* its message ends; there is no code */
    if (!answer->solved) answer->steps_length = words.length;
    answer->steps = lesson_keep(rerun->lesson, &words, err);
    return answer->steps != NULL;
}

/* Collects what students gave for an exercise or choice, finds out which of it is right, and counts
 * that for each student. */
static bool mark_exercise(const Rerun *rerun, const Class *class, Asked *asked, Error *err) {
    const CollectedLesson *lesson = rerun->lesson;
    const Student *begin = class->students, *end = begin + class->count;
    const Text none = TEXT_EMPTY;
    /* Each student has one answer, or two by add_retry. */
    asked->answers =
        arena_alloc(&lesson->document->arena, 2 * class->count * sizeof *asked->answers, err);
    bool ok = asked->answers != NULL;
    for (const Student *student = begin; ok && student < end; student++) {
        Work *work = lesson_work(student, lesson);
        const ExerciseRecord *record = work ? work_record(work, asked) : NULL;
        if (record && record->given && work->late < LATE_MOST)
            ok = add_answer(rerun, work, asked, record->given, &none, err);
    }
    if (ok && asked->cell->kind == CELL_CHOICE) {
        for (size_t i = 0; ok && i < asked->count; i++)
            ok = mark_choice(rerun, asked, &asked->answers[i], err);
    } else if (ok) {
        ok = answers_run(rerun, asked, err);
        for (const Student *student = begin; ok && student < end; student++) {
            Work *work = lesson_work(student, lesson);
            if (work) ok = add_retry(rerun, work, asked, err);
        }
        ok = ok && answers_run(rerun, asked, err);
    }
    for (const Student *student = begin; student < end; student++) {
        Work *work = lesson_work(student, lesson);
        Answer *answer = work ? work_answer(work, asked) : NULL;
        if (!answer) continue;
        answer->students++;
        work->late += answer->late;
        work->solved += answer->solved && !asked->cell->further;
    }
    return ok;
}

/* ---- the lesson ---- */

/* Runs a cell of the lesson's own, which cannot go wrong but where it is to show an error. */
static bool run_cell(const Rerun *rerun, const Cell *cell, Error *err) {
    Session *session = rerun->session;
    Error problem = {.kind = ERR_NONE};
    Recorder unseen;
    recorder_begin_unseen(&unseen, session, true);
    bool ok = notebook_run_cell(session, cell, &problem);
    recorder_end_unseen(&unseen, session);
    if (!ok && cell->kind == CELL_ERROR && problem.kind == cell->expected) return true;
    if (!ok && err) *err = problem;
    return ok;
}

/* Measures the solution and the checks on a copy of the session: answers get a multiple of it. */
static bool measure(const Rerun *rerun, Asked *asked, Error *err) {
    const Cell *solution = cell_part(asked->cell, CELL_SOLUTION);
    Error refused = {.kind = ERR_NONE};
    const clock_t began = clock();
    session_begin_trial(rerun->session);
    bool ok = !solution || run_cell(rerun, solution, err);
    if (ok) exercise_run_checks(rerun->session, asked->cell, &refused);
    session_end_trial(rerun->session);
    asked->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    return ok;
}

/* Notes the answer to a prediction, which is known once the cell behind it has run, and what
 * students guessed. */
static bool note_truth(const Rerun *rerun, const Class *class, Asked *asked, Error *err) {
    LocalValue value = value_unseen(rerun->session, asked->cell->answer);
    LocalText words = TEXT_EMPTY;
    if (value.kind == VALUE_UNSET) return true;
    value_write(&words, &value, rerun->session->interp.digits, false);
    asked->number = number_of_value(&value);
    asked->truth = lesson_keep(rerun->lesson, &words, err);
    asked->guesses =
        arena_alloc(&rerun->lesson->document->arena, class->count * sizeof *asked->guesses, err);
    if (!asked->truth || !asked->guesses) return false;
    for (size_t i = 0; i < class->count; i++) {
        const Work *work = lesson_work(&class->students[i], rerun->lesson);
        if (!work || work->other_version) continue;
        const Progress *progress = &work->from->progress;
        const char *guess = NULL; /* the last one */
        for (size_t k = 0; k < progress->event_count; k++) {
            const Event *event = &progress->events[k];
            if (event->kind == EVENT_GUESS && event->number == asked->cell->index && *event->text)
                guess = event->text;
        }
        if (!guess || strlen(guess) > GUESS_MOST) continue;
        LocalText said = TEXT_EMPTY;
        double number = typed_guess(&said, rerun->session, guess, strlen(guess));
        if (isfinite(number)) asked->guesses[asked->guess_count++] = number;
    }
    return true;
}

static bool run_cells(Rerun *rerun, const Class *class, Error *err) {
    Asked *asked = rerun->lesson->asked, *end = asked + rerun->lesson->count, *guess = NULL;
    for (const Cell *cell = rerun->lesson->document->cells; cell; cell = cell->next) {
        bool runs = cell_runs(cell), solves = cell->kind == CELL_SOLUTION;
        if (asked < end && asked->cell == cell) {
            bool task = cell->kind == CELL_EXERCISE;
            if (task && !measure(rerun, asked, err)) return false;
            if (cell_is_exercise(cell) && !mark_exercise(rerun, class, asked, err)) return false;
            if (cell->kind == CELL_PREDICT) guess = asked;
            rerun->done += rerun->part;
            asked++;
        }
        if ((runs || solves) && !run_cell(rerun, cell, err)) return false;
        if (runs && guess && !note_truth(rerun, class, guess, err)) return false;
        if (runs) guess = NULL;
    }
    return true;
}

bool lesson_rerun(Rerun *rerun, const Class *class, Error *err) {
    const CollectRequest *request = rerun->request;
    const CollectedLesson *lesson = rerun->lesson;
    size_t memory = mem_limit();
    Recorder recorder;
    LocalText set = TEXT_EMPTY;
    recorder_init(&recorder);
    recorder.host.interactive = true;
    Session *session = rerun->session = request->open(request->context, &recorder.host, err);
    mem_set_limit(memory);
    text_format(&set, "set language %s;", language_codes[lesson->language]);
    bool ok = session && session_run_text(session, "", set.data, set.length, err);
    if (ok) {
        session->interp.root = lesson->folder ? lesson->folder : "/dev/null";
        session->interp.directory = lesson->folder;
        ok = run_cells(rerun, class, err);
    }
    session_free(session);
    recorder_release(&recorder);
    translate_to(rerun->teacher);
    return ok;
}

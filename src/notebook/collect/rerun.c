/* Runs again what students gave for exercises.
 *
 * At each exercise the process is forked, once for each core: a fork has all that the lesson has
 * made so far, and runs its share of the answers one after another. Undo takes each of them back. A
 * fork in which an answer was stopped, or left a variable other than it was, ends there, and a new
 * one runs the rest: so no answer finds anything of another. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/translate.h"
#include "engine/tensor/threads.h"
#include "lang/parser.h"
#include "lang/token.h"
#include "notebook/check.h"
#include "notebook/collect/class.h"
#include "notebook/prose.h"
#include "notebook/recorder.h"
#include "notebook/typed.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Limits of one answer: of memory beside what the lesson holds; of processor time, SECONDS and
 * SLOWER times what the solution takes; of time on the clock, WAITED times as much. LATE_MOST: a
 * student of whose answers in a lesson so many did not end has no more of it run. */
enum {
    MEMORY = 512 << 20,
    SECONDS = 5,
    SLOWER = 10,
    WAITED = 12,
    LATE_MOST = 2,
    CODE_SHOWN = 400,
    STEPS_MOST = 1 << 14,
    GUESS_MOST = 200
};
/* Where the solution takes more seconds than this, only the last entry of an answer is checked. */
static const double STEPS_SLOW = 0.05;

typedef struct Rerun {
    const CollectRequest *request;
    CollectedLesson *lesson;
    Session *session;
    Language teacher;
} Rerun;

/* A copy that lasts as long as the lesson; NULL and ERR_LIMIT. */
static char *keep(const Rerun *rerun, const char *bytes, size_t length, Error *err) {
    return arena_string(&rerun->lesson->document->arena, bytes, length, err);
}

/* ---- in a fork: an answer ---- */

static bool run_entry(Session *session, Chunk *chunk, int index, Error *err) {
    Recorder unseen;
    recorder_begin_unseen(&unseen, session, true);
    bool ok = session_run_entry(session, chunk, index, err);
    recorder_end_unseen(&unseen, session);
    return ok;
}

/* Appends the message that an entry got, and the entry with those before it that are no step. */
static void write_step(const Rerun *rerun, Text *out, const Error *problem, const char *code,
                       size_t length) {
    translate_to(rerun->teacher);
    bool in_check = strcmp(problem->file, rerun->lesson->document->file) == 0;
    if (problem->kind == ERR_EXIT) text_string(out, tr("it leaves attn"));
    else if (problem->kind == ERR_CHECK) text_string(out, problem->message);
    else if (!in_check || !exercise_write_missing(out, problem)) text_say_error(out, problem);
    text_char(out, '\0');
    text_bytes(out, code, length < CODE_SHOWN ? length : CODE_SHOWN);
    text_char(out, '\0');
    translate_to(rerun->lesson->language);
}

/* True for the last entry, and for one that a later entry makes anew, as `s = ...` twice. Others
 * are on the way to an answer, and no answer yet. */
static bool is_attempt(const Chunk *chunk, int index) {
    const char *code = chunk->text + chunk->entries[index].span.begin;
    size_t word = leading_word(code);
    bool again = index + 1 == chunk->entry_count;
    for (int i = index + 1; i < chunk->entry_count && word; i++) {
        const char *later = chunk->text + chunk->entries[i].span.begin;
        if (leading_word(later) == word && memcmp(later, code, word) == 0) again = true;
    }
    return again;
}

/* How an answer did, in memory that all forks share with the process around them. */
typedef struct Outcome {
    bool ran;             /* the rest is known */
    bool solved, stopped; /* as in Answer */
    bool late, last;      /* it did not end; its fork ended with it */
    size_t length;        /* of the steps, as in Answer; 0 if they are longer than that */
    char steps[STEPS_MOST];
} Outcome;

static void take_steps(Outcome *outcome, const Text *steps) {
    if (steps->failed || steps->length > STEPS_MOST) return;
    outcome->length = steps->length;
    memcpy(outcome->steps, steps->data, steps->length);
}

/* Runs the entries of a text; each that solves nothing becomes a step. out NULL: they only run. */
static void run_entries(const Rerun *rerun, const Asked *asked, const char *text, Text *out,
                        Outcome *outcome) {
    Session *session = rerun->session;
    const Document *document = rerun->lesson->document;
    Error problem = {.kind = ERR_NONE};
    Chunk *chunk = NULL;
    int begun = 0; /* the first entry behind the last step */
    if (parse(&session->interp, "", text, strlen(text), false, &chunk, &problem) != PARSE_OK) {
        if (out) write_step(rerun, out, &problem, text, strlen(text));
        return;
    }
    for (int i = 0; i < chunk->entry_count && !outcome->solved && problem.kind != ERR_EXIT; i++) {
        Span span = chunk->entries[i].span;
        bool last = i + 1 == chunk->entry_count, slow = asked->seconds > STEPS_SLOW;
        problem = (Error){.kind = ERR_NONE};
        bool ok = run_entry(session, chunk, i, &problem);
        last |= problem.kind == ERR_EXIT;
        if (!out || (!last && (slow || !is_attempt(chunk, i)))) continue;
        if (ok) ok = outcome->solved = exercise_passes(session, document, asked->cell, &problem);
        if (ok) continue;
        size_t begin = chunk->entries[begun].span.begin;
        write_step(rerun, out, &problem, chunk->text + begin, span.end - begin);
        begun = i + 1;
    }
    chunk_unref(chunk);
    outcome->stopped |= !outcome->solved && (problem.kind == ERR_EXIT || problem.kind == ERR_FILE ||
                                             problem.kind == ERR_LIMIT);
    outcome->last |= problem.kind == ERR_INTERRUPT;
}

static void add_variable(void *context, const Symbol *symbol) {
    uint64_t *sum = context, seed = (uint64_t)symbol->value.kind;
    seed = random_hash((const char *)&symbol, sizeof symbol, seed);
    *sum += random_hash((const char *)&symbol->value.number, sizeof symbol->value.number, seed);
}

/* A number for which values the variables have, and how the generator and the names of results go
 * on. What lists and the like hold is not looked at: undo brings it back (lang/value.h). */
static uint64_t fingerprint(const Session *session) {
    uint64_t sum = session->shown;
    interp_each(&session->interp, add_variable, &sum);
    return random_hash((const char *)&session->interp.random, sizeof(Random), sum);
}

/* ---- in a fork: its share of the answers ---- */

static double seconds_allowed(const Asked *asked) { return SECONDS + SLOWER * asked->seconds; }

static double seconds_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void limit(int what, rlim_t most) {
    struct rlimit limits;
    if (getrlimit(what, &limits) != 0) return;
    limits.rlim_cur = most < limits.rlim_max ? most : limits.rlim_max;
    setrlimit(what, &limits);
}

/* Runs one answer, and takes back what it did. outcome->last: that could not be. */
static void run_answer(const Rerun *rerun, const Asked *asked, const Answer *answer,
                       Outcome *outcome) {
    Session *session = rerun->session;
    const size_t mark = undo_last(&session->undo);
    const uint64_t before = fingerprint(session);
    LocalText steps = TEXT_EMPTY;
    limit(RLIMIT_CPU, (rlim_t)(seconds_now() + seconds_allowed(asked) + 1));
    mem_set_limit(mem_used() + MEMORY);
    if (*answer->before) run_entries(rerun, asked, answer->before, NULL, outcome);
    outcome->stopped = false;
    run_entries(rerun, asked, answer->given, &steps, outcome);
    take_steps(outcome, &steps);
    bool back = mark ? undo_back_to(session, mark) : session->undo.count == 0;
    outcome->last |= outcome->stopped || !back || fingerprint(session) != before;
}

/* The answers to an exercise, in shares: 0, shares, 2 shares ... are one, for a fork to run. */
typedef struct Batch {
    const Asked *asked;
    Outcome *outcomes; /* of each answer */
    size_t shares;
} Batch;

/* The first answer of a share that has not run; NOT_FOUND where all have. */
static size_t next_answer(const Batch *batch, size_t share) {
    for (size_t at = share; at < batch->asked->count; at += batch->shares)
        if (!batch->outcomes[at].ran) return at;
    return NOT_FOUND;
}

/* The life of a fork: it runs the answers of its share that have not run, says so for each by a
 * byte into the pipe, and ends. */
static void run_share(const Rerun *rerun, const Batch *batch, size_t share, int pipe) {
    Session *session = rerun->session;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    session->bench.settings.threads = 1;
    session_apply_settings(session);
    rerun->request->confine(rerun->lesson->folder);
    bool last = false;
    for (size_t at; !last && (at = next_answer(batch, share)) != NOT_FOUND;) {
        Outcome *outcome = &batch->outcomes[at];
        run_answer(rerun, batch->asked, &batch->asked->answers[at], outcome);
        outcome->ran = true;
        last = write(pipe, "", 1) != 1 || outcome->last;
    }
    rerun->request->leave();
}

/* ---- around it ---- */

/* The fork that runs a share. */
typedef struct Runner {
    pid_t pid; /* 0: none */
    int pipe;
    bool heard;   /* an answer has run in it */
    double since; /* when the one that it runs began, on the clock */
} Runner;

static bool runner_start(const Rerun *rerun, const Batch *batch, size_t share, Runner *runner,
                         Error *err) {
    int ends[2];
    pid_t pid = pipe(ends) == 0 ? fork() : -1;
    if (pid < 0) return error_set(err, ERR_LIMIT, "the system starts no further process");
    if (pid == 0) run_share(rerun, batch, share, ends[1]);
    close(ends[1]);
    *runner = (Runner){pid, ends[0], false, clock_seconds()};
    return true;
}

/* Reaps a fork that has ended. If it did not end by itself, its current answer ended it, and is
 * recorded as stopped. */
static void runner_finish(const Batch *batch, size_t share, Runner *runner) {
    int status = 0;
    close(runner->pipe);
    while (waitpid(runner->pid, &status, 0) < 0 && errno == EINTR) continue;
    runner->pid = 0;
    size_t at = next_answer(batch, share);
    if (at == NOT_FOUND || (status == 0 && runner->heard)) return;
    const char *given = batch->asked->answers[at].given;
    Outcome *outcome = &batch->outcomes[at];
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome->ran = outcome->stopped = true;
    outcome->solved = false;
    outcome->late = signal == SIGXCPU || signal == SIGKILL;
    LocalText steps = TEXT_EMPTY;
    text_string(&steps, tr(outcome->late ? "it did not end" : "it ended attn"));
    text_char(&steps, '\0');
    text_bytes(&steps, given, strnlen(given, CODE_SHOWN));
    text_char(&steps, '\0');
    take_steps(outcome, &steps);
}

/* Waits until a fork says something or ends. One whose answer takes too long is killed. */
static bool runners_listen(const Batch *batch, Runner *runners, Error *err) {
    struct pollfd ends[THREADS_LIMIT];
    char bytes[256];
    for (size_t i = 0; i < batch->shares; i++)
        ends[i] = (struct pollfd){runners[i].pid ? runners[i].pipe : -1, POLLIN, 0};
    if (poll(ends, (nfds_t)batch->shares, 1000) < 0) return !interrupted(err);
    for (size_t i = 0; i < batch->shares; i++) {
        Runner *runner = &runners[i];
        bool late = clock_seconds() - runner->since > WAITED * seconds_allowed(batch->asked);
        if (!runner->pid) continue;
        if (!ends[i].revents && late) kill(runner->pid, SIGKILL);
        if (!ends[i].revents) continue;
        ssize_t got = read(runner->pipe, bytes, sizeof bytes);
        if (got == 0) runner_finish(batch, i, runner);
        runner->heard |= got > 0;
        runner->since = clock_seconds();
    }
    return !interrupted(err);
}

/* Notes the outcomes of answers that have run now. */
static bool take_outcomes(const Rerun *rerun, Asked *asked, const Outcome *outcomes, Error *err) {
    for (size_t i = 0; i < asked->count; i++) {
        Answer *answer = &asked->answers[i];
        const Outcome *outcome = &outcomes[i];
        if (answer->ran) continue;
        answer->ran = true;
        answer->solved = outcome->solved;
        answer->stopped = outcome->stopped;
        answer->late = outcome->late;
        answer->steps_length = outcome->length;
        answer->steps = keep(rerun, outcome->steps, outcome->length, err);
        if (!answer->steps) return false;
    }
    return true;
}

/* Runs all answers to an exercise that have not run yet, on as many cores as there are. */
static bool run_answers(const Rerun *rerun, Asked *asked, Error *err) {
    Runner runners[THREADS_LIMIT] = {{0}};
    size_t bytes = (asked->count + 1) * sizeof(Outcome);
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return mem_error(err, bytes);
    const Batch batch = {asked, shared, (size_t)threads_most()};
    for (size_t i = 0; i < asked->count; i++) batch.outcomes[i].ran = asked->answers[i].ran;
    bool ok = true, active = true;
    while (ok && active) {
        active = false;
        for (size_t i = 0; ok && i < batch.shares; i++) {
            if (!runners[i].pid && next_answer(&batch, i) != NOT_FOUND)
                ok = runner_start(rerun, &batch, i, &runners[i], err);
            active |= runners[i].pid != 0;
        }
        if (ok && active) ok = runners_listen(&batch, runners, err);
    }
    for (size_t i = 0; i < batch.shares; i++) {
        if (!runners[i].pid) continue;
        kill(runners[i].pid, SIGKILL);
        runner_finish(&batch, i, &runners[i]);
    }
    ok = ok && take_outcomes(rerun, asked, batch.outcomes, err);
    munmap(shared, bytes);
    return ok;
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
    Chunk *chunk = chunk_new("", code, strlen(code), NULL);
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
    chunk_unref(chunk);
}

/* Notes what a student gave, as an answer of its own where nobody gave it yet. before: entries that
 * are to run before it; "" none. */
static bool add_answer(const Rerun *rerun, Work *work, Asked *asked, const char *given,
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
    (*answer)->key = keep(rerun, key.data, key.length, err);
    (*answer)->before = keep(rerun, before->data, before->length, err);
    return (*answer)->key && (*answer)->before;
}

/* Appends the lines that the student typed before the exercise: those in front of its first line if
 * the file still has them, or else the answers to the exercises before. */
static void write_before(Text *out, const Work *work, const Asked *asked, const char *given) {
    const Progress *progress = &work->from->progress;
    size_t first = 0;
    for (; first < progress->event_count; first++) {
        const Event *event = &progress->events[first];
        if (event->kind == EVENT_LINE && strncmp(given, event->text, strlen(event->text)) == 0)
            break;
    }
    for (size_t i = 0; i < first && first < progress->event_count; i++)
        if (progress->events[i].kind == EVENT_LINE)
            text_format(out, "%s\n", progress->events[i].text);
    for (const Asked *other = work->lesson->asked; !out->length && other < asked; other++) {
        const Answer *answer = work_answer(work, other);
        if (answer && other->cell->kind == CELL_EXERCISE) text_string(out, answer->given);
    }
}

static bool add_given(const Rerun *rerun, Work *work, Asked *asked, Error *err) {
    const ExerciseRecord *record = work_record(work, asked);
    const Text none = TEXT_EMPTY;
    if (!record || !record->given || work->late >= LATE_MOST) return true;
    return add_answer(rerun, work, asked, record->given, &none, err);
}

/* An answer that the student's program took for right may need what was typed earlier, which runs
 * no more where some of it did not end. */
static bool add_retry(const Rerun *rerun, Work *work, Asked *asked, Error *err) {
    const Answer *answer = work_answer(work, asked);
    bool claimed = progress_state(&work->from->progress, asked->cell->id) == EXERCISE_SOLVED;
    LocalText before = TEXT_EMPTY;
    if (!answer || answer->solved || !claimed || work->late) return true;
    write_before(&before, work, asked, answer->given);
    return !before.length || add_answer(rerun, work, asked, answer->given, &before, err);
}

static void count_solved(Work *work, Asked *asked) {
    Answer *answer = work_answer(work, asked);
    if (!answer) return;
    answer->students++;
    work->late += answer->late;
    if (answer->solved && !asked->cell->further) work->solved++;
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
    if (!text_ok(&words, err)) return false;
    if (!answer->solved) answer->steps_length = words.length;
    answer->steps = keep(rerun, words.data, words.length, err);
    return answer->steps != NULL;
}

static bool mark_exercise(const Rerun *rerun, const Class *class, Asked *asked, Error *err) {
    const CollectedLesson *lesson = rerun->lesson;
    const Student *begin = class->students, *end = begin + class->count;
    Work *work;
    /* Each student has one answer, or two by add_retry. */
    asked->answers =
        arena_alloc(&lesson->document->arena, 2 * class->count * sizeof *asked->answers, err);
    bool ok = asked->answers != NULL;
    for (const Student *student = begin; ok && student < end; student++)
        if ((work = lesson_work(student, lesson))) ok = add_given(rerun, work, asked, err);
    if (ok && asked->cell->kind == CELL_CHOICE) {
        for (size_t i = 0; ok && i < asked->count; i++)
            ok = mark_choice(rerun, asked, &asked->answers[i], err);
    } else if (ok) {
        ok = run_answers(rerun, asked, err);
        for (const Student *student = begin; ok && student < end; student++)
            if ((work = lesson_work(student, lesson))) ok = add_retry(rerun, work, asked, err);
        ok = ok && run_answers(rerun, asked, err);
    }
    for (const Student *student = begin; student < end; student++)
        if ((work = lesson_work(student, lesson))) count_solved(work, asked);
    return ok;
}

/* ---- the lesson ---- */

/* Runs a cell of the lesson's own, which cannot go wrong but where it is to show an error. */
static bool run_cell(const Rerun *rerun, const Cell *cell, Error *err) {
    Session *session = rerun->session;
    Error problem = {.kind = ERR_NONE};
    Recorder unseen;
    recorder_begin_unseen(&unseen, session, true);
    bool ok = notebook_run_text(session, rerun->lesson->document->file, cell->script,
                                cell->script_length, &problem);
    recorder_end_unseen(&unseen, session);
    if (!ok && cell->kind == CELL_ERROR && problem.kind == cell->expected) return true;
    if (!ok && err) *err = problem;
    return ok;
}

/* Measures the solution and the checks on a copy of the session: answers get a multiple of it. */
static bool measure(const Rerun *rerun, Asked *asked, Error *err) {
    const Document *document = rerun->lesson->document;
    const Cell *solution = document_part(document, asked->cell, CELL_SOLUTION, asked->cell);
    Error refused = {.kind = ERR_NONE};
    double began = seconds_now();
    session_begin_trial(rerun->session);
    bool ok = !solution || run_cell(rerun, solution, err);
    if (ok) exercise_run_checks(rerun->session, document, asked->cell, &refused);
    session_end_trial(rerun->session);
    asked->seconds = seconds_now() - began;
    return ok;
}

/* The last guess of a student at a prediction, as a number; nan: there is none. */
static double guess_of(const Rerun *rerun, const Work *work, const Asked *asked) {
    const Progress *progress = &work->from->progress;
    const char *guess = NULL;
    for (size_t i = 0; i < progress->event_count && !work->other_version; i++) {
        const Event *event = &progress->events[i];
        if (event->kind == EVENT_GUESS && event->number == asked->cell->index && *event->text)
            guess = event->text;
    }
    LocalText words = TEXT_EMPTY;
    if (!guess || strlen(guess) > GUESS_MOST) return NAN;
    return typed_guess(&words, rerun->session, guess, strlen(guess));
}

/* Notes the answer to a prediction, which is known once the cell behind it has run, and what
 * students guessed. */
static bool note_truth(const Rerun *rerun, const Class *class, Asked *asked, Error *err) {
    LocalValue value = value_unseen(rerun->session, asked->cell->answer);
    LocalText words = TEXT_EMPTY;
    if (value.kind == VALUE_UNSET) return true;
    value_write(&words, &value, rerun->session->interp.digits, false);
    asked->number = number_of_value(&value);
    asked->truth = text_ok(&words, err) ? keep(rerun, words.data, words.length, err) : NULL;
    asked->guesses =
        arena_alloc(&rerun->lesson->document->arena, class->count * sizeof *asked->guesses, err);
    if (!asked->truth || !asked->guesses) return false;
    for (size_t i = 0; i < class->count; i++) {
        const Work *work = lesson_work(&class->students[i], rerun->lesson);
        double number = work ? guess_of(rerun, work, asked) : NAN;
        if (isfinite(number)) asked->guesses[asked->guess_count++] = number;
    }
    return true;
}

static bool run_cells(const Rerun *rerun, const Class *class, Error *err) {
    const Document *document = rerun->lesson->document;
    Asked *asked = rerun->lesson->asked, *end = asked + rerun->lesson->count, *guess = NULL;
    for (int i = 0; i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        bool runs = cell->kind == CELL_RUN || cell->kind == CELL_ERROR,
             solves = cell->kind == CELL_SOLUTION;
        if (asked < end && asked->cell == cell) {
            bool task = cell->kind == CELL_EXERCISE;
            if (task && !measure(rerun, asked, err)) return false;
            if (cell_is_exercise(cell) && !mark_exercise(rerun, class, asked, err)) return false;
            if (cell->kind == CELL_PREDICT) guess = asked;
            asked++;
        }
        if ((runs || solves) && !run_cell(rerun, cell, err)) return false;
        if (runs && guess && !note_truth(rerun, class, guess, err)) return false;
        if (runs) guess = NULL;
    }
    return true;
}

bool lesson_rerun(const CollectRequest *request, const Class *class, CollectedLesson *lesson,
                  Error *err) {
    Language teacher = translate_language();
    size_t memory = mem_limit();
    Recorder recorder;
    LocalText set = TEXT_EMPTY;
    recorder_init(&recorder);
    recorder.host.interactive = true;
    Session *session = request->open(request->context, &recorder.host, err);
    Rerun rerun = {request, lesson, session, teacher};
    mem_set_limit(memory);
    text_format(&set, "set language %s;", language_codes[lesson->language]);
    bool ok = session && session_run_text(session, "", set.data, set.length, err);
    if (ok) {
        session->interp.root = lesson->folder ? lesson->folder : "/dev/null";
        session->interp.directory = lesson->folder;
        ok = run_cells(&rerun, class, err);
    }
    session_free(session);
    recorder_release(&recorder);
    translate_to(teacher);
    return ok;
}

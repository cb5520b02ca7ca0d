/* Runs again what students gave for exercises. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/translate.h"
#include "engine/tensor/threads.h"
#include "lang/parser.h"
#include "notebook/check.h"
#include "notebook/collect/class.h"
#include "notebook/prose.h"
#include "notebook/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Limits of one answer: of memory beside what the lesson holds, and of processor time beside
 * SLOWER times what the solution takes; of whose answers LATE_MOST did not end in a lesson, no more
 * of it runs. STEPS_SLOW: above it only the last entry is checked. */
enum {
    MEMORY = 512 << 20,
    SECONDS = 5,
    SLOWER = 10,
    LATE_MOST = 2,
    CODE_SHOWN = 400,
    SAID_MOST = 1 << 16
};
static const double STEPS_SLOW = 0.05;

typedef struct Rerun {
    const CollectRequest *request;
    CollectedLesson *lesson;
    Session *session;
    Language teacher;
} Rerun;

/* ---- in the process of an answer ---- */

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
    if (problem->kind == ERR_EXIT) text_string(out, tr("it leaves attn"));
    else if (problem->kind == ERR_CHECK) text_string(out, problem->message);
    else text_say_error(out, problem);
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

/* The byte that ends what a process says: how its answer did. */
enum { SAYS_SOLVED = '+', SAYS_NOT = '-', SAYS_REFUSED = '!' };

/* Runs the entries of a text; each that solves nothing becomes a step. out NULL: they only run. */
static char run_entries(const Rerun *rerun, const Asked *asked, const char *text, Text *out) {
    Session *session = rerun->session;
    const Document *document = rerun->lesson->document;
    Error problem = {.kind = ERR_NONE};
    Chunk *chunk = NULL;
    bool solved = false;
    int begun = 0; /* the first entry behind the last step */
    if (parse(&session->interp, "", text, strlen(text), false, &chunk, &problem) != PARSE_OK) {
        if (out) write_step(rerun, out, &problem, text, strlen(text));
        return SAYS_NOT;
    }
    for (int i = 0; i < chunk->entry_count && !solved && problem.kind != ERR_EXIT; i++) {
        Span span = chunk->entries[i].span;
        bool last = i + 1 == chunk->entry_count, slow = asked->seconds > STEPS_SLOW;
        problem = (Error){.kind = ERR_NONE};
        bool ok = run_entry(session, chunk, i, &problem);
        last |= problem.kind == ERR_EXIT;
        if (!out || (!last && (slow || !is_attempt(chunk, i)))) continue;
        if (ok) ok = solved = exercise_passes(session, document, asked->cell, &problem);
        if (ok) continue;
        size_t begin = chunk->entries[begun].span.begin;
        write_step(rerun, out, &problem, chunk->text + begin, span.end - begin);
        begun = i + 1;
    }
    chunk_unref(chunk);
    bool refused =
        problem.kind == ERR_EXIT || problem.kind == ERR_LIMIT || problem.kind == ERR_FILE;
    return solved ? SAYS_SOLVED : refused ? SAYS_REFUSED : SAYS_NOT;
}

static void limit(int what, rlim_t most) {
    const struct rlimit limits = {most, most};
    setrlimit(what, &limits);
}

/* The life of the process: it writes the steps and how they did into the pipe, at once, and ends.
 */
static void run_answer(const Rerun *rerun, const Asked *asked, const Answer *answer, int pipe) {
    Text out = TEXT_EMPTY;
    rlim_t seconds = (rlim_t)(SECONDS + SLOWER * asked->seconds);
    signal(SIGALRM, SIG_DFL);
    alarm((unsigned)(12 * seconds));
    limit(RLIMIT_CPU, seconds);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    threads_set(1);
    mem_set_limit(mem_used() + MEMORY);
    rerun->request->confine(rerun->lesson->folder);
    if (answer->before) run_entries(rerun, asked, answer->before, NULL);
    char end = run_entries(rerun, asked, answer->given, &out);
    if (out.length > SAID_MOST) text_cut(&out, 0);
    text_char(&out, end);
    for (size_t sent = 0; sent < out.length;) {
        ssize_t count = write(pipe, out.data + sent, out.length - sent);
        if (count < 0 && errno != EINTR) break;
        if (count > 0) sent += (size_t)count;
    }
    rerun->request->leave();
}

/* ---- around it ---- */

typedef struct Runner {
    pid_t pid; /* 0: free */
    int pipe;
    Answer *answer;
} Runner;

static bool refuse_process(Error *err) {
    return error_set(err, ERR_LIMIT, "the system starts no further process");
}

static bool start(const Rerun *rerun, Runner *runner, const Asked *asked, Answer *answer,
                  Error *err) {
    int ends[2];
    if (pipe(ends) != 0) return refuse_process(err);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_answer(rerun, asked, answer, ends[1]);
    }
    close(ends[1]);
    *runner = (Runner){pid < 0 ? 0 : pid, ends[0], answer};
    if (pid > 0) return true;
    close(ends[0]);
    return refuse_process(err);
}

/* Takes over what the process has said, which has ended. */
static void finish(Runner *runner) {
    Answer *answer = runner->answer;
    Text *steps = &answer->steps;
    int status = 0;
    close(runner->pipe);
    while (waitpid(runner->pid, &status, 0) < 0 && errno == EINTR) continue;
    runner->pid = 0;
    answer->ran = true;
    char end = steps->length ? steps->data[steps->length - 1] : 0;
    if (end) {
        answer->solved = end == SAYS_SOLVED;
        answer->stopped = end == SAYS_REFUSED;
        text_cut(steps, steps->length - 1);
        return;
    }
    bool late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                        WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL);
    answer->stopped = true;
    answer->late = late;
    text_clear(steps);
    text_string(steps, tr(late ? "it did not end" : "it ended attn"));
    text_char(steps, '\0');
    text_bytes(steps, answer->given, strnlen(answer->given, CODE_SHOWN));
    text_char(steps, '\0');
}

/* Reads what the processes say, for a while. */
static bool listen_to(Runner *runners, int count, Error *err) {
    struct pollfd ends[THREADS_LIMIT];
    char bytes[1 << 12];
    for (int i = 0; i < count; i++)
        ends[i] = (struct pollfd){runners[i].pid ? runners[i].pipe : -1, POLLIN, 0};
    if (poll(ends, (nfds_t)count, 1000) < 0) return !interrupted(err);
    for (int i = 0; i < count; i++) {
        if (!runners[i].pid || !ends[i].revents) continue;
        ssize_t got = read(runners[i].pipe, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got > 0) text_bytes(&runners[i].answer->steps, bytes, (size_t)got);
        else finish(&runners[i]);
    }
    return !interrupted(err);
}

/* Runs all answers to an exercise that have not run yet, as many at a time as there are cores. */
static bool run_answers(const Rerun *rerun, Asked *asked, Error *err) {
    Runner runners[THREADS_LIMIT] = {{0}};
    int most = threads_most(), active = 1;
    bool ok = true;
    for (size_t next = 0; ok && active;) {
        active = 0;
        for (int i = 0; ok && i < most; i++) {
            while (next < asked->count && asked->answers[next].ran) next++;
            if (!runners[i].pid && next < asked->count)
                ok = start(rerun, &runners[i], asked, &asked->answers[next++], err);
            active += runners[i].pid != 0;
        }
        if (active) ok = listen_to(runners, most, err) && ok;
    }
    for (int i = 0; i < most; i++) {
        if (!runners[i].pid) continue;
        kill(runners[i].pid, SIGKILL);
        finish(&runners[i]);
    }
    return ok;
}

/* ---- answers ---- */

bool answer_step(const Answer *answer, size_t *at, const char **message, const char **code) {
    if (*at >= answer->steps.length) return false;
    *message = answer->steps.data + *at;
    *code = *message + strlen(*message) + 1;
    *at += strlen(*message) + strlen(*code) + 2;
    return true;
}

Answer *work_answer(const Work *work, const Asked *asked) {
    size_t at = work->answers[asked - work->lesson->asked];
    return at == NOT_FOUND ? NULL : &asked->answers[at];
}

static bool same_text(const char *one, const char *other) {
    return one == other || (one && other && strcmp(one, other) == 0);
}

/* The index of an answer, which is added where nobody gave it yet; `before` is taken over.
 * NOT_FOUND and ERR_LIMIT. */
static size_t add_answer(Asked *asked, const char *given, char *before, Error *err) {
    for (size_t i = 0; i < asked->count; i++) {
        if (!same_text(asked->answers[i].given, given) ||
            !same_text(asked->answers[i].before, before))
            continue;
        mem_free(before);
        return i;
    }
    Answer *grown =
        mem_grow(asked->answers, asked->count, &asked->capacity, sizeof *asked->answers, err);
    if (!grown) {
        mem_free(before);
        return NOT_FOUND;
    }
    asked->answers = grown;
    grown[asked->count] = (Answer){.given = given, .before = before, .steps = TEXT_EMPTY};
    return asked->count++;
}

/* Returns the lines that the student typed before the exercise: those in front of its first line if
 * the file still has them, or else the answers to the exercises before. */
static char *typed_before(const Work *work, const Asked *asked, const char *given, Error *err) {
    const Progress *progress = &work->from->progress;
    LocalText text = TEXT_EMPTY;
    size_t first = 0;
    for (; first < progress->event_count; first++) {
        const Event *event = &progress->events[first];
        if (event->kind == EVENT_LINE && strncmp(given, event->text, strlen(event->text)) == 0)
            break;
    }
    for (size_t i = 0; i < first && first < progress->event_count; i++)
        if (progress->events[i].kind == EVENT_LINE)
            text_format(&text, "%s\n", progress->events[i].text);
    for (const Asked *other = work->lesson->asked; !text.length && other < asked; other++) {
        const Answer *answer = work_answer(work, other);
        if (answer && other->cell->kind == CELL_EXERCISE) text_string(&text, answer->given);
    }
    return text_take(&text, err);
}

typedef bool EachWork(Work *work, Asked *asked, Error *err);

static bool each_work(Class *class, Asked *asked, CollectedLesson *lesson, EachWork *apply,
                      Error *err) {
    bool ok = true;
    for (size_t i = 0; i < class->count; i++)
        for (size_t k = 0; ok && k < class->students[i].submission.count; k++)
            if (class->students[i].works[k].lesson == lesson)
                ok = apply(&class->students[i].works[k], asked, err);
    return ok;
}

static bool add_given(Work *work, Asked *asked, Error *err) {
    const ExerciseRecord *record = work_record(work, asked);
    if (!record || !record->given || work->late >= LATE_MOST) return true;
    size_t at = add_answer(asked, record->given, NULL, err);
    work->answers[asked - work->lesson->asked] = at;
    return at != NOT_FOUND;
}

/* An answer that the student's program took for right may need what was typed earlier, which runs
 * no more where some of it did not end. */
static bool add_retry(Work *work, Asked *asked, Error *err) {
    const Answer *answer = work_answer(work, asked);
    const ExerciseRecord *record = work_record(work, asked);
    bool claimed = record && record->state == EXERCISE_SOLVED;
    if (!answer || answer->solved || !claimed || work->late) return true;
    const char *given = answer->given;
    char *before = typed_before(work, asked, given, err);
    if (!before || !*before) {
        mem_free(before);
        return before != NULL;
    }
    size_t at = add_answer(asked, given, before, err);
    work->answers[asked - work->lesson->asked] = at;
    return at != NOT_FOUND;
}

static bool count_solved(Work *work, Asked *asked, Error *err) {
    Answer *answer = work_answer(work, asked);
    (void)err;
    if (!answer) return true;
    answer->students++;
    work->late += answer->late;
    if (answer->solved) ++*(asked->cell->further ? &work->further : &work->solved);
    return true;
}

/* A choice is right where the right options are chosen and no other; the steps get the words of the
 * option that was chosen. */
static void mark_choice(const Asked *asked, Answer *answer) {
    answer->ran = answer->solved = true;
    LocalText words = TEXT_FOR(&answer->steps);
    const DocNode *option;
    for (int i = 0; (option = document_option(asked->cell, i)); i++) {
        bool chosen = strchr(answer->given, 'a' + i) != NULL;
        if (chosen && words.length) text_string(&words, " + ");
        if (chosen) prose_option(option, &words, NULL);
        if (chosen != (option->task == 'x')) answer->solved = false;
    }
    if (answer->solved) return;
    text_string(&answer->steps, words.data);
    text_bytes(&answer->steps, "\0", 2);
}

static bool mark_exercise(const Rerun *rerun, Class *class, Asked *asked, Error *err) {
    CollectedLesson *lesson = rerun->lesson;
    if (!each_work(class, asked, lesson, add_given, err)) return false;
    if (asked->cell->kind == CELL_CHOICE) {
        for (size_t i = 0; i < asked->count; i++) mark_choice(asked, &asked->answers[i]);
    } else if (!run_answers(rerun, asked, err) ||
               !each_work(class, asked, lesson, add_retry, err) ||
               !run_answers(rerun, asked, err)) {
        return false;
    }
    return each_work(class, asked, lesson, count_solved, err);
}

/* ---- the lesson ---- */

static double seconds_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

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

/* Notes the answer to a prediction, which is known once the cell behind it has run. */
static void note_truth(const Rerun *rerun, Asked *asked) {
    Session *session = rerun->session;
    LocalValue value = VALUE_MISSING;
    LocalText words = TEXT_EMPTY;
    Error ignored = {.kind = ERR_NONE};
    session_begin_trial(session);
    bool known = interp_evaluate(&session->interp, asked->cell->answer, &value, &ignored);
    session_end_trial(session);
    if (!known) return;
    value_write(&words, &value, session->interp.digits, false);
    asked->number = value.kind == VALUE_NUMBER ? value.number : 0;
    asked->truth = text_take(&words, NULL);
}

static bool run_cells(const Rerun *rerun, Class *class, Error *err) {
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
        if (runs && guess) note_truth(rerun, guess);
        if (runs) guess = NULL;
    }
    return true;
}

bool lesson_rerun(const CollectRequest *request, Class *class, CollectedLesson *lesson,
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

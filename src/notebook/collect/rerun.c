/* Runs again what students gave for exercises.
 *
 * At each exercise the process is forked, once for each core: a fork has all that the lesson has
 * made so far, and runs its share of the answers one after another. Undo takes each of them back. A
 * fork in which an answer was stopped, or left a variable other than it was, ends there, and a new
 * one runs the rest: so no answer finds anything of another. */
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
    STEPS_MOST = 1 << 16,
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

/* What a fork says of an answer, before its steps. */
typedef struct Verdict {
    size_t length; /* of the steps */
    bool solved;
    bool stopped; /* by a limit, or as it wanted something that is not allowed */
    bool last;    /* the fork ends: another one runs the rest of its share */
} Verdict;

/* Runs the entries of a text; each that solves nothing becomes a step. out NULL: they only run. */
static void run_entries(const Rerun *rerun, const Asked *asked, const char *text, Text *out,
                        Verdict *verdict) {
    Session *session = rerun->session;
    const Document *document = rerun->lesson->document;
    Error problem = {.kind = ERR_NONE};
    Chunk *chunk = NULL;
    int begun = 0; /* the first entry behind the last step */
    if (parse(&session->interp, "", text, strlen(text), false, &chunk, &problem) != PARSE_OK) {
        if (out) write_step(rerun, out, &problem, text, strlen(text));
        return;
    }
    for (int i = 0; i < chunk->entry_count && !verdict->solved && problem.kind != ERR_EXIT; i++) {
        Span span = chunk->entries[i].span;
        bool last = i + 1 == chunk->entry_count, slow = asked->seconds > STEPS_SLOW;
        problem = (Error){.kind = ERR_NONE};
        bool ok = run_entry(session, chunk, i, &problem);
        last |= problem.kind == ERR_EXIT;
        if (!out || (!last && (slow || !is_attempt(chunk, i)))) continue;
        if (ok) ok = verdict->solved = exercise_passes(session, document, asked->cell, &problem);
        if (ok) continue;
        size_t begin = chunk->entries[begun].span.begin;
        write_step(rerun, out, &problem, chunk->text + begin, span.end - begin);
        begun = i + 1;
    }
    chunk_unref(chunk);
    verdict->stopped |= !verdict->solved && (problem.kind == ERR_EXIT || problem.kind == ERR_FILE ||
                                             problem.kind == ERR_LIMIT);
    verdict->last |= problem.kind == ERR_INTERRUPT;
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

static bool send(int pipe, const void *bytes, size_t length) {
    for (size_t sent = 0; sent < length;) {
        ssize_t count = write(pipe, (const char *)bytes + sent, length - sent);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) sent += (size_t)count;
    }
    return true;
}

/* The answer of a share that comes next, from the index `at` on. */
static size_t next_answer(const Asked *asked, size_t at, size_t step) {
    while (at < asked->count && asked->answers[at].ran) at += step;
    return at;
}

/* Runs the answers `first`, first + step ... and says how each did; then the process ends. */
static void run_share(const Rerun *rerun, const Asked *asked, size_t first, size_t step, int pipe) {
    Session *session = rerun->session;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    session->bench.settings.threads = 1;
    session_apply_settings(session);
    rerun->request->confine(rerun->lesson->folder);
    const size_t mark = undo_last(&session->undo);
    const uint64_t before = fingerprint(session);
    bool last = false;
    for (size_t i = first; i < asked->count && !last; i = next_answer(asked, i + step, step)) {
        const Answer *answer = &asked->answers[i];
        LocalText steps = TEXT_EMPTY;
        Verdict verdict = {0};
        limit(RLIMIT_CPU, (rlim_t)(seconds_now() + seconds_allowed(asked) + 1));
        mem_set_limit(mem_used() + MEMORY);
        if (answer->before) run_entries(rerun, asked, answer->before, NULL, &verdict);
        verdict = (Verdict){.last = verdict.last};
        run_entries(rerun, asked, answer->given, &steps, &verdict);
        if (steps.length > STEPS_MOST) text_cut(&steps, 0);
        bool back = mark == undo_last(&session->undo) || (mark && undo_back_to(session, mark));
        verdict.last |= verdict.stopped || !back || fingerprint(session) != before;
        verdict.length = steps.length;
        bool sent = send(pipe, &verdict, sizeof verdict) && send(pipe, steps.data, steps.length);
        last = verdict.last || !sent;
    }
    rerun->request->leave();
}

/* ---- around it ---- */

/* A fork, or where the next one of its share begins. */
typedef struct Runner {
    pid_t pid; /* 0: none runs */
    int pipe;
    size_t answer; /* the index of the one that it runs, since `since` on the clock */
    double since;
    bool leaves; /* it has said of the last one that it runs */
    Text said;   /* of the answer so far: a Verdict, and the steps */
} Runner;

static bool refuse_process(Error *err) {
    return error_set(err, ERR_LIMIT, "the system starts no further process");
}

static bool start(const Rerun *rerun, Runner *runner, const Asked *asked, size_t step, Error *err) {
    int ends[2];
    if (pipe(ends) != 0) return refuse_process(err);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_share(rerun, asked, runner->answer, step, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return refuse_process(err);
    }
    *runner = (Runner){pid, ends[0], runner->answer, clock_seconds(), false, TEXT_EMPTY};
    return true;
}

/* Notes how an answer did, of which the fork has said all. */
static void take_verdict(Runner *runner, const Asked *asked, const Verdict *verdict, size_t step) {
    Answer *answer = &asked->answers[runner->answer];
    answer->ran = true;
    answer->solved = verdict->solved;
    answer->stopped = verdict->stopped;
    text_bytes(&answer->steps, runner->said.data + sizeof *verdict, verdict->length);
    text_clear(&runner->said);
    runner->leaves = verdict->last;
    runner->answer = next_answer(asked, runner->answer + step, step);
    runner->since = clock_seconds();
}

/* Ends what is left of a fork. The answer that it ran, of which it has not said all, ended it. */
static void finish(Runner *runner, const Asked *asked, size_t step) {
    int status = 0;
    close(runner->pipe);
    while (waitpid(runner->pid, &status, 0) < 0 && errno == EINTR) continue;
    runner->pid = 0;
    text_release(&runner->said);
    if (runner->leaves || runner->answer >= asked->count) return;
    Answer *answer = &asked->answers[runner->answer];
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    answer->ran = answer->stopped = true;
    answer->late = signal == SIGXCPU || signal == SIGKILL;
    text_string(&answer->steps, tr(answer->late ? "it did not end" : "it ended attn"));
    text_char(&answer->steps, '\0');
    text_bytes(&answer->steps, answer->given, strnlen(answer->given, CODE_SHOWN));
    text_char(&answer->steps, '\0');
    runner->answer = next_answer(asked, runner->answer + step, step);
}

/* Reads a part of what a fork says, of one answer at most. */
static void listen_to(Runner *runner, const Asked *asked, size_t step) {
    char bytes[1 << 12];
    Verdict verdict = {0};
    size_t whole = sizeof verdict;
    if (runner->said.length >= whole) {
        memcpy(&verdict, runner->said.data, sizeof verdict);
        whole += verdict.length;
    }
    size_t wanted = whole - runner->said.length;
    ssize_t got = read(runner->pipe, bytes, wanted < sizeof bytes ? wanted : sizeof bytes);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
        finish(runner, asked, step);
        return;
    }
    text_bytes(&runner->said, bytes, (size_t)got);
    if (runner->said.length < sizeof verdict) return;
    memcpy(&verdict, runner->said.data, sizeof verdict);
    if (runner->said.length == sizeof verdict + verdict.length)
        take_verdict(runner, asked, &verdict, step);
}

/* Waits until a fork says something. One whose answer takes too long is ended. */
static bool listen_to_all(Runner *runners, const Asked *asked, size_t count, Error *err) {
    struct pollfd ends[THREADS_LIMIT];
    for (size_t i = 0; i < count; i++)
        ends[i] = (struct pollfd){runners[i].pid ? runners[i].pipe : -1, POLLIN, 0};
    if (poll(ends, (nfds_t)count, 1000) < 0) return !interrupted(err);
    double now = clock_seconds();
    for (size_t i = 0; i < count; i++) {
        if (!runners[i].pid) continue;
        if (ends[i].revents) listen_to(&runners[i], asked, count);
        else if (now - runners[i].since > WAITED * seconds_allowed(asked))
            kill(runners[i].pid, SIGKILL);
    }
    return !interrupted(err);
}

/* Runs all answers to an exercise that have not run yet, on as many cores as there are. */
static bool run_answers(const Rerun *rerun, Asked *asked, Error *err) {
    Runner runners[THREADS_LIMIT] = {{0}};
    size_t most = (size_t)threads_most();
    bool ok = true, active = true;
    for (size_t i = 0; i < most; i++) runners[i].answer = next_answer(asked, i, most);
    while (ok && active) {
        active = false;
        for (size_t i = 0; ok && i < most; i++) {
            if (!runners[i].pid && runners[i].answer < asked->count)
                ok = start(rerun, &runners[i], asked, most, err);
            active |= runners[i].pid != 0;
        }
        if (ok && active) ok = listen_to_all(runners, asked, most, err);
    }
    for (size_t i = 0; i < most; i++) {
        if (!runners[i].pid) continue;
        kill(runners[i].pid, SIGKILL);
        finish(&runners[i], asked, most);
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

/* The index of an answer, which is added where nobody gave it yet; `before` is taken over.
 * NOT_FOUND and ERR_LIMIT. */
static size_t add_answer(Asked *asked, const char *given, char *before, Error *err) {
    LocalText tokens = TEXT_EMPTY;
    if (before) text_format(&tokens, "%s\n", before);
    write_tokens(&tokens, given);
    char *key = text_take(&tokens, err);
    for (size_t i = 0; key && i < asked->count; i++) {
        if (strcmp(asked->answers[i].key, key) != 0) continue;
        mem_free(key);
        mem_free(before);
        return i;
    }
    Answer *grown =
        key ? mem_grow(asked->answers, asked->count, &asked->capacity, sizeof *asked->answers, err)
            : NULL;
    if (!grown) {
        mem_free(key);
        mem_free(before);
        return NOT_FOUND;
    }
    asked->answers = grown;
    grown[asked->count] =
        (Answer){.given = given, .before = before, .key = key, .steps = TEXT_EMPTY};
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

static void count_solved(Work *work, Asked *asked) {
    Answer *answer = work_answer(work, asked);
    if (!answer) return;
    answer->students++;
    work->late += answer->late;
    if (answer->solved && !asked->cell->further) work->solved++;
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

static bool mark_exercise(const Rerun *rerun, const Class *class, Asked *asked, Error *err) {
    const CollectedLesson *lesson = rerun->lesson;
    const Student *begin = class->students, *end = begin + class->count;
    Work *work;
    bool ok = true;
    for (const Student *student = begin; ok && student < end; student++)
        if ((work = lesson_work(student, lesson))) ok = add_given(work, asked, err);
    if (ok && asked->cell->kind == CELL_CHOICE) {
        for (size_t i = 0; i < asked->count; i++) mark_choice(asked, &asked->answers[i]);
    } else if (ok) {
        ok = run_answers(rerun, asked, err);
        for (const Student *student = begin; ok && student < end; student++)
            if ((work = lesson_work(student, lesson))) ok = add_retry(work, asked, err);
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
    asked->truth = text_take(&words, err);
    asked->guesses = mem_alloc(class->count * sizeof *asked->guesses, err);
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

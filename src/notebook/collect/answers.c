/* Runs answers to an exercise, each in a fork of the process, which has all that the lesson has
 * made so far. A fork is confined, has limits of time and memory, and says through a pipe how it
 * went. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "engine/tensor/threads.h"
#include "lang/parser.h"
#include "notebook/check.h"
#include "notebook/collect/collect.h"
#include "notebook/recorder.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limits of one answer: of memory beside what the lesson holds; of processor time, SECONDS and
 * SLOWER times what the solution takes; of time on the clock, WAITED times as much. A pipe holds
 * STEPS_MOST bytes and more, so that nobody has to read it meanwhile. */
enum {
    MEMORY = 512 << 20,
    SECONDS = 5,
    SLOWER = 10,
    WAITED = 12,
    CODE_SHOWN = 400,
    STEPS_MOST = 1 << 14
};
/* Where the solution takes more seconds than this, only the last entry of an answer is checked. */
static const double STEPS_SLOW = 0.05;

/* ---- in a fork ---- */

/* Appends what is said of an entry to Answer.steps, and the entry. */
static void write_step(Text *out, const char *message, const char *code, size_t length) {
    text_string(out, message);
    text_char(out, '\0');
    text_bytes(out, code, smaller(length, CODE_SHOWN));
    text_char(out, '\0');
}

/* Appends the message that an entry got, in the teacher's language, and the entry with those before
 * it that are no step. */
static void write_problem(const Rerun *rerun, const Answer *answer, const Error *problem,
                          const char *code, size_t length, Text *out) {
    LocalText message = TEXT_FOR(out);
    Event typed[] = {{.kind = EVENT_LINE, .text = answer->before},
                     {.kind = EVENT_LINE, .text = answer->given}};
    const Progress progress = {.events = typed, .event_count = 2};
    translate_to(rerun->teacher);
    if (problem->kind == ERR_EXIT) text_string(&message, tr("it leaves attn"));
    else
        exercise_write_failure(&message, rerun->session, rerun->lesson->document, &progress,
                               rerun->teacher, problem);
    translate_to(rerun->lesson->language);
    write_step(out, message.data, code, length);
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

static bool run_entry(Session *session, Chunk *chunk, int index, Error *err) {
    Recorder unseen;
    recorder_begin_unseen(&unseen, session, true);
    bool ok = session_run_entry(session, chunk, index, err);
    recorder_end_unseen(&unseen, session);
    return ok;
}

/* The first byte of what a fork says, before the steps. */
typedef enum Verdict { WRONG, STOPPED, SOLVED } Verdict;

/* Runs the entries of an answer; each attempt that does not solve the exercise becomes a step. */
static Verdict run_entries(const Rerun *rerun, const Asked *asked, const Answer *answer,
                           Text *steps) {
    Session *session = rerun->session;
    Error problem = {.kind = ERR_NONE};
    Chunk *chunk = NULL;
    int begun = 0; /* the first entry behind the last step */
    if (parse(&session->interp, "", answer->given, strlen(answer->given), false, &chunk,
              &problem) != PARSE_OK) {
        write_problem(rerun, answer, &problem, answer->given, strlen(answer->given), steps);
        return WRONG;
    }
    for (int i = 0; i < chunk->entry_count && problem.kind != ERR_EXIT; i++) {
        Span span = chunk->entries[i].span;
        problem = (Error){.kind = ERR_NONE};
        bool ok = run_entry(session, chunk, i, &problem),
             last = i + 1 == chunk->entry_count || problem.kind == ERR_EXIT;
        if (!last && (asked->seconds > STEPS_SLOW || !is_attempt(chunk, i))) continue;
        if (ok && exercise_passes(session, asked->cell, &problem)) return SOLVED;
        size_t begin = chunk->entries[begun].span.begin;
        write_problem(rerun, answer, &problem, chunk->text + begin, span.end - begin, steps);
        begun = i + 1;
    }
    bool stopped =
        problem.kind == ERR_EXIT || problem.kind == ERR_FILE || problem.kind == ERR_LIMIT;
    return stopped ? STOPPED : WRONG;
}

static void limit(int what, rlim_t most) {
    struct rlimit limits;
    if (getrlimit(what, &limits) != 0) return;
    limits.rlim_cur = most < limits.rlim_max ? most : limits.rlim_max;
    setrlimit(what, &limits);
}

/* The life of a fork. Too many steps for the pipe are none. */
static void run_answer(const Rerun *rerun, const Asked *asked, const Answer *answer, int pipe) {
    Session *session = rerun->session;
    const double seconds = SECONDS + SLOWER * asked->seconds;
    LocalText steps = TEXT_EMPTY;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CPU, (rlim_t)seconds + 1);
    alarm((unsigned)(WAITED * seconds));
    session->bench.settings.threads = 1;
    session_apply_settings(session);
    rerun->request->confine(rerun->lesson->folder);
    mem_set_limit(mem_used() + MEMORY);

    Error unseen = {.kind = ERR_NONE};
    Chunk *before = NULL; /* entries on which the answer may build */
    size_t length = strlen(answer->before);
    if (parse(&session->interp, "", answer->before, length, false, &before, &unseen) == PARSE_OK)
        for (int i = 0; i < before->entry_count; i++) run_entry(session, before, i, &unseen);
    char verdict = (char)run_entries(rerun, asked, answer, &steps);
    if (steps.failed || steps.length > STEPS_MOST) text_clear(&steps);
    if (write(pipe, &verdict, 1) == 1 && steps.length) (void)!write(pipe, steps.data, steps.length);
    rerun->request->leave();
}

/* ---- around it ---- */

/* An answer that runs. */
typedef struct Fork {
    pid_t pid;
    int pipe;
    Answer *answer;
} Fork;

static bool fork_begin(const Rerun *rerun, const Asked *asked, Answer *answer, Fork *out,
                       Error *err) {
    int ends[2];
    pid_t pid = pipe(ends) == 0 ? fork() : -1;
    if (pid < 0) return error_set(err, ERR_LIMIT, "the system starts no further process");
    if (pid == 0) run_answer(rerun, asked, answer, ends[1]);
    close(ends[1]);
    *out = (Fork){pid, ends[0], answer};
    return true;
}

/* Notes how the answer of a fork did that has ended. One that said nothing was ended by its answer.
 */
static bool fork_end(const Rerun *rerun, const Fork *fork, int status, Error *err) {
    char said[1 + STEPS_MOST];
    Answer *answer = fork->answer;
    LocalText steps = TEXT_EMPTY;
    ssize_t length = read(fork->pipe, said, sizeof said);
    close(fork->pipe);
    answer->ran = true;
    if (length > 0) {
        answer->solved = said[0] == SOLVED;
        answer->stopped = said[0] == STOPPED;
        text_bytes(&steps, said + 1, (size_t)length - 1);
    } else {
        int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        answer->stopped = true;
        answer->late = signal == SIGXCPU || signal == SIGALRM || signal == SIGKILL;
        write_step(&steps, tr(answer->late ? "it did not end" : "it ended attn"), answer->given,
                   strlen(answer->given));
    }
    answer->steps_length = steps.length;
    answer->steps = lesson_keep(rerun->lesson, &steps, err);
    return answer->steps != NULL;
}

bool answers_run(const Rerun *rerun, Asked *asked, Error *err) {
    Fork forks[2 * THREADS_LIMIT];
    const size_t most = 2 * (size_t)threads_most(); /* no core waits for a fork */
    size_t next = 0, running = 0;
    bool ok = true;
    mem_trim();
    while (true) {
        while (next < asked->count && asked->answers[next].ran) next++;
        ok = ok && !interrupted(err);
        if (ok && next < asked->count && running < most) {
            ok = fork_begin(rerun, asked, &asked->answers[next++], &forks[running], err);
            running += ok;
            double done = rerun->done + rerun->part * (double)next / (double)(asked->count + 1);
            /* Progress that a second run repeats is not shown again. */
            if (done > rerun->host->work_done) host_progress(rerun->host, "", done);
            continue;
        }
        if (running == 0) return ok;
        for (size_t i = 0; i < running && !ok; i++) kill(forks[i].pid, SIGKILL);
        int status;
        pid_t ended = waitpid(-1, &status, 0); /* -1 itself for Ctrl-C */
        for (size_t i = 0; i < running; i++) {
            if (forks[i].pid != ended) continue;
            ok = fork_end(rerun, &forks[i], status, ok ? err : NULL) && ok;
            forks[i] = forks[--running];
        }
    }
}

/* Random entries (entries.h), one after the other in sessions of their own process, some of them
 * interrupted, beside a model of undo: a text of all that can be seen (digest.h) is kept for each
 * step. An entry that fails or is no step leaves that text as it was; undo and redo bring back the
 * one of their step.
 *
 *     grammar [--sessions N] [--entries N] [--seed N] [--seconds S] [--heard MS]
 *             [--longest MS] [--large N] [--show] [--walk N]
 *
 * Session i draws from seed + i, so that one which fails is run again alone. --seconds: as many
 * sessions as begin within that time. --heard: an entry that goes on for more time of the
 * processor after Ctrl-C is a failure, too. --longest: when each is interrupted (300); --large: of
 * so many one is about what is large (12). Both make for many more entries in an hour. --show
 * writes the entries. --walk: not random entries, but all of walk.h, or of N of them one. All that
 * they write lies in a new folder, which is removed. */
#include "tests/grammar/digest.h"
#include "tests/grammar/entries.h"
#include "tests/grammar/walk.h"
#include "tests/said.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "notebook/lesson_commands.h"
#include "notebook/recorder.h"
#include "shell/explore/explore.h"
#include "shell/help/help.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY_LIMIT = 512 << 20, WALK_LIMIT = 1 << 30, HANGS_MS = 30000 };

/* What the processes of the sessions count and the one that began them reads. */
typedef struct Counts {
    long entries, failed_entries, undone, interrupted, slow;
    double slowest_ms;
    char running[4000]; /* the entry that runs now, for when it ends the process */
} Counts;

static Counts *counts;
static double heard_ms, longest_ms = 300;
static bool shows;
static size_t walk_step, one_is_large = 12;

/* ---- time, and Ctrl-C ---- */

static double raised_at;

static double processor_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Ends a process that does not hear it at all. */
static void raise_flag(int number) {
    (void)number;
    if (interrupt_flag && processor_ms() - raised_at > HANGS_MS) _exit(EXIT_FAILURE);
    if (!interrupt_flag) raised_at = processor_ms();
    interrupt_flag = 1;
}

static struct timeval time_of(double ms) {
    return (struct timeval){.tv_sec = (time_t)(ms / 1e3),
                            .tv_usec = (suseconds_t)((long)(ms * 1e3) % 1000000)};
}

/* Ctrl-C at the latest after so much of the processor's time, so that a busy machine changes
 * nothing; and after `ms`, of which the clock knows fractions. 0: no longer. */
static void set_timers(double latest, double ms) {
    const struct itimerval processor = {time_of(latest), time_of(latest)},
                           clock = {.it_value = time_of(ms)};
    setitimer(ITIMER_PROF, &processor, NULL);
    setitimer(ITIMER_REAL, &clock, NULL);
}

static void note_interrupt(const char *entry) {
    if (!interrupt_flag) return;
    double took = processor_ms() - raised_at;
    interrupt_flag = 0;
    counts->interrupted++;
    if (took > counts->slowest_ms) counts->slowest_ms = took;
    if (heard_ms <= 0 || took <= heard_ms) return;
    counts->slow++;
    printf("%.0f ms after Ctrl-C: %.600s\n", took, entry);
}

/* ---- the model of undo ---- */

/* The digests of the states that undo and redo lead to, by the steps that are done in each; NULL:
 * not known. */
typedef struct UndoModel {
    char *states[UNDO_STEPS_MAX + 2];
    UndoStep *steps[UNDO_STEPS_MAX + 1];
    size_t count, done;
} UndoModel;

static void forget_states(UndoModel *model) {
    for (size_t i = 0; i < UNDO_STEPS_MAX + 2; i++) {
        mem_free(model->states[i]);
        model->states[i] = NULL;
    }
}

static void note_steps(UndoModel *model, const Undo *undo) {
    memcpy(model->steps, undo->steps, undo->count * sizeof *undo->steps);
    model->count = undo->count;
    model->done = undo->done;
}

static void fail(const char *what, const char *entry, const char *more) {
    printf("%s: %.2000s\n%s\n", what, entry, more);
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

static void expect_same(const char *what, const char *entry, const char *then, const char *now) {
    char difference[400];
    if (!then || strcmp(then, now) == 0) return;
    digest_difference(then, now, difference, sizeof difference);
    fail(what, entry, difference);
}

/* The steps of before that are still there as the first ones: none where the oldest were dropped.
 */
static bool still_begins(const UndoModel *model, const Undo *undo) {
    return model->done == 0 || (undo->count > 0 && undo->steps[0] == model->steps[0]);
}

/* Takes over `now`, the digest after an entry; model->states[model->done] is the one before it. */
static void follow_entry(UndoModel *model, const Undo *undo, const char *entry, char *now) {
    bool walks = strncmp(entry, "undo", 4) == 0 || strncmp(entry, "redo", 4) == 0;
    bool alone = walks && (entry[4] == '\0' || entry[4] == '\n');
    if (undo->done == model->done && undo->count == model->count &&
        (undo->count == 0 || undo->steps[undo->count - 1] == model->steps[undo->count - 1])) {
        expect_same("an entry that is no step changes", entry, model->states[model->done], now);
    } else if (alone) {
        expect_same("not what was before, after", entry, model->states[undo->done], now);
        counts->undone++;
    } else if (strstr(entry, "undo") || strstr(entry, "redo") || undo->done != model->done + 1 ||
               !still_begins(model, undo)) {
        forget_states(model);
    } else {
        for (size_t i = undo->done + 1; i <= model->count; i++) {
            mem_free(model->states[i]);
            model->states[i] = NULL;
        }
    }
    mem_free(model->states[undo->done]);
    model->states[undo->done] = now;
    note_steps(model, undo);
}

/* ---- a session ---- */

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore_note(Host *host, const char *text) { (void)host, (void)text; }

static const CommandDef *const further_commands[] = {help_commands, explore_commands,
                                                     lesson_commands, NULL};

/* An entry; `model` is NULL when nobody looks at what it leaves behind. */
static void run_one(Session *session, Random *random, UndoModel *model, Chunk *chunk, int index) {
    const Span span = chunk->entries[index].span;
    char *entry = mem_string(chunk->text + span.begin, span.end - span.begin, NULL);
    Error err = {.kind = ERR_NONE};
    if (!entry) return;
    snprintf(counts->running, sizeof counts->running, "%s", entry);
    if (shows) fprintf(stderr, "%s\n", entry);
    bool soon = random_below(random, 8) == 0;
    set_timers(longest_ms, soon ? 20 * pow(random_uniform(random), 6) + 0.002 : 0);
    /* The limit holds for the entry alone: a session may keep all the memory that it may have. */
    mem_set_limit(walk_step ? WALK_LIMIT : MEMORY_LIMIT);
    bool ok = session_run_entry(session, chunk, index, &err);
    mem_set_limit(SIZE_MAX);
    set_timers(0, 0);
    note_interrupt(entry);
    counts->entries++;
    if (!ok) counts->failed_entries++;
    if (!ok && err.kind == ERR_NONE) fail("an error without a kind", entry, "");
    if (!ok && err.kind != ERR_EXIT && err.kind != ERR_INTERRUPT && !*err.message)
        fail("an error without a message", entry, "");
    if (!ok && !say_error(&err)) fail("an error that is said with a cut character", entry, "");
    char *now = model ? session_digest(session) : NULL;
    if (model && !now) fail("no memory for the digest", entry, "");
    if (model) follow_entry(model, &session->undo, entry, now);
    mem_free(entry);
}

static void run_text(Session *session, Random *random, UndoModel *model, const char *text) {
    Error err = {.kind = ERR_NONE};
    Chunk *chunk = NULL;
    snprintf(counts->running, sizeof counts->running, "%s", text);
    if (parse(&session->interp, "", text, strlen(text), false, &chunk, &err) != PARSE_OK) {
        counts->entries++;
        counts->failed_entries++;
        return;
    }
    for (int i = 0; i < chunk->entry_count; i++) run_one(session, random, model, chunk, i);
    chunk_unref(chunk);
}

static void run_random(Session *session, Random *random, long entries) {
    UndoModel model = {.count = 0};
    model.states[session->undo.done] = session_digest(session);
    note_steps(&model, &session->undo);
    for (long i = 0; i < entries; i++) {
        Text text = TEXT_EMPTY;
        entry_write(random, session, one_is_large, &text);
        text_char(&text, '\n');
        if (text.data && !text.failed) run_text(session, random, &model, text.data);
        text_release(&text);
    }
    forget_states(&model);
}

typedef struct Walker {
    Session *session;
    Random *random;
} Walker;

static void run_walked(void *data, const char *entry) {
    const Walker *walker = data;
    run_text(walker->session, walker->random, NULL, entry);
}

static void run_session(uint64_t seed, long entries) {
    Random random;
    Error err = {.kind = ERR_NONE};
    random_seed(&random, seed);
    Host host = {.write = swallow,
                 .note = ignore_note,
                 .columns = 40 + 40 * (seed % 2),
                 .rows = 24,
                 .utf8 = true,
                 .interactive = seed % 3 == 0};
    signal(SIGPROF, raise_flag);
    signal(SIGALRM, raise_flag);
    Session *session = session_new(&host, further_commands, &err);
    const char *const begin[] = {entries_begin, walk_step ? walk_begin : ""};
    for (size_t i = 0; i < 2; i++)
        if (!session || !session_run_text(session, "", begin[i], strlen(begin[i]), &err))
            fail("no session", err.message, "");
    session->run_document = notebook_run;
    if (walk_step)
        walk_entries(session, &random, walk_step, run_walked, &(Walker){session, &random});
    else run_random(session, &random, entries);
    snprintf(counts->running, sizeof counts->running, "(the end of the session)");
    session_free(session);
    fflush(stdout);
}

/* Runs a session in a process and a folder of its own. False: it failed, and that was said. */
static bool run_apart(uint64_t seed, long entries) {
    char folder[] = "/tmp/attn-grammar-XXXXXX", command[80];
    int status = 0;
    if (!mkdtemp(folder)) return perror(folder), false;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static const char *const homes[] = {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
                                            "XDG_DATA_HOME", "TMPDIR"};
        for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) setenv(homes[i], folder, 1);
        if (chdir(folder) != 0) _exit(EXIT_FAILURE);
        run_session(seed, entries);
        exit(EXIT_SUCCESS);
    }
    if (child > 0) waitpid(child, &status, 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    bool cleaned = system(command) == 0, ok = child > 0 && status == 0;
    if (!ok && WIFSIGNALED(status))
        printf("ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (!ok)
        printf("in: %.3000s\nagain: --seed %llu --sessions 1 --entries %ld\n", counts->running,
               (unsigned long long)seed, entries);
    return ok && cleaned;
}

int main(int count, char **words) {
    long sessions = 24, entries = 60;
    uint64_t seed = 1;
    double seconds = 0;
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : "";
        if (strcmp(words[i], "--show") == 0) {
            shows = true;
            continue;
        }
        if (strcmp(words[i], "--sessions") == 0) sessions = atol(value);
        else if (strcmp(words[i], "--entries") == 0) entries = atol(value);
        else if (strcmp(words[i], "--seed") == 0) seed = strtoull(value, NULL, 10);
        else if (strcmp(words[i], "--seconds") == 0) seconds = atof(value);
        else if (strcmp(words[i], "--heard") == 0) heard_ms = atof(value);
        else if (strcmp(words[i], "--longest") == 0) longest_ms = atof(value);
        else if (strcmp(words[i], "--large") == 0) one_is_large = strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--walk") == 0) walk_step = strtoul(value, NULL, 10);
        else return fprintf(stderr, "grammar: what is %s?\n", words[i]), 2;
        i++;
    }
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) return perror("mmap"), 2;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a process may end in the middle */
    long begun = 0, passed = 0;
    time_t end = time(NULL) + (time_t)seconds;
    for (; seconds > 0 ? time(NULL) < end : begun < sessions; begun++)
        passed += run_apart(seed + (uint64_t)begun, entries);
    printf("%ld entries, %ld of them ended in an error, %ld undone or done again, %ld interrupted "
           "(at most %.0f ms until it was heard, %ld too long)\n",
           counts->entries, counts->failed_entries, counts->undone, counts->interrupted,
           counts->slowest_ms, counts->slow);
    long failed = begun - passed + (counts->slow > 0);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

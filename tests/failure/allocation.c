/* Runs a script once for each allocation that it makes, with that one failing
 * (and again with all after it failing too, and with Ctrl-C there), each time in a
 * new session.
 *
 *     failure [--step N] SCRIPT.attn [--lines SCRIPT.attn]
 *
 * Past the first 2,000 allocations only every N-th (37) fails. Each run must end
 * well, with a limit error, which is said while memory still fails, or interrupted,
 * leave a session that still works, and give back every byte. After --lines each
 * line is a script of its own, which may also end in the error that it has when
 * nothing fails: so mistakes are tried. What stands in such a line behind `# holds`
 * is true after Ctrl-C, too, of the variables that are there then. */
#include "tests/said.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "io/file.h"
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVERY_ONE = 2000, SMALL = 400 };

typedef struct Script {
    const char *text;
    size_t length;
    const char *path;
    const char *folder; /* where it writes */
    bool by_line;       /* may end in an error of its own: */
    ErrorKind ends_in;  /* when nothing fails */
    const char *holds;  /* a condition; or NULL */
} Script;

typedef enum Failure { FAILS_ONCE, FAILS_FROM_THERE, INTERRUPTS } Failure;

static const char *const failure_words[] = {"", " and all after it", ", Ctrl-C there"};
static long passed, failed;

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore(Host *host, const char *text) { (void)host, (void)text; }

static void complain(long n, Failure failure, const char *what, const Error *err) {
    if (failed < 40)
        printf("allocation %ld%s: %s (%s:%d: %s error: %s)\n", n, failure_words[failure], what,
               err->file, err->line, error_kind_word(err->kind), err->message);
    failed++;
}

/* One entry more, with memory again: the session must have come through whole. */
static bool still_works(Session *session, Error *err) {
    static const char check[] = "reset; still = [1, 2] + 1; assert still[1] == 3; Q = eye(2); K = "
                                "Q; V = Q; attend Q K V;\n";
    return session_run_text(session, "", check, sizeof check - 1, err);
}

/* True unless the script's condition is false; a variable may not be there yet. */
static bool still_holds(Session *session, const Script *script, Error *err) {
    LocalText check = TEXT_EMPTY;
    if (!script->holds) return true;
    const int length = (int)(script->text + script->length - script->holds);
    text_format(&check, "try: assert %.*s\nexcept NameError: pass\n", length, script->holds);
    return session_run_text(session, "", check.data, check.length, err);
}

/* False: the script came to its end and nothing had failed. */
static bool run_once(const Script *script, long n, Failure failure) {
    Host host = {.write = swallow, .note = ignore, .columns = 80, .utf8 = true};
    Error err = {.kind = ERR_NONE}, later = {.kind = ERR_NONE};
    size_t before = mem_used();
    long first = mem_requests();
    if (failure == INTERRUPTS) mem_interrupt_at(n);
    else mem_fail_at(n, failure == FAILS_FROM_THERE);
    Session *session = session_new(&host, NULL, &err);
    bool ok = session != NULL;
    if (ok) {
        session->interp.directory = script->folder;
        ok = session_run_text(session, script->path, script->text, script->length, &err);
    }
    bool reached = mem_requests() - first >= n, said = ok || say_error(&err);
    mem_fail_at(0, false);
    interrupt_flag = 0;
    ErrorKind expected = failure == INTERRUPTS ? ERR_INTERRUPT : ERR_LIMIT;
    if (!ok && err.kind != expected && err.kind != script->ends_in)
        complain(n, failure, "ended in another error", &err);
    else if (!ok && !reached && err.kind != script->ends_in)
        complain(n, failure, "ended in an error, but nothing had failed", &err);
    else if (!said) complain(n, failure, "a character of the error was cut", &err);
    else if (failure == INTERRUPTS && session && !still_holds(session, script, &later))
        complain(n, failure, "something is not as it was or should be", &later);
    else if (session && !still_works(session, &later))
        complain(n, failure, "the session no longer works", &later);
    else passed++;
    session_free(session);
    if (mem_used() != before) {
        printf("allocation %ld%s: %zu bytes were not given back\n", n, failure_words[failure],
               mem_used() - before);
        failed++;
    }
    return reached;
}

static void run_all(const Script *script, long step) {
    const long few = script->length < SMALL ? 1 : 7;
    for (long n = 1; run_once(script, n, FAILS_ONCE); n += n < EVERY_ONE ? 1 : step) continue;
    for (long n = 1; run_once(script, n, FAILS_FROM_THERE); n += n < EVERY_ONE ? 7 : step) continue;
    for (long n = 1; run_once(script, n, INTERRUPTS); n += n < EVERY_ONE ? few : step) continue;
}

/* Functions keep some things for good (a table): these must be there before bytes are counted. */
static ErrorKind run_untouched(const Script *script) {
    Host host = {.write = swallow, .note = ignore, .columns = 80, .utf8 = true};
    Error err = {.kind = ERR_NONE};
    Session *session = session_new(&host, NULL, &err);
    session->interp.directory = script->folder;
    session_run_text(session, script->path, script->text, script->length, &err);
    if (err.kind != ERR_NONE && !script->by_line)
        complain(0, FAILS_ONCE, "without any failure", &err);
    session_free(session);
    return err.kind;
}

static void run_script(Script script, long step) {
    script.ends_in = run_untouched(&script);
    if (script.ends_in == ERR_NONE || script.by_line) run_all(&script, step);
}

static void run_lines(Script script, long step) {
    const char *line = script.text;
    script.by_line = true;
    while (*line) {
        script.text = line;
        script.length = strcspn(line, "\n");
        const char *mark = strstr(line, "# holds ");
        script.holds = mark && mark < line + script.length ? mark + strlen("# holds ") : NULL;
        run_script(script, step);
        line += script.length + (line[script.length] == '\n');
    }
}

static void run_path(const char *path, const char *folder, bool by_line, long step) {
    Error err = {.kind = ERR_NONE};
    Text text;
    text_init(&text);
    bool ok = file_read(path, 0, &text, &err);
    Script script = {.text = text.data, .length = text.length, .path = path, .folder = folder};
    if (!ok) complain(0, FAILS_ONCE, path, &err);
    else if (by_line) run_lines(script, step);
    else run_script(script, step);
    text_release(&text);
}

static bool remove_folder(const char *folder) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0;
}

int main(int count, char **words) {
    char name[] = "/tmp/attn-failure-XXXXXX";
    const char *folder = mkdtemp(name);
    bool by_line = false;
    long step = 37;
    if (!folder) return perror(name), EXIT_FAILURE;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--lines") == 0) by_line = true;
        else if (strcmp(words[i], "--step") == 0 && i + 1 < count) step = atol(words[++i]);
        else run_path(words[i], folder, by_line, step > 0 ? step : 1);
    }
    remove_folder(folder);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Runs a script once for each allocation that it makes, with that one failing
 * (and again with all after it failing too), each time in a new session.
 *
 *     failure SCRIPT.attn [--step N]     past the first 2,000 allocations only every N-th (37)
 *
 * Each run must end well or with a limit error, leave a session that still
 * works, and give back every byte. */
#include "base/memory.h"
#include "io/file.h"
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVERY_ONE = 2000 };

typedef struct Script {
    Text text;
    const char *path;
    const char *folder; /* where it writes */
} Script;

static long passed, failed;

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore(Host *host, const char *text) {
    (void)host, (void)text;
}

static void complain(long n, bool sticky, const char *what, const Error *err) {
    if (failed < 40)
        printf("allocation %ld%s: %s (%s:%d: %s error: %s)\n", n, sticky ? " and all after it" : "", what, err->file, err->line,
               error_kind_word(err->kind), err->message);
    failed++;
}

/* One entry more, with memory again: the session must have come through whole. */
static bool still_works(Session *session, Error *err) {
    static const char check[] = "still = [1, 2] + 1; assert still[1] == 3; Q = eye(2); K = Q; V = Q; attend Q K V;\n";
    return session_run_text(session, "", check, sizeof check - 1, err);
}

/* False: the script came to its end and no allocation had failed. */
static bool run_once(const Script *script, long n, bool sticky) {
    Host host = {.write = swallow, .note = ignore, .columns = 80, .utf8 = true};
    Error err = {.kind = ERR_NONE}, later = {.kind = ERR_NONE};
    size_t before = mem_used();
    long first = mem_requests();
    mem_fail_at(n, sticky);
    Session *session = session_new(&host, NULL, &err);
    bool ok = session != NULL;
    if (ok) {
        session->interp.directory = script->folder;
        ok = session_run_text(session, script->path, script->text.data, script->text.length, &err);
    }
    bool reached = mem_requests() - first >= n;
    mem_fail_at(0, false);
    if (!ok && err.kind != ERR_LIMIT) complain(n, sticky, "ended in another error", &err);
    else if (!ok && !reached) complain(n, sticky, "ended in an error, but nothing had failed", &err);
    else if (session && !still_works(session, &later)) complain(n, sticky, "the session no longer works", &later);
    else passed++;
    session_free(session);
    if (mem_used() != before) {
        printf("allocation %ld%s: %zu bytes were not given back\n", n, sticky ? " and all after it" : "", mem_used() - before);
        failed++;
    }
    return reached;
}

static void run_all(const Script *script, long step) {
    for (long n = 1; run_once(script, n, false); n += n < EVERY_ONE ? 1 : step) continue;
    for (long n = 1; run_once(script, n, true); n += n < EVERY_ONE ? 7 : step) continue;
}

/* The functions keep some things for good (a plan, a table): these must be there before bytes are counted. */
static void warm_up(const Script *script) {
    Host host = {.write = swallow, .note = ignore, .columns = 80, .utf8 = true};
    Error err = {.kind = ERR_NONE};
    Session *session = session_new(&host, NULL, &err);
    session->interp.directory = script->folder;
    long first = mem_requests();
    if (!session_run_text(session, script->path, script->text.data, script->text.length, &err))
        complain(0, false, "without any failure", &err);
    printf("%ld allocations\n", mem_requests() - first);
    session_free(session);
}

static bool remove_folder(const char *folder) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0;
}

int main(int count, char **words) {
    char folder[] = "/tmp/attn-failure-XXXXXX";
    Error err = {.kind = ERR_NONE};
    Script script = {.path = count > 1 ? words[1] : "tests/failure/everything.attn", .folder = mkdtemp(folder)};
    long step = count > 3 && strcmp(words[2], "--step") == 0 ? atol(words[3]) : 37;
    text_init(&script.text);
    if (!script.folder || !file_read(script.path, 0, &script.text, &err)) {
        printf("%s\n0 passed, 1 failed\n", err.message);
        return EXIT_FAILURE;
    }
    warm_up(&script);
    if (!failed) run_all(&script, step > 0 ? step : 37);
    text_release(&script.text);
    remove_folder(script.folder);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

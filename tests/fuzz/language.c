/* Any text as a script: parsed and run in a session that may write nothing, with bounds on memory
 * and time. Past its time, which is that of the processor, a script is interrupted as by Ctrl-C.
 * SIGALRM is left to libFuzzer, whose -timeout finds one that goes on all the same. */
#include "tests/fuzz/harness.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/session.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

enum { MEMORY_LIMIT = 256 << 20, SECONDS = 1 };

static void raise_flag(int number) {
    (void)number;
    interrupt_flag = 1;
}

/* 0: no longer. */
static void set_timer(int seconds) {
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host;
    (void)text;
    (void)length;
    (void)err;
    return true;
}

static void ignore_note(Host *host, const char *text) {
    (void)host;
    (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Host host = {.write = swallow, .note = ignore_note, .columns = 80, .utf8 = true};
    Error err = {0};
    mem_set_limit(MEMORY_LIMIT);
    signal(SIGPROF, raise_flag);
    size_t before = mem_used();
    set_timer(SECONDS);
    Session *session = session_new(&host, NULL, &err);
    if (session) {
        session->interp.safe = session->interp.notes = true;
        session_run_text(session, "", (const char *)data, size, &err);
        session_free(session);
    }
    set_timer(0);
    interrupt_flag = 0;
    if (mem_used() != before) abort(); /* something was not given back */
    return 0;
}

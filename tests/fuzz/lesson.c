/* Any bytes as a lesson and as what a person types in it: the document up to a form feed, and then
 * a line after the other. Its cells run in a session that may write nothing, with bounds on memory
 * and time as in language.c. */
#include "tests/fuzz/harness.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "notebook/lesson_commands.h"
#include "notebook/player.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { MEMORY_LIMIT = 256 << 20, SECONDS = 1 };

static void raise_flag(int number) {
    (void)number;
    interrupt_flag = 1;
}

/* 0: no longer. */
static void set_timer(int seconds) {
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}, .it_interval = {.tv_usec = 1}};
    setitimer(ITIMER_PROF, seconds ? &timer : &(struct itimerval){{0}, {0}}, NULL);
}

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore_note(Host *host, const char *text) { (void)host, (void)text; }

static void ignore_error(const Session *session, const Error *err, const char *typed) {
    (void)session, (void)err, (void)typed;
}

/* False: the lesson cannot go on. */
static bool type(Session *session, const char *line, size_t length) {
    Error err = {.kind = ERR_NONE};
    Text prompt = TEXT_EMPTY;
    bool taken;
    player_write_prompt(session->player, &prompt);
    text_release(&prompt);
    bool ok = player_take(session->player, line, length, &taken, &err);
    if (!taken) {
        bool ran = session_run_text(session, "", line, length, &err);
        ok = player_after(session->player, line, length, ran, &err);
    }
    return ok && !player_has_ended(session->player) && !interrupt_flag;
}

static void play(Session *session, const char *text, size_t length) {
    Error err = {.kind = ERR_NONE};
    const char *end = text + length, *typed = memchr(text, '\f', length);
    Document *document = document_parse("a.md", text, (size_t)((typed ? typed : end) - text), NULL);
    if (!document) return;
    session->interp.safe = session->interp.notes = true;
    session->player = player_new(session, document, "a", NULL, PLAYER_FORGETS, ignore_error, &err);
    bool goes_on = session->player && player_begin(session->player, &err) && !interrupt_flag;
    for (const char *line = typed ? typed + 1 : end, *next; goes_on && line < end;
         line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next) next = end;
        goes_on = type(session, line, (size_t)(next - line));
    }
    player_free(session->player);
    session->player = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const CommandDef *const further[] = {lesson_commands, NULL};
    Host host = {.write = swallow,
                 .note = ignore_note,
                 .columns = 60,
                 .rows = 12,
                 .utf8 = true,
                 .interactive = true};
    Error err = {.kind = ERR_NONE};
    mem_set_limit(MEMORY_LIMIT);
    signal(SIGPROF, raise_flag);
    size_t before = mem_used();
    set_timer(SECONDS);
    Session *session = session_new(&host, further, &err);
    if (session) play(session, (const char *)data, size);
    session_free(session);
    set_timer(0);
    interrupt_flag = 0;
    if (mem_used() != before) abort(); /* something was not given back */
    return 0;
}

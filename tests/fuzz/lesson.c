/* Any bytes as a lesson and as what a person types in it: the document up to a form feed, and then
 * a line after the other. All runs in a session that may write nothing. */
#include "tests/fuzz/harness.h"
#include "tests/fuzz/silent.h"
#include "tests/said.h"

#include "notebook/lesson_commands.h"
#include "notebook/player.h"

#include <stdlib.h>
#include <string.h>

static void ignore_error(const Session *session, const Error *err, const char *typed) {
    (void)session, (void)typed;
    if (!say_error(err)) abort();
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
        ok = player_after(session->player, ran, &err);
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
    Host host = silent_host();
    Error err = {.kind = ERR_NONE};
    size_t before = mem_used();
    host.interactive = true;
    begin_limits();
    Session *session = session_new(&host, further, &err);
    if (session) play(session, (const char *)data, size);
    session_free(session);
    end_limits();
    if (mem_used() != before) abort(); /* something was not given back */
    return 0;
}

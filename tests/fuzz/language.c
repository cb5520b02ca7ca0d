/* Any text as a script: parsed and run in a session that may write nothing. */
#include "tests/fuzz/harness.h"
#include "tests/fuzz/silent.h"
#include "tests/said.h"

#include "session/session.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Host host = silent_host();
    Error err = {0};
    size_t before = mem_used();
    begin_limits();
    Session *session = session_new(&host, NULL, &err);
    if (session) {
        session->interp.safe = session->interp.notes = true;
        bool ok = session_run_text(session, "", (const char *)data, size, &err);
        if (!ok && !say_error(&err)) abort();
        session_free(session);
    }
    end_limits();
    if (mem_used() != before) abort(); /* something was not given back */
    return 0;
}

#include "notebook/notebook.h"

#include "notebook/cells.h"

#include <string.h>

typedef struct Reader {
    Session *session;
    RunText *run;
    const char *file;
    size_t cells; /* that ran */
} Reader;

static bool run_cell(void *context, const char *script, size_t length, Error *err) {
    Reader *reader = context;
    reader->cells++;
    return reader->run(reader->session, reader->file, script, length, err);
}

bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err) {
    const char *zero = length ? memchr(markdown, 0, length) : NULL;
    if (zero) { /* md4c would take it for a character like any other */
        size_t at = (size_t)(zero - markdown);
        error_set(err, ERR_SYNTAX, "a zero byte stands at byte %zu", at);
        error_hint(err, "is this a text file?");
        error_place(err, file, markdown, length, (Span){at, at + 1});
        return false;
    }
    Reader reader = {session, run, file, 0};
    if (!cells_each(markdown, length, run_cell, &reader, err)) return false;
    if (reader.cells == 0)
        host_note(session->interp.host, "(%s has no cells: code blocks marked attn)\n", file);
    return true;
}

#include "notebook/notebook.h"

#include "notebook/cells.h"

#include <string.h>

typedef struct Reader {
    Session *session;
    RunText *run;
    const char *file;
    size_t cells;
} Reader;

static bool run_cell(void *context, const char *script, size_t length, Error *err) {
    Reader *reader = context;
    reader->cells++;
    return reader->run(reader->session, reader->file, script, length, err);
}

/* md4c would take it for a character like any other. */
static bool has_no_zero_byte(const char *file, const char *markdown, size_t length, Error *err) {
    const char *zero = length ? memchr(markdown, 0, length) : NULL;
    if (!zero) return true;
    size_t at = (size_t)(zero - markdown);
    error_set(err, ERR_SYNTAX, "a zero byte stands at byte %zu", at);
    error_hint(err, "is this a text file?");
    error_place(err, file, markdown, length, (Span){at, at + 1});
    return false;
}

bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err) {
    Reader reader = {session, run, file, 0};
    if (!has_no_zero_byte(file, markdown, length, err) ||
        !cells_each(markdown, length, run_cell, &reader, err))
        return false;
    if (!reader.cells)
        host_note(session->interp.host, "(%s has no cells: code blocks marked attn)\n", file);
    return true;
}

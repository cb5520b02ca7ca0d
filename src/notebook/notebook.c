#include "notebook/notebook.h"

#include "notebook/document.h"
#include "notebook/recorder.h"

/* Runs a cell so that nobody sees what it shows. */
static bool run_unseen(Session *session, RunText *run, const char *file, const Cell *cell,
                       Error *err) {
    Host *host = session->interp.host;
    Recorder unseen;
    recorder_init(&unseen);
    session->interp.host = &unseen.host;
    bool ok = run(session, file, cell->script, cell->script_length, err);
    session->interp.host = host;
    recorder_release(&unseen);
    return ok;
}

bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err) {
    Document *document = document_parse(file, markdown, length, err);
    if (!document) return false;
    int ran = 0;
    bool ok = true;
    for (int i = 0; ok && i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        if (cell->kind == CELL_SOLUTION) ok = run_unseen(session, run, file, cell, err);
        if (cell->kind != CELL_RUN) continue;
        ok = run(session, file, cell->script, cell->script_length, err);
        ran++;
    }
    if (ok && ran == 0)
        host_note(session->interp.host, "(%s has no cells: code blocks marked attn)\n", file);
    document_free(document);
    return ok;
}

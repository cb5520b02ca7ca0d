#include "notebook/exercise.h"

#include "lang/parser.h"
#include "notebook/recorder.h"

bool exercise_run_checks(Session *session, const Document *document, int exercise, Error *err) {
    Interp *interp = &session->interp;
    int solution = document_part(document, exercise, CELL_SOLUTION, exercise);
    Chunk *made = NULL;
    bool ok = true;
    if (solution >= 0) {
        const Cell *cell = document->cells[solution];
        ok = parse(interp, document->file, cell->script, cell->script_length, false, &made, err) ==
             PARSE_OK;
    }
    for (int i = exercise; ok && (i = document_part(document, exercise, CELL_CHECK, i)) >= 0;) {
        const Cell *cell = document->cells[i];
        Chunk *check = NULL;
        ok = parse_check(interp, document->file, cell->script, cell->script_length, made, &check,
                         err) == PARSE_OK;
        for (int k = 0; ok && k < check->entry_count; k++)
            ok = interp_run_entry(interp, check, k, err);
        if (check) chunk_unref(check);
    }
    if (made) chunk_unref(made);
    return ok;
}

bool exercise_passes(Session *session, const Document *document, int exercise, Error *err) {
    Host *host = session->interp.host;
    Recorder unseen;
    recorder_init(&unseen);
    session->interp.host = &unseen.host;
    session_begin_trial(session);
    bool ok = exercise_run_checks(session, document, exercise, err);
    session_end_trial(session);
    session->interp.host = host;
    recorder_release(&unseen);
    return ok;
}

#include "notebook/recording.h"

#include "base/memory.h"

#include <string.h>

bool recording_init(Recording *recording, const Document *document, HostPictures pictures,
                    Error *err) {
    recorder_init(&recording->recorder);
    recording->recorder.host.pictures = pictures;
    recording->document = document;
    recording->cells = mem_zeroed((size_t)document->cell_count, sizeof *recording->cells, err);
    return recording->cells != NULL;
}

void recording_release(Recording *recording) {
    mem_free(recording->cells);
    recorder_release(&recording->recorder);
}

/* Runs the cell at `index` for what it writes. */
static bool run_cell(Recording *recording, Session *session, int index, Error *err) {
    const Cell *cell = recording->document->cells[index];
    const char *file = recording->document->file;
    Recorder *recorder = &recording->recorder;
    Error shown = {.kind = ERR_NONE};
    recording->cells[index].first = recorder_seal(recorder);

    bool ok;
    if (cell->kind == CELL_PREDICT) {
        session_begin_trial(session);
        ok = session_run_text(session, file, cell->answer, strlen(cell->answer), err);
        session_end_trial(session);
    } else {
        ok = session_run_text(session, file, cell->script, cell->script_length, &shown);
    }
    if (!ok && cell->kind == CELL_ERROR && shown.kind == cell->expected)
        ok = recorder_add_error(recorder, &shown, err);
    else if (!ok && shown.kind != ERR_NONE && err) *err = shown;

    recording->cells[index].count = recorder_seal(recorder) - recording->cells[index].first;
    return ok;
}

bool recording_run(Recording *recording, Session *session, Error *err) {
    const Document *document = recording->document;
    int predicted = -1;
    for (int i = 0; i < document->cell_count; i++) {
        CellKind kind = document->cells[i]->kind;
        if (kind == CELL_PREDICT) predicted = i;
        bool runs = kind == CELL_RUN || kind == CELL_ERROR || kind == CELL_SOLUTION;
        if (runs && !run_cell(recording, session, i, err)) return false;
        if (!runs || kind == CELL_SOLUTION || predicted < 0) continue;
        if (!run_cell(recording, session, predicted, err)) return false;
        predicted = -1;
    }
    return true;
}

bool document_has_outputs(const Document *document) {
    for (int i = 0; i < document->cell_count; i++)
        if (document->cells[i]->kind == CELL_OUTPUT) return true;
    return false;
}

/* Adds what an output cell holds. */
static bool take_output(Recorder *recorder, const Cell *cell, Error *err) {
    static const struct {
        const char *word;
        OutputKind kind;
    } kinds[] = {{"note", OUTPUT_NOTE}, {"error", OUTPUT_ERROR}, {"picture", OUTPUT_PICTURE}};
    OutputKind kind = OUTPUT_TEXT;
    const char *words = "";
    size_t length = strcspn(cell->output, " \t");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].word) == length && memcmp(kinds[i].word, cell->output, length) == 0)
            kind = kinds[i].kind;
    if (kind == OUTPUT_PICTURE)
        words = cell->output + length + strspn(cell->output + length, " \t");
    /* Before its text stand the empty lines that give it its place; further ones are its own. */
    size_t begin = cell->line < cell->script_length ? cell->line : cell->script_length;
    recorder_seal(recorder);
    return recorder_add(recorder, kind, cell->script + begin, cell->script_length - begin, words,
                        err);
}

bool recording_take_outputs(Recording *recording, Error *err) {
    const Document *document = recording->document;
    struct CellOutputs *outputs = NULL;
    for (int i = 0; i < document->cell_count; i++) {
        const Cell *cell = document->cells[i];
        if (cell->kind != CELL_OUTPUT) {
            outputs = &recording->cells[i];
            outputs->first = recording->recorder.count;
        } else if (outputs) {
            if (!take_output(&recording->recorder, cell, err)) return false;
            outputs->count++;
        }
    }
    return true;
}

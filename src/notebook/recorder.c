#include "notebook/recorder.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"

#include <string.h>

/* Adds an output; words: of a picture, which is text, or "". */
static bool add_output(Recorder *recorder, OutputKind kind, const char *bytes, size_t length,
                       const char *words, Error *err) {
    Output *grown = mem_grow(recorder->outputs, recorder->count, &recorder->capacity,
                             sizeof *recorder->outputs, err);
    if (!grown) return false;
    Text *text = &recorder->text;
    recorder->outputs = grown;
    grown[recorder->count++] = (Output){.kind = kind,
                                        .format = "text",
                                        .begin = text->length,
                                        .length = length,
                                        .words = text->length + length,
                                        .words_length = strlen(words)};
    text_bytes(text, bytes, length);
    text_string(text, words);
    return text_ok(text, err);
}

/* Keeps text that was written; several pieces in a row are one output. */
static bool keep_result(Host *host, const char *text, size_t length, Error *err) {
    Recorder *recorder = host->self;
    Output *last = recorder->count ? &recorder->outputs[recorder->count - 1] : NULL;
    if (!last || last->kind != OUTPUT_TEXT || recorder->sealed == recorder->count)
        return add_output(recorder, OUTPUT_TEXT, text, length, "", err);
    text_bytes(&recorder->text, text, length);
    last->length += length;
    return text_ok(&recorder->text, err);
}

static void keep_note(Host *host, const char *text) {
    add_output(host->self, OUTPUT_NOTE, text, strlen(text), "", NULL);
}

static bool keep_picture(Host *host, const char *format, const char *bytes, size_t length,
                         const char *words, Error *err) {
    Recorder *recorder = host->self;
    if (!add_output(recorder, OUTPUT_PICTURE, bytes, length, words, err)) return false;
    recorder->outputs[recorder->count - 1].format = format;
    return true;
}

void recorder_init(Recorder *recorder) {
    *recorder = (Recorder){.host = {.self = recorder,
                                    .write = keep_result,
                                    .note = keep_note,
                                    .picture = keep_picture,
                                    .columns = 80,
                                    .rows = 24,
                                    .utf8 = true},
                           .text = TEXT_EMPTY};
}

void recorder_release(Recorder *recorder) {
    mem_free(recorder->outputs);
    text_release(&recorder->text);
}

size_t recorder_seal(Recorder *recorder) { return recorder->sealed = recorder->count; }

bool recorder_add_error(Recorder *recorder, const Error *error, Error *err) {
    LocalText text = TEXT_EMPTY;
    if (error->line > 0) {
        text_format(&text, "    %s\n", error->excerpt);
        text_repeat(&text, ' ', (size_t)(4 + error->caret));
        text_repeat(&text, '^', (size_t)(error->caret_width > 0 ? error->caret_width : 1));
        text_char(&text, '\n');
    }
    text_say_error(&text, error);
    text_char(&text, '\n');
    if (*error->hint) {
        tr_write(&text, error->hint);
        text_char(&text, '\n');
    }
    return text_ok(&text, err) &&
           add_output(recorder, OUTPUT_ERROR, text.data, text.length, "", err);
}

void recorder_begin_unseen(Recorder *recorder, Session *session, bool as_typed) {
    recorder_init(recorder);
    recorder->seen = session->interp.host;
    recorder->host.interactive = as_typed && recorder->seen->interactive;
    session->interp.host = &recorder->host;
    session->interp.rehearses = as_typed;
}

void recorder_end_unseen(Recorder *recorder, Session *session) {
    session->interp.host = recorder->seen;
    session->interp.rehearses = false;
    recorder_release(recorder);
}

Value value_unseen(Session *session, const char *expression) {
    Value value = VALUE_MISSING;
    Error ignored = {.kind = ERR_NONE};
    Recorder unseen;
    recorder_begin_unseen(&unseen, session, true);
    session_begin_trial(session);
    if (!interp_evaluate(&session->interp, expression, &value, &ignored)) value = VALUE_MISSING;
    session_end_trial(session);
    recorder_end_unseen(&unseen, session);
    return value;
}

/* ---- documents ---- */

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

bool notebook_run_text(Session *session, const char *file, const char *text, size_t length,
                       Error *err) {
    bool notes = session->interp.notes;
    session->interp.notes = false;
    bool ok = session_run_text(session, file, text, length, err);
    session->interp.notes = notes;
    return ok;
}

bool notebook_run_cell(Session *session, const Cell *cell, Error *err) {
    const char *file = cell->document->file;
    if (cell->kind != CELL_PREDICT)
        return notebook_run_text(session, file, cell->script, cell->script_length, err);
    session_begin_trial(session);
    bool ok = notebook_run_text(session, file, cell->answer, strlen(cell->answer), err);
    session_end_trial(session);
    return ok;
}

/* Runs a cell for what it writes. */
static bool run_cell(Recording *recording, Session *session, const Cell *cell, Error *err) {
    Recorder *recorder = &recording->recorder;
    struct CellOutputs *outputs = &recording->cells[cell->index];
    Error shown = {.kind = ERR_NONE};
    outputs->first = recorder_seal(recorder);
    bool ok = notebook_run_cell(session, cell, &shown);
    if (!ok && cell->kind == CELL_ERROR && shown.kind == cell->expected)
        ok = recorder_add_error(recorder, &shown, err);
    else if (!ok && shown.kind != ERR_NONE && err) *err = shown;

    outputs->count = recorder_seal(recorder) - outputs->first;
    return ok;
}

bool recording_run(Recording *recording, Session *session, Error *err) {
    const Cell *predicted = NULL;
    for (const Cell *cell = recording->document->cells; cell; cell = cell->next) {
        bool runs = cell_runs(cell);
        if (cell->kind == CELL_PREDICT) predicted = cell;
        if ((runs || cell->kind == CELL_SOLUTION) && !run_cell(recording, session, cell, err))
            return false;
        if (!runs || !predicted) continue;
        if (!run_cell(recording, session, predicted, err)) return false;
        predicted = NULL;
    }
    return true;
}

bool document_has_outputs(const Document *document) {
    for (const Cell *cell = document->cells; cell; cell = cell->next)
        if (cell->kind == CELL_OUTPUT) return true;
    return false;
}

bool recording_take_outputs(Recording *recording, Error *err) {
    static const struct {
        const char *word;
        OutputKind kind;
    } kinds[] = {{"note", OUTPUT_NOTE}, {"error", OUTPUT_ERROR}, {"picture", OUTPUT_PICTURE}};
    Recorder *recorder = &recording->recorder;
    struct CellOutputs *outputs = NULL; /* of the cell above */
    for (const Cell *cell = recording->document->cells; cell; cell = cell->next) {
        if (cell->kind != CELL_OUTPUT) {
            outputs = &recording->cells[cell->index];
            outputs->first = recorder->count;
            continue;
        }
        if (!outputs) continue;
        OutputKind kind = OUTPUT_TEXT;
        const char *words = "", *info = cell->output;
        size_t length = strcspn(info, " \t");
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strlen(kinds[k].word) == length && memcmp(kinds[k].word, info, length) == 0)
                kind = kinds[k].kind;
        if (kind == OUTPUT_PICTURE) words = info + length + strspn(info + length, " \t");
        /* Before its text stand the empty lines that give it its place; further ones are its own.
         */
        size_t begin = smaller(cell->line, cell->script_length);
        recorder_seal(recorder);
        if (!add_output(recorder, kind, cell->script + begin, cell->script_length - begin, words,
                        err))
            return false;
        outputs->count++;
    }
    return true;
}

bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err) {
    LocalDocument *document = document_parse(file, markdown, length, err);
    if (!document) return false;
    int ran = 0;
    bool ok = true;
    for (const Cell *cell = document->cells; ok && cell; cell = cell->next) {
        if (cell->kind != CELL_RUN && cell->kind != CELL_SOLUTION) continue;
        Recorder unseen;
        if (cell->kind == CELL_SOLUTION) recorder_begin_unseen(&unseen, session, false);
        ok = run(session, file, cell->script, cell->script_length, err);
        if (cell->kind == CELL_SOLUTION) recorder_end_unseen(&unseen, session);
        else ran++;
    }
    if (ok && ran == 0)
        host_note(session->interp.host, "(%s has no cells: code blocks marked attn)\n", file);
    return ok;
}

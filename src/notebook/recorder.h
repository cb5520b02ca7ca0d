/* Cells that run where nobody watches: a Host that keeps what is written to it, and the runs of
 * whole documents. */
#ifndef ATTN_NOTEBOOK_RECORDER_H
#define ATTN_NOTEBOOK_RECORDER_H

#include "base/host.h"
#include "notebook/document.h"
#include "session/session.h"

typedef enum OutputKind { OUTPUT_TEXT, OUTPUT_NOTE, OUTPUT_ERROR, OUTPUT_PICTURE } OutputKind;

/* A piece of what was written; the places are those of bytes in the recorder's text. */
typedef struct Output {
    OutputKind kind;
    const char *format; /* of a picture: "svg" or "text" */
    size_t begin, length;
    size_t words, words_length; /* of a picture: what is on it, in words */
} Output;

typedef struct Recorder {
    Host host; /* of 80 columns, without colour */
    Text text; /* all that was written, in its order */
    Output *outputs;
    size_t count, capacity;
    size_t sealed; /* outputs before this one are whole */
    Host *seen;    /* the session's own, while the recorder stands for it */
} Recorder;

/* Pictures are text like any other; where host.pictures is then set, each is an output of its own.
 */
void recorder_init(Recorder *recorder);
void recorder_release(Recorder *recorder);

/* Ends the last output: what is written from now on is another. Returns their number so far. */
size_t recorder_seal(Recorder *recorder);

/* Adds an error as an output: the line with its place, the kind, the cause and the remedy. */
bool recorder_add_error(Recorder *recorder, const Error *error, Error *err);

/* Entries that a session runs between these two are not seen: they write to the recorder, which
 * asks nothing. as_typed: the bench follows as where a person types, and commands that steer the
 * lesson or the prompt do nothing. The second releases the recorder. */
void recorder_begin_unseen(Recorder *recorder, Session *session, bool as_typed);
void recorder_end_unseen(Recorder *recorder, Session *session);
/* The value of an expression in the session, which it does not change; VALUE_UNSET: it has none. */
Value value_unseen(Session *session, const char *expression);

/* ---- documents ---- */

/* A document whose cells have run: what each of them wrote. */
typedef struct Recording {
    const Document *document;
    Recorder recorder;
    struct CellOutputs {
        size_t first, count; /* of recorder.outputs */
    } * cells;               /* for each cell of the document */
} Recording;

/* pictures: as images, or as text. A session that is to run the cells writes to
 * recording->recorder.host. To be released also where this fails. */
bool recording_init(Recording *recording, const Document *document, HostPictures pictures,
                    Error *err);
void recording_release(Recording *recording);
#define LocalRecording __attribute__((cleanup(recording_release))) Recording

/* Runs the cells in their order. An exercise is solved by its solution, since later cells may build
 * on it; the output of a prediction is its answer, which is known once the next cell has run. A
 * cell that is to show an error has it as an output. False: a cell ended in an error; *err has its
 * place in the document. */
bool recording_run(Recording *recording, Session *session, Error *err);

/* True if the document holds outputs of its cells, as markdown_write and save session put them
 * there. */
bool document_has_outputs(const Document *document);
/* Takes these as the recording; nothing runs. */
bool recording_take_outputs(Recording *recording, Error *err);

/* Runs the text of a cell (session_run_text) without notes of habits: they are for what a person
 * types. The second runs a cell of a document; of a prediction the answer, on a copy of the
 * session.
 */
bool notebook_run_text(Session *session, const char *file, const char *text, size_t length,
                       Error *err);
bool notebook_run_cell(Session *session, const Cell *cell, Error *err);

/* Runs the cells of a document, whose prose is not shown, in their order, each with `run` as a text
 * of its own: a bracket or block that a cell leaves open is an error of that cell. An exercise is
 * solved by its solution, which nobody sees, since later cells may build on it. The first error
 * ends the run; its line is that of the document. This is the RunDocument that the shell gives to a
 * session. */
bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err);

#endif

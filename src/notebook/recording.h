/* A document whose cells have run: what each of them wrote. */
#ifndef ATTN_NOTEBOOK_RECORDING_H
#define ATTN_NOTEBOOK_RECORDING_H

#include "notebook/document.h"
#include "notebook/recorder.h"
#include "session/session.h"

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

#endif

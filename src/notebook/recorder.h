/* A Host that keeps what is written to it: for cells that run where nobody watches. */
#ifndef ATTN_NOTEBOOK_RECORDER_H
#define ATTN_NOTEBOOK_RECORDER_H

#include "base/host.h"

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
} Recorder;

/* Pictures are text like any other; where host.pictures is then set, each is an output of its own.
 */
void recorder_init(Recorder *recorder);
void recorder_release(Recorder *recorder);

/* Ends the last output: what is written from now on is another. Returns their number so far. */
size_t recorder_seal(Recorder *recorder);

/* Adds an output; words: of a picture, which is text, or "". */
bool recorder_add(Recorder *recorder, OutputKind kind, const char *bytes, size_t length,
                  const char *words, Error *err);
/* Adds an error as an output: the line with its place, the kind, the cause and the remedy. */
bool recorder_add_error(Recorder *recorder, const Error *error, Error *err);

#endif

#include "notebook/recorder.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Adds an output that begins at the end of the text, and gives it for what else is to be known of
 * it; NULL when memory runs out. */
static Output *add_output(Recorder *recorder, OutputKind kind, const char *bytes, size_t length,
                          Error *err) {
    Output *grown = mem_grow(recorder->outputs, recorder->count, &recorder->capacity,
                             sizeof *recorder->outputs, err);
    if (!grown) return NULL;
    recorder->outputs = grown;
    Output *output = &grown[recorder->count];
    *output = (Output){.kind = kind, .begin = recorder->text.length, .length = length};
    text_bytes(&recorder->text, bytes, length);
    if (!text_ok(&recorder->text, err)) return NULL;
    recorder->count++;
    return output;
}

/* What is written in several pieces is one output. */
static bool keep_result(Host *host, const char *text, size_t length, Error *err) {
    Recorder *recorder = host->self;
    Output *last = recorder->count ? &recorder->outputs[recorder->count - 1] : NULL;
    if (!last || last->kind != OUTPUT_TEXT || recorder->sealed == recorder->count)
        return add_output(recorder, OUTPUT_TEXT, text, length, err) != NULL;
    text_bytes(&recorder->text, text, length);
    last->length += length;
    return text_ok(&recorder->text, err);
}

static void keep_note(Host *host, const char *text) {
    add_output(host->self, OUTPUT_NOTE, text, strlen(text), NULL);
}

static bool keep_picture(Host *host, const char *format, const char *bytes, size_t length,
                         const char *words, Error *err) {
    Recorder *recorder = host->self;
    Output *output = add_output(recorder, OUTPUT_PICTURE, bytes, length, err);
    if (!output) return false;
    output->format = format;
    output->words = recorder->text.length;
    output->words_length = strlen(words);
    text_string(&recorder->text, words);
    return text_ok(&recorder->text, err);
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
    Text text = TEXT_EMPTY;
    if (error->line > 0) {
        text_format(&text, "    %s\n", error->excerpt);
        text_repeat(&text, ' ', (size_t)(4 + error->caret));
        text_repeat(&text, '^', (size_t)(error->caret_width > 0 ? error->caret_width : 1));
        text_char(&text, '\n');
    }
    text_format(&text, "%s error: %s\n", error_kind_word(error->kind), error->message);
    if (*error->hint) text_format(&text, "%s\n", error->hint);
    bool ok = text_ok(&text, err) &&
              add_output(recorder, OUTPUT_ERROR, text.data, text.length, err) != NULL;
    text_release(&text);
    return ok;
}

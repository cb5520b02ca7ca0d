#include "notebook/recorder.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

bool recorder_add(Recorder *recorder, OutputKind kind, const char *bytes, size_t length,
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

/* What is written in several pieces is one output. */
static bool keep_result(Host *host, const char *text, size_t length, Error *err) {
    Recorder *recorder = host->self;
    Output *last = recorder->count ? &recorder->outputs[recorder->count - 1] : NULL;
    if (!last || last->kind != OUTPUT_TEXT || recorder->sealed == recorder->count)
        return recorder_add(recorder, OUTPUT_TEXT, text, length, "", err);
    text_bytes(&recorder->text, text, length);
    last->length += length;
    return text_ok(&recorder->text, err);
}

static void keep_note(Host *host, const char *text) {
    recorder_add(host->self, OUTPUT_NOTE, text, strlen(text), "", NULL);
}

static bool keep_picture(Host *host, const char *format, const char *bytes, size_t length,
                         const char *words, Error *err) {
    Recorder *recorder = host->self;
    if (!recorder_add(recorder, OUTPUT_PICTURE, bytes, length, words, err)) return false;
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
              recorder_add(recorder, OUTPUT_ERROR, text.data, text.length, "", err);
    text_release(&text);
    return ok;
}

#include "notebook/recorder.h"

static bool keep_result(Host *host, const char *text, size_t length, Error *err) {
    Recorder *recorder = host->self;
    text_bytes(&recorder->text, text, length);
    return text_ok(&recorder->text, err);
}

static void keep_note(Host *host, const char *text) {
    Recorder *recorder = host->self;
    text_string(&recorder->text, text);
}

void recorder_init(Recorder *recorder) {
    *recorder = (Recorder){.host = {.self = recorder,
                                    .write = keep_result,
                                    .note = keep_note,
                                    .columns = 80,
                                    .rows = 24,
                                    .utf8 = true},
                           .text = TEXT_EMPTY};
}

void recorder_release(Recorder *recorder) { text_release(&recorder->text); }

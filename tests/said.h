/* For tests that make errors: each is said to its end, in the language of the session, as it is
 * shown in a document. */
#ifndef ATTN_TESTS_SAID_H
#define ATTN_TESTS_SAID_H

#include "base/characters.h"
#include "notebook/recorder.h"

/* False if what is said of an error is no UTF-8: a character was cut. */
static inline bool say_error(const Error *error) {
    Recorder recorder;
    recorder_init(&recorder);
    recorder_add_error(&recorder, error, NULL);
    const Text *said = &recorder.text;
    bool whole = utf8_check(said->data, said->length) == said->length;
    recorder_release(&recorder);
    return whole;
}

#endif

/* What the tokenizer in a folder makes of texts, for a program that compares it with another one.
 *
 *   encode FOLDER <TEXTS           texts end in a zero byte; a line of token numbers for each
 *   encode FOLDER kept <TEXTS      the same with the vocabulary as one of our checkpoints keeps it
 *
 * A text that does not come back whole from its tokens is said on stderr, for byte-level pairs. */
#include "base/error.h"
#include "base/memory.h"
#include "model/tokenizers/vocabulary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int say(const char *what, const Error *err) {
    fprintf(stderr, "%s: %s %s\n", what, err->message, err->hint);
    return 1;
}

/* The tokens as a line. False, with an error or with none, when they could not be had or when they
 * are not the text again. */
static bool encode(const Vocabulary *vocabulary, const char *text, Error *err) {
    size_t length = strlen(text), count;
    int *ids;
    if (!vocabulary_encode(vocabulary, text, length, &ids, &count, err)) return false;
    Text again = TEXT_EMPTY;
    bool ok = vocabulary_decode(vocabulary, ids, count, &again, err);
    for (size_t i = 0; i < count; i++) printf(i ? " %d" : "%d", ids[i]);
    printf("\n");
    if (ok && vocabulary->unit == TOKENS_BYTE_LEVEL) ok = strcmp(again.data, text) == 0;
    text_release(&again);
    mem_free(ids);
    return ok;
}

/* The vocabulary from its own JSON; the one that is given is released. */
static Vocabulary *kept(Vocabulary *vocabulary, Error *err) {
    Text json = TEXT_EMPTY;
    vocabulary_write_json(vocabulary, &json);
    Vocabulary *again =
        text_ok(&json, err) ? vocabulary_read_json(json.data, json.length, err) : NULL;
    text_release(&json);
    vocabulary_unref(vocabulary);
    return again;
}

int main(int count, char **words) {
    enum { MOST = 1 << 16 };
    Error err = {.kind = ERR_NONE};
    bool found;
    Text texts = TEXT_EMPTY;
    char bytes[MOST];
    if (count < 2) return 2;
    Vocabulary *vocabulary = vocabulary_open_folder(words[1], &found, &err);
    if (!vocabulary) return say(found ? "not read" : "no tokenizer", &err);
    if (count > 2 && !(vocabulary = kept(vocabulary, &err))) return say("not kept", &err);
    for (ssize_t got; (got = read(STDIN_FILENO, bytes, MOST)) > 0;)
        text_bytes(&texts, bytes, (size_t)got);
    int status = 0;
    for (size_t at = 0; at < texts.length; at += strlen(texts.data + at) + 1)
        if (!encode(vocabulary, texts.data + at, &err)) status = say("not the same again", &err);
    text_release(&texts);
    vocabulary_unref(vocabulary);
    return status;
}

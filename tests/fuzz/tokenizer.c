/* Any bytes as the files of a tokenizer: zero bytes stand between tokenizer_config.json and one or
 * two files of tokens. What is read must cut a text, give it back, and be written and read the
 * same. */
#include "tests/fuzz/harness.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/tokenizers/vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/attn-fuzz-XXXXXX";

static const char *const names[] = {"tokenizer_config.json", "vocab.json", "merges.txt",
                                    "vocab.txt", "tokenizer.json"};
enum { CONFIG, VOCAB_JSON, MERGES, VOCAB_TXT, TOKENIZER_JSON, FILES };

static void path_of(int file, char out[64]) { snprintf(out, 64, "%s/%s", folder, names[file]); }

static void remove_folder(void) {
    for (int file = 0; file < FILES; file++) {
        char path[64];
        path_of(file, path);
        unlink(path);
    }
    rmdir(folder);
}

static void put(int file, const char *bytes, size_t length) {
    char path[64];
    path_of(file, path);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, length, out) != length) abort();
    fclose(out);
}

/* Which files there are: with three parts vocab.json and merges.txt; with two vocab.txt, or
 * tokenizer.json where an object begins. */
static void put_files(const char *bytes, size_t length) {
    const char *parts[3];
    size_t lengths[3], count = 0;
    for (size_t at = 0; at <= length && count < 3; count++) {
        const char *zero = count < 2 ? memchr(bytes + at, 0, length - at) : NULL;
        parts[count] = bytes + at;
        lengths[count] = zero ? (size_t)(zero - parts[count]) : length - at;
        at += lengths[count] + 1;
    }
    if (lengths[0] > 0) put(CONFIG, parts[0], lengths[0]);
    if (count == 3) {
        put(VOCAB_JSON, parts[1], lengths[1]);
        put(MERGES, parts[2], lengths[2]);
    } else if (count == 2) {
        put(lengths[1] > 0 && *parts[1] == '{' ? TOKENIZER_JSON : VOCAB_TXT, parts[1], lengths[1]);
    }
}

/* The tokens of a text; an empty list where it has none. */
static int *encoded(const Vocabulary *vocabulary, const char *text, size_t *count) {
    Error err = {0};
    int *ids = NULL;
    if (!vocabulary_encode(vocabulary, text, strlen(text), &ids, count, &err)) *count = 0;
    return ids;
}

static void use(Vocabulary *vocabulary) {
    static const char text[] = "ab aab's a\xcc\x81 [MASK]  Ab\xe4\xb8\xad<|endoftext|>b12!\xff \n";
    Error err = {0};
    Text json = TEXT_EMPTY, decoded = TEXT_EMPTY;
    size_t count, count_again;
    int *ids = encoded(vocabulary, text, &count);
    if (ids && !vocabulary_decode(vocabulary, ids, count, &decoded, &err)) abort();
    vocabulary_write_json(vocabulary, &json);
    Vocabulary *again = vocabulary_read_json(json.data, json.length, &err);
    if (!again || !vocabulary_equal(vocabulary, again)) abort();
    int *ids_again = encoded(again, text, &count_again);
    if (count != count_again || (count && memcmp(ids, ids_again, count * sizeof *ids) != 0))
        abort();
    mem_free(ids);
    mem_free(ids_again);
    vocabulary_unref(again);
    text_release(&decoded);
    text_release(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool made;
    Error err = {0};
    bool found;
    mem_set_limit(256 << 20);
    if (!made && !mkdtemp(folder)) abort();
    if (!made) atexit(remove_folder);
    made = true;
    for (int file = 0; file < FILES; file++) {
        char path[64];
        path_of(file, path);
        unlink(path);
    }
    size_t before = mem_used();
    put_files((const char *)data, size);
    Vocabulary *vocabulary = vocabulary_open_folder(folder, &found, &err);
    if (vocabulary) use(vocabulary);
    vocabulary_unref(vocabulary);
    if (mem_used() != before) abort();
    return 0;
}

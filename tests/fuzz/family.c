/* Any bytes as a checkpoint of others: zero bytes end config.json and the index of several files;
 * the rest is the first file of tensors, and with an index a second one is always the same. An
 * empty index is none. A model that is opened must run, and be written and read the same. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "engine/tensor/threads.h"
#include "model/checkpoint.h"
#include "model/families/family.h"
#include "tests/model/same_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/attn-fuzz-XXXXXX";

static const char *const names[] = {"config.json", "model.safetensors.index.json",
                                    "model.safetensors", "second.safetensors"};
enum { CONFIG, INDEX, FIRST, SECOND, FILES };

static void path_of(int file, char out[64]) { snprintf(out, 64, "%s/%s", folder, names[file]); }

static void remove_files(void) {
    for (int file = 0; file < FILES; file++) {
        char path[64];
        path_of(file, path);
        unlink(path);
    }
}

static void remove_folder(void) {
    remove_files();
    rmdir(folder);
}

static void put(int file, const char *bytes, size_t length) {
    char path[64];
    path_of(file, path);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, length, out) != length) abort();
    fclose(out);
}

/* The final norm of a GPT-2 of width 2. */
static void put_second(void) {
    static const char header[] =
        "{\"ln_f.weight\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
        "\"ln_f.bias\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[8,12]}}";
    char bytes[8 + sizeof header + 11] = {(char)(sizeof header - 1)};
    memcpy(bytes + 8, header, sizeof header - 1);
    put(SECOND, bytes, sizeof bytes);
}

static void put_files(const char *bytes, size_t length) {
    for (int file = CONFIG; file <= FIRST; file++) {
        const char *zero = file < FIRST ? memchr(bytes, 0, length) : NULL;
        size_t part = zero ? (size_t)(zero - bytes) : length;
        if (part > 0) put(file, bytes, part);
        if (part > 0 && file == INDEX) put_second();
        part += zero != NULL;
        bytes += part;
        length -= part;
    }
}

static void run(const Transformer *model) {
    static const int zeros[2] = {0};
    Error err = {0};
    Tensor *out;
    const Tokens tokens = {1, model->config.max_len < 2 ? 1 : 2, zeros, NULL, NULL};
    const ForwardOptions options = {.stream = model->config.head == HEAD_NONE};
    if (transformer_forward(model, NULL, &tokens, &tokens, &options, &out, &err)) tensor_unref(out);
}

static void write_and_read(const Transformer *model) {
    Error err = {0};
    Text bytes = TEXT_EMPTY;
    Safetensors file;
    Transformer again;
    if (!checkpoint_write(&bytes, model, false, &err)) abort();
    if (!safetensors_parse(&file, bytes.data, bytes.length, &err)) abort();
    if (!checkpoint_open(&again, &file, &err)) abort();
    const Tensor *was = model->parameters.block, *is = again.parameters.block;
    if (!same_config(&model->config, &again.config) ||
        memcmp(is->data, was->data, was->count * dtype_size(was->dtype)) != 0)
        abort();
    transformer_release(&again);
    safetensors_release(&file);
    text_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool made;
    Error err = {0};
    Transformer model;
    mem_set_limit(256 << 20);
    threads_set(1);
    if (!made && !mkdtemp(folder)) abort();
    if (!made) atexit(remove_folder);
    made = true;
    remove_files();
    size_t before = mem_used();
    put_files((const char *)data, size);
    if (family_open(&model, folder, &err)) {
        run(&model);
        write_and_read(&model);
        transformer_release(&model);
    } else if (err.kind == ERR_NONE) {
        abort();
    }
    if (mem_used() != before) abort();
    return 0;
}

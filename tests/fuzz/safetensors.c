/* Any bytes as a .safetensors file; what is read must be written and read the same. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "io/safetensors.h"

#include <stdlib.h>
#include <string.h>

static void write_and_read(const Safetensors *file, SafetensorsItem *items) {
    Error err = {0};
    Text text = TEXT_EMPTY;
    Safetensors again;
    if (safetensors_write(&text, items, file->count, NULL, 0, &err)) {
        if (!safetensors_parse(&again, text.data, text.length, &err)) abort(); /* our own file */
        if (again.count != file->count) abort();
        for (size_t i = 0; i < again.count; i++)
            if (strcmp(again.entries[i].name, file->entries[i].name) != 0) abort();
        safetensors_release(&again);
    }
    text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error err = {0};
    Safetensors file;
    mem_set_limit(256 << 20);
    size_t before = mem_used();
    if (safetensors_parse(&file, (const char *)data, size, &err)) {
        SafetensorsItem *items = mem_zeroed(file.count, sizeof *items, &err);
        bool ok = items != NULL;
        for (size_t i = 0; ok && i < file.count; i++) {
            Tensor *tensor = safetensors_tensor(&file, &file.entries[i], &err);
            ok = tensor != NULL;
            if (!ok) break;
            items[i] =
                (SafetensorsItem){file.entries[i].name, tensor, safetensors_type_of(tensor->dtype)};
        }
        if (ok) write_and_read(&file, items);
        for (size_t i = 0; items && i < file.count; i++) tensor_unref(items[i].tensor);
        mem_free(items);
        safetensors_release(&file);
    }
    if (mem_used() != before) abort();
    return 0;
}

/* Any bytes as an .npy file; what is read must be written and read the same. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "io/array_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error err = {0};
    Text text;
    mem_set_limit(256 << 20);
    size_t before = mem_used();
    text_init(&text);
    Tensor *tensor = npy_parse((const char *)data, size, &err);
    if (tensor && npy_write(&text, tensor, &err)) {
        Tensor *again = npy_parse(text.data, text.length, &err);
        if (!again) abort(); /* our own file must be readable */
        tensor_unref(again);
    }
    tensor_unref(tensor);
    text_release(&text);
    if (mem_used() != before) abort();
    return 0;
}

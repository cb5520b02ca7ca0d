/* Any bytes as numbers in a text file, with each of the separators; what is
 * read must be written and read again. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "io/array_file.h"

#include <stdlib.h>

static void read_and_write(const char *bytes, size_t length, char separator) {
    Error err = {0};
    Text text;
    text_init(&text);
    Tensor *tensor = csv_parse(bytes, length, separator, &err);
    if (tensor && csv_write(&text, tensor, ',', &err)) {
        Tensor *again = csv_parse(text.data, text.length, ',', &err);
        if (!again) abort(); /* our own file must be readable */
        tensor_unref(again);
    }
    tensor_unref(tensor);
    text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    mem_set_limit(256 << 20);
    size_t before = mem_used();
    for (const char *separator = ",\t"; *separator; separator++)
        read_and_write((const char *)data, size, *separator);
    read_and_write((const char *)data, size, 0);
    if (mem_used() != before) abort();
    return 0;
}

/* Finds the format of an array in a file by the suffix of its name. */
#include "io/array_file.h"

#include "base/error.h"
#include "io/file.h"

typedef struct ArrayFormat {
    const char *suffix;
    bool writable;
    bool npy;       /* false: numbers in rows */
    char separator; /* between the numbers of a row; 0: white space */
} ArrayFormat;

static const ArrayFormat formats[] = {
    {"npy", true, true, 0},
    {"csv", true, false, ','},
    {"tsv", true, false, '\t'},
    {"txt", false, false, 0},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const ArrayFormat *format_of(const char *path, bool writing, Error *err) {
    for (int i = 0; i < FORMATS; i++) {
        if (path_has_suffix(path, formats[i].suffix) && (formats[i].writable || !writing))
            return &formats[i];
    }
    const char *suffix = path_suffix(path);
    if (*suffix) error_set(err, ERR_VALUE, "%s: arrays are not kept in .%s files", path, suffix);
    else error_set(err, ERR_VALUE, "%s has no suffix that says what kind of file it is", path);
    error_hint(err, writing ? "a name that ends in .npy, .csv or .tsv, or .safetensors for a record"
                            : "a name that ends in .npy, .csv, .tsv, .txt or .safetensors");
    return NULL;
}

Tensor *array_load(const char *path, Error *err) {
    const ArrayFormat *format = format_of(path, false, err);
    LocalText bytes = TEXT_EMPTY;
    Tensor *tensor = NULL;
    if (format && file_read(path, 0, &bytes, err)) {
        tensor = format->npy ? npy_parse(bytes.data, bytes.length, err)
                             : csv_parse(bytes.data, bytes.length, format->separator, err);
        if (!tensor && err && err->kind == ERR_FILE) { /* parsers do not know the file */
            Error inner = *err;
            error_set(err, ERR_FILE, "%s: %s", path, inner.message);
            if (*inner.hint) error_hint(err, "%s", inner.hint);
        }
    }
    return tensor;
}

bool array_save(const char *path, const Tensor *tensor, Error *err) {
    const ArrayFormat *format = format_of(path, true, err);
    if (!format) return false;
    Text bytes = TEXT_EMPTY;
    bool ok = format->npy ? npy_write(&bytes, tensor, err)
                          : csv_write(&bytes, tensor, format->separator, err);
    return file_write_text(ok, path, &bytes, err);
}

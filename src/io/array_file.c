/* Which format an array has in a file, by the suffix of its name. */
#include "io/array_file.h"

#include "io/file.h"

typedef struct Format {
    const char *suffix;
    bool npy, writable;
    char separator;
} Format;

static const Format formats[] = {
    {"npy", true, true, 0},
    {"csv", false, true, ','},
    {"tsv", false, true, '\t'},
    {"txt", false, false, 0},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const Format *format_of(const char *path, bool writing, Error *err) {
    for (int i = 0; i < FORMATS; i++) {
        if (path_has_suffix(path, formats[i].suffix) && (formats[i].writable || !writing))
            return &formats[i];
    }
    const char *suffix = path_suffix(path);
    if (*suffix) error_set(err, ERR_VALUE, "%s: arrays are not kept in .%s files", path, suffix);
    else error_set(err, ERR_VALUE, "%s has no suffix that says what kind of file it is", path);
    error_hint(err, writing ? "a name that ends in .npy, .csv or .tsv"
                            : "a name that ends in .npy, .csv, .tsv or .txt");
    return NULL;
}

static Tensor *parse(const Format *format, const char *bytes, size_t length, Error *err) {
    return format->npy ? npy_parse(bytes, length, err)
                       : csv_parse(bytes, length, format->separator, err);
}

/* The parsers know the place in the bytes, not the file. */
static void name_the_file(Error *err, const char *path) {
    if (!err || err->kind != ERR_FILE) return;
    Error inner = *err;
    error_set(err, ERR_FILE, "%s: %s", path, inner.message);
    if (*inner.hint) error_hint(err, "%s", inner.hint);
}

Tensor *array_load(const char *path, Error *err) {
    const Format *format = format_of(path, false, err);
    Text bytes;
    text_init(&bytes);
    Tensor *tensor = NULL;
    if (format && file_read(path, 0, &bytes, err)) {
        tensor = parse(format, bytes.data, bytes.length, err);
        if (!tensor) name_the_file(err, path);
    }
    text_release(&bytes);
    return tensor;
}

bool array_save(const char *path, const Tensor *tensor, Error *err) {
    const Format *format = format_of(path, true, err);
    if (!format) return false;
    Text bytes;
    text_init(&bytes);
    bool ok = (format->npy ? npy_write(&bytes, tensor, err)
                           : csv_write(&bytes, tensor, format->separator, err)) &&
              file_write(path, bytes.data, bytes.length, err);
    text_release(&bytes);
    return ok;
}

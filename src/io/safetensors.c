/* Named arrays in one file, read piece by piece. */
#include "io/safetensors.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "io/file.h"
#include "io/numbers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LENGTH_BYTES = 8,       /* of the header's length */
    HEADER_MAX = 100000000, /* bytes; other readers refuse more, too */
    TENSORS_MAX = 1 << 16,  /* in a file: names in a record are searched one by one */
    ALIGNMENT = 8,          /* of the numbers */
    PIECE = 8192,           /* numbers converted at once */
};

static const char metadata_key[] = "__metadata__";

/* By SafetensorsType. */
static const struct {
    const char *name;
    NumberType number;
} types[] = {
    {"BOOL", {'b', 1}}, {"F16", {'f', 2}}, {"BF16", {'g', 2}}, {"F32", {'f', 4}}, {"F64", {'f', 8}},
    {"I8", {'i', 1}},   {"U8", {'u', 1}},  {"I16", {'i', 2}},  {"U16", {'u', 2}}, {"I32", {'i', 4}},
    {"U32", {'u', 4}},  {"I64", {'i', 8}}, {"U64", {'u', 8}},
};
enum { TYPES = sizeof types / sizeof *types };

static size_t width_of(SafetensorsType type) { return types[type].number.width; }

const char *safetensors_type_name(SafetensorsType type) { return types[type].name; }

SafetensorsType safetensors_type_of(DType dtype) {
    return dtype == DTYPE_BOOL    ? SAFETENSORS_BOOL
           : dtype == DTYPE_FLOAT ? SAFETENSORS_F32
                                  : SAFETENSORS_F64;
}

/* ---- messages ---- */

/* Returns false always. */
static bool tensor_error(Error *err, const char *name, const char *format, ...) ATTN_PRINTF(3, 4);

static bool tensor_error(Error *err, const char *name, const char *format, ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(err, ERR_FILE, "tensor \"%s\" %s", quoted_text(name).text, what);
}

/* ---- the bytes of the file ---- */

static bool read_bytes(const Safetensors *file, size_t at, size_t length, void *out, Error *err) {
    enum { MOST = 1 << 24 }; /* bytes between two looks at the interrupt flag */
    if (file->bytes) {
        memcpy(out, file->bytes + at, length);
        return true;
    }
    for (char *next = out; length > 0;) {
        if (interrupted(err)) return false;
        ssize_t got = pread(file->descriptor, next, smaller(length, MOST), (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(err, "read", file->path, errno);
        if (got == 0)
            return error_set(err, ERR_FILE, "%s became shorter while it was read", file->path);
        next += got;
        at += (size_t)got;
        length -= (size_t)got;
    }
    return true;
}

/* ---- the header ---- */

static bool read_json(Safetensors *file, const char *text, size_t length, Error *err) {
    if (text[0] != '{') return error_set(err, ERR_FILE, "its header does not begin with {");
    return json_tree_read(&file->header, text, length, "its header", err);
}

/* Reads the header's JSON; *data: where the numbers begin. */
static bool read_header(Safetensors *file, size_t *data, Error *err) {
    unsigned char length_bytes[LENGTH_BYTES];
    if (file->length < LENGTH_BYTES + 2)
        return error_set(err, ERR_FILE, "it is no safetensors file: it has %zu bytes",
                         file->length);
    if (!read_bytes(file, 0, LENGTH_BYTES, length_bytes, err)) return false;
    uint64_t length = bits_64(length_bytes);
    if (length < 2 || length > file->length - LENGTH_BYTES)
        return error_set(err, ERR_FILE,
                         "it is no safetensors file, or was cut off: it says that its header has "
                         "%llu bytes, and %zu follow",
                         (unsigned long long)length, file->length - LENGTH_BYTES);
    if (length > HEADER_MAX)
        return error_set(err, ERR_FILE, "its header has %llu bytes, and at most %d are read",
                         (unsigned long long)length, HEADER_MAX);
    *data = LENGTH_BYTES + (size_t)length;
    if (file->bytes) return read_json(file, file->bytes + LENGTH_BYTES, (size_t)length, err);
    LocalMemory char *text = mem_alloc((size_t)length, err);
    return text && read_bytes(file, LENGTH_BYTES, (size_t)length, text, err) &&
           read_json(file, text, (size_t)length, err);
}

/* A whole number >= 0 of the header. */
static bool size_of_json(const json_t *value, size_t *out) {
    if (!json_is_integer(value)) return false;
    json_int_t number = json_integer_value(value);
    *out = (size_t)number;
    return number >= 0 && (uint64_t)number <= SIZE_MAX / 2;
}

/* Reads what the header says of one tensor, and checks it against itself and against the file. */
static bool read_entry(const Safetensors *file, size_t data, const json_t *value,
                       SafetensorsEntry *entry, Error *err) {
    const char *type = json_string_value(json_object_get(value, "dtype"));
    const json_t *places = json_object_get(value, "data_offsets"),
                 *shape = json_object_get(value, "shape");
    size_t bytes, begin, end, there = file->length - data, row = 0;
    if (!type) return tensor_error(err, entry->name, "has no dtype");
    while (row < TYPES && strcmp(types[row].name, type) != 0) row++;
    if (row == TYPES)
        return tensor_error(err, entry->name, "holds numbers of type %s, which are not read here",
                            quoted_text(type).text);
    entry->type = (SafetensorsType)row;

    if (!json_is_array(shape)) return tensor_error(err, entry->name, "has no shape");
    size_t axes = json_array_size(shape);
    if (axes > AXES_MAX)
        return tensor_error(err, entry->name, "has %zu axes, and arrays have at most %d here", axes,
                            AXES_MAX);
    entry->shape = (Shape){.axes = (int)axes};
    for (size_t i = 0; i < axes; i++) {
        if (!size_of_json(json_array_get(shape, i), &entry->shape.size[i]))
            return tensor_error(err, entry->name, "has a shape with what is no size");
    }
    if (!shape_count(&entry->shape, &entry->count, NULL))
        return tensor_error(err, entry->name, "has a shape that is too large");

    if (json_array_size(places) != 2 || !size_of_json(json_array_get(places, 0), &begin) ||
        !size_of_json(json_array_get(places, 1), &end) || begin > end)
        return tensor_error(err, entry->name, "has no data_offsets from a byte to a later one");
    if (end > there)
        return tensor_error(err, entry->name,
                            "ends %zu bytes behind the header, and the file has only %zu there",
                            end, there);
    if (!size_multiply(entry->count, width_of(entry->type), &bytes) || bytes != end - begin)
        return tensor_error(err, entry->name,
                            "has %zu bytes, which is not what %s numbers of type %s take",
                            end - begin, shape_words(&entry->shape), types[row].name);
    entry->begin = data + begin;
    return true;
}

static size_t entry_end(const SafetensorsEntry *entry) {
    return entry->begin + entry->count * width_of(entry->type);
}

/* Orders by offset in the file; tensors without numbers in front of the one that begins there. */
static int compare_places(const void *a, const void *b) {
    const SafetensorsEntry *x = *(const SafetensorsEntry *const *)a,
                           *y = *(const SafetensorsEntry *const *)b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    size_t x_end = entry_end(x), y_end = entry_end(y);
    return (x_end > y_end) - (x_end < y_end);
}

static bool read_entries(Safetensors *file, size_t data, Error *err) {
    json_t *metadata = json_object_get(file->header.root, metadata_key), *value;
    const char *name;
    if (metadata && !json_is_object(metadata))
        return error_set(err, ERR_FILE, "the %s of its header is no object", metadata_key);
    json_object_foreach(metadata, name, value) { /* there may be none */
        if (!json_text(value))
            return error_set(err, ERR_FILE, "\"%s\" in the %s of its header is no text",
                             quoted_text(name).text, metadata_key);
    }
    size_t count = json_object_size(file->header.root) - (metadata != NULL);
    if (count > TENSORS_MAX)
        return error_set(err, ERR_LIMIT, "it holds %zu tensors, and at most %d are read", count,
                         TENSORS_MAX);
    file->entries = mem_zeroed(count, sizeof *file->entries, err);
    if (!file->entries) return false;
    json_object_foreach(file->header.root, name, value) {
        if (strcmp(name, metadata_key) == 0) continue;
        SafetensorsEntry *entry = &file->entries[file->count++];
        entry->name = name;
        if (!read_entry(file, data, value, entry, err)) return false;
    }

    /* Every byte behind the header must belong to one tensor. */
    LocalMemory const SafetensorsEntry **order = mem_alloc(file->count * sizeof *order, err);
    if (!order) return false;
    for (size_t i = 0; i < file->count; i++) order[i] = &file->entries[i];
    qsort(order, file->count, sizeof *order, compare_places);
    size_t at = data;
    for (size_t i = 0; i < file->count; i++) {
        if (order[i]->begin < at)
            return tensor_error(err, order[i]->name, "overlaps tensor \"%s\"",
                                quoted_text(order[i - 1]->name).text);
        if (order[i]->begin > at)
            return tensor_error(err, order[i]->name, "follows %zu bytes that belong to no tensor",
                                order[i]->begin - at);
        at = entry_end(order[i]);
    }
    return at == file->length ||
           error_set(err, ERR_FILE, "%zu bytes at its end belong to no tensor", file->length - at);
}

/* ---- opening ---- */

static bool read_all_but_numbers(Safetensors *file, Error *err) {
    size_t data = 0;
    if (read_header(file, &data, err) && read_entries(file, data, err)) return true;
    safetensors_release(file);
    return false;
}

bool safetensors_parse(Safetensors *file, const char *bytes, size_t length, Error *err) {
    *file = (Safetensors){.descriptor = -1, .bytes = bytes, .length = length};
    return read_all_but_numbers(file, err);
}

bool safetensors_open(Safetensors *file, const char *path, Error *err) {
    struct stat status;
    *file = (Safetensors){.descriptor = -1};
    /* Opens without blocking, for a pipe without a writer would wait here; it is refused then. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return system_error(err, "read", path, errno);
    file->descriptor = fd;
    file->path = mem_string(path, strlen(path), err);
    bool ok = file->path != NULL;
    if (ok && fstat(fd, &status) != 0) ok = system_error(err, "read", path, errno);
    if (ok && S_ISDIR(status.st_mode)) ok = system_error(err, "read", path, EISDIR);
    if (ok && !S_ISREG(status.st_mode))
        ok = error_set(err, ERR_FILE, "cannot read %s: it is a pipe or a device", path);
    if (!ok) {
        safetensors_release(file);
        return false;
    }
    file->length = (size_t)status.st_size;
    Error inner = {0};
    if (read_all_but_numbers(file, &inner)) return true;
    if (err) *err = inner;
    if (inner.kind == ERR_FILE) error_set(err, ERR_FILE, "%s: %s", path, inner.message);
    return false;
}

void safetensors_release(Safetensors *file) {
    mem_free(file->entries);
    json_tree_release(&file->header);
    mem_free(file->path);
    if (file->descriptor >= 0) close(file->descriptor);
    *file = (Safetensors){.descriptor = -1};
}

const SafetensorsEntry *safetensors_find(const Safetensors *file, const char *name) {
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->entries[i].name, name) == 0) return &file->entries[i];
    }
    return NULL;
}

const char *safetensors_metadata(const Safetensors *file, const char *key) {
    return json_string_value(
        json_object_get(json_object_get(file->header.root, metadata_key), key));
}

Tensor *safetensors_tensor(const Safetensors *file, const SafetensorsEntry *entry, Error *err) {
    unsigned char bytes[PIECE * 8];
    double numbers[PIECE];
    size_t width = width_of(entry->type);
    Tensor *tensor = tensor_new(number_type_dtype(types[entry->type].number), &entry->shape, err);
    if (!tensor) return NULL;
    for (size_t at = 0; at < entry->count; at += PIECE) {
        size_t count = smaller(entry->count - at, PIECE);
        if (interrupted(err) ||
            !read_bytes(file, entry->begin + at * width, count * width, bytes, err))
            return tensor_if(false, tensor);
        numbers_read(types[entry->type].number, bytes, false, count, numbers);
        tensor_write(tensor, at, count, numbers);
    }
    return tensor;
}

/* Numbers of 16 bits as floats. */
static bool read_halves(const Safetensors *file, const SafetensorsEntry *entry, size_t at,
                        size_t count, float *out, Error *err) {
    float (*to_float)(uint16_t) = entry->type == SAFETENSORS_F16 ? half_to_float : bfloat_to_float;
    unsigned char bytes[PIECE * 2];
    for (size_t done = 0; done < count; done += PIECE) {
        size_t piece = smaller(count - done, PIECE);
        if (!read_bytes(file, entry->begin + (at + done) * 2, piece * 2, bytes, err)) return false;
        for (size_t i = 0; i < piece; i++) out[done + i] = to_float(bits_16(bytes + 2 * i));
    }
    return true;
}

bool safetensors_floats(const Safetensors *file, const SafetensorsEntry *entry, size_t at,
                        size_t count, float *out, Error *err) {
    assert(at <= entry->count && count <= entry->count - at);
    if (entry->type == SAFETENSORS_F16 || entry->type == SAFETENSORS_BF16)
        return read_halves(file, entry, at, count, out, err);
    assert(entry->type == SAFETENSORS_F32);
    if (!read_bytes(file, entry->begin + at * sizeof *out, count * sizeof *out, out, err))
        return false;
    for (size_t i = 0; i < count; i++) { /* from the file's order of bytes to the machine's */
        uint32_t bits = bits_32((unsigned char *)&out[i]);
        memcpy(&out[i], &bits, sizeof bits);
    }
    return true;
}

/* ---- writing ---- */

bool safetensors_write(Text *out, const SafetensorsItem *items, size_t count,
                       const SafetensorsText *metadata, size_t texts, Error *err) {
    if (count > TENSORS_MAX)
        return error_set(err, ERR_LIMIT, "a safetensors file holds at most %d arrays here, not %zu",
                         TENSORS_MAX, count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].name, metadata_key) == 0)
            return error_set(err, ERR_VALUE, "no array in a safetensors file can have the name %s",
                             metadata_key);
    }
    LocalMemory size_t *begin = mem_alloc(count * sizeof *begin, err);
    if (!begin) return false;
    for (size_t width = 8, end = 0; width > 0; width /= 2) {
        for (size_t i = 0; i < count; i++) {
            if (width_of(items[i].type) != width) continue;
            begin[i] = end;
            end += items[i].tensor->count * width;
        }
    }

    LocalText header = TEXT_FOR(out);
    text_char(&header, '{');
    for (size_t i = 0; i < texts; i++) {
        if (i == 0) text_format(&header, "\"%s\":{", metadata_key);
        json_write_text(&header, metadata[i].key);
        text_char(&header, ':');
        json_write_text(&header, metadata[i].text);
        text_string(&header, i + 1 < texts ? "," : count ? "}," : "}");
    }
    for (size_t i = 0; i < count; i++) {
        const Tensor *tensor = items[i].tensor;
        size_t bytes = tensor->count * width_of(items[i].type);
        json_write_text(&header, items[i].name);
        text_format(&header, ":{\"dtype\":\"%s\",\"shape\":[", types[items[i].type].name);
        for (int axis = 0; axis < tensor->shape.axes; axis++)
            text_format(&header, axis ? ",%zu" : "%zu", tensor->shape.size[axis]);
        text_format(&header, "],\"data_offsets\":[%zu,%zu]}", begin[i], begin[i] + bytes);
        if (i + 1 < count) text_char(&header, ',');
    }
    text_char(&header, '}');
    text_repeat(&header, ' ', (ALIGNMENT - header.length % ALIGNMENT) % ALIGNMENT);

    unsigned char length[LENGTH_BYTES];
    put_bits(length, header.length, LENGTH_BYTES);
    text_bytes(out, (const char *)length, LENGTH_BYTES);
    text_bytes(out, header.data, header.length);
    for (size_t width = 8; width > 0; width /= 2) {
        for (size_t i = 0; i < count; i++) {
            if (width_of(items[i].type) == width &&
                !numbers_write(out, items[i].tensor, types[items[i].type].number, err))
                return false;
        }
    }
    return text_ok(out, err);
}

bool safetensors_save(const char *path, const SafetensorsItem *items, size_t count,
                      const SafetensorsText *metadata, size_t texts, Error *err) {
    Text bytes = TEXT_EMPTY;
    bool ok = safetensors_write(&bytes, items, count, metadata, texts, err);
    return file_write_text(ok, path, &bytes, err);
}

/* The format is described in numpy.lib.format: magic, version, length, then
 * {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } padded with
 * spaces so that the numbers begin at a multiple of 64. */
#include "io/npy_header.h"

#include <stdint.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, ALIGNMENT = 64 };

/* The dictionary while it is read. */
typedef struct Reader {
    const char *at, *end;
    Error *err;
} Reader;

typedef struct Word {
    const char *text;
    size_t length;
} Word;

static bool broken(Reader *r, const char *what) {
    return error_set(r->err, ERR_FILE, "the header of the npy file is damaged: %s", what);
}

static void skip_space(Reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool take(Reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool read_string(Reader *r, Word *out) {
    skip_space(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
        return broken(r, "a text in quotes is missing");
    char quote = *r->at++;
    const char *close = memchr(r->at, quote, (size_t)(r->end - r->at));
    if (!close) return broken(r, "a quote is not closed");
    *out = (Word){r->at, (size_t)(close - r->at)};
    r->at = close + 1;
    return true;
}

static bool word_is(const Word *word, const char *text) {
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

static bool read_bool(Reader *r, bool *out) {
    skip_space(r);
    size_t left = (size_t)(r->end - r->at);
    *out = left >= 4 && memcmp(r->at, "True", 4) == 0;
    if (!*out && (left < 5 || memcmp(r->at, "False", 5) != 0))
        return broken(r, "fortran_order is neither True nor False");
    r->at += *out ? 4 : 5;
    return true;
}

/* A size; Python 2 wrote an L behind it. */
static bool read_size(Reader *r, size_t *out) {
    skip_space(r);
    const char *start = r->at;
    *out = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        size_t digit = (size_t)(*r->at - '0');
        if (*out > (SIZE_MAX - digit) / 10) return broken(r, "a size has too many digits");
        *out = *out * 10 + digit;
    }
    if (r->at == start) return broken(r, "a size is not a number");
    if (r->at < r->end && *r->at == 'L') r->at++;
    return true;
}

static bool read_shape(Reader *r, Shape *out) {
    *out = shape_scalar();
    if (!take(r, '(')) return broken(r, "the shape is no tuple");
    while (!take(r, ')')) {
        if (out->axes == AXES_MAX)
            return error_set(r->err, ERR_FILE,
                             "the array has more than the %d axes that arrays can have here",
                             AXES_MAX);
        if (!read_size(r, &out->size[out->axes++])) return false;
        if (!take(r, ',') && (r->at == r->end || *r->at != ')'))
            return broken(r, "the shape does not end");
    }
    return true;
}

static bool known_type(char kind, size_t width) {
    switch (kind) {
    case 'f': return width == 2 || width == 4 || width == 8;
    case 'i':
    case 'u': return width == 1 || width == 2 || width == 4 || width == 8;
    case 'b': return width == 1;
    default: return false;
    }
}

static bool host_is_big_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static bool unread_type(Reader *r, const Word *type) {
    error_set(r->err, ERR_FILE, "it holds numbers of type %.*s, which are not read here",
              (int)(type->length < 40 ? type->length : 40), type->text);
    return error_hint(r->err, "in Python: numpy.save(path, a.astype(float))");
}

/* <f8: byte order, kind, bytes. */
static bool read_type(Reader *r, NpyHeader *out) {
    Word type;
    skip_space(r);
    if (r->at < r->end && *r->at == '[')
        return error_set(r->err, ERR_FILE,
                         "it holds records with named fields, which are not read here");
    if (!read_string(r, &type)) return false;
    bool ordered = type.length == 3 && strchr("<>|=", type.text[0]) != NULL;
    if (!ordered && type.length != 2) return unread_type(r, &type);
    out->big_endian = ordered && type.text[0] == '>'   ? true
                      : ordered && type.text[0] == '<' ? false
                                                       : host_is_big_endian();
    out->kind = type.text[type.length - 2];
    if (out->kind == '?' || type.text[type.length - 1] < '1' || type.text[type.length - 1] > '9')
        return unread_type(r, &type);
    out->width = (size_t)(type.text[type.length - 1] - '0');
    return known_type(out->kind, out->width) || unread_type(r, &type);
}

enum { HAS_TYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static bool read_entry(Reader *r, NpyHeader *out, int *seen) {
    Word key;
    if (!read_string(r, &key)) return false;
    if (!take(r, ':')) return broken(r, "a colon is missing");
    int entry = word_is(&key, "descr")           ? HAS_TYPE
                : word_is(&key, "fortran_order") ? HAS_ORDER
                : word_is(&key, "shape")         ? HAS_SHAPE
                                                 : 0;
    if (!entry || (*seen & entry)) return broken(r, "it has an entry that does not belong there");
    *seen |= entry;
    if (entry == HAS_TYPE) return read_type(r, out);
    return entry == HAS_ORDER ? read_bool(r, &out->fortran) : read_shape(r, &out->shape);
}

static bool read_dictionary(Reader *r, NpyHeader *out) {
    int seen = 0;
    if (!take(r, '{')) return broken(r, "it is no dictionary");
    while (!take(r, '}')) {
        if (!read_entry(r, out, &seen)) return false;
        if (!take(r, ',') && (r->at == r->end || *r->at != '}'))
            return broken(r, "it does not end");
    }
    return seen == HAS_ALL || broken(r, "descr, fortran_order or shape is missing");
}

static size_t little_endian(const char *bytes, size_t count) {
    size_t value = 0;
    for (size_t i = count; i-- > 0;) value = value << 8 | (unsigned char)bytes[i];
    return value;
}

bool npy_header_parse(const char *bytes, size_t length, NpyHeader *out, Error *err) {
    if (length < MAGIC + 4 || memcmp(bytes, magic, MAGIC) != 0)
        return error_set(err, ERR_FILE, "it is not a file in NumPy's npy format");
    int version = (unsigned char)bytes[MAGIC];
    if (version < 1 || version > 3)
        return error_set(err, ERR_FILE,
                         "it is in version %d of the npy format; 1 to 3 are read here", version);
    size_t width = version == 1 ? 2 : 4, start = MAGIC + 2 + width;
    if (length < start) return error_set(err, ERR_FILE, "the npy file ends within its header");
    size_t size = little_endian(bytes + MAGIC + 2, width);
    if (size > length - start)
        return error_set(err, ERR_FILE,
                         "the npy file ends within its header: %zu bytes of %zu are there",
                         length - start, size);
    out->data = start + size;
    Reader r = {bytes + start, bytes + out->data, err};
    return read_dictionary(&r, out);
}

void npy_header_write(Text *out, const Tensor *tensor) {
    static const char *const types[] = {"|b1", "<f4", "<f8"};
    Text header;
    text_init(&header);
    text_format(&header, "{'descr': '%s', 'fortran_order': False, 'shape': ", types[tensor->dtype]);
    shape_write(&header, &tensor->shape);
    text_string(&header, ", }");
    size_t taken = MAGIC + 4 + header.length + 1;
    text_repeat(&header, ' ', (ALIGNMENT - taken % ALIGNMENT) % ALIGNMENT);
    text_char(&header, '\n');
    text_bytes(out, magic, MAGIC);
    text_bytes(out, "\x01\x00", 2);
    text_char(out, (char)(header.length & 0xFF));
    text_char(out, (char)(header.length >> 8));
    text_bytes(out, header.data, header.length);
    if (header.failed) out->failed = true;
    text_release(&header);
}

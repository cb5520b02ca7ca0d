/* NumPy's .npy: the numbers of one array as they lie in memory, behind a header (numpy.lib.format):
 * magic, version, length, then {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } padded
 * with spaces so that the numbers begin at a multiple of 64. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/compute.h"
#include "io/array_file.h"
#include "io/numbers.h"

#include <string.h>

static const char magic[] = "\x93NUMPY";
enum {
    MAGIC = sizeof magic - 1,
    ALIGNMENT = 64,
    PIECE = 4096 /* numbers between two looks at the interrupt flag */
};

typedef struct NpyHeader {
    NumberType type;
    bool big_endian;
    bool fortran; /* the first axis is contiguous */
    Shape shape;
    size_t data; /* where the numbers begin */
} NpyHeader;

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

/* Skips the character, and the space before it, if it is there. */
static bool read_char(Reader *r, char c) {
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
    if (!read_char(r, '(')) return broken(r, "the shape is no tuple");
    while (!read_char(r, ')')) {
        if (out->axes == AXES_MAX)
            return error_set(r->err, ERR_FILE,
                             "the array has more than the %d axes that arrays can have here",
                             AXES_MAX);
        if (!read_size(r, &out->size[out->axes++])) return false;
        if (!read_char(r, ',') && (r->at == r->end || *r->at != ')'))
            return broken(r, "the shape does not end");
    }
    return true;
}

/* <f8: byte order, kind, bytes. */
static bool read_type(Reader *r, NpyHeader *out) {
    static const char *const known[] = {"f2", "f4", "f8", "i1", "i2", "i4",
                                        "i8", "u1", "u2", "u4", "u8", "b1"};
    const uint16_t one = 1; /* whose first byte tells the order of this machine */
    Word type;
    skip_space(r);
    if (r->at < r->end && *r->at == '[')
        return error_set(r->err, ERR_FILE,
                         "it holds records with named fields, which are not read here");
    if (!read_string(r, &type)) return false;
    bool ordered = type.length == 3 && strchr("<>|=", type.text[0]) != NULL;
    const char *kind = type.text + ordered;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (type.length != 2 + (size_t)ordered || memcmp(kind, known[i], 2) != 0) continue;
        out->type = (NumberType){kind[0], (size_t)(kind[1] - '0')};
        out->big_endian = ordered && type.text[0] == '>';
        if (!ordered || strchr("|=", type.text[0]))
            out->big_endian = *(const unsigned char *)&one == 0;
        return true;
    }
    error_set(r->err, ERR_FILE, "it holds numbers of type %.*s, which are not read here",
              (int)smaller(type.length, 40), type.text);
    return error_hint(r->err, "in Python: numpy.save(path, a.astype(float))");
}

enum { HAS_TYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static bool read_header(const char *bytes, size_t length, NpyHeader *out, Error *err) {
    if (length < MAGIC + 4 || memcmp(bytes, magic, MAGIC) != 0)
        return error_set(err, ERR_FILE, "it is not a file in NumPy's npy format");
    int version = (unsigned char)bytes[MAGIC];
    if (version < 1 || version > 3)
        return error_set(err, ERR_FILE,
                         "it is in version %d of the npy format; 1 to 3 are read here", version);
    size_t width = version == 1 ? 2 : 4, start = MAGIC + 2 + width;
    if (length < start) return error_set(err, ERR_FILE, "the npy file ends within its header");
    size_t size = 0; /* of the dictionary, in little-endian order */
    for (size_t i = start; i-- > start - width;) size = size << 8 | (unsigned char)bytes[i];
    if (size > length - start)
        return error_set(err, ERR_FILE,
                         "the npy file ends within its header: %zu bytes of %zu are there",
                         length - start, size);
    out->data = start + size;
    Reader r = {bytes + start, bytes + out->data, err};
    int seen = 0;
    if (!read_char(&r, '{')) return broken(&r, "it is no dictionary");
    while (!read_char(&r, '}')) {
        Word key;
        if (!read_string(&r, &key)) return false;
        if (!read_char(&r, ':')) return broken(&r, "a colon is missing");
        int entry = 0;
        if (word_is(&key, "descr")) entry = HAS_TYPE;
        else if (word_is(&key, "fortran_order")) entry = HAS_ORDER;
        else if (word_is(&key, "shape")) entry = HAS_SHAPE;
        if (!entry || (seen & entry))
            return broken(&r, "it has an entry that does not belong there");
        seen |= entry;
        if (entry == HAS_TYPE && !read_type(&r, out)) return false;
        if (entry == HAS_ORDER && !read_bool(&r, &out->fortran)) return false;
        if (entry == HAS_SHAPE && !read_shape(&r, &out->shape)) return false;
        if (!read_char(&r, ',') && (r.at == r.end || *r.at != '}'))
            return broken(&r, "it does not end");
    }
    return seen == HAS_ALL || broken(&r, "descr, fortran_order or shape is missing");
}

/* ---- the whole ---- */

Tensor *npy_parse(const char *bytes, size_t length, Error *err) {
    NpyHeader header = {.data = 0};
    size_t count, needed;
    if (!read_header(bytes, length, &header, err) || !shape_count(&header.shape, &count, err))
        return NULL;
    size_t left = length - header.data, width = header.type.width;
    if (!size_multiply(count, width, &needed) || needed > left) {
        error_set(err, ERR_FILE,
                  "its header promises %s numbers of %zu bytes, and only %zu bytes follow",
                  shape_words(&header.shape), width, left);
        return NULL;
    }
    /* In Fortran's order lies the transpose. */
    Shape shape = header.shape;
    for (int i = 0; header.fortran && i < shape.axes; i++)
        shape.size[i] = header.shape.size[shape.axes - 1 - i];
    Tensor *tensor = tensor_new(number_type_dtype(header.type), &shape, err);
    if (!tensor) return NULL;
    const unsigned char *data = (const unsigned char *)bytes + header.data;
    for (size_t at = 0; at < count; at += PIECE) {
        double numbers[PIECE];
        size_t piece = smaller(count - at, PIECE);
        if (interrupted(err)) return tensor_if(false, tensor);
        numbers_read(header.type, data + at * width, header.big_endian, piece, numbers);
        tensor_write(tensor, at, piece, numbers);
    }
    return header.fortran ? compute_unary(OP_TRANSPOSE, tensor, err) : tensor;
}

bool npy_write(Text *out, const Tensor *tensor, Error *err) {
    NumberType type = number_type_of(tensor->dtype);
    LocalText dictionary = TEXT_FOR(out);
    text_format(&dictionary, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': ",
                type.kind == 'b' ? '|' : '<', type.kind, type.width);
    shape_write(&dictionary, &tensor->shape);
    text_string(&dictionary, ", }");
    size_t taken = MAGIC + 4 + dictionary.length + 1;
    text_repeat(&dictionary, ' ', (ALIGNMENT - taken % ALIGNMENT) % ALIGNMENT);
    text_char(&dictionary, '\n');
    text_bytes(out, magic, MAGIC);
    text_bytes(out, "\x01\x00", 2);
    text_char(out, (char)(dictionary.length & 0xFF));
    text_char(out, (char)(dictionary.length >> 8));
    text_bytes(out, dictionary.data, dictionary.length);
    return numbers_write(out, tensor, type, err) && text_ok(out, err);
}

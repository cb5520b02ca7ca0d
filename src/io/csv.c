/* Numbers in rows: .csv, .tsv, and white space. Read in one pass. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "io/array_file.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct Field {
    const char *text;
    size_t length;
} Field;

typedef struct Reader {
    const char *at, *end;
    char separator; /* 0: any white space */
    size_t line, field;
    double *numbers; /* all rows so far */
    size_t count, capacity, columns, rows;
    size_t first_row_line;
    bool labelled; /* the first field of each row is a name */
    Error *err;
} Reader;

/* ---- fields ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(const char **at, const char *end) {
    while (*at < end && is_blank(**at)) ++*at;
}

static Field trimmed(const char *from, const char *to) {
    skip_blanks(&from, to);
    while (to > from && is_blank(to[-1])) to--;
    return (Field){from, (size_t)(to - from)};
}

static Field unquoted(Field field) {
    bool quoted = field.length >= 2 && field.text[0] == '"' && field.text[field.length - 1] == '"';
    return quoted ? trimmed(field.text + 1, field.text + field.length - 1) : field;
}

/* Where a field in quotes ends: "" is a quote within it. */
static const char *skip_quoted(const char *at, const char *end) {
    for (at++; at < end; at++) {
        if (*at != '"') continue;
        if (at + 1 == end || at[1] != '"') return at + 1;
        at++;
    }
    return end;
}

static const char *field_end(const Reader *r, const char *at, const char *line_end) {
    const char *start = at;
    skip_blanks(&start, line_end);
    if (start < line_end && *start == '"') at = skip_quoted(start, line_end);
    for (; at < line_end; at++) {
        if (r->separator ? *at == r->separator : is_blank(*at)) return at;
    }
    return line_end;
}

/* The next field of the line that ends at line_end. *more: a separator follows. */
static Field next_field(Reader *r, const char **at, const char *line_end, bool *more) {
    if (!r->separator) skip_blanks(at, line_end);
    const char *end = field_end(r, *at, line_end);
    Field field = unquoted(trimmed(*at, end));
    *at = end;
    if (!r->separator) skip_blanks(at, line_end);
    *more = *at < line_end;
    if (r->separator && *more) ++*at;
    r->field++;
    return field;
}

static bool field_is(const Field *field, const char *word) {
    return field->length == strlen(word) && strncasecmp(field->text, word, field->length) == 0;
}

static bool field_number(Field field, double *out) {
    bool negative = field.length && field.text[0] == '-';
    if (field.length == 0) return *out = (double)NAN, true;
    if (negative || field.text[0] == '+') field.text++, field.length--;
    if (field_is(&field, "nan")) return *out = (double)NAN, true;
    bool infinite = field_is(&field, "inf") || field_is(&field, "infinity");
    if (infinite) *out = (double)INFINITY;
    else if (field.length == 0 || number_read(field.text, field.length, out) != field.length)
        return false;
    if (negative) *out = -*out;
    return true;
}

/* ---- rows ---- */

static bool add_number(Reader *r, double x) {
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? r->capacity + r->capacity / 2 : 256, bytes;
        if (!size_multiply(capacity, sizeof *r->numbers, &bytes))
            return error_memory(r->err, SIZE_MAX);
        double *numbers = mem_resize(r->numbers, bytes, r->err);
        if (!numbers) return false;
        r->numbers = numbers;
        r->capacity = capacity;
    }
    r->numbers[r->count++] = x;
    return true;
}

static bool bad_field(const Reader *r, Field field) {
    int shown = field.length < 40 ? (int)field.length : 40;
    return error_set(r->err, ERR_FILE, "line %zu, field %zu: \"%.*s\" is not a number", r->line,
                     r->field, shown, field.text);
}

static bool check_row(Reader *r) {
    if (r->rows == 0) r->columns = r->field, r->first_row_line = r->line;
    r->rows++;
    if (r->field == r->columns) return true;
    return error_set(r->err, ERR_FILE,
                     "line %zu has %zu field%s, but line %zu has %zu: rows have one length",
                     r->line, r->field, r->field == 1 ? "" : "s", r->first_row_line, r->columns);
}

/* The first row decides whether rows begin with a name. */
static bool is_label(Reader *r, Field field, bool more) {
    double x;
    if (r->field != 1) return false;
    if (r->rows == 0) r->labelled = more && !field_number(field, &x);
    return r->labelled;
}

static bool read_row(Reader *r, const char *at, const char *line_end) {
    bool more = true;
    r->field = 0;
    while (more) {
        double x;
        Field field = next_field(r, &at, line_end, &more);
        if (is_label(r, field, more)) continue;
        if (!field_number(field, &x)) return bad_field(r, field);
        if (!add_number(r, x)) return false;
        if (r->field % 4096 == 0 && interrupted(r->err)) return false;
    }
    return check_row(r);
}

/* A line of names: it has something in it, and none of that is a number. */
static bool is_heading(Reader *r, const char *at, const char *line_end) {
    bool more = true, words = false;
    r->field = 0;
    while (more) {
        double x;
        Field field = next_field(r, &at, line_end, &more);
        if (field.length && field_number(field, &x)) return false;
        words = words || field.length;
    }
    return words;
}

static const char *end_of_line(const Reader *r) {
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return newline ? newline : r->end;
}

static bool is_empty_line(const char *at, const char *line_end) {
    skip_blanks(&at, line_end);
    return at == line_end || *at == '#';
}

/* A line of tabs alone is a row of empty fields where tabs separate. */
static bool is_skipped(const Reader *r, const char *line_end) {
    if (!is_empty_line(r->at, line_end)) return false;
    return r->separator != '\t' || !memchr(r->at, '\t', (size_t)(line_end - r->at));
}

static bool read_rows(Reader *r) {
    bool first = true;
    for (; r->at < r->end; r->at++) {
        const char *line_end = end_of_line(r);
        r->line++;
        if (!is_skipped(r, line_end)) {
            bool heading = first && is_heading(r, r->at, line_end);
            first = false;
            if (!heading && !read_row(r, r->at, line_end)) return false;
        }
        if (interrupted(r->err)) return false;
        r->at = line_end;
        if (r->at == r->end) break;
    }
    return r->rows > 0 || error_set(r->err, ERR_FILE, "there are no numbers in it");
}

static Tensor *rows_as_tensor(const Reader *r) {
    size_t columns = r->columns - r->labelled;
    Shape shape = columns == 1 ? shape_1d(r->rows) : shape_2d(r->rows, columns);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, r->err);
    if (tensor) memcpy(tensor->data, r->numbers, r->count * sizeof *r->numbers);
    return tensor;
}

Tensor *csv_parse(const char *bytes, size_t length, char separator, Error *err) {
    Reader r = {.at = bytes, .end = bytes + length, .separator = separator, .err = err};
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) r.at += 3;
    Tensor *tensor = read_rows(&r) ? rows_as_tensor(&r) : NULL;
    mem_free(r.numbers);
    return tensor;
}

bool csv_write(Text *out, const Tensor *tensor, char separator, Error *err) {
    const Shape *shape = &tensor->shape;
    if (shape->axes > 2) {
        error_set(err, ERR_SHAPE, "an array of shape %s does not fit into rows and columns",
                  shape_words(shape));
        return error_hint(err, "save one matrix of it, or the whole as .npy");
    }
    size_t columns = shape->axes == 2 ? shape->size[1] : 1;
    for (size_t i = 0; i < tensor->count && !out->failed; i++) {
        if (i % 4096 == 0 && interrupted(err)) return false;
        number_write_shortest(out, tensor_get(tensor, i), tensor->dtype == DTYPE_FLOAT);
        text_char(out, (i + 1) % columns ? separator : '\n');
    }
    return text_ok(out, err);
}

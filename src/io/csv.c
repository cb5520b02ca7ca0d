/* Numbers in rows: .csv, .tsv, and white space. Read in one pass. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "io/array_file.h"

#include <math.h>
#include <string.h>

enum { POLL_EVERY = 4096 /* numbers between two looks at the interrupt flag */ };

typedef struct Field {
    const char *text;
    size_t length;
} Field;

typedef struct Reader {
    const char *at, *end;
    char separator; /* 0: any white space */
    char point;     /* of the numbers so far, where a ; separates: . or a decimal comma */
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

/* The next field of the line that ends at line_end, without blanks and quotes around it. *more: a
 * separator follows. */
static Field next_field(Reader *r, const char **at, const char *line_end, bool *more) {
    if (!r->separator) skip_blanks(at, line_end);
    const char *end = *at, *open = *at;
    while (open < line_end && is_blank(*open) && *open != r->separator) open++;
    if (open < line_end && *open == '"') { /* "" within quotes is a quote */
        for (end = open + 1; end < line_end; end++) {
            if (*end != '"') continue;
            if (end + 1 == line_end || end[1] != '"') break;
            end++;
        }
        if (end < line_end) end++;
    }
    while (end < line_end && !(r->separator ? *end == r->separator : is_blank(*end))) end++;

    Field field = trimmed(*at, end);
    if (field.length >= 2 && field.text[0] == '"' && field.text[field.length - 1] == '"')
        field = trimmed(field.text + 1, field.text + field.length - 1);
    *at = end;
    if (!r->separator) skip_blanks(at, line_end);
    *more = *at < line_end;
    if (r->separator && *more) ++*at;
    r->field++;
    return field;
}

/* False: it is no number. An empty field is nan. Where a ; separates, numbers may have a decimal
 * comma, but not some a comma and some a point, of which one would stand between thousands. */
static bool field_number(Reader *r, Field field, double *out) {
    char plain[64];
    *out = (double)NAN;
    if (field.length == 0) return true;
    char point = memchr(field.text, ',', field.length) ? ',' : '.';
    bool comma = r->separator == ';' && point == ',' && field.length <= sizeof plain;
    for (size_t i = 0; comma && i < field.length; i++)
        plain[i] = field.text[i] == ',' ? '.' : field.text[i];
    if (!memchr(field.text, point, field.length)) point = r->point;
    if (r->point && point != r->point) return false;
    if (!number_read_whole(comma ? plain : field.text, field.length, out)) return false;
    if (r->separator == ';') r->point = point;
    return true;
}

/* True for 1,5 and 1.000,5 and −1: a number in a form that is not read, but no name. */
static bool is_other_number(Field field) {
    size_t minus = field.length > 3 && memcmp(field.text, "\xE2\x88\x92", 3) == 0 ? 3 : 0;
    bool other = minus > 0 || memchr(field.text, ',', field.length);
    for (size_t i = minus; other && i < field.length; i++)
        other = memchr("0123456789.,-+", field.text[i], 14);
    return other && field.length > 1;
}

/* ---- rows ---- */

static bool read_row(Reader *r, const char *at, const char *line_end) {
    bool more = true;
    double x;
    r->field = 0;
    while (more) {
        Field field = next_field(r, &at, line_end, &more);
        bool number = field_number(r, field, &x);
        if (r->field == 1) {
            /* The first row decides whether rows begin with a name. NA of R is none. */
            bool missing = field.length == 2 && memcmp(field.text, "NA", 2) == 0;
            if (r->rows == 0) r->labelled = more && !number && !missing && !is_other_number(field);
            if (r->labelled) continue;
        }
        if (!number)
            return error_set(r->err, ERR_FILE, "line %zu, field %zu: \"%.*s\" is not a number",
                             r->line, r->field, field.length < 40 ? (int)field.length : 40,
                             field.text);
        double *numbers = mem_grow(r->numbers, r->count, &r->capacity, sizeof *numbers, r->err);
        if (!numbers) return false;
        r->numbers = numbers;
        r->numbers[r->count++] = x;
        if (r->field % POLL_EVERY == 0 && interrupted(r->err)) return false;
    }
    if (r->rows++ == 0) {
        r->columns = r->field;
        r->first_row_line = r->line;
    }
    if (r->field == r->columns) return true;
    return error_set(r->err, ERR_FILE,
                     "line %zu has %zu field%s, but line %zu has %zu: rows have one length",
                     r->line, r->field, r->field == 1 ? "" : "s", r->first_row_line, r->columns);
}

/* A line of names has something in it, and none of that is a number. */
static bool is_heading(Reader *r, const char *at, const char *line_end) {
    bool more = true, words = false;
    double x;
    r->field = 0;
    while (more) {
        Field field = next_field(r, &at, line_end, &more);
        if (field.length && (field_number(r, field, &x) || is_other_number(field))) return false;
        words = words || field.length;
    }
    return words;
}

/* Finds out whether a ; separates, as where numbers have a decimal comma: two lines have as many
 * fields, and more than one. */
static void find_separator(Reader *r, const char *at) {
    size_t fields[2] = {0};
    r->separator = ';';
    for (int lines = 0; lines < 2 && at < r->end;) {
        const char *newline = memchr(at, '\n', (size_t)(r->end - at));
        const char *line_end = newline ? newline : r->end;
        skip_blanks(&at, line_end);
        bool row = at < line_end && *at != '#', more = row;
        r->field = 0;
        while (more) next_field(r, &at, line_end, &more);
        if (row) fields[lines++] = r->field;
        at = newline ? newline + 1 : r->end;
    }
    if (fields[0] == 1 || (fields[1] > 0 && fields[1] != fields[0])) r->separator = ',';
}

static bool read_rows(Reader *r) {
    for (bool first = true; r->at < r->end;) {
        size_t left = (size_t)(r->end - r->at);
        const char *newline = memchr(r->at, '\n', left), *text = r->at;
        size_t length = newline ? (size_t)(newline - r->at) : left;
        const char *line_end = r->at + length;
        r->line++;
        skip_blanks(&text, line_end);
        /* A line of tabs alone is a row of empty fields where tabs separate. */
        bool tabs = r->separator == '\t' && memchr(r->at, '\t', length);
        if (text < line_end ? *text != '#' : tabs) {
            if (first && r->separator == ',') find_separator(r, r->at);
            bool heading = first && is_heading(r, r->at, line_end);
            first = false;
            if (!heading && !read_row(r, r->at, line_end)) return false;
        }
        if (interrupted(r->err)) return false;
        r->at = newline ? newline + 1 : r->end;
    }
    return r->rows > 0 || error_set(r->err, ERR_FILE, "there are no numbers in it");
}

Tensor *csv_parse(const char *bytes, size_t length, char separator, Error *err) {
    Reader r = {.at = bytes, .end = bytes + length, .separator = separator, .err = err};
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) r.at += 3;
    Tensor *tensor = NULL;
    if (read_rows(&r)) {
        size_t columns = r.columns - r.labelled;
        Shape shape = columns == 1 ? shape_1d(r.rows) : shape_2d(r.rows, columns);
        tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
        if (tensor) memcpy(tensor->data, r.numbers, r.count * sizeof *r.numbers);
    }
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
        if (i % POLL_EVERY == 0 && interrupted(err)) return false;
        number_write_shortest(out, tensor_get(tensor, i), tensor->dtype == DTYPE_FLOAT);
        text_char(out, (i + 1) % columns ? separator : '\n');
    }
    return text_ok(out, err);
}

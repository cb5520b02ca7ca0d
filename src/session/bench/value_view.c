/* Values as they are shown at a prompt: as print writes them, and fitted to the terminal. */
#include "base/translate.h"
#include "base/utf8.h"
#include "session/bench/session_state.h"
#include "view/terminal/array_text.h"

#include <string.h>

enum { DEPTH_MAX = 50, ITEMS_MAX = 1000 };
/* Lines of an array: one of so many is not cut in its middle, and of longer ones so many are shown
 * at least. Within a list less. NOTE: the columns of what is said of the rest. */
enum { LINES_WHOLE = 40, LINES_LEAST = 6, NESTED_WHOLE = 12, NOTE = 130 };

typedef struct Viewer {
    Text *out;
    const Host *host;
    int digits, depth;
    bool whole; /* nothing was left out within a list */
} Viewer;

static void view_nested(Viewer *viewer, const Value *value, size_t indent, size_t behind);

/* True for an array that has rows: neither a single number nor empty. */
static bool has_lines(const Value *value) {
    return value->kind == VALUE_TENSOR && value->tensor->shape.axes > 0 && value->tensor->count > 0;
}

static ArrayStyle style_of(const Viewer *viewer) {
    const Host *host = viewer->host;
    int around = 4 + NOTE / host->columns;
    size_t screen = host->rows > LINES_LEAST + around ? (size_t)(host->rows - around) : LINES_LEAST;
    ArrayStyle style = {.digits = viewer->digits,
                        .columns = (size_t)host->columns,
                        .utf8 = host->utf8,
                        .whole = screen > LINES_WHOLE ? screen : LINES_WHOLE,
                        .most = screen};
    if (viewer->depth > 0) {
        style.whole = NESTED_WHOLE;
        style.most = LINES_LEAST;
    }
    return style;
}

static bool holds_items(const Value *value) {
    size_t count;
    if (value->kind == VALUE_RECORD) count = value->record->count;
    else if (value->kind == VALUE_LIST || value->kind == VALUE_TUPLE) count = value->list->count;
    else return false;
    return count <= ITEMS_MAX;
}

static void write_in_a_line(Text *line, const Viewer *viewer, const Value *value) {
    text_clear(line);
    value_write(line, value, viewer->digits, true);
}

/* The item, which *line has in one line: behind what is there, or on a line of its own. behind:
 * columns that must stay free for what closes it. */
static void view_item(Viewer *viewer, const Value *item, const Text *line, size_t indent,
                      size_t *column, size_t behind) {
    size_t width = utf8_width(line->data, line->length), columns = (size_t)viewer->host->columns;
    bool first = *column == indent, alone = false;
    if (has_lines(item)) { /* a matrix of several rows gets lines of its own */
        const Shape *shape = &item->tensor->shape;
        alone = item->tensor->count > shape_columns(shape);
    }
    if (!first && (alone || *column + 1 + width + behind > columns)) {
        text_char(viewer->out, '\n');
        text_repeat(viewer->out, ' ', indent);
        *column = indent;
    } else if (!first) {
        text_char(viewer->out, ' ');
        ++*column;
    }
    if (!alone && *column + width + behind <= columns) {
        text_bytes(viewer->out, line->data, line->length);
        *column += width;
    } else {
        view_nested(viewer, item, *column, behind);
        *column = columns; /* the next item begins a line */
    }
}

static void view_items(Viewer *viewer, const Value *value, size_t indent, size_t behind) {
    const char *open = "[", *close = "]";
    LocalText line = TEXT_FOR(viewer->out);
    if (value->kind == VALUE_RECORD) {
        open = "{";
        close = "}";
    } else if (value->kind == VALUE_TUPLE) {
        open = "(";
        close = value->list->count == 1 ? ",)" : ")";
    }
    indent += strlen(open);
    behind += strlen(close);
    text_string(viewer->out, open);
    const Record *record = value->kind == VALUE_RECORD ? value->record : NULL;
    size_t count = record ? record->count : value->list->count, column = indent;
    for (size_t i = 0; i < count; i++) {
        const Value *item = record ? &record->values[i] : &value->list->items[i];
        size_t begin = indent;
        bool last = i + 1 == count;
        if (record) { /* each item has a line of its own, behind its key */
            text_clear(&line);
            value_write(&line, &record->keys[i], viewer->digits, true);
            text_string(&line, ": ");
            begin = column = indent + utf8_width(line.data, line.length);
            if (i > 0) {
                text_char(viewer->out, '\n');
                text_repeat(viewer->out, ' ', indent);
            }
            text_bytes(viewer->out, line.data, line.length);
        }
        write_in_a_line(&line, viewer, item);
        view_item(viewer, item, &line, begin, &column, last ? behind : 1);
        if (!last) text_char(viewer->out, ',');
        column++;
    }
    text_string(viewer->out, close);
}

/* Writes a value that is too wide for one line, from column `indent` on. */
static void view_nested(Viewer *viewer, const Value *value, size_t indent, size_t behind) {
    bool fits = indent + 20 <= (size_t)viewer->host->columns; /* deeper, lines would be slivers */
    viewer->depth++;
    if (fits && has_lines(value)) {
        ArrayStyle style = style_of(viewer);
        style.indent = indent;
        style.behind = behind;
        if (!array_text(viewer->out, value->tensor, &style, NULL)) viewer->whole = false;
    } else if (fits && holds_items(value) && viewer->depth < DEPTH_MAX) {
        view_items(viewer, value, indent, behind);
    } else {
        value_write(viewer->out, value, viewer->digits, true);
    }
    viewer->depth--;
}

/* Lists the arrays of a record by shape, count and name, if it holds nothing else and more numbers
 * than a person reads, as a model's parameters are. */
static bool view_arrays(Viewer *viewer, const Record *record) {
    enum { NUMBERS_READ = 1000, SHAPE_WIDTH = 9 };
    size_t numbers = 0;
    for (size_t i = 0; i < record->count; i++) {
        if (!has_lines(&record->values[i])) return false;
        numbers += record->values[i].tensor->count;
    }
    if (numbers <= NUMBERS_READ) return false;
    for (size_t i = 0; i < record->count; i++) {
        const Tensor *tensor = record->values[i].tensor;
        const char *shape = shape_words(&tensor->shape);
        utf8_pad(viewer->out, shape, strlen(shape), SHAPE_WIDTH, true);
        text_format(viewer->out, " %7zu  ", tensor->count);
        value_write(viewer->out, &record->keys[i], viewer->digits, false);
        text_char(viewer->out, '\n');
    }
    Text note = TEXT_EMPTY;
    text_format(&note, "(%zu arrays of %zu numbers; x[\"name\"] is one, print(x) writes all)\n",
                record->count, numbers);
    text_say_lines(viewer->out, &note, (size_t)viewer->host->columns);
    return true;
}

void value_view(Text *out, const Value *value, const Host *host, int digits) {
    Viewer viewer = {out, host, digits, 0, true};
    LocalTensor *rows = value_as_rows(value, 1);
    if (rows || has_lines(value)) {
        const Tensor *tensor = rows ? rows : value->tensor;
        ArrayStyle style = style_of(&viewer);
        LocalText rest = TEXT_FOR(viewer.out);
        bool whole = array_text(viewer.out, tensor, &style, &rest);
        text_char(viewer.out, '\n');
        if (!whole) {
            /* "(2000×2000: rows 10 to 1989 and columns 4 to 1995 are not shown; ...)" */
            int axes = tensor->shape.axes;
            const char *columns = axes == 2 ? ":," : "...,"; /* in x[...], to reach some */
            if (axes == 1 || strstr(rest.data, "row")) columns = "";
            Text note = TEXT_EMPTY;
            text_format(&note,
                        "(%s%s: %s not shown; x[%s4:9] shows a part, save(\"x.%s\", x) writes all)",
                        shape_words(&tensor->shape), axes == 1 ? " numbers" : "", rest.data,
                        columns, axes > 2 ? "npy" : "csv");
            text_say_lines(viewer.out, &note, (size_t)viewer.host->columns);
        }
        return;
    }
    if (!holds_items(value)) {
        LocalText text = TEXT_FOR(out);
        value_write_result(&text, value, digits);
        if (value->kind == VALUE_OBJECT) tr_write(out, text.data); /* its words are the program's */
        else text_bytes(out, text.data, text.length);
        text_char(out, '\n');
        return;
    }
    if (value->kind == VALUE_RECORD && view_arrays(&viewer, value->record)) return;
    LocalText line = TEXT_FOR(out);
    write_in_a_line(&line, &viewer, value);
    if (utf8_width(line.data, line.length) <= (size_t)host->columns)
        text_bytes(out, line.data, line.length);
    else view_nested(&viewer, value, 0, 0);
    text_char(out, '\n');
    if (!viewer.whole)
        text_say_wrapped(out, "(… stands for what does not fit; x[0] shows a part by itself)",
                         (size_t)host->columns);
}

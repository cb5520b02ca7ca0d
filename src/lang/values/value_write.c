#include "base/number.h"
#include "base/utf8.h"
#include "lang/class.h"

#include <math.h>
#include <string.h>

/* PARTS_MAX: a list that holds another one twice, which holds another one twice, and so on, has
 * more parts than anybody could write. After Ctrl-C a long text fails: the rest is not written. */
enum { SHOWN_MAX = 1000, EDGE = 3, DEPTH_MAX = 100, PARTS_MAX = 1000000, POLL_EVERY = 1 << 16 };

static double python_most = SHOWN_MAX; /* numbers of an array that a .py file shows whole */

void value_write_at_most(double most) { python_most = most; }

/* A list or record that is being written, and the one around it. */
typedef struct Open {
    const Shared *payload;
    const struct Open *around;
} Open;

typedef struct Writer {
    Text *text;
    int digits;
    int depth;        /* of nested lists and records */
    const Open *open; /* the lists and records that are being written */
    size_t parts;     /* written so far */
} Writer;

static void write_part(Writer *writer, const Value *value, bool nested);

/* ---- strings ---- */

static void write_escaped(Text *text, unsigned char c, char quote) {
    switch (c) {
    case '\n': text_string(text, "\\n"); break;
    case '\t': text_string(text, "\\t"); break;
    case '\r': text_string(text, "\\r"); break;
    case '\\': text_string(text, "\\\\"); break;
    default:
        if (c < 0x20 || c == 0x7F) {
            text_format(text, "\\x%02x", c);
            break;
        }
        if (c == (unsigned char)quote) text_char(text, '\\');
        text_char(text, (char)c);
    }
}

/* Writes a string as Python's repr: single quotes, unless only double ones spare a backslash; what
 * would not show is escaped. */
static void write_quoted(Text *text, const String *string) {
    bool single = memchr(string->data, '\'', string->length),
         twofold = memchr(string->data, '"', string->length);
    char quote = single && !twofold ? '"' : '\'';
    text_char(text, quote);
    size_t taken, count = 0;
    for (size_t at = 0; at < string->length; at += taken) {
        uint32_t c;
        if (count++ % POLL_EVERY == 0 && text->failed) break;
        taken = utf8_next(string->data + at, string->length - at, &c);
        if (taken == 1) write_escaped(text, (unsigned char)string->data[at], quote);
        else if (utf8_sign(c) == c) text_bytes(text, string->data + at, taken);
        else text_format(text, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)c);
    }
    text_char(text, quote);
}

/* ---- arrays ---- */

typedef struct Layout {
    bool one_line; /* inside a list */
    bool elided;
} Layout;

/* Separates elements of `axis`: a line for each row, an empty one between matrices, and so on. */
static void write_gap(Writer *writer, const Tensor *tensor, Layout layout, int axis) {
    int inner = tensor->shape.axes - axis - 1;
    text_char(writer->text, ',');
    if (inner == 0 || layout.one_line) {
        text_char(writer->text, ' ');
        return;
    }
    text_repeat(writer->text, '\n', (size_t)inner);
    text_repeat(writer->text, ' ', (size_t)axis + 1);
}

/* Negative digits mean Python's style: an array shows -digits digits behind the point. */
static void write_element(Writer *writer, bool single, double x) {
    if (writer->digits < 0) {
        double power = pow(10, -writer->digits), rounded = nearbyint(x * power) / power;
        number_write(writer->text, isfinite(rounded) ? rounded : x, 0);
    } else if (single && writer->digits == 0) {
        number_write_shortest(writer->text, x, true);
    } else {
        number_write(writer->text, x, writer->digits);
    }
}

/* The part of the tensor that begins at flat index `at` and holds `count` numbers, from `axis` on.
 */
static void write_axis(Writer *writer, const Tensor *tensor, Layout layout, int axis, size_t at,
                       size_t count) {
    if (axis == tensor->shape.axes) {
        double x = tensor_get(tensor, at);
        if (tensor->dtype == DTYPE_BOOL) text_string(writer->text, x != 0 ? "True" : "False");
        else write_element(writer, tensor->dtype == DTYPE_FLOAT, x);
        return;
    }
    size_t size = tensor->shape.size[axis], step = size > 0 ? count / size : 0;
    bool elided = layout.elided && size > 2 * EDGE;
    text_char(writer->text, '[');
    for (size_t i = 0; i < size; i++) {
        if (i > 0) write_gap(writer, tensor, layout, axis);
        if (elided && i == EDGE) {
            text_string(writer->text, writer->digits > 0 ? "…" : "...");
            i = size - EDGE;
            write_gap(writer, tensor, layout, axis);
        }
        write_axis(writer, tensor, layout, axis + 1, at + i * step, step);
    }
    text_char(writer->text, ']');
}

static void write_tensor(Writer *writer, const Tensor *tensor, bool nested) {
    Text *text = writer->text;
    const bool python = writer->digits <= 0;
    Layout layout = {.one_line = nested,
                     .elided = (double)tensor->count > (python ? python_most : SHOWN_MAX)};
    if (tensor->count == 0) { /* however many rows of nothing it has */
        text_string(text, "[]");
        if (tensor->shape.axes == 1 || python) return; /* NumPy writes no shape */
        text_string(text, " (shape ");
        shape_write(text, &tensor->shape);
        text_char(text, ')');
        return;
    }
    write_axis(writer, tensor, layout, 0, 0, tensor->count);
    if (!layout.elided || nested || python) return;
    text_format(text, "\n(%s%s", shape_words(&tensor->shape),
                tensor->shape.axes == 1 ? " numbers; " : "; ");
    text_string(text, "a part like x[:10] shows its numbers, save(\"x.csv\", x) writes them all)");
}

/* ---- lists and records ---- */

/* {1, 2}; set() and frozenset({1}). */
static void write_set(Writer *writer, const Set *set) {
    Text *text = writer->text;
    const Value *item;
    if (set->frozen) text_string(text, "frozenset(");
    if (set->used == 0) text_string(text, set->frozen ? "" : "set()");
    else text_char(text, '{');
    const bool elided = set->used > SHOWN_MAX && writer->digits > 0;
    size_t i = 0;
    for (size_t at = 0; (item = set_next(set, &at)) != NULL; i++) {
        if (i > 0) text_string(text, ", ");
        if (elided && i == EDGE) text_string(text, "…, ");
        if (elided && i >= EDGE && i + EDGE < set->used) {
            text_cut(text, text->length - 2);
            continue;
        }
        write_part(writer, item, true);
        if (writer->parts >= PARTS_MAX || text->failed) break;
    }
    if (set->used > 0) text_char(text, '}');
    if (set->frozen) text_char(text, ')');
}

static void write_items(Writer *writer, const List *list) {
    bool elided = list->count > SHOWN_MAX && writer->digits > 0;
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0) text_string(writer->text, ", ");
        if (elided && i == EDGE) {
            text_string(writer->text, "…, ");
            i = list->count - EDGE;
        }
        write_part(writer, &list->items[i], true);
        if (writer->parts >= PARTS_MAX || writer->text->failed) break;
    }
}

static void write_record(Writer *writer, const Record *record) {
    text_char(writer->text, '{');
    for (size_t i = 0; i < record->count; i++) {
        if (i > 0) text_string(writer->text, ", ");
        write_part(writer, &record->keys[i], true);
        text_string(writer->text, ": ");
        write_part(writer, &record->values[i], true);
    }
    text_char(writer->text, '}');
}

/* ---- functions ---- */

static void write_function(Writer *writer, const Function *function) {
    const FunctionCode *code = function->code;
    text_string(writer->text, "<function ");
    if (code->owner) text_format(writer->text, "%s.", code->owner->name->name);
    text_string(writer->text, code->name ? code->name->name : "lambda");
    text_char(writer->text, '(');
    for (int i = 0; i < code->parameter_count; i++) {
        if (i > 0) text_string(writer->text, ", ");
        text_format(writer->text, "%s%s", parameter_stars(code, i), code->parameters[i].name->name);
        if (function->fallbacks[i].kind == VALUE_UNSET) continue;
        text_char(writer->text, '=');
        write_part(writer, &function->fallbacks[i], true);
    }
    text_string(writer->text, ")>");
}

static void write_method(Writer *writer, const Method *method) {
    static const char *const words[] = {
        [METHOD_SUPER] = "<super>", [METHOD_PROPERTY] = "<property>", [METHOD_FIELD] = "<field>"};
    if (words[method->role]) text_string(writer->text, words[method->role]);
    else write_part(writer, &method->parts[1], true);
}

/* ---- all kinds ---- */

/* True if the value is written already, as one of those around this place. */
static bool is_open(const Writer *writer, const Value *value) {
    const Open *open = writer->open;
    while (open && !(value_is_in_ring(value) && open->payload == value->shared))
        open = open->around;
    return open != NULL;
}

static void write_part(Writer *writer, const Value *value, bool nested) {
    Text *text = writer->text;
    LocalTensor *rows = NULL;
    if (writer->depth >= DEPTH_MAX || writer->parts++ >= PARTS_MAX || text->failed) {
        text_string(text, "…");
        return;
    }
    if (is_open(writer, value)) { /* it holds itself */
        text_string(text, value->kind == VALUE_RECORD ? "{...}" : "[...]");
        return;
    }
    const Open open = {value_is_in_ring(value) ? value->shared : NULL, writer->open};
    writer->open = &open;
    writer->depth++;
    switch (value->kind) {
    case VALUE_UNSET:
    case VALUE_CELL:
    case VALUE_NONE: text_string(text, "None"); break;
    case VALUE_BOOL: text_string(text, value->boolean ? "True" : "False"); break;
    case VALUE_NUMBER: number_write(text, value->number, writer->digits); break;
    case VALUE_STRING:
        if (nested) write_quoted(text, value->string);
        else text_bytes(text, value->string->data, value->string->length);
        break;
    case VALUE_TENSOR: write_tensor(writer, value->tensor, nested); break;
    case VALUE_LIST:
        rows = nested || writer->digits <= 0 ? NULL : value_as_rows(value, 2);
        if (rows) {
            write_tensor(writer, rows, false);
            break;
        }
        text_char(text, '[');
        write_items(writer, value->list);
        text_char(text, ']');
        if (value->list->count > SHOWN_MAX && !nested && writer->digits > 0)
            text_format(text, "\n(%zu elements; for x in xs: print(x) shows them all)",
                        value->list->count);
        break;
    case VALUE_SLICE:
    case VALUE_TUPLE:
        text_string(text, value->kind == VALUE_SLICE ? "slice(" : "(");
        write_items(writer, value->list);
        text_string(text, value->list->count == 1 ? ",)" : ")");
        break;
    case VALUE_RECORD: write_record(writer, value->record); break;
    case VALUE_SET: write_set(writer, value->set); break;
    case VALUE_FUNCTION: write_function(writer, value->function); break;
    case VALUE_BUILTIN:
        if (value->builtin->type) text_format(text, "<class '%s'>", value->builtin->type);
        else
            text_format(text, writer->digits <= 0 ? "<built-in function %s>" : "<function %s>",
                        value->builtin->name);
        break;
    case VALUE_INSTANCE: instance_write(text, value, writer->digits, nested); break;
    case VALUE_CLASS:
        text_string(text, "<class '");
        if (value->class->body) /* else it is predefined */
            text_format(text, "%s.",
                        value->class->chunk->module ? value->class->chunk->file : "__main__");
        text_format(text, "%s'>", value->class->name->name);
        break;
    case VALUE_METHOD: write_method(writer, value->method); break;
    case VALUE_ITERATOR: text_format(text, "<%s object>", iterator_word(value)); break;
    case VALUE_OBJECT:
        if (nested) text_format(text, "<%s>", value->object->type->name);
        else value->object->type->write(value->object, text, writer->digits);
        break;
    }
    writer->depth--;
    writer->open = open.around;
}

void value_write(Text *text, const Value *value, int digits, bool nested) {
    Writer writer = {.text = text, .digits = digits};
    write_part(&writer, value, nested);
}

void value_write_result(Text *text, const Value *value, int digits) {
    bool quoted = value->kind == VALUE_STRING || value->kind == VALUE_INSTANCE;
    value_write(text, value, digits, quoted);
}

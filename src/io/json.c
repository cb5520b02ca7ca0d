#include "io/json.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "io/file.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { POLL_EVERY = 4096 };

void json_write_string(Text *out, const char *text, size_t length) {
    text_char(out, '"');
    for (size_t i = 0, plain = 0; i <= length; i++) {
        static const char escaped[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
        if (i < length && (unsigned char)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
            continue;
        text_bytes(out, text + plain, i - plain);
        plain = i + 1;
        if (i == length) break;
        const char *at = text[i] ? strchr(escaped, text[i]) : NULL;
        if (at) text_format(out, "\\%c", letters[at - escaped]);
        else text_format(out, "\\u%04x", (unsigned)text[i]);
    }
    text_char(out, '"');
}

void json_write_text(Text *out, const char *text) { json_write_string(out, text, strlen(text)); }

void json_write_number(Text *out, double x, bool single) {
    /* number_write_shortest, made for people, leaves -0 unsigned. */
    if (x == 0 && signbit(x)) text_string(out, "-0.0");
    else if (isfinite(x)) number_write_shortest(out, x, single);
    else text_string(out, isnan(x) ? "\"nan\"" : x > 0 ? "\"inf\"" : "\"-inf\"");
}

/* The part of the tensor below `axis` that begins at *at; moves *at past it. At most 6 deep. */
static bool write_axis(Text *out, const Tensor *tensor, int axis, size_t *at, Error *err) {
    if (axis == tensor->shape.axes) {
        double x = tensor_get(tensor, (*at)++);
        if (tensor->dtype == DTYPE_BOOL) text_string(out, x != 0 ? "true" : "false");
        else json_write_number(out, x, tensor->dtype == DTYPE_FLOAT);
        return *at % POLL_EVERY != 0 || !interrupted(err);
    }
    text_char(out, '[');
    for (size_t i = 0; i < tensor->shape.size[axis]; i++) {
        if (i % POLL_EVERY == 0 && (interrupted(err) || !text_ok(out, err))) return false;
        if (i > 0) text_string(out, ", ");
        if (!write_axis(out, tensor, axis + 1, at, err)) return false;
    }
    text_char(out, ']');
    return true;
}

bool json_write_tensor(Text *out, const Tensor *tensor, Error *err) {
    size_t at = 0;
    return write_axis(out, tensor, 0, &at, err);
}

/* ---- reading ---- */

QuotedText quoted_text(const char *text) {
    enum { SHOWN = 72 };
    QuotedText out = {""};
    size_t length = strlen(text), at = 0, used = 0;
    while (at < length && used < SHOWN) {
        uint32_t code_point;
        size_t taken = utf8_next(text + at, length - at, &code_point);
        if (code_point != 0xFFFD && utf8_width(text + at, taken) > 0) {
            memcpy(out.text + used, text + at, taken);
            used += taken;
        } else {
            out.text[used++] = '?';
        }
        at += taken;
    }
    if (at < length) memcpy(out.text + used, "…", sizeof "…");
    return out;
}

/* jansson cannot be without memory in the middle of a text: it continues without the byte that it
 * could not keep, and then stops the program in an assertion. So it gets all at once, before it
 * begins. The most that a byte of text takes is 80 bytes, in a list of empty objects. */
enum { TREE_BYTES = 128, TREE_MORE = 1 << 16 };

static struct { char *next, *end; } tree_memory; /* while a tree is read */

static void *tree_allocate(size_t bytes) {
    size_t left = (size_t)(tree_memory.end - tree_memory.next);
    if (bytes > left || (bytes = (bytes + 15) / 16 * 16) > left) return NULL;
    void *block = tree_memory.next;
    tree_memory.next += bytes;
    return block;
}

static void tree_keep(void *block) { (void)block; /* the tree is freed as a whole */ }

bool json_tree_read(JsonTree *out, const char *text, size_t length, const char *what, Error *err) {
    json_malloc_t allocate; /* jansson's allocator is the whole program's: it is put back */
    json_free_t release;
    json_error_t problem;
    size_t bytes;
    if (!size_multiply(length, TREE_BYTES, &bytes)) bytes = SIZE_MAX - TREE_MORE;
    *out = (JsonTree){.memory = mem_alloc(bytes + TREE_MORE, err)};
    if (!out->memory) return false;
    tree_memory.next = out->memory;
    tree_memory.end = tree_memory.next + bytes + TREE_MORE;

    json_get_alloc_funcs(&allocate, &release);
    json_set_alloc_funcs(tree_allocate, tree_keep);
    out->root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &problem);
    json_set_alloc_funcs(allocate, release);
    if (out->root) return true;
    json_tree_release(out);
    return error_set(err, ERR_FILE, "%s is not the JSON it should be: %s, at byte %d", what,
                     quoted_text(problem.text).text, problem.position);
}

bool json_tree_read_file(JsonTree *out, const char *folder, const char *name, size_t limit,
                         const char *what, Error *err) {
    LocalText text = TEXT_EMPTY;
    *out = (JsonTree){NULL, NULL};
    if (!file_read_in(folder, name, limit, &text, err) ||
        !json_tree_read(out, text.data, text.length, what, err))
        return false;
    if (json_is_object(out->root)) return true;
    json_tree_release(out);
    return error_set(err, ERR_FILE, "%s holds no object", what);
}

void json_tree_release(JsonTree *tree) {
    mem_free(tree->memory);
    *tree = (JsonTree){NULL, NULL};
}

const char *json_text(const json_t *value) {
    const char *text = json_string_value(value);
    return text && strlen(text) == json_string_length(value) ? text : NULL;
}

bool json_whole(const json_t *value, int least, size_t count, int *out) {
    json_int_t number = json_integer_value(value);
    *out = (int)number;
    return json_is_integer(value) && number >= least && number < (json_int_t)count;
}

bool json_scalar_text(Text *out, const json_t *value) {
    const char *text = json_text(value);
    if (json_is_boolean(value)) text = json_is_true(value) ? "true" : "false";
    if (text) text_string(out, text);
    else if (json_is_integer(value)) text_format(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value)) number_write_shortest(out, json_real_value(value), false);
    else return false;
    return true;
}

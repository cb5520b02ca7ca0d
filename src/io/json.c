#include "io/json.h"

#include "base/interrupt.h"
#include "base/number.h"

#include <math.h>

enum { POLL_EVERY = 4096 };

static void write_escaped(Text *out, char c) {
    switch (c) {
    case '"': text_string(out, "\\\""); return;
    case '\\': text_string(out, "\\\\"); return;
    case '\n': text_string(out, "\\n"); return;
    case '\r': text_string(out, "\\r"); return;
    case '\t': text_string(out, "\\t"); return;
    case '\b': text_string(out, "\\b"); return;
    case '\f': text_string(out, "\\f"); return;
    default: break;
    }
    if ((unsigned char)c < 0x20) text_format(out, "\\u%04x", (unsigned)c);
    else text_char(out, c);
}

void json_write_string(Text *out, const char *text, size_t length) {
    text_char(out, '"');
    for (size_t i = 0; i < length; i++) write_escaped(out, text[i]);
    text_char(out, '"');
}

void json_write_number(Text *out, double x, bool single) {
    if (x == 0 && signbit(x))
        text_string(out,
                    "-0.0"); /* which number_write_shortest, made for people, leaves unsigned */
    else if (isfinite(x)) number_write_shortest(out, x, single);
    else text_string(out, isnan(x) ? "\"nan\"" : x > 0 ? "\"inf\"" : "\"-inf\"");
}

static void write_element(Text *out, const Tensor *tensor, size_t index) {
    double x = tensor_get(tensor, index);
    if (tensor->dtype == DTYPE_BOOL) text_string(out, x != 0 ? "true" : "false");
    else json_write_number(out, x, tensor->dtype == DTYPE_FLOAT);
}

/* The part of the tensor below `axis` that begins at *at; moves *at past it. At most 6 deep. */
static bool write_axis(Text *out, const Tensor *tensor, int axis, size_t *at, Error *err) {
    if (axis == tensor->shape.axes) {
        write_element(out, tensor, (*at)++);
        return *at % POLL_EVERY != 0 || !interrupted(err);
    }
    text_char(out, '[');
    for (size_t i = 0; i < tensor->shape.size[axis]; i++) {
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

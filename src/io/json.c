#include "io/json.h"

#include "base/interrupt.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { POLL_EVERY = 4096 };

void json_write_string(Text *out, const char *text, size_t length) {
    text_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        static const char escaped[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
        const char *at = text[i] ? strchr(escaped, text[i]) : NULL;
        if (at) text_format(out, "\\%c", letters[at - escaped]);
        else if ((unsigned char)text[i] < 0x20) text_format(out, "\\u%04x", (unsigned)text[i]);
        else text_char(out, text[i]);
    }
    text_char(out, '"');
}

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

#include "base/number.h"
#include "lang/eval/eval.h"

#include <string.h>

static bool write_spec(Frame *frame, const NodeList *spec, Text *out, Error *err) {
    for (int i = 0; i < spec->count; i++) {
        Value piece;
        if (!eval(frame, spec->items[i], &piece, err)) return false;
        value_write(out, &piece, frame->interp->digits, false);
        drop(&piece);
    }
    return true;
}

static bool no_format(const Value *value, const char *spec, Error *err) {
    error_set(err, ERR_TYPE, "%s cannot be written with the format \"%s\"", value_words(value),
              spec);
    if (value_is_array(value))
        return error_hint(err, "Write one element so: {x[0]:%s}, or round(x, 2) without a format.",
                          spec);
    return error_hint(err,
                      "A format is for a number or a string; str(x) makes a string of anything.");
}

static bool write_formatted(Frame *frame, const Value *value, const char *spec, Text *out,
                            Error *err) {
    if (value_is_scalar(value))
        return number_format(out, value_scalar(value), spec, frame->interp->digits, err);
    if (value->kind == VALUE_STRING)
        return string_format(out, value->string->data, value->string->length, spec, err);
    return no_format(value, spec, err);
}

/* {x!r:>8}: the string that !r or !s makes takes the format. */
static bool write_converted(Frame *frame, const FStringPart *part, const Value *value,
                            const char *spec, Text *out, Error *err) {
    Text inner;
    text_init(&inner);
    value_write(&inner, value, frame->interp->digits, part->conversion == 'r');
    bool ok = text_ok(&inner, err) && string_format(out, inner.data, inner.length, spec, err);
    text_release(&inner);
    return ok;
}

static bool write_with_spec(Frame *frame, const FStringPart *part, const Value *value, Text *out,
                            Error *err) {
    Text spec;
    text_init(&spec);
    bool ok = write_spec(frame, part->spec, &spec, err) && text_ok(&spec, err);
    if (ok && !spec.length) value_write(out, value, frame->interp->digits, part->conversion == 'r');
    else if (ok && part->conversion) ok = write_converted(frame, part, value, spec.data, out, err);
    else if (ok) ok = write_formatted(frame, value, spec.data, out, err);
    text_release(&spec);
    return ok;
}

static bool write_part(Frame *frame, const FStringPart *part, Text *out, Error *err) {
    Value value;
    if (part->text) text_bytes(out, part->text, part->length);
    if (!part->value) return true;
    if (!eval(frame, part->value, &value, err)) return false;
    bool ok = true, quoted = part->conversion == 'r' || (part->debug && part->conversion != 's');
    if (part->spec)
        ok = write_with_spec(frame, part, &value, out, err) || place_error(frame, part->value, err);
    else value_write(out, &value, frame->interp->digits, quoted && value.kind == VALUE_STRING);
    drop(&value);
    return ok;
}

bool eval_fstring(Frame *frame, const Node *node, Value *out, Error *err) {
    Text text;
    text_init(&text);
    bool ok = true;
    for (int i = 0; ok && i < node->fstring.count; i++)
        ok = write_part(frame, &node->fstring.parts[i], &text, err);
    if (ok) return value_text(out, &text, err);
    text_release(&text);
    return false;
}

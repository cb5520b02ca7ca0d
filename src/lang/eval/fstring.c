/* f-strings: values as text, with their formats. */
#include "base/number.h"
#include "lang/eval/eval.h"

static bool write_formatted(const Frame *frame, const Value *value, const char *spec, Text *out,
                            Error *err) {
    if (value_is_scalar(value))
        return number_format(out, value_scalar(value), spec, frame->interp->digits, err);
    if (value->kind == VALUE_STRING)
        return string_format(out, value->string->data, value->string->length, spec, err);
    error_set(err, ERR_TYPE, "%s cannot be written with the format \"%s\"", value_words(value),
              spec);
    if (value_is_array(value))
        return error_hint(err, "Write one element so: {x[0]:%s}, or round(x, 2) without a format.",
                          spec);
    return error_hint(err,
                      "A format is for a number or a string; str(x) makes a string of anything.");
}

/* {x:spec}. What !r or !s makes of the value is a string, which takes the format: {x!r:>8}. */
static bool write_with_spec(Frame *frame, const FStringPart *part, const Value *value, Text *out,
                            Error *err) {
    int digits = frame->interp->digits;
    bool quoted = part->conversion == 'r', ok = true;
    Value spec; /* a string */
    if (!eval(frame, part->spec, &spec, err)) return false;
    const char *format = spec.string->data;
    if (!*format) {
        value_write(out, value, digits, quoted);
    } else if (part->conversion) {
        Text converted = TEXT_EMPTY;
        value_write(&converted, value, digits, quoted);
        ok = text_ok(&converted, err) &&
             string_format(out, converted.data, converted.length, format, err);
        text_release(&converted);
    } else {
        ok = write_formatted(frame, value, format, out, err);
    }
    drop(&spec);
    return ok;
}

bool eval_fstring(Frame *frame, const Node *node, Value *out, Error *err) {
    Text text = TEXT_EMPTY;
    bool ok = true;
    for (int i = 0; ok && i < node->fstring.count; i++) {
        const FStringPart *part = &node->fstring.parts[i];
        Value value;
        if (part->text) text_bytes(&text, part->text, part->length);
        if (!part->value) continue;
        ok = eval(frame, part->value, &value, err);
        if (!ok) break;
        bool quoted = part->conversion == 'r' || (part->debug && part->conversion != 's');
        if (part->spec)
            ok = write_with_spec(frame, part, &value, &text, err) ||
                 place_error(frame, part->value, err);
        else
            value_write(&text, &value, frame->interp->digits, quoted && value.kind == VALUE_STRING);
        drop(&value);
    }
    if (ok) return value_text(out, &text, err);
    text_release(&text);
    return false;
}

/* f-strings: values as text, with their formats. */
#include "lang/eval/eval.h"

/* The text of a format that has no {fields} of its own; NULL: it has some. */
static const char *constant_format(const Node *spec) {
    if (spec->fstring.count == 0) return "";
    bool constant = spec->fstring.count == 1 && !spec->fstring.parts->value;
    return constant ? spec->fstring.parts->text : NULL;
}

static bool write_with_spec(Frame *frame, const FStringPart *part, const Value *value, Text *out,
                            Error *err) {
    int digits = frame->interp->digits;
    bool quoted = part->conversion == 'r', ok;
    const char *format = constant_format(part->spec);
    Value spec = VALUE_MISSING; /* a string */
    if (!format) {
        if (!eval(frame, part->spec, &spec, err)) return false;
        format = spec.string->data;
    }
    if (part->conversion) ok = value_format_converted(out, value, quoted, format, digits, err);
    else ok = value_format(out, value, format, digits, err);
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

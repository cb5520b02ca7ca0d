#include "base/csv_row.h"

#include <stdlib.h>
#include <string.h>

/* A sign alone and a number are none. */
static bool looks_like_formula(const char *text) {
    char *end;
    if (!*text || !strchr("=+-@\t\r\n", *text) || !text[1]) return false;
    strtod(text, &end);
    return *end != 0;
}

void csv_field(Text *out, const char *text) {
    if (!text) text = "";
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    text_string(out, quote);
    if (looks_like_formula(text)) text_char(out, '\'');
    for (; *text; text++) {
        if (*text == '"') text_char(out, '"');
        text_char(out, *text);
    }
    text_string(out, quote);
    text_char(out, ',');
}

void csv_end_row(Text *out) {
    if (out->length && out->data[out->length - 1] == ',') out->data[out->length - 1] = '\n';
    else text_char(out, '\n');
}

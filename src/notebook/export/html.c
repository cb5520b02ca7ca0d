#include "notebook/export/html.h"

#include "base/utf8.h"

#include <string.h>
#include <strings.h>

/* Characters that turn the direction of writing, or are there without being seen. */
static bool is_concealing(uint32_t c) {
    return c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

static void write_character(Text *out, uint32_t c) {
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = c && c < 0x80 ? strchr(special, (int)c) : NULL;
    if (at) text_string(out, entities[at - special]);
    else if (c == '\n' || c == '\t') text_char(out, (char)c);
    else if (c < 0x20) utf8_write(out, 0x2400 + c); /* ␛ */
    else if (c == 0x7F) utf8_write(out, 0x2421);
    else if (c < 0xA0 && c >= 0x80) text_format(out, "⟨U+%04X⟩", (unsigned)c);
    else if (is_concealing(c)) text_format(out, "⟨U+%04X⟩", (unsigned)c);
    else if ((c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) utf8_write(out, 0xFFFD);
    else utf8_write(out, c);
}

void html_text(Text *out, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t c;
        at += utf8_next(text + at, length - at, &c);
        if (c == '\r') continue;
        write_character(out, c);
    }
}

void html_string(Text *out, const char *text) { html_text(out, text, strlen(text)); }

void html_columns(Text *out, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t c;
        size_t taken = utf8_next(text + at, length - at, &c);
        bool wide = c >= 0x1100 && utf8_width(text + at, taken) == 2;
        if (wide) text_string(out, "<span>");
        if (c != '\r') write_character(out, c);
        if (wide) text_string(out, "</span>");
        at += taken;
    }
}

bool html_is_web_link(const char *target) {
    static const char *const schemes[] = {"https://", "http://", "mailto:"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncasecmp(target, schemes[i], strlen(schemes[i])) == 0) return true;
    return false;
}

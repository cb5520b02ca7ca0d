#include "view/label.h"

#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- which are shown ---- */

Shown show_at_most(size_t count, size_t most) {
    if (count <= most) return show_all(count);
    return (Shown){.head = (most + 1) / 2, .tail = most / 2, .count = count};
}

void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns) {
    size_t left = shown->count - shown_count(shown);
    if (left == 0) return;
    Text line = TEXT_EMPTY;
    const char *between = left == 1 ? " " : "s ";
    text_string(&line, what);
    for (size_t i = 0, first = 0; i <= shown_count(shown); i++) {
        size_t end = shown_at(shown, i); /* of the gap before it */
        if (end > first) text_format(&line, "%s%zu", between, first);
        if (end > first) between = ", ";
        if (end > first + 1) text_format(&line, " to %zu", end - 1);
        first = end + 1;
    }
    text_format(&line, " of %zu %s not shown", shown->count, left == 1 ? "is" : "are");
    text_say_lines(out, &line, (size_t)columns);
}

/* ---- cleaning ---- */

void label_clean(Text *out, const char *text) {
    size_t length = text ? strlen(text) : 0;
    for (size_t at = 0, taken; at < length; at += taken) {
        uint32_t c;
        taken = utf8_next(text + at, length - at, &c);
        /* A combining mark that has no letter is put on a circle. */
        if (at == 0 && utf8_is_name(c) && utf8_width(text, taken) == 0) text_string(out, "◌");
        utf8_write(out, utf8_sign(c));
    }
}

const char *label_of(const Labels *labels, size_t index, char digits[LABEL_DIGITS]) {
    if (labels->items && index < labels->count) return labels->items[index];
    snprintf(digits, LABEL_DIGITS, "%zu", index);
    return digits;
}

void label_write(Text *out, const Labels *labels, size_t index) {
    char digits[LABEL_DIGITS];
    label_clean(out, label_of(labels, index, digits));
}

/* ---- lines ---- */

/* The width of a character, in the unit of the line. */
typedef double Measure(const char *bytes, size_t length, uint32_t c);

/* The number of bytes of the text that fit into `room`; at least one character. */
static size_t fitting(const char *text, size_t length, double room, Measure *measure) {
    size_t at = 0;
    while (at < length) {
        uint32_t c;
        size_t taken = utf8_next(text + at, length - at, &c);
        room -= measure(text + at, taken, c);
        if (room < 0 && at > 0) break;
        at += taken;
    }
    return at;
}

/* Breaks a text into lines of `room`; what is left after `most` lines stays in the last. */
static size_t wrap(Text *out, const Text *text, double room, size_t most, Measure *measure) {
    size_t lines = 0, at = 0;
    if (text->failed) text_fail(out);
    while (at < text->length) {
        const char *rest = text->data + at;
        size_t left = text->length - at, length = left;
        if (lines + 1 < most) length = fitting(rest, left, room, measure);
        if (length < left) {
            /* Breaks behind a space, when there is one in the line's second half. */
            size_t space = length;
            while (space > length / 2 && rest[space - 1] != ' ') space--;
            if (space > length / 2) length = space;
        }
        if (lines++) text_char(out, '\n');
        text_bytes(out, rest, length);
        at += length;
    }
    return lines;
}

/* ---- in a terminal ---- */

/* The ASCII character for one of our own titles, or for punctuation: one for one, so that widths
 * stay. 0: there is none. */
static char ascii_twin(uint32_t c) {
    switch (c) {
    case 0xD7: return 'x';
    case 0xB7: return '.';
    case 0xB2: return '2';
    case 0x2212: return '-';
    case 0x2248: return '~';
    case 0x3C4: return 't';
    case 0x2192: return '>';
    default: return utf8_ascii_twin(c);
    }
}

void label_write_axis(Text *out, const char *title, bool down, bool utf8) {
    label_for_terminal(out, title, utf8);
    if (utf8) text_string(out, down ? " ↓" : " →");
    else text_string(out, down ? " down" : " across");
}

void label_write_for_terminal(Text *out, const Labels *labels, size_t index, bool utf8) {
    if (utf8) {
        label_write(out, labels, index);
        return;
    }
    LocalText clean = TEXT_FOR(out);
    label_write(&clean, labels, index);
    for (size_t at = 0; at < clean.length;) {
        uint32_t c;
        at += utf8_next(clean.data + at, clean.length - at, &c);
        char twin = c < 0x7F ? (char)c : ascii_twin(c);
        text_char(out, twin ? twin : '?');
    }
}

void label_for_terminal(Text *out, const char *text, bool utf8) {
    label_write_for_terminal(out, &(Labels){&text, 1}, 0, utf8);
}

size_t label_width(const Labels *labels, size_t index, bool utf8) {
    LocalText text = TEXT_EMPTY;
    label_write_for_terminal(&text, labels, index, utf8);
    return utf8_width(text.data, text.length);
}

size_t labels_width(const Labels *labels, Shown shown, bool utf8) {
    size_t most = 0;
    for (size_t i = 0; i < shown_count(&shown); i++)
        most = larger(most, label_width(labels, shown_at(&shown, i), utf8));
    return most;
}

void label_end_line(Text *out) {
    text_cut_blanks(out);
    text_char(out, '\n');
}

void label_fit(Text *out, const Text *text, size_t width, bool right, bool utf8) {
    if (text->failed) text_fail(out);
    if (utf8 || text->length <= width) {
        utf8_pad(out, text->data, text->length, width, right);
        return;
    }
    size_t dots = width < 2 ? width : 2; /* "…" is not ASCII */
    text_bytes(out, text->data, width - dots);
    text_repeat(out, '.', dots);
}

void label_shorten(Text *label, const Labels *labels, size_t width, bool utf8) {
    const char *arrow = label->length ? strstr(label->data, utf8 ? LABEL_ARROW : " > ") : NULL;
    size_t i = 0;
    while (arrow && i < labels->count && label_width(labels, i, utf8) <= width) i++;
    if (!arrow || i == labels->count) return;
    label->length -= (size_t)(arrow + 1 - label->data);
    memmove(label->data, arrow + 1, label->length + 1);
}

void label_write_fit(Text *out, const Labels *labels, size_t index, size_t width, bool right,
                     bool utf8) {
    LocalText name = TEXT_FOR(out);
    label_write_for_terminal(&name, labels, index, utf8);
    label_shorten(&name, labels, width, utf8);
    label_fit(out, &name, width, right, utf8);
}

static double character_columns(const char *bytes, size_t length, uint32_t c) {
    (void)c;
    return (double)utf8_width(bytes, length);
}

void label_write_lines(Text *out, const Text *text, size_t columns) {
    wrap(out, text, (double)columns, SIZE_MAX, character_columns);
    if (text->length) text_char(out, '\n');
}

void label_say_lines(Text *out, const Text *text, size_t columns) {
    LocalText said = TEXT_FOR(out);
    tr_write(&said, text->data);
    label_write_lines(out, &said, columns);
}

/* ---- in a picture ---- */

/* Widths of DejaVu Sans, the widest of the usual ones, in five classes. */
static double character_ems(const char *bytes, size_t length, uint32_t c) {
    if (c >= 0x80) {
        size_t columns = utf8_width(bytes, length);
        return columns == 0 ? 0 : columns == 1 ? 0.8 : 1.15;
    }
    if (strchr(" ijl'|.,:;!I", (int)c)) return 0.34;
    if (strchr("[](){}/\\tfr`-", (int)c)) return 0.42;
    if (strchr("mwMW@%", (int)c)) return 1.0;
    if ((c >= 'A' && c <= 'Z') || strchr("+=<>#~^&", (int)c)) return 0.8;
    return 0.64;
}

double label_ems_most(const Labels *labels, size_t count) {
    double most = 0;
    LocalText text = TEXT_EMPTY;
    for (size_t i = 0; i < count; i++) {
        text_clear(&text);
        label_write(&text, labels, i);
        double ems = 0;
        for (size_t at = 0, taken; at < text.length; at += taken) {
            uint32_t c;
            taken = utf8_next(text.data + at, text.length - at, &c);
            ems += character_ems(text.data + at, taken, c);
        }
        most = fmax(most, ems);
    }
    return most;
}

void label_cut(Text *out, const Text *text, double ems) {
    if (text->failed) text_fail(out);
    size_t whole = fitting(text->data, text->length, ems, character_ems);
    if (whole < text->length) whole = fitting(text->data, text->length, ems - 0.8, character_ems);
    text_bytes(out, text->data, whole);
    if (whole < text->length) text_string(out, "…");
}

size_t label_wrap(Text *out, const Text *text, double ems, size_t most) {
    return wrap(out, text, ems, most, character_ems);
}

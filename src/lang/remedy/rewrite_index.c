/* Ranges and indices of Octave, which count from 1 and hold their end. */
#include "lang/remedy/rewriter.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

static bool read_number(const Text *text, double *number) {
    char *end;
    *number = strtod(text->data, &end);
    return text->length > 0 && *end == '\0' && isfinite(*number);
}

/* True if a part of a range is one value: not `In [1]`, two words with a blank between them. */
static bool is_value(const char *text) {
    for (const char *blank = strchr(text, ' '); blank; blank = strchr(blank + 1, ' '))
        if (!strchr("+-*/@%(,", blank[-1]) && !strchr("+-*/@%),", blank[1])) return false;
    return *text != '\0';
}

void write_range(Rewriter *r, Text *out, const Text *parts, int count) {
    const Text *begin = &parts[0], *end = &parts[count - 1];
    double from = 0, to = 0, step = 1;
    bool numbers = read_number(begin, &from) && read_number(end, &to);
    /* x: 3 is an annotation, and f(axis: 3) an argument, unless x is a variable. */
    bool begins =
        !isalpha((unsigned char)*begin->data) || variable_named(r, begin->data, begin->length);
    r->changed = true;
    if (!begins || !is_value(begin->data) || !is_value(end->data) ||
        (count == 3 && !read_number(&parts[1], &step)) || step == 0 ||
        (step != floor(step) && !numbers)) {
        r->failed = true;
        return;
    }
    if (step != floor(step)) { /* so many numbers, since a last one at `end` would be in doubt */
        double steps = floor((to - from) / step + 1e-9);
        text_format(out, "linspace(%s, %.15g, %.15g)", begin->data, from + steps * step, steps + 1);
        return;
    }
    text_format(out, "%s(%s, ", r->loop ? "range" : "arange", begin->data);
    if (numbers) text_format(out, "%.15g", to + (step > 0 ? 1 : -1));
    else text_format(out, "%s %s 1", end->data, step > 0 ? "+" : "-");
    if (count == 3) text_format(out, ", %s", parts[1].data);
    text_char(out, ')');
}

/* ---- indices ---- */

/* end and end-1 as -1 and -2. */
static bool write_from_end(Text *out, const char *text) {
    if (strncmp(text, "end", 3) != 0) return false;
    text += 3 + strspn(text + 3, " ");
    double behind = 0;
    if (*text == '-') behind = strtod(text + 1, (char **)&text);
    text_format(out, "%.15g", -1 - behind);
    return *text == '\0';
}

void write_counted(Rewriter *r, Text *out, const Text *part) {
    double number;
    if (write_from_end(out, part->data)) return;
    if (part->length == 0 || strncmp(part->data, "end", 3) == 0)
        r->failed = true; /* A.T() has no index, and A(end+1) makes it longer */
    else if (read_number(part, &number)) {
        r->failed |= number < 1;
        text_format(out, "%.15g", number - 1);
    } else if (strpbrk(part->data, "<>=!&|~") || names_array(r, part->data, part->length))
        text_string(out, part->data);
    else text_format(out, "%s - 1", part->data);
}

void write_slice(Rewriter *r, Text *out, const Text *parts, int count) {
    const char *begin = parts[0].data, *end = parts[count - 1].data;
    if (count == 3 && parts[1].data[0] == '-') {
        r->failed |= strcmp(begin, "end") != 0 || strcmp(end, "1") != 0;
        text_format(out, "::%s", parts[1].data);
        return;
    }
    if (*begin && strcmp(begin, "1") != 0) write_counted(r, out, &parts[0]);
    text_char(out, ':');
    text_string(out, strncmp(end, "end", 3) == 0 ? end + 3 : end);
    if (count == 3) text_format(out, ":%s", parts[1].data);
}

bool ends_in_matrix(const Rewriter *r, const Text *out) {
    size_t begin = trailing_word(out->data, out->length);
    const Value *value = variable_named(r, out->data + begin, out->length - begin);
    return value && value_axes(value) > 1;
}

bool is_indexed(const Rewriter *r, const Text *out) {
    size_t begin = trailing_word(out->data, out->length);
    const char *name = out->data + begin;
    const Symbol *symbol = interp_find_word(r->interp, name, out->length - begin);
    if (names_array(r, name, out->length - begin)) return true;
    if (symbol && (symbol->builtin || symbol->value.kind != VALUE_UNSET)) return false;
    if (command_find(r->interp->hooks.commands, name, out->length - begin)) return false;
    if (foreign_word(FOREIGN_NAMES, name)) return false; /* collect(1:3) */
    /* The name is unknown, as in a function: the arguments tell, and what is assigned to it. */
    int depth = 0;
    const char *at = r->at;
    for (; *at && depth >= 0; at++) {
        if (*at == '"' || (*at == '\'' && strchr("(,=[{+ ", at[-1]))) {
            const char *close = strchr(at + 1, *at);
            if (!close) return false;
            at = close;
        }
        bool begins = depth == 0 && !is_word_byte(at[-1]);
        if (begins && begins_with_word(at, "lambda")) return false;
        if (begins && begins_with_word(at, "end")) return true;
        if (depth == 0 && *at == ':') return true;
        if (strchr("([{", *at)) depth++;
        else if (strchr(")]}", *at)) depth--;
    }
    at += strspn(at, " ");
    return *at == '=' && at[1] != '=' && isdigit((unsigned char)*r->at);
}

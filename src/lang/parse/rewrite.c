/* The line is copied from left to right, and what is foreign is replaced as it comes: signs by a
 * table, words by those of lang/foreign.h, A(1, :) by A[0, :], 1:5 by arange(1, 6). */
#include "lang/parse/rewrite.h"

#include "base/utf8.h"
#include "lang/foreign.h"
#include "lang/parser.h"
#include "lang/token.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 3, WORD_MAX = 60 };

/* What stands between two commas. */
typedef enum Context {
    VALUE,    /* an argument, or an expression of its own: 1:5 is a range */
    ELEMENTS, /* of a literal, where blanks separate too: [1 2] */
    INDEX,    /* of Octave, counted from 1: A(1, :) */
    PLAIN,    /* of this language: A[0, :] */
} Context;

typedef struct Rewriter {
    const Interp *interp;
    const char *at, *end; /* what is to be read next; ends with a zero byte */
    bool loop;            /* in the head of a for: a range is range(), not arange() */
    bool octave;          /* the line is Octave's: * between arrays is the matrix product */
    bool changed;
    bool failed; /* something foreign has no counterpart */
} Rewriter;

static void rewrite_list(Rewriter *r, Text *out, Context context);
static void rewrite_item(Rewriter *r, Text *out, Context context);

/* ---- the text so far ---- */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static char last_of(const Text *text) { return text->length ? text->data[text->length - 1] : ' '; }

static bool ends_value(const Text *text) {
    return is_word(last_of(text)) || strchr(")]}'\"", last_of(text));
}

static void cut(Text *text, size_t length) {
    if (length < text->length) text->data[text->length = length] = '\0';
}

static void trim(Text *text) {
    size_t blanks = strspn(text->data, " "), end = text->length;
    while (end > blanks && text->data[end - 1] == ' ') end--;
    cut(text, end);
    if (blanks == 0) return;
    memmove(text->data, text->data + blanks, end - blanks);
    cut(text, end - blanks);
}

/* Takes the value that the text ends with, A of `x + A` or f(x)[0], off it. */
static void take_value(Text *text, Text *value) {
    size_t at = text->length;
    while (at > 0 && text->data[at - 1] == ' ') cut(text, --at);
    for (int depth = 0; at > 0; at--) {
        char c = text->data[at - 1];
        if (strchr(")]", c)) depth++;
        else if (strchr("([", c)) depth--;
        else if (depth == 0 && !is_word(c) && c != '.') break;
        if (depth < 0) break;
    }
    text_string(value, text->data + at);
    cut(text, at);
}

static const Symbol *symbol_of(const Rewriter *r, const char *name, size_t length) {
    char word[WORD_MAX];
    if (length == 0 || length >= sizeof word) return NULL;
    memcpy(word, name, length);
    word[length] = '\0';
    return interp_find(r->interp, word);
}

static bool is_variable(const Rewriter *r, const char *name) {
    const Symbol *symbol = symbol_of(r, name, strlen(name));
    return symbol && symbol->value.kind != VALUE_UNSET;
}

static bool is_array(const Rewriter *r, const char *name, size_t length) {
    const Symbol *symbol = symbol_of(r, name, length);
    return symbol && (value_is_array(&symbol->value) || symbol->value.kind == VALUE_LIST);
}

/* ---- ranges ---- */

static bool read_number(const Text *text, double *number) {
    char *end;
    *number = strtod(text->data, &end);
    return text->length > 0 && *end == '\0' && isfinite(*number);
}

/* Whether a part of a range is one value: not `In [1]`, two words with a blank between them. */
static bool is_value(const char *text) {
    for (const char *blank = strchr(text, ' '); blank; blank = strchr(blank + 1, ' '))
        if (!strchr("+-*/@%(,", blank[-1]) && !strchr("+-*/@%),", blank[1])) return false;
    return *text != '\0';
}

/* a:b and a:s:b, which hold their end. */
static void write_range(Rewriter *r, Text *out, const Text *parts, int count) {
    const Text *begin = &parts[0], *end = &parts[count - 1];
    double from = 0, to = 0, step = 1;
    bool numbers = read_number(begin, &from) && read_number(end, &to);
    /* x: 3 is an annotation, and f(axis: 3) an argument, unless x is a variable. */
    bool begins = !isalpha((unsigned char)*begin->data) || is_variable(r, begin->data);
    r->changed = true;
    if (!begins || !is_value(begin->data) || !is_value(end->data) ||
        (count == 3 && !read_number(&parts[1], &step)) || step == 0 ||
        (step != floor(step) && !numbers)) {
        r->failed = true;
        return;
    }
    if (step != floor(step)) { /* so many numbers, since a last one at `end` would be in doubt */
        double steps = floor((to - from) / step + 1e-9);
        text_format(out, "linspace(%s, %g, %g)", begin->data, from + steps * step, steps + 1);
        return;
    }
    text_format(out, "%s(%s, ", r->loop ? "range" : "arange", begin->data);
    if (numbers) text_format(out, "%g", to + (step > 0 ? 1 : -1));
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
    text_format(out, "%g", -1 - behind);
    return *text == '\0';
}

/* One index, counted from 0; a mask stays as it is. */
static void write_counted(Rewriter *r, Text *out, const Text *part) {
    double number;
    if (write_from_end(out, part->data)) return;
    if (strncmp(part->data, "end", 3) == 0) r->failed = true; /* A(end+1) makes it longer */
    else if (read_number(part, &number)) {
        r->failed = r->failed || number < 1;
        text_format(out, "%g", number - 1);
    } else if (strpbrk(part->data, "<>=!&|~") || is_array(r, part->data, part->length))
        text_string(out, part->data);
    else text_format(out, "%s - 1", part->data);
}

/* a:b of an index: the first is counted from 0, and the last is not in it. */
static void write_slice(Rewriter *r, Text *out, const Text *parts, int count) {
    const char *begin = parts[0].data, *end = parts[count - 1].data;
    if (count == 3 && parts[1].data[0] == '-') {
        r->failed = r->failed || strcmp(begin, "end") != 0 || strcmp(end, "1") != 0;
        text_format(out, "::%s", parts[1].data);
        return;
    }
    if (*begin && strcmp(begin, "1") != 0) write_counted(r, out, &parts[0]);
    text_char(out, ':');
    text_string(out, strncmp(end, "end", 3) == 0 ? end + 3 : end);
    if (count == 3) text_format(out, ":%s", parts[1].data);
}

/* Whether the name in front of a ( is a variable's, so that Octave would index it. */
static bool is_indexed(const Rewriter *r, const Text *out) {
    size_t begin = out->length;
    while (begin > 0 && is_word(out->data[begin - 1])) begin--;
    const char *name = out->data + begin;
    const Symbol *symbol = symbol_of(r, name, out->length - begin);
    if (is_array(r, name, out->length - begin)) return true;
    if (symbol && (symbol->builtin || symbol->value.kind != VALUE_UNSET)) return false;
    /* The name is unknown, as in a function: the arguments tell, and what is assigned to it. */
    int depth = 0;
    const char *at = r->at;
    for (; at < r->end && depth >= 0; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && (*at == ':' || strncmp(at, "end", 3) == 0)) return true;
    }
    at += strspn(at, " ");
    return *at == '=' && at[1] != '=' && isdigit((unsigned char)*r->at);
}

/* ---- one piece after the other ---- */

/* A name or number. Chinese words are replaced, where they are no variables; those of other
 * languages where they are called. */
static void rewrite_word(Rewriter *r, Text *out) {
    const char *begin = r->at;
    while (is_word(*r->at) || (*r->at == '.' && isdigit((unsigned char)*begin) &&
                               !strchr("*/^'", r->at[1] ? r->at[1] : ' ')))
        r->at++;
    size_t length = (size_t)(r->at - begin);
    const Symbol *symbol = symbol_of(r, begin, length);
    if (isdigit((unsigned char)*begin) || last_of(out) == '.' ||
        (symbol && (symbol->value.kind != VALUE_UNSET || symbol->builtin))) {
        text_bytes(out, begin, length);
        return;
    }
    Text word = TEXT_EMPTY, here = TEXT_EMPTY;
    text_bytes(&word, begin, length);
    const char *name = *r->at == '(' ? foreign_name(word.data) : NULL;
    if (name && !strpbrk(name, " %,")) text_string(&here, name);
    else foreign_chinese(&here, begin, length);
    r->changed = r->changed || here.length > 0;
    text_string(out, here.length > 0 ? here.data : word.data);
    text_release_for(&word, out);
    text_release_for(&here, out);
}

/* A string, or the ' of a transpose. */
static void rewrite_quote(Rewriter *r, Text *out) {
    char quote = *r->at;
    if (quote == '\'' && (ends_value(out) || last_of(out) == '.')) {
        if (last_of(out) == '.') cut(out, out->length - 1);
        text_string(out, ".T");
        r->octave = r->changed = true;
        r->at++;
        return;
    }
    const char *begin = r->at++;
    while (*r->at && *r->at != quote) r->at += *r->at == '\\' && r->at[1] ? 2 : 1;
    if (!*r->at) r->failed = true;
    else r->at++;
    text_bytes(out, begin, (size_t)(r->at - begin));
}

/* A \ B, A^-1, and √ x, which a sign alone cannot say. */
static bool rewrite_operator(Rewriter *r, Text *out) {
    Text left = TEXT_EMPTY;
    const char *at = r->at;
    bool inverse = strncmp(at, "^-1", 3) == 0, divides = *at == '\\',
         transposes = strncmp(at, "^T", 2) == 0 && !is_word(at[2]),
         root = strncmp(at, "√", strlen("√")) == 0,
         found = inverse || divides || transposes || root;
    if (transposes) {
        text_string(out, ".T");
        r->at += 2;
    } else if (inverse || divides) {
        take_value(out, &left);
        text_format(out, inverse ? "inv(%s)" : "solve(%s, ", left.data);
        r->at += inverse ? 3 : 1;
        r->failed = r->failed || left.length == 0;
    } else if (root) {
        text_string(out, "sqrt");
        r->at += strlen("√");
    }
    if (divides || (root && *r->at != '(')) { /* the value behind it becomes an argument */
        r->at += strspn(r->at, " ");
        if (root) text_char(out, '(');
        if (is_word(*r->at)) rewrite_word(r, out);
        else r->failed = true;
        text_char(out, ')');
    }
    r->changed = r->changed || found;
    text_release_for(&left, out);
    return found;
}

/* Signs of other languages and of paper, the longest first. */
static const struct {
    const char *sign, *here;
} signs[] = {
    {"===", "=="}, {"!==", "!="}, {"=>", ">="}, {"=<", "<="},  {"~=", "!="}, {"<>", "!="},
    {".*", "*"},   {"./", "/"},   {".^", "**"}, {"^", "**"},   {"×", "*"},   {"÷", "/"},
    {"−", "-"},    {"–", "-"},    {"≤", "<="},  {"≥", ">="},   {"≠", "!="},  {"∞", "inf"},
    {"²", "**2"},  {"³", "**3"},  {"½", "0.5"}, {"∈", " in "}, {"·", "@"},   {"⋅", "@"},
    {"•", "@"},    {"⊤", ".T"},   {"ᵀ", ".T"},  {"⊙", "*"},    {"「", "\""}, {"」", "\""},
    {"《", "\""},  {"》", "\""},  {"～", ":"},  {"〔", "["},   {"〕", "]"},
};

static bool begins_with_array(const Rewriter *r, const char *text) {
    size_t length = 0;
    while (is_word(text[length])) length++;
    return is_array(r, text, length);
}

/* × between arrays is their product, and so is * in Octave. */
static bool stands_between_arrays(const Rewriter *r, const Text *out, const char *behind) {
    Text copy = TEXT_EMPTY, left = TEXT_EMPTY;
    text_string(&copy, out->data);
    take_value(&copy, &left);
    bool found =
        begins_with_array(r, left.data) && begins_with_array(r, behind + strspn(behind, " "));
    text_release(&copy);
    text_release(&left);
    return found;
}

/* a > 0 && b > 0 -> a > 0 and b > 0, or (a > 0) & (b > 0) where a or b is an array. What unknown
 * names are cannot be told. */
static bool rewrite_logical(Rewriter *r, Text *out) {
    if (strncmp(r->at, "&&", 2) != 0 && strncmp(r->at, "||", 2) != 0) return false;
    const char sign[] = {*r->at, '\0'};
    bool arrays = false;
    r->at += 2 + strspn(r->at + 2, " ");
    Text right = TEXT_EMPTY;
    rewrite_item(r, &right, VALUE);
    trim(out);
    const char *sides[] = {out->data, right.data};
    for (int i = 0; i < 2; i++) {
        for (const char *at = sides[i]; *at;) {
            size_t length = 0;
            while (is_word(at[length])) length++;
            arrays = arrays || is_array(r, at, length);
            bool known = !isalpha((unsigned char)*at) || symbol_of(r, at, length);
            r->failed = r->failed || !known;
            at += length ? length : 1;
        }
    }
    Text line = TEXT_EMPTY;
    const char *word = *sign == '&' ? "and" : "or";
    text_format(&line, arrays ? "(%s) %s (%s)" : "%s %s %s", out->data, arrays ? sign : word,
                right.data);
    text_clear(out);
    text_string(out, line.data);
    text_release_for(&line, out);
    text_release_for(&right, out);
    return r->changed = true;
}

static bool rewrite_sign(Rewriter *r, Text *out) {
    if (rewrite_operator(r, out) || rewrite_logical(r, out)) return true;
    if (*r->at == '*' && r->at[1] != '*' && r->octave && stands_between_arrays(r, out, r->at + 1)) {
        text_char(out, '@');
        r->at++;
        return true;
    }
    if (strncmp(r->at, "**", 2) == 0) {
        text_string(out, "**");
        r->at += 2;
        return true;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *here = signs[i].here;
        if (strncmp(r->at, signs[i].sign, strlen(signs[i].sign)) != 0) continue;
        r->at += strlen(signs[i].sign);
        if (*here == ' ' && last_of(out) == ' ') here++;
        if (strcmp(signs[i].sign, "×") == 0 && stands_between_arrays(r, out, r->at)) here = "@";
        if (signs[i].sign[0] == '.') r->octave = true;
        text_string(out, here);
        if (last_of(out) == ' ') r->at += strspn(r->at, " ");
        return r->changed = true;
    }
    return false;
}

/* @(x) x + 1 -> lambda x: x + 1 */
static void rewrite_handle(Rewriter *r, Text *out) {
    size_t length = strcspn(r->at, ")");
    text_format(out, "lambda %.*s:", (int)length - 2, r->at + 2);
    r->at += length;
    if (*r->at) r->at++;
    if (*r->at != ' ') text_char(out, ' ');
    r->changed = true;
}

/* A bracket and all that is in it. */
static void rewrite_bracket(Rewriter *r, Text *out) {
    static const char opening[] = "([{", closing[] = ")]}";
    char open = *r->at++, close = closing[strchr(opening, open) - opening];
    Context context = VALUE;
    bool loop = r->loop, behind = ends_value(out);
    if (open == '[') context = behind ? PLAIN : ELEMENTS;
    else if (open == '{') context = behind ? INDEX : PLAIN;
    else if (behind && is_indexed(r, out)) context = INDEX;
    if (context == INDEX) {
        open = '[';
        r->octave = r->changed = true;
    }
    r->loop = false;
    size_t begin = out->length;
    text_char(out, open);
    rewrite_list(r, out, context);
    if (*r->at != close) r->failed = true;
    else r->at++;
    r->loop = loop;
    text_char(out, context == INDEX ? ']' : close);
    if (context == INDEX && strcmp(out->data + begin, "[:]") == 0) { /* columns first, in Octave */
        cut(out, begin);
        text_string(out, ".T.flatten()");
    }
    if (context == INDEX && strncmp(r->at, " = []", 5) == 0) r->failed = true;
}

/* ---- items ---- */

/* Whether a blank in a literal separates two elements. */
static bool separates(const Rewriter *r, const Text *out) {
    const char *next = r->at + strspn(r->at, " ");
    return ends_value(out) && (is_word(*next) || strchr("([\"'", *next ? *next : ' ')) &&
           strncmp(next, "for ", 4) != 0 && strncmp(next, "if ", 3) != 0 &&
           strncmp(next, "in ", 3) != 0;
}

static bool ends_item(const Rewriter *r) {
    return !*r->at || strchr(",;)]}", *r->at) ||
           (*r->at == '=' && r->at[1] != '=' && r->at[1] != '>' && r->at[1] != '<');
}

static void write_item(Rewriter *r, Text *out, Text *parts, int count, Context context) {
    if (context == INDEX || count > 1) {
        if (parts[0].data[0] == ' ') text_char(out, ' ');
        for (int i = 0; i < count; i++) trim(&parts[i]);
    }
    if (context == INDEX && count == 1) write_counted(r, out, &parts[0]);
    else if (context == INDEX) write_slice(r, out, parts, count);
    else if (count > 1) write_range(r, out, parts, count);
    else text_string(out, parts[0].data);
}

/* From here to the next comma, semicolon or closing bracket; colons part it. */
static void rewrite_item(Rewriter *r, Text *out, Context context) {
    Text parts[PARTS_MAX] = {TEXT_EMPTY, TEXT_EMPTY, TEXT_EMPTY};
    Text *part = parts;
    bool colons = context != PLAIN, element = false;
    while (!ends_item(r) && !element && !r->failed) {
        char c = *r->at;
        if (c == ' ' && context == ELEMENTS && separates(r, part)) {
            r->at += strspn(r->at, " ");
            element = r->changed = true;
        } else if (c == ':' && colons) {
            r->at++;
            r->failed = r->failed || part == parts + PARTS_MAX - 1;
            if (!r->failed) part++;
        } else if (c == '\'' || c == '"') rewrite_quote(r, part);
        else if (strchr("([{", c)) rewrite_bracket(r, part);
        else if (strncmp(r->at, "@(", 2) == 0 && !ends_value(part)) rewrite_handle(r, part);
        else if (rewrite_sign(r, part)) continue;
        else if (is_word(c)) {
            if (strncmp(r->at, "lambda ", 7) == 0) colons = false;
            rewrite_word(r, part);
        } else {
            /* ==, <=, != are no ends of items */
            size_t length = strchr("=<>!", c) && (r->at[1] == '=') ? 2 : 1;
            text_bytes(part, r->at, length);
            r->at += length;
        }
    }
    write_item(r, out, parts, (int)(part - parts) + 1, context);
    if (element) text_string(out, ", ");
    for (int i = 0; i < PARTS_MAX; i++) text_release_for(&parts[i], out);
}

/* Items up to a closing bracket or the end. */
static void rewrite_list(Rewriter *r, Text *out, Context context) {
    while (!r->failed) {
        rewrite_item(r, out, context);
        if (*r->at && strchr(",;=", *r->at)) {
            text_char(out, *r->at);
            if (context == INDEX && *r->at == ',' && r->at[1] != ' ') text_char(out, ' ');
            r->at++;
        } else if (!*r->at || strchr(")]}", *r->at)) return;
    }
}

/* ---- lines ---- */

/* Whether a comment of C or Octave begins here: `% ` or `// ` and a word that cannot be a divisor.
 */
static bool begins_comment(const Text *before, const char *text) {
    size_t marks = *text == '%' ? 1 : strncmp(text, "//", 2) == 0 ? 2 : 0;
    const char *word = text + marks + strspn(text + marks, " "), *behind = word;
    while (is_word(*behind)) behind++;
    bool apart = before->length == 0 || last_of(before) == ' ';
    return marks > 0 && apart && word > text + marks && !isdigit((unsigned char)*word) &&
           behind > word && (*behind == ' ' || !*behind);
}

/* Copies the line with ASCII for full-width punctuation, up to a comment: returns where that
 * begins, or the length. */
static size_t read_plain(Text *out, const char *line, size_t length) {
    char quote = 0;
    uint32_t c;
    for (size_t at = 0, size; at < length; at += size) {
        size = utf8_next(line + at, length - at, &c);
        char twin = c < 0x80 ? (char)c : utf8_ascii_twin(c);
        bool quotes = twin == '"' || (twin == '\'' && !ends_value(out));
        if (!quote && (twin == '#' || begins_comment(out, line + at))) return at;
        if (!quote && quotes) quote = twin;
        else if (quote && twin == quote) {
            /* A curly quote closes a straight one where no straight one does. */
            if (c < 0x80 || !memchr(line + at, quote, length - at)) quote = 0;
            else twin = 0;
        } else if (quote && c >= 0x80) twin = 0;
        if (twin) text_char(out, twin);
        else text_bytes(out, line + at, size);
    }
    return length;
}

static bool take_word(Rewriter *r, const char *word) {
    size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0 || is_word(r->at[length])) return false;
    r->at += length;
    r->at += strspn(r->at, " ");
    return true;
}

/* The statements behind the head of a block in one line: for i = 1:3, disp(i), end */
static void rewrite_body(Rewriter *r, Text *out) {
    const char *between = ": ";
    while (*r->at && !r->failed) {
        r->at += strspn(r->at, " ,;");
        if (!*r->at || take_word(r, "end") || take_word(r, "endfor") || take_word(r, "endif") ||
            take_word(r, "endwhile"))
            break;
        text_string(out, between);
        rewrite_item(r, out, VALUE);
        while (*r->at == '=') {
            text_char(out, *r->at++);
            rewrite_item(r, out, VALUE);
        }
        between = "; ";
    }
    if (*between == ':') text_char(out, ':');
}

/* function y = f(x) -> def f(x):, and of JavaScript function f(x) { return x } in one line. */
static void rewrite_function(Rewriter *r, Text *out) {
    size_t head = strcspn(r->at, "{");
    const char *equals = memchr(r->at, '=', head), *end = r->at + head;
    if (equals) r->at = equals + 1 + strspn(equals + 1, " ");
    while (end > r->at && end[-1] == ' ') end--;
    text_format(out, "def %.*s:", (int)(end - r->at), r->at);
    r->at = end + strspn(end, " {");
    size_t body = strlen(r->at);
    while (body > 0 && strchr(" ;}", r->at[body - 1])) body--;
    if (body > 0) text_format(out, " %.*s", (int)body, r->at);
    r->at += strlen(r->at);
    r->changed = true;
}

/* for i = 1:3, if x == 3, while x < 3: the head of a block of Octave, and what follows it. */
static bool rewrite_block(Rewriter *r, Text *out) {
    static const struct {
        const char *word, *here;
    } heads[] = {{"for", "for "}, {"while", "while "}, {"if", "if "}, {"elseif", "elif "}};
    size_t i = 0, count = sizeof heads / sizeof *heads;
    if (strstr(r->at, ": ")) return false; /* it has the form of this language */
    if (take_word(r, "function")) {
        rewrite_function(r, out);
        return true;
    }
    while (i < count && !take_word(r, heads[i].word)) i++;
    if (i == count) return false;
    text_string(out, heads[i].here);
    r->changed = true;
    if (i == 0) {
        rewrite_word(r, out);
        r->at += strspn(r->at, " ");
        if (*r->at == '=') r->at++;
        else if (!take_word(r, "in")) r->failed = true;
        r->at += strspn(r->at, " ");
        text_string(out, " in ");
        r->loop = true;
    }
    rewrite_item(r, out, VALUE);
    r->loop = false;
    rewrite_body(r, out);
    return true;
}

/* Whether the line begins with a word whose block may follow a colon. */
static bool begins_block(const char *line) {
    Text word = TEXT_EMPTY;
    size_t length = 0;
    while (is_word(line[length])) length++;
    if (!foreign_chinese(&word, line, length)) text_bytes(&word, line, length);
    bool found = words_contain("if elif else for while def try except", word.data, word.length);
    text_release(&word);
    return found;
}

/* x(end+1) = v -> x.append(v) */
static bool rewrite_append(Rewriter *r, Text *out) {
    const char *at = r->at;
    while (is_word(*at)) at++;
    size_t length = (size_t)(at - r->at);
    if (length == 0 || *at++ != '(' || strncmp(at, "end", 3) != 0) return false;
    for (const char *rest = "+1)="; *rest; rest++) {
        at += *rest == '+' ? 3 : 1;
        at += strspn(at, " ");
        if (*at != *rest) return false;
    }
    text_format(out, "%.*s.append(", (int)length, r->at);
    r->at = at + 1 + strspn(at + 1, " ");
    rewrite_item(r, out, VALUE);
    text_char(out, ')');
    return r->changed = true;
}

/* x++ -> x += 1 */
static void rewrite_increment(Rewriter *r, Text *out) {
    if (out->length < 3) return;
    const char *sign = out->data + out->length - 2;
    if (strcmp(sign, "++") != 0 && strcmp(sign, "--") != 0) return;
    char operation = *sign;
    cut(out, out->length - 2);
    text_format(out, " %c= 1", operation);
    r->changed = true;
}

bool rewrite_line(const Interp *interp, const char *line, size_t length, Text *out) {
    Text plain = TEXT_EMPTY;
    Rewriter r = {.interp = interp};
    size_t comment = read_plain(&plain, line, length);
    trim(&plain);
    bool colon = last_of(&plain) == ':';
    if (colon) cut(&plain, plain.length - 1);
    /* What shows that the line is Octave's may stand at its end: then it is read again. */
    for (int reading = 0; reading == 0 || (reading == 1 && r.octave); reading++) {
        text_clear(out);
        r.at = plain.data;
        r.end = plain.data + plain.length;
        if (!rewrite_append(&r, out) && !rewrite_block(&r, out))
            rewrite_list(&r, out, begins_block(plain.data) ? PLAIN : VALUE);
    }
    if (colon && last_of(out) != ':') text_char(out, ':');
    rewrite_increment(&r, out);
    if (comment < length && line[comment] != '#') {
        const char *words = line + comment + strspn(line + comment, "%/ ");
        text_format(out, "%s# %.*s", out->length ? "  " : "", (int)(line + length - words), words);
        r.changed = true;
    }
    bool ok = r.changed && !r.failed && !*r.at && !out->failed && !plain.failed;
    text_release(&plain);
    return ok;
}

void rewrite_hint(Interp *interp, Error *err) {
    enum { LINE_MAX_REWRITTEN = 200 };
    size_t length = err ? strlen(err->excerpt) : 0;
    if (interp->rewriting || length == 0 || length > LINE_MAX_REWRITTEN) return;
    Text line = TEXT_EMPTY;
    Error other = {.kind = ERR_NONE};
    Chunk *chunk = NULL;
    interp->rewriting = true;
    if (rewrite_line(interp, err->excerpt, length, &line)) {
        ParseStatus status = parse(interp, "", line.data, line.length, true, &chunk, &other);
        chunk_unref(chunk);
        if (status != PARSE_ERROR) error_hint(err, "write %s", line.data);
        else if (strncmp(other.hint, "write ", strlen("write ")) == 0)
            error_hint(err, "%s", other.hint);
    }
    interp->rewriting = false;
    text_release(&line);
}

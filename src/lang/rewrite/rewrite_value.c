/* Values from left to right: words, signs, strings, brackets, and the items between commas. */
#include "lang/foreign.h"
#include "lang/rewrite/rewriter.h"
#include "lang/token.h"

#include <ctype.h>
#include <string.h>

enum { PARTS_MAX = 3 };

/* ---- words and signs ---- */

/* Signs of other languages and of paper, the longest first. */
static const struct {
    const char *sign, *here;
} signs[] = {
    {"===", "=="}, {"!==", "!="}, {"=>", ">="}, {"=<", "<="},  {"~=", "!="}, {"<>", "!="},
    {".*", "*"},   {"./", "/"},   {".^", "**"}, {"^", "**"},   {"×", "*"},   {"÷", "/"},
    {"−", "-"},    {"–", "-"},    {"≤", "<="},  {"≥", ">="},   {"≠", "!="},  {"∞", "inf"},
    {"²", "**2"},  {"³", "**3"},  {"½", "0.5"}, {"∈", " in "}, {"·", "@"},   {"⋅", "@"},
    {"•", "@"},    {"⊤", ".T"},   {"ᵀ", ".T"},  {"⊙", "*"},    {"〔", "["},  {"〕", "]"},
};

/* Whether a sign that is no letter stands here. */
static bool at_sign(const char *text) {
    if (strncmp(text, "√", strlen("√")) == 0) return true;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i].sign, strlen(signs[i].sign)) == 0) return true;
    return false;
}

/* np.finfo(np.float32).min -> -inf */
static bool rewrite_limit(Rewriter *r, Text *out) {
    static const char *const limits[][2] = {{".min", "-inf"}, {".max", "inf"}};
    const char *end = strchr(r->at, ')');
    if (strncmp(r->at, "finfo(", strlen("finfo(")) != 0 || !end++) return false;
    for (int i = 0; i < 2; i++) {
        if (strncmp(end, limits[i][0], 4) != 0 || is_word_byte(end[4])) continue;
        while (text_last(out) == '.' || is_word_byte(text_last(out)))
            text_cut(out, out->length - 1); /* np. */
        text_string(out, limits[i][1]);
        r->at = end + 4;
        return r->changed = true;
    }
    return false;
}

/* A name or number. Chinese words are replaced, where they are no variables; those of other
 * languages where they are called. */
void rewrite_word(Rewriter *r, Text *out) {
    if (rewrite_limit(r, out)) return;
    const char *begin = r->at;
    while ((is_word_byte(*r->at) && !at_sign(r->at)) ||
           (*r->at == '.' && isdigit((unsigned char)*begin) &&
            !strchr("*/^'", r->at[1] ? r->at[1] : ' ')))
        r->at++;
    size_t length = (size_t)(r->at - begin);
    const Symbol *symbol = rewriter_symbol(r, begin, length);
    if (isdigit((unsigned char)*begin) || text_last(out) == '.' ||
        (symbol && (symbol->value.kind != VALUE_UNSET || symbol->builtin))) {
        text_bytes(out, begin, length);
        return;
    }
    Text word = TEXT_EMPTY, here = TEXT_EMPTY;
    text_bytes(&word, begin, length);
    const char *name = *r->at == '(' ? foreign_name(word.data) : NULL;
    if (!name && !r->command && (name = foreign_name(word.data)) && !strchr(name, '['))
        name = NULL; /* d_k is K.shape[-1] also where it is not called */
    if (name && !strpbrk(name, " %,")) text_string(&here, name);
    else if (length == 2 && names_array(r, begin, 1) && names_array(r, begin + 1, 1))
        text_format(&here, "%c @ %c", begin[0], begin[1]); /* QK of a paper */
    else foreign_chinese(&here, begin, length);
    r->changed = r->changed || here.length > 0;
    text_string(out, here.length > 0 ? here.data : word.data);
    text_release_for(&word, out);
    text_release_for(&here, out);
}

/* A string, or the ' of a transpose. */
static void rewrite_quote(Rewriter *r, Text *out) {
    char quote = *r->at;
    if (quote == '\'' && (ends_value(out) || text_last(out) == '.')) {
        if (text_last(out) == '.') text_cut(out, out->length - 1);
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
         transposes = strncmp(at, "^T", 2) == 0 && !is_word_byte(at[2]),
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
        if (is_word_byte(*r->at)) rewrite_word(r, out);
        else r->failed = true;
        text_char(out, ')');
    }
    r->changed = r->changed || found;
    text_release_for(&left, out);
    return found;
}

static bool begins_with_array(const Rewriter *r, const char *text) {
    size_t length = 0;
    while (is_word_byte(text[length])) length++;
    return names_array(r, text, length);
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

/* Whether the operand is a number: 2, a variable that holds one, sqrt(2). */
static bool is_scalar(const Rewriter *r, const char *text) {
    size_t length = 0;
    text += strspn(text, " (");
    if (isdigit((unsigned char)*text)) return true;
    while (is_word_byte(text[length])) length++;
    const Symbol *symbol = rewriter_symbol(r, text, length);
    if (symbol && symbol->value.kind == VALUE_NUMBER) return true;
    return text[length] == '(' && words_contain("sqrt exp log", text, length) &&
           is_scalar(r, text + length + 1);
}

/* Whether a product holds a transpose, Q*K' or x'*W*y: the text up to its `*`, which has .T for
 * it, or what is to be read. */
static bool holds_transpose(const Text *out, const char *behind) {
    int depth = 0;
    for (size_t at = out->length; at > 0 && depth >= 0; at--) {
        const char *here = out->data + at - 1;
        if (strchr(")]", *here)) depth++;
        else if (strchr("([", *here)) depth--;
        else if (depth == 0 && strchr("+-=<>&|", *here)) break;
        else if (depth == 0 && strncmp(here, ".T", 2) == 0 && !is_word_byte(here[2])) return true;
    }
    depth = 0;
    for (const char *at = behind; *at && depth >= 0; at++) {
        if (strchr("([", *at)) depth++;
        else if (strchr(")]", *at)) depth--;
        else if (depth == 0 && strchr("+-,;=<>&|", *at)) break;
        else if (depth == 0 && *at == '\'' && (is_word_byte(at[-1]) || strchr(")]", at[-1])))
            return true;
    }
    return false;
}

/* Whether the * here is the matrix product of Octave. */
static bool is_matrix_product(const Rewriter *r, const Text *out) {
    const char *behind = r->at + 1;
    if (*r->at != '*' || *behind == '*' || !r->octave) return false;
    if (stands_between_arrays(r, out, behind)) return true;
    if (!holds_transpose(out, behind) || is_scalar(r, behind)) return false;
    Text copy = TEXT_EMPTY, left = TEXT_EMPTY;
    text_string(&copy, out->data);
    take_value(&copy, &left);
    bool scalar = is_scalar(r, left.data);
    text_release(&copy);
    text_release(&left);
    return !scalar;
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
    text_trim(out);
    const char *sides[] = {out->data, right.data};
    for (int i = 0; i < 2; i++) {
        for (const char *at = sides[i]; *at;) {
            size_t length = 0;
            while (is_word_byte(at[length])) length++;
            arrays = arrays || names_array(r, at, length);
            bool known = !isalpha((unsigned char)*at) || rewriter_symbol(r, at, length);
            r->failed = r->failed || !known;
            at += length ? length : 1;
        }
    }
    /* & of two arrays of numbers is refused: only comparisons can be meant. */
    for (int i = 0; arrays && i < 2; i++)
        if (!strpbrk(sides[i], "<>=~")) r->failed = true;
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
    if (is_matrix_product(r, out)) {
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
        if (*here == ' ' && text_last(out) == ' ') here++;
        if (strcmp(signs[i].sign, "×") == 0 && stands_between_arrays(r, out, r->at)) here = "@";
        if (signs[i].sign[0] == '.') r->octave = true;
        text_string(out, here);
        if (text_last(out) == ' ') r->at += strspn(r->at, " ");
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
    else if (open == '{') context = behind ? INDEX : ELEMENTS;
    else if (behind && is_indexed(r, out)) context = INDEX;
    if (context == INDEX) {
        open = '[';
        r->octave = r->changed = true;
    }
    r->loop = false;
    /* One index of a matrix counts its elements, columns first, in Octave. */
    bool matrix = context == INDEX && close == ')' && ends_in_matrix(r, out),
         single = !memchr(r->at, ',', strcspn(r->at, ")"));
    if (matrix && single && (isdigit((unsigned char)*r->at) || strncmp(r->at, "end", 3) == 0))
        text_string(out, ".T.flatten()");
    size_t begin = out->length;
    bool set = open == '{' && context == ELEMENTS; /* {1, 2}: a list is what there is */
    if (set) {
        r->failed = r->failed || strchr(r->at, ':') || *r->at == '}';
        r->changed = true;
        open = '[';
    }
    text_char(out, open);
    rewrite_list(r, out, context);
    if (*r->at != close) r->failed = true;
    else r->at++;
    r->loop = loop;
    text_char(out, context == INDEX || set ? ']' : close);
    if (context == INDEX && strcmp(out->data + begin, "[:]") == 0) { /* columns first, in Octave */
        text_cut(out, begin);
        text_string(out, matrix ? ".T.flatten()" : ".flatten()");
    }
    if (context == INDEX && strncmp(r->at, " = []", 5) == 0) r->failed = true;
}

/* ---- items ---- */

/* Whether a blank in a literal separates two elements. */
static bool separates(const Rewriter *r, const Text *out) {
    const char *next = r->at + strspn(r->at, " ");
    return ends_value(out) && (is_word_byte(*next) || strchr("([\"'", *next ? *next : ' ')) &&
           strncmp(next, "for ", 4) != 0 && strncmp(next, "if ", 3) != 0 &&
           strncmp(next, "in ", 3) != 0;
}

/* Whether a blank stands for a product on paper: Q K.T. Two arguments without a comma look the same
 * but for the transpose. */
static bool multiplies(const Rewriter *r, const Text *out) {
    const char *right = r->at + strspn(r->at, " "), *end = right;
    while (is_word_byte(*end)) end++;
    bool transposed = strncmp(end, ".T", 2) == 0 || strncmp(end, "^T", 2) == 0 || *end == '\'';
    return transposed && stands_between_arrays(r, out, right);
}

static bool ends_item(const Rewriter *r) {
    return !*r->at || strchr(",;)]}", *r->at) ||
           (*r->at == '=' && r->at[1] != '=' && r->at[1] != '>' && r->at[1] != '<');
}

static void write_item(Rewriter *r, Text *out, Text *parts, int count, Context context) {
    if (context == INDEX || count > 1) {
        if (parts[0].data[0] == ' ') text_char(out, ' ');
        for (int i = 0; i < count; i++) text_trim(&parts[i]);
    }
    if (context == INDEX && count == 1) write_counted(r, out, &parts[0]);
    else if (context == INDEX) write_slice(r, out, parts, count);
    else if (count > 1) write_range(r, out, parts, count);
    else text_string(out, parts[0].data);
}

/* From here to the next comma, semicolon or closing bracket; colons part it. */
void rewrite_item(Rewriter *r, Text *out, Context context) {
    Text parts[PARTS_MAX] = {TEXT_EMPTY, TEXT_EMPTY, TEXT_EMPTY};
    Text *part = parts;
    bool colons = context != PLAIN, element = false;
    while (!ends_item(r) && !element && !r->failed) {
        char c = *r->at;
        if (c == ' ' && context == VALUE && !r->command && multiplies(r, part)) {
            text_string(part, " @ "); /* Q K.T of a paper */
            r->at += strspn(r->at, " ");
            r->changed = true;
        } else if (c == ' ' && context == ELEMENTS && separates(r, part)) {
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
        else if (is_word_byte(c)) {
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
void rewrite_list(Rewriter *r, Text *out, Context context) {
    while (!r->failed) {
        rewrite_item(r, out, context);
        if (*r->at && strchr(",;=", *r->at)) {
            text_char(out, *r->at);
            if (context == INDEX && *r->at == ',' && r->at[1] != ' ') text_char(out, ' ');
            r->at++;
        } else if (!*r->at || strchr(")]}", *r->at)) return;
    }
}

/* Operators of other languages and of paper. What some of them stand for is up to their operands,
 * which are evaluated: A^2 of a matrix is A @ A, of a number A**2. */
#include "lang/foreign.h"
#include "lang/rewrite/rewriter.h"
#include "lang/token.h"

#include <ctype.h>
#include <string.h>

static const char two_vectors[] = "a vector has one axis, and .T leaves it as it is: dot(x, y) is "
                                  "a number, outer(x, y) a matrix, x[:, None] a column";
static const char two_powers[] = "of a matrix ** is the power of each element, and A @ A the "
                                 "product with itself";

/* ---- operands ---- */

/* What an operator has beside it. A ROW and a COLUMN have one axis here, and the line tells which
 * they are in Octave; of a VECTOR nothing tells. */
typedef enum Operand {
    OPERAND_UNKNOWN,
    OPERAND_NUMBER,
    OPERAND_VECTOR,
    OPERAND_ROW,
    OPERAND_COLUMN,
    OPERAND_TALL, /* a matrix of one column */
    OPERAND_MATRIX
} Operand;

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static void cut_blanks(Text *text) {
    while (text->length > 0 && text_last(text) == ' ') text_cut(text, text->length - 1);
}

/* What is not known yet, as in a script that does not run, by its letters: W is a matrix. */
static Operand guess_operand(const char *text) {
    if (strncmp(text, "sqrt(", strlen("sqrt(")) == 0) return OPERAND_NUMBER;
    for (const char *at = text; *at; at++) {
        bool begins = at == text || (!is_word_byte(at[-1]) && at[-1] != '.');
        if (begins && isupper((unsigned char)*at)) return OPERAND_MATRIX;
    }
    return OPERAND_UNKNOWN;
}

static Operand operand_of(const Rewriter *r, const char *text) {
    Value value;
    if (interp_try(r->interp, text, false, &value, NULL) != TRIAL_WORKS) return guess_operand(text);
    Operand operand = value_is_scalar(&value) ? OPERAND_NUMBER : OPERAND_UNKNOWN;
    if (value_is_array(&value)) {
        const Shape *shape = &value.tensor->shape;
        if (shape->axes == 1) operand = OPERAND_VECTOR;
        else if (shape->axes == 2) operand = shape->size[1] == 1 ? OPERAND_TALL : OPERAND_MATRIX;
    }
    value_release(&value);
    if (operand != OPERAND_VECTOR) return operand;
    if (ends_with(text, ", :]") || ends_with(text, "axis=0)")) return OPERAND_ROW;
    if (strstr(text, "[:, ") || ends_with(text, "axis=1)") || ends_with(text, ".flatten()"))
        return OPERAND_COLUMN;
    if (*text == '[' || strncmp(text, "arange(", strlen("arange(")) == 0) return OPERAND_ROW;
    if (!strchr(text, '@')) return OPERAND_VECTOR;
    Text copy = TEXT_EMPTY, last = TEXT_EMPTY; /* x @ A is a row, A @ x a column */
    text_string(&copy, text);
    take_value(&copy, &last);
    operand = operand_of(r, last.data) == OPERAND_MATRIX ? OPERAND_ROW : OPERAND_COLUMN;
    text_release(&copy);
    text_release(&last);
    return operand;
}

/* A' of Octave, A^T of paper. A row that is written out becomes a column; what a variable with one
 * axis is meant as, only a product can tell, and until then it is counted. */
void rewrite_transpose(Rewriter *r, Text *out) {
    Text value = TEXT_EMPTY;
    take_value(out, &value);
    Operand operand = operand_of(r, value.data);
    text_string(out, value.data);
    if (operand == OPERAND_ROW) text_string(out, "[:, None]");
    else if (operand == OPERAND_COLUMN) text_string(out, "[None, :]");
    else if (operand == OPERAND_VECTOR || operand == OPERAND_UNKNOWN) {
        text_string(out, ".T");
        r->turned++;
        if (operand == OPERAND_VECTOR) r->words = two_vectors;
    } else if (operand != OPERAND_NUMBER) text_string(out, ".T");
    r->changed = true;
    text_release_for(&value, out);
}

/* The value behind an operator that binds like a product, with the powers and transposes of it. */
static void rewrite_factor(Rewriter *r, Text *out) {
    r->at += strspn(r->at, " ");
    if (*r->at == '-') text_char(out, *r->at++);
    while (*r->at && !r->failed) {
        const ForeignSign *sign = foreign_sign(r->at);
        bool power = strncmp(r->at, "**", 2) == 0 || strncmp(r->at, ".^", 2) == 0,
             binds = sign && (sign->kind == SIGN_POWER || sign->kind == SIGN_RAISED ||
                              sign->kind == SIGN_ROOT || sign->kind == SIGN_VALUE ||
                              sign->kind == SIGN_TRANSPOSE);
        if (sign && !power && !binds) break;
        if (power || binds) rewrite_sign(r, out);
        else if (*r->at == '\'' || (*r->at == '"' && !ends_value(out))) rewrite_quote(r, out);
        else if (strchr("([{", *r->at)) rewrite_bracket(r, out);
        else if (is_word_byte(*r->at)) rewrite_word(r, out);
        else if (*r->at == '.') text_char(out, *r->at++);
        else break;
    }
    r->failed = r->failed || out->length == 0;
}

/* ---- products ---- */

/* The product that the text ends with, x @ W of `1 + x @ W`: where it begins. */
static size_t product_begin(const Text *out) {
    size_t at = out->length;
    for (int depth = 0; at > 0; at--) {
        char c = out->data[at - 1];
        if (strchr(")]", c)) depth++;
        else if (strchr("([", c) && --depth < 0) break;
        else if (depth == 0 && strchr("+-=<>&|,;:", c)) break;
    }
    return at + strspn(out->data + at, " ");
}

static bool is_vector(Operand operand) {
    return operand == OPERAND_VECTOR || operand == OPERAND_ROW || operand == OPERAND_COLUMN;
}

/* A*B of Octave, A·B and A×B of paper. */
void rewrite_product(Rewriter *r, Text *out, SignKind kind) {
    static const char column[] = "[:, None]";
    Text left = TEXT_EMPTY, right = TEXT_EMPTY;
    bool blank = *r->at == ' ';
    rewrite_factor(r, &right);
    cut_blanks(out);
    size_t begin = product_begin(out);
    text_string(&left, out->data + begin);
    text_cut(out, begin);
    Operand a = operand_of(r, left.data), b = operand_of(r, right.data);
    const char *between = " @ ";
    bool outer = false;
    if (a == OPERAND_NUMBER || b == OPERAND_NUMBER) between = blank ? " * " : "*";
    else if (a == OPERAND_UNKNOWN || b == OPERAND_UNKNOWN) r->failed = true;
    else if (is_vector(a) && is_vector(b) && r->octave) {
        outer = a == OPERAND_COLUMN || b == OPERAND_ROW;
        r->failed = r->failed || a == b;
        if (a == OPERAND_VECTOR && a == b) r->words = two_vectors;
    } else if (is_vector(a) && is_vector(b) && r->turned > 0) { /* vectors of paper are columns */
        outer = ends_with(right.data, ".T");
    } else if (is_vector(a) && is_vector(b)) {
        r->failed = r->failed || kind == SIGN_CROSS;
        if (kind == SIGN_CROSS) r->words = foreign_sign("×")->hint;
    } else if (is_vector(b) && a == OPERAND_TALL) {
        outer = true;
        if (ends_with(left.data, column)) text_cut(&left, left.length - strlen(column));
    } else if (is_vector(a) && ends_with(right.data, column))
        text_cut(&right, right.length - strlen(column));
    /* .T says nothing of a vector: the product makes up for it. */
    Text *const operands[] = {&left, &right};
    for (int i = 0; i < 2 && !r->failed && *between == ' ' && between[1] == '@'; i++) {
        if (!is_vector(i == 0 ? a : b) || !ends_with(operands[i]->data, ".T")) continue;
        text_cut(operands[i], operands[i]->length - strlen(".T"));
        if (--r->turned == 0) r->words = NULL;
    }
    if (outer) text_format(out, "outer(%s, %s)", left.data, right.data);
    else text_format(out, "%s%s%s", left.data, between, right.data);
    r->changed = true;
    text_release_for(&left, out);
    text_release_for(&right, out);
}

/* A/B and A\B of Octave, where the divisor is an array: of systems of equations. */
static void rewrite_division(Rewriter *r, Text *out) {
    Text left = TEXT_EMPTY, right = TEXT_EMPTY;
    bool solves = *r->at++ == '\\', blank = *r->at == ' ';
    rewrite_factor(r, &right);
    cut_blanks(out);
    size_t begin = solves ? product_begin(out) : out->length;
    text_string(&left, out->data + begin);
    text_cut(out, begin);
    Operand divisor = operand_of(r, solves ? left.data : right.data);
    if (solves) text_format(out, "solve(%s, %s)", left.data, right.data);
    else if (divisor == OPERAND_MATRIX) text_format(out, " @ inv(%s)", right.data);
    else text_format(out, blank ? " / %s" : "/%s", right.data);
    r->failed = r->failed || is_vector(divisor) || (solves && divisor != OPERAND_MATRIX);
    r->changed = r->changed || solves;
    text_release_for(&left, out);
    text_release_for(&right, out);
}

/* ---- powers ---- */

/* x^2, x.^2, x², A^T and A^-1. Powers are taken from the left in Octave, from the right here. */
static void rewrite_power(Rewriter *r, Text *out, bool elements) {
    Text base = TEXT_EMPTY, earlier = TEXT_EMPTY, exponent = TEXT_EMPTY;
    const ForeignSign *digit;
    while ((digit = foreign_sign(r->at)) && digit->kind == SIGN_RAISED) {
        text_string(&exponent, digit->here);
        r->at += strlen(digit->sign);
    }
    cut_blanks(out);
    bool blank = *r->at == ' ';
    if (exponent.length == 0) {
        r->at += strspn(r->at, " ");
        if (*r->at == '-' || *r->at == '+') text_char(&exponent, *r->at++);
        if (*r->at == '(') rewrite_bracket(r, &exponent);
        else if (is_word_byte(*r->at)) rewrite_word(r, &exponent);
    }
    if (strcmp(exponent.data, "T") == 0 && !elements) {
        text_release_for(&exponent, out);
        rewrite_transpose(r, out);
        return;
    }
    take_value(out, &base);
    size_t length = out->length;
    while (length > 0 && out->data[length - 1] == ' ') length--;
    if (length > 1 && strncmp(out->data + length - 2, "**", 2) == 0) {
        text_cut(out, length - 2);
        take_value(out, &earlier);
        text_format(&earlier, "**%s", base.data);
        text_clear(&base);
        text_format(&base, "(%s)", earlier.data);
    }
    Operand operand = elements ? OPERAND_NUMBER : operand_of(r, base.data);
    if (operand == OPERAND_MATRIX) r->octave = true;
    bool square = strcmp(exponent.data, "2") == 0,
         whole = out->length == 0 && strchr(",;)]", *r->at) != NULL;
    if (operand == OPERAND_MATRIX && strcmp(exponent.data, "-1") == 0)
        text_format(out, "inv(%s)", base.data);
    else if (operand == OPERAND_MATRIX && square)
        text_format(out, whole ? "%s @ %s" : "(%s @ %s)", base.data, base.data);
    else if (operand == OPERAND_MATRIX) r->words = two_powers;
    else text_format(out, blank ? "%s ** %s" : "%s**%s", base.data, exponent.data);
    r->failed = r->failed || r->words || base.length == 0 || exponent.length == 0;
    r->changed = true;
    text_release_for(&base, out);
    text_release_for(&earlier, out);
    text_release_for(&exponent, out);
}

/* √x, √(x + 1) */
static void rewrite_root(Rewriter *r, Text *out) {
    text_string(out, "sqrt");
    r->at += strspn(r->at, " ");
    bool bracket = *r->at == '(';
    if (!bracket) text_char(out, '(');
    if (bracket) rewrite_bracket(r, out);
    else if (is_word_byte(*r->at)) rewrite_word(r, out);
    else r->failed = true;
    if (!bracket) text_char(out, ')');
    r->changed = true;
}

/* ---- and, or ---- */

/* a > 0 && b > 0 -> a > 0 and b > 0, or (a > 0) & (b > 0) where a or b is an array. What unknown
 * names are cannot be told. */
static void rewrite_logical(Rewriter *r, Text *out, const char *word) {
    bool arrays = false;
    Text right = TEXT_EMPTY;
    rewrite_item(r, &right, VALUE);
    cut_blanks(out);
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
    const char *sign = *word == 'a' ? "&" : "|";
    text_format(&line, arrays ? "(%s) %s (%s)" : "%s %s %s", out->data, arrays ? sign : word,
                right.data);
    text_clear(out);
    text_string(out, line.data);
    text_release_for(&line, out);
    text_release_for(&right, out);
    r->changed = true;
}

/* ---- functions of Octave ---- */

/* sum(A), max(A, [], 2), zeros(3), std(x) in a line of Octave: they go down the columns, make
 * squares, divide by n - 1. `open`: where the parenthesis of the call stands. */
void rewrite_octave_call(Rewriter *r, Text *out, size_t open) {
    size_t name = open;
    while (name > 0 && is_word_byte(out->data[name - 1])) name--;
    const char *word = out->data + name;
    size_t length = open - name, comma = 0;
    bool spread = words_contain("std var", word, length),
         columns = spread || words_contain("sum prod mean median max min any all cumsum sort diff",
                                           word, length),
         square = words_contain("zeros ones rand randn", word, length);
    if (words_contain("reshape norm dot trapz round cov flip", word, length)) r->failed = true;
    if ((!columns && !square) || (name > 0 && out->data[name - 1] == '.')) return;
    int depth = 0;
    for (size_t at = open; at < out->length && !comma; at++) {
        depth += (strchr("([", out->data[at]) != NULL) - (strchr(")]", out->data[at]) != NULL);
        if (depth == 1 && out->data[at] == ',') comma = at;
    }
    Text first = TEXT_EMPTY, rest = TEXT_EMPTY;
    size_t end = comma ? comma : out->length - 1;
    text_bytes(&first, out->data + open + 1, end - open - 1);
    if (comma) text_bytes(&rest, out->data + comma + 1, out->length - comma - 2);
    text_trim(&rest);
    const char *axis = rest.data;
    if (strncmp(axis, "[], ", 4) == 0 && words_contain("max min", word, length)) axis += 4;
    bool numbered = strcmp(axis, "1") == 0 || strcmp(axis, "2") == 0;
    Operand operand = operand_of(r, first.data);
    if (square && !comma && operand == OPERAND_NUMBER) {
        text_cut(out, open + 1);
        text_format(out, "(%s, %s))", first.data, first.data);
    } else if (columns && operand == OPERAND_MATRIX && (!comma || (numbered && !spread))) {
        text_cut(out, end);
        text_format(out, ", axis=%d%s)", comma && *axis == '2', spread ? ", ddof=1" : "");
    } else if (columns && (comma || operand == OPERAND_UNKNOWN || operand == OPERAND_MATRIX))
        r->failed = true;
    else if (spread) {
        text_cut(out, end);
        text_string(out, ", ddof=1)");
    }
    text_release_for(&first, out);
    text_release_for(&rest, out);
}

/* ---- signs ---- */

bool rewrite_sign(Rewriter *r, Text *out) {
    char c = *r->at;
    bool twice = (c == '*' || c == '/') && r->at[1] == c;
    if (twice) {
        text_bytes(out, r->at, 2);
        r->at += 2;
        return true;
    }
    if (c == '\\' || (c == '/' && r->octave)) {
        rewrite_division(r, out);
        return true;
    }
    const ForeignSign *sign = foreign_sign(r->at);
    if (!sign && (c != '*' || !r->octave)) return false;
    bool apart = text_last(out) == ' ';
    r->at += sign ? strlen(sign->sign) : 1;
    r->changed = true;
    switch (sign ? sign->kind : SIGN_PRODUCT) {
    case SIGN_ELEMENTS:
        r->octave = true;
        if (sign->sign[1] == '^') rewrite_power(r, out, true);
        else text_string(out, sign->here);
        break;
    case SIGN_VALUE: /* 2½ is no product */
        r->failed = r->failed || ends_value(out) || is_word_byte(*r->at);
        text_string(out, sign->here);
        break;
    case SIGN_PLAIN:
        text_string(out, sign->here + (apart && *sign->here == ' '));
        if (text_last(out) == ' ') r->at += strspn(r->at, " ");
        break;
    case SIGN_LOGICAL:
        r->at += strspn(r->at, " ");
        rewrite_logical(r, out, sign->here);
        break;
    case SIGN_PRODUCT:
    case SIGN_CROSS: rewrite_product(r, out, sign ? sign->kind : SIGN_PRODUCT); break;
    case SIGN_RAISED:
        r->at -= strlen(sign->sign);
        rewrite_power(r, out, false);
        break;
    case SIGN_POWER: rewrite_power(r, out, false); break;
    case SIGN_ROOT: rewrite_root(r, out); break;
    case SIGN_TRANSPOSE: rewrite_transpose(r, out); break;
    case SIGN_WORDS: r->failed = true;
    }
    return true;
}

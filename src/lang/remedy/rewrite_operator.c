/* Operators of other languages and of paper. The meaning of some depends on their operands, which
 * are evaluated: A^2 of a matrix is A @ A, of a number A**2. */
#include "lang/remedy/rewriter.h"
#include "lang/token.h"

#include <ctype.h>
#include <string.h>

static const char two_vectors[] = "a vector has one axis, and .T leaves it as it is: dot(x, y) is "
                                  "a number, outer(x, y) a matrix, x[:, None] a column";
static const char two_powers[] = "of a matrix ** is the power of each element, and A @ A the "
                                 "product with itself";

/* A product, x @ W of `1 + x @ W`, ends at these. */
static const char sums[] = "+-=<>&|,;:";

/* ---- operands ---- */

typedef enum Operand {
    OPERAND_UNKNOWN,
    OPERAND_NUMBER,
    OPERAND_VECTOR, /* one axis: whether it is meant as a row or as a column, it does not tell */
    OPERAND_TALL,   /* a matrix of one column */
    OPERAND_MATRIX
} Operand;

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* Guesses an operand without a value, as in a script that did not run: by what is assigned to it
 * there, or since capital W is a matrix. */
static Operand guess_operand(const Rewriter *r, const char *text) {
    if (strncmp(text, "sqrt(", strlen("sqrt(")) == 0) return OPERAND_NUMBER;
    size_t length = strlen(text) - (ends_with(text, ".T") ? strlen(".T") : 0);
    const char *value = assigned_to(r, text, length);
    if (value && isdigit((unsigned char)*value)) return OPERAND_NUMBER;
    bool rows = value && (value[1] == '[' || memchr(value, ';', strcspn(value, "]")));
    if (value && *value == '[') return rows ? OPERAND_MATRIX : OPERAND_VECTOR;
    for (const char *at = text; *at; at++)
        if (isupper((unsigned char)*at) && (at == text || !(is_word_byte(at[-1]) || at[-1] == '.')))
            return OPERAND_MATRIX;
    return value && names_array(r, text, length) ? OPERAND_VECTOR : OPERAND_UNKNOWN;
}

static Operand operand_of(const Rewriter *r, const char *text) {
    LocalValue value = VALUE_MISSING;
    if (interp_try(r->interp, text, false, &value, NULL) != TRIAL_WORKS)
        return guess_operand(r, text);
    Operand operand = value_is_scalar(&value) ? OPERAND_NUMBER : OPERAND_UNKNOWN;
    LocalTensor *array = operand == OPERAND_NUMBER ? NULL : value_as_tensor(&value, "", NULL);
    const Shape *shape = array ? &array->shape : NULL;
    if (shape && shape->axes == 1) operand = OPERAND_VECTOR;
    if (shape && shape->axes == 2) operand = shape->size[1] == 1 ? OPERAND_TALL : OPERAND_MATRIX;
    return operand;
}

/* Takes the last value of the text off, as take_back does, and finds out what it is. */
static Operand take_operand(const Rewriter *r, Text *text, Text *value) {
    take_back(text, value, NULL);
    return operand_of(r, value->data);
}

/* A' of Octave, A^T of paper. A row that is written out becomes a column; what a variable with one
 * axis is meant as, only a product can tell, and until then it is counted. */
void rewrite_transpose(Rewriter *r, Text *out) {
    LocalText value = TEXT_FOR(out);
    Operand operand = take_operand(r, out, &value);
    const char *text = value.data + strspn(value.data, "(");
    bool row = *text == '[' || strncmp(text, "arange(", 7) == 0 ||
               strncmp(text, "linspace(", 9) == 0 || ends_with(text, ", :]") ||
               ends_with(text, "axis=0)");
    text_string(out, value.data);
    if (operand == OPERAND_VECTOR && row) text_string(out, "[:, None]");
    else if (operand != OPERAND_NUMBER) text_string(out, ".T");
    if (operand == OPERAND_UNKNOWN || (operand == OPERAND_VECTOR && !row)) r->undecided++;
    if (operand == OPERAND_VECTOR && !row) r->words = two_vectors;
    r->changed = true;
}

/* The value behind an operator that binds like a product, with the powers and transposes of it. */
static void rewrite_factor(Rewriter *r, Text *out) {
    r->at += strspn(r->at, " ");
    if (*r->at == '-') text_char(out, *r->at++);
    while (*r->at && !r->failed) {
        ForeignSign sign = foreign_sign(r->at);
        bool power = strncmp(r->at, "**", 2) == 0 || strncmp(r->at, ".^", 2) == 0;
        if (power || sign.kind >= SIGN_VALUE) rewrite_sign(r, out);
        else if (sign.kind != SIGN_NONE) break;
        else if (*r->at == '\'' || (*r->at == '"' && !ends_value(out))) rewrite_quote(r, out);
        else if (strchr("([{", *r->at)) rewrite_bracket(r, out);
        else if (is_word_byte(*r->at)) rewrite_word(r, out);
        else if (*r->at == '.') text_char(out, *r->at++);
        else break;
    }
    r->failed |= out->length == 0;
}

/* ---- products ---- */

/* True if a product with one axis is a row, as x @ W is. */
static bool is_row_product(const Rewriter *r, const char *product) {
    LocalText first = TEXT_EMPTY;
    const char *sign = strchr(product, '@');
    text_bytes(&first, product, sign ? (size_t)(sign - product) : 0);
    return sign && operand_of(r, first.data) == OPERAND_VECTOR;
}

/* A*B of Octave, A·B and A×B of paper, whose vectors are columns: q^T k is a number. */
void rewrite_product(Rewriter *r, Text *out, SignKind kind) {
    Text operands[] = {TEXT_EMPTY, TEXT_EMPTY}, *left = &operands[0], *right = &operands[1];
    bool blank = *r->at == ' ';
    rewrite_factor(r, right);
    take_back(out, left, sums);
    Operand a = operand_of(r, left->data), b = operand_of(r, right->data);
    const char *between = " @ ";
    bool vectors = a == OPERAND_VECTOR && b == OPERAND_VECTOR, outer = false;
    if (a == OPERAND_NUMBER || b == OPERAND_NUMBER) between = blank ? " * " : "*";
    else if (a == OPERAND_UNKNOWN || b == OPERAND_UNKNOWN) r->failed = true;
    else if (vectors && r->octave && !is_row_product(r, left->data)) r->words = two_vectors;
    else if (vectors && kind == SIGN_CROSS) r->failed = true;
    else if (vectors) outer = ends_with(right->data, ".T");
    else outer = a == OPERAND_TALL && b == OPERAND_VECTOR;
    /* .T says nothing of a vector: the product makes up for it. */
    for (int i = 0; i < 2 && between[1] == '@'; i++) {
        if ((i ? b : a) != OPERAND_VECTOR || !ends_with(operands[i].data, ".T")) continue;
        text_cut(&operands[i], operands[i].length - strlen(".T"));
        if (--r->undecided == 0 && !(vectors && r->octave)) r->words = NULL;
    }
    r->failed |= r->words == two_vectors;
    if (ends_with(left->data, "[:, None]") && outer)
        text_cut(left, left->length - strlen("[:, None]"));
    if (outer) text_format(out, "outer(%s, %s)", left->data, right->data);
    else text_format(out, "%s%s%s", left->data, between, right->data);
    r->changed = true;
    for (int i = 0; i < 2; i++) text_release_for(&operands[i], out);
}

/* A/B and A\B of Octave, which of arrays are systems of equations. */
static void rewrite_division(Rewriter *r, Text *out) {
    LocalText left = TEXT_FOR(out), right = TEXT_FOR(out);
    bool solves = *r->at++ == '\\', blank = *r->at == ' ';
    rewrite_factor(r, &right);
    Operand divisor = operand_of(r, right.data);
    if (solves) {
        take_back(out, &left, sums);
        divisor = operand_of(r, left.data) == OPERAND_MATRIX ? OPERAND_NUMBER : OPERAND_UNKNOWN;
        text_format(out, "solve(%s, %s)", left.data, right.data);
    } else text_format(out, blank ? "/ %s" : "/%s", right.data);
    r->failed |= divisor != OPERAND_NUMBER;
    r->changed |= solves;
}

/* ---- powers ---- */

/* True for the name of a set, or of one that the script will make, by its looks. */
static bool names_set(const Rewriter *r, const char *name) {
    const Value *held = variable_named(r, name, strlen(name));
    if (held) return held->kind == VALUE_SET;
    const char *value = assigned_to(r, name, strlen(name));
    return value && (strncmp(value, "set(", 4) == 0 ||
                     (*value == '{' && value[strcspn(value, ":}")] == '}' && value[1] != '}'));
}

/* x^2, x.^2, x², A^T and A^-1. Powers are taken from the left in Octave, from the right here. */
static void rewrite_power(Rewriter *r, Text *out, bool elements) {
    LocalText base = TEXT_FOR(out), exponent = TEXT_FOR(out);
    text_cut_blanks(out);
    bool blank = *r->at == ' ';
    for (ForeignSign digit; (digit = foreign_sign(r->at)).kind == SIGN_RAISED;) {
        text_char(&exponent, *digit.here);
        r->at += digit.length;
    }
    if (exponent.length == 0) {
        r->at += strspn(r->at, " ");
        if (*r->at == '-' || *r->at == '+') text_char(&exponent, *r->at++);
        if (*r->at == '(') rewrite_bracket(r, &exponent);
        else if (is_word_byte(*r->at)) rewrite_word(r, &exponent);
    }
    bool sets = exponent.length > 0 && names_set(r, exponent.data);
    if (strcmp(exponent.data, "T") == 0 && !elements && !sets) {
        rewrite_transpose(r, out);
        return;
    }
    Operand operand = take_operand(r, out, &base);
    if (sets && base.length > 0 && names_set(r, base.data)) {
        text_format(out, "%s.symmetric_difference(%s)", base.data, exponent.data);
        r->changed = true;
        return;
    }
    bool whole = out->length == 0 && strchr(",;)]", *r->at),
         squared = strcmp(exponent.data, "2") == 0;
    r->failed |= base.length == 0 || exponent.length == 0 || ends_with(out->data, "**");
    if (elements || operand < OPERAND_TALL)
        text_format(out, blank ? "%s ** %s" : "%s**%s", base.data, exponent.data);
    else if (strcmp(exponent.data, "-1") == 0) text_format(out, "inv(%s)", base.data);
    else if (squared) text_format(out, whole ? "%s @ %s" : "(%s @ %s)", base.data, base.data);
    else r->words = two_powers;
    r->failed |= r->words == two_powers;
    r->octave |= operand >= OPERAND_TALL && !elements;
    r->changed = true;
}

/* √x, √(x + 1) */
static void rewrite_root(Rewriter *r, Text *out) {
    r->at += strspn(r->at, " ");
    bool bracket = *r->at == '(';
    text_string(out, bracket ? "sqrt" : "sqrt(");
    if (bracket) rewrite_bracket(r, out);
    else if (is_word_byte(*r->at)) rewrite_word(r, out);
    else r->failed = true;
    if (!bracket) text_char(out, ')');
}

/* a > 0 && b > 0 -> a > 0 and b > 0, or (a > 0) & (b > 0) of arrays. */
static void rewrite_logical(Rewriter *r, Text *out, const char *word) {
    LocalText left = TEXT_FOR(out), right = TEXT_FOR(out);
    r->at += strspn(r->at, " ");
    rewrite_item(r, &right, VALUE);
    text_trim(out);
    text_string(&left, out->data);
    text_clear(out);
    Operand a = operand_of(r, left.data), b = operand_of(r, right.data);
    r->failed |= a == OPERAND_UNKNOWN || b == OPERAND_UNKNOWN;
    if (a == OPERAND_NUMBER && b == a) text_format(out, "%s %s %s", left.data, word, right.data);
    else {
        text_format(out, "(%s) %c (%s)", left.data, *word == 'a' ? '&' : '|', right.data);
        r->words = ", element by element; all(A > 0) is one truth for all of them";
    }
}

/* ---- calls and signs ---- */

/* sum(A) in a line of Octave sums each column; other differences are not proposed. The call's
 * parenthesis is at `open`. */
void rewrite_octave_call(Rewriter *r, Text *out, size_t open) {
    size_t name = trailing_word(out->data, open);
    const char *word = out->data + name, *close = strrchr(word, ')');
    size_t length = open - name;
    bool columns = words_contain("sum prod mean median max min any all cumsum sort", word, length),
         descends = words_contain("sort", word, length) && ends_with(word, ", 'descend')"),
         others = words_contain("zeros ones rand randn norm dot trapz cov flip len diff std var",
                                word, length);
    if (words_contain("reshape round", word, length) && r->octave) r->failed = true;
    if ((!columns && !others) || (!descends && !r->octave) || !close) return;
    LocalText argument = TEXT_FOR(out);
    text_bytes(&argument, out->data + open + 1, (size_t)(close - out->data) - open - 1);
    const char *comma = strrchr(argument.data, ','), *axis = comma ? comma + 1 : "";
    axis += strspn(axis, " ");
    if (strncmp(axis, "dims=", 5) == 0) axis += 5;                      /* of Julia */
    bool along = columns && (*axis == '1' || *axis == '2') && !axis[1]; /* sum(A, 2) */
    if (descends) text_cut(&argument, argument.length - strlen(", 'descend'"));
    if (along) text_cut(&argument, (size_t)(comma - argument.data));
    Operand operand = operand_of(r, argument.data);
    if (along) {
        const char *keeps = words_contain("cumsum sort", word, length) ? "" : ", keepdims=True";
        bool compares = words_contain("max min", word, length); /* max(A, 2): each element with 2 */
        text_cut(out, open + 1);
        text_format(out, "%s, axis=%c%s)", argument.data, *axis - 1, keeps);
        r->failed = r->failed || operand < OPERAND_TALL || compares;
        return;
    }
    if (descends) {
        text_cut(out, open + 1);
        text_format(out, "%s)[::-1]", argument.data);
        r->changed = true;
    } else if (columns && operand == OPERAND_MATRIX) {
        text_cut(out, out->length - 1);
        text_string(out, ", axis=0)");
    }
    bool alike = operand == OPERAND_VECTOR && !words_contain("std var", word, length);
    r->failed |= !(alike || (columns && !descends && operand >= OPERAND_NUMBER));
}

bool rewrite_sign(Rewriter *r, Text *out) {
    char c = *r->at;
    if ((c == '*' || c == '/') && r->at[1] == c) {
        text_bytes(out, r->at, 2);
        r->at += 2;
        return true;
    }
    if (c == '\\' || (c == '/' && r->octave)) {
        rewrite_division(r, out);
        return true;
    }
    if (c == '.' && r->at[1] == '(' && ends_value(out)) { /* exp.(x) of Julia */
        r->at++;
        r->changed = true;
        rewrite_bracket(r, out);
        return true;
    }
    ForeignSign sign = foreign_sign(r->at);
    if (c == '*' && r->octave) sign = (ForeignSign){1, SIGN_PRODUCT, NULL, NULL};
    if (sign.kind == SIGN_NONE || (c == '%' && out->length == 0)) return false;
    bool apart = text_last(out) == ' ';
    r->at += sign.length;
    r->changed = true;
    switch (sign.kind) {
    case SIGN_NONE:
    case SIGN_WORDS: r->failed = true; break;
    case SIGN_PLAIN:
        text_string(out, sign.here + (apart && *sign.here == ' '));
        if (text_last(out) == ' ') r->at += strspn(r->at, " ");
        break;
    case SIGN_ELEMENTS:
        r->octave = true;
        if (sign.here[1] == '*') rewrite_power(r, out, true);
        else text_string(out, sign.here);
        break;
    case SIGN_LOGICAL: rewrite_logical(r, out, sign.here); break;
    case SIGN_PRODUCT:
    case SIGN_CROSS: rewrite_product(r, out, sign.kind); break;
    case SIGN_VALUE: /* 2½ is no product */
        r->failed |= ends_value(out) || is_word_byte(*r->at);
        text_string(out, sign.here);
        break;
    case SIGN_POWER:
        if (*r->at == '=') text_string(out, sign.here); /* ^= */
        else rewrite_power(r, out, false);
        break;
    case SIGN_RAISED:
        r->at -= sign.length;
        rewrite_power(r, out, false);
        break;
    case SIGN_ROOT: rewrite_root(r, out); break;
    case SIGN_TRANSPOSE: rewrite_transpose(r, out); break;
    }
    return true;
}

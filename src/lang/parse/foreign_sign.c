/* The signs of other languages and of paper. Whoever says what one stands for asks here. */
#include "lang/foreign.h"

#include <string.h>

static const char product[] =
    "write * for a product of numbers or element by element, @ for one of "
    "matrices and the dot product of vectors";
static const char power[] = "a power is written **: x ** 2";
static const char digit[] = "write it as a digit: x0";
static const char quotes[] = "a string stands in quotes: \"text\"";
static const char minus[] = "write - (the key on the keyboard)";
static const char transpose[] = "the transpose of A is A.T";
static const char derivative[] = "write (f(x + h) - f(x - h)) / (2 * h), with h = 1e-5";

/* Where a sign begins with another one, it stands before it. */
/* clang-format off */
static const ForeignSign signs[] = {
    {"===", SIGN_PLAIN, "==", NULL}, {"!==", SIGN_PLAIN, "!=", NULL},
    {"==>", SIGN_PLAIN, ">=", NULL}, {"=>", SIGN_PLAIN, ">=", NULL}, {"=<", SIGN_PLAIN, "<=", NULL},
    {"~=", SIGN_PLAIN, "!=", NULL}, {"<>", SIGN_PLAIN, "!=", "unequal is written !="},
    {".*", SIGN_ELEMENTS, "*", NULL}, {"./", SIGN_ELEMENTS, "/", NULL},
    {".^", SIGN_ELEMENTS, "**", NULL}, {"^", SIGN_POWER, "**", power},
    {"&&", SIGN_LOGICAL, "and", "write and; for arrays & with parentheses: (A > 0) & (A < 1)"},
    {"||", SIGN_LOGICAL, "or", "write or; for arrays | with parentheses: (A < 0) | (A > 1)"},
    {"·", SIGN_PRODUCT, "*", product}, {"⋅", SIGN_PRODUCT, "*", product},
    {"∙", SIGN_PRODUCT, "*", product}, {"•", SIGN_PRODUCT, "*", "leave it out, or write a product as * or @"},
    {"×", SIGN_CROSS, "*", product}, {"✕", SIGN_CROSS, "*", product},
    {"∗", SIGN_PLAIN, "*", NULL}, {"⊙", SIGN_PLAIN, "*", "write * for a product of elements"},
    {"÷", SIGN_PLAIN, "/", NULL}, {"∕", SIGN_PLAIN, "/", NULL}, {"⁄", SIGN_PLAIN, "/", NULL},
    {"−", SIGN_PLAIN, "-", minus},
    {"–", SIGN_PLAIN, "-", minus},
    {"—", SIGN_PLAIN, "-", minus},
    {"≤", SIGN_PLAIN, "<=", NULL}, {"≥", SIGN_PLAIN, ">=", NULL}, {"≠", SIGN_PLAIN, "!=", NULL},
    {"∈", SIGN_PLAIN, " in ", NULL}, {"∉", SIGN_PLAIN, " not in ", NULL},
    {"∧", SIGN_LOGICAL, "and", NULL}, {"∨", SIGN_LOGICAL, "or", NULL}, {"¬", SIGN_PLAIN, "not ", NULL},
    {"∞", SIGN_VALUE, "inf", "∞ is inf"}, {"½", SIGN_VALUE, "0.5", "½ is 0.5"}, {"¼", SIGN_VALUE, "0.25", "¼ is 0.25"},
    {"¾", SIGN_VALUE, "0.75", "¾ is 0.75"},
    {"←", SIGN_PLAIN, " = ", "write ="}, {"≔", SIGN_PLAIN, " = ", "write ="},
    {"⊤", SIGN_TRANSPOSE, ".T", transpose}, {"ᵀ", SIGN_TRANSPOSE, ".T", transpose},
    {"√", SIGN_ROOT, "sqrt", "write sqrt(x)"},
    {"〔", SIGN_PLAIN, "[", NULL}, {"〕", SIGN_PLAIN, "]", NULL},
    {"⁻", SIGN_RAISED, "-", power},
    {"⁰", SIGN_RAISED, "0", power},
    {"¹", SIGN_RAISED, "1", power},
    {"²", SIGN_RAISED, "2", power},
    {"³", SIGN_RAISED, "3", power},
    {"⁴", SIGN_RAISED, "4", power},
    {"⁵", SIGN_RAISED, "5", power},
    {"⁶", SIGN_RAISED, "6", power},
    {"⁷", SIGN_RAISED, "7", power},
    {"⁸", SIGN_RAISED, "8", power},
    {"⁹", SIGN_RAISED, "9", power},
    /* what no sign here stands for */
    {"⊗", SIGN_WORDS, NULL, "write outer(a, b)"}, {"∘", SIGN_WORDS, NULL, "write f(g(x))"},
    {"≈", SIGN_WORDS, NULL, "write abs(a - b) < 1e-9"},
    {"∇", SIGN_WORDS, NULL, derivative}, {"∂", SIGN_WORDS, NULL, derivative},
    {"∑", SIGN_WORDS, NULL, "write sum(x)"}, {"∏", SIGN_WORDS, NULL, "write prod(x)"},
    {"∫", SIGN_WORDS, NULL, "trapz(y, x) is the area under y over x"},
    {"…", SIGN_WORDS, NULL, "leave it out"}, {"°", SIGN_WORDS, NULL, "radians are degrees * pi / 180"},
    {"₀", SIGN_WORDS, NULL, digit}, {"₁", SIGN_WORDS, NULL, digit},
    {"₂", SIGN_WORDS, NULL, digit}, {"₃", SIGN_WORDS, NULL, digit},
    {"«", SIGN_WORDS, NULL, quotes},
    {"»", SIGN_WORDS, NULL, quotes},
    {"‖", SIGN_WORDS, NULL, "write norm(x)"},
    {"→", SIGN_WORDS, NULL, "a function in one line is lambda x: x + 1"},
    {"$", SIGN_WORDS, NULL, "leave it out; a formula is written as in Python: q @ k / sqrt(d)"},
    {"`", SIGN_WORDS, NULL, "leave it out: it marks code in a text; a string stands in quotes: \"text\""},
};
/* clang-format on */

const ForeignSign *foreign_sign(const char *text) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i].sign, strlen(signs[i].sign)) == 0) return &signs[i];
    return NULL;
}

void foreign_write_hint(Text *text, const ForeignSign *sign) {
    if (sign->hint) text_string(text, sign->hint);
    else text_format(text, "write %s", sign->here + strspn(sign->here, " "));
}

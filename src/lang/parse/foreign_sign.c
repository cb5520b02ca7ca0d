/* The signs of other languages and of paper, and their meanings here. */
#include "lang/foreign.h"

#include <string.h>

static const char product[] = "write * for a product, @ for a matrix product",
                  dot[] = "write @: q @ k is the dot product of vectors, A @ B the product of "
                          "matrices; of numbers and of elements *";

/* `signs` of one meaning, with blanks between them. Where a sign begins with another one, it comes
 * before it. */
/* clang-format off */
static const struct {
    const char *signs;
    SignKind kind;
    const char *here, *hint;
} rows[] = {
    {"===", SIGN_PLAIN, "==", NULL}, {"!== ~= ≠", SIGN_PLAIN, "!=", NULL},
    {"<>", SIGN_PLAIN, "!=", "unequal is written !="},
    {"==> => ≥", SIGN_PLAIN, ">=", NULL}, {"=< ≤", SIGN_PLAIN, "<=", NULL},
    {".*", SIGN_ELEMENTS, "*", NULL}, {"./", SIGN_ELEMENTS, "/", NULL},
    {".^", SIGN_ELEMENTS, "**", NULL}, {".\\", SIGN_WORDS, NULL, "write B / A for A.\\B"},
    {"^", SIGN_POWER, "**", "a power is written **: x ** 2"},
    {"&& ∧", SIGN_LOGICAL, "and", "write and; for arrays & with parentheses: (A > 0) & (A < 1)"},
    {"|| ∨", SIGN_LOGICAL, "or", "write or; for arrays | with parentheses: (A < 0) | (A > 1)"},
    {"· ⋅ ∙ •", SIGN_PRODUCT, "@", dot}, {"× ✕", SIGN_CROSS, "*", product},
    {"⊙ ∗", SIGN_PLAIN, "*", "write * for a product of elements"}, {"÷ ∕ ⁄", SIGN_PLAIN, "/", NULL},
    {"− – —", SIGN_PLAIN, "-", "write - (the key on the keyboard)"},
    {"∈", SIGN_PLAIN, " in ", NULL}, {"∉", SIGN_PLAIN, " not in ", NULL}, {"¬", SIGN_PLAIN, "not ", NULL},
    {"← ≔", SIGN_PLAIN, " = ", "write ="}, {"〔", SIGN_PLAIN, "[", NULL}, {"〕", SIGN_PLAIN, "]", NULL},
    {"∞", SIGN_VALUE, "inf", "∞ is inf"}, {"½", SIGN_VALUE, "0.5", "½ is 0.5"},
    {"¼", SIGN_VALUE, "0.25", "¼ is 0.25"}, {"¾", SIGN_VALUE, "0.75", "¾ is 0.75"},
    {"⊤ ᵀ", SIGN_TRANSPOSE, ".T", "the transpose of A is A.T"},
    {"√", SIGN_ROOT, "sqrt", "write sqrt(x)"},
    {"⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹ ⁻", SIGN_RAISED, "0123456789-", "a power is written **: x ** 2"},
    /* no sign here means this */
    {"⊗", SIGN_WORDS, NULL, "write outer(a, b)"}, {"∘", SIGN_WORDS, NULL, "write f(g(x))"},
    {"≈", SIGN_WORDS, NULL, "write abs(a - b) < 1e-9"},
    {"∇ ∂", SIGN_WORDS, NULL, "write (f(x + h) - f(x - h)) / (2 * h), with h = 1e-5"},
    {"∫ ∑", SIGN_WORDS, NULL, "write sum(x)"}, {"…", SIGN_WORDS, NULL, "leave it out"},
    {"°", SIGN_WORDS, NULL, "radians are degrees * pi / 180"},
    {"₀", SIGN_WORDS, NULL, "write it as a digit: x0"},
    {"₁", SIGN_WORDS, NULL, "write it as a digit: x1"},
    {"₂", SIGN_WORDS, NULL, "write it as a digit: x2"},
    {"₃", SIGN_WORDS, NULL, "write it as a digit: x3"},
    {"« »", SIGN_WORDS, NULL, "a string stands in quotes: \"text\""},
    {"‖", SIGN_WORDS, NULL, "write norm(x)"},
    {"→", SIGN_WORDS, NULL, "a function in one line is lambda x: x + 1"},
    {"$", SIGN_WORDS, NULL, "leave it out; a formula is written as in Python: q @ k / sqrt(d)"},
    {"`", SIGN_WORDS, NULL, "leave it out: it marks code in a text; a string stands in quotes: \"text\""},
};
/* clang-format on */

ForeignSign foreign_sign(const char *text) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *here = rows[i].here; /* of digits, a letter for each sign */
        for (const char *sign = rows[i].signs; *sign; sign += strspn(sign, " ")) {
            size_t length = strcspn(sign, " ");
            if (strncmp(text, sign, length) == 0)
                return (ForeignSign){length, rows[i].kind, here, rows[i].hint};
            sign += length;
            here += rows[i].kind == SIGN_RAISED;
        }
    }
    return (ForeignSign){0};
}

void foreign_write_hint(Text *text, const ForeignSign *sign) {
    if (sign->hint) text_string(text, sign->hint);
    else text_format(text, "write %s", sign->here + strspn(sign->here, " "));
}

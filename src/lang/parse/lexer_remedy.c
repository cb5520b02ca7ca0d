/* What to type instead of what the lexer cannot read: signs of formulas and of
 * pasted pages, brackets that stay open. */
#include "lang/token.h"

#include <string.h>

/* ---- characters ---- */

const char *lexer_character_remedy(uint32_t c) {
    static const struct {
        uint32_t c;
        const char *hint;
    } remedies[] = {
        {0xd7, "write * for a product, @ for a matrix product"},
        {0xf7, "write /"},
        {0xb7, "write *"},
        {0x22c5, "write *"},
        {0x2212, "write - (the key on the keyboard)"},
        {0x2013, "write - (the key on the keyboard)"},
        {0x22a4, "the transpose of A is A.T"},
        {0x2299, "write * for a product of elements"},
        {0x2297, "write outer(a, b)"},
        {0x2218, "write f(g(x))"},
        {0x2248, "write abs(a - b) < 1e-9"},
        {0x2207, "write (f(x + h) - f(x - h)) / (2 * h), with h = 1e-5"},
        {0x2202, "write (f(x + h) - f(x - h)) / (2 * h), with h = 1e-5"},
        {0x222b, "write sum(x)"},
        {0x2026, "leave it out"},
        {0x2022, "leave it out"},
        {0xbd, "write 0.5"},
        {0xbc, "write 0.25"},
        {0xbe, "write 0.75"},
        {0xb0, "radians are degrees * pi / 180"},
        {0x2080, "write it as a digit: x0"},
        {0x2081, "write it as a digit: x1"},
        {0x2082, "write it as a digit: x2"},
        {0x2083, "write it as a digit: x3"},
        {0xab, "a string stands in quotes: \"text\""},
        {0xbb, "a string stands in quotes: \"text\""},
        {0x2016, "write norm(x)"},
        {0x2264, "write <="},
        {0x2265, "write >="},
        {0x2260, "write !="},
        {0x221a, "write sqrt(x)"},
        {0x221e, "write inf"},
        {0xb2, "write **2"},
        {0xb3, "write **3"},
        {0x2211, "write sum(x)"},
        {0x2208, "write in"},
        {0x2190, "write ="},
        {0x2192, "a function in one line is lambda x: x + 1"},
        {'$', "leave it out; a formula is written as in Python: q @ k / sqrt(d)"},
        {'`', "leave it out: it marks code in a text; a string stands in quotes: \"text\""},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (remedies[i].c == c) return remedies[i].hint;
    return NULL;
}

/* ---- what stays open ---- */

/* Whoever types exit into an open bracket at a prompt wants out of it, not a name in it. */
bool lexer_ends_in_exit(const Lexer *lexer) {
    static const char *const words[] = {"exit", "quit", "exit()", "quit()", ":q", "help"};
    const char *text = lexer->chunk->text;
    size_t end = lexer->end;
    while (end > 0 && strchr(" \t\r\n", text[end - 1])) end--;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    if (begin == 0) return false;
    while (begin < end && strchr(" \t", text[begin])) begin++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == end - begin && memcmp(text + begin, words[i], end - begin) == 0)
            return true;
    return false;
}

const char *lexer_unclosed_remedy(const Lexer *lexer, char opening) {
    if (lexer_ends_in_exit(lexer)) return "what was begun is dropped now: type it once more";
    return opening == '('   ? "end it with )"
           : opening == '[' ? "end it with ]"
                            : "end it with the same three quotes";
}

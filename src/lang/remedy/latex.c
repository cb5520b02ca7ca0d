/* A formula of LaTeX, \frac{QK^T}{\sqrt{d_k}}, as the words and signs that rewrite.c goes on with:
 * (QK^T)/(√d_k). */
#include "lang/remedy/rewriter.h"
#include "lang/token.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
static const char *const latex[][2] = { /* commands, and what they are here */
    {"frac dfrac tfrac", "/"}, {"sqrt", "√"}, {"begin", "["}, {"end", "]"}, {"left right quad", ""},
    {"text textrm mathrm mathbf mathit operatorname", ""}, {"cdot", "·"}, {"times", "×"},
    {"odot", "⊙"}, {"top", "T"}, {"le leq", "≤"}, {"ge geq", "≥"}, {"ne neq", "≠"},
    {"infty", "∞"}, {"alpha", "alpha"}, {"beta", "beta"}, {"tau", "tau"}, {"exp", "exp"},
};
/* clang-format on */

/* The meaning of the command at the \, and its length with that. NULL: it is none of them. */
static const char *find_command(const char *at, size_t *length) {
    size_t letters = *at == '\\' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    *length = 1 + letters;
    for (size_t i = 0; letters > 0 && i < sizeof latex / sizeof *latex; i++)
        if (words_contain(latex[i][0], at + 1, letters)) return latex[i][1];
    return NULL;
}

/* \frac{a}{b} is written (a)/(b): a fraction is open until its second group has ended. */
typedef struct Fraction {
    int groups;   /* that are still to end; 0: there is no fraction */
    bool wrapped; /* in parentheses of its own, since something is in front of it */
} Fraction;

static void begin_fraction(Fraction *fraction, Text *out) {
    size_t before = trimmed_length(out->data, out->length, " ");
    fraction->groups = 2;
    fraction->wrapped = before > 0 && !strchr("([,=", out->data[before - 1]);
    if (fraction->wrapped) text_char(out, '(');
}

static void end_group(Fraction *fraction, Text *out) {
    if (fraction->groups == 0) return;
    if (--fraction->groups > 0) text_char(out, '/');
    else if (fraction->wrapped) text_char(out, ')');
}

bool read_latex(Text *line) {
    enum { DEPTH_MAX = 20 };
    Fraction fractions[DEPTH_MAX] = {{0}}; /* at each depth of braces */
    int depth = 0;
    bool found = strstr(line->data, "^{") || strstr(line->data, "_{");
    if (strpbrk(line->data, "'\"")) return false; /* a string is no formula */

    LocalText out = TEXT_FOR(line);
    const char *at = line->data;
    while (*at && depth < DEPTH_MAX - 1) {
        size_t length, name = 0;
        if (*at == '{')
            while (is_word_byte(at[1 + name]) || at[1 + name] == '-') name++;
        const char *meaning = find_command(at, &length);
        if (meaning) {
            found = true;
            at += length;
            if (islower((unsigned char)*meaning) && ends_value(&out)) text_char(&out, ' ');
            if (*meaning == '/') begin_fraction(&fractions[depth], &out);
            else text_string(&out, meaning);
            if (*meaning == '[' || *meaning == ']') { /* {bmatrix} */
                at += strcspn(at, "}");
                at += *at == '}';
            }
        } else if (*at == '{' && at[1 + name] == '}') { /* d_{k} is d_k */
            text_bytes(&out, at + 1, name);
            at += name + 2;
            end_group(&fractions[depth], &out);
        } else if (*at == '{' && at > line->data && at[-1] == '_') {
            return false; /* x_{i+1} is no name */
        } else if (*at == '{') {
            text_char(&out, '(');
            fractions[++depth] = (Fraction){0};
            at++;
        } else if (*at == '}') {
            text_char(&out, ')');
            depth -= depth > 0;
            end_group(&fractions[depth], &out);
            at++;
        } else if (*at == '&' || strncmp(at, "\\\\", 2) == 0) { /* the next column, or row */
            text_cut_blanks(&out);
            text_char(&out, *at == '&' ? ',' : ';');
            at += *at == '&' ? 1 : 2;
        } else if (*at == '=' && at[1] != '=' && (at == line->data || !strchr("=<>!", at[-1]))) {
            text_cut_blanks(&out);
            text_string(&out, " = ");
            at += at[1] == ' ' ? 2 : 1;
        } else {
            if (*at != '$') text_char(&out, *at);
            at++;
        }
    }
    if (!found || *at) return false;
    text_cut(line, 0);
    text_bytes(line, out.data, out.length);
    return true;
}

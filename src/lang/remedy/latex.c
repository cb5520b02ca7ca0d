/* A formula of LaTeX, \frac{QK^T}{\sqrt{d_k}}, as the words and signs that rewrite.c goes on with:
 * (QK^T)/(√d_k). */
#include "lang/remedy/rewriter.h"
#include "lang/token.h"

#include <string.h>

/* clang-format off */
static const char *const latex[][2] = { /* commands, and what they are here */
    {"frac dfrac tfrac", "/"}, {"sqrt", "√"}, {"begin", "["}, {"end", "]"}, {"left right quad", ""},
    {"text textrm mathrm mathbf mathit operatorname", ""}, {"cdot", "·"}, {"times", "×"},
    {"odot", "⊙"}, {"top", "T"}, {"le leq", "≤"}, {"ge geq", "≥"}, {"ne neq", "≠"},
    {"infty", "∞"}, {"alpha", "alpha"}, {"beta", "beta"}, {"tau", "tau"}, {"exp", "exp"},
};
/* clang-format on */

/* What the command at the \ is here, and its length. NULL: it is none of them. */
static const char *find_command(const char *at, size_t *length) {
    *length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; *at == '\\' && *length > 0 && i < sizeof latex / sizeof *latex; i++)
        if (words_contain(latex[i][0], at + 1, *length)) return latex[i][1];
    return NULL;
}

bool read_latex(Text *line) {
    enum { DEPTH_MAX = 20 };
    int depth = 0, parts[DEPTH_MAX] = {0}; /* of a fraction, that are to come at each depth */
    bool wrapped[DEPTH_MAX] = {0}, found = strstr(line->data, "^{") || strstr(line->data, "_{");
    LocalText out = TEXT_FOR(line);
    const char *at = line->data, *here;
    for (size_t length; *at && depth < DEPTH_MAX - 1; at++) {
        size_t word = 1;
        while (is_word_byte(at[word]) || at[word] == '-') word++;
        if (strchr("=&", *at) || strncmp(at, "\\\\", 2) == 0) text_cut_blanks(&out);
        if (*at == '{' && at[word] == '}') { /* d_{k} is d_k */
            text_bytes(&out, at + 1, word - 1);
            at += word;
        } else if ((here = find_command(at, &length))) {
            size_t before = trimmed_length(out.data, out.length, " ");
            bool apart = before == 0 || strchr("([,=", out.data[before - 1]);
            if (*here >= 'a' && *here <= 'z' && ends_value(&out)) text_char(&out, ' ');
            text_string(&out, *here != '/' ? here : apart ? "" : "(");
            if (*here == '/') parts[depth] = 2, wrapped[depth] = !apart;
            at += length;
            if (*here == '[' || *here == ']') at += strcspn(at, "}") - !strchr(at, '}');
            found = true;
        } else if (*at == '{') parts[++depth] = 0, text_char(&out, '(');
        else if (*at == '}') depth -= depth > 0, text_char(&out, ')');
        else if (*at == '\\' && at[1] == '\\') at++, text_char(&out, ';');
        else if (*at == '=') at += at[1] == ' ', text_string(&out, " = ");
        else if (*at != '$') text_char(&out, *at == '&' ? ',' : *at);
        if (*at == '}' && parts[depth] > 0)
            text_string(&out, --parts[depth] ? "/" : wrapped[depth] ? ")" : "");
    }
    found = found && !*at && !strpbrk(line->data, "'\"");
    if (found) text_cut(line, 0), text_string(line, out.data);
    return found;
}

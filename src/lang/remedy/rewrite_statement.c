/* Statements that are foreign as a whole: blocks and functions of Octave, settings among the
 * arguments of attend, save A. */
#include "lang/remedy/rewriter.h"
#include "lang/token.h"

#include <stdio.h>
#include <string.h>

/* ---- blocks ---- */

/* The body of a block in one line, { x = 1; }, without its braces. */
static void rewrite_body(Rewriter *r, Text *out) {
    r->at += strspn(r->at, " {");
    size_t body = trimmed_length(r->at, strlen(r->at), " ;}");
    if (body > 0) text_format(out, " %.*s", (int)body, r->at);
    r->at += strlen(r->at);
    r->changed = true;
}

/* for (let i = 0; i < n; i++) { f(i); } of C and JavaScript -> for i in range(n): f(i), and with
 * other steps, as i-- and i += 2. */
static bool rewrite_counting(Rewriter *r, Text *out) {
    char name[16], first[16], tested[16], compare[3], last[32], changed[16], change[32];
    int end = 0;
    const char *at = r->at + 1 + strspn(r->at + 1, " ");
    if (begins_with_word(at, "let") || begins_with_word(at, "var") || begins_with_word(at, "int"))
        at += 3 + strspn(at + 3, " ");
    if (sscanf(at, "%15[A-Za-z_] = %15[^;]; %15[A-Za-z_] %2[<>=] %31[^;]; %31[^)])%n", name, first,
               tested, compare, last, change, &end) != 6 ||
        end == 0)
        return false;
    const char *sign = strpbrk(change, "+-"), *step = "1";
    const bool down = sign && *sign == '-', closed = strcmp(compare + 1, "=") == 0;
    const bool itself = sscanf(change, "%*[ +-]%15[A-Za-z_]", changed) == 1 ||
                        sscanf(change, "%15[A-Za-z_]", changed) == 1;
    if (!sign || !itself || strcmp(name, tested) != 0 || strcmp(name, changed) != 0 ||
        *compare != (down ? '>' : '<') || (compare[1] && !closed))
        return false;
    if (sign[1] != *sign) step = sign + 1 + strspn(sign + 1, "= "); /* i += 2, i = i + 2 */
    const bool by_one = !down && strcmp(step, "1") == 0;
    text_format(out, "%s in range(", name);
    if (strcmp(first, "0") != 0 || !by_one) text_format(out, "%s, ", first);
    text_string(out, last);
    if (closed) text_string(out, down ? " - 1" : " + 1");
    if (!by_one) text_format(out, ", %s%s", down ? "-" : "", step);
    text_string(out, "):");
    r->at = at + end;
    rewrite_body(r, out);
    return true;
}

/* function y = f(x) -> def f(x):, and of JavaScript function f(x) { return x } in one line. */
static void rewrite_function(Rewriter *r, Text *out) {
    size_t head = strcspn(r->at, "{");
    const char *equals = memchr(r->at, '=', head), *end = r->at + head;
    if (equals) r->at = equals + 1 + strspn(equals + 1, " ");
    while (end > r->at && end[-1] == ' ') end--;
    text_format(out, "def %.*s:", (int)(end - r->at), r->at);
    r->at = end;
    rewrite_body(r, out);
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
    bool enclosed = i == 0 && *r->at == '('; /* for (i in 1:3) print(i), of R */
    if (enclosed && rewrite_counting(r, out)) return true;
    if (i == 0) {
        r->at += enclosed;
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
    if (enclosed) {
        text_char(out, ':');
        r->failed |= *r->at != ')';
        if (*r->at) r->at++;
        rewrite_body(r, out);
        return true;
    }
    /* The statements behind the head in the same line: for i = 1:3, disp(i), end */
    const char *between = ": ";
    while (*r->at && !r->failed) {
        r->at += strspn(r->at, " ,;");
        if (!*r->at || take_word(r, "end") || take_word(r, "endfor") || take_word(r, "endif") ||
            take_word(r, "endwhile"))
            break;
        if (strchr(")]}", *r->at)) r->failed = true; /* nothing opened it */
        text_string(out, between);
        rewrite_item(r, out, VALUE);
        while (*r->at == '=') {
            text_char(out, *r->at++);
            rewrite_item(r, out, VALUE);
        }
        between = "; ";
    }
    if (*between == ':') text_char(out, ':');
    return true;
}

/* x(end+1) = v -> x.append(v) */
static bool rewrite_append(Rewriter *r, Text *out) {
    size_t length = leading_word(r->at);
    const char *at = r->at + length;
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

/* attend Q K V mask=causal -> set mask causal; attend Q K V */
static bool rewrite_attend(Rewriter *r, Text *out) {
    size_t length;
    const CommandSyntax *attend = command_at(r, r->at, &length);
    if (!attend || strcmp(attend->name, "attend") != 0) return false;
    for (const char *at = strchr(r->at, ' '); at; at = strchr(at + 1, ' ')) {
        const char *name = at + strspn(at, " -"), *end = name + leading_word(name);
        LocalText word = TEXT_FOR(out);
        text_bytes(&word, name, (size_t)(end - name));
        /* `from` belongs to attend; "and" and "against" join inputs, though set mask and set answer
         * have these words. */
        bool own = command_has_word(attend, word.data, word.length) ||
                   words_contain("and against", word.data, word.length);
        bool setting =
            command_of_setting(r->interp->hooks.commands, word.data) && *end && strchr(" =", *end);
        const CommandSyntax *value = setting || own ? NULL : setting_of_word(r->interp, word.data);
        if (!setting && !value) continue;
        const char *last = strrchr(at, ' ') + 1;
        if (at == r->at + length && names_array(r, last, strlen(last)))
            return false; /* attend causal Q: which words are the value's, and which inputs? */
        text_format(out, "set %s %s; %.*s", setting ? word.data : value->name,
                    setting ? end + strspn(end, " =") : name, (int)(at - r->at), r->at);
        r->at += strlen(r->at);
        return r->changed = true;
    }
    return false;
}

/* save A to "a.npy" -> save("a.npy", A); a picture is plotted, and a document is the session. */
static bool rewrite_save(Rewriter *r, Text *out) {
    const char *at = r->at;
    if (!take_word(r, "save") || take_word(r, "session") ||
        !(is_word_byte(*r->at) || *r->at == '"')) {
        r->at = at;
        return false;
    }
    const char *thing = r->at, *file = strchr(thing, '"');
    size_t length = leading_word(thing), word;
    const CommandSyntax *shown = command_at(r, thing, &word);
    bool picture = file && (strstr(file, ".png") || strstr(file, ".svg") || strstr(file, ".pdf"));
    bool plots = shown && strcmp(shown->name, "plot") == 0;
    if (length == 0 && strstr(thing, ".md\"")) text_format(out, "save session %s", thing);
    else if (file && length > 0 && (picture || plots))
        text_format(out, "plot %.*s to %s", plots ? 7 : (int)length, plots ? "weights" : thing,
                    file);
    else if (names_array(r, thing, length) || (shown && shown->value)) {
        if (file) text_format(out, "save(%s, ", file);
        else text_format(out, "save(\"%.*s.npy\", ", (int)length, thing);
        if (shown) text_string(out, shown->value);
        else text_bytes(out, thing, length);
        text_char(out, ')');
    } else r->failed = true;
    r->at += strlen(r->at);
    return r->changed = true;
}

/* plot(1:5) -> plot arange(1, 6), where the line is refused for what is in the parentheses. */
static bool rewrite_called_command(Rewriter *r, Text *out) {
    size_t word, length = strlen(r->at);
    const CommandSyntax *row = command_at(r, r->at, &word);
    const char *open = r->at + word, *close = r->at + length - 1;
    if (!row || !row->expression || *open != '(' || strchr(open, ')') != close) return false;
    text_format(out, "%s ", row->name);
    r->at = open + 1;
    r->command = false; /* what follows is one expression */
    rewrite_list(r, out, VALUE);
    if (r->at == close) r->at++;
    return true;
}

/* [r, c] = size(A) -> r, c = A.shape */
static bool rewrite_sizes(Rewriter *r, Text *out) {
    static const char between[] = "] = size(";
    const char *close = strchr(r->at, ']'), *argument = close ? close + strlen(between) : NULL;
    if (*r->at != '[' || !close || strncmp(close, between, strlen(between)) != 0) return false;
    size_t length = leading_word(argument);
    if (length == 0 || strcmp(argument + length, ")") != 0) return false;
    text_format(out, "%.*s = %.*s.shape", (int)(close - r->at - 1), r->at + 1, (int)length,
                argument);
    r->at += strlen(r->at);
    return r->changed = true;
}

bool rewrite_statement(Rewriter *r, Text *out) {
    return rewrite_append(r, out) || rewrite_attend(r, out) || rewrite_save(r, out) ||
           rewrite_block(r, out) || rewrite_called_command(r, out) || rewrite_sizes(r, out);
}

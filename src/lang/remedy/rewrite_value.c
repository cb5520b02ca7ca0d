/* Values from left to right: words, signs, strings, brackets, and the items between commas. */
#include "base/utf8.h"
#include "lang/remedy/rewriter.h"
#include "lang/token.h"

#include <ctype.h>
#include <string.h>

enum { PARTS_MAX = 3 };

/* ---- words and signs ---- */

/* np.finfo(np.float32).min -> the number */
static bool rewrite_limit(Rewriter *r, Text *out) {
    static const char *const limits[][3] = {
        {".min", "-1.7976931348623157e308", "-3.4028234663852886e38"},
        {".max", "1.7976931348623157e308", "3.4028234663852886e38"},
        {".eps", "2**-52", "2**-23"},
        {".tiny", "2**-1022", "2**-126"}};
    const char *end = strchr(r->at, ')');
    if (strncmp(r->at, "finfo(", strlen("finfo(")) != 0 || !end++) return false;
    const char *narrow = strstr(r->at, "32"), *half = strstr(r->at, "16");
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(limits[i][0]);
        if (strncmp(end, limits[i][0], length) != 0 || is_word_byte(end[length])) continue;
        while (text_last(out) == '.' || is_word_byte(text_last(out)))
            text_cut(out, out->length - 1); /* np. */
        text_string(out, limits[i][narrow && narrow < end ? 2 : 1]);
        r->failed |= half && half < end;
        r->at = end + length;
        return r->changed = true;
    }
    return false;
}

/* QK of a paper, W_Qx, and QKT, where K has a T above it in print: two arrays without a sign
 * between them, as a product. */
static bool split_product(const Rewriter *r, const char *word, size_t length, Text *out) {
    bool raised = *r->at == '^' || foreign_sign(r->at).kind == SIGN_TRANSPOSE;
    for (size_t i = 1; i < length; i++) {
        const char *right = word + i;
        size_t rest = length - i;
        bool same = rest == i && memcmp(word, right, i) == 0; /* xx is a slip, XX^T is not */
        bool transposed = !names_array(r, right, rest) && right[rest - 1] == 'T';
        if (!names_array(r, word, i) || !names_array(r, right, rest - transposed) ||
            (same && !raised))
            continue;
        bool apart = r->command && !strpbrk(out->data, "([{"); /* attend Q KV */
        text_format(out, apart ? "%.*s %.*s%s" : "%.*s @ %.*s%s", (int)i, word,
                    (int)(rest - transposed), right, transposed ? ".T" : "");
        return true;
    }
    return false;
}

/* True if a Chinese word of arithmetic begins at `at`, behind a number or name: 3加5, A乘B. */
static bool begins_chinese(const char *begin, const char *at) {
    static const char *const words[] = {"乘", "加", "减", "除"};
    const bool number = isdigit((unsigned char)*begin);
    if (at == begin || (unsigned char)*begin >= 0x80) return false;
    for (size_t i = 0; i < (number ? sizeof words / sizeof *words : 1); i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) return true;
    return false;
}

/* A name or number. Chinese words are replaced, where they are no variables; those of other
 * languages where they are called. */
void rewrite_word(Rewriter *r, Text *out) {
    if (rewrite_limit(r, out)) return;
    static const char *const times[] = {"乘以", "乘"};
    const char *begin = r->at;
    bool product = false;
    for (size_t i = 0; i < sizeof times / sizeof *times && !product; i++) {
        product = strncmp(begin, times[i], strlen(times[i])) == 0;
        if (product) r->at += strlen(times[i]);
    }
    while (!product && !begins_chinese(begin, r->at) &&
           ((is_word_byte(*r->at) && foreign_sign(r->at).kind == SIGN_NONE) ||
            (*r->at == '.' && isdigit((unsigned char)*begin) &&
             !strchr("*/^'", r->at[1] ? r->at[1] : ' '))))
        r->at++;
    size_t length = (size_t)(r->at - begin);
    const Symbol *symbol = interp_find_word(r->interp, begin, length);
    const Symbol *member =
        *r->at == '.' ? interp_find_word(r->interp, r->at + 1, leading_word(r->at + 1)) : NULL;
    if (words_contain("Math", begin, length) && member && member->builtin) { /* of JavaScript */
        r->at++;
        r->changed = true;
        return;
    }
    if (isdigit((unsigned char)*begin) || text_last(out) == '.' || assigned_to(r, begin, length) ||
        (symbol && (symbol->value.kind != VALUE_UNSET || symbol->builtin))) {
        text_bytes(out, begin, length - (length > 1 && r->at[-1] == '.')); /* 1. */
        return;
    }
    LocalText word = TEXT_FOR(out), here = TEXT_FOR(out);
    if (!utf8_nfkc(&word, begin, length)) text_bytes(&word, begin, length); /* dₖ is dk */
    bool other = foreign_word(FOREIGN_CALLS, word.data) != NULL; /* its arguments differ */
    const char *name = *r->at == '(' && !other ? foreign_word(FOREIGN_NAMES, word.data) : NULL;
    if (name && strcmp(word.data, "length") == 0) {
        name = "len";
        r->octave = true; /* of a matrix, it is the larger of its sizes there */
    }
    if (!name && !r->command && (name = foreign_word(FOREIGN_NAMES, word.data)) &&
        !strchr(name, '[') && !words_contain("True False None nan inf pi", name, strlen(name)))
        name = NULL; /* d_k is K.shape[-1] also where it is not called */
    const char *next = r->at + strspn(r->at, " ");
    if (out->length == 0 && *next == '=' && next[1] != '=') name = NULL; /* d_k = √64 */
    if (name && !strpbrk(name, " %,")) text_string(&here, name);
    else if (length > 1 && begin[length - 1] == 'T' && names_array(r, begin, length - 1))
        text_format(&here, "%.*s.T", (int)length - 1, begin); /* K with a T above */
    else if (!split_product(r, begin, length, &here)) foreign_chinese(&here, begin, length);
    if (product && here.length > 0) { /* it says × */
        text_clear(&here);
        text_clear(&word);
        rewrite_product(r, out, SIGN_CROSS);
    }
    if (out->length == 0 && *next == '=' && next[1] != '=' &&
        command_of_setting(r->interp->hooks.commands, here.data)) { /* 位置＝正弦 */
        text_format(out, "set %s ", here.data);
        r->at = next + 1 + strspn(next + 1, " ");
        r->changed = true;
        return;
    }
    if (strcmp(here.data, "==") == 0 && out->length > 0 &&
        leading_word(out->data) + 1 == out->length &&
        !variable_named(r, out->data, out->length - 1)) { /* off 等于 0.3, which off is not yet */
        text_clear(&here);
        text_char(&here, '=');
    }
    r->changed |= here.length > 0;
    if (*here.data == '.') text_cut_blanks(out); /* A 的转置 */
    else if (here.length > 0 && ends_value(out)) text_char(out, ' ');
    text_string(out, here.length > 0 ? here.data : word.data);
    if (here.length > 0 && *r->at == '"') text_char(out, ' '); /* 保存会话"a.md" */
}

/* A string, or the ' of a transpose. */
void rewrite_quote(Rewriter *r, Text *out) {
    char quote = *r->at;
    if (quote == '\'' && (ends_value(out) || text_last(out) == '.')) {
        if (text_last(out) == '.') text_cut(out, out->length - 1);
        r->octave = true;
        r->at++;
        rewrite_transpose(r, out);
        return;
    }
    const char *begin = r->at++;
    while (*r->at && *r->at != quote) r->at += *r->at == '\\' && r->at[1] ? 2 : 1;
    if (!*r->at) r->failed = true;
    else r->at++;
    text_bytes(out, begin, (size_t)(r->at - begin));
}

/* @(x) x + 1 of Octave, function(x) x + 1 of R -> lambda x: x + 1 */
static void rewrite_handle(Rewriter *r, Text *out) {
    r->at += strcspn(r->at, "(") + 1;
    size_t length = strcspn(r->at, ")");
    text_format(out, "lambda %.*s:", (int)length, r->at);
    r->at += length;
    if (*r->at) r->at++;
    if (*r->at != ' ') text_char(out, ' ');
    r->failed |= r->at[strspn(r->at, " ")] == '{';
    r->changed = true;
}

/* x => x + 1 of JavaScript, x -> x + 1 of Julia -> lambda x: x + 1, where the text ends with the
 * parameters. False: what follows says nothing of them, as in x => 3, which compares. */
static bool rewrite_arrow(Rewriter *r, Text *out) {
    if (strncmp(r->at, "=>", 2) != 0 && strncmp(r->at, "->", 2) != 0) return false;
    LocalText parameters = TEXT_FOR(out);
    text_string(&parameters, out->data);
    text_trim(&parameters);
    char *name = parameters.data + (*parameters.data == '(');
    size_t length = leading_word(name);
    bool closed = *parameters.data == '(' && text_last(&parameters) == ')', used = false;
    if (length == 0 || (!closed && name[length])) return false;
    for (const char *at = r->at; *at && !used; at++)
        used = strncmp(at, name, length) == 0 && !is_word_byte(at[-1]) && !is_word_byte(at[length]);
    if (!used) return false;
    if (closed) text_cut(&parameters, parameters.length - 1);
    bool apart = out->data[0] == ' ';
    text_clear(out);
    text_format(out, "%slambda %s:", apart ? " " : "", parameters.data + closed);
    r->at += 2;
    r->failed |= r->at[strspn(r->at, " ")] == '{';
    r->words = "a function in one line is lambda x: x + 1; of each element, [x + 1 for x in xs]";
    return r->changed = true;
}

/* The ! in the name of a function of Julia that changes its argument; push!(xs, x) has a method. */
static void rewrite_bang(Rewriter *r, const Text *out) {
    size_t name = trailing_word(out->data, out->length);
    r->at++;
    r->failed |= !words_contain("push seed", out->data + name, out->length - name);
    r->words = "no name has a ! in it; x = sort(x) changes x";
    r->changed = true;
}

/* Calls that take a function of the elements, and what to write for them: %v is the parameter, %f
 * the function's value, %x the values that it goes through. */
static const struct {
    const char *calls, *here;
} over_elements[] = {
    {"map sapply lapply Map vapply arrayfun", "[%f for %v in %x]"},
    {"filter Filter", "[%v for %v in %x if %f]"},
    {"some", "any([%f for %v in %x])"},
    {"every", "all([%f for %v in %x])"},
    {"find", "[%v for %v in %x if %f][0]"},
    {"sum", "sum([%f for %v in %x])"},
    {"forEach", "for %v in %x: %f"},
    {"reduce sort", ""}, /* no line: their functions take two elements */
};

/* y.map(lambda v: v * 2), map(lambda v: v * 2, y) and sapply(y, lambda v: v * 2), whose parenthesis
 * is at `open` -> [v * 2 for v in y] */
static void rewrite_over_elements(Rewriter *r, Text *out, size_t open) {
    size_t name = trailing_word(out->data, open), begin = name;
    const char *here = NULL, *lambda = strstr(out->data + open, "lambda ");
    for (size_t i = 0; i < sizeof over_elements / sizeof *over_elements; i++)
        if (words_contain(over_elements[i].calls, out->data + name, open - name))
            here = over_elements[i].here;
    if (!here || !lambda) return;
    LocalText values = TEXT_FOR(out), parameter = TEXT_FOR(out), function = TEXT_FOR(out);
    const char *first = out->data + open + 1, *colon = strchr(lambda, ':');
    text_bytes(&parameter, lambda + 7, (size_t)(colon - lambda) - 7);
    text_bytes(&function, colon + 1, out->length - 1 - (size_t)(colon + 1 - out->data));
    if (name > 0 && out->data[name - 1] == '.') {
        LocalText before = TEXT_FOR(out);
        text_bytes(&before, out->data, name - 1);
        take_back(&before, &values, NULL);
        begin = before.length;
    } else if (lambda > first) { /* sapply(y, lambda v: v * 2) */
        text_bytes(&values, first, (size_t)(lambda - first));
        text_trim(&values);
        if (text_last(&values) == ',') text_cut(&values, values.length - 1);
    } else take_back(&function, &values, ",");
    text_trim(&function);
    if (lambda == first && begin == name && text_last(&function) == ',')
        text_cut(&function, function.length - 1);
    r->failed |=
        strchr(parameter.data, ',') || values.length == 0 || strchr(values.data, ',') || !*here;
    text_cut(out, begin);
    for (; *here; here++) {
        const Text *part = here[0] != '%'   ? NULL
                           : here[1] == 'v' ? &parameter
                           : here[1] == 'x' ? &values
                                            : &function;
        if (part) text_string(out, part->data), here++;
        else text_char(out, *here);
    }
}

/* [A B] of Octave puts arrays beside each other, where [A, B] has an axis more. The literal begins
 * at `begin`; rows with a ; between them do so by themselves, and [[1 2] [3 4]] is as NumPy shows a
 * matrix. */
static void join_arrays(Rewriter *r, Text *out, size_t begin) {
    LocalValue value = VALUE_MISSING;
    bool arrays = false;
    if (strchr(out->data + begin, ';') || strchr("[(", out->data[begin + 1])) return;
    if (interp_try(r->interp, out->data + begin, false, &value, NULL) == TRIAL_WORKS) {
        arrays = value_axes(&value) > 1;
        for (size_t i = 0; value.kind == VALUE_LIST && i < value.list->count; i++)
            arrays |= value_axes(&value.list->items[i]) > 0;
    }
    if (!arrays) return;
    LocalText list = TEXT_FOR(out);
    text_string(&list, out->data + begin);
    text_cut(out, begin);
    text_format(out, "hstack(%s)", list.data);
}

/* A bracket and all that is in it. */
void rewrite_bracket(Rewriter *r, Text *out) {
    static const char opening[] = "([{", closing[] = ")]}";
    char open = *r->at++, close = closing[strchr(opening, open) - opening];
    Context context = VALUE;
    bool loop = r->loop, behind = ends_value(out);
    if (open == '[') context = behind ? PLAIN : ELEMENTS;
    else if (open == '{' && text_last(out) == '_') r->failed = true; /* x_{i+1} of LaTeX */
    else if (open == '{') /* a record has colons of its own */
        context = behind ? INDEX : r->at[strcspn(r->at, ":}")] == ':' ? PLAIN : ELEMENTS;
    else context = behind && is_indexed(r, out) ? INDEX : ARGUMENTS;
    if (context == INDEX) {
        open = '[';
        r->octave = r->changed = true;
    }
    bool commas = r->commas;
    size_t inside = strcspn(r->at, "]");
    r->commas = memchr(r->at, ',', inside) && !memchr(r->at, ';', inside);
    r->loop = false;
    /* One index of a matrix counts its elements, columns first, in Octave. */
    bool matrix = context == INDEX && close == ')' && ends_in_matrix(r, out),
         single = !memchr(r->at, ',', strcspn(r->at, ")"));
    if (matrix && single && (isdigit((unsigned char)*r->at) || strncmp(r->at, "end", 3) == 0))
        text_string(out, ".T.flatten()");
    size_t begin = out->length;
    bool called = open == '(' && behind;
    text_char(out, open);
    rewrite_list(r, out, context);
    if (*r->at != close) r->failed = true;
    else r->at++;
    r->loop = loop;
    r->commas = commas;
    text_char(out, context == INDEX ? ']' : close);
    if (context == INDEX && strcmp(out->data + begin, "[:]") == 0) { /* columns first, in Octave */
        text_cut(out, begin);
        text_string(out, matrix ? ".T.flatten()" : ".flatten()");
    }
    const char *next = r->at + strspn(r->at, " ");
    bool assigned = *next == '=' && next[1] != '=';
    if (matrix && single && !assigned && strpbrk(out->data + begin, "<>=!")) {
        LocalText mask = TEXT_FOR(out); /* likewise: columns first */
        text_bytes(&mask, out->data + begin + 1, out->length - begin - 2);
        text_cut(out, begin);
        text_format(out, ".T[(%s).T]", mask.data);
    }
    if (context == INDEX && strncmp(r->at, " = []", 5) == 0) r->failed = true;
    if (open == '[' && context == ELEMENTS && r->octave) join_arrays(r, out, begin);
    if (called && !r->failed) rewrite_over_elements(r, out, begin);
    if (called && !r->failed) rewrite_octave_call(r, out, begin);
}

/* ---- items ---- */

/* True if a blank separates two elements or arguments; [1 -2] holds two in Octave. */
static bool separates(const Rewriter *r, const Text *out, Context context) {
    const char *next = r->at + strspn(r->at, " ");
    size_t word = trailing_word(out->data, out->length);
    SignKind kind = foreign_sign(next).kind;
    bool is_signed = context == ELEMENTS && (r->octave || !r->commas) &&
                     (*next == '-' || *next == '+') && next[1] != ' ' && next[1] != '=',
         begins = is_word_byte(*next) || (*next && strchr("([\"'", *next));
    return ends_value(out) && (kind == SIGN_NONE || kind == SIGN_ROOT) && (is_signed || begins) &&
           !token_joins_values(next) && !token_joins_values(out->data + word);
}

/* True if the text ends with a name that takes what follows: ln 2, window 4. That is no element,
 * and the two are no arguments. */
static bool takes_next(const Rewriter *r, const Text *out) {
    LocalText name = TEXT_EMPTY;
    size_t begin = trailing_word(out->data, out->length);
    text_bytes(&name, out->data + begin, out->length - begin);
    if (name.length == 0 || variable_named(r, name.data, name.length)) return false;
    const Symbol *symbol = interp_find_word(r->interp, name.data, name.length);
    bool times = r->commas && isalpha((unsigned char)*name.data) && /* [60, 0 x 6] */
                 !assigned_to(r, name.data, name.length);
    return times || (symbol && symbol->builtin && symbol->builtin->call) ||
           foreign_word(FOREIGN_NAMES, name.data) || setting_of_word(r->interp, name.data);
}

/* True if what follows is a factor of what comes before, on paper: Q K.T, softmax(S)V, W_Q x. Two
 * arguments without a comma look the same but for the transpose. */
static bool multiplies(const Rewriter *r, const Text *out, Context context) {
    const char *right = r->at + strspn(r->at, " "), *end = right;
    size_t stop = out->length;
    bool transposed = stop > 2 && strcmp(out->data + stop - 2, ".T") == 0;
    stop -= transposed ? 2 : 0;
    size_t begin = trailing_word(out->data, stop);
    while (is_word_byte(*end) && foreign_sign(end).kind == SIGN_NONE) end++;
    transposed = transposed || foreign_sign(end).kind == SIGN_TRANSPOSE || *end == '\'' ||
                 strncmp(end, ".T", 2) == 0 || strncmp(end, "^T", 2) == 0;
    bool closed = stop > 0 && out->data[stop - 1] == ')';
    return (transposed || context == VALUE || right == r->at) &&
           names_array(r, right, (size_t)(end - right)) &&
           (closed || names_array(r, out->data + begin, stop - begin));
}

static bool ends_item(const Rewriter *r) {
    return !*r->at || strchr(",;)]}", *r->at) ||
           (*r->at == '=' && r->at[1] != '=' && r->at[1] != '>' && r->at[1] != '<');
}

void rewrite_item(Rewriter *r, Text *out, Context context) {
    Text parts[PARTS_MAX] = {TEXT_EMPTY, TEXT_EMPTY, TEXT_EMPTY};
    Text *part = parts;
    bool colons = context != PLAIN, element = false;
    while (!ends_item(r) && !element && !r->failed) {
        char c = *r->at;
        bool apart = c == ' ' && (context == VALUE || context == ARGUMENTS),
             adjacent = is_word_byte(c) && ends_value(part);
        if ((apart || adjacent) && !r->command && multiplies(r, part, context)) {
            rewrite_product(r, part, SIGN_PRODUCT);
        } else if (c == ' ' && (context == ELEMENTS || context == ARGUMENTS) &&
                   separates(r, part, context)) {
            r->at += strspn(r->at, " ");
            element = r->changed = true;
            r->failed |= takes_next(r, part);
            r->octave |= context == ELEMENTS;
        } else if (c == ':' && colons) {
            r->at++;
            r->failed |= part == parts + PARTS_MAX - 1;
            if (!r->failed) part++;
        } else if (c == '\'' || c == '"') rewrite_quote(r, part);
        else if (strchr("([{", c)) rewrite_bracket(r, part);
        else if (strncmp(r->at, "@(", 2) == 0 && !ends_value(part)) rewrite_handle(r, part);
        else if (strncmp(r->at, "function(", 9) == 0 && !ends_value(part)) rewrite_handle(r, part);
        else if (rewrite_arrow(r, part)) colons = false;
        else if (strncmp(r->at, "!(", 2) == 0 && ends_value(part)) rewrite_bang(r, part);
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
    int count = (int)(part - parts) + 1;
    bool parted = context == INDEX || count > 1;
    if (parted && parts[0].data[0] == ' ') text_char(out, ' ');
    for (int i = 0; parted && i < count; i++) text_trim(&parts[i]);
    if (context == INDEX && count == 1) write_counted(r, out, &parts[0]);
    else if (context == INDEX) write_slice(r, out, parts, count);
    else if (count > 1) write_range(r, out, parts, count);
    else text_string(out, parts[0].data);
    if (element) text_string(out, ", ");
    for (int i = 0; i < PARTS_MAX; i++) text_release_for(&parts[i], out);
}

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

/* Statements that begin as in another language, a shell or a pasted page, and what to type instead,
 * filled in with the parts of the line. */
#include "lang/remedy.h"
#include "lang/parse/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the rest of a statement ---- */

/* The offset after the character at `at`, or after the string that begins there; the line's end
 * when that is not closed. */
static size_t skip_one(const char *text, size_t at, size_t end) {
    char quote = text[at++];
    if (quote != '"' && quote != '\'') return at;
    for (; at < end && text[at] != '\n'; at++) {
        if (text[at] == '\\') at++;
        else if (text[at] == quote) return at + 1;
    }
    return at < end ? at : end;
}

Span parse_rest(const Parser *p, size_t at) {
    const char *text = p->chunk->text;
    size_t end = p->chunk->length;
    int depth = 0;
    at += strspn(text + at, " \t");
    Span rest = {at, at};
    while (at < end && text[at] != '\n' && text[at] != '#' && !(text[at] == ';' && depth <= 0)) {
        if (strchr("([{", text[at])) depth++;
        else if (strchr(")]}", text[at])) depth--;
        at = skip_one(text, at, end);
    }
    rest.end += trimmed_length(text + rest.begin, at - rest.begin, " \t\r");
    return rest;
}

/* ---- how a statement begins ---- */

/* True if what follows the word cannot join it to an expression: a name, a number, a string, a
 * path. */
static bool begins_argument(const Parser *p, size_t at) {
    const char *begin = p->chunk->text + at, *text = begin + strspn(begin, " \t");
    if (text == begin || !*text) return false;
    if (strchr("~$", *text) || strncmp(text, "..", 2) == 0 || strncmp(text, "./", 2) == 0)
        return true;
    return (is_word_byte(*text) || strchr("\"'", *text)) && !token_joins_values(text);
}

/* False, and an error, for a first word of another language that has arguments behind it. */
static bool check_first_word(Parser *p) {
    char name[40];
    const char *text = p->chunk->text;
    Span word = p->token.span;
    if (!parse_at(p, TOKEN_NAME) || word.end - word.begin >= sizeof name ||
        !begins_argument(p, word.end))
        return true;
    snprintf(name, sizeof name, "%.*s", SPAN_ARGUMENTS(p, word));
    Span rest = parse_rest(p, word.end);
    const char *here = foreign_word(FOREIGN_STATEMENTS, name);
    /* int x = 3: a declaration of C; 令 x = 3. */
    if (words_contain("int float str 令 让", name, strlen(name)) &&
        memchr(text + rest.begin, '=', rest.end - rest.begin))
        here = "%l";
    if (!here) return true;
    if (strstr(here, "%f") && (!memchr(text + rest.begin, '.', rest.end - rest.begin) ||
                               memchr(text + rest.begin, '=', rest.end - rest.begin))) {
        here = foreign_word(FOREIGN_CALLS, name); /* exec "x = 1", export x=3: no file */
        if (!here || foreign_is_template(here)) here = "";
    }

    LocalText line = TEXT_EMPTY;
    Span inside = rest;
    if (rest.end > rest.begin + 1 && strchr("\"'", text[rest.begin])) {
        inside.begin++;
        inside.end--;
    }
    for (const char *at = here; *at; at++) {
        if (*at != '%' || (at[1] != 'l' && at[1] != 'f')) text_char(&line, *at);
        else if (*++at == 'f') text_format(&line, "%.*s", SPAN_ARGUMENTS(p, inside));
        else text_format(&line, "%.*s", SPAN_ARGUMENTS(p, rest));
    }
    bool template = foreign_is_template(here);
    parse_error(p, word, template ? NULL : here, "a statement does not begin with `%s` here", name);
    if (template && !line.failed && strcmp(here, "%l") == 0)
        propose_rewritten(p->interp, p->err, line.data);
    else if (template && !line.failed) propose(p->interp, p->err, "write ", line.data);
    return false;
}

bool parse_foreign_beginning(Parser *p) {
    static const struct {
        const char *beginning, *message, *hint;
    } beginnings[] = {
        {"./", "a statement does not begin with ./ here", "run \"x.attn\" runs a script"},
        {">>>", ">>> is the prompt of Python", "leave it out"},
        {"In [", "In [1]: is the prompt of Jupyter", "leave it out"},
        {"//", "// is no comment here", "a comment begins with #"},
        {"/*", "/* is no comment here", "a comment begins with #"},
        {"%% ", "% is no comment here", "a comment begins with #"},
        {"%%", "%% begins a cell in another language in Jupyter", "leave the cell out"},
        {"% ", "% is no comment here", "a comment begins with #"},
        {"%", "lines with % in front belong to Jupyter", "leave the line out"},
        {"<!--", "<!-- is no comment here", "a comment begins with #"},
        {"&nbsp;", "&nbsp; is a blank of a web page", "leave it out"},
        {":q", ": begins no command here", "exit leaves"},
        {":wq", ": begins no command here", "exit leaves"},
        {":x", ": begins no command here", "exit leaves"},
        {":", ": begins no command here", "write the command alone; help lists them"},
        {"!pip", "! starts no program here",
         "nothing has to be installed: NumPy's functions are built in"},
        {"!ls", "! starts no program here", "who lists the variables"},
        {"|", "a bar begins nothing here",
         "the absolute value of x is abs(x), the length of a vector norm(x)"},
    };
    const char *text = p->chunk->text + p->token.span.begin;
    bool word = isalnum((unsigned char)*text) && strncmp(text, "In [", 4) != 0;
    for (size_t i = 0; !word && i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t length = strlen(beginnings[i].beginning);
        if (strncmp(text, beginnings[i].beginning, length) != 0) continue;
        Span span = {p->token.span.begin, p->token.span.begin + length};
        return parse_error(p, span, beginnings[i].hint, "%s", beginnings[i].message);
    }
    if (!check_first_word(p)) return false;
    if (!parse_at(p, TOKEN_QUESTION)) return true;
    Span rest = parse_rest(p, p->token.span.begin + strspn(text, "?"));
    Text hint = TEXT_EMPTY;
    if (rest.end > rest.begin) text_format(&hint, "write help %.*s", SPAN_ARGUMENTS(p, rest));
    parse_error_here(p, NULL, "`?` comes behind the name");
    return parse_hint(p, &hint, "help gives an overview, NAME? the page of a name");
}

/* ---- a name, and something behind it that nothing joins to it ---- */

/* The offset behind the words at `at` that a sentence has and a call has not: `softmax of Q`. */
static size_t skip_articles(const char *text, size_t at, size_t end) {
    size_t length = leading_word(text + at);
    bool article = words_contain("of the me", text + at, length) && text[at + length] == ' ';
    return article && at + length + 1 < end ? skip_articles(text, at + length + 1, end) : at;
}

/* Reports a call without parentheses, softmax x, and hints at softmax(x). */
static void *no_parentheses(Parser *p, Span name, Span rest) {
    const char *text = p->chunk->text;
    LocalText line = TEXT_EMPTY;
    size_t length = name.end - name.begin;
    bool file = words_contain("load", text + name.begin, length) &&
                memchr(text + rest.begin, '.', rest.end - rest.begin);
    for (size_t at = rest.begin; file && at < rest.end; at++)
        file = is_word_byte(text[at]) || strchr("./-~", text[at]);
    size_t end;
    if (parse_asks(text, name.begin, &end)) rest.begin = skip_articles(text, rest.begin, rest.end);
    const CommandSyntax *shown =
        command_find(p->interp->hooks.commands, text + rest.begin, rest.end - rest.begin);
    if (shown && words_contain("print", text + name.begin, length))
        text_format(&line, "%.*s", SPAN_ARGUMENTS(p, rest)); /* print weights */
    else if (shown && shown->value)
        text_format(&line, "%.*s(%s)", SPAN_ARGUMENTS(p, name), shown->value);
    else
        text_format(&line, file ? "%.*s(\"%.*s\")" : "%.*s(%.*s)", SPAN_ARGUMENTS(p, name),
                    SPAN_ARGUMENTS(p, rest));
    parse_error(p, span_join(name, p->token.span), NULL, "%.*s needs parentheses",
                SPAN_ARGUMENTS(p, name));
    if (line.failed) return NULL;
    /* max of A by row is a sentence, and no list of arguments. */
    static const char sentence[] =
        "of by along over per with rows columns temperature from to into on";
    for (size_t at = rest.begin; at < rest.end; at = skip_one(text, at, rest.end))
        if (text[at] == ' ' && words_contain(sentence, text + at + 1, leading_word(text + at + 1)))
            return NULL;
    bool proposed = propose_rewritten(p->interp, p->err, line.data);
    char *and = proposed ? NULL : strstr(line.data, " and ");
    if (and) { /* dot a and b, where dot(a and b) fails */
        memmove(and+1, and+4, strlen(and+4) + 1);
        *and = ',';
        propose(p->interp, p->err, "write ", line.data);
    }
    return NULL;
}

/* Appends the commands that have `word` among their own words. False: there is none. */
static bool write_commands_of(Text *out, const CommandSyntax *commands, const char *word) {
    for (const CommandSyntax *row = commands; row && row->name; row++)
        if (command_has_word(row, word, strlen(word)))
            text_format(out, "%s%s", out->length ? ", " : "", row->name);
    return out->length > 0;
}

bool parse_at_factor(const Parser *p) {
    const Span span = p->token.span;
    const char *word = p->chunk->text + span.begin;
    const Symbol *symbol = interp_find_word(p->interp, word, span.end - span.begin);
    const bool held = symbol && (symbol->value.kind != VALUE_UNSET || symbol->builtin);
    return parse_at(p, TOKEN_NAME) && (held || span.end - span.begin == 1);
}

void *parse_no_join(Parser *p, const Node *expression, const char *shown) {
    Span rest = parse_rest(p, p->token.span.begin);
    if (expression->kind == NODE_ATTRIBUTE) return no_parentheses(p, expression->span, rest);
    const Symbol *symbol = expression->name.symbol;
    const char *name = symbol->name;
    const CommandSyntax *commands = p->interp->hooks.commands;
    bool unset = symbol->value.kind == VALUE_UNSET, command = false;
    size_t end;

    /* temperature 0.5 lacks its set. */
    const char *setting = foreign_word(FOREIGN_KEYWORDS, name);
    if (!setting || command_of_setting(commands, name)) setting = name;
    const CommandSyntax *row = unset ? command_of_setting(commands, setting) : NULL;
    bool function =
        unset ? symbol->builtin && symbol->builtin->call : value_is_function(&symbol->value);
    if (!row && (function || strcmp(name, "print") == 0))
        return no_parentheses(p, expression->span, rest);

    Nearest nearest; /* the keyword or command that the name looks like */
    nearest_begin(&nearest, name, strlen(name));
    for (int kind = TOKEN_AND; !row && kind < TOKEN_COUNT; kind++)
        if (token_has((TokenKind)kind, ROLE_STATEMENT))
            nearest_offer(&nearest, token_kind_text((TokenKind)kind));
    const char *keyword = nearest.found, *near;
    for (const CommandSyntax *other = row ? NULL : commands; other && other->name; other++)
        nearest_offer(&nearest, other->name);
    near = nearest.found;
    command = near != keyword;
    LocalText hint = TEXT_EMPTY, with = TEXT_EMPTY;
    if (row) text_format(&hint, "write %s %s %.*s", row->name, setting, SPAN_ARGUMENTS(p, rest));
    else if (command) text_format(&hint, "%s %.*s", near, SPAN_ARGUMENTS(p, rest));
    else if (near) text_format(&hint, "did you mean `%s`?", near);
    else if (unset && write_commands_of(&with, commands, name))
        text_format(&hint, "`%s` follows a command: %s", name, with.data);
    else if (unset && parse_asks(p->chunk->text, expression->span.begin, &end))
        text_string(&hint, "a question in plain words goes behind help");
    else if (!unset && (parse_at(p, TOKEN_NUMBER) || parse_at_factor(p)))
        text_string(&hint, "a product is written with *, a matrix product with @");
    else if (unset && name_is_chinese(name)) text_string(&hint, chinese_hint);
    parse_error_here(p, NULL, "%s follows `%.*s`, and nothing joins the two", shown,
                     SPAN_ARGUMENTS(p, expression->span));
    if (!command) return parse_hint(p, &hint, NULL);
    if (!hint.failed) propose(p->interp, p->err, "did you mean: ", hint.data);
    return NULL;
}

/* x <- 3 and x[1] <- 3 are how R assigns. A comparison with -3 has no blank behind the sign. */
bool parse_arrow(Parser *p, const Node *value) {
    if (value->kind != NODE_COMPARE || value->compare.operands.count != 2 || value->parenthesised)
        return true;
    const Node *left = value->compare.operands.items[0];
    bool element = left->kind == NODE_INDEX;
    if (left->kind != NODE_NAME && !element) return true;
    const char *text = p->chunk->text;
    size_t at = left->span.end + strspn(text + left->span.end, " \t");
    if (strncmp(text + at, "<- ", 3) != 0) return true;
    Span rest = parse_rest(p, at + 3);
    Text hint = TEXT_EMPTY;
    text_format(&hint, "write %.*s = %.*s%s", SPAN_ARGUMENTS(p, left->span),
                SPAN_ARGUMENTS(p, rest), element ? "  # counted from 0" : "");
    parse_error(p, ((Span){at, at + 2}), NULL, "<- is no operator here");
    if (hint.failed || !propose_rewritten(p->interp, p->err, hint.data + strlen("write ")))
        return parse_hint(p, &hint, NULL);
    text_release(&hint);
    return NULL;
}

/* ---- a command whose arguments are joined by something else than blanks ---- */

/* A command in which a sign stands where blanks separate arguments: set seed=3, why 0 1, 1 0. */
typedef struct Joined {
    const Parser *p;
    const CommandSyntax *row;
    Span all;         /* the whole command */
    char sign;        /* the first byte of that sign */
    const char *own;  /* the last of the command's own words before it; NULL */
    const char *word; /* what is written for it, behind a blank; "": the blank alone */
    bool set, answer; /* the command is `set`; it is `set answer`, which takes tokens */
} Joined;

static bool is_command(const Joined *joined, const char *names) {
    return words_contain(names, joined->row->name, strlen(joined->row->name));
}

/* True where a comma parts what would be two commands: trace 0, 1, why 0 1, 1 0. */
static bool joins_commands(const Joined *joined) {
    const char *text = joined->p->chunk->text + joined->all.begin,
               *end = joined->p->chunk->text + joined->all.end,
               *arguments = memchr(text, ' ', (size_t)(end - text)),
               *comma = memchr(text, ',', (size_t)(end - text));
    if (joined->sign != ',' || *joined->word || !arguments || !comma) return false;
    if (is_command(joined, "trace lens rollout saliency attribute")) return true;
    const char *second = comma + 1 + strspn(comma + 1, " ");
    const size_t length = strcspn(second, " ");
    return memchr(arguments + 1, ' ', (size_t)(second - arguments) - 3) && second[length] == ' ' &&
           !command_has_word(joined->row, second, length);
}

/* True where the sign may mean several things, of which none is proposed. */
static bool means_several(const Joined *joined) {
    const char *text = joined->p->chunk->text, *own = joined->own ? joined->own : "";
    const Span last = joined->p->last, sign = joined->p->token.span;
    switch (joined->sign) {
    case '=': /* compare heads=1, 2; 0.1=1 */
        return isdigit((unsigned char)text[last.begin]) || is_command(joined, "compare");
    case ':': /* plot x using 1:2, as gnuplot has it */
        return joined->row->expression && strcmp(own, "range") != 0;
    case ',': /* three answers; two tasks; sweep temperature 0.1, 1, 10 */
        return (joined->answer && memchr(text + sign.end, ',', joined->all.end - sign.end)) ||
               (joined->row->takes == TAKES_MODELS && strcmp(own, "on") == 0) ||
               (is_command(joined, "sweep") && joins_commands(joined));
    default: return (unsigned char)joined->sign >= 0x80;
    }
}

/* Appends a token that lacks its quotes, as they begin at `at`. Returns its length; 0: none. */
static size_t write_bare_token(const Joined *joined, Text *out, size_t at) {
    const char *text = joined->p->chunk->text + at;
    size_t length = leading_word(text);
    if (at <= joined->all.begin + strlen("set ") || text[-1] != ' ' || length == 0 ||
        isdigit((unsigned char)*text))
        return 0;
    const Symbol *held = interp_find_word(joined->p->interp, text, length);
    if (held && held->value.kind != VALUE_UNSET) return 0;
    text_format(out, "\"%.*s\"", (int)length, text);
    return length;
}

/* Appends the command with blanks, or the word, for the sign. */
static void write_separated(const Joined *joined, Text *out) {
    const char *text = joined->p->chunk->text;
    const size_t end = joined->all.end;
    int depth = 0;
    for (size_t at = joined->all.begin, next; at < end; at = next) {
        const size_t token = joined->answer ? write_bare_token(joined, out, at) : 0;
        next = token ? at + token : skip_one(text, at, end);
        if (token) continue;
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        if (text[at] != joined->sign || depth > 0) {
            text_bytes(out, text + at, next - at);
        } else if (joined->sign == ',' && joined->set && isdigit((unsigned char)text[at - 1]) &&
                   isdigit((unsigned char)text[next])) { /* alibi 0,5 */
            text_char(out, '.');
        } else {
            text_cut_blanks(out);
            next += strspn(text + next, " \t");
            if (joined->sign == '=' && is_command(joined, "attend")) /* attend Q=X K=X V=X */
                while (out->data[out->length - 1] != ' ') text_cut(out, out->length - 1);
            else
                text_format(out, "%s%s%s", *joined->word == ';' ? "" : " ", joined->word,
                            *joined->word ? " " : "");
        }
    }
}

void *parse_joined_arguments(Parser *p, const Node *command, const char *word) {
    const CommandSyntax *row = p->command;
    const char *before = p->chunk->text + p->last.begin;
    const bool set = strcmp(row->name, "set") == 0;
    Joined joined = {.p = p,
                     .row = row,
                     .all = parse_rest(p, command->span.begin),
                     .sign = p->chunk->text[p->token.span.begin],
                     .word = word,
                     .set = set,
                     .answer = set && strcmp(word, "against") == 0};
    for (int i = 0; i < command->command.count; i++)
        if (command->command.arguments[i].word) joined.own = command->command.arguments[i].word;
    if (joined.own && row->pairs && words_contain(row->pairs, joined.own, strlen(joined.own)))
        joined.word = ""; /* size 2, 3 */

    Text hint = TEXT_EMPTY;
    char again[40];
    const Symbol *target = interp_find_word(p->interp, before, p->last.end - p->last.begin);
    if (set && joined.sign == '=' && !p->picked && target && target->value.kind != VALUE_UNSET) {
        Span assignment = parse_rest(p, p->last.begin); /* set x = 3, of a variable */
        text_format(&hint, "write %.*s", SPAN_ARGUMENTS(p, assignment));
    } else if (!means_several(&joined)) {
        if (joins_commands(&joined)) { /* watching head 0 1, 1 0 are two heads of one command */
            snprintf(again, sizeof again, joined.own ? "%s" : "; %s",
                     joined.own ? joined.own : row->name);
            joined.word = again;
        }
        text_string(&hint, "write ");
        write_separated(&joined, &hint);
    }
    parse_error_here(p, NULL, "the arguments of %s are separated by spaces, not by `%.*s`",
                     command->command.name, TOKEN_ARGUMENTS(p, &p->token));
    return parse_hint(p, &hint, NULL);
}

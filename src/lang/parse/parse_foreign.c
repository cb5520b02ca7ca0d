/* Statements that begin as in another language, a shell or a pasted page, and
 * what to type instead, filled in with what stands in the line. */
#include "lang/foreign.h"
#include "lang/parse/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_SHOWN = 200 };

/* A line as it should be; too_long: it does not fit into a hint. */
typedef struct Line {
    char text[LINE_MAX_SHOWN + 1];
    size_t length;
    bool too_long;
} Line;

static void line_bytes(Line *line, const char *bytes, size_t length) {
    line->too_long = line->too_long || length > LINE_MAX_SHOWN - line->length;
    if (line->too_long) return;
    memcpy(line->text + line->length, bytes, length);
    line->length += length;
    line->text[line->length] = '\0';
}

static void line_string(Line *line, const char *string) {
    line_bytes(line, string, strlen(string));
}

static void line_span(Line *line, const char *text, Span span) {
    line_bytes(line, text + span.begin, span.end - span.begin);
}

static Line line_write(void) { return (Line){.text = "write ", .length = 6}; }

/* NULL: too long for one. */
static const char *line_hint(const Line *line) { return line->too_long ? NULL : line->text; }

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_word_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- the rest of a statement ---- */

/* Past a string that begins at `at`; at the line's end when it is not closed. */
static size_t skip_string(const char *text, size_t at, size_t end) {
    char quote = text[at];
    for (at++; at < end && text[at] != '\n'; at++) {
        if (text[at] == '\\') at++;
        else if (text[at] == quote) return at + 1;
    }
    return at < end ? at : end;
}

/* From `at` up to the `;`, the comment or the end of the line, without the blanks around it. */
static Span rest_of_statement(const Parser *p, size_t at) {
    const char *text = p->chunk->text;
    size_t end = p->chunk->length;
    int depth = 0;
    while (at < end && is_blank(text[at])) at++;
    Span rest = {at, at};
    while (at < end && text[at] != '\n' && text[at] != '#' && !(text[at] == ';' && depth <= 0)) {
        if (strchr("([{", text[at])) depth++;
        else if (strchr(")]}", text[at])) depth--;
        at = text[at] == '"' || text[at] == '\'' ? skip_string(text, at, end) : at + 1;
    }
    while (at > rest.begin && (is_blank(text[at - 1]) || text[at - 1] == '\r')) at--;
    return (Span){rest.begin, at};
}

/* ---- commas where blanks stand ---- */

static bool ends_item(char c) {
    return is_word_character(c) || c == ')' || c == ']' || c == '"' || c == '\'' || c == '.' ||
           (unsigned char)c >= 0x80;
}

static bool begins_item(char c) {
    return is_word_character(c) || c == '(' || c == '[' || c == '"' || c == '\'' ||
           (unsigned char)c >= 0x80;
}

static bool is_operator_word(const char *word, size_t length) {
    static const char *const words[] = {"and", "or",   "not", "in",    "is",
                                        "if",  "else", "for", "lambda"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
    return false;
}

static size_t word_length(const char *text, size_t end) {
    size_t length = 0;
    while (length < end && is_word_character(text[length])) length++;
    return length;
}

/* Whether the blanks before `at` stand between two items that nothing joins. */
static bool stands_between(const char *text, size_t begin, size_t at, size_t end) {
    size_t before = at, word = word_length(text + at, end - at);
    while (before > begin && is_blank(text[before - 1])) before--;
    if (before == begin || before == at || !ends_item(text[before - 1]) || !begins_item(text[at]))
        return false;
    size_t first = before;
    while (first > begin && is_word_character(text[first - 1])) first--;
    return !is_operator_word(text + first, before - first) && !is_operator_word(text + at, word);
}

/* [1 2; 3 4] -> [1, 2; 3, 4] */
static void line_with_commas(Line *line, const char *text, Span span) {
    for (size_t at = span.begin; at < span.end;) {
        size_t next =
            text[at] == '"' || text[at] == '\'' ? skip_string(text, at, span.end) : at + 1;
        if (!is_blank(text[at])) {
            line_bytes(line, text + at, next - at);
        } else {
            while (next < span.end && is_blank(text[next])) next++;
            line_string(line, stands_between(text, span.begin, next, span.end) ? ", " : " ");
        }
        at = next;
    }
}

/* The bracket that closes the one at `begin` in the same line; 0: none does. */
static size_t closing_bracket(const char *text, size_t begin, size_t end) {
    int depth = 0;
    for (size_t at = begin; at < end && text[at] != '\n';) {
        if (strchr("([", text[at])) depth++;
        if (strchr(")]", text[at]) && --depth == 0) return at;
        at = text[at] == '"' || text[at] == '\'' ? skip_string(text, at, end) : at + 1;
    }
    return 0;
}

/* Where the innermost bracket around the next token opens. */
static const Bracket *bracket_around(const Parser *p) {
    for (int i = p->lexer.bracket_count - 1; i >= 0; i--)
        if (p->lexer.brackets[i].at < p->token.span.begin) return &p->lexer.brackets[i];
    return NULL;
}

bool parse_no_comma(Parser *p, const char *shown) {
    const Bracket *bracket = bracket_around(p);
    const char *text = p->chunk->text;
    size_t begin = bracket ? bracket->at : 0,
           close = bracket ? closing_bracket(text, begin, p->chunk->length) : 0;
    while (begin > 0 && close &&
           (isalnum((unsigned char)text[begin - 1]) || strchr("_.", text[begin - 1])))
        begin--;
    Line line = line_write();
    if (close) line_with_commas(&line, text, (Span){begin, close + 1});
    bool array = bracket && bracket->open == '[';
    const char *hint = close && !line.too_long ? line.text
                       : array                 ? "write [1, 2] or [1, 0; 0, 1]"
                                               : "write f(a, b)";
    return parse_error(p, p->token.span, hint, "a comma or an operator is missing before %s",
                       shown);
}

/* ---- a first word that is known elsewhere ---- */

/* %l: the rest of the line; %f: the same without its quotes. */
static void line_from_template(Line *line, const char *template, const char *text, Span rest) {
    bool quoted = rest.end > rest.begin + 1 && strchr("\"'", text[rest.begin]);
    for (const char *at = template; *at; at++) {
        if (*at != '%' || (at[1] != 'l' && at[1] != 'f')) line_bytes(line, at, 1);
        else if (*++at == 'f' && quoted)
            line_bytes(line, text + rest.begin + 1, rest.end - rest.begin - 2);
        else line_span(line, text, rest);
    }
}

static bool foreign_word(Parser *p, const char *name, const char *here) {
    Span rest = rest_of_statement(p, p->token.span.end);
    if (!foreign_is_template(here))
        return parse_error(p, p->token.span, here, "a statement does not begin with `%s` here",
                           name);
    Line line = line_write();
    line_from_template(&line, here, p->chunk->text, rest);
    return parse_error(p, p->token.span, line_hint(&line),
                       "a statement does not begin with `%s` here", name);
}

/* Whether what follows the word cannot join it to an expression: a name, a number, a string, a
 * path. */
static bool begins_argument(const Parser *p, size_t at) {
    const char *text = p->chunk->text;
    size_t begin = at;
    while (is_blank(text[at])) at++;
    if (at == begin || !text[at]) return false;
    if (text[at] == '~' || text[at] == '$' || strncmp(text + at, "..", 2) == 0 ||
        strncmp(text + at, "./", 2) == 0)
        return true;
    bool word =
        is_word_character(text[at]) || strchr("\"'", text[at]) || (unsigned char)text[at] >= 0x80;
    return word && !is_operator_word(text + at, word_length(text + at, p->chunk->length - at));
}

static const char *token_text(const Parser *p, const Token *token, char *out, size_t size) {
    snprintf(out, size, "%.*s", (int)(token->span.end - token->span.begin),
             p->chunk->text + token->span.begin);
    return out;
}

/* int x = 3: a declaration of C. */
static bool declares(const Parser *p, const char *name, Span rest) {
    bool type = strcmp(name, "int") == 0 || strcmp(name, "float") == 0 || strcmp(name, "str") == 0;
    return type && memchr(p->chunk->text + rest.begin, '=', rest.end - rest.begin) != NULL;
}

bool parse_foreign_word(Parser *p) {
    char name[40];
    if (!parse_at(p, TOKEN_NAME) || p->token.span.end - p->token.span.begin >= sizeof name ||
        !begins_argument(p, p->token.span.end))
        return true;
    token_text(p, &p->token, name, sizeof name);
    const char *here =
        declares(p, name, rest_of_statement(p, p->token.span.end)) ? "%l" : foreign_statement(name);
    return !here || foreign_word(p, name, here);
}

/* ---- beginnings that are no word ---- */

static const struct {
    const char *beginning, *message, *hint;
} beginnings[] = {
    {"./", "a statement does not begin with ./ here", "run \"x.attn\" runs a script"},
    {">>>", ">>> is the prompt of Python", "leave it out"},
    {"In [", "In [1]: is the prompt of Jupyter", "leave it out"},
    {"//", "// is no comment here", "a comment begins with #"},
    {"/*", "/* is no comment here", "a comment begins with #"},
    {"%%", "% is no comment here", "a comment begins with #"},
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

bool parse_foreign_beginning(Parser *p) {
    const char *text = p->chunk->text + p->token.span.begin;
    if (isalnum((unsigned char)*text) && strncmp(text, "In [", 4) != 0) return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t length = strlen(beginnings[i].beginning);
        if (strncmp(text, beginnings[i].beginning, length) != 0) continue;
        Span span = {p->token.span.begin, p->token.span.begin + length};
        return parse_error(p, span, beginnings[i].hint, "%s", beginnings[i].message);
    }
    return true;
}

static const char *question_remedy(const Parser *p, Line *line) {
    size_t at = p->token.span.end;
    while (p->chunk->text[at] == '?') at++;
    Span rest = rest_of_statement(p, at);
    if (rest.end == rest.begin) return "help gives an overview, NAME? the page of a name";
    line_string(line, "write help ");
    line_span(line, p->chunk->text, rest);
    return line->too_long ? "write NAME? or help NAME" : line->text;
}

bool parse_leading_question(Parser *p) {
    Line line = {.length = 0};
    const char *hint = question_remedy(p, &line);
    return parse_error(p, p->token.span, hint, "`?` stands behind the name");
}

/* ---- a name, and something behind it that nothing joins to it ---- */

/* The keyword or command that `name` looks like; NULL: none. */
static const char *near_opening(Parser *p, const char *name, bool *command) {
    enum { WORDS_MAX = 200 };
    static const char *const keywords[] = {"for",    "while",  "if",     "elif", "else",
                                           "def",    "return", "assert", "del",  "try",
                                           "except", "import", "pass"};
    const char *words[WORDS_MAX + 1];
    size_t count = sizeof keywords / sizeof *keywords;
    memcpy(words, keywords, sizeof keywords);
    const CommandSyntax *row = p->interp->hooks.commands;
    for (; row && row->name && count < WORDS_MAX; row++) words[count++] = row->name;
    words[count] = NULL;
    const char *near = nearest_word(name, words);
    *command = near != NULL;
    for (size_t i = 0; near && i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(near, keywords[i]) == 0) *command = false;
    return near;
}

static bool is_function(const Symbol *symbol) {
    if (symbol->value.kind != VALUE_UNSET)
        return symbol->value.kind == VALUE_FUNCTION || symbol->value.kind == VALUE_BUILTIN;
    return symbol->builtin && symbol->builtin->call;
}

/* softmax x -> softmax(x) */
static bool no_parentheses(Parser *p, Span name, Span rest) {
    const char *text = p->chunk->text;
    Line line = line_write();
    line_span(&line, text, name);
    line_string(&line, "(");
    line_with_commas(&line, text, rest);
    line_string(&line, ")");
    return parse_error(p, span_join(name, p->token.span), line_hint(&line),
                       "%.*s needs parentheses", (int)(name.end - name.begin), text + name.begin);
}

/* The rest behind a word that was meant: "did you mean: attend Q K V". */
static bool meant(Parser *p, Span name, const char *introduction, const char *words, Span rest,
                  const char *shown) {
    Line line = {.length = 0};
    line_string(&line, introduction);
    line_string(&line, words);
    line_string(&line, " ");
    line_span(&line, p->chunk->text, rest);
    return parse_error(p, p->token.span, line_hint(&line),
                       "%s stands after `%.*s`, and nothing joins the two", shown,
                       (int)(name.end - name.begin), p->chunk->text + name.begin);
}

bool parse_no_join(Parser *p, const Node *statement, const char *shown) {
    const Symbol *symbol = statement->name.symbol;
    const char *name = symbol->name;
    Span rest = rest_of_statement(p, p->token.span.begin);
    bool command, value = symbol->value.kind != VALUE_UNSET;
    const CommandSyntax *commands = p->interp->hooks.commands;
    const char *setting =
        foreign_keyword(name) && !command_of_setting(commands, name) ? foreign_keyword(name) : name;
    const CommandSyntax *row =
        value ? NULL : command_of_setting(commands, setting); /* temperature 0.5 lacks its set */
    char words[80], hint[120];
    if (row && snprintf(words, sizeof words, "%s %s", row->name, setting) > 0)
        return meant(p, statement->span, "write ", words, rest, shown);
    if (is_function(symbol) || strcmp(name, "print") == 0)
        return no_parentheses(p, statement->span, rest);
    const char *near = near_opening(p, name, &command);
    if (near && command) return meant(p, statement->span, "did you mean: ", near, rest, shown);
    if (near) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
    else snprintf(hint, sizeof hint, "a product is written with *, a matrix product with @");
    bool factors = parse_at(p, TOKEN_NAME) || parse_at(p, TOKEN_NUMBER);
    return parse_error(p, p->token.span, near || factors ? hint : NULL,
                       "%s stands after `%s`, and nothing joins the two", shown, name);
}

/* x.append 3 */
bool parse_no_call(Parser *p, const Node *attribute) {
    return no_parentheses(p, attribute->span, rest_of_statement(p, p->token.span.begin));
}

/* x <- 3: what R assigns by. A comparison with -3 is written with the sign at its number. */
bool parse_arrow(Parser *p, const Node *value) {
    const Node *left = value->kind == NODE_COMPARE && value->compare.operands.count == 2
                           ? value->compare.operands.items[0]
                           : NULL;
    if (!left || left->kind != NODE_NAME || value->parenthesised) return true;
    const char *text = p->chunk->text;
    size_t at = left->span.end;
    while (is_blank(text[at])) at++;
    if (strncmp(text + at, "<- ", 3) != 0) return true;
    Span rest = rest_of_statement(p, at + 3);
    Line line = line_write();
    line_span(&line, text, left->span);
    line_string(&line, " = ");
    line_span(&line, text, rest);
    return parse_error(p, ((Span){at, at + 2}), line_hint(&line), "<- is no operator here");
}

/* for i in range(3) -> for i in range(3): */
bool parse_missing_colon(Parser *p, const char *opener) {
    Line line = line_write();
    Span span = {p->last.end, p->last.end};
    while (span.begin > 0 && p->chunk->text[span.begin - 1] != '\n') span.begin--;
    while (is_blank(p->chunk->text[span.begin])) span.begin++;
    line_span(&line, p->chunk->text, span);
    line_string(&line, ":");
    return parse_error(p, p->token.span, line_hint(&line),
                       "a : is missing at the end of the `%s` line", opener);
}

/* ---- a command whose arguments are joined by something else than blanks ---- */

/* The statement with `word` in place of the next token and of its like: `set temperature = 0.5`,
 * `attend Q, K, V`. */
static void line_replacing(Line *line, const Parser *p, size_t begin, char sign, const char *word) {
    const char *text = p->chunk->text;
    Span all = rest_of_statement(p, begin);
    int depth = 0;
    for (size_t at = all.begin; at < all.end;) {
        size_t next = text[at] == '"' || text[at] == '\'' ? skip_string(text, at, all.end) : at + 1;
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        if (text[at] == sign && depth == 0) {
            while (line->length > 0 && is_blank(line->text[line->length - 1])) line->length--;
            while (next < all.end && is_blank(text[next])) next++;
            line_string(line, *word == ';' ? "" : " ");
            line_string(line, word);
            line_string(line, *word ? " " : "");
        } else line_bytes(line, text + at, next - at);
        at = next;
    }
}

bool parse_joined_arguments(Parser *p, const Node *command, const char *word) {
    char sign = p->chunk->text[p->token.span.begin];
    Line line = line_write();
    line_replacing(&line, p, command->span.begin, sign, word);
    bool ascii = (unsigned char)sign < 0x80;
    return parse_error(p, p->token.span, line.too_long || !ascii ? NULL : line.text,
                       "the arguments of %s are separated by spaces, not by `%.*s`",
                       command->command.name, TOKEN_ARGUMENTS(p, &p->token));
}

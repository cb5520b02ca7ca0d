/* Tells whether a statement is a command, and parses its arguments. The text alone decides, never
 * what is defined. */
#include "lang/parse/parse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- command or statement ---- */

const CommandSyntax *command_find(const CommandSyntax *rows, const char *name, size_t length) {
    for (; rows && rows->name; rows++)
        if (strncmp(rows->name, name, length) == 0 && !rows->name[length]) return rows;
    return NULL;
}

const CommandSyntax *command_of_setting(const CommandSyntax *rows, const char *name) {
    for (; rows && rows->name; rows++)
        if (command_find(rows->sub, name, strlen(name))) return rows;
    return NULL;
}

bool words_contain(const char *words, const char *word, size_t length) {
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, length) == 0) return true;
        at += size;
    }
    return false;
}

bool token_joins_values(const char *text) {
    TokenKind kind = token_of_word(text, leading_word(text));
    return token_has(kind, ROLE_OPERATOR | ROLE_CONTINUES) || kind == TOKEN_LAMBDA;
}

bool command_has_option(const CommandSyntax *row, const char *word, size_t length) {
    return row && row->options && words_contain(row->options, word, length);
}

bool command_has_word(const CommandSyntax *row, const char *word, size_t length) {
    return (row && row->words && words_contain(row->words, word, length)) ||
           command_has_option(row, word, length);
}

static const CommandSyntax *row_of(const Parser *p, const CommandSyntax *rows, const Token *token) {
    return command_find(rows, p->chunk->text + token->span.begin,
                        token->span.end - token->span.begin);
}

/* A command word is a command at the end of the statement, or before a space and
 * anything that does not join it to an expression: `plot -A`, not `plot - A`. */
bool token_makes_command(const CommandSyntax *row, const Token *next) {
    TokenKind kind = next->kind;
    if (kind == TOKEN_SEMICOLON || kind == TOKEN_NEWLINE || kind == TOKEN_DEDENT ||
        kind == TOKEN_END)
        return true;
    if (!next->space_before || token_has(kind, ROLE_ASSIGNS) || kind == TOKEN_COMMA ||
        kind == TOKEN_QUESTION || kind == TOKEN_IF ||
        (token_is_keyword(next) && token_has(kind, ROLE_OPERATOR)))
        return false;
    if (row->is_function && kind == TOKEN_LEFT_PAREN) return false;
    return !next->space_after || !token_has(kind, ROLE_OPERATOR);
}

const CommandSyntax *parse_find_command(Parser *p) {
    if (!parse_at(p, TOKEN_NAME)) return NULL;
    const CommandSyntax *row = row_of(p, p->interp->hooks.commands, &p->token);
    if (!row) return NULL;
    const Token *next = parse_ahead(p);
    if (token_makes_command(row, next)) return row;
    const char *behind = p->chunk->text + next->span.end;
    behind += strspn(behind, " ?");
    bool alone = *behind == '\0' || strchr("\r\n;#", *behind); /* help if */
    return row->asks && token_is_keyword(next) && alone ? row : NULL;
}

/* ---- arguments ---- */

/* A call, index or attribute of a variable wins over a word of its name. */
static bool begins_postfix(const Parser *p) {
    size_t size;
    uint32_t next = lexer_peek(&p->lexer, p->token.span.end, &size);
    return next == '(' || next == '[' || next == '.';
}

/* The option that a beginning of it, --forc, is meant as; NULL. */
static const char *option_meant(const CommandSyntax *row, const char *text, size_t length) {
    const char *option = row->options ? strstr(row->options, "--") : NULL;
    return option && length >= 4 && strncmp(option, text, length) == 0 ? option : NULL;
}

size_t parse_at_flag(const Parser *p) {
    const char *text = p->chunk->text + p->token.span.begin;
    if (!p->command || p->lexer.bracket_count > 0 || !parse_at(p, TOKEN_MINUS) || text[1] != '-')
        return 0;
    size_t length = 2 + strspn(text + 2, "abcdefghijklmnopqrstuvwxyz");
    bool ends = text[length] == '\0' || strchr(" \t\r\n;#", text[length]);
    bool flag =
        p->token.space_before && ends &&
        (command_has_word(p->command, text, length) || option_meant(p->command, text, length));
    return flag ? length : 0;
}

static bool at_own_word(const Parser *p, bool first) {
    Span span = p->token.span;
    const char *word = p->chunk->text + span.begin;
    size_t length = span.end - span.begin;
    if (!token_is_word(&p->token) || begins_postfix(p)) return false;
    if (first && command_has_option(p->command, word, length)) return false;
    return command_has_word(p->picked, word, length) || command_has_word(p->command, word, length);
}

static bool push_argument(Parser *p, Node *command, CommandArgument argument) {
    CommandArgument *added =
        array_add(p, &command->command.arguments, &command->command.count, sizeof argument);
    if (added) *added = argument;
    return added != NULL;
}

static bool push_word_at(Parser *p, Node *command, Span span) {
    const char *word =
        arena_string(&p->chunk->arena, p->chunk->text + span.begin, span.end - span.begin, p->err);
    return word && push_argument(p, command, (CommandArgument){word, NULL, span});
}

static bool push_word(Parser *p, Node *command) {
    parse_advance(p);
    return push_word_at(p, command, p->last);
}

static bool push_value(Parser *p, Node *command, Node *value) {
    return value && push_argument(p, command, (CommandArgument){NULL, value, value->span});
}

/* The next token, a word, as a name that is not evaluated. */
static bool push_name(Parser *p, Node *command) {
    Node *name = node_name(p, &p->token);
    parse_advance(p);
    return push_value(p, command, name);
}

/* Writes `set mask (L == 1)` for `set mask L == 1`: the last argument and the rest of the line in
 * parentheses. False where that would be long, or no argument comes before. */
static bool hint_parentheses(const Parser *p, const Node *command, char *hint, size_t size) {
    enum { LENGTH_MOST = 80 };
    int count = command->command.count;
    if (count == 0 || command->command.arguments[count - 1].word) return false;
    Span value = parse_rest(p, command->command.arguments[count - 1].span.begin);
    Span before = {command->span.begin, value.begin};
    if (value.end - before.begin > LENGTH_MOST) return false;
    snprintf(hint, size, "write %.*s(%.*s)", SPAN_ARGUMENTS(p, before), SPAN_ARGUMENTS(p, value));
    return true;
}

/* Shows `train m on t` for `train m, d on t`. False: no `on` follows. */
static bool hint_one_model(const Parser *p, const Node *command, char *hint, size_t size) {
    enum { LENGTH_MOST = 80 };
    const char *begin = p->chunk->text + command->span.begin,
               *comma = p->chunk->text + p->token.span.begin, *task = strstr(comma, " on ");
    if (!task || task > comma + strcspn(comma, "\n;#")) return false;
    int first = (int)(comma - begin), rest = (int)strcspn(task, "\n;#");
    if (first + rest > LENGTH_MOST) return false;
    snprintf(hint, size, "one model at a time: %.*s%.*s", first, begin, rest, task);
    return true;
}

/* Reports that no argument begins here. */
static bool no_argument(Parser *p, const Node *command) {
    const char *name = command->command.name;
    char hint[200];
    bool joins = command_has_word(p->picked, "and", 3), comma = parse_at(p, TOKEN_COMMA);
    if (parse_at(p, TOKEN_ASSIGN) || parse_at(p, TOKEN_COLON))
        return parse_joined_arguments(p, command, "");
    if (joins && (comma || parse_at(p, TOKEN_AMPERSAND) || parse_at(p, TOKEN_PLUS)))
        return parse_joined_arguments(p, command, strcmp(name, "compare") == 0 ? "against" : "and");
    if (comma && p->command->takes == TAKES_MODELS && hint_one_model(p, command, hint, sizeof hint))
        return parse_error_here(p, hint, "%s takes one model", name);
    const bool against = command_has_word(p->picked, "against", 7);
    if (comma && against && strcmp(name, "set") == 0)
        return parse_joined_arguments(p, command, "against");
    if (comma) return parse_joined_arguments(p, command, p->command->expression ? "; plot" : "");

    const char *text = p->chunk->text + p->token.span.begin;
    size_t length = p->token.span.end - p->token.span.begin;
    bool keyword = token_is_keyword(&p->token), logic = words_contain("or not and", text, length);
    if (joins && (logic || *text == '~'))
        snprintf(hint, sizeof hint,
                 "masks are joined by and; another mask is an array in parentheses: "
                 "(~causal_mask(4)), (causal_mask(4) | window_mask(4, 1))");
    else if (keyword && (logic || p->command->takes == TAKES_ARRAYS))
        snprintf(hint, sizeof hint, "help %s says what it takes", name);
    else if (keyword) snprintf(hint, sizeof hint, "leave it out");
    else if (parse_at(p, TOKEN_GREATER) && command_has_word(p->command, "to", 2))
        snprintf(hint, sizeof hint, "a file is written with to: %s weights to \"w.png\"", name);
    else if (!hint_parentheses(p, command, hint, sizeof hint))
        snprintf(hint, sizeof hint, "put a whole expression in parentheses: %s (A + B)", name);
    return parse_error_here(p, hint,
                            "`%.*s` cannot begin an argument of %s: they are separated by spaces",
                            TOKEN_ARGUMENTS(p, &p->token), name);
}

/* True behind a word that two values follow: `size 1600 900`, `range 0 -1`. */
static bool in_pair(const Node *command, const CommandSyntax *row) {
    for (int i = command->command.count - 1; i >= 0 && i >= command->command.count - 2; i--) {
        const char *word = command->command.arguments[i].word;
        if (word) return row->pairs && words_contain(row->pairs, word, strlen(word));
    }
    return false;
}

/* True behind an own word that is one of these. */
static bool follows_one_of(const Node *command, const char *words) {
    if (!words || command->command.count == 0) return false;
    const char *word = command->command.arguments[command->command.count - 1].word;
    return word && words_contain(words, word, strlen(word));
}

static bool parse_argument(Parser *p, Node *command) {
    const bool first = command->command.count == 0;
    if ((p->command->takes == TAKES_LESSONS && !parse_at(p, TOKEN_STRING)) ||
        (follows_one_of(command, p->command->dotted) && parse_at(p, TOKEN_NUMBER))) {
        /* All signs up to a space, or a comma where those are words, as one word. */
        Span signs = p->token.span;
        do {
            signs.end = p->token.span.end;
            parse_advance(p);
        } while (!parse_at_statement_end(p) && !p->token.space_before &&
                 !(p->command->lists && parse_at(p, TOKEN_COMMA)));
        return push_word_at(p, command, signs);
    }
    if (p->command->lists && parse_at(p, TOKEN_COMMA)) return push_word(p, command);
    /* The first argument of `set` and its like is a name that picks further words. */
    if (first && p->command->sub && token_is_word(&p->token) && !begins_postfix(p)) {
        p->picked = row_of(p, p->command->sub, &p->token);
        return p->picked ? push_word(p, command) : push_name(p, command);
    }
    size_t length = parse_at_flag(p);
    if (length > 0) {
        Span flag = {p->token.span.begin, p->token.span.begin + length};
        const char *text = p->chunk->text + flag.begin;
        if (!command_has_word(p->command, text, length)) {
            char hint[40];
            const char *option = option_meant(p->command, text, length);
            snprintf(hint, sizeof hint, "did you mean %.*s?", (int)strcspn(option, " "), option);
            return parse_error(p, flag, hint, "%s has no option %.*s", command->command.name,
                               (int)length, text);
        }
        while (p->token.span.begin < flag.end) parse_advance(p);
        return push_word_at(p, command, flag);
    }
    if (at_own_word(p, first)) {
        if (!push_word(p, command)) return false;
        if (first && follows_one_of(command, p->command->joined))
            parse_take(p, TOKEN_COMMA); /* plot sweep, before */
        return true;
    }
    const CommandSyntax *row = p->picked ? p->picked : p->command;
    if ((row->expression || follows_one_of(command, row->wholes)) &&
        !in_pair(command, p->command)) {
        if (!parse_begins_expression(p)) return no_argument(p, command);
        return push_value(p, command, parse_expressions(p));
    }

    /* An argument without spaces: a value with its calls and indexes, or with a sign. */
    bool minus = parse_at(p, TOKEN_MINUS);
    if ((minus || parse_at(p, TOKEN_PLUS)) && !p->token.space_after) {
        Span begin = p->token.span;
        parse_advance(p);
        Node *node = node_around(p, minus ? NODE_UNARY : NODE_PLUS, begin, parse_primary(p, true));
        if (node && minus) node->op = OP_NEGATIVE;
        return push_value(p, command, node);
    }
    if (!token_has(p->token.kind, ROLE_LEAF | ROLE_OPENS) || parse_at(p, TOKEN_LEFT_BRACE))
        return no_argument(p, command);
    bool string = parse_at(p, TOKEN_STRING);
    return push_value(p, command, string ? parse_string(p, false) : parse_primary(p, true));
}

static const char wide_mark[] = "\xef\xbc\x9f"; /* the question mark of Chinese */

bool parse_asks(const char *text, size_t begin, size_t *end) {
    size_t at = begin;
    bool several = false, sentence = false;
    for (; text[at] && !strchr("\r\n;#", text[at]); at++) {
        char before = at > begin ? text[at - 1] : ' ', c = text[at], next = text[at + 1];
        if (is_word_byte(c)) {
            sentence = sentence || strncmp(text + at, wide_mark, 3) == 0;
            several = several || (at > begin && before == ' ');
        } else if (c == '-' || c == '\'') {
            if (!is_word_byte(before) || !is_word_byte(next)) return false;
            sentence = true;
        } else if (strchr("?!,.", c)) {
            if (is_word_byte(next)) return false;
            sentence = sentence || c == '?';
        } else if (c != ' ') {
            return false;
        }
    }
    *end = at;
    return sentence || several;
}

/* Each word up to `end` becomes an argument, without the punctuation behind it, of which the
 * question mark has a wide twin. */
static bool push_question(Parser *p, Node *command, size_t end) {
    static const char between[] = " ?!,.";
    const char *text = p->chunk->text;
    Span last = p->token.span;
    for (size_t at = p->token.span.begin; at < end;) {
        size_t length = strcspn(text + at, between);
        if (length > end - at) length = end - at;
        bool twin = length > 3 && memcmp(text + at + length - 3, wide_mark, 3) == 0;
        size_t word = at + length - (twin ? 3 : 0);
        if (word > at && !push_word_at(p, command, (Span){at, word})) return false;
        at += length;
        last.end = at;
        for (; at < end && strchr(between, text[at]); at++)
            if (text[at] != ' ') last.end = at + 1;
    }
    assert(!p->has_ahead);
    p->lexer.at = end;
    parse_advance(p);
    p->last = last;
    return true;
}

Node *parse_command(Parser *p, const CommandSyntax *row) {
    Node *command = node_begin(p, NODE_COMMAND);
    if (!command) return NULL;
    command->command.name = row->name;
    p->command = row;
    p->picked = NULL;
    size_t end;
    bool asks = row->asks && token_is_word(&p->token) &&
                parse_asks(p->chunk->text, p->token.span.begin, &end);
    if (asks && !push_question(p, command, end)) return NULL;
    while (!parse_at_statement_end(p))
        if (!parse_argument(p, command)) return NULL;
    p->command = NULL;
    return command;
}

/* ---- NAME? ---- */

const CommandSyntax *parse_find_question(const Parser *p, size_t *word) {
    const char *text = p->chunk->text, *at = text + p->token.span.end;
    if (!token_is_word(&p->token)) return NULL;
    *word = p->token.span.begin;
    while (*at == '.' && is_word_byte(at[1])) {
        *word = (size_t)(++at - text);
        while (is_word_byte(*at)) at++;
    }
    at += strspn(at, " ");
    bool twin = strncmp(at, wide_mark, 3) == 0;
    if (!twin && *at != '?') return NULL;
    at += twin ? 3 : 1;
    at += strspn(at, " ?\r");
    bool ends = *at == '\0' || strchr("\n;#", *at); /* a ? b : c asks nothing */
    return ends ? command_find(p->interp->hooks.commands, "help", 4) : NULL;
}

Node *parse_question(Parser *p, const CommandSyntax *help, size_t word) {
    Node *command = node_new(p, NODE_COMMAND, p->token.span);
    if (!command) return NULL;
    command->command.name = help->name;
    while (p->token.span.begin < word) parse_advance(p);
    p->command = help;
    p->picked = NULL;
    bool ok = at_own_word(p, false) ? push_word(p, command) : push_name(p, command);
    p->command = NULL;
    parse_advance(p);
    return ok ? command : NULL;
}

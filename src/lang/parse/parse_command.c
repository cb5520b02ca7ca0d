/* Commands: whether a statement is one, and its arguments. The text alone
 * decides, never what is defined. */
#include "lang/parse/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- which is it? ---- */

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

static const CommandSyntax *row_of(const Parser *p, const CommandSyntax *rows, const Token *token) {
    return command_find(rows, p->chunk->text + token->span.begin,
                        token->span.end - token->span.begin);
}

static bool ends_statement(TokenKind kind) {
    return kind == TOKEN_SEMICOLON || kind == TOKEN_NEWLINE || kind == TOKEN_END ||
           kind == TOKEN_DEDENT;
}

static bool joins_to_name(TokenKind kind) {
    switch (kind) {
    case TOKEN_COMMA:
    case TOKEN_AND:
    case TOKEN_OR:
    case TOKEN_IN:
    case TOKEN_IS:
    case TOKEN_NOT:
    case TOKEN_IF:
    case TOKEN_ASSIGN:
    case TOKEN_WALRUS:
    case TOKEN_PLUS_ASSIGN:
    case TOKEN_MINUS_ASSIGN:
    case TOKEN_STAR_ASSIGN:
    case TOKEN_SLASH_ASSIGN:
    case TOKEN_PERCENT_ASSIGN:
    case TOKEN_AT_ASSIGN:
    case TOKEN_AMPERSAND_ASSIGN:
    case TOKEN_BAR_ASSIGN:
    case TOKEN_CARET_ASSIGN:
    case TOKEN_POWER_ASSIGN:
    case TOKEN_FLOOR_ASSIGN:
    case TOKEN_LEFT_ASSIGN:
    case TOKEN_RIGHT_ASSIGN: return true;
    default: return false;
    }
}

static bool is_binary_operator(TokenKind kind) {
    switch (kind) {
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_STAR:
    case TOKEN_SLASH:
    case TOKEN_PERCENT:
    case TOKEN_AT:
    case TOKEN_POWER:
    case TOKEN_FLOOR_DIVIDE:
    case TOKEN_AMPERSAND:
    case TOKEN_BAR:
    case TOKEN_CARET:
    case TOKEN_EQUAL:
    case TOKEN_NOT_EQUAL:
    case TOKEN_LESS:
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER:
    case TOKEN_GREATER_EQUAL:
    case TOKEN_LEFT_SHIFT:
    case TOKEN_RIGHT_SHIFT:
    case TOKEN_DOUBLE_AMPERSAND:
    case TOKEN_DOUBLE_BAR:
    case TOKEN_LESS_GREATER: return true;
    default: return false;
    }
}

/* A command word is a command at the end of the statement, or before a space and
 * anything that does not join it to an expression: `plot -A`, not `plot - A`. */
bool token_makes_command(const CommandSyntax *row, const Token *next) {
    if (ends_statement(next->kind)) return true;
    if (!next->space_before || joins_to_name(next->kind) || next->kind == TOKEN_QUESTION)
        return false;
    if (row->is_function && next->kind == TOKEN_LEFT_PAREN) return false;
    return !(is_binary_operator(next->kind) && next->space_after);
}

const CommandSyntax *parse_find_command(Parser *p, bool *ok) {
    *ok = true;
    if (!parse_at(p, TOKEN_NAME)) return NULL;
    const CommandSyntax *row = row_of(p, p->interp->hooks.commands, &p->token);
    const Token *next = row ? parse_ahead(p) : NULL;
    *ok = !row || next;
    return next && token_makes_command(row, next) ? row : NULL;
}

/* ---- arguments ---- */

/* The words in force: of the row that the first argument picked, and of the command. */
typedef struct Words {
    const CommandSyntax *command, *picked;
} Words;

bool command_has_word(const CommandSyntax *row, const char *word, size_t length) {
    const char *at = row && row->words ? row->words : "";
    while (*at) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, length) == 0) return true;
        at += size;
        at += strspn(at, " ");
    }
    return false;
}

/* A call, index or attribute of a variable wins over a word of its name. */
static bool begins_postfix(const Parser *p, const Token *token) {
    size_t size;
    uint32_t next = lexer_peek(&p->lexer, token->span.end, &size);
    return next == '(' || next == '[' || next == '.';
}

static bool at_own_word(const Parser *p, const Words *words) {
    Span span = p->token.span;
    const char *word = p->chunk->text + span.begin;
    size_t length = span.end - span.begin;
    if (!token_is_word(&p->token) || begins_postfix(p, &p->token)) return false;
    return command_has_word(words->picked, word, length) ||
           command_has_word(words->command, word, length);
}

static bool is_expression(const Words *words) {
    return words->picked ? words->picked->expression : words->command->expression;
}

static bool push_argument(Parser *p, Node *command, CommandArgument argument) {
    CommandArgument *arguments =
        array_grow(p, command->command.arguments, command->command.count, sizeof *arguments);
    if (!arguments) return false;
    command->command.arguments = arguments;
    arguments[command->command.count++] = argument;
    return true;
}

static bool push_word(Parser *p, Node *command) {
    Span span = p->token.span;
    const char *word =
        arena_string(&p->chunk->arena, p->chunk->text + span.begin, span.end - span.begin, p->err);
    return word && push_argument(p, command, (CommandArgument){ARGUMENT_WORD, word, NULL, span}) &&
           parse_advance(p);
}

static bool push_value(Parser *p, Node *command, Node *value) {
    return value &&
           push_argument(p, command, (CommandArgument){ARGUMENT_VALUE, NULL, value, value->span});
}

/* The first argument of `set` and its like: a name that picks further words. */
static bool push_picked(Parser *p, Node *command, Words *words) {
    words->picked = row_of(p, words->command->sub, &p->token);
    if (words->picked) return push_word(p, command);
    Node *name = node_name(p, &p->token, p->token.span);
    return name && parse_advance(p) && push_value(p, command, name);
}

/* ---- an argument without spaces ---- */

static bool begins_simple(const Parser *p) {
    switch (p->token.kind) {
    case TOKEN_NAME:
    case TOKEN_NUMBER:
    case TOKEN_STRING:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NONE:
    case TOKEN_LEFT_PAREN:
    case TOKEN_LEFT_BRACKET: return true;
    case TOKEN_MINUS:
    case TOKEN_PLUS: return !p->token.space_after;
    default: return false;
    }
}

static bool no_argument(Parser *p, const Node *command, const Words *words) {
    const char *name = command->command.name;
    char hint[160];
    bool joins = command_has_word(words->picked, "and", 3), comma = parse_at(p, TOKEN_COMMA);
    if (parse_at(p, TOKEN_ASSIGN) || parse_at(p, TOKEN_COLON))
        return parse_joined_arguments(p, command, "");
    if (comma || (joins && (parse_at(p, TOKEN_AMPERSAND) || parse_at(p, TOKEN_PLUS))))
        return parse_joined_arguments(p, command,
                                      joins                        ? "and"
                                      : words->command->expression ? "; plot"
                                                                   : "");
    if (token_is_keyword(&p->token)) snprintf(hint, sizeof hint, "leave it out");
    else if (parse_at(p, TOKEN_GREATER) && command_has_word(words->command, "to", 2))
        snprintf(hint, sizeof hint, "a file is written with to: %s weights to \"w.png\"", name);
    else snprintf(hint, sizeof hint, "put a whole expression in parentheses: %s (A + B)", name);
    return parse_error(p, p->token.span, hint,
                       "`%.*s` cannot begin an argument of %s: they are separated by spaces",
                       TOKEN_ARGUMENTS(p, &p->token), name);
}

static Node *parse_signed(Parser *p) {
    bool minus = parse_at(p, TOKEN_MINUS);
    Span begin = p->token.span;
    if (!parse_advance(p)) return NULL;
    Node *operand = parse_primary(p, true);
    Node *node = operand ? node_since(p, minus ? NODE_UNARY : NODE_PLUS, begin) : NULL;
    if (!node) return NULL;
    if (minus) node->op = OP_NEGATIVE;
    node->operand = operand;
    return node;
}

static bool parse_simple_argument(Parser *p, Node *command, const Words *words) {
    if (!begins_simple(p)) return no_argument(p, command, words);
    if (parse_at(p, TOKEN_MINUS) || parse_at(p, TOKEN_PLUS))
        return push_value(p, command, parse_signed(p));
    if (parse_at(p, TOKEN_STRING)) return push_value(p, command, parse_string(p, false));
    return push_value(p, command, parse_primary(p, true));
}

static bool parse_one(Parser *p, Node *command, Words *words) {
    if (command->command.count == 0 && words->command->sub && token_is_word(&p->token) &&
        !begins_postfix(p, &p->token))
        return push_picked(p, command, words);
    if (at_own_word(p, words)) return push_word(p, command);
    if (!is_expression(words)) return parse_simple_argument(p, command, words);
    if (!parse_begins_expression(p)) return no_argument(p, command, words);
    return push_value(p, command, parse_expressions(p));
}

Node *parse_command(Parser *p, const CommandSyntax *row) {
    Words words = {row, NULL};
    Node *command = node_new(p, NODE_COMMAND, p->token.span);
    if (!command || !parse_advance(p)) return NULL;
    command->command.name = row->name;
    while (!parse_at_statement_end(p))
        if (!parse_one(p, command, &words)) return NULL;
    return command;
}

/* ---- NAME? ---- */

/* A word, then `?`, then the end of the statement: that is how IPython asks. */
static bool asks(const Parser *p) {
    const char *text = p->chunk->text;
    size_t at = p->token.span.end, end = p->chunk->length;
    while (at < end && text[at] == ' ') at++;
    bool twin = end - at >= 3 && memcmp(text + at, "\xef\xbc\x9f", 3) == 0;
    if (!twin && (at >= end || text[at] != '?')) return false;
    at += twin ? 3 : 1;
    while (at < end && text[at] != '\n' && strchr(" ?\r", text[at])) at++;
    return at >= end || strchr("\n;#", text[at]); /* a ? b : c asks nothing */
}

Node *parse_question(Parser *p, bool *ok) {
    const CommandSyntax *help = command_find(p->interp->hooks.commands, "help", 4);
    *ok = true;
    if (!help || !token_is_word(&p->token) || !asks(p)) return NULL;
    *ok = false;
    Words words = {help, NULL};
    Node *command = node_new(p, NODE_COMMAND, p->token.span);
    if (!command) return NULL;
    command->command.name = help->name;
    if (at_own_word(p, &words)
            ? !push_word(p, command)
            : !(push_value(p, command, node_name(p, &p->token, p->token.span)) && parse_advance(p)))
        return NULL;
    return parse_advance(p) ? command : NULL;
}

#include "shell/completion/completion_context.h"

#include <string.h>

/* An open bracket. */
typedef struct Level {
    Chain callee;    /* root TOKEN_END: no call */
    size_t begin;    /* behind it */
    bool parameters; /* of a def: names are made here */
} Level;

typedef struct Scan {
    const char *text;
    size_t point;
    const CommandSyntax *commands;
    Lexer lexer;
    Token last, before; /* the two tokens taken last */
    Chain chain;        /* that ends with the last token */
    Level levels[NESTING_MAX + 2];
    int depth;
    /* the statement */
    Token first;
    int count;   /* tokens of it */
    int lambdas; /* whose colon is still to come */
    const CommandSyntax *command, *picked;
    size_t picked_end;
    int arguments;
} Scan;

static size_t span_length(Span span) { return span.end - span.begin; }

static bool is_row(const CommandSyntax *row, const char *word, size_t length) {
    return strncmp(row->name, word, length) == 0 && !row->name[length];
}

static const CommandSyntax *find_row(const Scan *s, const CommandSyntax *rows, const Token *token) {
    if (!token_is_word(token)) return NULL;
    for (; rows && rows->name; rows++)
        if (is_row(rows, s->text + token->span.begin, span_length(token->span))) return rows;
    return NULL;
}

static bool ends_value(TokenKind kind) {
    switch (kind) {
    case TOKEN_NAME:
    case TOKEN_NUMBER:
    case TOKEN_STRING:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET:
    case TOKEN_RIGHT_BRACE:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NONE: return true;
    default: return false;
    }
}

/* ---- statements ---- */

static bool opens_block(TokenKind kind) {
    switch (kind) {
    case TOKEN_IF:
    case TOKEN_ELIF:
    case TOKEN_ELSE:
    case TOKEN_FOR:
    case TOKEN_WHILE:
    case TOKEN_DEF:
    case TOKEN_TRY:
    case TOKEN_EXCEPT: return true;
    default: return false;
    }
}

/* Whether a statement begins behind the token. The colon of a lambda is none of a block. */
static bool ends_statement(Scan *s, const Token *token) {
    switch (token->kind) {
    case TOKEN_NEWLINE:
    case TOKEN_INDENT:
    case TOKEN_DEDENT: return true;
    case TOKEN_SEMICOLON: return s->depth == 0;
    case TOKEN_COLON:
        return s->depth == 0 && (s->lambdas == 0 || s->lambdas-- == 0) && s->count > 0 &&
               opens_block(s->first.kind);
    default: return false;
    }
}

static void begin_statement(Scan *s) {
    s->count = s->lambdas = s->arguments = 0;
    s->command = s->picked = NULL;
}

static const CommandSyntax *command_before(const Scan *s, const Token *next) {
    const CommandSyntax *row =
        s->count == 1 && s->first.kind == TOKEN_NAME ? find_row(s, s->commands, &s->first) : NULL;
    return row && token_makes_command(row, next) ? row : NULL;
}

static void take_of_statement(Scan *s, const Token *token) {
    if (s->count == 0) s->first = *token;
    if (!s->command) s->command = command_before(s, token);
    if (s->command && s->arguments == 0)
        s->picked = find_row(s, s->command->sub, token), s->picked_end = token->span.end;
    if (s->command) s->arguments++;
    s->count++;
    if (token->kind == TOKEN_LAMBDA && s->depth == 0) s->lambdas++;
}

/* ---- brackets and chains ---- */

static Chain chain_after(const Scan *s, const Token *token) {
    bool dotted = s->last.kind == TOKEN_DOT && s->chain.root != TOKEN_END;
    Chain chain = {token->kind, token->span, token->span.end};
    switch (token->kind) {
    case TOKEN_DOT: return s->chain;
    case TOKEN_NAME:
        if (!dotted) return chain;
        chain = s->chain;
        chain.span.end = token->span.end;
        return chain;
    case TOKEN_STRING:
    case TOKEN_NUMBER:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET: return chain;
    default: return (Chain){.root = TOKEN_END};
    }
}

static bool is_called(const Scan *s, const Token *paren) {
    bool names = s->last.kind == TOKEN_NAME &&
                 (s->chain.root == TOKEN_NAME || s->chain.root == TOKEN_STRING);
    bool apart = s->command && s->depth == 0 && paren->space_before; /* plot f (x): two arguments */
    return paren->kind == TOKEN_LEFT_PAREN && names && !apart && s->before.kind != TOKEN_DEF;
}

static void take_bracket(Scan *s, const Token *token) {
    switch (token->kind) {
    case TOKEN_LEFT_PAREN:
    case TOKEN_LEFT_BRACKET:
    case TOKEN_LEFT_BRACE:
        if (s->depth > NESTING_MAX) return;
        s->levels[s->depth++] =
            (Level){is_called(s, token) ? s->chain : (Chain){.root = TOKEN_END}, token->span.end,
                    token->kind == TOKEN_LEFT_PAREN && s->before.kind == TOKEN_DEF};
        return;
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET:
    case TOKEN_RIGHT_BRACE:
        if (s->depth > 0) s->depth--;
        return;
    default: return;
    }
}

static void take(Scan *s, const Token *token) {
    if (ends_statement(s, token)) {
        begin_statement(s);
    } else {
        take_of_statement(s, token);
        take_bracket(s, token);
    }
    s->chain = chain_after(s, token);
    s->before = s->last;
    s->last = *token;
}

/* ---- reading ---- */

static bool is_formatted(const Scan *s, Span quotes) {
    for (size_t i = quotes.begin; i < quotes.end; i++)
        if (s->text[i] == 'f' || s->text[i] == 'F') return true;
    return false;
}

/* The { of f"...{ that is still open at the point; the point: none is. */
static size_t open_field(const Scan *s, Span quotes) {
    size_t open = s->point;
    for (size_t i = quotes.end; i < s->point; i++) {
        char c = s->text[i];
        if (c != '{' && c != '}') continue;
        if (open == s->point && i + 1 < s->point && s->text[i + 1] == c)
            i++; /* {{ stands for itself */
        else open = c == '{' ? i : s->point;
    }
    return open;
}

/* Goes on inside the field of an f-string; false: the point is in none. */
static bool enter_field(Scan *s) {
    Span quotes = s->lexer.open_string;
    size_t open = is_formatted(s, quotes) ? open_field(s, quotes) : s->point;
    if (open == s->point) return false;
    Token brace = {.kind = TOKEN_LEFT_BRACE, .span = {open, open + 1}};
    s->lexer.at = open + 1;
    s->lexer.field = true;
    s->lexer.bracket_base = s->lexer.bracket_count;
    s->lexer.open_string = (Span){0, 0};
    take(s, &brace);
    return true;
}

/* Past a mistake, always further in the text. */
static void pass_mistake(Scan *s, size_t before) {
    Lexer *lexer = &s->lexer;
    size_t size = 0;
    if (!lexer->dedenting && lexer->at == before) lexer_peek(lexer, before, &size);
    lexer->at += size;
    Token mistake = {.kind = lexer->dedenting ? TOKEN_NEWLINE
                             : size           ? TOKEN_BANG
                                              : TOKEN_NUMBER,
                     .span = {before, lexer->at}};
    lexer->dedenting = false;
    lexer->open_string = (Span){0, 0};
    take(s, &mistake);
}

typedef enum ReadEnd { READ_ON, READ_AT_POINT, READ_IN_STRING } ReadEnd;

static ReadEnd after_failure(Scan *s, size_t before) {
    const Lexer *lexer = &s->lexer;
    if (lexer->open_string.end > 0 && lexer->at >= s->point)
        return enter_field(s) ? READ_ON : READ_IN_STRING;
    if (lexer->incomplete || before >= s->point) return READ_AT_POINT;
    pass_mistake(s, before);
    return READ_ON;
}

/* Takes the tokens before the word that is typed; that one's place is in *word. */
static ReadEnd read_tokens(Scan *s, Span *word) {
    for (;;) {
        Token token;
        size_t before = s->lexer.at;
        if (!lexer_next(&s->lexer, &token, NULL)) {
            ReadEnd end = after_failure(s, before);
            if (end != READ_ON) return end;
            continue;
        }
        bool at_end = token.kind == TOKEN_END ||
                      (token.kind == TOKEN_NEWLINE && token.span.begin == s->point);
        bool typed = token_is_word(&token) && token.span.end == s->point;
        if (typed) *word = token.span;
        if (at_end || typed) return READ_AT_POINT;
        take(s, &token);
    }
}

static bool in_comment(const Scan *s, Span word) {
    for (size_t i = word.begin; i > s->last.span.end && s->text[i - 1] != '\n'; i--)
        if (s->text[i - 1] == '#') return true;
    return false;
}

/* ---- what may stand there ---- */

/* Behind these stands a name that is made there, or one that means nothing. */
static bool makes_name(TokenKind kind) {
    switch (kind) {
    case TOKEN_DEF:
    case TOKEN_FOR:
    case TOKEN_LAMBDA:
    case TOKEN_AS:
    case TOKEN_IMPORT:
    case TOKEN_FROM:
    case TOKEN_EXCEPT:
    case TOKEN_CLASS:
    case TOKEN_GLOBAL: return true;
    default: return false;
    }
}

static bool makes_parameter(const Scan *s) {
    bool parameters = s->depth > 0 && s->levels[s->depth - 1].parameters;
    return parameters && (s->last.kind == TOKEN_LEFT_PAREN || s->last.kind == TOKEN_COMMA);
}

/* The word that is typed, as if it were whole: what else it may become is not known. */
static Token typed_token(const Scan *s, Span word) {
    bool space = word.begin > s->last.span.end || s->count == 0;
    return (Token){.kind = TOKEN_NAME, .span = word, .space_before = space, .space_after = true};
}

static ContextKind kind_of(const Scan *s, const Context *context) {
    bool behind_value = ends_value(s->last.kind) && s->count > 0;
    if (s->last.kind == TOKEN_DOT)
        return s->chain.root == TOKEN_END ? CONTEXT_NOTHING : CONTEXT_ATTRIBUTE;
    if (behind_value && s->last.span.end == context->word.begin) return CONTEXT_NOTHING;
    if (s->depth == 0 && context->command) return CONTEXT_ARGUMENT;
    if (s->count > 0 && (makes_name(s->last.kind) || makes_parameter(s))) return CONTEXT_NOTHING;
    if (s->count == 0) return CONTEXT_STATEMENT;
    return behind_value ? CONTEXT_OPERATOR : CONTEXT_VALUE;
}

static void find_call(const Scan *s, Context *context) {
    for (int i = s->depth - 1; i >= 0 && !context->in_call; i--) {
        const Level *level = &s->levels[i];
        if (level->callee.root == TOKEN_END) continue;
        context->in_call = true;
        context->callee = level->callee;
        context->call_begin = level->begin;
        context->among_arguments = i == s->depth - 1;
        context->begins_argument = context->among_arguments && (s->last.span.end == level->begin ||
                                                                s->last.kind == TOKEN_COMMA);
    }
}

static void describe(const Scan *s, Context *context) {
    Token typed = typed_token(s, context->word);
    context->command = s->command ? s->command : command_before(s, &typed);
    context->picked = s->picked;
    context->arguments_begin = s->picked ? s->picked_end : s->first.span.end;
    context->arguments = s->arguments;
    context->before = s->last.span;
    context->behind_value = ends_value(s->last.kind);
    context->object = s->chain;
    find_call(s, context);
}

void context_find(Context *context, const CommandSyntax *commands, const char *text, size_t length,
                  size_t point) {
    if (point > length) point = length;
    *context = (Context){.word = {point, point}};
    Chunk chunk = {.text = (char *)text, .length = point};
    Scan s = {.text = text,
              .point = point,
              .commands = commands,
              .last = {.kind = TOKEN_NEWLINE},
              .chain = {.root = TOKEN_END}};
    if (!lexer_init(&s.lexer, &chunk, false, NULL)) return;
    ReadEnd end = read_tokens(&s, &context->word);
    describe(&s, context);
    if (end == READ_IN_STRING) {
        context->kind = CONTEXT_STRING;
        context->quotes = s.lexer.open_string;
        context->word.begin = context->quotes.end;
    } else if (!in_comment(&s, context->word)) {
        context->kind = kind_of(&s, context);
    }
}

/* ---- the arguments of the call ---- */

typedef struct Walk {
    Lexer lexer;
    GivenArguments *out;
    size_t point;
    int depth;
    bool begins; /* an argument */
    Span name;   /* the word that it begins with, */
    bool named;  /* which an = follows */
} Walk;

static void end_argument(Walk *walk) {
    if (walk->lexer.at <= walk->point && !walk->named) walk->out->before++;
    if (walk->lexer.at <= walk->point) walk->out->name = (Span){0, 0};
    walk->begins = true;
    walk->named = false;
    walk->name = (Span){0, 0};
}

static void name_argument(Walk *walk) {
    if (walk->out->count < GIVEN_MAX) walk->out->names[walk->out->count++] = walk->name;
    if (walk->lexer.at <= walk->point) walk->out->name = walk->name;
    walk->named = true;
}

static void walk_token(Walk *walk, const Token *token) {
    if (token->kind == TOKEN_LEFT_PAREN || token->kind == TOKEN_LEFT_BRACKET ||
        token->kind == TOKEN_LEFT_BRACE)
        walk->depth++;
    if (token->kind == TOKEN_RIGHT_PAREN || token->kind == TOKEN_RIGHT_BRACKET ||
        token->kind == TOKEN_RIGHT_BRACE)
        walk->depth--;
    if (walk->depth > 0) return;
    if (token->kind == TOKEN_COMMA) {
        end_argument(walk);
    } else {
        if (walk->begins && token->kind == TOKEN_NAME) walk->name = token->span;
        else if (token->kind == TOKEN_ASSIGN && span_length(walk->name) > 0 && !walk->named)
            name_argument(walk);
        else walk->name = (Span){0, 0};
        walk->begins = false;
    }
}

/* Ends at the ) of the call, which closes nothing that this lexer has seen, or where the text
 * breaks off. */
void context_given(const Context *context, const char *text, size_t length, GivenArguments *out) {
    Chunk chunk = {.text = (char *)text, .length = length};
    Walk walk = {.lexer = {.chunk = &chunk,
                           .at = context->call_begin,
                           .end = length,
                           .line = 1,
                           .field = true},
                 .out = out,
                 .point = context->word.end,
                 .begins = true};
    Token token;
    *out = (GivenArguments){.count = 0};
    while (lexer_next(&walk.lexer, &token, NULL) && token.kind != TOKEN_END)
        walk_token(&walk, &token);
}

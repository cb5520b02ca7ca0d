#include "shell/completion/completion_shared.h"

enum { TARGETS_MAX = 16 };

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
    Chain chain;        /* the one that ends with the last token */
    Level levels[NESTING_MAX + 2];
    int depth;
    /* the statement */
    Token first;
    int count;   /* its tokens */
    int lambdas; /* lambdas before their colon */
    const CommandSyntax *command, *picked;
    size_t picked_end;
    int arguments;
    /* the names that the text makes: parameters, what a loop or an assignment names */
    Candidates *made; /* NULL: they are not wanted */
    bool lambda;      /* between lambda and its colon */
    bool loop;        /* between for and in */
    bool plain;       /* the statement is nothing but names, commas and = so far */
    Span targets[TARGETS_MAX];
    int target_count, assigned;
} Scan;

static const CommandSyntax *find_row(const Scan *s, const CommandSyntax *rows, const Token *token) {
    return command_find(rows, s->text + token->span.begin, token->span.end - token->span.begin);
}

/* ---- reading, token by token ---- */

/* True if a statement begins behind the token. The colon of a lambda does not end one. */
static bool ends_statement(Scan *s, const Token *token) {
    switch (token->kind) {
    case TOKEN_NEWLINE:
    case TOKEN_INDENT:
    case TOKEN_DEDENT: return true;
    case TOKEN_SEMICOLON: return s->depth == 0;
    case TOKEN_COLON:
        if (s->depth > 0) return false;
        if (s->lambdas > 0) {
            s->lambdas--;
            return false;
        }
        return s->count > 0 && token_has(s->first.kind, ROLE_BLOCK);
    default: return false;
    }
}

/* The command that the statement is, if `next` follows its first word. */
static const CommandSyntax *command_before(const Scan *s, const Token *next) {
    if (s->count != 1 || s->first.kind != TOKEN_NAME) return NULL;
    const CommandSyntax *row = find_row(s, s->commands, &s->first);
    return row && token_makes_command(row, next) ? row : NULL;
}

static Chain chain_after(const Scan *s, const Token *token) {
    Chain chain = {.root = token->kind, .span = token->span, .root_end = token->span.end};
    switch (token->kind) {
    case TOKEN_DOT: return s->chain;
    case TOKEN_NAME:
        if (s->last.kind == TOKEN_DOT && s->chain.root != TOKEN_END) {
            chain = s->chain;
            chain.receiver_end = chain.span.end;
            chain.span.end = token->span.end;
            chain.last = token->span;
        }
        return chain;
    case TOKEN_STRING:
    case TOKEN_NUMBER:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET: return chain;
    default: return (Chain){.root = TOKEN_END};
    }
}

static void open_level(Scan *s, const Token *bracket) {
    bool paren = bracket->kind == TOKEN_LEFT_PAREN, of_def = s->before.kind == TOKEN_DEF;
    bool names = s->last.kind == TOKEN_NAME &&
                 (s->chain.root == TOKEN_NAME || s->chain.root == TOKEN_STRING);
    /* plot f (x) has two arguments */
    bool apart = s->command && s->depth == 0 && bracket->space_before;
    bool called = paren && names && !apart && !of_def;
    if (s->depth > NESTING_MAX) return;
    s->levels[s->depth++] = (Level){.callee = called ? s->chain : (Chain){.root = TOKEN_END},
                                    .begin = bracket->span.end,
                                    .parameters = paren && of_def};
}

static void offer_made(Scan *s, Span name, const char *suffix) {
    LocalText normal = TEXT_EMPTY;
    name_write(&normal, s->text + name.begin, name.end - name.begin);
    if (normal.failed) s->made->failed = true;
    bool hidden =
        normal.data[0] == '_' && (s->made->word.length == 0 || s->made->word.data[0] != '_');
    if (!hidden) candidates_offer(s->made, (Offer){.name = normal.data, .suffix = suffix});
}

/* Offers the names that the token makes. They are not variables yet, and most of those in a def
 * never will be. What a statement assigns exists behind it, not within it. */
static void read_made(Scan *s, const Token *token) {
    TokenKind last = s->last.kind;
    bool begins = last == TOKEN_LEFT_PAREN || last == TOKEN_COMMA || last == TOKEN_STAR ||
                  last == TOKEN_POWER;
    bool parameter = begins && s->depth > 0 && s->levels[s->depth - 1].parameters;
    bool of_lambda = s->lambda && (last == TOKEN_LAMBDA || (begins && last != TOKEN_LEFT_PAREN));
    switch (token->kind) {
    case TOKEN_NAME:
        if (last == TOKEN_DEF) offer_made(s, token->span, "(");
        else if (last == TOKEN_AS || s->loop || parameter || of_lambda)
            offer_made(s, token->span, "");
        if (s->plain && s->target_count < TARGETS_MAX) s->targets[s->target_count++] = token->span;
        return;
    case TOKEN_COMMA: return;
    case TOKEN_ASSIGN:
        if (s->plain) s->assigned = s->target_count;
        return;
    case TOKEN_COLON: s->lambda = false; break;
    case TOKEN_LAMBDA: s->lambda = true; break;
    case TOKEN_FOR: s->loop = true; break;
    case TOKEN_IN: s->loop = false; break;
    default: break;
    }
    s->plain = token->kind == TOKEN_NEWLINE || token->kind == TOKEN_INDENT ||
               token->kind == TOKEN_DEDENT || token->kind == TOKEN_SEMICOLON ||
               (token->kind == TOKEN_COLON && s->depth == 0);
    if (!s->plain) return;
    for (int i = 0; i < s->assigned; i++) offer_made(s, s->targets[i], "");
    s->target_count = s->assigned = 0;
}

static void read_token(Scan *s, const Token *token) {
    if (s->made) read_made(s, token);
    if (ends_statement(s, token)) {
        s->count = s->lambdas = s->arguments = 0;
        s->command = s->picked = NULL;
    } else {
        if (s->count == 0) s->first = *token;
        if (!s->command) s->command = command_before(s, token);
        if (s->command && s->arguments == 0) {
            s->picked = find_row(s, s->command->sub, token);
            s->picked_end = token->span.end;
        }
        if (s->command) s->arguments++;
        s->count++;
        if (token->kind == TOKEN_LAMBDA && s->depth == 0) s->lambdas++;
        if (token_has(token->kind, ROLE_OPENS)) open_level(s, token);
        else if (token_has(token->kind, ROLE_CLOSES) && s->depth > 0) s->depth--;
    }
    s->chain = chain_after(s, token);
    s->before = s->last;
    s->last = *token;
}

/* If the point is in a field of the f-string that the lexer could not end, reading continues behind
 * its {. */
static bool enter_field(Scan *s) {
    Span quotes = s->lexer.open_string;
    bool formatted = false;
    for (size_t i = quotes.begin; i < quotes.end; i++)
        formatted = formatted || s->text[i] == 'f' || s->text[i] == 'F';
    size_t open = s->point; /* the { that is open */
    for (size_t i = quotes.end; i < s->point; i++) {
        char c = s->text[i];
        if (c != '{' && c != '}') continue;
        if (open == s->point && i + 1 < s->point && s->text[i + 1] == c) i++; /* {{ means one { */
        else open = c == '{' ? i : s->point;
    }
    if (!formatted || open == s->point) return false;
    Token brace = {.kind = TOKEN_LEFT_BRACE, .span = {open, open + 1}};
    s->lexer.at = open + 1;
    s->lexer.field = true;
    s->lexer.bracket_base = s->lexer.bracket_count;
    s->lexer.open_string = (Span){0, 0};
    read_token(s, &brace);
    return true;
}

/* Reads the tokens before the word that is typed, whose span is in *word afterwards. True if the
 * point is in a string. */
static bool read_to_point(Scan *s, Span *word) {
    Lexer *lexer = &s->lexer;
    for (;;) {
        Token token;
        size_t before = lexer->at;
        if (lexer_next(lexer, &token)) {
            bool at_end = token.kind == TOKEN_END ||
                          (token.kind == TOKEN_NEWLINE && token.span.begin == s->point);
            bool typed = token_is_word(&token) && token.span.end == s->point;
            if (typed) *word = token.span;
            if (at_end || typed) return false;
            read_token(s, &token);
        } else if (lexer->open_string.end > 0 && lexer->at >= s->point) {
            if (!enter_field(s)) return true;
        } else {
            if (lexer->incomplete || before >= s->point) return false;
            /* Reads on behind the mistake, always further in the text. */
            size_t size = 0;
            if (!lexer->dedenting && lexer->at == before) lexer_peek(lexer, before, &size);
            lexer->at += size;
            token = (Token){.kind = TOKEN_NUMBER, .span = {before, lexer->at}};
            if (lexer->dedenting) token.kind = TOKEN_NEWLINE;
            else if (size > 0) token.kind = TOKEN_BANG;
            lexer->dedenting = false;
            lexer->open_string = (Span){0, 0};
            read_token(s, &token);
        }
    }
}

/* ---- what is expected there ---- */

static Scan scan_of(const char *text, size_t point) {
    return (Scan){.text = text,
                  .point = point,
                  .last = {.kind = TOKEN_NEWLINE},
                  .chain = {.root = TOKEN_END},
                  .plain = true};
}

static ContextKind kind_of(const Scan *s, const Context *context) {
    bool behind_value = token_has(s->last.kind, ROLES_END_VALUE) && s->count > 0;
    bool makes_parameter = s->depth > 0 && s->levels[s->depth - 1].parameters &&
                           (s->last.kind == TOKEN_LEFT_PAREN || s->last.kind == TOKEN_COMMA);
    if (s->last.kind == TOKEN_DOT)
        return s->chain.root == TOKEN_END ? CONTEXT_NOTHING : CONTEXT_ATTRIBUTE;
    if (behind_value && s->last.span.end == context->word.begin) return CONTEXT_NOTHING;
    if (s->depth == 0 && context->command) return CONTEXT_ARGUMENT;
    if (s->count == 0) return CONTEXT_STATEMENT;
    if (makes_parameter || token_has(s->last.kind, ROLE_MAKES_NAME)) return CONTEXT_NOTHING;
    return behind_value ? CONTEXT_OPERATOR : CONTEXT_VALUE;
}

void context_find(Context *context, const CommandSyntax *commands, const char *text, size_t length,
                  size_t point) {
    if (point > length) point = length;
    *context = (Context){.word = {point, point}};
    Chunk chunk = {.text = (char *)text, .length = point};
    Scan s = scan_of(text, point);
    s.commands = commands;
    if (!lexer_init(&s.lexer, &chunk, false, NULL)) return;
    bool in_string = read_to_point(&s, &context->word);

    /* The word that is typed counts as whole: what else it may become is not known. */
    bool space = context->word.begin > s.last.span.end || s.count == 0;
    Token typed = {
        .kind = TOKEN_NAME, .span = context->word, .space_before = space, .space_after = true};
    context->command = s.command ? s.command : command_before(&s, &typed);
    context->picked = s.picked;
    context->arguments_begin = s.picked ? s.picked_end : s.first.span.end;
    context->arguments = s.arguments;
    context->before = s.last.span;
    context->behind_value = token_has(s.last.kind, ROLES_END_VALUE);
    context->object = s.chain;

    int call = s.depth - 1; /* the innermost bracket that is one of a call */
    while (call >= 0 && s.levels[call].callee.root == TOKEN_END) call--;
    if (call >= 0) {
        const Level *level = &s.levels[call];
        context->in_call = true;
        context->callee = level->callee;
        context->call_begin = level->begin;
        context->among_arguments = call == s.depth - 1;
        context->begins_argument = context->among_arguments &&
                                   (s.last.span.end == level->begin || s.last.kind == TOKEN_COMMA);
    }

    bool in_comment = false;
    for (size_t i = context->word.begin; i > s.last.span.end && text[i - 1] != '\n'; i--)
        in_comment = in_comment || text[i - 1] == '#';
    if (in_string) {
        context->kind = CONTEXT_STRING;
        context->quotes = s.lexer.open_string;
        context->word.begin = context->quotes.end;
    } else if (!in_comment) {
        context->kind = kind_of(&s, context);
    }
}

/* ---- the arguments of the call ---- */

/* Reads on to the ) of the call, which closes nothing that this lexer has seen, or to where the
 * text breaks off. */
void context_given(const Context *context, const char *text, size_t length, GivenArguments *out) {
    Chunk chunk = {.text = (char *)text, .length = length};
    Lexer lexer = {
        .chunk = &chunk, .at = context->call_begin, .end = length, .line = 1, .field = true};
    int depth = 0;
    bool begins = true, named = false; /* an argument begins; the one that is read has a name */
    Span name = {0, 0};                /* the word that it begins with */
    *out = (GivenArguments){.count = 0};
    for (Token token; lexer_next(&lexer, &token) && token.kind != TOKEN_END;) {
        bool before_point = lexer.at <= context->word.end;
        if (token_has(token.kind, ROLE_OPENS)) depth++;
        if (token_has(token.kind, ROLE_CLOSES)) depth--;
        if (depth > 0) continue;
        if (token.kind == TOKEN_COMMA) {
            if (before_point && !named) out->before++;
            if (before_point) out->name = (Span){0, 0};
            begins = true;
            named = false;
            name = (Span){0, 0};
            continue;
        }
        if (begins && token.kind == TOKEN_NAME) {
            name = token.span;
        } else if (token.kind == TOKEN_ASSIGN && name.end > name.begin && !named) {
            if (out->count < GIVEN_MAX) out->names[out->count++] = name;
            if (before_point) out->name = name;
            named = true;
        } else {
            name = (Span){0, 0};
        }
        begins = false;
    }
}

void offer_locals(const char *text, size_t end, Candidates *candidates) {
    Chunk chunk = {.text = (char *)text, .length = end};
    Scan s = scan_of(text, end);
    Span word;
    s.made = candidates;
    if (lexer_init(&s.lexer, &chunk, false, NULL)) read_to_point(&s, &word);
}

/* Names that the entry itself makes before the point: parameters, what a loop or an assignment
 * names. They are no variables yet, and most of those in a def never will be. */
#include "shell/completion/completion_sources.h"

enum { TARGETS_MAX = 16 };

typedef struct Walk {
    const char *text;
    Candidates *candidates;
    Token last, before;
    int depth;
    int parameters; /* the depth inside a def's brackets; 0: in none */
    bool lambda;    /* between lambda and its colon */
    bool loop;      /* between for and in */
    bool plain; /* the statement is nothing but names, commas and = so far: names before an = are
                   targets */
    Span targets[TARGETS_MAX];
    int count, assigned;
} Walk;

static void offer(Walk *walk, Span name, const char *suffix) {
    Text normal;
    text_init(&normal);
    name_write(&normal, walk->text + name.begin, name.end - name.begin);
    if (normal.failed) walk->candidates->failed = true;
    bool hidden = normal.data[0] == '_' &&
                  (walk->candidates->word.length == 0 || walk->candidates->word.data[0] != '_');
    if (!hidden) candidates_offer(walk->candidates, (Offer){.name = normal.data, .suffix = suffix});
    text_release(&normal);
}

static void take_name(Walk *walk, const Token *name) {
    TokenKind last = walk->last.kind;
    bool begins = last == TOKEN_LEFT_PAREN || last == TOKEN_COMMA || last == TOKEN_STAR;
    if (last == TOKEN_DEF) offer(walk, name->span, "(");
    else if (last == TOKEN_AS || walk->loop) offer(walk, name->span, "");
    else if (walk->parameters && walk->depth == walk->parameters && begins)
        offer(walk, name->span, "");
    else if (walk->lambda && (last == TOKEN_LAMBDA || last == TOKEN_COMMA))
        offer(walk, name->span, "");
    if (walk->plain && walk->count < TARGETS_MAX) walk->targets[walk->count++] = name->span;
}

/* What a statement assigns is there behind it, not within it. */
static void end_statement(Walk *walk) {
    for (int i = 0; i < walk->assigned; i++) offer(walk, walk->targets[i], "");
    walk->plain = true;
    walk->count = walk->assigned = 0;
}

static void take(Walk *walk, const Token *token) {
    switch (token->kind) {
    case TOKEN_NAME: take_name(walk, token); break;
    case TOKEN_COMMA: break;
    case TOKEN_NEWLINE:
    case TOKEN_INDENT:
    case TOKEN_DEDENT:
    case TOKEN_SEMICOLON: end_statement(walk); break;
    case TOKEN_ASSIGN:
        if (walk->plain) walk->assigned = walk->count;
        break;
    case TOKEN_COLON:
        walk->lambda = false;
        if (walk->depth == 0) end_statement(walk);
        break;
    case TOKEN_LEFT_PAREN:
    case TOKEN_LEFT_BRACKET:
    case TOKEN_LEFT_BRACE:
        walk->depth++;
        if (walk->before.kind == TOKEN_DEF) walk->parameters = walk->depth;
        walk->plain = false;
        break;
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET:
    case TOKEN_RIGHT_BRACE:
        if (walk->depth == walk->parameters) walk->parameters = 0;
        walk->depth--;
        break;
    case TOKEN_LAMBDA:
        walk->lambda = true;
        walk->plain = false;
        break;
    case TOKEN_FOR:
        walk->loop = true;
        walk->plain = false;
        break;
    case TOKEN_IN: walk->loop = walk->plain = false; break;
    default: walk->plain = false;
    }
    walk->before = walk->last;
    walk->last = *token;
}

void offer_locals(const char *text, size_t end, Candidates *candidates) {
    Chunk chunk = {.text = (char *)text, .length = end};
    Lexer lexer;
    Token token;
    Walk walk = {.text = text, .candidates = candidates, .plain = true};
    if (!lexer_init(&lexer, &chunk, false, NULL)) return;
    while (lexer_next(&lexer, &token, NULL) && token.kind != TOKEN_END && token.span.begin < end)
        take(&walk, &token);
}

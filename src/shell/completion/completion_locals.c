/* Names that the entry itself makes before the point: parameters, what a loop or an assignment
 * names. They are not variables yet, and most of those in a def never will be. */
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

static void offer_local(Walk *walk, Span name, const char *suffix) {
    Text normal = TEXT_EMPTY;
    name_write(&normal, walk->text + name.begin, name.end - name.begin);
    if (normal.failed) walk->candidates->failed = true;
    bool hidden = normal.data[0] == '_' &&
                  (walk->candidates->word.length == 0 || walk->candidates->word.data[0] != '_');
    if (!hidden) candidates_offer(walk->candidates, (Offer){.name = normal.data, .suffix = suffix});
    text_release(&normal);
}

/* What a statement assigns is there behind it, not within it. */
static void end_statement(Walk *walk) {
    for (int i = 0; i < walk->assigned; i++) offer_local(walk, walk->targets[i], "");
    walk->plain = true;
    walk->count = walk->assigned = 0;
}

static void read_token(Walk *walk, const Token *token) {
    TokenKind last = walk->last.kind;
    bool begins = last == TOKEN_LEFT_PAREN || last == TOKEN_COMMA || last == TOKEN_STAR ||
                  last == TOKEN_POWER;
    bool parameter = walk->parameters && walk->depth == walk->parameters && begins;
    bool of_lambda = walk->lambda && (last == TOKEN_LAMBDA || (begins && last != TOKEN_LEFT_PAREN));
    switch (token->kind) {
    case TOKEN_NAME:
        if (last == TOKEN_DEF) offer_local(walk, token->span, "(");
        else if (last == TOKEN_AS || walk->loop || parameter || of_lambda)
            offer_local(walk, token->span, "");
        if (walk->plain && walk->count < TARGETS_MAX) walk->targets[walk->count++] = token->span;
        break;
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
    default:
        if (token_opens(token->kind)) {
            walk->depth++;
            if (walk->before.kind == TOKEN_DEF) walk->parameters = walk->depth;
        } else if (token_closes(token->kind)) {
            if (walk->depth == walk->parameters) walk->parameters = 0;
            walk->depth--;
        }
        if (token->kind == TOKEN_LAMBDA) walk->lambda = true;
        if (token->kind == TOKEN_FOR) walk->loop = true;
        if (token->kind == TOKEN_IN) walk->loop = false;
        walk->plain = false;
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
    while (lexer_next(&lexer, &token) && token.kind != TOKEN_END && token.span.begin < end)
        read_token(&walk, &token);
}

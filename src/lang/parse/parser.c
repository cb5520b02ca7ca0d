/* The tools of all parser files, chunks, tokens, nodes and lists, and parse(), which makes a chunk.
 */
#include "lang/parser.h"

#include "base/characters.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/parse/parse.h"
#include "lang/remedy.h"

#include <stdio.h>
#include <string.h>

/* A tree of this many nodes takes a third of a gigabyte. */
enum { NODES_MAX = 4000000 };

/* ---- chunks ---- */

Chunk *chunk_new(const char *file, const char *text, size_t length, Error *err) {
    Chunk *chunk = mem_zeroed(1, sizeof *chunk, err);
    if (!chunk) return NULL;
    chunk->refs = 1;
    arena_init(&chunk->arena);
    chunk->length = length;
    chunk->file = mem_string(file ? file : "", file ? strlen(file) : 0, err);
    chunk->text = chunk->file ? mem_string(text, length, err) : NULL;
    if (chunk->text) return chunk;
    chunk_unref(chunk);
    return NULL;
}

Chunk *chunk_ref(Chunk *chunk) {
    chunk->refs++;
    return chunk;
}

void chunk_unref(Chunk *chunk) {
    if (!chunk || --chunk->refs > 0) return;
    for (size_t i = 0; i < chunk->string_count; i++) value_release(&chunk->strings[i]);
    mem_free(chunk->strings);
    arena_release(&chunk->arena);
    mem_free(chunk->text);
    mem_free(chunk->file);
    mem_free(chunk);
}

bool chunk_keep(Chunk *chunk, Value value, Error *err) {
    Value *strings = mem_grow(chunk->strings, chunk->string_count, &chunk->string_capacity,
                              sizeof *strings, err);
    if (!strings) {
        value_release(&value);
        return false;
    }
    chunk->strings = strings;
    chunk->strings[chunk->string_count++] = value;
    return true;
}

void *chunk_error(const Chunk *chunk, Span span, Error *err, const char *hint, const char *format,
                  ...) {
    /* Longer than an error's message, so that error_set cuts it between characters. */
    char message[sizeof err->message + 8];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error_set(err, ERR_SYNTAX, "%s", message);
    if (hint) error_hint(err, "%s", hint);
    error_place(err, chunk->file, chunk->text, chunk->length, span);
    return NULL;
}

bool chunk_too_deep(const Chunk *chunk, Span span, int limit, Error *err) {
    error_set(err, ERR_LIMIT, "this is nested deeper than %d levels", limit);
    error_hint(err, "give parts of it names of their own, in lines before");
    error_place(err, chunk->file, chunk->text, chunk->length, span);
    return false;
}

bool parse_too_many(Parser *p) {
    error_set(p->err, ERR_LIMIT, "a function has more than %d variables", SLOTS_MAX);
    return error_hint(p->err, "keep them in a list or a record");
}

/* ---- tokens ---- */

static void read_token(Parser *p, Token *token) {
    if (!p->failed && lexer_next(&p->lexer, token)) return;
    p->failed = true;
    *token = (Token){.kind = TOKEN_END, .span = {p->chunk->length, p->chunk->length}};
}

void parse_advance(Parser *p) {
    if (p->token.kind >= TOKEN_NAME) {
        p->last = p->token.span;
        p->last_line = p->token.line;
    }
    if (p->has_ahead) p->token = p->ahead;
    else read_token(p, &p->token);
    p->has_ahead = false;
    if (p->failed) p->err = NULL;
}

const Token *parse_ahead(Parser *p) {
    if (!p->has_ahead) read_token(p, &p->ahead);
    p->has_ahead = true;
    return &p->ahead;
}

bool parse_expect(Parser *p, TokenKind kind, const char *where) {
    if (parse_take(p, kind)) return true;
    char expected[80];
    snprintf(expected, sizeof expected, "%s %s", token_kind_text(kind), where);
    return parse_unexpected(p, expected);
}

/* True if the next token begins a line that is not indented deeper than that of `at`: then the
 * bracket there was forgotten, rather than a comma. A number begins no statement: it is the next
 * row of a matrix. */
static bool starts_anew(const Parser *p, size_t at) {
    if (parse_at(p, TOKEN_NUMBER) || parse_at(p, TOKEN_LEFT_BRACKET)) return false;
    const char *text = p->chunk->text, *opening = text + line_around(text, at, at).begin;
    size_t here = p->token.span.begin, line = line_around(text, here, here).begin;
    size_t indent = here - line;
    return p->token.line > p->last_line && strspn(text + line, " \t") == indent &&
           strspn(opening, " \t") >= indent;
}

bool parse_close_before(Parser *p, Span colon) {
    return parse_error(p, colon, NULL, "a ) is missing before this `:`");
}

/* True if the line of the offset begins a block: if, for, def. */
static bool begins_block(const Parser *p, size_t at) {
    const char *text = p->chunk->text, *line = text + line_around(text, at, at).begin;
    line += strspn(line, " \t");
    return token_has(token_of_word(line, strcspn(line, " (:\n")), ROLE_BLOCK);
}

bool parse_close(Parser *p, const Token *opening) {
    bool paren = opening->kind == TOKEN_LEFT_PAREN;
    if (parse_take(p, paren ? TOKEN_RIGHT_PAREN : TOKEN_RIGHT_BRACKET)) return true;
    if (paren && parse_at(p, TOKEN_COLON) && begins_block(p, opening->span.begin))
        return parse_close_before(p, p->token.span);
    bool later =
        p->token.line > opening->line && (parse_at(p, TOKEN_COLON) || parse_at(p, TOKEN_ASSIGN));
    if (later || starts_anew(p, opening->span.begin))
        return parse_error(p, opening->span, lexer_unclosed_remedy(&p->lexer, paren ? '(' : '['),
                           "the %s opened in line %d is not closed", paren ? "(" : "[",
                           opening->line);
    return parse_unexpected(p, paren ? ", or )" : ", or ]");
}

bool parse_token_is(const Parser *p, const Token *token, const char *word) {
    size_t length = strlen(word);
    Span span = token->span;
    return token_is_word(token) && span.end - span.begin == length &&
           memcmp(p->chunk->text + span.begin, word, length) == 0;
}

bool parse_at_line_end(const Parser *p) {
    return parse_at(p, TOKEN_NEWLINE) || parse_at(p, TOKEN_END) || parse_at(p, TOKEN_DEDENT);
}

bool parse_at_statement_end(const Parser *p) {
    return parse_at(p, TOKEN_SEMICOLON) || parse_at_line_end(p);
}

int token_shown(const Parser *p, const Token *token) {
    enum { SHOWN_MAX = 40 };
    const char *text = p->chunk->text + token->span.begin;
    size_t length = token->span.end - token->span.begin;
    return (int)(length <= SHOWN_MAX ? length : utf8_begin(text, SHOWN_MAX));
}

/* ---- nodes ---- */

bool parse_enter(Parser *p) {
    if (p->depth == NESTING_MAX)
        return chunk_too_deep(p->chunk, p->token.span, NESTING_MAX, p->err);
    p->depth++;
    return true;
}

Block node_block(const Node *node, int i) {
    const Block none = {NULL, NULL};
    switch (node->kind) {
    case NODE_IF:
        if (i > 1) return none;
        return (Block){NULL, i == 0 ? &node->branch.then : &node->branch.otherwise};
    case NODE_FOR:
        if (i > 1) return none;
        return i == 0 ? (Block){node->loop.target, &node->loop.body}
                      : (Block){NULL, &node->loop.otherwise};
    case NODE_WHILE:
        if (i > 1) return none;
        return (Block){NULL, i == 0 ? &node->while_loop.body : &node->while_loop.otherwise};
    case NODE_TRY:
        if (i == 0) return (Block){NULL, &node->try_block.body};
        if (i <= node->try_block.count) {
            const Handler *handler = &node->try_block.handlers[i - 1];
            return (Block){handler->target, &handler->body};
        }
        i -= node->try_block.count;
        if (i > 2) return none;
        return (Block){NULL, i == 1 ? &node->try_block.otherwise : &node->try_block.finally};
    case NODE_WITH: return i > 0 ? none : (Block){node->with.target, &node->with.body};
    default: return none;
    }
}

Node *node_new(Parser *p, NodeKind kind, Span span) {
    if (++p->nodes > NODES_MAX) {
        error_set(p->err, ERR_LIMIT, "the text is too long: more than %d values and operations",
                  NODES_MAX);
        error_hint(p->err, "keep large arrays in a file: load(\"x.npy\")");
        return NULL;
    }
    if (p->nodes % 4096 == 0 && interrupted(p->err)) return NULL;
    Node *node = arena_alloc(&p->chunk->arena, sizeof *node, p->err);
    if (!node) return NULL;
    node->kind = kind;
    node->span = span;
    return node;
}

Node *node_begin(Parser *p, NodeKind kind) {
    parse_advance(p);
    return node_new(p, kind, p->last);
}

Node *node_since(Parser *p, NodeKind kind, Span span) {
    return node_new(p, kind, span_join(span, p->last));
}

Node *node_name(Parser *p, const Token *token) {
    Symbol *symbol = parse_symbol(p, token);
    Node *node = symbol ? node_new(p, NODE_NAME, token->span) : NULL;
    if (!node) return NULL;
    node->name.symbol = symbol;
    node->name.slot = -1;
    return node;
}

Node *node_text(Parser *p, const char *text, Span span) {
    Value string;
    Node *node = node_new(p, NODE_STRING, span);
    if (!node || !value_string(&string, text, strlen(text), p->err) ||
        !chunk_keep(p->chunk, string, p->err))
        return NULL;
    node->constant = string;
    return node;
}

Node *node_around(Parser *p, NodeKind kind, Span span, Node *operand) {
    Node *node = operand ? node_since(p, kind, span) : NULL;
    if (node) node->operand = operand;
    return node;
}

void *array_grow(Parser *p, void *items, int count, size_t size) {
    bool full = count == 0 || (count >= 4 && (count & (count - 1)) == 0);
    if (!full) return items;
    void *grown = arena_alloc(&p->chunk->arena, (count ? 2 * (size_t)count : 4) * size, p->err);
    if (grown && count) memcpy(grown, items, (size_t)count * size);
    return grown;
}

void *array_add(Parser *p, void *items, int *count, size_t size) {
    void *array;
    memcpy(&array, items, sizeof array);
    array = array_grow(p, array, *count, size);
    if (!array) return NULL;
    memcpy(items, &array, sizeof array);
    return (char *)array + (size_t)(*count)++ * size;
}

bool list_push(Parser *p, NodeList *list, Node *node) {
    Node **item = node ? array_add(p, &list->items, &list->count, sizeof *item) : NULL;
    if (item) *item = node;
    return item != NULL;
}

Symbol *parse_symbol(Parser *p, const Token *token) {
    const char *name = p->chunk->text + token->span.begin;
    size_t length = token->span.end - token->span.begin;
    const FunctionCode *class = !p->code ? NULL : p->code->class_body ? p->code : p->code->owner;
    if (!class || length <= 2 || memcmp(name, "__", 2) != 0 ||
        memcmp(name + length - 2, "__", 2) == 0)
        return interp_symbol(p->interp, name, length, p->err);
    /* In a class __x means _Class__x, so that a class that extends it may have an __x of its own.
     */
    LocalText text = TEXT_EMPTY;
    const char *owner = class->name->name + strspn(class->name->name, "_");
    text_format(&text, "_%s%.*s", owner, (int)length, name);
    return text_ok(&text, p->err) ? interp_symbol(p->interp, text.data, text.length, p->err) : NULL;
}

/* ---- the whole text ---- */

static bool parse_entry(Parser *p) {
    Chunk *chunk = p->chunk;
    int first = chunk->statements.count;
    size_t begin = p->token.span.begin;
    if (!parse_line(p, &chunk->statements, true)) return false;
    Entry *entry = array_add(p, &chunk->entries, &chunk->entry_count, sizeof *entry);
    if (entry) *entry = (Entry){first, chunk->statements.count - first, {begin, p->last.end}};
    return entry != NULL;
}

/* Parses the text with a parser that is set up. */
static ParseStatus parse_with(Parser *p, const char *file, const char *text, size_t length,
                              bool lines_follow, Chunk **chunk) {
    Error *err = p->err;
    p->last_line = 1;
    p->chunk = chunk_new(file, text, length, p->err);
    if (!p->chunk) return PARSE_ERROR;
    size_t name = file ? strlen(file) : 0;
    p->chunk->python = name > 3 && strcmp(file + name - 3, ".py") == 0;
    bool ok = lexer_init(&p->lexer, p->chunk, lines_follow, err);
    if (ok) parse_advance(p);
    while (ok && !parse_at(p, TOKEN_END)) ok = !interrupted(p->err) && parse_entry(p);
    if (p->module) p->chunk->python = true;
    if (ok && !p->failed && resolve(p)) {
        *chunk = p->chunk;
        return PARSE_OK;
    }
    bool incomplete = (p->failed ? p->lexer.incomplete : p->incomplete) && lines_follow;
    if (!incomplete && err && err->kind == ERR_SYNTAX) rewrite_hint(p->interp, err, p->chunk->text);
    chunk_unref(p->chunk);
    return incomplete ? PARSE_INCOMPLETE : PARSE_ERROR;
}

ParseStatus parse(Interp *interp, const char *file, const char *text, size_t length,
                  bool lines_follow, Chunk **chunk, Error *err) {
    Parser p = {.interp = interp, .err = err};
    return parse_with(&p, file, text, length, lines_follow, chunk);
}

ParseStatus parse_module_text(Interp *interp, const ModuleText *module, Chunk **chunk, Error *err) {
    Parser p = {.interp = interp, .err = err, .module = true};
    return parse_with(&p, module->name, module->text, module->length, false, chunk);
}

ParseStatus parse_check(Interp *interp, const char *file, const char *text, size_t length,
                        const Chunk *made, Chunk **chunk, Error *err) {
    Parser p = {.interp = interp, .checks = true, .made = made, .err = err};
    return parse_with(&p, file, text, length, false, chunk);
}

/* import: accepted for NumPy and math, so that pasted code runs, and meaning
 * nothing, because their names are built in. */
#include "lang/parse/parse.h"

static bool names_module(const Parser *p) {
    return parse_at_name(p, "numpy") || parse_at_name(p, "math") || parse_at_name(p, "np");
}

static const char *module_remedy(const Parser *p) {
    static const struct {
        const char *module, *hint;
    } remedies[] = {
        {"matplotlib", "plot A draws a picture here"},
        {"random", "rand, randn, randint, seed are built in"},
        {"time", "time() is built in"},
        {"torch",
         "softmax, attention and the rest are built in, under the names of NumPy and PyTorch"},
        {"scipy", "softmax, logsumexp, entropy and the rest are built in"},
        {"json", "json(x) is built in"},
        {"sys", "the words after a script's name are its args"},
        {"os", "load and save take file names"},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (parse_at_name(p, remedies[i].module)) return remedies[i].hint;
    return "leave the line out; help lists what is built in";
}

static bool take_module(Parser *p) {
    if (!token_is_word(&p->token)) return parse_unexpected(p, "the name of a module");
    if (!names_module(p))
        return parse_error(p, p->token.span, module_remedy(p),
                           "%.*s cannot be imported: there are no modules here",
                           TOKEN_ARGUMENTS(p, &p->token));
    if (!parse_advance(p)) return false;
    while (parse_at(p, TOKEN_DOT)) {
        if (!parse_advance(p)) return false;
        if (!token_is_word(&p->token)) return parse_unexpected(p, "the name of a module");
        if (!parse_advance(p)) return false;
    }
    return true;
}

/* `as np` is what everybody writes; another name would have to mean something. */
static bool take_module_alias(Parser *p) {
    if (!parse_at(p, TOKEN_AS)) return true;
    if (!parse_advance(p)) return false;
    if (names_module(p)) return parse_advance(p);
    return parse_error(p, p->token.span, "write import numpy as np, and np.exp(x) or just exp(x)",
                       "only np, numpy and math may stand before the . of a name");
}

static bool take_imported(Parser *p) {
    if (parse_at(p, TOKEN_STAR)) return parse_advance(p);
    if (!token_is_word(&p->token)) return parse_unexpected(p, "a name");
    if (!parse_advance(p)) return false;
    return !parse_at(p, TOKEN_AS) ||
           parse_error(p, p->token.span, "give it a second name by an assignment: f = exp",
                       "a built-in name cannot be renamed here");
}

static bool take_list(Parser *p, bool (*take)(Parser *p)) {
    if (!take(p)) return false;
    while (parse_at(p, TOKEN_COMMA)) {
        if (!parse_advance(p)) return false;
        if (parse_at(p, TOKEN_RIGHT_PAREN)) return true;
        if (!take(p)) return false;
    }
    return true;
}

static bool take_aliased_module(Parser *p) { return take_module(p) && take_module_alias(p); }

/* from numpy import exp, log: `from` is passed. */
static bool take_from(Parser *p) {
    if (!take_module(p) || !parse_expect(p, TOKEN_IMPORT, "after the module")) return false;
    Token opening = p->token;
    if (!parse_at(p, TOKEN_LEFT_PAREN)) return take_list(p, take_imported);
    return parse_advance(p) && take_list(p, take_imported) &&
           parse_close(p, TOKEN_RIGHT_PAREN, opening.span, opening.line);
}

Node *parse_import(Parser *p) {
    bool from = parse_at(p, TOKEN_FROM);
    Node *node = node_new(p, NODE_IMPORT, p->token.span);
    if (!node || !parse_advance(p)) return NULL;
    return (from ? take_from(p) : take_list(p, take_aliased_module)) ? node : NULL;
}

/* A call whose name is of another language or library: what to type instead,
 * with the arguments that stand there. */
#include "lang/eval/eval.h"
#include "lang/foreign.h"

#include <string.h>

/* What is to be written differently. */
typedef struct Rewriting {
    const Frame *frame;
    const Node *receiver;       /* A of A.matmul(B): the first argument; NULL: none */
    const Node *call;           /* NULL: an attribute without a call */
    const Signature *signature; /* of the function that is called instead; NULL: of another kind */
} Rewriting;

/* ---- pieces of the source ---- */

/* In one line. */
static void write_source(Text *text, const Frame *frame, Span span) {
    for (size_t i = span.begin; i < span.end; i++) {
        char c = frame->chunk->text[i];
        text_char(text, c == '\n' ? ' ' : c);
    }
}

static bool is_atom(const Node *node) {
    switch (node->kind) {
    case NODE_NAME:
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_CONSTANT:
    case NODE_CALL:
    case NODE_INDEX:
    case NODE_ATTRIBUTE:
    case NODE_ARRAY: return true;
    default: return node->parenthesised;
    }
}

/* With parentheses where an operator beside it could take it apart. */
static void write_operand(Text *text, const Frame *frame, const Node *node) {
    bool plain = is_atom(node);
    text_string(text, plain ? "" : "(");
    write_source(text, frame, node->span);
    text_string(text, plain ? "" : ")");
}

/* ---- arguments ---- */

/* The i-th of the receiver and the arguments by position; NULL: there are not so many. */
static const Node *positional(const Rewriting *r, int i) {
    if (r->receiver && i-- == 0) return r->receiver;
    if (!r->call || i >= r->call->call.count || r->call->call.arguments[i].keyword) return NULL;
    return r->call->call.arguments[i].value;
}

static bool has_parameter(const Signature *signature, const char *name) {
    for (int i = 0; signature && i < signature->count; i++)
        if (strcmp(signature->parameters[i].name, name) == 0) return true;
    return false;
}

/* What a keyword is called here; "": it has nothing to say here. */
static const char *keyword_here(const Rewriting *r, const char *keyword) {
    const char *here = foreign_keyword(keyword);
    if (!here || has_parameter(r->signature, keyword)) return keyword;
    return !*here || has_parameter(r->signature, here) ? here : keyword;
}

static void write_arguments(Text *text, const Rewriting *r) {
    const char *between = "";
    if (r->receiver) write_source(text, r->frame, r->receiver->span), between = ", ";
    for (int i = 0; r->call && i < r->call->call.count; i++) {
        const CallArgument *argument = &r->call->call.arguments[i];
        const char *keyword = argument->keyword ? keyword_here(r, argument->keyword) : NULL;
        if (keyword && !*keyword) continue;
        text_format(text, "%s%s%s", between, keyword ? keyword : "", keyword ? "=" : "");
        write_source(text, r->frame, argument->value->span);
        between = ", ";
    }
}

/* False: the template asks for an argument that is not there. */
static bool write_template(Text *text, const Rewriting *r, const char *template) {
    for (const char *at = template; *at; at++) {
        if (*at == '%' && at[1] == 'a') write_arguments(text, r), at++;
        else if (*at == '%' && at[1] >= '1' && at[1] <= '3') {
            const Node *argument = positional(r, *++at - '1');
            if (!argument) return false;
            write_operand(text, r->frame, argument);
        } else text_char(text, *at);
    }
    return true;
}

/* ---- what to write ---- */

static void write_function(Text *text, Rewriting *r, const char *name, Error *err) {
    const Symbol *symbol = interp_find(r->frame->interp, name);
    const BuiltinDef *builtin = symbol ? symbol->builtin : NULL;
    text_string(text, name);
    if (!builtin || !builtin->call || (!r->call && !r->receiver)) return;
    r->signature = interp_signature(r->frame->interp, builtin, err);
    text_char(text, '(');
    write_arguments(text, r);
    text_char(text, ')');
}

static bool is_builtin(const Interp *interp, const char *name) {
    const Symbol *symbol = interp_find(interp, name);
    return symbol && symbol->builtin;
}

static bool write_remedy(Text *text, Rewriting *r, const char *name, bool member, Error *err) {
    const char *behind = member ? foreign_member(name) : NULL, *here = foreign_name(name);
    if (behind && write_template(text, r, behind)) return true;
    text_clear(text);
    if (!r->receiver && is_builtin(r->frame->interp, name))
        return write_function(text, r, name, err), true;
    if (!here) return false;
    if (!foreign_is_template(here)) return write_function(text, r, here, err), true;
    if (write_template(text, r, here)) return true;
    text_clear(text);
    foreign_write_example(text, here);
    return true;
}

/* Replaces the hint of a name error. */
static bool hint_remedy(Rewriting *r, const char *name, bool member, Error *err) {
    enum { REMEDY_MAX = 160 };
    Error unseen; /* the error at hand is the name's, whatever happens to its remedy */
    Text text;
    text_init(&text);
    bool known =
        write_remedy(&text, r, name, member, &unseen) && !text.failed && text.length <= REMEDY_MAX;
    if (known) error_hint(err, "write %s", text.data);
    text_release(&text);
    return known;
}

static bool hint_template(const Rewriting *r, const char *template, Error *err) {
    Text text;
    text_init(&text);
    if (write_template(&text, r, template) && !text.failed) error_hint(err, "write %s", text.data);
    text_release(&text);
    return false;
}

/* ---- commands that are called ---- */

/* An argument without spaces stands as it is; a name in quotes becomes a word. */
static void write_command_argument(Text *text, const Frame *frame, const CommandSyntax *row,
                                   const Node *value) {
    Span span = value->span;
    const char *source = frame->chunk->text + span.begin;
    size_t length = span.end - span.begin;
    bool plain = row->expression || value->parenthesised || value->kind == NODE_STRING ||
                 !memchr(source, ' ', length);
    if (row->sub && value->kind == NODE_STRING) span.begin++, span.end--;
    text_string(text, plain ? "" : "(");
    write_source(text, frame, span);
    text_string(text, plain ? "" : ")");
}

/* plot(A, to="a.png") -> plot A to "a.png" */
static void write_command(Text *text, const Frame *frame, const CommandSyntax *row,
                          const Node *call) {
    text_string(text, row->name);
    for (int i = 0; i < call->call.count; i++) {
        const CallArgument *argument = &call->call.arguments[i];
        if (argument->keyword) text_format(text, " %s", argument->keyword);
        else if (i > 0 && row->expression) text_char(text, ',');
        text_char(text, ' ');
        write_command_argument(text, frame, row, argument->value);
    }
}

static bool hint_command(const Frame *frame, const CommandSyntax *row, const Node *call,
                         Error *err) {
    Text text;
    text_init(&text);
    write_command(&text, frame, row, call);
    error_set(err, ERR_NAME, "%s is a command, not a function", row->name);
    if (!text.failed) error_hint(err, "write %s", text.data);
    text_release(&text);
    return place_error(frame, call->call.callee, err);
}

/* ---- the three places ---- */

/* The name that a chain of attributes begins with, when it is that of a module and has no value. */
static const Node *module_of(const Node *node) {
    while (node->kind == NODE_ATTRIBUTE) node = node->attribute.object;
    if (node->kind != NODE_NAME || node->name.slot >= 0 || !foreign_module(node->name.symbol->name))
        return NULL;
    return node->name.symbol->value.kind == VALUE_UNSET && !node->name.symbol->builtin ? node
                                                                                       : NULL;
}

bool attribute_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err) {
    if (err->kind != ERR_NAME) return false;
    const Node *module = module_of(attribute);
    const char *here = module ? foreign_module(module->name.symbol->name) : NULL;
    Rewriting rewriting = {
        .frame = frame, .call = call, .receiver = module ? NULL : attribute->attribute.object};
    if (here && foreign_is_template(here)) return hint_template(&rewriting, here, err);
    hint_remedy(&rewriting, attribute->attribute.name, module != NULL, err);
    return false;
}

bool module_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err) {
    return module_of(attribute) ? attribute_remedy(frame, attribute, call, err) : false;
}

/* Names of one letter mean something only where they are called. */
static const char *called_letter(const char *name) {
    return strcmp(name, "c") == 0 ? "[%a]" : strcmp(name, "q") == 0 ? "exit" : NULL;
}

static bool behind_numpy(const Frame *frame, const Node *name) {
    return memchr(frame->chunk->text + name->span.begin, '.', name->span.end - name->span.begin) !=
           NULL;
}

bool callee_remedy(const Frame *frame, const Node *call, Error *err) {
    const Node *callee = call->call.callee;
    if (err->kind != ERR_NAME || callee->kind != NODE_NAME || callee->name.slot >= 0) return false;
    const char *name = callee->name.symbol->name;
    bool keywords = call->call.count > 0 && call->call.arguments[0].keyword;
    const CommandSyntax *command = command_find(frame->interp->hooks.commands, name, strlen(name));
    if (command && (keywords || !foreign_name(name)))
        return hint_command(frame, command, call, err);
    Rewriting rewriting = {.frame = frame, .call = call};
    if (called_letter(name)) return hint_template(&rewriting, called_letter(name), err);
    if (!hint_remedy(&rewriting, name, false, err) && !*err->hint && behind_numpy(frame, callee))
        error_hint(err, "help lists the functions that there are");
    return false;
}

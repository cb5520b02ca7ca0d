#include "shell/completion/completion_callee.h"

#include "library/run.h"
#include "shell/completion/completion_candidates.h"

#include <string.h>

/* ---- names ---- */

/* The symbol of a name in a text, in whatever form it is typed; NULL: never seen, or *failed. */
static const Symbol *symbol_in(const Interp *interp, const char *text, Span span, bool *failed) {
    Text name;
    text_init(&name);
    name_write(&name, text + span.begin, span.end - span.begin);
    const Symbol *symbol = name.failed ? NULL : interp_find(interp, name.data);
    if (name.failed) *failed = true;
    text_release(&name);
    return symbol;
}

/* ---- chains ---- */

/* A lexer for the names behind the root of a chain; the chunk is the caller's. */
static Lexer chain_lexer(const char *text, Chain chain, Chunk *chunk) {
    *chunk = (Chunk){.text = (char *)text, .length = chain.span.end};
    return (Lexer){
        .chunk = chunk, .at = chain.root_end, .end = chain.span.end, .line = 1, .field = true};
}

static bool next_name(Lexer *lexer, Span *name) {
    Token token;
    while (lexer_next(lexer, &token, NULL) && token.kind != TOKEN_END) {
        if (token.kind != TOKEN_NAME) continue;
        *name = token.span;
        return true;
    }
    return false;
}

/* What a name stands for: *symbol, or NULL if it was never seen, and its value. */
static bool look_up(const Interp *interp, const char *text, Span name, const Symbol **symbol,
                    Value *value, Error *err) {
    bool failed = false;
    const Symbol *found = *symbol = symbol_in(interp, text, name, &failed);
    const BuiltinDef *builtin = found ? found->builtin : NULL;
    *value = VALUE_MISSING;
    if (found && found->value.kind != VALUE_UNSET) *value = value_ref(found->value);
    else if (builtin && builtin->call) *value = (Value){.kind = VALUE_BUILTIN, .builtin = builtin};
    else if (builtin) *value = value_number(builtin->constant);
    return !failed || error_memory(err, 0);
}

/* *value becomes its attribute, VALUE_UNSET if it has none of that name. */
static bool step(const Session *session, const Symbol *root, Value *value, const char *name,
                 Error *err) {
    const InterpHooks *hooks = &session->interp.hooks;
    /* A transposed array has what the array has: it is not made. */
    if (value->kind == VALUE_TENSOR && strcmp(name, "T") == 0) return true;
    Object *host =
        root && hooks->attribute_host ? hooks->attribute_host(hooks->context, root, name) : NULL;
    Value object = host ? (Value){.kind = VALUE_OBJECT, .object = host} : *value;
    /* Weights and scores of attention may have to be computed. They are arrays, and so is the
     * output, which is there. */
    bool late = strcmp(name, "weights") == 0 || strcmp(name, "scores") == 0;
    if (late && run_of(&object)) name = "output";
    Value next = VALUE_MISSING;
    Error unknown = {.kind = ERR_NONE};
    bool found = object.kind != VALUE_UNSET &&
                 value_attribute((Interp *)&session->interp, &object, name, &next, &unknown);
    value_release(value);
    *value = found ? next : VALUE_MISSING;
    if (unknown.kind != ERR_LIMIT) return true;
    if (err) *err = unknown;
    return false;
}

bool chain_meaning(const Session *session, const char *text, Chain chain, Meaning *out,
                   Error *err) {
    const Interp *interp = &session->interp;
    Span name = {chain.span.begin, chain.root_end};
    const Symbol *root = NULL;
    bool ok = true;
    *out = (Meaning){false, VALUE_MISSING};
    if (chain.root == TOKEN_STRING) { /* only its kind matters */
        ok = value_string(&out->value, "", 0, err);
    } else if (chain.root == TOKEN_NAME) {
        out->module = token_names_module(text + name.begin, name.end - name.begin);
        if (!out->module) ok = look_up(interp, text, name, &root, &out->value, err);
    }
    Chunk chunk;
    Lexer lexer = chain_lexer(text, chain, &chunk);
    while (ok && next_name(&lexer, &name)) {
        if (out->module) { /* np.A is A */
            out->module = false;
            ok = look_up(interp, text, name, &root, &out->value, err);
            continue;
        }
        Text normal;
        text_init(&normal);
        name_write(&normal, text + name.begin, name.end - name.begin);
        ok = text_ok(&normal, err) && step(session, root, &out->value, normal.data, err);
        text_release(&normal);
        root = NULL;
    }
    if (!ok) value_release(&out->value);
    return ok;
}

/* ---- callees ---- */

static bool builtin_callee(Callee *out, const BuiltinDef *builtin, int first, Error *err) {
    if (!signature_parse(&out->signature, builtin->parameters, err)) return false;
    out->name = builtin->name;
    out->first = first < out->signature.count ? first : out->signature.count;
    out->count = out->signature.count;
    return true;
}

/* *found: the builtin that the call of a method runs; NULL: it is no method that is known. */
static bool find_method_called(const Session *session, const char *text, Chain chain,
                               const BuiltinDef **found, Error *err) {
    Chunk chunk;
    Lexer lexer = chain_lexer(text, chain, &chunk);
    Chain receiver = chain; /* the chain without its last name */
    Span method = {0, chain.root_end};
    bool dotted = false;
    *found = NULL;
    for (Span name; next_name(&lexer, &name); dotted = true) {
        receiver.span.end = method.end;
        method = name;
    }
    if (!dotted) return true;
    Meaning meaning;
    if (!chain_meaning(session, text, receiver, &meaning, err)) return false;
    bool failed = false;
    const Symbol *symbol = symbol_in(&session->interp, text, method, &failed);
    if (symbol && meaning.value.kind != VALUE_UNSET)
        *found = find_method((Interp *)&session->interp, &meaning.value, symbol->name);
    value_release(&meaning.value);
    return !failed || error_memory(err, 0);
}

bool callee_find(const Session *session, const char *text, Chain chain, Callee *out, Error *err) {
    const BuiltinDef *method;
    Meaning meaning;
    *out = (Callee){.function = VALUE_MISSING, .signature = {.rest = -1}};
    if (!find_method_called(session, text, chain, &method, err)) return false;
    if (method) return builtin_callee(out, method, 1, err);
    if (!chain_meaning(session, text, chain, &meaning, err)) return false;
    const Value *value = &meaning.value;
    bool ok = false;
    if (value->kind == VALUE_BUILTIN) {
        ok = builtin_callee(out, value->builtin, 0, err);
    } else if (value->kind == VALUE_OBJECT && value->object->type->call) {
        ok = builtin_callee(out, value->object->type->call, 1, err);
    } else if (value->kind == VALUE_FUNCTION) {
        const FunctionCode *code = value->function->code;
        out->function = value_ref(*value);
        out->name = code->name ? code->name->name : "lambda";
        out->count = code->parameter_count;
        ok = true;
    }
    value_release(&meaning.value);
    return ok;
}

void callee_release(Callee *callee) {
    signature_release(&callee->signature);
    value_release(&callee->function);
}

const char *callee_parameter(const Callee *callee, int i) {
    if (callee->function.kind == VALUE_FUNCTION)
        return callee->function.function->code->parameters[i].name->name;
    const SignatureParameter *parameter = &callee->signature.parameters[i];
    return parameter->rest ? NULL : parameter->name;
}

void callee_write(const Callee *callee, int digits, Text *out) {
    text_format(out, "%s(", callee->name);
    for (int i = callee->first; i < callee->count; i++) {
        if (i > callee->first) text_string(out, ", ");
        if (callee->function.kind == VALUE_FUNCTION) {
            const Function *function = callee->function.function;
            const Value *fallback = &function->fallbacks[i];
            text_string(out, function->code->parameters[i].name->name);
            if (fallback->kind == VALUE_UNSET) continue;
            text_char(out, '=');
            if (fallback->kind == VALUE_TENSOR || fallback->kind == VALUE_LIST)
                text_string(out, "[...]");
            else value_write(out, fallback, digits, true);
        } else {
            const SignatureParameter *parameter = &callee->signature.parameters[i];
            if (parameter->rest) text_string(out, parameter->keywords ? "**" : "*");
            text_string(out, parameter->name);
            if (parameter->optional) text_format(out, "=%s", parameter->fallback_text);
        }
    }
    text_char(out, ')');
}

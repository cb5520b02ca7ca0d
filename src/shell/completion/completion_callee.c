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

/* Walks the names behind the root. */
typedef struct Steps {
    Chunk chunk;
    Lexer lexer;
} Steps;

static void steps_begin(Steps *steps, const char *text, Chain chain) {
    steps->chunk = (Chunk){.text = (char *)text, .length = chain.span.end};
    steps->lexer = (Lexer){.chunk = &steps->chunk,
                           .at = chain.root_end,
                           .end = chain.span.end,
                           .line = 1,
                           .field = true};
}

static bool steps_next(Steps *steps, Span *name) {
    Token token;
    while (lexer_next(&steps->lexer, &token, NULL) && token.kind != TOKEN_END) {
        if (token.kind != TOKEN_NAME) continue;
        *name = token.span;
        return true;
    }
    return false;
}

static Value value_of_symbol(const Symbol *symbol) {
    if (!symbol) return VALUE_MISSING;
    if (symbol->value.kind != VALUE_UNSET) return value_ref(symbol->value);
    const BuiltinDef *builtin = symbol->builtin;
    if (!builtin) return VALUE_MISSING;
    return builtin->call ? (Value){.kind = VALUE_BUILTIN, .builtin = builtin}
                         : value_number(builtin->constant);
}

/* Weights and scores of attention may have to be computed. They are arrays, and so is the output,
 * which is there. */
static const char *ready_attribute(const Value *value, const char *name) {
    bool late = strcmp(name, "weights") == 0 || strcmp(name, "scores") == 0;
    return late && run_of(value) ? "output" : name;
}

/* *value becomes its attribute, VALUE_UNSET where it has none such. A transposed array has what the
 * array has: it is not made. */
static bool step(const Session *session, const Symbol *root, Value *value, const char *name,
                 Error *err) {
    const InterpHooks *hooks = &session->interp.hooks;
    if (value->kind == VALUE_TENSOR && strcmp(name, "T") == 0) return true;
    Value next = VALUE_MISSING;
    Error unknown = {.kind = ERR_NONE};
    Object *host =
        root && hooks->attribute_host ? hooks->attribute_host(hooks->context, root, name) : NULL;
    Value object = host ? (Value){.kind = VALUE_OBJECT, .object = host} : *value;
    bool found = object.kind != VALUE_UNSET &&
                 value_attribute((Interp *)&session->interp, &object,
                                 ready_attribute(&object, name), &next, &unknown);
    value_release(value);
    *value = found ? next : VALUE_MISSING;
    if (unknown.kind != ERR_LIMIT) return true;
    if (err) *err = unknown;
    return false;
}

/* The root: a variable, or a string, of which only the kind matters. */
static bool begin_meaning(const Session *session, const char *text, Chain chain,
                          const Symbol **root, Meaning *out, Error *err) {
    Span name = {chain.span.begin, chain.root_end};
    bool failed = false;
    *root = NULL;
    if (chain.root == TOKEN_STRING) return value_string(&out->value, "", 0, err);
    if (chain.root != TOKEN_NAME) return true;
    out->module = token_names_module(text + name.begin, name.end - name.begin);
    if (out->module) return true;
    *root = symbol_in(&session->interp, text, name, &failed);
    out->value = value_of_symbol(*root);
    return !failed || error_memory(err, 0);
}

/* np.A is A. */
static bool step_of_module(const Session *session, const char *text, Span name, const Symbol **root,
                           Meaning *out, Error *err) {
    bool failed = false;
    *root = symbol_in(&session->interp, text, name, &failed);
    out->module = false;
    out->value = value_of_symbol(*root);
    return !failed || error_memory(err, 0);
}

static bool take_step(const Session *session, const char *text, Span span, const Symbol **root,
                      Meaning *out, Error *err) {
    if (out->module) return step_of_module(session, text, span, root, out, err);
    Text name;
    text_init(&name);
    name_write(&name, text + span.begin, span.end - span.begin);
    bool ok = text_ok(&name, err) && step(session, *root, &out->value, name.data, err);
    text_release(&name);
    *root = NULL;
    return ok;
}

bool chain_meaning(const Session *session, const char *text, Chain chain, Meaning *out,
                   Error *err) {
    Steps steps;
    Span name;
    const Symbol *root;
    *out = (Meaning){false, VALUE_MISSING};
    bool ok = begin_meaning(session, text, chain, &root, out, err);
    steps_begin(&steps, text, chain);
    while (ok && steps_next(&steps, &name)) ok = take_step(session, text, name, &root, out, err);
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

static bool value_callee(Callee *out, const Value *value, Error *err) {
    if (value->kind == VALUE_BUILTIN) return builtin_callee(out, value->builtin, 0, err);
    if (value->kind == VALUE_OBJECT && value->object->type->call)
        return builtin_callee(out, value->object->type->call, 1, err);
    if (value->kind != VALUE_FUNCTION) return false;
    const FunctionCode *code = value->function->code;
    out->function = value_ref(*value);
    out->name = code->name ? code->name->name : "lambda";
    out->count = code->parameter_count;
    return true;
}

/* The chain without its last name; false: it has but one. */
static bool receiver_chain(const char *text, Chain chain, Chain *receiver, Span *method) {
    Steps steps;
    Span name;
    size_t end = chain.root_end;
    bool found = false;
    steps_begin(&steps, text, chain);
    *receiver = chain;
    for (; steps_next(&steps, &name); found = true) {
        receiver->span.end = end;
        end = name.end;
        *method = name;
    }
    return found;
}

/* *found: the builtin that a method's call runs; NULL: none. */
static bool find_method_of(const Session *session, const char *text, Chain chain,
                           const BuiltinDef **found, Error *err) {
    Chain receiver;
    Span name;
    Meaning meaning;
    *found = NULL;
    if (!receiver_chain(text, chain, &receiver, &name)) return true;
    if (!chain_meaning(session, text, receiver, &meaning, err)) return false;
    bool failed = false;
    const Symbol *symbol = symbol_in(&session->interp, text, name, &failed);
    if (symbol && meaning.value.kind != VALUE_UNSET)
        *found = find_method((Interp *)&session->interp, &meaning.value, symbol->name);
    value_release(&meaning.value);
    return !failed || error_memory(err, 0);
}

bool callee_find(const Session *session, const char *text, Chain chain, Callee *out, Error *err) {
    const BuiltinDef *method;
    Meaning meaning;
    *out = (Callee){.function = VALUE_MISSING, .signature = {.rest = -1}};
    if (!find_method_of(session, text, chain, &method, err)) return false;
    if (method) return builtin_callee(out, method, 1, err);
    if (!chain_meaning(session, text, chain, &meaning, err)) return false;
    bool ok = value_callee(out, &meaning.value, err);
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

static void write_builtin_parameter(Text *out, const SignatureParameter *parameter) {
    if (parameter->rest) text_string(out, parameter->keywords ? "**" : "*");
    text_string(out, parameter->name);
    if (parameter->optional) text_format(out, "=%s", parameter->fallback_text);
}

static void write_own_parameter(Text *out, const Function *function, int i, int digits) {
    const Value *fallback = &function->fallbacks[i];
    text_string(out, function->code->parameters[i].name->name);
    if (fallback->kind == VALUE_UNSET) return;
    text_char(out, '=');
    if (fallback->kind == VALUE_TENSOR || fallback->kind == VALUE_LIST) text_string(out, "[...]");
    else value_write(out, fallback, digits, true);
}

void callee_write(const Callee *callee, int digits, Text *out) {
    text_format(out, "%s(", callee->name);
    for (int i = callee->first; i < callee->count; i++) {
        if (i > callee->first) text_string(out, ", ");
        if (callee->function.kind == VALUE_FUNCTION)
            write_own_parameter(out, callee->function.function, i, digits);
        else write_builtin_parameter(out, &callee->signature.parameters[i]);
    }
    text_char(out, ')');
}

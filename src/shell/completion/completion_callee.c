#include "shell/completion/completion_shared.h"

#include "library/run.h"

#include <string.h>

/* ---- chains ---- */

/* Sets *symbol to that of a name in a text, in whatever form it is typed (NULL: never seen), and
 * *value, if not NULL, to its value, a new one. False: memory ran out. */
static bool look_up(const Interp *interp, const char *text, Span span, const Symbol **symbol,
                    Value *value, Error *err) {
    LocalText name = TEXT_EMPTY;
    name_write(&name, text + span.begin, span.end - span.begin);
    bool ok = text_ok(&name, err);
    const Symbol *found = *symbol = ok ? interp_find(interp, name.data) : NULL;
    if (!value) return ok;

    const BuiltinDef *builtin = found ? found->builtin : NULL;
    *value = VALUE_MISSING;
    if (found && found->value.kind != VALUE_UNSET) *value = value_ref(found->value);
    else if (builtin && builtin->call) *value = (Value){.kind = VALUE_BUILTIN, .builtin = builtin};
    else if (builtin && !builtin->make) *value = value_number(builtin->constant);
    return ok;
}

/* Replaces *value, of the symbol `root` or NULL, by its attribute; by VALUE_UNSET if it has none of
 * that name. */
static bool take_attribute(const Session *session, const Symbol *root, Value *value,
                           const char *name, Error *err) {
    const InterpHooks *hooks = &session->interp.hooks;
    /* A transposed array has the attributes that the array has: it is not made. */
    if (value->kind == VALUE_TENSOR && strcmp(name, "T") == 0) return true;
    Value next = VALUE_MISSING;
    Error unknown = {.kind = ERR_NONE};
    Object *host =
        root && hooks->attribute_host ? hooks->attribute_host(hooks->context, root, name) : NULL;
    Value object = host ? (Value){.kind = VALUE_OBJECT, .object = host} : *value;
    /* The weights and scores of attention may have to be computed. They are arrays, and so is the
     * output, which is there. */
    bool late = strcmp(name, "weights") == 0 || strcmp(name, "scores") == 0;
    if (late && run_of(&object)) name = "output";
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
    const Symbol *symbol = NULL; /* of the value, if it was found by its name alone */
    Span name = {chain.span.begin, chain.root_end};
    bool ok = true;
    *out = (Meaning){false, VALUE_MISSING};
    if (chain.root == TOKEN_STRING) {
        ok = value_string(&out->value, "", 0, err); /* of a string only the kind matters */
    } else if (chain.root == TOKEN_NAME) {
        out->module = token_names_module(text + name.begin, name.end - name.begin);
        if (!out->module) ok = look_up(interp, text, name, &symbol, &out->value, err);
    }
    Chunk chunk = {.text = (char *)text, .length = chain.span.end};
    Lexer names = {
        .chunk = &chunk, .at = chain.root_end, .end = chain.span.end, .line = 1, .field = true};
    for (Token token; ok && lexer_next(&names, &token) && token.kind != TOKEN_END;) {
        if (token.kind != TOKEN_NAME) continue;
        name = token.span;
        if (out->module) { /* np.A is A */
            out->module = false;
            ok = look_up(interp, text, name, &symbol, &out->value, err);
        } else {
            LocalText attribute = TEXT_EMPTY;
            name_write(&attribute, text + name.begin, name.end - name.begin);
            ok = text_ok(&attribute, err) &&
                 take_attribute(session, symbol, &out->value, attribute.data, err);
            symbol = NULL;
        }
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

bool callee_find(const Session *session, const char *text, Chain chain, Callee *out, Error *err) {
    Meaning meaning;
    *out = (Callee){.function = VALUE_MISSING, .signature = {.rest = -1}};
    if (chain.last.end > 0) { /* a method of what the chain without its last name means */
        const BuiltinDef *method = NULL;
        const Symbol *symbol;
        Chain receiver = chain;
        receiver.span.end = chain.receiver_end;
        if (!chain_meaning(session, text, receiver, &meaning, err)) return false;
        bool found = look_up(&session->interp, text, chain.last, &symbol, NULL, err);
        if (symbol && meaning.value.kind != VALUE_UNSET)
            method = find_method((Interp *)&session->interp, &meaning.value, symbol->name);
        value_release(&meaning.value);
        if (!found) return false;
        if (method) return builtin_callee(out, method, 1, err);
    }
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
    if (callee->function.kind == VALUE_FUNCTION) {
        const FunctionCode *code = callee->function.function->code;
        return i == code->rest || i == code->keywords ? NULL : code->parameters[i].name->name;
    }
    const SignatureParameter *parameter = &callee->signature.parameters[i];
    return parameter->rest ? NULL : parameter->name;
}

void callee_write(const Callee *callee, int digits, Text *out) {
    const Function *function = callee->function.function;
    bool builtin = callee->function.kind != VALUE_FUNCTION;
    text_format(out, "%s(", callee->name);
    if (builtin) signature_write_parameters(out, &callee->signature, callee->first);
    for (int i = callee->first; !builtin && i < callee->count; i++) {
        const Value *fallback = &function->fallbacks[i];
        text_format(out, "%s%s%s", i > callee->first ? ", " : "",
                    parameter_stars(function->code, i), function->code->parameters[i].name->name);
        if (fallback->kind == VALUE_TENSOR || fallback->kind == VALUE_LIST) {
            text_string(out, "=[...]");
        } else if (fallback->kind != VALUE_UNSET) {
            text_char(out, '=');
            value_write(out, fallback, digits, true);
        }
    }
    text_char(out, ')');
}

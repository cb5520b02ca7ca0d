#include "base/memory.h"
#include "lang/values/convert.h"
#include "lang/eval/eval.h"
#include "lang/foreign.h"

#include <string.h>

/* What arguments are bound to: the parameters of a function of the language or of a builtin. */
typedef struct Formals {
    const Function *function; /* or */
    const Signature *signature;
    int count, rest; /* rest: -1 */
    bool keywords;   /* the rest takes keywords */
} Formals;

enum { TO_REST = -1 };

static Formals formals_of_function(const Function *function) {
    return (Formals){.function = function, .count = function->code->parameter_count, .rest = -1};
}

static Formals formals_of_builtin(const Signature *signature) {
    bool keywords = signature->rest >= 0 && signature->parameters[signature->rest].keywords;
    return (Formals){.signature = signature,
                     .count = signature->count,
                     .rest = signature->rest,
                     .keywords = keywords};
}

static const char *formal_name(const Formals *formals, int i) {
    return formals->function ? formals->function->code->parameters[i].name->name
                             : formals->signature->parameters[i].name;
}

/* ---- messages ---- */

static void write_function_signature(Text *text, const Function *function) {
    Value value = {.kind = VALUE_FUNCTION, .function = (Function *)function};
    Text written;
    text_init(&written);
    value_write(&written, &value, 6, true);
    const char prefix[] = "<function ";
    if (written.length > sizeof prefix)
        text_bytes(text, written.data + sizeof prefix - 1, written.length - sizeof prefix);
    text_release(&written);
}

static void write_signature(Text *text, const Formals *formals) {
    if (formals->function) write_function_signature(text, formals->function);
    else signature_write(text, formals->signature->builtin);
}

static const char *callee_name(const Formals *formals) {
    if (!formals->function) return formals->signature->builtin->name;
    const Symbol *name = formals->function->code->name;
    return name ? name->name : "the lambda";
}

static bool wrong_call(const Arguments *arguments, const Argument *argument, Error *err) {
    if (arguments->frame && argument && argument->node)
        place_error(arguments->frame, argument->node, err);
    return false;
}

static bool too_many(const Formals *formals, const Arguments *arguments, const Argument *argument,
                     Error *err) {
    Text text;
    text_init(&text);
    write_signature(&text, formals);
    error_set(err, ERR_TYPE, "more arguments than %s takes", text.data);
    text_release(&text);
    return wrong_call(arguments, argument, err);
}

/* The first line of a builtin's example, where it is a call. */
static bool hint_example(const Formals *formals, Error *err) {
    const BuiltinDef *builtin = formals->signature ? formals->signature->builtin : NULL;
    const char *example = builtin && builtin->example ? builtin->example : "",
               *comment = strstr(example, "  # ");
    size_t name = builtin ? strlen(builtin->name) : 0, length = strcspn(example, "\n");
    if (comment && (size_t)(comment - example) < length) length = (size_t)(comment - example);
    bool call =
        name && length < 60 && strncmp(example, builtin->name, name) == 0 && example[name] == '(';
    return call ? error_hint(err, "for example: %.*s", (int)length, example) : false;
}

static bool missing(const Formals *formals, int i, Error *err) {
    Text text;
    text_init(&text);
    write_signature(&text, formals);
    error_set(err, ERR_TYPE, "%s is called without %s", text.data, formal_name(formals, i));
    text_release(&text);
    return hint_example(formals, err);
}

static bool given_twice(const Formals *formals, const Arguments *arguments,
                        const Argument *argument, int i, Error *err) {
    error_set(err, ERR_TYPE, "%s: %s is given twice", callee_name(formals),
              formal_name(formals, i));
    return wrong_call(arguments, argument, err);
}

static int find_formal(const Formals *formals, const char *keyword) {
    for (int i = 0; i < formals->count; i++)
        if (i != formals->rest && strcmp(formal_name(formals, i), keyword) == 0) return i;
    return -1;
}

static bool unknown_keyword(const Formals *formals, const Arguments *arguments,
                            const Argument *argument, Error *err) {
    Nearest nearest;
    Text text;
    text_init(&text);
    write_signature(&text, formals);
    nearest_begin(&nearest, argument->keyword, strlen(argument->keyword));
    for (int i = 0; i < formals->count; i++) nearest_offer(&nearest, formal_name(formals, i));
    const char *here = foreign_keyword(argument->keyword);
    error_set(err, ERR_TYPE, "%s has no argument %s", callee_name(formals), argument->keyword);
    if (here && !*here) error_hint(err, "Leave it out: %s.", text.data);
    else if (here && find_formal(formals, here) >= 0)
        error_hint(err, "Here it is called %s: %s.", here, text.data);
    else if (nearest.found) error_hint(err, "Did you mean %s? %s.", nearest.found, text.data);
    else error_hint(err, "Its arguments are %s.", text.data);
    text_release(&text);
    return wrong_call(arguments, argument, err);
}

/* ---- which argument goes where ---- */

static bool match_position(const Formals *formals, const Arguments *arguments, Argument *argument,
                           int position, Error *err) {
    int room = formals->rest >= 0 ? formals->rest : formals->count;
    bool fits = position < room;
    if (!fits && (formals->rest < 0 || formals->keywords))
        return too_many(formals, arguments, argument, err);
    argument->parameter = fits ? position : TO_REST;
    return true;
}

static bool match_keyword(const Formals *formals, const Arguments *arguments, Argument *argument,
                          Error *err) {
    argument->parameter = find_formal(formals, argument->keyword);
    if (argument->parameter < 0 && !formals->keywords)
        return unknown_keyword(formals, arguments, argument, err);
    return true;
}

static bool match(const Formals *formals, Arguments *arguments, Error *err) {
    int position = 0;
    for (int i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
        if (argument->keyword ? !match_keyword(formals, arguments, argument, err)
                              : !match_position(formals, arguments, argument, position++, err))
            return false;
    }
    return true;
}

/* ---- functions of the language ---- */

static int slot_of(const Formals *formals, int i) {
    return formals->function->code->parameters[i].slot;
}

static bool fill_slots(const Formals *formals, Value *slots, Error *err) {
    for (int i = 0; i < formals->count; i++) {
        Value *slot = &slots[slot_of(formals, i)];
        if (slot->kind != VALUE_UNSET) continue;
        *slot = value_ref(formals->function->fallbacks[i]);
        if (slot->kind == VALUE_UNSET) return missing(formals, i, err);
    }
    return true;
}

bool bind_function(const Function *function, Arguments *arguments, Value *slots, Error *err) {
    Formals formals = formals_of_function(function);
    if (!match(&formals, arguments, err)) return false;
    for (int i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
        Value *slot = &slots[slot_of(&formals, argument->parameter)];
        if (slot->kind != VALUE_UNSET)
            return given_twice(&formals, arguments, argument, argument->parameter, err);
        *slot = argument->value;
        argument->value = VALUE_MISSING;
    }
    return fill_slots(&formals, slots, err);
}

/* ---- builtins ---- */

static bool take_rest(const Formals *formals, Argument *argument, Value *rest, size_t *count,
                      Error *err) {
    const SignatureParameter *parameter = &formals->signature->parameters[formals->rest];
    if (formals->keywords &&
        !value_string(&rest[(*count)++], argument->keyword, strlen(argument->keyword), err)) {
        --*count;
        return false;
    }
    Value *value = &rest[(*count)++];
    *value = argument->value;
    argument->value = VALUE_MISSING;
    return convert_argument(formals->signature->builtin, parameter, value, err);
}

static bool take_bound(const Formals *formals, const Arguments *arguments, Argument *argument,
                       Value *bound, Error *err) {
    int i = argument->parameter;
    if (bound[i].kind != VALUE_UNSET) return given_twice(formals, arguments, argument, i, err);
    bound[i] = argument->value;
    argument->value = VALUE_MISSING;
    return convert_argument(formals->signature->builtin, &formals->signature->parameters[i],
                            &bound[i], err);
}

static bool fill_bound(const Formals *formals, Value *bound, Error *err) {
    for (int i = 0; i < formals->count; i++) {
        const SignatureParameter *parameter = &formals->signature->parameters[i];
        if (bound[i].kind != VALUE_UNSET || parameter->rest) continue;
        if (!parameter->optional) return missing(formals, i, err);
        bound[i] = value_ref(parameter->fallback);
        /* None as a default stands for "not given", whatever the type. */
        if (bound[i].kind != VALUE_NONE &&
            !convert_argument(formals->signature->builtin, parameter, &bound[i], err))
            return false;
    }
    return true;
}

bool bind_builtin(const Signature *signature, Arguments *arguments, Value *bound, Value *rest,
                  size_t *rest_count, Error *err) {
    Formals formals = formals_of_builtin(signature);
    *rest_count = 0;
    if (!match(&formals, arguments, err)) return false;
    for (int i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
        bool ok = argument->parameter == TO_REST
                      ? take_rest(&formals, argument, rest, rest_count, err)
                      : take_bound(&formals, arguments, argument, bound, err);
        if (!ok && err && err->kind == ERR_TYPE && !*err->hint) hint_example(&formals, err);
        if (!ok) return wrong_call(arguments, argument, err);
    }
    return fill_bound(&formals, bound, err);
}

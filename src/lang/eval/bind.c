/* Binds the arguments of a call to parameters, of a function of the language or of a builtin. */
#include "lang/eval/eval.h"
#include "lang/remedy.h"
#include "lang/token.h"

#include <stdio.h>
#include <string.h>

/* The parameters that arguments are bound to. */
typedef struct Formals {
    const Function *function;   /* NULL: of a builtin */
    const Signature *signature; /* NULL: of a function */
    int count;
    int positional; /* how many can be given by position */
    int nameless;   /* and how many of these by position only */
    bool values;    /* further values are taken: *NAME */
    bool keywords;  /* and further keywords: **NAME */
} Formals;

enum { TO_REST = -1 };

static const char *formal_name(const Formals *formals, int i) {
    return formals->function ? formals->function->code->parameters[i].name->name
                             : formals->signature->parameters[i].name;
}

/* True if parameter i is *NAME or **NAME. */
static bool takes_rest(const Formals *formals, int i) {
    if (formals->signature) return formals->signature->parameters[i].rest;
    const FunctionCode *code = formals->function->code;
    return i == code->rest || i == code->keywords;
}

static int find_formal_from(const Formals *formals, int first, const char *keyword) {
    for (int i = first; i < formals->count; i++)
        if (!takes_rest(formals, i) && strcmp(formal_name(formals, i), keyword) == 0) return i;
    return -1;
}

static int find_formal(const Formals *formals, const char *keyword) {
    return find_formal_from(formals, formals->nameless, keyword);
}

/* The same; PyTorch's names of NumPy's arguments are read too. Functions that return two arrays
 * there, values and indices, keep their error. */
static int find_keyword(const Formals *formals, const char *keyword) {
    static const char *const twins[][2] = {{"dim", "axis"}, {"keepdim", "keepdims"}};
    int found = find_formal(formals, keyword);
    const char *name = formals->signature ? formals->signature->builtin->name : NULL;
    if (found >= 0 || !name || words_contain("max min median sort", name, strlen(name)))
        return found;
    for (size_t i = 0; found < 0 && i < 2; i++)
        if (strcmp(keyword, twins[i][0]) == 0) found = find_formal(formals, twins[i][1]);
    return found;
}

/* ---- messages ---- */

/* Writes f(x, y=1) as a function is shown, without the "<function " and ">" around it. */
static void write_signature(Text *text, const Formals *formals) {
    if (!formals->function) {
        signature_write(text, formals->signature->builtin);
        return;
    }
    Value value = {.kind = VALUE_FUNCTION, .function = (Function *)formals->function};
    const char prefix[] = "<function ";
    LocalText written = TEXT_EMPTY;
    value_write(&written, &value, 6, true);
    if (written.length > sizeof prefix)
        text_bytes(text, written.data + sizeof prefix - 1, written.length - sizeof prefix);
}

static const char *callee_name(const Formals *formals) {
    if (!formals->function) return formals->signature->builtin->name;
    const Symbol *name = formals->function->code->name;
    return name ? name->name : "the lambda";
}

/* The name of a function in Python's messages. */
typedef struct PythonName {
    char text[80];
} PythonName;

static PythonName python_name(const Formals *formals) {
    PythonName name;
    const FunctionCode *code = formals->function ? formals->function->code : NULL;
    const bool method = code && code->method;
    snprintf(name.text, sizeof name.text, "%s%s%s", method ? code->owner->name->name : "",
             method ? "." : "", code && !code->name ? "<lambda>" : callee_name(formals));
    return name;
}

/* Sets the place of an error to the argument. Returns false. */
static bool error_at(const Arguments *arguments, const Argument *argument, Error *err) {
    if (arguments->frame && argument->node) place_error(arguments->frame, argument->node, err);
    return false;
}

/* Hints at the first line of a builtin's example, where it is a call. */
static bool hint_example(const Formals *formals, Error *err) {
    const BuiltinDef *builtin = formals->signature ? formals->signature->builtin : NULL;
    if (!builtin || !builtin->example) return false;
    const char *example = builtin->example, *comment = strstr(example, "  # ");
    size_t name = strlen(builtin->name), length = strcspn(example, "\n");
    if (comment && (size_t)(comment - example) < length) length = (size_t)(comment - example);
    if (length >= 60 || strncmp(example, builtin->name, name) != 0 || example[name] != '(')
        return false;
    return error_hint(err, "for example: %.*s", (int)length, example);
}

/* True if parameter i has no value and no default; of a builtin, it is the one that lacks them. */
static bool lacks(const Formals *formals, const Value *slots, int i) {
    const Function *function = formals->function;
    return !function || (slots[function->code->parameters[i].slot].kind == VALUE_UNSET &&
                         function->fallbacks[i].kind == VALUE_UNSET);
}

/* Parameter i has no value and no default. */
static bool missing(const Formals *formals, const Value *slots, int i, Error *err) {
    LocalText text = TEXT_EMPTY, names = TEXT_EMPTY;
    write_signature(&text, formals);
    error_set(err, ERR_TYPE, "%s is called without %s", text.data, formal_name(formals, i));

    /* Python names all that are missing: 'a', 'b', and 'c'. */
    const bool named = formals->function && i >= formals->positional;
    const int end = !formals->function ? i + 1 : named ? formals->count : formals->positional;
    int count = 0, written = 0;
    for (int k = i; k < end; k++) count += lacks(formals, slots, k);
    for (int k = i; k < end; k++) {
        if (!lacks(formals, slots, k)) continue;
        const char *comma = written == 0 ? "" : count == 2 ? " " : ", ";
        const bool last = written > 0 && written == count - 1;
        text_format(&names, "%s%s'%s'", comma, last ? "and " : "", formal_name(formals, k));
        written++;
    }
    error_python(err, "%s() missing %d required %s argument%s: %s", python_name(formals).text,
                 count, named ? "keyword-only" : "positional", count == 1 ? "" : "s",
                 names.data ? names.data : "");
    return hint_example(formals, err);
}

static bool given_twice(const Formals *formals, const Arguments *arguments,
                        const Argument *argument, Error *err) {
    const bool rest = argument->parameter == TO_REST;
    const char *name = rest ? argument->keyword : formal_name(formals, argument->parameter);
    error_set(err, ERR_TYPE, "%s: %s is given twice", callee_name(formals), name);
    error_python(err, "%s() got multiple values for %sargument '%s'", python_name(formals).text,
                 rest ? "keyword " : "", name);
    return error_at(arguments, argument, err);
}

/* Keywords that NumPy's functions have besides, and how to write them here; %s is the function. */
static const struct {
    const char *keyword, *reducing, *other;
} refused[] = {
    {"out", "Give the result a name: y = %s(x).", "Give the result a name: y = %s(x)."},
    {"where", "Choose the elements first: %s(x[m]).",
     "Choose among the results: where(m, %s(x), 0)."},
    {"initial", "Join it to the elements: %s(concatenate([[a], flatten(x)])).", NULL},
};

static bool unknown_keyword(const Formals *formals, const Arguments *arguments,
                            const Argument *argument, Error *err) {
    const char *keyword = argument->keyword, *here = foreign_word(FOREIGN_KEYWORDS, keyword);
    if (find_formal_from(formals, 0, keyword) >= 0) {
        error_set(err, ERR_TYPE, "%s takes %s by position only", callee_name(formals), keyword);
        error_python(err,
                     "%s() got some positional-only arguments passed as keyword arguments: '%s'",
                     python_name(formals).text, keyword);
        error_hint(err, "Leave %s= out.", keyword);
        return error_at(arguments, argument, err);
    }
    const BuiltinDef *builtin = formals->signature ? formals->signature->builtin : NULL;
    bool reducing = builtin && builtin->group && strcmp(builtin->group, "reduce") == 0;
    const char *remedy = NULL;
    for (size_t i = 0; builtin && i < sizeof refused / sizeof *refused; i++)
        if (strcmp(refused[i].keyword, keyword) == 0)
            remedy = reducing ? refused[i].reducing : refused[i].other;
    enum { VALUE_MAX_SHOWN = 60 };
    const Node *value = arguments->frame ? argument->node : NULL;
    size_t shown = value ? value->span.end - value->span.begin : 0;
    if (shown > VALUE_MAX_SHOWN) shown = 0;
    Nearest nearest;
    LocalText text = TEXT_EMPTY;
    write_signature(&text, formals);
    nearest_begin(&nearest, keyword, strlen(keyword));
    for (int i = 0; i < formals->count; i++)
        if (!takes_rest(formals, i)) nearest_offer(&nearest, formal_name(formals, i));
    error_set(err, ERR_TYPE, "%s has no argument %s", callee_name(formals), keyword);
    error_python(err, "%s() got an unexpected keyword argument '%s'", python_name(formals).text,
                 keyword);
    if (remedy) error_hint(err, remedy, callee_name(formals));
    else if (here && !*here) error_hint(err, "Leave it out: %s.", text.data);
    else if (here && find_formal(formals, here) >= 0 && shown == 0)
        error_hint(err, "Here it is called %s.", here);
    else if (builtin && strcmp(keyword, "dims") == 0 && value && value->kind == NODE_NUMBER &&
             value->number >= 1 && find_formal(formals, "axis") >= 0 &&
             strcmp(builtin->name, "roll") != 0)
        error_hint(err,
                   "Here it is called axis and counts from 0: dims=%.0f of Julia is axis=%.0f.",
                   value->number, value->number - 1);
    else if (here && find_formal(formals, here) >= 0) /* axis=1 for dim=1 */
        error_hint(err, "Here it is called %s: %s=%.*s", here, here, (int)shown,
                   arguments->frame->chunk->text + argument->node->span.begin);
    else if (nearest.found) error_hint(err, "Did you mean %s? %s.", nearest.found, text.data);
    else error_hint(err, "Its arguments are %s.", text.data);
    return error_at(arguments, argument, err);
}

/* ---- binding arguments ---- */

/* Python's words for more values than there are parameters. */
static void too_many_python(const Formals *formals, const Arguments *arguments, Error *err) {
    const Value *fallbacks = formals->function ? formals->function->fallbacks : NULL;
    int most = formals->positional, least = most, given = 0;
    char range[40] = "";
    while (fallbacks && least > 0 && fallbacks[least - 1].kind != VALUE_UNSET) least--;
    for (int i = 0; i < arguments->count; i++) given += !arguments->items[i].keyword;
    if (least < most) snprintf(range, sizeof range, "from %d to ", least);
    error_python(err, "%s() takes %s%d positional argument%s but %d %s given",
                 python_name(formals).text, range, most, most == 1 ? "" : "s", given,
                 given == 1 ? "was" : "were");
}

/* Sets the parameter of each argument. */
static bool match_arguments(const Formals *formals, Arguments *arguments, Error *err) {
    int position = 0;
    for (int i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
        if (argument->keyword) {
            argument->parameter = find_keyword(formals, argument->keyword); /* -1 is TO_REST */
            if (argument->parameter < 0 && !formals->keywords)
                return unknown_keyword(formals, arguments, argument, err);
        } else if (position < formals->positional) {
            argument->parameter = position++;
        } else if (formals->values) {
            argument->parameter = TO_REST;
        } else {
            LocalText text = TEXT_EMPTY;
            write_signature(&text, formals);
            error_set(err, ERR_TYPE, "more arguments than %s takes", text.data);
            too_many_python(formals, arguments, err);
            return error_at(arguments, argument, err);
        }
    }
    return true;
}

/* Moves the value of an argument to where it is bound. */
static void move_to(Value *place, Argument *argument) {
    *place = argument->value;
    argument->value = VALUE_MISSING;
}

/* Puts an argument that has no parameter of its own into *NAME's tuple or **NAME's record. */
static bool add_to_rest(const Formals *formals, const Arguments *arguments,
                        const Argument *argument, Value *slots, Error *err) {
    const FunctionCode *code = formals->function->code;
    if (!argument->keyword)
        return list_append(slots[code->parameters[code->rest].slot].list, argument->value, err);
    Record *record = slots[code->parameters[code->keywords].slot].record;
    if (record_get(record, argument->keyword))
        return given_twice(formals, arguments, argument, err);
    return record_set(record, argument->keyword, argument->value, err);
}

bool bind_function(const Function *function, Arguments *arguments, Value *slots, Error *err) {
    const FunctionCode *code = function->code;
    Formals formals = {.function = function,
                       .count = code->parameter_count,
                       .positional = code->positional,
                       .nameless = code->nameless,
                       .values = code->rest >= 0,
                       .keywords = code->keywords >= 0};
    if (!match_arguments(&formals, arguments, err)) return false;
    if (formals.values &&
        !value_list_new(&slots[code->parameters[code->rest].slot], VALUE_TUPLE, 0, err))
        return false;
    if (formals.keywords && !value_record_new(&slots[code->parameters[code->keywords].slot], err))
        return false;
    for (int i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
        if (argument->parameter == TO_REST) {
            if (!add_to_rest(&formals, arguments, argument, slots, err)) return false;
            continue;
        }
        Value *slot = &slots[code->parameters[argument->parameter].slot];
        if (slot->kind != VALUE_UNSET) return given_twice(&formals, arguments, argument, err);
        move_to(slot, argument);
    }
    for (int i = 0; i < formals.count; i++) {
        Value *slot = &slots[code->parameters[i].slot];
        if (slot->kind != VALUE_UNSET) continue;
        *slot = value_ref(function->fallbacks[i]);
        if (slot->kind == VALUE_UNSET) return missing(&formals, slots, i, err);
    }
    return true;
}

/* ---- builtins ---- */

/* Adds an argument to the rest: *NAME receives the value; **NAME its keyword, then the value;
 * ***NAME both, the keyword unset if there is none. */
static bool bind_rest(const Formals *formals, Argument *argument, Value *rest, size_t *count,
                      Error *err) {
    const Signature *signature = formals->signature;
    if (formals->keywords) {
        const char *keyword = argument->keyword;
        rest[*count] = VALUE_MISSING;
        if (keyword && !value_string(&rest[*count], keyword, strlen(keyword), err)) return false;
        ++*count;
    }
    Value *value = &rest[(*count)++];
    move_to(value, argument);
    return convert_argument(signature->builtin, &signature->parameters[signature->rest], value,
                            err);
}

bool bind_builtin(const Signature *signature, Arguments *arguments, Value *bound, Value *rest,
                  size_t *rest_count, Error *err) {
    const SignatureParameter *parameters = signature->parameters;
    const SignatureParameter *stars = signature->rest < 0 ? NULL : &parameters[signature->rest];
    Formals formals = {.signature = signature,
                       .count = signature->count,
                       .positional = signature->positional,
                       .nameless = signature->nameless,
                       .values = stars && (!stars->keywords || stars->both),
                       .keywords = stars && stars->keywords};
    *rest_count = 0;
    if (!match_arguments(&formals, arguments, err)) return false;
    for (int i = 0; i < arguments->count; i++) {
        Argument *argument = &arguments->items[i];
        int to = argument->parameter;
        bool ok;
        if (to == TO_REST) {
            ok = bind_rest(&formals, argument, rest, rest_count, err);
        } else if (bound[to].kind != VALUE_UNSET) {
            ok = given_twice(&formals, arguments, argument, err);
        } else {
            move_to(&bound[to], argument);
            ok = convert_argument(signature->builtin, &parameters[to], &bound[to], err);
        }
        if (ok) continue;
        if (err && err->kind == ERR_TYPE && !*err->hint) hint_example(&formals, err);
        return error_at(arguments, argument, err);
    }
    for (int i = 0; i < formals.count; i++) {
        if (bound[i].kind != VALUE_UNSET || parameters[i].rest) continue;
        if (!parameters[i].optional) return missing(&formals, NULL, i, err);
        bound[i] = value_ref(parameters[i].fallback);
        /* None as a default means "not given", whatever the type. */
        if (bound[i].kind != VALUE_NONE &&
            !convert_argument(signature->builtin, &parameters[i], &bound[i], err))
            return false;
    }
    return true;
}

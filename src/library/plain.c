/* Functions that Python has without an import: print, len, conversions. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/number.h"
#include "base/utf8.h"
#include "lang/exception.h"
#include "lang/class.h"
#include "lang/parser.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* ---- print and str ---- */

static bool print_values(const Call *call, Value *out, Error *err) {
    LocalText text = TEXT_EMPTY;
    *out = VALUE_NOTHING;
    for (size_t i = 0; i < call->rest_count; i++) {
        if (i > 0) text_string(&text, given_at(call, 1) ? string_at(call, 1)->data : " ");
        value_write(&text, &call->rest[i], call->interp->digits, false);
    }
    text_string(&text, given_at(call, 2) ? string_at(call, 2)->data : "\n");
    if (!text_ok(&text, err)) return false;
    const Value *target = &call->arguments[3];
    if (target->kind == VALUE_INSTANCE) {
        LocalValue words = VALUE_MISSING, count = VALUE_MISSING;
        return value_string(&words, text.data, text.length, err) &&
               call_named(call->interp, target, "write", &words, 1, &count, err);
    }
    if (target->kind != VALUE_NONE && target->kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "print: file must be an open file, not %s",
                         value_words(target));
    const char *file = given_at(call, 3) ? string_at(call, 3)->data : "stdout";
    if (strcmp(file, "stdout") == 0)
        return host_write_printed(call->interp->host, text.data, text.length, err) &&
               (!call->arguments[4].boolean || host_flush(call->interp->host, err));
    if (strcmp(file, "stderr") != 0) {
        error_set(err, ERR_VALUE, "print writes to sys.stdout or sys.stderr");
        return error_hint(err, "with open(\"x.txt\", \"w\") as f: print(1, file=f)");
    }
    for (const char *line = text.data; *line;) { /* each is a remark of its own */
        size_t length = strcspn(line, "\n");
        host_note(call->interp->host, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return true;
}

/* str, and repr, with 1 in its row, which puts strings in quotes. */
static bool to_string(const Call *call, Value *out, Error *err) {
    Text text = TEXT_EMPTY;
    bool quoted = call->builtin->constant == 1;
    value_write(&text, &call->arguments[0], call->interp->digits, quoted);
    return value_text(out, &text, err);
}

/* ---- sequences ---- */

static bool no_length(const Value *x, Error *err) {
    error_set(err, ERR_TYPE, "%s has no length", value_words(x));
    return error_python(err, "object of type '%s' has no len()", value_type_name(x));
}

static bool len(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    size_t length = 0;
    if (x->kind == VALUE_STRING) length = string_count(x->string);
    else if (value_is_list(x)) length = x->list->count;
    else if (x->kind == VALUE_RECORD) length = x->record->count;
    else if (x->kind == VALUE_SET) length = x->set->used;
    else if (x->kind == VALUE_TENSOR && x->tensor->shape.axes > 0)
        length = x->tensor->shape.size[0];
    else if (class_members(x)) length = class_members(x)->record->count;
    else if (x->kind == VALUE_INSTANCE) {
        bool found;
        bool ok = call_special(x, SPECIAL_LEN, NULL, 0, &found, out, err);
        if (found) return ok;
        if (instance_value(x)) {
            const Call inner = {
                .interp = call->interp, .builtin = call->builtin, .arguments = instance_value(x)};
            return len(&inner, out, err);
        }
        no_length(x, err);
        return error_hint(err, "A method __len__(self) of %s gives it.", value_words(x));
    } else {
        no_length(x, err);
        return x->kind == VALUE_ITERATOR &&
               error_hint(err, "xs = list(it) has all that the iterator gives.");
    }
    *out = value_number((double)length);
    return true;
}

/* ---- conversions ---- */

static bool make_of_type(const Call *call, Value *out, Error *err) {
    (void)out;
    return error_set(err, ERR_TYPE, "%s is a type whose values no call makes", call->builtin->name);
}

/* Types that no function makes values of. */
static const BuiltinDef types_of_kinds[] = {
#define TYPE(KIND, NAME) \
    [KIND] = {.name = NAME, .type = NAME, .parameters = "***values:any", .call = make_of_type}
    TYPE(VALUE_NONE, "NoneType"),
    TYPE(VALUE_FUNCTION, "function"),
    TYPE(VALUE_BUILTIN, "builtin_function_or_method"),
    TYPE(VALUE_METHOD, "method"),
    TYPE(VALUE_ITERATOR, "generator"), /* of the other iterators map, zip and so on are the types */
#undef TYPE
};

/* A class, or the function that makes values of the type; of what only attn has, as a model, a
 * word. */
static bool type_of(const Call *call, Value *out, Error *err) {
    enum { KINDS = sizeof types_of_kinds / sizeof *types_of_kinds };
    const Value *x = &call->arguments[0];
    if (x->kind == VALUE_INSTANCE) {
        *out = value_ref((Value){.kind = VALUE_CLASS, .class = class_of(x)});
        return true;
    }
    const char *name = value_type_name(x);
    const Symbol *symbol = interp_find(call->interp, name);
    const BuiltinDef *builtin = symbol ? symbol->builtin : NULL;
    bool own = (size_t)x->kind < KINDS && types_of_kinds[x->kind].name;
    if (own && strcmp(name, types_of_kinds[x->kind].name) == 0) builtin = &types_of_kinds[x->kind];
    if (!builtin || !builtin->type) return value_string(out, name, strlen(name), err);
    *out = (Value){.kind = VALUE_BUILTIN, .builtin = builtin};
    return true;
}

/* A whole string as a number, white space around it and a sign allowed. */
static bool read_number(const String *string, double *out) {
    const char *text = string->data;
    size_t length = string->length;
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) length--;
    for (; length > 0 && strchr(" \t\r\n", *text); length--) text++;
    return number_read_whole(text, length, out);
}

/* The number that __float__, or for int __int__, of an object gives. */
static bool number_of_object(const Call *call, double *out, Error *err) {
    const Value *x = &call->arguments[0];
    bool whole = strcmp(call->builtin->name, "int") == 0, found;
    LocalValue answer = VALUE_MISSING;
    if (!call_special(x, whole ? SPECIAL_INT : SPECIAL_FLOAT, NULL, 0, &found, &answer, err)) {
        answer = VALUE_MISSING;
        return false;
    }
    if (found) return value_plain_number(&answer, "the number", out, err);
    error_set(err, ERR_TYPE, "%s cannot become a number", value_words(x));
    return error_hint(err, "A method __%s__(self) of %s does it.", call->builtin->name,
                      value_words(x));
}

static bool no_number(const Call *call, Error *err) {
    const Value *x = &call->arguments[0];
    const char *name = call->builtin->name;
    error_set(err, ERR_TYPE, "%s cannot become a number", value_words(x));
    return error_python(err, "%s() argument must be a string%s or a real number, not '%s'", name,
                        strcmp(name, "int") == 0 ? ", a bytes-like object" : "",
                        value_type_name(x));
}

/* The number in a value: numbers, booleans, strings, arrays with one element. */
static bool number_of(const Call *call, double *out, Error *err) {
    const Value *x = &call->arguments[0];
    if (value_is_list(x) && interp_runs_python(call->interp)) return no_number(call, err);
    LocalValue array = value_ref(*x);
    value_become_array(&array);
    x = &array;
    if (x->kind == VALUE_NUMBER) {
        *out = x->number;
    } else if (x->kind == VALUE_BOOL) {
        *out = x->boolean;
    } else if (x->kind == VALUE_TENSOR && x->tensor->count == 1) {
        *out = tensor_get(x->tensor, 0);
    } else if (x->kind == VALUE_TENSOR) {
        error_set(err, ERR_TYPE, "an array of shape %s is not one number",
                  shape_words(&x->tensor->shape));
        error_python(err, "only size-1 arrays can be converted to Python scalars");
        return error_hint(err, "float64(A) and trunc(A) work on each element.");
    } else if (x->kind == VALUE_INSTANCE) {
        return number_of_object(call, out, err);
    } else if (x->kind != VALUE_STRING) {
        return no_number(call, err);
    } else if (!read_number(x->string, out)) {
        error_set(err, ERR_VALUE, "\"%.60s\" is not a number", x->string->data);
        LocalText quoted = TEXT_EMPTY;
        value_write(&quoted, x, 0, true);
        return error_python(err,
                            strcmp(call->builtin->name, "int") == 0
                                ? "invalid literal for int() with base 10: %s"
                                : "could not convert string to float: %s",
                            quoted.data);
    }
    return true;
}

static bool to_float(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    const Shape scalar = shape_scalar();
    double number;
    if (x->kind == VALUE_TENSOR && x->tensor->node && x->tensor->count == 1)
        return give(compute_reshape(tensor_ref(x->tensor), &scalar, err), out);
    if (!number_of(call, &number, err)) return false;
    *out = value_number(number);
    return true;
}

/* Gives the whole number that a string spells in a base. The digits may begin with the prefix of
 * the base, 0b, 0o or 0x, and have underscores between them. Base 0 is that of the prefix, or
 * else 10. */
static bool int_in_base(const Call *call, Value *out, Error *err) {
    const char *text = call->arguments[0].kind == VALUE_STRING ? string_at(call, 0)->data : NULL;
    long long base = whole_at(call, 1);
    if (!text) return error_set(err, ERR_TYPE, "int takes a base for a string alone");
    if (base < 0 || base == 1 || base > 36) {
        error_set(err, ERR_VALUE, "a base is 2 to 36, not %lld", base);
        return error_python(err, "int() base must be >= 2 and <= 36, or 0");
    }
    const char *at = text + strspn(text, " \t\n"), *end = text + strlen(text);
    while (end > at && strchr(" \t\n", end[-1])) end--;
    bool negative = *at == '-', known = false; /* whether the last character was a digit */
    if (*at == '-' || *at == '+') at++;
    int letter = at[0] == '0' ? at[1] | ' ' : 0;
    int named = letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'x' ? 16 : 0;
    if (named && (base == named || base == 0)) at += 2;
    if (base == 0) base = named ? named : 10;
    double number = 0;
    for (; at < end && (known || *at != '_'); at++) {
        int digit = 36;
        letter = *at | ' ';
        if (*at >= '0' && *at <= '9') digit = *at - '0';
        else if (letter >= 'a' && letter <= 'z') digit = letter - 'a' + 10;
        known = digit < base;
        if (known) number = number * (double)base + digit;
        else if (*at != '_') break;
    }
    if (!known || at < end) {
        error_set(err, ERR_VALUE, "\"%.60s\" is not a whole number in base %lld", text, base);
        return error_python(err, "invalid literal for int() with base %lld: '%s'", base, text);
    }
    *out = value_number(negative ? -number : number);
    return true;
}

static bool to_int(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    double number;
    if (given_at(call, 1)) return int_in_base(call, out, err);
    if (!value_is_untracked(x, "int(x)", err) || !number_of(call, &number, err)) return false;
    if (!isfinite(number)) {
        error_set(err, ERR_VALUE, "%s is not a whole number", isnan(number) ? "nan" : "inf");
        if (isinf(number)) error_mark(err, "OverflowError");
        return error_python(err, "cannot convert float %s to integer",
                            isnan(number) ? "NaN" : "infinity");
    }
    if (x->kind == VALUE_STRING && strpbrk(x->string->data, ".eE")) {
        error_set(err, ERR_VALUE, "\"%.60s\" is not a whole number", x->string->data);
        error_python(err, "invalid literal for int() with base 10: '%s'", x->string->data);
        return error_hint(err, "int(float(text)) cuts off the decimals.");
    }
    *out = value_number(trunc(number));
    return true;
}

static bool to_bool(const Call *call, Value *out, Error *err) {
    bool truth;
    if (!value_is_untracked(&call->arguments[0], "bool(x)", err)) return false;
    if (!value_truth(&call->arguments[0], &truth, err)) return false;
    *out = value_bool(truth);
    return true;
}

/* ---- the rest ---- */

static bool now(const Call *call, Value *out, Error *err) {
    struct timespec moment;
    (void)call, (void)err;
    timespec_get(&moment, TIME_UTC);
    *out = value_number((double)moment.tv_sec + (double)moment.tv_nsec * 1e-9);
    return true;
}

static bool process_time(const Call *call, Value *out, Error *err) {
    (void)call, (void)err;
    *out = value_number((double)clock() / CLOCKS_PER_SEC);
    return true;
}

/* Waits in parts, as Ctrl-C may be told to another thread. */
static bool sleep_for(const Call *call, Value *out, Error *err) {
    if (!(number_at(call, 0) >= 0)) {
        error_set(err, ERR_VALUE, "the time to wait is 0 seconds or more, not %g",
                  number_at(call, 0));
        return error_python(err, "sleep length must be non-negative");
    }
    const double part = 0.05, end = clock_seconds() + number_at(call, 0);
    for (double left; !call->interp->rehearses && (left = end - clock_seconds()) > 0;) {
        if (interrupted(err)) return false;
        nanosleep(&(struct timespec){0, (long)(fmin(left, part) * 1e9)}, NULL);
    }
    *out = VALUE_NOTHING;
    return true;
}

static bool utc_offset(const Call *call, Value *out, Error *err) {
    const time_t moment = (time_t)number_at(call, 0);
    struct tm parts;
    (void)err;
    *out = value_number(localtime_r(&moment, &parts) ? (double)parts.tm_gmtoff : 0);
    return true;
}

/* Adds what a name of the expression stands for. */
static bool add_name(Record *names, const char *source, const char *name, Value value, Error *err) {
    for (const char *at = name; *at; at++)
        if (!utf8_is_name((unsigned char)*at) && (unsigned char)*at < 0x80) return true;
    if (!*name || (*name >= '0' && *name <= '9') || !strstr(source, name)) return true;
    return record_set(names, name, value, err);
}

static bool add_names(Record *names, const char *source, const Value *given, Error *err) {
    for (size_t i = 0; given->kind == VALUE_RECORD && i < given->record->count; i++) {
        const Value *key = &given->record->keys[i];
        if (key->kind == VALUE_STRING &&
            !add_name(names, source, key->string->data, given->record->values[i], err))
            return false;
    }
    return true;
}

/* The variables of the function that runs. */
static bool add_own_names(Record *names, const char *source, const Frame *frame, Error *err) {
    for (int i = 0; frame && i < frame->code->slot_count; i++) {
        const Value *value = &frame->slots[i];
        if (value->kind == VALUE_CELL) value = &value->cell->value;
        if (frame->code->names[i] && value->kind != VALUE_UNSET &&
            !add_name(names, source, frame->code->names[i]->name, *value, err))
            return false;
    }
    return true;
}

/* Evaluates a text as the body of a function, whose parameters are the names that are not those of
 * the session. */
static bool eval_text(const Call *call, Value *out, Error *err) {
    const char *source = string_at(call, 0)->data;
    const bool given = given_at(call, 1) || given_at(call, 2);
    LocalValue names = VALUE_MISSING, function = VALUE_MISSING;
    if (interp_leaves_out(call->interp, err) || !value_record_new(&names, err)) return false;
    if (!add_names(names.record, source, &call->arguments[1], err) ||
        !add_names(names.record, source, &call->arguments[2], err) ||
        (!given && !add_own_names(names.record, source, call->interp->running, err)))
        return false;
    source += strspn(source, " \t\n");
    LocalChunk *alone = NULL; /* by itself it has to be whole, too: 1) + (2 is not */
    if (parse(call->interp, "", source, strlen(source), false, &alone, err) == PARSE_ERROR) {
        if (err) err->line = 0; /* the call is the place */
        return false;
    }
    LocalText text = TEXT_EMPTY;
    text_string(&text, "lambda ");
    for (size_t i = 0; i < names.record->count; i++)
        text_format(&text, "%s, ", names.record->keys[i].string->data);
    text_format(&text, *source ? ": (%s\n)" : ":", source);
    bool ok =
        text_ok(&text, err) && interp_evaluate(call->interp, text.data, &function, err) &&
        interp_call(call->interp, &function, names.record->values, names.record->count, out, err);
    if (!ok && err) err->line = 0; /* the call is the place */
    return ok;
}

/* NumPy counts digits behind the point, `set digits` significant ones: of numbers below 1 these are
 * the same but for the zeros in front. The further options concern forms that are not used here. */
static bool set_printoptions(const Call *call, Value *out, Error *err) {
    Interp *interp = call->interp;
    *out = VALUE_NOTHING;
    if (given_at(call, 1) && isnan(number_at(call, 1)))
        return error_set(err, ERR_VALUE, "threshold is a number of elements, not nan");
    if (given_at(call, 1)) value_write_at_most(number_at(call, 1));
    if (!given_at(call, 0)) return true;
    double digits = fmin(fmax(number_at(call, 0), 1), 17);
    (void)err;
    if (interp_runs_python(interp)) {
        interp->digits = interp->python_digits = -(int)digits;
        return true;
    }
    interp->digits = (int)digits;
    if (interp->hooks.set_digits) interp->hooks.set_digits(interp->hooks.context, interp->digits);
    return true;
}

static bool leave(const Call *call, Value *out, Error *err) {
    (void)out;
    return raise_predefined(call->interp, "SystemExit", &call->arguments[0], err);
}

#define GROUP "plain"

const BuiltinDef plain_table[] = {
    {BUILTIN("print", print_values),
     .parameters = "*values:any sep:text?=\" \" end:text?=None file:any=None flush:bool=False",
     .summary = "Writes values, with sep between them and a new line at the end (or what end= "
                "says). file=sys.stderr writes a remark that is no result, file=f into an open "
                "file. At a terminal, control characters but \\r are shown as signs (␛); a file or "
                "a pipe gets them as they are.",
     .example = "print(\"tau =\", 0.5)\n# -> tau = 0.5\nprint(1, 2, sep=\", \")\n# -> 1, 2",
     .see = "str"},
    {BUILTIN("len", len), .parameters = "x:any",
     .summary = "How many items a list has, characters a string, rows an array.",
     .example = "len([[1, 2], [3, 4], [5, 6]])\n# -> 3\nlen(\"词语\")\n# -> 2", .see = "shape"},
    {BUILTIN("type", type_of), .type = "type", .parameters = "x:any",
     .summary = "The type of a value, as in Python: list, str, int, float, bool, tuple, dict, "
                "np.ndarray, or a class. A whole number is an int, however it came about. Of what "
                "Python has not, as a model, it is a word.",
     .example = "type([1, 2]) == list\n# -> True\ntype(\"a\")\n# -> <class 'str'>\n"
                "type(0.5).__name__\n# -> 'float'",
     .see = "isinstance"},
    {BUILTIN("str", to_string), .type = "str", .parameters = "x:any=\"\"",
     .summary = "A value as a string, as print writes it.",
     .example = "print(\"pi is \" + str(pi))\n# -> pi is 3.142", .see = "print json"},
    {BUILTIN("repr", to_string), .constant = 1, .parameters = "x:any",
     .summary = "A value as a string, as it would be typed: as str, but strings are in quotes.",
     .example = "print(repr(\"a\"))\n# -> 'a'", .see = "str"},
    {BUILTIN("float", to_float), .type = "float", .parameters = "x:any=0",
     .summary =
         "The number that a string spells, or that a boolean or an array of one element holds.",
     .example = "float(\"2.5\")\n# -> 2.5", .see = "int float64"},
    {BUILTIN("int", to_int), .type = "int", .parameters = "x:any=0 base:whole?=None",
     .summary = "A whole number: what a string spells, in base 10 or another one up to 36, or a "
                "number without its decimals.",
     .example = "int(2.9)\n# -> 2\nint(\"12\")\n# -> 12\nint(\"ff\", 16)\n# -> 255",
     .see = "float round floor bin hex"},
    {BUILTIN("bool", to_bool), .type = "bool", .parameters = "x:any=False",
     .summary = "Whether a value counts as true: numbers other than 0, and what is not empty.",
     .example = "bool(0)\n# -> False\nbool(\"a\")\n# -> True", .see = "any all"},
    {BUILTIN("eval", eval_text),
     .parameters = "source:text globals:record?=None locals:record?=None",
     .summary = "The value of the expression in a string. The names in it are those of the "
                "dictionaries, where they are given, or else the variables of the function that "
                "runs, and those of the session.",
     .example = "eval(\"1 + 2 * 3\")\n# -> 7\neval(\"x ** 2\", {\"x\": 5})\n# -> 25",
     .see = "json float"},
    {BUILTIN("time", now), .parameters = "",
     .summary =
         "The time in seconds (since 1970). The difference of two says how long something took.",
     .example = "start = time()\ntime() - start < 60\n# -> True"},
    {BUILTIN("process_time", process_time), .parameters = "",
     .summary = "The processor time that the program has used, in seconds, of all its threads.",
     .example = "start = process_time()\nprocess_time() - start < 60\n# -> True", .see = "time"},
    {BUILTIN("sleep", sleep_for), .parameters = "seconds:number",
     .summary = "Waits for so many seconds. Ctrl-C ends the wait.",
     .example = "start = time()\nsleep(0.01)\ntime() - start > 0.005\n# -> True", .see = "time"},
    {BUILTIN("utc_offset", utc_offset), .parameters = "seconds:number",
     .summary = "How many seconds the clocks of this place are ahead of UTC at a time().",
     .example = "abs(utc_offset(time())) < 86400\n# -> True", .see = "time"},
    {BUILTIN("record", give_keywords), .parameters = "**fields:any",
     .summary = "Several values under names: r = record(a=1, b=2) has r.a and r[\"b\"].",
     .example = "r = record(a=1, b=[2, 3])\nr.b\n# -> [2, 3]", .see = "json"},
    {BUILTIN("set_printoptions", set_printoptions),
     .parameters = "precision:whole?=None threshold:number?=None **options:any",
     .summary =
         "As in NumPy: how many digits are shown, the same as the command set digits; in a "
         ".py file, up to how many elements an array is printed whole. What else NumPy takes "
         "(suppress, linewidth) changes nothing here.",
     .example = "set_printoptions(precision=2)\nprint(pi)\n# -> 3.1\nset_printoptions(precision=4)",
     .see = "print"},
    {BUILTIN("exit", leave), .parameters = "status:any=None",
     .summary =
         "Leaves attn, as raise SystemExit does. A whole number is the status of the program; "
         "another value is printed as an error, with status 1.",
     .example = "exit()", .see = "quit"},
    {BUILTIN("quit", leave), .parameters = "status:any=None",
     .summary = "Leaves attn, as exit does.", .example = "quit()", .see = "exit"},
    {0},
};

/* Operators, questions and text of objects: they call the methods that their classes define. */
#include "lang/class.h"

#include "lang/eval/eval.h"
#include "lang/exception.h"
#include "lang/key_index.h"

#include <string.h>

/* ---- errors that wait ---- */

static Error late = {.kind = ERR_NONE};
bool late_error;

void keep_late(const Error *err) {
    if (!late_error) late = *err;
    late_error = true;
}

bool take_late(Error *err) {
    if (!late_error) return false;
    if (err) *err = late;
    late_error = false;
    return true;
}

/* ---- methods with underscores ---- */

bool call_special(const Value *object, Special special, const Value *arguments, size_t count,
                  bool *found, Value *out, Error *err) {
    enum { MOST = 4 };
    const Class *class = class_of(object);
    const Value *method = class ? class_special(class, special) : NULL;
    Value all[MOST] = {*object};
    *found = method != NULL;
    if (!method) return true;
    if (method->kind != VALUE_FUNCTION && method->kind != VALUE_METHOD)
        return interp_call(class->interp, method, arguments, count, out, err); /* not bound */
    if (method->kind == VALUE_METHOD) { /* a static or class method */
        LocalValue bound = VALUE_MISSING;
        Symbol *name = class->interp->specials[special];
        return member_attribute(class->interp, object, name, &bound, err) &&
               interp_call(class->interp, &bound, arguments, count, out, err);
    }
    for (size_t i = 0; i < count; i++) all[i + 1] = arguments[i];
    LocalValue held = value_ref(*method); /* it may take itself out of the class */
    return interp_call(class->interp, &held, all, count + 1, out, err);
}

/* The name of Python's operator among the methods: __add__ for +. */
static int special_of(Op op) {
    static const Special specials[OP_COUNT] = {
        [OP_ADD] = SPECIAL_ADD,           [OP_SUBTRACT] = SPECIAL_SUB,
        [OP_MULTIPLY] = SPECIAL_MUL,      [OP_DIVIDE] = SPECIAL_TRUEDIV,
        [OP_MODULO] = SPECIAL_MOD,        [OP_FLOOR_DIVIDE] = SPECIAL_FLOORDIV,
        [OP_POWER] = SPECIAL_POW,         [OP_MATMUL] = SPECIAL_MATMUL,
        [OP_AND] = SPECIAL_AND,           [OP_OR] = SPECIAL_OR,
        [OP_BIT_XOR] = SPECIAL_XOR,       [OP_LEFT_SHIFT] = SPECIAL_LSHIFT,
        [OP_RIGHT_SHIFT] = SPECIAL_RSHIFT};
    return specials[op] ? (int)specials[op] : SPECIAL_COUNT;
}

/* Asks x by a method with one argument. *done: it answered, and not with NotImplemented, or failed.
 */
static bool ask(const Value *x, int special, const Value *argument, bool *done, Value *out,
                Error *err) {
    bool ok = call_special(x, (Special)special, argument, 1, done, out, err);
    if (ok && *done && is_not_implemented(out)) {
        drop(out);
        *done = false;
    }
    return ok;
}

bool instance_binary(Interp *interp, Op op, const Value *a, const Value *b, Value *out,
                     Error *err) {
    int special = special_of(op);
    bool done = false, ok = true;
    /* The class that extends that of the left side goes first. */
    const Class *left = class_of(a), *right = class_of(b);
    bool other_first = left && right && left != right && class_extends(right, left);
    for (int i = 0; special < SPECIAL_COUNT && i < 2 && !done; i++) {
        bool reflected = (i == 1) != other_first;
        if (reflected) ok = ask(b, special - SPECIAL_ADD + SPECIAL_RADD, a, &done, out, err);
        else ok = ask(a, special, b, &done, out, err);
        if (!ok) return false;
    }
    if (done) return true;
    const Value *x = instance_value(a), *y = instance_value(b);
    if (x) a = x;
    if (y) b = y;
    if ((x || y) && interp_runs_python(interp) && value_is_joined(op, a, b))
        return value_join(op, a, b, out, err);
    if (x || y) return value_binary(interp, op, a, b, out, err);
    const char *sign = op_sign(op), *name = interp->specials[special]->name;
    error_set(err, ERR_TYPE, "%s cannot combine %s and %s", sign, value_words(a), value_words(b));
    error_python(err, "unsupported operand type(s) for %s: '%s' and '%s'", sign, value_type_name(a),
                 value_type_name(b));
    if (special == SPECIAL_COUNT) return false;
    if (left)
        return error_hint(err, "A method %s(self, other) of %s does it.", name, left->name->name);
    return error_hint(err, "A method __r%s(self, other) of %s does it.", name + 2,
                      right->name->name);
}

bool instance_augment(Op op, const Value *x, const Value *value, bool *done, Value *out,
                      Error *err) {
    int special = special_of(op);
    *done = false;
    return special == SPECIAL_COUNT ||
           ask(x, special - SPECIAL_ADD + SPECIAL_IADD, value, done, out, err);
}

bool instance_unary(Special special, const char *sign, const Value *x, Value *out, Error *err) {
    bool found;
    bool ok = call_special(x, special, NULL, 0, &found, out, err);
    if (found) return ok;
    error_set(err, ERR_TYPE, "%s needs a number or an array, not %s", sign, value_words(x));
    error_python(err, "bad operand type for unary %s: '%s'", sign, value_type_name(x));
    return error_hint(err, "A method %s(self) of %s does it.",
                      class_of(x)->interp->specials[special]->name, class_of(x)->name->name);
}

/* ---- comparisons ---- */

bool instance_compare(Comparison comparison, const Value *a, const Value *b, bool *done, Value *out,
                      Error *err) {
    static const Special straight[] = {SPECIAL_EQ, SPECIAL_NE, SPECIAL_LT,
                                       SPECIAL_LE, SPECIAL_GT, SPECIAL_GE};
    static const Special reflected[] = {SPECIAL_EQ, SPECIAL_NE, SPECIAL_GT,
                                        SPECIAL_GE, SPECIAL_LT, SPECIAL_LE};
    bool truth;
    const Class *class = class_of(a);
    bool by_fields =
        class && class == class_of(b) &&
        (comparison <= COMPARE_NOT_EQUAL ? class->compares_fields : class->orders_fields) &&
        !class_special(class, straight[comparison]);
    if (by_fields) {
        LocalValue left = VALUE_MISSING, right = VALUE_MISSING;
        *done = true;
        return instance_field_values(a, &left, err) && instance_field_values(b, &right, err) &&
               value_compare(class->interp, comparison, &left, &right, out, err);
    }
    if (!ask(a, straight[comparison], b, done, out, err)) return false;
    if (!*done && !ask(b, reflected[comparison], a, done, out, err)) return false;
    const Value *x = instance_value(a), *y = instance_value(b);
    if (!*done && (x || y)) {
        *done = true;
        const Class *held = x ? class_of(a) : class_of(b);
        return value_compare(held->interp, comparison, x ? x : a, y ? y : b, out, err);
    }
    if (*done || comparison != COMPARE_NOT_EQUAL) return true;
    if (!instance_compare(COMPARE_EQUAL, a, b, done, out, err)) return false;
    if (!*done) return true;
    if (!value_truth(out, &truth, err)) return value_if(false, out);
    value_replace(out, value_bool(!truth));
    return true;
}

bool instance_equal(const Value *a, const Value *b) {
    Error err; /* an error that occurs sets all of it */
    LocalValue answer = VALUE_MISSING;
    bool done, truth = a->kind == b->kind && a->record == b->record;
    if (truth) return true; /* as Python's lists take it */
    bool ok = instance_compare(COMPARE_EQUAL, a, b, &done, &answer, &err);
    if (ok && done) ok = value_truth(&answer, &truth, &err);
    if (!ok) keep_late(&err);
    return ok && truth;
}

/* True if its objects may be keys: a class that says what is equal has to say by what keys are told
 * apart, too. */
static bool class_is_hashable(const Class *class) {
    Symbol *const *names = class->interp->specials;
    for (size_t i = 0; class_line(class, i); i++) {
        const Record *members = class_line(class, i)->parts[1].record;
        const Value *hash = fields_find(members, names[SPECIAL_HASH]->text);
        if (hash) return hash->kind != VALUE_NONE;
        if (fields_find(members, names[SPECIAL_EQ]->text)) return false;
    }
    return !class->compares_fields || class->frozen;
}

bool instance_hash(const Value *x, uint64_t *hash) {
    Error err; /* an error that occurs sets all of it */
    const Class *class = class_of(x);
    LocalValue fields = VALUE_MISSING, answer = VALUE_MISSING;
    bool found;
    *hash = (uintptr_t)x->record >> 4;
    if (instance_value(x) && class_is_hashable(class))
        return value_hash(instance_value(x), hash) != KEY_UNFIT;
    if (!class_is_hashable(class)) return false;
    bool ok = call_special(x, SPECIAL_HASH, NULL, 0, &found, &answer, &err);
    if (!found && class->compares_fields) /* of equal fields, whatever they are */
        return instance_field_values(x, &fields, &err) && value_hash(&fields, hash) != KEY_UNFIT;
    const Value number =
        value_number(found && ok && value_is_scalar(&answer) ? value_scalar(&answer) : 0);
    if (found) value_hash(&number, hash);
    if (!ok) keep_late(&err);
    return true;
}

bool instance_truth(const Value *x, bool *out, Error *err) {
    LocalValue answer = VALUE_MISSING;
    bool found;
    *out = true;
    if (!call_special(x, SPECIAL_BOOL, NULL, 0, &found, &answer, err)) return false;
    if (!found && !call_special(x, SPECIAL_LEN, NULL, 0, &found, &answer, err)) return false;
    if (!found && instance_value(x)) return value_truth(instance_value(x), out, err);
    return !found || value_truth(&answer, out, err);
}

bool instance_contains(const Value *x, const Value *item, bool *out, Error *err) {
    LocalValue answer = VALUE_MISSING;
    bool found;
    if (!call_special(x, SPECIAL_CONTAINS, item, 1, &found, &answer, err)) return false;
    if (found) return value_truth(&answer, out, err);
    const Value *held = instance_value(x);
    if (held && !class_special(class_of(x), SPECIAL_ITER)) {
        LocalValue in = VALUE_MISSING;
        bool ok = value_compare(class_of(x)->interp, COMPARE_IN, item, held, &in, err);
        *out = ok && in.boolean;
        return ok;
    }
    LocalIterator iterator;
    if (!iterator_init(&iterator, x, err)) return false;
    for (*out = false; !*out && !iterator_done(&iterator);) {
        LocalValue element = VALUE_MISSING;
        if (!iterator_next(&iterator, &element, err)) return false;
        *out = value_equal(&element, item);
    }
    return true;
}

/* ---- text ---- */

void instance_write_plain(Text *text, const Value *x, int digits, bool nested) {
    const Class *class = class_of(x);
    if (!class || !class->exception) {
        text_format(text, "<%s object>", class ? value_words(x) : value_type_name(x));
        return;
    }
    const Value *arguments = fields_find(x->record, class->interp->specials[SPECIAL_ARGS]->text);
    bool several = arguments && arguments->kind == VALUE_TUPLE;
    size_t count = several ? arguments->list->count : 0;
    if (nested) text_format(text, "%s(", class->name->name);
    /* As in Python, the key of a KeyError that the person raised is written as it is typed. */
    const Error *caught = error_of_value(x);
    bool quoted = nested || (strcmp(class->exception->name, "KeyError") == 0 &&
                             (!caught || caught->raised || (digits <= 0 && caught->python[0])));
    if (count == 1) value_write(text, &arguments->list->items[0], digits, quoted);
    else if (!nested && count > 1) value_write(text, arguments, digits, true);
    for (size_t i = 0; nested && count > 1 && i < count; i++) {
        if (i > 0) text_string(text, ", ");
        value_write(text, &arguments->list->items[i], digits, true);
    }
    if (nested) text_char(text, ')');
}

void instance_write(Text *text, const Value *x, int digits, bool nested) {
    Error err; /* an error that occurs sets all of it */
    LocalValue answer = VALUE_MISSING;
    bool found = false, ok = true;
    if (!nested) ok = call_special(x, SPECIAL_STR, NULL, 0, &found, &answer, &err);
    bool error = class_of(x)->exception != NULL; /* has a __str__ of its own */
    if (ok && !found && (nested || !error))
        ok = call_special(x, SPECIAL_REPR, NULL, 0, &found, &answer, &err);
    if (ok && found && answer.kind != VALUE_STRING)
        ok = error_set(&err, ERR_TYPE, "__str__ and __repr__ of %s have to return a string, not %s",
                       value_words(x), value_words(&answer));
    if (ok && found) text_bytes(text, answer.string->data, answer.string->length);
    else if (ok && class_of(x)->writes_fields && write_fields(text, x, digits)) {
    } else if (ok && instance_value(x)) value_write(text, instance_value(x), digits, nested);
    else if (ok) instance_write_plain(text, x, digits, nested);
    if (!ok) keep_late(&err);
}

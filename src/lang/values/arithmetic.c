/* Applies operators to two values, or to one. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/eval/eval.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double number_divide(Op op, double a, double b) {
    /* Whole numbers up to 2**53 are exact. */
    if (!(a > 0 && a <= 0x1p53 && b > 0 && b <= 0x1p53)) return op_scalar_binary(op, a, b);
    const int64_t x = (int64_t)a, y = (int64_t)b;
    if ((double)x != a || (double)y != b) return op_scalar_binary(op, a, b);
    return (double)(op == OP_MODULO ? x % y : x / y);
}

/* ---- words ---- */

const char *op_sign(Op op) {
    static const char *const signs[OP_COUNT] = {
        [OP_ADD] = "+",     [OP_SUBTRACT] = "-",      [OP_MULTIPLY] = "*",
        [OP_DIVIDE] = "/",  [OP_MODULO] = "%",        [OP_POWER] = "**",
        [OP_MATMUL] = "@",  [OP_FLOOR_DIVIDE] = "//", [OP_AND] = "&",
        [OP_OR] = "|",      [OP_BIT_AND] = "&",       [OP_BIT_OR] = "|",
        [OP_BIT_XOR] = "^", [OP_LEFT_SHIFT] = "<<",   [OP_RIGHT_SHIFT] = ">>"};
    return signs[op] ? signs[op] : op_name(op);
}

/* ---- kinds of operands ---- */

static bool is_boolean(const Value *value) {
    return value->kind == VALUE_BOOL ||
           (value->kind == VALUE_TENSOR && value->tensor->dtype == DTYPE_BOOL);
}

static bool is_sequence(const Value *value) {
    return value_is_list(value) || value->kind == VALUE_STRING;
}

/* ---- arrays ---- */

Tensor *operand_tensor(Interp *interp, const Value *value, const char *what, Error *err) {
    if (value->kind != VALUE_NUMBER) return value_as_tensor(value, what, err);
    if (!interp->scratch || interp->scratch->refs != 1) {
        tensor_unref(interp->scratch);
        interp->scratch = tensor_scalar(0, err);
        if (!interp->scratch) return NULL;
    }
    tensor_doubles(interp->scratch)[0] = value->number;
    return tensor_ref(interp->scratch);
}

bool arrays_binary(Interp *interp, Op op, const Value *a, const Value *b, const OpAttributes *how,
                   Value *out, Error *err) {
    Tensor *left = operand_tensor(interp, a, "the left side", err);
    Tensor *right = left ? operand_tensor(interp, b, "the right side", err) : NULL;
    Tensor *inputs[] = {left, right}, *result = NULL;
    /* Each is held twice, by the value and by `left` or `right`. */
    if (!right || !op_apply_last(op, inputs, 2, how, 2, &result, err)) result = NULL;
    *out = value_tensor(result);
    tensor_unref(left);
    tensor_unref(right);
    return out->kind != VALUE_UNSET;
}

/* ---- strings, lists, tuples ---- */

#define REPEATS_WHOLE "can't multiply sequence by non-int of type '%s'"

static bool repeat(const Value *sequence, const Value *times, Value *out, Error *err) {
    long long whole;
    size_t n, bytes;
    if (!value_whole(times, "the number of repeats", &whole, err))
        return error_python(err, REPEATS_WHOLE, value_type_name(times));
    if (!size_from(whole < 0 ? 0 : (double)whole, &n, err)) return false;
    if (sequence->kind == VALUE_STRING) {
        const String *string = sequence->string;
        if (!size_multiply(string->length, n, &bytes) || bytes > mem_limit())
            return mem_error(err, (size_t)-1);
        char *end = value_string_new(out, bytes, err);
        if (!end) return false;
        for (size_t i = 0; bytes > 0 && i < n && !interrupt_flag; i++, end += string->length)
            memcpy(end, string->data, string->length);
        return value_if(!interrupted(err), out);
    }
    const List *list = sequence->list;
    size_t count;
    if (!size_multiply(list->count, n, &count) || count > mem_limit() / sizeof(Value))
        return mem_error(err, (size_t)-1);
    if (!value_list_new(out, sequence->kind, count, err)) return false;
    for (size_t i = 0; i < count && !interrupt_flag; i++)
        out->list->items[out->list->count++] = value_ref(list->items[i % list->count]);
    return value_if(!interrupted(err), out);
}

bool value_extend(Value *list, const Value *items, Error *err) {
    enum { POLL_EVERY = 4096 };
    Iterator iterator;
    LocalValue rest = VALUE_MISSING;
    size_t first = 0;
    if (!shared_keep(list->shared, err)) return false;
    if (iterator_take_rest(items, &rest, &first)) items = &rest;
    if (value_is_list(items)) {
        const size_t count = items->list->count; /* before it grows, where it is the list itself */
        if (first < count && !list_reserve(list->list, count - first, err)) return false;
        for (size_t i = first; i < count; i++)
            list->list->items[list->list->count++] = value_ref(items->list->items[i]);
        return true;
    }
    if (!iterator_init(&iterator, items, err)) return false;
    size_t count = list->list->count;
    bool ok = true;
    while (ok && !iterator_done(&iterator)) {
        Value item;
        ok = !(list->list->count % POLL_EVERY == 0 && interrupted(err)) &&
             iterator_next(&iterator, &item, err);
        if (!ok) break;
        ok = list_append(list->list, item, err);
        drop(&item);
    }
    iterator_release(&iterator);
    while (!ok && list->list->count > count) value_release(&list->list->items[--list->list->count]);
    return ok;
}

bool value_is_joined(Op op, const Value *a, const Value *b) {
    if (op == OP_ADD) return a->kind == b->kind && is_sequence(a);
    if (op != OP_MULTIPLY) return false;
    const Value *sequence = is_sequence(a) ? a : b, *times = is_sequence(a) ? b : a;
    if (!is_sequence(sequence) || !value_is_scalar(times)) return false;
    /* Python has no list of 1.5 times the items; the numbers in one are multiplied then. */
    bool whole = times->kind == VALUE_BOOL ||
                 (times->kind == VALUE_NUMBER && times->number == floor(times->number));
    return whole || sequence->kind == VALUE_STRING || !value_is_arraylike(sequence);
}

bool value_join(Op op, const Value *a, const Value *b, Value *out, Error *err) {
    if (op == OP_MULTIPLY) return is_sequence(a) ? repeat(a, b, out, err) : repeat(b, a, out, err);
    if (a->kind == VALUE_STRING) {
        char *data = value_string_new(out, a->string->length + b->string->length, err);
        if (!data) return false;
        memcpy(data, a->string->data, a->string->length);
        memcpy(data + a->string->length, b->string->data, b->string->length);
        return true;
    }
    if (!value_list_new(out, a->kind, a->list->count + b->list->count, err)) return false;
    const List *parts[] = {a->list, b->list};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < parts[k]->count; i++)
            out->list->items[out->list->count++] = value_ref(parts[k]->items[i]);
    return true;
}

/* ---- what does not go together ---- */

static bool cannot_combine(Op op, const Value *a, const Value *b, Error *err) {
    const char *sign = op_sign(op);
    if (interrupted(err)) return false; /* while the lists were looked through */
    error_set(err, ERR_TYPE, "%s cannot combine %s and %s", sign, value_words(a), value_words(b));
    const char *left = value_type_name(a), *right = value_type_name(b);
    if (op == OP_ADD && (a->kind == VALUE_STRING || value_is_list(a)))
        error_python(err, "can only concatenate %s (not \"%s\") to %s", left, right, left);
    else if (op == OP_MULTIPLY && is_sequence(a)) error_python(err, REPEATS_WHOLE, right);
    else error_python(err, "unsupported operand type(s) for %s: '%s' and '%s'", sign, left, right);
    if (op == OP_ADD && a->kind == VALUE_STRING && value_is_scalar(b))
        return error_hint(err, "Make the number a string first: \"a\" + str(1), or f\"a{x}\".");
    if (op == OP_ADD && b->kind == VALUE_STRING && value_is_scalar(a))
        return error_hint(err, "Make the number a string first: str(1) + \"a\", or float(\"1\") of "
                               "the string a number.");
    if (op == OP_ADD && (a->kind == VALUE_STRING || b->kind == VALUE_STRING))
        return error_hint(err, "str(x) makes a string of anything.");
    if (op == OP_ADD && a->kind == VALUE_LIST)
        return error_hint(err, "Put the new element in brackets: xs + [x].");
    if (a->kind == VALUE_NONE || b->kind == VALUE_NONE)
        return error_hint(err, "None is what a function without return gives.");
    if (value_is_function(a) || value_is_function(b))
        return error_hint(err, "Call the function first, with its arguments in parentheses.");
    return value_hint_output(a, err) || value_hint_output(b, err);
}

/* & | ^ << >> of numbers or arrays: of booleans they are logic, of whole numbers bits. */
static bool bits_binary(Interp *interp, Op op, const Value *a, const Value *b, Value *out,
                        Error *err) {
    double bits = 0;
    *out = VALUE_MISSING;
    bool logic = is_boolean(a) && is_boolean(b) && op != OP_LEFT_SHIFT && op != OP_RIGHT_SHIFT;
    if (logic && op == OP_BIT_XOR) op = OP_NOT_EQUAL;
    if (!logic && op == OP_AND) op = OP_BIT_AND;
    if (!logic && op == OP_OR) op = OP_BIT_OR;
    if (a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR)
        return arrays_binary(interp, op, a, b, NULL, out, err);
    double x = value_scalar(a), y = value_scalar(b);
    if (logic) *out = value_bool(op_scalar_binary(op, x, y) != 0);
    else if (op_bits(op, x, y, &bits, err)) *out = value_number(bits);
    return out->kind != VALUE_UNSET;
}

void note_rounded(Interp *interp, double result) {
    if (isfinite(result) && interp->notes && interp_first_in_entry(interp, "rounded"))
        host_note(interp->host, "(%.17g is rounded: whole numbers are exact up to 2**53)", result);
}

/* The exact sum of a and b minus the rounded a + b (TwoSum: Knuth, 4.2.2). */
static double sum_lost(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

/* Whether a op b, of whole numbers, had to be rounded to `result`. False too of sums, products and
 * powers of such large numbers as measurements have, of which nobody expects all digits. */
static bool is_rounded(Op op, double a, double b, double result) {
    const double least = fmin(fabs(a), fabs(b)), most = fmax(fabs(a), fabs(b));
    if (a != floor(a) || b != floor(b) || least > 0x1p53) return false;
    if (most > 0x1p70 && op != OP_FLOOR_DIVIDE) return false;
    switch (op) {
    case OP_ADD: return sum_lost(a, b) != 0;
    case OP_SUBTRACT: return sum_lost(a, -b) != 0;
    case OP_MULTIPLY: return fma(a, b, -result) != 0;
    case OP_FLOOR_DIVIDE: { /* what a = result b + rest leaves */
        double rest = op_scalar_binary(OP_MODULO, a, b);
        return fma(result, b, rest - a) + sum_lost(rest, -a) != 0;
    }
    case OP_POWER: /* the power of 2 in a is exact */
        if (fabs(a) > 0x1p20) return false;
        while (a / 2 == floor(a / 2)) a /= 2;
        return fabs(op_scalar_binary(op, a, b)) > 0x1p53;
    default: return false;
    }
}

/* a op b, of an operator that numbers have: says so where it rounded whole numbers. */
static bool numbers_binary(Interp *interp, Op op, double a, double b, Value *out) {
    double result;
    if (!number_result(op, a, b, &result)) return false;
    if (fabs(result) >= 0x1p53 && is_rounded(op, a, b, result)) note_rounded(interp, result);
    *out = value_number(result);
    return true;
}

/* ---- types ---- */

static bool is_type(const Value *value) {
    return value->kind == VALUE_CLASS || (value->kind == VALUE_BUILTIN && value->builtin->type);
}

/* A type, or a tuple of them that | made. */
static bool is_types(const Value *value) {
    const List *types = value->kind == VALUE_TUPLE ? value->list : NULL;
    size_t i = 0;
    while (types && i < types->count &&
           (is_type(&types->items[i]) || types->items[i].kind == VALUE_NONE))
        i++;
    return types ? i > 0 && i == types->count : is_type(value);
}

/* int | None: a tuple of the types, as isinstance takes it. */
static bool join_types(const Value *a, const Value *b, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_TUPLE, 2, err)) return false;
    const Value *sides[] = {a, b};
    for (int i = 0; i < 2; i++) {
        bool ok = sides[i]->kind == VALUE_TUPLE ? value_extend(out, sides[i], err)
                                                : list_append(out->list, *sides[i], err);
        if (!ok) return value_if(false, out);
    }
    return true;
}

/* ---- two operands ---- */

bool set_operation(Op op, SetOperation *out) {
    switch (op) {
    case OP_OR: *out = SET_UNION; return true;
    case OP_AND: *out = SET_INTERSECTION; return true;
    case OP_SUBTRACT: *out = SET_DIFFERENCE; return true;
    case OP_BIT_XOR: *out = SET_SYMMETRIC_DIFFERENCE; return true;
    default: return false;
    }
}

bool value_binary(Interp *interp, Op op, const Value *a, const Value *b, Value *out, Error *err) {
    *out = VALUE_MISSING;
    if (op == OP_MODULO && a->kind == VALUE_STRING)
        return value_percent(a, b, interp->digits, out, err);
    if (a->kind == VALUE_INSTANCE || b->kind == VALUE_INSTANCE)
        return instance_binary(interp, op, a, b, out, err);
    if (value_is_joined(op, a, b) && !(value_holds_numbers(a) && value_holds_numbers(b)))
        return value_join(op, a, b, out, err);

    SetOperation operation;
    const bool views = value_is_view(a) || value_is_view(b);
    if (a->kind == VALUE_SET && (b->kind == VALUE_SET || views) && set_operation(op, &operation))
        return set_combine(operation, a->set, b, out, err);
    if (views && set_operation(op, &operation)) {
        LocalValue set = VALUE_MISSING;
        return value_set_of(a, false, &set, err) && set_combine(operation, set.set, b, out, err);
    }
    if (op == OP_OR && a->kind == VALUE_RECORD && b->kind == VALUE_RECORD)
        return value_record_copy(a->record, out, err) &&
               value_if(record_put_all(out->record, b->record, err), out);
    if ((value_is_list(a) || value_is_list(b)) && value_is_arraylike(a) && value_is_arraylike(b)) {
        LocalValue left = value_tensor(value_as_tensor(a, "the left side", err));
        if (left.kind == VALUE_UNSET) return false;
        LocalValue right = value_tensor(value_as_tensor(b, "the right side", err));
        return right.kind != VALUE_UNSET && value_binary(interp, op, &left, &right, out, err);
    }
    if (op == OP_OR &&
        (is_types(a) ? is_types(b) || b->kind == VALUE_NONE : a->kind == VALUE_NONE && is_types(b)))
        return join_types(a, b, out, err);
    if (!value_is_numeric(a) || !value_is_numeric(b)) return cannot_combine(op, a, b, err);
    if (op >= OP_AND && op <= OP_RIGHT_SHIFT) return bits_binary(interp, op, a, b, out, err);
    if (op == OP_MATMUL && (value_is_scalar(a) || value_is_scalar(b))) {
        error_set(err, ERR_TYPE, "@ multiplies matrices, but the %s side is a number",
                  value_is_scalar(a) ? "left" : "right");
        return error_hint(err, "* multiplies numbers.");
    }
    if (a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR) {
        /* True counts as 1. */
        Value first = a->kind == VALUE_BOOL ? value_number(a->boolean) : *a,
              second = b->kind == VALUE_BOOL ? value_number(b->boolean) : *b;
        return arrays_binary(interp, op, &first, &second, NULL, out, err);
    }
    const double x = value_scalar(a), y = value_scalar(b);
    if (numbers_binary(interp, op, x, y, out)) return true;
    if (op != OP_DIVIDE && op != OP_FLOOR_DIVIDE && op != OP_MODULO && op != OP_POWER)
        return cannot_combine(op, a, b, err);

    /* Division by zero: of two numbers an error in a .py file, elsewhere inf or nan, as of arrays.
     */
    if (interp_runs_python(interp)) {
        error_set(err, ERR_VALUE, "%s",
                  op == OP_DIVIDE         ? "division by zero"
                  : op == OP_FLOOR_DIVIDE ? "integer division or modulo by zero"
                  : op == OP_MODULO       ? "integer modulo by zero"
                                          : "0.0 cannot be raised to a negative power");
        return error_mark(err, "ZeroDivisionError");
    }
    *out = value_number(op == OP_DIVIDE ? x / y : op_scalar_binary(op, x, y));
    return true;
}

/* ---- one operand ---- */

bool value_unary(Interp *interp, Op op, const Value *x, Value *out, Error *err) {
    if (value_is_list(x) && value_is_arraylike(x)) {
        LocalValue array = value_tensor(value_as_tensor(x, "the list", err));
        return array.kind != VALUE_UNSET && value_unary(interp, op, &array, out, err);
    }
    if (x->kind == VALUE_INSTANCE)
        return op == OP_NOT ? instance_unary(SPECIAL_INVERT, "~", x, out, err)
                            : instance_unary(SPECIAL_NEG, "-", x, out, err);
    if (op == OP_NOT && !is_boolean(x) && value_is_numeric(x)) {
        /* All bits turned round; a number that has none is an error of its own. */
        Value ones = value_number(-1);
        return bits_binary(interp, OP_BIT_XOR, x, &ones, out, err);
    }
    if (op == OP_NOT && !is_boolean(x)) {
        error_set(err, ERR_TYPE, "~ turns booleans and the bits of whole numbers round, not %s",
                  value_words(x));
        return error_hint(err, "Write not x.");
    }
    if (x->kind == VALUE_TENSOR) {
        Tensor *result = NULL;
        if (!op_apply_last(op, &x->tensor, 1, NULL, 1, &result, err)) return false;
        *out = value_tensor(result);
        return true;
    }
    if (value_is_scalar(x)) {
        *out = op == OP_NOT ? value_bool(!x->boolean) : value_number(-value_scalar(x));
        return true;
    }
    if (interrupted(err)) return false;
    error_set(err, ERR_TYPE, "- needs a number or an array, not %s", value_words(x));
    return error_python(err, "bad operand type for unary -: '%s'", value_type_name(x));
}

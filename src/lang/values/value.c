#include "lang/value.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/translate.h"
#include "engine/tensor/recording.h"
#include "lang/builtin.h"
#include "lang/class.h"
#include "lang/key_index.h"

#include <math.h>
#include <string.h>

/* ---- making ---- */

Value value_tensor(Tensor *tensor) {
    if (!tensor) return VALUE_MISSING;
    if (tensor->shape.axes > 0 || tensor->node)
        return (Value){.kind = VALUE_TENSOR, .tensor = tensor};
    double x = tensor_get(tensor, 0);
    bool boolean = tensor->dtype == DTYPE_BOOL;
    tensor_unref(tensor);
    return boolean ? value_bool(x != 0) : value_number(x);
}

bool value_text(Value *out, Text *text, Error *err) {
    bool ok = text_ok(text, err) && value_string(out, text->data, text->length, err);
    text_release(text);
    text_init(text);
    return ok;
}

Value value_object(Object *object) { return (Value){.kind = VALUE_OBJECT, .object = object}; }

void *object_ref(void *object) {
    if (object) ((Object *)object)->refs++;
    return object;
}

void object_unref(void *object) {
    Object *counted = object;
    if (counted && --counted->refs == 0) counted->type->free(counted);
}

void object_unref_local(void *local) {
    void *object;
    memcpy(&object, local, sizeof object);
    object_unref(object);
}

/* ---- life cycle ---- */

Value *value_contents(Value value, size_t **count) {
    switch (value.kind) {
    case VALUE_LIST:
    case VALUE_SLICE:
    case VALUE_ITERATOR:
    case VALUE_TUPLE: *count = &value.list->count; return value.list->items;
    case VALUE_RECORD:
    case VALUE_INSTANCE: *count = &value.record->count; return value.record->values;
    case VALUE_SET: *count = &value.set->count; return value.set->items;
    case VALUE_FUNCTION: *count = &value.function->count; return value.function->captured;
    case VALUE_CELL: *count = &value.cell->count; return &value.cell->value;
    case VALUE_CLASS: *count = &value.class->count; return value.class->parts;
    case VALUE_METHOD: *count = &value.method->count; return value.method->parts;
    default: return NULL;
    }
}

/* Frees a payload whose contents were given back. */
static void free_payload(Value value) {
    switch (value.kind) {
    case VALUE_STRING: mem_free(value.string); break;
    case VALUE_LIST:
    case VALUE_SLICE:
    case VALUE_ITERATOR:
    case VALUE_TUPLE: list_free(value.list); break;
    case VALUE_RECORD:
    case VALUE_INSTANCE:
        if (value.record->class)
            value_release(&(Value){.kind = VALUE_CLASS, .class = value.record->class});
        mem_free(value.record->keys);
        key_index_release(&value.record->index);
        mem_free(value.record);
        break;
    case VALUE_SET:
        mem_free(value.set->items);
        key_index_release(&value.set->index);
        mem_free(value.set);
        break;
    case VALUE_FUNCTION:
        chunk_unref(value.function->chunk);
        mem_free(value.function->captured);
        mem_free(value.function);
        break;
    case VALUE_CELL: mem_free(value.cell); break;
    case VALUE_CLASS:
        chunk_unref(value.class->chunk);
        mem_free(value.class);
        break;
    case VALUE_METHOD: mem_free(value.method); break;
    case VALUE_OBJECT: value.object->type->free(value.object); break;
    default: break;
    }
}

/* Gives one reference back; true if it was the last one, so that the payload is to be freed now. */
static bool was_last(Value value) {
    if (value.kind == VALUE_TENSOR) tensor_unref(value.tensor);
    else if (value_is_counted(&value) && --*value.refs == 0) {
        if (value_is_in_ring(&value)) shared_end(value.shared);
        return true;
    }
    return false;
}

/* Puts a dying payload in front of the chain and hands out its first item, which the chain
 * replaces. False: it is empty. */
static bool open_payload(Value dying, Value *chain, Value *first) {
    size_t *count = NULL;
    Value *values = value_contents(dying, &count);
    if (!values || *count == 0) return false;
    if (dying.kind == VALUE_RECORD || dying.kind == VALUE_INSTANCE) {
        Value *keys = dying.record->keys; /* flat: no chain grows from them */
        for (size_t i = 0; i < *count; i++) value_release(&keys[i]);
    }
    *first = values[0];
    values[0] = *chain;
    *chain = dying;
    return true;
}

/* The next value to give back from the chain; payloads that are empty by now are freed. */
static bool next_in_chain(Value *chain, Value *next) {
    enum { STRINGS_AT_ONCE = 64 }; /* Ctrl-C is seen between two calls */
    while (chain->kind != VALUE_UNSET) {
        size_t *count = NULL;
        Value *values = value_contents(*chain, &count);
        /* Numbers and strings, which most items are, are not handed out. */
        for (int strings = 0; *count > 1 && strings < STRINGS_AT_ONCE; --*count) {
            const Value *item = &values[*count - 1];
            if (item->kind > VALUE_STRING) break;
            if (item->kind < VALUE_STRING) continue;
            strings++;
            if (--item->string->refs == 0) mem_free(item->string);
        }
        if (*count > 1) {
            *next = values[--*count];
            return true;
        }
        Value empty = *chain;
        *chain = values[0];
        free_payload(empty);
    }
    return false;
}

/* The values that Ctrl-C left to be freed later, so that no prompt waits until millions are given
 * back: a chain as free_all builds it. */
static Value left;

/* Frees the payload `current`, if its `last` reference was given back, what only it held, and what
 * was left. Without recursion: a program can nest lists, or functions that captured functions, as
 * deep as it likes. After Ctrl-C, or in `pieces`, the rest of many values is left. */
static void free_all(Value current, bool last, bool pieces) {
    enum { MANY = 1000 };
    Value chain = left, first;
    left = VALUE_MISSING;
    for (long freed = 0;; freed++) {
        while (last && open_payload(current, &chain, &first)) {
            current = first;
            last = was_last(current);
        }
        if (last) free_payload(current);
        /* An object may have freed values of its own, and left some. */
        if (freed >= MANY && (pieces || interrupt_flag) && left.kind == VALUE_UNSET) break;
        if (!next_in_chain(&chain, &current)) return;
        last = was_last(current);
    }
    left = chain;
}

bool values_free_left(bool pieces) {
    if (left.kind != VALUE_UNSET) free_all(VALUE_MISSING, false, pieces);
    return left.kind != VALUE_UNSET;
}

void value_release(Value *value) {
    Value current = *value;
    *value = VALUE_MISSING;
    if (was_last(current)) free_all(current, true, false);
}

bool value_if(bool ok, Value *value) {
    if (!ok) value_release(value);
    return ok;
}

/* ---- questions ---- */

/* The words for each kind: of type(), of messages, and the type in Python where that is another
 * word than the first. An object says the name of its type. */
static const char *const kind_words[][3] = {
    [VALUE_UNSET] = {"nothing", "nothing"},
    [VALUE_NONE] = {"None", "None", "NoneType"},
    [VALUE_BOOL] = {"bool", "True"},
    [VALUE_NUMBER] = {"number", N_("a number")},
    [VALUE_STRING] = {"string", N_("a string"), "str"},
    [VALUE_TENSOR] = {"array", N_("an array"), "ndarray"},
    [VALUE_LIST] = {"list", N_("a list")},
    [VALUE_TUPLE] = {"tuple", N_("a tuple")},
    [VALUE_SLICE] = {"slice", N_("a slice")},
    [VALUE_RECORD] = {"record", N_("a record"), "dict"},
    [VALUE_SET] = {"set", N_("a set")},
    [VALUE_FUNCTION] = {"function", N_("a function")},
    [VALUE_BUILTIN] = {"function", N_("a function"), "builtin_function_or_method"},
    [VALUE_ITERATOR] = {"iterator", N_("an iterator")},
    [VALUE_CLASS] = {"class", N_("a class"), "type"},
    [VALUE_METHOD] = {"function", N_("a function"), "method"},
};

static const char *words_of(const Value *value, bool sentence) {
    if (value->kind == VALUE_OBJECT) {
        const ObjectType *type = value->object->type;
        return sentence && type->words ? type->words : type->name;
    }
    if (value->kind == VALUE_METHOD && value->method->role == METHOD_PROPERTY) return "property";
    if (value->kind == VALUE_INSTANCE) return value->record->class->name->name;
    if (value->kind == VALUE_ITERATOR && !sentence) return iterator_word(value);
    if (value->kind == VALUE_SET && value->set->frozen)
        return sentence ? N_("a frozenset") : "frozenset";
    bool number = value->kind == VALUE_TENSOR && value->tensor->shape.axes == 0;
    return kind_words[number ? VALUE_NUMBER : value->kind][sentence];
}

const char *value_kind_word(const Value *value) { return words_of(value, false); }

const char *value_words(const Value *value) {
    return value->kind == VALUE_BOOL && !value->boolean ? "False" : words_of(value, true);
}

bool value_hint_output(const Value *value, Error *err) {
    if (value->kind == VALUE_ITERATOR)
        return error_hint(err, "xs = list(it) has all that the iterator gives.");
    const char *const *name = value->kind == VALUE_OBJECT ? value->object->type->attributes : NULL;
    while (name && *name && strcmp(*name, "output") != 0) name++;
    return name && *name && error_hint(err, "Take one of its arrays, such as r.output of r.");
}

const char *value_type_name(const Value *value) {
    if (value->kind == VALUE_INSTANCE) return class_of(value)->name->name;
    if (value->kind == VALUE_NUMBER && value->number == floor(value->number)) return "int";
    if (value_is_scalar(value) && value->kind != VALUE_BOOL) return "float";
    if (value->kind == VALUE_BUILTIN && value->builtin->type) return "type";
    const char *word = kind_words[value->kind][2];
    return word ? word : value_kind_word(value);
}

bool value_truth(const Value *value, bool *out, Error *err) {
    switch (value->kind) {
    case VALUE_UNSET:
    case VALUE_NONE: *out = false; return true;
    case VALUE_BOOL: *out = value->boolean; return true;
    case VALUE_NUMBER: *out = value->number != 0; return true;
    case VALUE_STRING: *out = value->string->length > 0; return true;
    case VALUE_TENSOR: {
        const Tensor *tensor = value->tensor;
        if (tensor->count > 1) {
            error_set(err, ERR_VALUE, "an array of %zu elements is neither true nor false",
                      tensor->count);
            error_python(err, "The truth value of an array with more than one element is "
                              "ambiguous. Use a.any() or a.all()");
            return error_hint(err, "Write any(...) when one true element is enough, all(...) when "
                                   "all must be true.");
        }
        *out = tensor->count == 1 && tensor_get(tensor, 0) != 0;
        return true;
    }
    case VALUE_LIST:
    case VALUE_TUPLE: *out = value->list->count > 0; return true;
    case VALUE_RECORD: *out = value->record->count > 0; return true;
    case VALUE_SET: *out = value->set->used > 0; return true;
    case VALUE_INSTANCE: return instance_truth(value, out, err);
    default: *out = true; return true;
    }
}

bool value_is_untracked(const Value *value, const char *what, Error *err) {
    return value->kind != VALUE_TENSOR || tape_is_plain(value->tensor, what, err);
}

bool value_plain_number(const Value *value, const char *what, double *out, Error *err) {
    if (!value_is_scalar(value))
        return error_set(err, ERR_TYPE, "%s must be a number, not %s", what, value_words(value));
    if (!value_is_untracked(value, what, err)) return false;
    *out = value_scalar(value);
    return true;
}

bool value_whole(const Value *value, const char *what, long long *out, Error *err) {
    double x;
    bool found = false;
    LocalValue index = VALUE_MISSING;
    if (value->kind == VALUE_INSTANCE &&
        !call_special(value, SPECIAL_INDEX, NULL, 0, &found, &index, err))
        return false;
    if (found) value = &index;
    if (!value_is_scalar(value)) {
        error_set(err, ERR_TYPE, "%s must be a whole number, not %s", what, value_words(value));
        return error_python(err, "'%s' object cannot be interpreted as an integer",
                            value_type_name(value));
    }
    if (!value_plain_number(value, what, &x, err)) return false;
    if (isfinite(x) && fabs(x) > 0x1p53)
        return error_set(
            err, ERR_VALUE,
            "%s is %.15g, and whole numbers are exact only up to 2**53 (9007199254740992)", what,
            x);
    if (!isfinite(x) || x != floor(x)) {
        error_set(err, isfinite(x) ? ERR_TYPE : ERR_VALUE, "%s must be a whole number, not %.15g",
                  what, x);
        return error_python(err, "'float' object cannot be interpreted as an integer");
    }
    *out = (long long)x;
    return true;
}

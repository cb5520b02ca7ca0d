#include "lang/eval/eval.h"

#include <string.h>

static const char *const array_attributes[] = {"T", "shape", "ndim", "size", "dtype", NULL};

/* ---- of arrays and numbers ---- */

static bool is_numeric(const Value *value) {
    return value_is_scalar(value) || value_is_array(value);
}

static Shape shape_of_value(const Value *value) {
    return value->kind == VALUE_TENSOR ? value->tensor->shape : shape_scalar();
}

static bool shape_tuple(const Value *object, Value *out, Error *err) {
    Shape shape = shape_of_value(object);
    if (!value_list_new(out, VALUE_TUPLE, (size_t)shape.axes, err)) return false;
    for (int i = 0; i < shape.axes; i++) out->list->items[i] = value_number((double)shape.size[i]);
    out->list->count = (size_t)shape.axes;
    return true;
}

static bool transposed(const Value *object, Value *out, Error *err) {
    Tensor *turned;
    if (shape_of_value(object).axes < 2) {
        *out = value_ref(*object);
        return true;
    }
    if (!op_apply(OP_TRANSPOSE, &(Tensor *){object->tensor}, 1, &(OpAttributes){0}, &turned, err))
        return false;
    *out = value_tensor(turned);
    return true;
}

static bool dtype_string(const Value *object, Value *out, Error *err) {
    DType dtype = object->kind == VALUE_TENSOR ? object->tensor->dtype
                  : object->kind == VALUE_BOOL ? DTYPE_BOOL
                                               : DTYPE_DOUBLE;
    const char *name = dtype_name(dtype);
    return value_string(out, name, strlen(name), err);
}

/* *known: whether there is such an attribute. */
static bool array_attribute(const Value *object, const char *name, bool *known, Value *out,
                            Error *err) {
    *known = true;
    if (strcmp(name, "T") == 0) return transposed(object, out, err);
    if (strcmp(name, "shape") == 0) return shape_tuple(object, out, err);
    if (strcmp(name, "dtype") == 0) return dtype_string(object, out, err);
    if (strcmp(name, "ndim") == 0) *out = value_number(shape_of_value(object).axes);
    else if (strcmp(name, "size") == 0)
        *out = value_number(object->kind == VALUE_TENSOR ? (double)object->tensor->count : 1);
    else *known = false;
    return *known;
}

const char *const *value_attributes(const Value *object) {
    if (is_numeric(object)) return array_attributes;
    return object->kind == VALUE_OBJECT ? object->object->type->attributes : NULL;
}

/* ---- methods ---- */

static bool word_starts(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == 0 || strchr(" ?=", text[length]));
}

/* Whether a function can stand behind an array: its first parameter takes one. */
static bool takes_array_first(const BuiltinDef *builtin) {
    const char *type =
        builtin->call && builtin->parameters ? strchr(builtin->parameters, ':') : NULL;
    const char *space = type ? strchr(builtin->parameters, ' ') : NULL;
    if (!type || (space && space < type) || strncmp(builtin->parameters, "**", 2) == 0)
        return false;
    if (memchr(type, '=', space ? (size_t)(space - type) : strlen(type)))
        return false; /* exit(status=None) is called alone */
    return word_starts(type + 1, "array") || word_starts(type + 1, "any") ||
           word_starts(type + 1, "list");
}

const BuiltinDef *find_method(Interp *interp, const Value *object, const char *name) {
    const Symbol *symbol = interp_find(interp, name);
    if (!symbol) return NULL;
    if (object->kind == VALUE_STRING) return symbol->string_method;
    if (object->kind == VALUE_LIST || object->kind == VALUE_TUPLE) return symbol->list_method;
    if (!is_numeric(object)) return NULL;
    if (symbol->builtin && takes_array_first(symbol->builtin)) return symbol->builtin;
    return symbol->list_method && symbol->list_method->changes_receiver ? symbol->list_method
                                                                        : NULL;
}

static void offer_methods(const Interp *interp, const Value *object, Nearest *nearest) {
    for (size_t i = 0; i < interp->bucket_count; i++) {
        for (const Symbol *symbol = interp->buckets[i]; symbol; symbol = symbol->next) {
            if (find_method((Interp *)interp, object, symbol->name))
                nearest_offer(nearest, symbol->name);
        }
    }
}

/* ---- unknown ones ---- */

/* What Python's lists and strings have, and how to do without. */
static const struct {
    const char *method, *remedy;
} list_remedies[] =
    {
        {"extend", "Write xs += ys."},
        {"pop", "Write x, xs = xs[-1], xs[:-1]."},
        {"insert", "Write xs = xs[:i] + [v] + xs[i:]."},
        {"remove", "Write [x for x in xs if x != v]."},
        {"sort", "Write xs = sorted(xs)."},
        {"reverse", "Write xs = xs[::-1]."},
        {"clear", "Write xs = []."},
        {"index", "Write [i for i, x in enumerate(xs) if x == v][0]."},
        {"count", "Write len([x for x in xs if x == v])."},
},
  string_remedies[] = {
      {"format", "Write f\"{x:.2f}\"."},
      {"splitlines", "Write .split(\"\\n\")."},
      {"find", "Write `part in text` to ask whether it is there."},
      {"index", "Write `part in text` to ask whether it is there."},
      {"count", "Write len(text.split(part)) - 1."},
      {"isdigit", "Write float(text), after try: where it may be none."},
};

static const char *remedy_for(const Value *object, const char *name) {
    for (size_t i = 0;
         object->kind == VALUE_LIST && i < sizeof list_remedies / sizeof list_remedies[0]; i++)
        if (strcmp(list_remedies[i].method, name) == 0) return list_remedies[i].remedy;
    for (size_t i = 0;
         object->kind == VALUE_STRING && i < sizeof string_remedies / sizeof string_remedies[0];
         i++)
        if (strcmp(string_remedies[i].method, name) == 0) return string_remedies[i].remedy;
    return NULL;
}

static bool no_attribute(const Interp *interp, const Value *object, const char *name, Error *err) {
    Nearest nearest;
    const char *const *own = value_attributes(object);
    error_set(err, ERR_NAME, "%s has no attribute %s", value_words(object), name);
    const char *remedy = remedy_for(object, name);
    if (remedy) return error_hint(err, "%s", remedy);
    nearest_begin(&nearest, name, strlen(name));
    for (; own && *own; own++) nearest_offer(&nearest, *own);
    offer_methods(interp, object, &nearest);
    if (nearest.found) return error_hint(err, "Did you mean .%s?", nearest.found);
    const Symbol *variable = is_numeric(object) ? interp_find(interp, name) : NULL;
    if (variable && value_is_array(&variable->value))
        return error_hint(err, "A product is written with *, a matrix product with @.");
    if (object->kind == VALUE_BUILTIN && strcmp(object->builtin->name, name) == 0)
        return error_hint(err, "write %s()", name);
    if (object->kind == VALUE_LIST && interp_find(interp, name) &&
        interp_find(interp, name)->builtin)
        return error_hint(err, "Write %s(xs); array(xs) makes an array of a list of numbers.",
                          name);
    return object->kind == VALUE_NONE
               ? error_hint(err, "None is what a function without return gives.")
               : false;
}

static bool method_not_called(const char *name, Error *err) {
    error_set(err, ERR_TYPE, "%s is a function and has to be called", name);
    return error_hint(err, "Write .%s().", name);
}

static bool object_attribute(const Interp *interp, const Value *object, const char *name,
                             Value *out, Error *err) {
    if (object->object->type->attribute &&
        object->object->type->attribute(object->object, name, out, err))
        return true;
    bool unknown =
        !object->object->type->attribute || (err && err->kind == ERR_NAME && !err->hint[0]);
    return unknown ? no_attribute(interp, object, name, err) : false;
}

bool value_attribute(Interp *interp, const Value *object, const char *name, Value *out,
                     Error *err) {
    bool known;
    if (object->kind == VALUE_RECORD) {
        const Value *field = record_get(object->record, name);
        if (!field) return no_field(object->record, name, err);
        *out = value_ref(*field);
        return true;
    }
    if (object->kind == VALUE_OBJECT) return object_attribute(interp, object, name, out, err);
    if (is_numeric(object)) {
        bool ok = array_attribute(object, name, &known, out, err);
        if (known) return ok;
    }
    if (find_method(interp, object, name)) return method_not_called(name, err);
    return no_attribute(interp, object, name, err);
}

/* What the attribute is looked up in. */
static bool eval_object(Frame *frame, const Node *node, Value *out, Error *err) {
    const InterpHooks *hooks = &frame->interp->hooks;
    const Node *object = node->attribute.object;
    bool variable = object->kind == NODE_NAME && object->name.slot < 0;
    Object *host =
        hooks->attribute_host && variable
            ? hooks->attribute_host(hooks->context, object->name.symbol, node->attribute.name)
            : NULL;
    if (!host) return eval(frame, object, out, err);
    *out = value_ref((Value){.kind = VALUE_OBJECT, .object = host});
    return true;
}

bool eval_attribute(Frame *frame, const Node *node, Value *out, Error *err) {
    Value object;
    if (!eval_object(frame, node, &object, err)) return module_remedy(frame, node, NULL, err);
    bool ok = value_attribute(frame->interp, &object, node->attribute.name, out, err);
    if (!ok && is_numeric(&object)) attribute_remedy(frame, node, NULL, err);
    if (!ok) place_span(frame, node->attribute.name_span, err);
    drop(&object);
    return ok;
}

/* ---- assignment ---- */

bool value_attribute_store(Value *object, const char *name, const Value *value, Error *err) {
    if (object->kind == VALUE_RECORD)
        return value_unique_record(object, err) && record_set(object->record, name, *value, err);
    if (object->kind == VALUE_OBJECT && object->object->type->assign)
        return object->object->type->assign(object->object, name, NULL, value, err);
    error_set(err, ERR_TYPE, "the attributes of %s cannot be changed", value_words(object));
    if (is_numeric(object) && strcmp(name, "T") == 0)
        return error_hint(err, "Change A itself: A[:, i] = x for A.T[i] = x.");
    return error_hint(err, "A record has fields that can: r = record(a=1), then r.b = 2.");
}

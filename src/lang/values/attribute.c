/* object.name: attributes, methods, and what Python has instead. */
#include "engine/operators/compute.h"
#include "lang/class.h"
#include "lang/eval/eval.h"
#include "lang/exception.h"
#include "lang/key_index.h"
#include "lang/remedy.h"
#include "lang/token.h"

#include <string.h>

static const char *const array_attributes[] = {"T",     "shape",    "ndim",   "size",
                                               "dtype", "itemsize", "nbytes", "strides",
                                               "flat",  "real",     "imag",   NULL};
static const char *const slice_attributes[] = {"start", "stop", "step", NULL};

/* ---- attributes of arrays and numbers ---- */

/* *known: whether there is such an attribute. */
static bool array_attribute(const Value *object, const char *name, bool *known, Value *out,
                            Error *err) {
    Tensor *tensor = object->kind == VALUE_TENSOR ? object->tensor : NULL;
    const Shape shape = tensor ? tensor->shape : shape_scalar();
    const DType dtype = tensor                       ? tensor->dtype
                        : object->kind == VALUE_BOOL ? DTYPE_BOOL
                                                     : DTYPE_DOUBLE;
    *known = true;
    if (strcmp(name, "T") == 0) {
        if (shape.axes >= 2)
            *out = value_tensor(tensor_part(op_unary(OP_TRANSPOSE, tensor, err), tensor));
        else *out = value_ref(*object);
        return out->kind != VALUE_UNSET;
    }
    const bool strides = strcmp(name, "strides") == 0; /* in bytes, of rows one after the other */
    if (strides || strcmp(name, "shape") == 0) {
        if (!value_list_new(out, VALUE_TUPLE, (size_t)shape.axes, err)) return false;
        for (int i = 0; i < shape.axes; i++) {
            size_t stride = shape_stride(&shape, i) * dtype_size(dtype);
            out->list->items[i] = value_number((double)(strides ? stride : shape.size[i]));
        }
        out->list->count = (size_t)shape.axes;
        return true;
    }
    if (strcmp(name, "real") == 0) {
        *out = value_ref(*object);
        return true;
    }
    if (strcmp(name, "imag") == 0) {
        *out = tensor ? value_tensor(tensor_zeros(tensor->dtype, &shape, err)) : value_number(0);
        return out->kind != VALUE_UNSET;
    }
    if (strcmp(name, "dtype") == 0) {
        const char *word = dtype_name(dtype);
        return value_string(out, word, strlen(word), err);
    }
    if (strcmp(name, "flat") == 0) {
        *out = tensor ? value_tensor(compute_flat(tensor_ref(tensor), err)) : value_ref(*object);
        return out->kind != VALUE_UNSET;
    }
    const double count = tensor ? (double)tensor->count : 1, bytes = (double)dtype_size(dtype);
    if (strcmp(name, "ndim") == 0) *out = value_number(shape.axes);
    else if (strcmp(name, "itemsize") == 0) *out = value_number(bytes);
    else if (strcmp(name, "nbytes") == 0) *out = value_number(bytes * count);
    else if (strcmp(name, "size") == 0) *out = value_number(count);
    else *known = false;
    return *known;
}

const char *const *value_attributes(const Value *object) {
    bool list = object->kind == VALUE_LIST && value_is_arraylike(object);
    if (list || value_is_numeric(object)) return array_attributes;
    if (object->kind == VALUE_SLICE) return slice_attributes;
    return object->kind == VALUE_OBJECT ? object->object->type->attributes : NULL;
}

/* ---- methods ---- */

/* True if a function can be called on an array: its first parameter takes one and has no default
 * (exit(status=None) is called alone). */
static bool takes_array_first(const BuiltinDef *builtin) {
    const char *parameters = builtin->call ? builtin->parameters : NULL;
    if (!parameters || strncmp(parameters, "**", 2) == 0) return false;
    size_t length = strcspn(parameters, " "), name = strcspn(parameters, ": ");
    if (parameters[name] != ':' || memchr(parameters, '=', length)) return false;
    size_t type = strcspn(parameters + name + 1, " ?");
    return words_contain("array any list", parameters + name + 1, type);
}

/* Methods that Python or PyTorch has and no value has here, and how to do without. */
static const struct {
    ValueKind kind;
    const char *method, *remedy;
} method_remedies[] = {
    {VALUE_LIST, "add", "Sets have it: set(xs). A list has append."},
    {VALUE_LIST, "union", "Sets have it: set(xs) | set(ys)."},
    {VALUE_LIST, "slice", "A part is written xs[0:2]."},
    {VALUE_TENSOR, "slice", "A part is written xs[0:2]."},
    {VALUE_TENSOR, "where", "Write where(condition, x, y)."},
    {VALUE_NUMBER, "grad", "Write grad(f, x), where f computes the loss from x."},
    {VALUE_TENSOR, "grad", "Write grad(f, x), where f computes the loss from x."},
};

/* Returns a sentence for a method that values of the kind do not have, although a function of that
 * name takes them: what to write instead. NULL if there is none. */
static const char *method_remedy(ValueKind kind, const char *name) {
    for (size_t i = 0; i < sizeof method_remedies / sizeof *method_remedies; i++)
        if (method_remedies[i].kind == kind && strcmp(method_remedies[i].method, name) == 0)
            return method_remedies[i].remedy;
    return NULL;
}

/* The record that was asked last and has no field of that name: most calls are of the same method
 * of the same record, d.get(key, 0) in a loop. */
static struct {
    const Record *record;
    const Symbol *symbol;
    uint64_t added;
} none;

/* True if a field of that name can be called, and so comes before the method. */
static NOT_INLINED bool is_called_field(const Record *record, const Symbol *symbol) {
    const Value name = {.kind = VALUE_STRING, .string = symbol->text};
    const Value *field =
        symbol->text ? record_find(record, &name) : record_get(record, symbol->name);
    if (!field) {
        none.record = record;
        none.symbol = symbol;
        none.added = record_keys_added;
    }
    return field && value_is_callable(field);
}

static NOT_INLINED const BuiltinDef *method_of_array(const Value *object, const Symbol *symbol) {
    const BuiltinDef *function = symbol->builtin, *method = symbol->list_method;
    if (value_is_list(object) && method) return method;
    const bool of_arrays = function && takes_array_first(function);
    if (object->kind == VALUE_TUPLE ||
        (value_is_list(object) && (!of_arrays || !value_is_arraylike(object))))
        return NULL;
    if (!value_is_list(object) && !value_is_numeric(object)) return NULL;
    if (method_remedy(object->kind, symbol->name)) return NULL;
    /* An array has the methods of lists that change nothing, and those that change it too. */
    if (method && method->changes_receiver && !method->changes_arrays && !value_is_list(object))
        return NULL;
    if (!of_arrays) return method;
    return function->numpys ? function->numpys : function;
}

const BuiltinDef *method_of(const Value *object, const Symbol *symbol) {
    if (object->kind == VALUE_STRING) return symbol->string_method;
    if (object->kind == VALUE_SET) {
        const BuiltinDef *method = symbol->set_method;
        return method && method->changes_receiver && object->set->frozen ? NULL : method;
    }
    if (object->kind == VALUE_RECORD) {
        const Record *record = object->record;
        bool known =
            none.record == record && none.symbol == symbol && none.added == record_keys_added;
        return known || !is_called_field(record, symbol) ? symbol->record_method : NULL;
    }
    if (object->kind == VALUE_OBJECT || object->kind == VALUE_SLICE ||
        object->kind == VALUE_ITERATOR || object->kind == VALUE_BUILTIN) { /* np.add.reduce */
        const BuiltinDef *method = symbol->object_method;
        bool own = method && strcmp(method->receiver, value_kind_word(object)) == 0;
        return own ? method : NULL;
    }
    return method_of_array(object, symbol);
}

const BuiltinDef *find_method(Interp *interp, const Value *object, const char *name) {
    const Symbol *symbol = interp_find(interp, name);
    return symbol ? method_of(object, symbol) : NULL;
}

/* ---- methods with underscores: xs.__getitem__, d.__contains__ ---- */

static const struct {
    const char *methods, *kinds;
} special_methods[] = {
    {"__str__ __repr__ __format__ __eq__ __ne__", "number str list tuple dict set array"},
    {"__len__ __iter__ __contains__", "str list tuple dict set array"},
    {"__iter__ __next__", "iterator"},
    {"__getitem__", "str list tuple dict array"},
    {"__setitem__ __delitem__", "list dict"},
    {"__hash__", "number str tuple"},
    {"__lt__ __le__ __gt__ __ge__", "number str list tuple set array"},
    {"__add__ __mul__", "number str list tuple array"},
    {"__mod__", "number str array"},
    {"__sub__", "number set array"},
    {"__truediv__ __floordiv__ __pow__ __neg__ __abs__", "number array"},
    {"__int__ __float__ __bool__", "number"},
};

static const char *kind_of(const Value *value) {
    switch (value->kind) {
    case VALUE_NUMBER:
    case VALUE_BOOL: return "number";
    case VALUE_STRING: return "str";
    case VALUE_LIST: return "list";
    case VALUE_TUPLE: return "tuple";
    case VALUE_RECORD: return "dict";
    case VALUE_SET: return "set";
    case VALUE_TENSOR: return "array";
    case VALUE_ITERATOR: return "iterator";
    default: return "";
    }
}

bool value_special(Interp *interp, const Value *value, const char *name, bool *has, Value *out,
                   Error *err) {
    const char *kind = kind_of(value);
    *has = false;
    if (strncmp(name, "__", 2) != 0) return true;
    LocalValue function = VALUE_MISSING;
    const Symbol *type = interp_find(interp, "type");
    if (strcmp(name, "__class__") == 0 && type) {
        *has = true;
        return builtin_value(interp, type->builtin, &function, err) &&
               interp_call(interp, &function, value, 1, out, err);
    }
    for (size_t i = 0; i < sizeof special_methods / sizeof *special_methods && !*has; i++)
        *has = words_contain(special_methods[i].methods, name, strlen(name)) &&
               words_contain(special_methods[i].kinds, kind, strlen(kind));
    if (!*has) return true;

    const size_t length = strlen(name) - 4;
    Symbol *symbol = interp_symbol(interp, name + 2, length, err);
    if (!symbol || !symbol_text(symbol, err)) return false;
    if (words_contain("str repr format len iter next hash int float bool", name + 2, length)) {
        if (!builtin_value(interp, symbol->builtin, &function, err)) return false;
    } else {
        LocalValue module = VALUE_MISSING;
        if (!interp_module(interp, module_find(interp, "operator", 8), &module, err) ||
            !member_attribute(interp, &module, symbol, &function, err))
            return false;
    }
    return method_new(METHOD_BOUND, value, &function, out, err);
}

/* ---- unknown ones ---- */

void value_attributes_each(const Interp *interp, const Value *object, MemberVisit visit,
                           void *context) {
    const char *const *own = value_attributes(object);
    for (; own && *own; own++) visit(context, *own, NULL);
    for (size_t i = 0; i < interp->bucket_count; i++)
        for (const Symbol *symbol = interp->buckets[i]; symbol; symbol = symbol->next)
            if (method_of(object, symbol)) visit(context, symbol->name, NULL);
}

void offer_name(void *context, const char *name, const Value *member) {
    (void)member;
    nearest_offer(context, name);
}

static bool no_attribute(Interp *interp, const Value *object, const char *name, Error *err) {
    error_set(err, ERR_NAME, "%s has no attribute %s", value_words(object), name);
    error_mark(err, "AttributeError");
    error_python(err, "'%s' object has no attribute '%s'", value_type_name(object), name);
    const char *remedy = method_remedy(object->kind, name);
    if (remedy) return error_hint(err, "%s", remedy);

    const Symbol *symbol = interp_find(interp, name);
    const bool array = value_is_array(object);
    if (symbol && symbol->list_method && array)
        return error_hint(err, "Lists have it: xs = list(A) makes a list of the array.");
    LocalText text = TEXT_EMPTY;
    if (symbol && symbol->builtin && symbol->builtin->call &&
        (array || value_is_list(object) ||
         object->kind == VALUE_OBJECT)) { /* m.train is train(m, ...) */
        signature_write(&text, symbol->builtin);
        return error_hint(err, "It is a function: %s.", text.data ? text.data : symbol->name);
    }

    Nearest nearest;
    nearest_begin(&nearest, name, strlen(name));
    value_attributes_each(interp, object, offer_name, &nearest);
    if (nearest.found) return error_hint(err, "Did you mean .%s?", nearest.found);

    if (object->kind == VALUE_OBJECT) {
        const char *const *own = value_attributes(object);
        for (size_t i = 0; own && own[i]; i++) text_format(&text, "%s%s", i ? ", " : "", own[i]);
        return text.length > 0 && error_hint(err, "It has %s.", text.data);
    }
    if (symbol && value_is_numeric(object) && value_is_array(&symbol->value))
        return error_hint(err, "A product is written with *, a matrix product with @.");
    if (object->kind == VALUE_BUILTIN && strcmp(object->builtin->name, name) == 0)
        return error_hint(err, "write %s()", name);
    if (object->kind == VALUE_BUILTIN && foreign_word(FOREIGN_MODULES, object->builtin->name))
        return error_hint(err, "%s", foreign_word(FOREIGN_MODULES, object->builtin->name));
    if (object->kind == VALUE_NONE)
        return error_hint(err, "None is what a function without return gives.");
    return false;
}

/* The method that str.lower is, which takes a string first; NULL. */
static const BuiltinDef *method_of_type(Interp *interp, const char *type, const char *name) {
    const Symbol *symbol = interp_find(interp, name);
    const BuiltinDef *method = NULL;
    if (symbol && strcmp(type, "str") == 0) method = symbol->string_method;
    if (symbol && strcmp(type, "list") == 0) method = symbol->list_method;
    if (symbol && strcmp(type, "dict") == 0) method = symbol->record_method;
    return method && !method->changes_receiver ? method : NULL;
}

bool value_attribute(Interp *interp, const Value *object, const char *name, Value *out,
                     Error *err) {
    bool known;
    const BuiltinDef *method = find_method(interp, object, name);
    const Value row = {.kind = VALUE_BUILTIN, .builtin = method};
    const Value *field = object->kind == VALUE_RECORD ? record_get(object->record, name) : NULL;
    if (method && method->receiver && !field && !value_is_numeric(object) &&
        words_contain("string list record", method->receiver, strlen(method->receiver)))
        return method_new(METHOD_BOUND, object, &row, out, err); /* f = xs.append */
    bool special;
    if (!value_special(interp, object, name, &special, out, err)) return false;
    if (special) return true;
    if (object->kind >= VALUE_INSTANCE || object->kind == VALUE_FUNCTION ||
        (object->kind == VALUE_BUILTIN && strncmp(name, "__", 2) == 0)) {
        Symbol *symbol = interp_symbol(interp, name, strlen(name), err);
        return symbol && member_attribute(interp, object, symbol, out, err);
    }
    if (object->kind == VALUE_BUILTIN && object->builtin->type) {
        const BuiltinDef *of_type = method_of_type(interp, object->builtin->type, name);
        if (of_type) {
            *out = (Value){.kind = VALUE_BUILTIN, .builtin = of_type};
            return true;
        }
    }
    if (field) {
        *out = value_ref(*field);
        return true;
    }
    if (object->kind == VALUE_RECORD && !(method && interp_runs_python(interp)))
        return no_field(object->record, name, err);
    if (object->kind == VALUE_OBJECT) {
        const ObjectType *type = object->object->type;
        if (type->attribute && type->attribute(object->object, name, out, err)) return true;
        bool unknown = !type->attribute || (err && err->kind == ERR_NAME && !err->hint[0]);
        if (!unknown) return false;
    }
    for (int i = 0; object->kind == VALUE_SLICE && slice_attributes[i]; i++) {
        if (strcmp(slice_attributes[i], name) != 0) continue;
        *out = value_ref(object->list->items[i]);
        return true;
    }
    if (value_is_numeric(object)) {
        bool ok = array_attribute(object, name, &known, out, err);
        if (known) return ok;
    }
    if (object->kind == VALUE_LIST &&
        words_contain("T shape ndim size dtype", name, strlen(name)) &&
        value_is_arraylike(object)) {
        LocalValue array = value_tensor(value_as_tensor(object, "the list", err));
        return array.kind != VALUE_UNSET && array_attribute(&array, name, &known, out, err);
    }
    if (!method) return no_attribute(interp, object, name, err);
    if (interp_runs_python(interp) && !method->changes_receiver) /* key=d.get */
        return method_new(METHOD_BOUND, object, &row, out, err);
    error_set(err, ERR_TYPE, "%s is a function and has to be called", name);
    return error_hint(err, "Write .%s().", name);
}

/* The module before the name, unless a variable has the module's name. */
static const Node *module_before(const Node *attribute) {
    const Node *module = attribute->attribute.member ? node_root(attribute) : NULL;
    if (!module || module->name.slot >= 0) return NULL;
    return module->name.symbol->value.kind == VALUE_UNSET ? module : NULL;
}

const BuiltinDef *module_member(const Node *attribute) {
    const Node *module = module_before(attribute);
    const BuiltinDef *member = module ? attribute->attribute.member->builtin : NULL;
    if (member && member->make) return NULL; /* no module has those that come with attn */
    const Symbol *symbol = member ? module->name.symbol : NULL;
    return member ? module_version(symbol->name, symbol->length, member) : NULL;
}

const Node *attribute_receiver(const Node *attribute) {
    const Node *module = module_before(attribute);
    return module ? module : attribute->attribute.object;
}

bool eval_attribute(Frame *frame, const Node *node, Value *out, Error *err) {
    const InterpHooks *hooks = &frame->interp->hooks;
    const Node *variable = node->attribute.object;
    const char *name = node->attribute.name;
    const BuiltinDef *member = module_member(node);
    if (member) return builtin_value(frame->interp, member, out, err);
    bool of_module = module_before(node) != NULL;
    const Exception *exception = of_module ? exception_find(name) : NULL;
    if (exception && *name <= 'Z') return exception_class(frame->interp, exception, out, err);
    if (of_module && strcmp(name, "ABC") == 0) {
        *out = value_ref(frame->interp->object_class);
        return true;
    }
    Object *host = NULL;
    if (hooks->attribute_host && variable->kind == NODE_NAME && variable->name.slot < 0)
        host = hooks->attribute_host(hooks->context, variable->name.symbol, name);
    Value object;
    if (host) object = value_ref((Value){.kind = VALUE_OBJECT, .object = host});
    else if (!eval_receiver(frame, node, &object, err))
        return module_remedy(frame, node, NULL, err);
    bool ok = object.kind >= VALUE_INSTANCE
                  ? member_attribute(frame->interp, &object, node->attribute.symbol, out, err)
                  : value_attribute(frame->interp, &object, name, out, err);
    if (!ok && err &&
        (value_is_arraylike(&object) || object.kind == VALUE_OBJECT ||
         value_is_module(frame->interp, &object)))
        attribute_remedy(frame, node, NULL, err);
    if (!ok) place_span(frame, node->attribute.name_span, err);
    drop(&object);
    return ok;
}

/* ---- assignment ---- */

/* Replaces the array by the given numbers, reshaped to `shape`. */
static bool store_reshaped(Interp *interp, Value *array, const Value *numbers, const Value *shape,
                           Error *err) {
    LocalValue function = VALUE_MISSING;
    Value reshaped, arguments[] = {*numbers, *shape};
    Symbol *symbol = interp_symbol(interp, "reshape", strlen("reshape"), err);
    if (!symbol || !builtin_value(interp, symbol->builtin, &function, err) ||
        !call_positional(interp, &function, arguments, 2, &reshaped, err))
        return false;
    value_replace(array, reshaped);
    return true;
}

bool value_attribute_store(Interp *interp, Value *object, const char *name, const Value *value,
                           Error *err) {
    if (object->kind == VALUE_RECORD)
        return shared_keep(object->shared, err) && record_set(object->record, name, *value, err);
    if (object->kind >= VALUE_INSTANCE || object->kind == VALUE_FUNCTION) {
        Symbol *symbol = interp_symbol(interp, name, strlen(name), err);
        return symbol && member_store(interp, object, symbol, value, err);
    }
    if (object->kind == VALUE_OBJECT && object->object->type->assign)
        return object->object->type->assign(interp, object->object, name, NULL, value, err);
    if (object->kind == VALUE_TENSOR && strcmp(name, "shape") == 0)
        return store_reshaped(interp, object, object, value, err);
    if (object->kind == VALUE_TENSOR && strcmp(name, "flat") == 0) { /* A.flat[i] = x leads here */
        LocalValue shape = VALUE_MISSING;
        return value_attribute(interp, object, "shape", &shape, err) &&
               store_reshaped(interp, object, value, &shape, err);
    }
    error_set(err, ERR_TYPE, "the attributes of %s cannot be changed", value_words(object));
    if (value_is_arraylike(object) && strcmp(name, "T") == 0)
        return error_hint(err, "Change A itself: A[:, i] = x for A.T[i] = x.");
    if (value_is_arraylike(object) && strcmp(name, "shape") == 0)
        return error_hint(err, "A = A.reshape(2, 3) has another shape.");
    return error_hint(err, "A record has fields that can: r = record(a=1), then r.b = 2.");
}

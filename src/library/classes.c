/* Functions about classes and their objects: isinstance, getattr, dataclass, property. */
#include "lang/class.h"
#include "lang/key_index.h"
#include "lang/token.h"
#include "library/arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool needs_class(const Value *value, const char *name, Error *err) {
    return value->kind == VALUE_CLASS ||
           error_set(err, ERR_TYPE, "%s takes a class, not %s", name, value_words(value));
}

/* ---- isinstance, issubclass ---- */

/* Sets *out to whether a value is of the type that a function makes, `int` or `array`. Whole
 * numbers are numbers: both answers are right then. False: the function is no type. */
static bool is_of_type(const Value *value, const BuiltinDef *type, bool *out) {
    static const struct {
        const char *name;
        ValueKind kind;
    } kinds[] = {{"float", VALUE_NUMBER}, {"float64", VALUE_NUMBER}, {"double", VALUE_NUMBER},
                 {"array", VALUE_TENSOR}, {"asarray", VALUE_TENSOR}, {"ndarray", VALUE_TENSOR},
                 {"dict", VALUE_RECORD},  {"record", VALUE_RECORD}};
    const char *name = type->name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) != 0) continue;
        *out = value->kind == kinds[i].kind;
        return true;
    }
    if (strcmp(name, "int") == 0)
        *out = value->kind == VALUE_BOOL ||
               (value->kind == VALUE_NUMBER && value->number == floor(value->number));
    else if (strcmp(name, "property") == 0)
        *out = value->kind == VALUE_METHOD && value->method->role == METHOD_PROPERTY;
    else if (type->type) *out = strcmp(value_type_name(value), name) == 0;
    else return false;
    return true;
}

/* Calls `is` for each type that is asked for, one or a tuple of them, until one is. */
static bool is_any(const Call *call,
                   bool (*is)(const Call *call, const Value *type, bool *out, Error *err),
                   Value *out, Error *err) {
    const Value *types = &call->arguments[1];
    bool several = value_is_list(types), found = false;
    size_t count = several ? types->list->count : 1;
    for (size_t i = 0; i < count && !found; i++) {
        const Value *type = several ? &types->list->items[i] : types;
        if (several && type->kind == VALUE_NONE) found = call->arguments[0].kind == VALUE_NONE;
        else if (!is(call, type, &found, err)) return false;
    }
    *out = value_bool(found);
    return true;
}

static bool is_instance_of(const Call *call, const Value *type, bool *out, Error *err) {
    const Value *value = &call->arguments[0];
    if (type->kind == VALUE_CLASS) {
        const Class *class = class_of(value);
        *out = type->class == call->interp->object_class.class ||
               (class && class_extends(class, type->class));
        const Value *check = /* what a class inherits is not its own */
            fields_find(type->class->parts[1].record,
                        call->interp->specials[SPECIAL_INSTANCECHECK]->text);
        if (*out || !check) return true;
        LocalValue answer = VALUE_MISSING;
        return interp_call(call->interp, check, value, 1, &answer, err) &&
               value_truth(&answer, out, err);
    }
    const Value *held = instance_value(value);
    if (type->kind == VALUE_BUILTIN && is_of_type(held ? held : value, type->builtin, out))
        return true;
    error_set(err, ERR_TYPE,
              "isinstance asks for a class, or int, float, bool, str, list, tuple, dict, set or "
              "np.ndarray");
    error_python(err, "isinstance() arg 2 must be a type, a tuple of types, or a union");
    return error_hint(err, "type(x) is the type of a value.");
}

static bool is_instance(const Call *call, Value *out, Error *err) {
    return is_any(call, is_instance_of, out, err);
}

static bool is_subclass_of(const Call *call, const Value *type, bool *out, Error *err) {
    const Value *class = &call->arguments[0];
    if (type->kind == VALUE_BUILTIN || class->kind == VALUE_BUILTIN) { /* of int, str and so on */
        bool whole = type->kind == VALUE_BUILTIN && class->kind == VALUE_BUILTIN &&
                     strcmp(type->builtin->name, "int") == 0 &&
                     strcmp(class->builtin->name, "bool") == 0;
        *out = whole || value_equal(type, class) ||
               (type->kind == VALUE_CLASS && type->class == call->interp->object_class.class);
        return true;
    }
    if (!needs_class(type, "issubclass", err)) return false;
    *out = type->class == call->interp->object_class.class ||
           class_extends(call->arguments[0].class, type->class);
    return true;
}

static bool is_subclass(const Call *call, Value *out, Error *err) {
    bool type = call->arguments[0].kind == VALUE_BUILTIN;
    return (type || needs_class(&call->arguments[0], "issubclass", err)) &&
           is_any(call, is_subclass_of, out, err);
}

/* ---- attributes by their names ---- */

/* Sets *out to x.name; *has is false where x has no attribute of that name. */
static bool read_attribute(const Call *call, bool *has, Value *out, Error *err) {
    Error own = {.kind = ERR_NONE};
    const char *name = string_at(call, 1)->data;
    *has = value_attribute(call->interp, &call->arguments[0], name, out, &own);
    if (*has) return true;
    /* A method of a list or string has to be called, but is there. */
    if (find_method(call->interp, &call->arguments[0], name)) return *has = true;
    bool lacks = own.kind == ERR_NAME || own.kind == ERR_TYPE;
    if (!lacks && err) *err = own;
    return lacks;
}

static bool has_attribute(const Call *call, Value *out, Error *err) {
    LocalValue value = VALUE_MISSING;
    bool has;
    if (!read_attribute(call, &has, &value, err)) return false;
    *out = value_bool(has);
    return true;
}

static bool get_attribute(const Call *call, Value *out, Error *err) {
    bool has;
    if (call->rest_count == 0)
        return value_attribute(call->interp, &call->arguments[0], string_at(call, 1)->data, out,
                               err);
    *out = VALUE_MISSING;
    if (!read_attribute(call, &has, out, err)) return false;
    if (!has) *out = value_ref(call->rest[0]);
    return true;
}

static bool set_attribute(const Call *call, Value *out, Error *err) {
    Value object = call->arguments[0];
    *out = VALUE_NOTHING;
    return value_attribute_store(call->interp, &object, string_at(call, 1)->data,
                                 &call->arguments[2], err);
}

static bool delete_attribute(const Call *call, Value *out, Error *err) {
    const String *name = string_at(call, 1);
    Symbol *symbol = interp_symbol(call->interp, name->data, name->length, err);
    *out = VALUE_NOTHING;
    return symbol && member_store(call->interp, &call->arguments[0], symbol, NULL, err);
}

static bool fields_of(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    if (x->kind == VALUE_INSTANCE || x->kind == VALUE_CLASS)
        return value_attribute(call->interp, x, "__dict__", out, err);
    error_set(err, ERR_TYPE, "vars gives the fields of an object, not of %s", value_words(x));
    return error_hint(err, "who lists the variables.");
}

/* dir: the names behind the dot of a value, in the order of the alphabet. */
typedef struct Names {
    Value *list;
    Error *err;
    bool ok;
} Names;

static void add_name(void *context, const char *name, const Value *member) {
    Names *names = context;
    LocalValue text = VALUE_MISSING;
    (void)member;
    names->ok = names->ok && value_string(&text, name, strlen(name), names->err) &&
                list_append(names->list->list, text, names->err);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const Value *)a)->string->data, ((const Value *)b)->string->data);
}

static bool names_of(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    Names names = {.list = out, .err = err, .ok = value_list_new(out, VALUE_LIST, 0, err)};
    if (!names.ok) return false;
    if (x->kind >= VALUE_INSTANCE) members_each(x, add_name, &names);
    else value_attributes_each(call->interp, x, add_name, &names);
    List *list = out->list;
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, compare_names);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool again = kept > 0 && compare_names(&list->items[kept - 1], &list->items[i]) == 0;
        if (again) value_release(&list->items[i]);
        else list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return value_if(names.ok, out);
}

/* ---- identity ---- */

static bool identity(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    (void)err;
    bool counted = value_is_counted(x) || x->kind == VALUE_BUILTIN;
    *out = value_number(counted ? (double)((uintptr_t)x->string & 0xFFFFFFFFFFFFF)
                                : (double)(value_is_scalar(x) ? 16 + value_scalar(x) * 32 : 8));
    return true;
}

static bool hash(const Call *call, Value *out, Error *err) {
    uint64_t bits;
    if (value_hash(&call->arguments[0], &bits) == KEY_UNFIT)
        return value_unhashable(&call->arguments[0], false, err);
    if (take_late(err)) return false;            /* its own __hash__ has failed */
    const double number = (double)(int64_t)bits; /* one has room for 53 bits */
    *out = value_number(fabs(number) < 0x1p53 ? number : floor(number / 2048));
    return true;
}

static bool can_be_called(const Call *call, Value *out, Error *err) {
    (void)err;
    *out = value_bool(value_is_callable(&call->arguments[0]));
    return true;
}

/* ---- properties, static and class methods ---- */

static bool property(const Call *call, Value *out, Error *err) {
    if (!method_new(METHOD_PROPERTY, &call->arguments[0], &call->arguments[1], out, err))
        return false;
    out->method->parts[2] = value_ref(call->arguments[2]);
    return true;
}

/* x.setter of a property and its like: the property with another function, whose place is in the
 * row. */
static bool property_with(const Call *call, Value *out, Error *err) {
    const Value *parts = call->arguments[0].method->parts;
    if (!method_new(METHOD_PROPERTY, &parts[0], &parts[1], out, err)) return false;
    out->method->parts[2] = value_ref(parts[2]);
    value_release(&out->method->parts[(size_t)call->builtin->constant]);
    out->method->parts[(size_t)call->builtin->constant] = value_ref(call->arguments[1]);
    return true;
}

/* staticmethod and classmethod: the role is in the row. */
static bool method_of_class(const Call *call, Value *out, Error *err) {
    const Value none = VALUE_NOTHING;
    return method_new((MethodRole)call->builtin->constant, &none, &call->arguments[0], out, err);
}

static bool abstract_method(const Call *call, Value *out, Error *err) {
    const Value *function = &call->arguments[0];
    if (function->kind == VALUE_METHOD) function = &function->method->parts[0];
    if (function->kind != VALUE_FUNCTION)
        return error_set(err, ERR_TYPE, "abstractmethod is written above a def");
    function->function->abstract = true;
    *out = value_ref(call->arguments[0]);
    return true;
}

static bool super_of(const Call *call, Value *out, Error *err) {
    const Value *class = &call->arguments[0];
    if (!given_at(call, 0) || !given_at(call, 1)) {
        error_set(err, ERR_TYPE, "super() belongs in a method of a class that extends another");
        return error_hint(err, "super(Base, self).method() says both.");
    }
    return needs_class(class, "super", err) &&
           method_new(METHOD_SUPER, &call->arguments[1], class, out, err);
}

static bool not_implemented(const Call *call, Value *out, Error *err) {
    (void)call, (void)out;
    return error_set(err, ERR_TYPE, "NotImplemented is returned, and not called");
}

/* ---- decorators ---- */

/* functools.wraps(f): the wrapper gets the names and the docstring of f. */
static bool give_names(const Call *call, Value *out, Error *err) {
    static const Special given[] = {SPECIAL_NAME, SPECIAL_QUALNAME, SPECIAL_DOC};
    const Value *wrapper = &call->arguments[1];
    bool ok = true;
    *out = value_ref(*wrapper);
    for (int i = 0; ok && i < 3 && wrapper->kind == VALUE_FUNCTION; i++) {
        LocalValue text = VALUE_MISSING;
        Symbol *symbol = call->interp->specials[given[i]];
        ok = member_attribute(call->interp, &call->arguments[0], symbol, &text, err) &&
             member_store(call->interp, wrapper, symbol, &text, err);
    }
    return value_if(ok, out);
}

/* A function that takes what is below a decorator: `row` with this first argument. */
static bool give_decorator(const BuiltinDef *row, const Value *first, Value *out, Error *err) {
    const Value function = {.kind = VALUE_BUILTIN, .builtin = row};
    return method_new(METHOD_BOUND, first, &function, out, err);
}

static bool wraps(const Call *call, Value *out, Error *err) {
    static const BuiltinDef row = {
        .name = "wraps", .parameters = "wrapped:any wrapper:any", .call = give_names};
    return give_decorator(&row, &call->arguments[0], out, err);
}

/* ---- dataclasses ---- */

static bool option(const Record *options, const char *name, bool fallback) {
    const Value *value = record_get(options, name);
    return value && value->kind == VALUE_BOOL ? value->boolean : fallback;
}

static bool make_dataclass(const Value *class, const Record *options, Value *out, Error *err) {
    if (!needs_class(class, "dataclass", err) || !class_list_fields(class->class, err))
        return false;
    class->class->frozen = option(options, "frozen", false);
    class->class->stores_by_method |= class->class->frozen;
    class->class->writes_fields = option(options, "repr", true);
    class->class->compares_fields = option(options, "eq", true);
    class->class->orders_fields = option(options, "order", false);
    *out = value_ref(*class);
    return true;
}

static bool decorate_class(const Call *call, Value *out, Error *err) {
    return make_dataclass(&call->arguments[1], call->arguments[0].record, out, err);
}

static bool dataclass(const Call *call, Value *out, Error *err) {
    static const BuiltinDef row = {
        .name = "dataclass", .parameters = "options:any class:any", .call = decorate_class};
    LocalValue options = VALUE_MISSING;
    if (!give_keywords(call, &options, err)) return false;
    if (!given_at(call, 0)) return give_decorator(&row, &options, out, err);
    return make_dataclass(&call->arguments[0], options.record, out, err);
}

/* The first value is the default, which may be None: it is missing where nothing is given. */
static bool field(const Call *call, Value *out, Error *err) {
    Value fallback = VALUE_MISSING, factory = VALUE_NOTHING;
    FieldOptions options = {true, true, true};
    for (size_t i = 0; i + 1 < call->rest_count; i += 2) {
        const char *name = call->rest[i].string->data;
        const Value *value = &call->rest[i + 1];
        bool truth = value->kind != VALUE_BOOL || value->boolean;
        if (strcmp(name, "default") == 0) fallback = *value;
        else if (strcmp(name, "default_factory") == 0) factory = *value;
        else if (strcmp(name, "init") == 0) options.init = truth;
        else if (strcmp(name, "repr") == 0) options.repr = truth;
        else if (strcmp(name, "compare") == 0) options.compare = truth;
        else if (!words_contain("hash metadata kw_only", name, strlen(name)))
            return error_set(err, ERR_TYPE, "field has no argument %s", name);
    }
    return field_new(&fallback, &factory, options, out, err);
}

static bool replace_fields(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    const Record *fields = class_fields(class_of(x));
    if (!fields)
        return error_set(err, ERR_TYPE, "%s takes an object of a dataclass, not %s",
                         call->builtin->name, value_words(x));
    if (!instance_copy(x, out, err)) return false;
    for (size_t i = 0; i + 1 < call->rest_count; i += 2) {
        const char *name = call->rest[i].string->data;
        bool ok = record_get(fields, name) ||
                  error_set(err, ERR_TYPE, "%s has no field '%s'", value_words(x), name) ||
                  error_python(err, "%s.__init__() got an unexpected keyword argument '%s'",
                               class_of(x)->name->name, name);
        if (!ok || !record_put(out->record, &call->rest[i], call->rest[i + 1], err))
            return value_if(false, out);
    }
    LocalValue result = VALUE_MISSING;
    bool found;
    return call_special(out, SPECIAL_POST_INIT, NULL, 0, &found, &result, err) ||
           value_if(false, out);
}

/* ---- slices as values ---- */

static bool slice(const Call *call, Value *out, Error *err) {
    Value bounds[3] = {VALUE_NOTHING, call->arguments[0], VALUE_NOTHING};
    if (call->rest_count > 2) return error_set(err, ERR_TYPE, "a slice has a start, stop and step");
    if (call->rest_count > 0) bounds[0] = call->arguments[0];
    for (size_t i = 0; i < call->rest_count; i++) bounds[i + 1] = call->rest[i];
    return value_list_of(out, VALUE_SLICE, bounds, 3, err);
}

/* s.indices(n): the numbers that range needs to go through the same elements of n. */
static bool slice_indices(const Call *call, Value *out, Error *err) {
    IndexItem item = {.kind = INDEX_SLICE};
    long long first, step;
    size_t count, size;
    if (!size_at(call, 1, "the length", &size, err) ||
        !slice_item(&call->arguments[0], &item, err) ||
        !slice_resolve(&item, size, &first, &step, &count, err))
        return false;
    long long end = (long long)size, stop = item.stop + (item.stop < 0 ? end : 0);
    if (!item.has_stop) stop = step > 0 ? end : -1;
    if (stop < 0) stop = step > 0 ? 0 : -1;
    if (stop > end) stop = end;
    const Value bounds[] = {value_number((double)first), value_number((double)stop),
                            value_number((double)step)};
    return value_list_of(out, VALUE_TUPLE, bounds, 3, err);
}

#define GROUP "classes"

const BuiltinDef classes_table[] = {
    {BUILTIN("isinstance", is_instance), .parameters = "x:any types:any",
     .summary = "Whether something is an object of a class, or of one that extends it; also an "
                "int, float, bool, str, list, tuple, dict or np.ndarray. Several are given in "
                "parentheses. A whole number is both an int and a float.",
     .example = "isinstance(3.5, (int, float))\n# -> True\nisinstance(\"a\", list)\n# -> False",
     .see = "type issubclass"},
    {BUILTIN("issubclass", is_subclass), .parameters = "class:any classes:any",
     .summary = "Whether a class is another one, or extends it; of a tuple, one of them.",
     .example = "class A: pass\nclass B(A): pass\nissubclass(B, A)\n# -> True",
     .see = "isinstance"},
    {BUILTIN("hasattr", has_attribute), .parameters = "x:any name:text",
     .summary = "Whether x.name is there.", .example = "hasattr([1, 2], \"append\")\n# -> True",
     .see = "getattr"},
    {BUILTIN("getattr", get_attribute), .parameters = "x:any name:text *default:any",
     .summary = "x.name, by a name in a string; the default, if it is given, where there is none.",
     .example = "class A: pass\ngetattr(A(), \"size\", 0)\n# -> 0", .see = "setattr hasattr vars"},
    {BUILTIN("setattr", set_attribute), .parameters = "x:any name:text value:any",
     .summary = "Does x.name = value, by a name in a string.",
     .example = "class A: pass\na = A()\nsetattr(a, \"size\", 3)\na.size\n# -> 3",
     .see = "getattr"},
    {BUILTIN("delattr", delete_attribute), .parameters = "x:any name:text",
     .summary = "Does del x.name, by a name in a string.",
     .example = "class A: pass\na = A()\na.n = 1\ndelattr(a, \"n\")\nhasattr(a, \"n\")\n# -> False",
     .see = "setattr"},
    {BUILTIN("vars", fields_of), .parameters = "x:any",
     .summary =
         "The fields of an object, as a record that changes with it; the same as x.__dict__.",
     .example = "class A: pass\na = A()\na.n = 1\nvars(a)\n# -> {'n': 1}", .see = "getattr"},
    {BUILTIN("dir", names_of), .parameters = "x:any",
     .summary = "The names that may follow the dot of x: fields, attributes and methods.",
     .example = "class A:\n    def f(self): pass\na = A()\na.n = 1\ndir(a)\n# -> ['f', 'n']",
     .see = "vars hasattr"},
    {BUILTIN("id", identity), .parameters = "x:any",
     .summary = "A number that tells an object from all others that there are now.",
     .example = "xs = [\"a\"]\nys = xs\nid(xs) == id(ys)\n# -> True"},
    {BUILTIN("hash", hash), .parameters = "x:any",
     .summary = "The number by which a dict finds x among its keys; equal values have the same. A "
                "class with __eq__ needs __hash__ for that, which returns hash((self.a, self.b)).",
     .example = "hash(\"a\") == hash(\"a\")\n# -> True", .see = "id"},
    {BUILTIN("callable", can_be_called), .parameters = "x:any",
     .summary = "Whether x(...) can be written: of a function, a class, an object with __call__.",
     .example = "callable(print)\n# -> True\ncallable(3)\n# -> False"},
    {BUILTIN("property", property),
     .parameters = "fget:any=None fset:any=None fdel:any=None doc:any=None",
     .summary = "As @property above a method: x.name runs it, without parentheses. @name.setter "
                "above a second one, def name(self, value), lets x.name = value run that.",
     .example = "class Square:\n    def __init__(self, side): self.side = side\n    @property\n"
                "    def area(self): return self.side ** 2\nSquare(3).area\n# -> 9",
     .see = "staticmethod classmethod"},
    {BUILTIN("setter", property_with), .receiver = "property", .constant = 1,
     .parameters = "property:any function:any",
     .summary = "As @name.setter above def name(self, value): what x.name = value does.",
     .example = "class T:\n    @property\n    def f(self): return self.c * 2\n    @f.setter\n"
                "    def f(self, value): self.c = value / 2\nt = T()\nt.f = 10\nt.c\n# -> 5",
     .see = "property"},
    {BUILTIN("deleter", property_with), .receiver = "property", .constant = 2,
     .parameters = "property:any function:any",
     .summary = "As @name.deleter above def name(self): what del x.name does.",
     .example = "class T:\n    @property\n    def f(self): return 1\n    @f.deleter\n"
                "    def f(self): print(\"gone\")\nt = T()\ndel t.f\n# -> gone",
     .see = "property"},
    {BUILTIN("getter", property_with), .receiver = "property", .constant = 0,
     .parameters = "property:any function:any",
     .summary = "As @name.getter above def name(self): what x.name reads, of a property that a "
                "class extends.",
     .example = "class T:\n    f = property()\n    @f.getter\n    def f(self): return 1\n"
                "T().f\n# -> 1",
     .see = "property"},
    {BUILTIN("staticmethod", method_of_class), .constant = METHOD_STATIC,
     .parameters = "function:any", .summary = "As @staticmethod above a method: it takes no self.",
     .example = "class A:\n    @staticmethod\n    def double(x): return 2 * x\nA.double(4)\n# -> 8",
     .see = "classmethod"},
    {BUILTIN("classmethod", method_of_class), .constant = METHOD_CLASS,
     .parameters = "function:any",
     .summary = "As @classmethod above a method: it takes the class in place of the object.",
     .example = "class A:\n    @classmethod\n    def make(cls): return cls()\n"
                "isinstance(A.make(), A)\n# -> True",
     .see = "staticmethod"},
    {BUILTIN("abstractmethod", abstract_method), .parameters = "function:any",
     .summary = "As @abstractmethod above a method: objects are made of classes that extend this "
                "one and define the method.",
     .example = "class Shape:\n    @abstractmethod\n    def area(self): pass\n"
                "class Unit(Shape):\n    def area(self): return 1\nUnit().area()\n# -> 1"},
    {BUILTIN("super", super_of), .parameters = "class:any=None object:any=None",
     .summary = "In a method, the object as one of the class that is extended: super().__init__(n) "
                "runs the __init__ of that one.",
     .example = "class A:\n    def f(self): return 1\nclass B(A):\n"
                "    def f(self): return super().f() + 1\nB().f()\n# -> 2"},
    {BUILTIN("NotImplemented", not_implemented), .parameters = "",
     .summary = "Returned by __add__ and its like: the other side of the operator is to try.",
     .example = "NotImplemented == NotImplemented\n# -> True"},
    {BUILTIN("wraps", wraps), .parameters = "wrapped:any",
     .summary =
         "As @wraps(f) above the function inside a decorator: it gets the name and docstring of f.",
     .example = "def twice(f):\n    @wraps(f)\n    def g(x): return f(f(x))\n    return g\n"
                "@twice\ndef add(x): return x + 1\nadd(1)\n# -> 3\nadd.__name__\n# -> 'add'"},
    {BUILTIN("dataclass", dataclass), .parameters = "class:any=None **options:any",
     .summary = "As @dataclass above a class whose body lists fields, x: float = 0: it gets "
                "__init__, == by the fields, and is written with them. order=True gives it an "
                "order, frozen=True keeps the fields as they are.",
     .example = "@dataclass\nclass Point:\n    x: float\n    y: float = 0\nPoint(1)\n"
                "# -> Point(x=1, y=0)\nPoint(1, 2) == Point(1, 2)\n# -> True",
     .see = "field asdict replace"},
    {BUILTIN("field", field), .parameters = "**options:any",
     .summary =
         "How a field of a dataclass begins: default=0, or default_factory=list, which makes a new "
         "list for each object. init=False, repr=False, compare=False leave it out.",
     .example = "@dataclass\nclass Bag:\n    items: list = field(default_factory=list)\n"
                "Bag().items\n# -> []",
     .see = "dataclass"},
    {BUILTIN("replace", replace_fields), .parameters = "x:any / **fields:any",
     .summary = "A copy of an object of a dataclass, with some of its fields changed.",
     .example = "@dataclass(frozen=True)\nclass P:\n    x: float\n    y: float\n"
                "replace(P(1, 2), y=5)\n# -> P(x=1, y=5)",
     .see = "dataclass"},
    {BUILTIN("slice", slice), .type = "slice", .parameters = "start:any *more:any",
     .summary = "A slice as a value: x[slice(1, 3)] is x[1:3]. A method __getitem__ is given one "
                "for x[1:3], with start, stop and step, None where they are left out.",
     .example = "s = slice(1, 3)\n\"abcdef\"[s]\n# -> 'bc'\ns.stop\n# -> 3",
     .see = "isinstance indices"},
    {BUILTIN("indices", slice_indices), .receiver = "slice", .parameters = "slice:any length:whole",
     .summary = "Start, stop and step of a slice of so many elements, as range takes them.",
     .example = "slice(None, None, 2).indices(5)\n# -> (0, 5, 2)", .see = "slice range"},
    {0},
};

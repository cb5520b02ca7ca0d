/* Classes, their objects, and the methods of both.
 *
 * An object (VALUE_INSTANCE) is the record of its fields, which knows its class. A class has a
 * record of members: methods and the attributes of the class. Both are found by interned names
 * (Symbol.text), so that a look-up compares pointers. All changes go through records, so that the
 * journal takes them back.
 *
 * What Python spells __add__ is a Special here. The functions below that have no interp call
 * methods by that of the class; where they cannot report an error, it is kept (keep_late) until the
 * statement ends. */
#ifndef ATTN_LANG_CLASS_H
#define ATTN_LANG_CLASS_H

#include "lang/interp.h"

#include <string.h>

struct Arguments; /* eval/eval.h */

/* clang-format off */
#define SPECIALS(X) \
    X(INIT, "__init__") X(NEW, "__new__") X(CALL, "__call__") X(REPR, "__repr__") X(STR, "__str__") \
    X(FORMAT, "__format__") X(LEN, "__len__") X(BOOL, "__bool__") X(HASH, "__hash__") \
    X(GETITEM, "__getitem__") X(SETITEM, "__setitem__") X(DELITEM, "__delitem__") \
    X(ITER, "__iter__") X(NEXT, "__next__") X(CONTAINS, "__contains__") \
    X(GET, "__get__") X(SET, "__set__") X(DELETE, "__delete__") X(SET_NAME, "__set_name__") \
    X(GETATTR, "__getattr__") X(SETATTR, "__setattr__") X(DELATTR, "__delattr__") \
    X(ENTER, "__enter__") X(EXIT, "__exit__") X(POST_INIT, "__post_init__") \
    X(EQ, "__eq__") X(NE, "__ne__") X(LT, "__lt__") X(LE, "__le__") X(GT, "__gt__") X(GE, "__ge__") \
    X(NEG, "__neg__") X(POS, "__pos__") X(INVERT, "__invert__") X(ABS, "__abs__") \
    X(ROUND, "__round__") X(INT, "__int__") X(FLOAT, "__float__") X(INDEX, "__index__") \
    X(ADD, "__add__") X(SUB, "__sub__") X(MUL, "__mul__") X(TRUEDIV, "__truediv__") \
    X(FLOORDIV, "__floordiv__") X(MOD, "__mod__") X(POW, "__pow__") X(MATMUL, "__matmul__") \
    X(AND, "__and__") X(OR, "__or__") X(XOR, "__xor__") X(LSHIFT, "__lshift__") \
    X(RSHIFT, "__rshift__") \
    X(RADD, "__radd__") X(RSUB, "__rsub__") X(RMUL, "__rmul__") X(RTRUEDIV, "__rtruediv__") \
    X(RFLOORDIV, "__rfloordiv__") X(RMOD, "__rmod__") X(RPOW, "__rpow__") \
    X(RMATMUL, "__rmatmul__") X(RAND, "__rand__") X(ROR, "__ror__") X(RXOR, "__rxor__") \
    X(RLSHIFT, "__rlshift__") X(RRSHIFT, "__rrshift__") \
    X(IADD, "__iadd__") X(ISUB, "__isub__") X(IMUL, "__imul__") X(ITRUEDIV, "__itruediv__") \
    X(IFLOORDIV, "__ifloordiv__") X(IMOD, "__imod__") X(IPOW, "__ipow__") \
    X(IMATMUL, "__imatmul__") X(IAND, "__iand__") X(IOR, "__ior__") X(IXOR, "__ixor__") \
    X(ILSHIFT, "__ilshift__") X(IRSHIFT, "__irshift__") \
    X(CLASS, "__class__") X(DICT, "__dict__") X(DOC, "__doc__") X(NAME, "__name__") \
    X(QUALNAME, "__qualname__") X(MODULE, "__module__") \
    X(MRO, "__mro__") X(BASES, "__bases__") X(BASE, "__base__") X(COPY, "__copy__") \
    X(DEEPCOPY, "__deepcopy__") X(CAUSE, "__cause__") X(DIVMOD, "__divmod__") \
    X(SLOTS, "__slots__") X(REVERSED, "__reversed__") \
    X(ERROR, "__error__") X(ARGS, "args") X(FIELDS, "__dataclass_fields__") \
    X(VALUE, "__value__") X(MISSING, "__missing__") X(MEMBERS, "__members__") \
    X(ANNOTATIONS, "__annotations__") X(INSTANCECHECK, "__instancecheck__") \
    X(GETATTRIBUTE, "__getattribute__") X(INIT_SUBCLASS, "__init_subclass__")
typedef enum Special {
#define SPECIAL_ENUM(identifier, text) SPECIAL_##identifier,
    SPECIALS(SPECIAL_ENUM)
#undef SPECIAL_ENUM
    SPECIAL_COUNT,
} Special;
/* clang-format on */

struct Class {
    Shared shared;
    size_t count; /* of the parts */
    /* the classes it extends, in the order of a search; the record of its members; its bases */
    Value parts[3];
    Symbol *name;
    Interp *interp;
    Chunk *chunk;                      /* keeps `body`; NULL: it is predefined */
    const FunctionCode *body;          /* what made it, which super() is found by */
    const struct Exception *exception; /* the predefined error that it is or extends; or NULL */
    const BuiltinDef *holds; /* dict or its like, which it extends: its objects hold a value of that
                              * type, as their field __value__; else NULL */
    const Value *plain_init; /* see there, as it was found at ... */
    uint64_t plain_changes;  /* ... this count of class_changes */
    uint64_t made;           /* class_changes when it was made */
    size_t fields;           /* the most that an object of it had so far */
    bool slots;              /* __slots__ list the fields of its objects */
    bool has_properties;     /* or descriptors with __set__: stores look for one of the name */
    /* It has __getattribute__, or descriptors with __set__: reading a field looks there first. */
    bool reads_by_method;
    bool stores_by_method; /* it has __setattr__ or __delattr__, or is frozen: stores look there */
    /* of a dataclass */
    bool frozen; /* the fields are set once */
    bool writes_fields, compares_fields, orders_fields;
};

typedef enum MethodRole {
    METHOD_BOUND,    /* x.f: parts are x and the function */
    METHOD_SUPER,    /* super(): an object or class, and the class behind which the search begins */
    METHOD_PROPERTY, /* the functions that read, set and delete it, or None */
    METHOD_STATIC,   /* the function is the second part; so it is of the next two */
    METHOD_CLASS,
    METHOD_FIELD, /* of a dataclass: the default, VALUE_UNSET for none, and the default_factory */
} MethodRole;

typedef struct FieldOptions {
    bool init, repr, compare;
} FieldOptions;

struct Method {
    Shared shared;
    size_t count;   /* of the parts */
    Value parts[3]; /* the third is of a property alone */
    MethodRole role;
    FieldOptions options; /* METHOD_FIELD */
};

/* ---- making ---- */

/* The interned names and the class object; before any text is parsed. */
bool classes_init(Interp *interp, Error *err);
void classes_release(Interp *interp);
/* A class without members. ERR_TYPE where the bases have no order that suits them all. */
bool class_new(Interp *interp, Symbol *name, const Value *bases, size_t count, Value *out,
               Error *err);
/* Both parts are borrowed. */
bool method_new(MethodRole role, const Value *first, const Value *second, Value *out, Error *err);
/* Another object with the same fields. */
bool instance_copy(const Value *object, Value *out, Error *err);
/* An object without fields. */
bool instance_new(Class *class, Value *out, Error *err);
/* C(...): makes an object and runs __init__. ERR_TYPE for an abstract class. */
bool instantiate(Interp *interp, const Value *class, struct Arguments *arguments, Value *out,
                 Error *err);
/* The abstract method of a class that comes next in the order of names, after NULL the first; NULL:
 * there are no more. Objects are made of a class without any. */
const char *class_abstract(const Class *class, const char *after);

/* ---- looking up ---- */

/* The i-th class in which a member is searched for, the class itself first; NULL: there are no
 * more.
 */
static inline const Class *class_line(const Class *class, size_t i) {
    if (i == 0) return class;
    const List *line = class->parts[0].list;
    return i <= line->count ? line->items[i - 1].class : NULL;
}
bool class_extends(const Class *class, const Class *base); /* also itself */
/* The class of an object, NULL: it is none. */
static inline Class *class_of(const Value *value) {
    return value->kind == VALUE_INSTANCE ? value->record->class : NULL;
}
/* The value of an interned key; NULL: none. */
static inline const Value *fields_find(const Record *record, const String *key) {
    if (record->index.size > 0) {
        const Value name = {.kind = VALUE_STRING, .string = (String *)key};
        return record_find(record, &name);
    }
    for (size_t i = 0; i < record->count; i++)
        if (record->keys[i].string == key) return &record->values[i];
    return NULL;
}
/* Sets it, in a record that was kept. The value is a new reference. */
bool fields_set(Record *record, String *key, Value value, Error *err);
/* The member that a look-up found last, by class and name. A change of any class ends them all. */
enum { MEMBERS_KNOWN = 1024 };
typedef struct KnownMember {
    const Class *class;
    const String *name;
    const Value *member; /* NULL: the class has none of the name */
    uint64_t changes;
} KnownMember;
extern KnownMember known_members[MEMBERS_KNOWN];
extern uint64_t class_changes; /* counts up whenever a class is made, changed or changed back */
const Value *class_search(const Class *class, const String *name);
/* The dict or its like that an object holds, whose class extends that type; NULL: none. What its
 * class does not define is done with that. */
const Value *instance_value(const Value *object);
/* The members of an Enum, a record by their names; NULL: the value is no such class. */
const Value *class_members(const Value *value);
/* Makes it from the arguments of C(...), which are moved. */
bool instance_fill(Interp *interp, const Value *object, struct Arguments *arguments, Error *err);
/* A member of the class or of one it extends; NULL. The second begins behind `owner`, as super().
 */
static inline const Value *class_find(const Class *class, const String *name) {
    size_t at = (((uintptr_t) class >> 4) ^ ((uintptr_t)name >> 3)) & (MEMBERS_KNOWN - 1);
    KnownMember *known = &known_members[at];
    if (known->class != class || known->name != name || known->changes != class_changes)
        *known = (KnownMember){class, name, class_search(class, name), class_changes};
    return known->member;
}
const Value *class_find_behind(const Class *class, const Class *owner, const String *name);
const Value *class_special(const Class *class, Special special);
/* The name as an interned string, made when first needed. */
String *symbol_text(Symbol *symbol, Error *err);

/* ---- attributes ---- */

typedef void (*MemberVisit)(void *context, const char *name, const Value *member);
/* Visits the fields of an object and the members of its class, or of a class, and of those that it
 * extends. A name may come twice. */
void members_each(const Value *object, MemberVisit visit, void *context);
/* Visits the attributes and methods of a value that is no object, with a member that is NULL. */
void value_attributes_each(const Interp *interp, const Value *object, MemberVisit visit,
                           void *context);
/* x.name of an object, class, method or function. ERR_NAME marked AttributeError. */
bool member_attribute(Interp *interp, const Value *object, Symbol *name, Value *out, Error *err);
/* x.__len__ and its like of a value that is no object; *has: whether its type has that method. */
bool value_special(Interp *interp, const Value *value, const char *name, bool *has, Value *out,
                   Error *err);
/* x.name = value and del x.name (value NULL) of an object or class. */
bool member_store(Interp *interp, const Value *object, Symbol *name, const Value *value,
                  Error *err);
/* C.name = value */
bool class_set(Class *class, Symbol *name, const Value *value, Error *err);
/* True if x.name = value may do more than set a field. The name is interned. */
static inline bool class_takes_store(const Class *class, const Symbol *name) {
    if (class->stores_by_method || name == class->interp->specials[SPECIAL_CLASS]) return true;
    const Value *member = class->has_properties ? class_find(class, name->text) : NULL;
    return member && (member->kind == VALUE_METHOD || member->kind == VALUE_INSTANCE);
}
/* The field of that name where it lies, kept, where a change needs no method; else NULL. */
bool member_place(const Value *object, Symbol *name, Value **place, Error *err);

/* (*object).name = value, of any value. */
bool value_attribute_store(Interp *interp, Value *object, const char *name, const Value *value,
                           Error *err);

/* ---- dataclasses ---- */

/* field(default=, default_factory=): VALUE_UNSET, VALUE_NONE where they are not given. */
bool field_new(const Value *fallback, const Value *factory, FieldOptions options, Value *out,
               Error *err);
/* The fields by their names; NULL: it is no dataclass. */
const Record *class_fields(const Class *class);
/* Makes the names with a type in the body of a class its fields, and __init__ unless it has one. */
bool class_list_fields(Class *class, Error *err);
/* A dict of the names that the class's body gives a type, x: int, and the texts of these types. */
bool class_annotations(const Class *class, Value *out, Error *err);
/* A tuple of the fields that are compared, of an object of a dataclass. */
bool instance_field_values(const Value *object, Value *out, Error *err);
/* Point(x=1, y=2); false: it is no object of a dataclass. */
bool write_fields(Text *text, const Value *object, int digits);

/* ---- calling ---- */

/* True if x(...) can be written. */
bool value_is_callable(const Value *value);

/* ---- iterators ----
 *
 * The state of an iterator is the items of its List, so that the journal keeps them; an iterator
 * without items has ended. Behind each role is what the items are. */
typedef enum IteratorRole {
    ITERATOR_ELEMENTS,  /* the source, the index, and the count when it began */
    ITERATOR_REVERSED,  /* the same, of a list that was reversed */
    ITERATOR_ENUMERATE, /* the number of the next element, and an iterator */
    ITERATOR_ZIP,       /* iterators */
    ITERATOR_MAP,       /* the function, and iterators */
    ITERATOR_FILTER,    /* the function or None, and an iterator */
    ITERATOR_CALLS,     /* the function, and what it returns at the end */
    ITERATOR_GENERATOR, /* a function of the expression's code, the level of the innermost `for`
                         * that runs, an iterator for each, and the function's slots */
    ITERATOR_FUNCTION,  /* a function with yield, its slots, and what its statements kept */
} IteratorRole;

typedef struct IteratorState {
    List list;
    Interp *interp;
    IteratorRole role;
    bool runs; /* what it calls must not ask it for another one */
    /* The value that `yield` gives a generator when it goes on, or the error that it raises there;
     * NULL: None. Set only while it runs. */
    const Value *sent, *thrown;
    Value *returned; /* takes what its `return` gives, where that is asked for; else NULL */
} IteratorState;

/* The parts are borrowed. */
bool iterator_new(Interp *interp, IteratorRole role, const Value *parts, size_t count, Value *out,
                  Error *err);
/* Its type in Python: map, zip, generator. */
const char *iterator_word(const Value *iterator);

/* True for an iterator, a set, and an object with __iter__ or __getitem__. */
bool value_is_iterable(const Value *value);
/* iter(source) and next(source); *ended: there is no next value. *out is new. */
bool value_iterator(const Value *source, Value *out, Error *err);
bool value_next(const Value *source, bool *ended, Value *out, Error *err);
/* The same; a generator goes on with what is sent, or with the error that is thrown, and *returned
 * is what its `return` gives; any other iterator is only asked, or lets the error pass. NULL:
 * nothing; *returned is not set where nothing is returned. */
bool generator_resume(Interp *interp, const Value *iterator, const Value *sent, const Value *thrown,
                      Value *returned, bool *ended, Value *out, Error *err);
/* Takes what reversed(...) has left, which ends it: a list that nobody else sees, and the index of
 * the first element. False if it is something else. */
bool iterator_take_rest(const Value *source, Value *list, size_t *first);
/* Raises GeneratorExit where a function with yield stopped, so that what `with` and `finally` ask
 * for is done. */
bool generator_close(Interp *interp, const Value *generator, Error *err);
/* False for a function with yield that has not run yet, so that nothing can be sent to it. */
bool generator_begun(const IteratorState *state);

/* Calls the method of an object; *found is false if its class has none. */
bool call_special(const Value *object, Special special, const Value *arguments, size_t count,
                  bool *found, Value *out, Error *err);
/* a op b, one of them an object. ERR_TYPE where neither has such a method. */
bool instance_binary(Interp *interp, Op op, const Value *a, const Value *b, Value *out, Error *err);
/* *done: whether x has __iadd__ or its like, which gave *out. */
bool instance_augment(Op op, const Value *x, const Value *value, bool *done, Value *out,
                      Error *err);
bool instance_unary(Special special, const char *sign, const Value *x, Value *out, Error *err);
/* *done: whether one of them has a method for it. */
bool instance_compare(Comparison comparison, const Value *a, const Value *b, bool *done, Value *out,
                      Error *err);
/* a == b of which one is an object; an error is kept. */
bool instance_equal(const Value *a, const Value *b);
bool instance_truth(const Value *x, bool *out, Error *err);
/* item in x: by __contains__, else by going through it. */
bool instance_contains(const Value *x, const Value *item, bool *out, Error *err);
void instance_write(Text *text, const Value *x, int digits, bool nested);
/* The same without its own __str__ and __repr__: <Dog object>; of an error its message. */
void instance_write_plain(Text *text, const Value *x, int digits, bool nested);
/* Sets *hash to that of an object as a key of a record or an item of a set: its __hash__, where it
 * has one, whose error is kept. False: the object is compared by its __eq__ or its fields, which
 * may change, so it cannot be a key. */
bool instance_hash(const Value *x, uint64_t *hash);

/* True for the value NotImplemented. */
static inline bool is_not_implemented(const Value *value) {
    return value->kind == VALUE_BUILTIN && strcmp(value->builtin->name, "NotImplemented") == 0;
}

/* Keeps an error, unless there is one. */
void keep_late(const Error *err);
extern bool late_error; /* there is one */
/* True, and the error, if there is one that was kept. */
bool take_late(Error *err);

#endif

/* Values of the language.
 *
 * A Value is 16 bytes: a kind and a number, a boolean or a pointer to a counted payload. Lists,
 * records and cells are shared, as in Python: a change is seen by all who hold the payload. Before
 * each change shared_keep puts what the payload held into the journal of the entry, so that undo
 * and errors take it back. Strings, arrays and tuples are never written to while they have more
 * than one reference. Cycles of payloads are found and freed by values_collect.
 *
 * The one rule: arguments are borrowed, results are new. A Value that a function hands out through
 * `out` holds a reference that the caller gives back with value_release; a Value that is passed in
 * stays the caller's. */
#ifndef ATTN_LANG_VALUE_H
#define ATTN_LANG_VALUE_H

#include "engine/tensor/index_item.h"
#include "engine/tensor/tensor.h"

#include <string.h>

/* Keeps the frames of rare or long functions out of those of their callers' quick paths. */
#define NOT_INLINED __attribute__((noinline))
/* A part of the quick path of a call, without a frame of its own. */
#define INLINED inline __attribute__((always_inline))

typedef enum ValueKind {
    VALUE_UNSET, /* no value: a variable that was never assigned, an argument that was not given */
    VALUE_NONE,
    VALUE_BOOL,
    VALUE_NUMBER,
    VALUE_STRING,
    VALUE_TENSOR, /* with axes; or a tracked number, a tensor without axes that a tape knows */
    VALUE_LIST,
    VALUE_TUPLE,
    VALUE_SLICE, /* start, stop and step of a slice, as a tuple holds them */
    VALUE_RECORD,
    VALUE_SET,
    VALUE_FUNCTION,
    VALUE_BUILTIN,
    VALUE_OBJECT,
    VALUE_CELL,     /* only in a slot: a variable that inner functions share (CellVariable) */
    VALUE_ITERATOR, /* it is gone through once (class.h); its payload begins with a List */
    VALUE_INSTANCE, /* an object of a class: the record of its fields */
    VALUE_CLASS,    /* class.h */
    VALUE_METHOD,
} ValueKind;

typedef struct String String;
typedef struct List List;
typedef struct Record Record;
typedef struct Set Set;
typedef struct CellVariable CellVariable;
typedef struct Shared Shared;
typedef struct Class Class; /* class.h */
typedef struct Method Method;
typedef struct Function Function; /* interp.h */
typedef struct Object Object;
struct BuiltinDef;
struct Interp;

typedef struct Value {
    ValueKind kind;
    union {
        bool boolean;
        double number;
        String *string;
        Tensor *tensor;
        List *list;     /* also of a tuple, a slice, and what an iterator holds */
        Record *record; /* also of an instance */
        Set *set;
        Function *function;
        const struct BuiltinDef *builtin;
        Object *object;
        CellVariable *cell;
        Class *class;
        Method *method;
        Shared *shared; /* of all that value_is_in_ring is true for */
        int *refs;      /* of any payload that is counted: each begins with its count */
    };
} Value;

struct String { /* valid UTF-8, with a zero byte after it */
    int refs;
    size_t length;                 /* bytes */
    size_t room;                   /* bytes that it may become without being moved */
    size_t count;                  /* characters; SIZE_MAX: not counted yet */
    uint64_t hash;                 /* as a key; 0: not computed yet */
    size_t near_index, near_begin; /* a character that was looked for, and the byte it begins at */
    char data[];
};

/* Begins each payload that holds values. All of them are in one ring, in which values_collect looks
 * for cycles that nobody else holds. */
struct Shared {
    int refs;
    int outside; /* used while cycles are looked for: the references from outside of the ring */
    ValueKind kind;
    bool is_view;  /* a list from keys() or items(), which & | - ^ and comparisons take as a set */
    uint64_t kept; /* the entry that made it, or that kept in the journal what it held before */
    Shared *next, *previous;
};

struct List {
    Shared shared;
    size_t count, capacity;
    Value *items; /* a block of their own, or of a short tuple behind the List itself */
};

/* Finds each key among many (lang/key_index.h). */
typedef struct KeyIndex {
    struct KeySlot *slots;
    size_t size;
    size_t fill; /* slots that are taken, or were since the index was made */
} KeyIndex;

struct Record {
    Shared shared;
    size_t count, capacity;
    Value *keys;   /* strings, numbers, or tuples of these, in the order of insertion */
    Value *values; /* in the same block as the keys */
    KeyIndex index;
    Class *class; /* of the object whose fields these are; NULL: it is a record */
};

/* set and frozenset. While all items are numbers, or tuples of them, they are gone through in the
 * order of the index, which is that of CPython; else in the order in which they came. */
struct Set {
    Shared shared;
    size_t count, capacity; /* of items, with those that were taken out */
    Value *items;           /* VALUE_UNSET: it was taken out */
    size_t used;            /* how many there are */
    size_t finger;          /* the slot where pop looks for the next item */
    KeyIndex index;
    bool frozen;
    bool in_order_of_index;
};

/* A variable of a function that functions inside it use too. */
struct CellVariable {
    Shared shared;
    size_t count; /* 1; 0 once its value was given back */
    Value value;  /* VALUE_UNSET: none was assigned yet */
};

/* A kind of value that lang does not know: the result of attention, a model, a
 * task. The concrete struct begins with an Object. */
typedef struct ObjectType {
    const char *name;              /* "model", as type() says it */
    const char *words;             /* "a model", as messages say it; NULL: the name */
    const char *const *attributes; /* names, NULL at the end: for completion and did-you-mean */
    /* New value of an attribute; false and ERR_NAME when there is none such. */
    bool (*attribute)(Object *object, const char *name, Value *out, Error *err);
    void (*write)(Object *object, Text *text, int digits); /* what print and display show */
    void (*free)(Object *object);
    /* Runs `x(...)`; its first parameter is the object. NULL: not to be called. */
    const struct BuiltinDef *call;
    /* `x.attribute = value`, and `x.attribute[key] = value` (key NULL for the former). NULL:
     * nothing can be assigned. */
    bool (*assign)(struct Interp *interp, Object *object, const char *attribute, const char *key,
                   const Value *value, Error *err);
    /* `x[key]`. NULL: it cannot be indexed. */
    bool (*item)(Object *object, const Value *key, Value *out, Error *err);
    /* Makes the value of copy(x). NULL: the object itself, since nothing about it ever changes. */
    bool (*copy)(Object *object, Value *out, Error *err);
    /* Ends `with x as y:`, in which y is x itself. NULL: it has no end. */
    bool (*leave)(Object *object, Error *err);
    /* The bytes of memory that it holds and `other` (of the same type, or NULL) does not hold too.
     * NULL: nobody counts them. */
    size_t (*bytes)(const Object *object, const Object *other);
} ObjectType;

struct Object {
    int refs;
    const ObjectType *type;
};

/* An object that changes for all who hold it, as a model does when it learns. What it is at a time
 * is another object, its state. A state with more than one reference is never written to, so that
 * the journal (interp.h) keeps an earlier one by a reference, and undo puts it back. */
typedef struct SharedObject {
    Object object;
    Object *state;
    uint64_t kept; /* the entry in which the journal last kept its state */
} SharedObject;

/* ---- making (the payload, if any, is new or taken over) ---- */

#define VALUE_NOTHING ((Value){.kind = VALUE_NONE, .number = 0})
#define VALUE_MISSING ((Value){.kind = VALUE_UNSET, .number = 0})
static inline Value value_number(double x) { return (Value){.kind = VALUE_NUMBER, .number = x}; }
static inline Value value_bool(bool b) { return (Value){.kind = VALUE_BOOL, .boolean = b}; }
/* The same as *out = value, in one piece: a copy of a value whose two parts were written just
 * before has to wait until they are in memory, which takes longer than a sum or a comparison. */
static inline void value_put(Value *out, Value value) {
    typedef uint64_t Halves __attribute__((vector_size(16)));
    Halves halves = {value.kind};
    uint64_t payload;
    if (sizeof value != sizeof halves || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
        *out = value;
        return;
    }
    memcpy(&payload, &value.number, sizeof payload);
    halves[1] = payload;
    memcpy(out, &halves, sizeof *out);
}
/* Takes the reference over. A tensor without axes becomes a number or boolean
 * (and is unref'd), unless it is tracked (engine/tensor/node.h). NULL gives VALUE_UNSET: `*out =
 * value_tensor(op(...)); return out->kind != VALUE_UNSET;` */
Value value_tensor(Tensor *tensor);
bool value_string(Value *out, const char *text, size_t length, Error *err);
String *string_from(const char *text, size_t length, Error *err);
/* A string of `length` bytes, and where the caller writes them; NULL with ERR_MEMORY. */
char *value_string_new(Value *out, size_t length, Error *err);
/* string += more, amortised when *string is not shared. */
bool value_string_extend(Value *string, const String *more, Error *err);
size_t string_count(String *string); /* characters */
/* The byte where a character begins, or the length in bytes for the index behind the last one. Next
 * to the one looked for before, and in ASCII, it takes no search. */
size_t string_offset(String *string, size_t index);
/* The index of the character that begins at a byte: the other way round. */
size_t string_index(String *string, size_t offset);
/* Takes the bytes; the text is empty afterwards. */
bool value_text(Value *out, Text *text, Error *err);
bool value_list_new(Value *out, ValueKind list_or_tuple, size_t capacity, Error *err);
/* A list or tuple of new references. */
bool value_list_of(Value *out, ValueKind list_or_tuple, const Value *items, size_t count,
                   Error *err);
bool value_record_new(Value *out, Error *err);
Value value_object(Object *object); /* takes the reference over */
/* Takes any struct that begins with an Object; NULL is fine. */
void *object_ref(void *object);
void object_unref(void *object);
#define LocalObject __attribute__((cleanup(object_unref_local)))
void object_unref_local(void *local);

/* ---- life cycle ---- */

static inline bool value_is_counted(const Value *value) {
    return value->kind > VALUE_NUMBER && value->kind != VALUE_BUILTIN;
}
/* A new reference to the same payload; of a number, which most values are, a copy. */
static inline Value value_ref(Value value) {
    if (value_is_counted(&value)) ++*value.refs;
    return value;
}
/* True for the payloads that begin with a Shared. */
static inline bool value_is_in_ring(const Value *value) {
    return (value->kind >= VALUE_LIST && value->kind <= VALUE_FUNCTION) ||
           value->kind >= VALUE_CELL;
}
void value_release(Value *value); /* gives it back; *value becomes VALUE_UNSET */
/* value_release, quick where nothing is freed: most values are numbers. */
static inline void drop(Value *value) {
    if (!value_is_counted(value)) return;
    if (*value->refs == 1) {
        value_release(value);
        return;
    }
    --*value->refs;
    *value = VALUE_MISSING;
}
#define LocalValue __attribute__((cleanup(drop))) Value
/* Gives a place another value, which is taken over, and then the old one back. */
static inline void value_replace(Value *place, Value taken) {
    Value old = *place;
    *place = taken;
    drop(&old);
}
/* Frees what value_release left because of Ctrl-C: all, or a piece. True if there is more. */
bool values_free_left(bool pieces);
/* Ends a function that made a value: `ok`; the value is released where that is false. */
bool value_if(bool ok, Value *value);

/* ---- what is shared (values/shared.c) ---- */

/* Begins a payload that was allocated, with one reference, and puts it into the ring. */
void shared_begin(Shared *payload, ValueKind kind);
/* The next payload of the kind that is in use, after NULL the first; NULL: there are no more. */
const Shared *shared_after(const Shared *payload, ValueKind kind);
/* Takes a payload without references out of the ring. */
void shared_end(Shared *payload);
extern uint64_t values_entry; /* the entry that runs (interp.h) */
bool shared_keep_now(Shared *payload, Error *err);
/* Keeps what a list, record or cell holds in the journal: once in an entry, and not where the entry
 * made it. Each change of one calls this first. */
static inline bool shared_keep(Shared *payload, Error *err) {
    return payload->kept == values_entry || shared_keep_now(payload, err);
}
extern size_t values_made;      /* more payloads than were freed since values_collect ran last */
extern size_t values_tolerated; /* so many may be made before it runs again */
/* Frees the payloads that only hold each other. Every pointer to a payload must be counted at that
 * moment, as between two statements. */
void values_collect(void);
/* The values inside a payload, and where it counts them; NULL: it has none. */
Value *value_contents(Value value, size_t **count);
/* A new cell; the value is taken over, on failure too. */
bool value_cell(Value *out, Value *taken, Error *err);
/* A copy in which lists, tuples, records and objects are copies, too; what is shared or leads back
 * to itself does so in the copy. With `arrays` those hold numbers of their own, so that a change
 * of one is not taken for a lost one of the other. ERR_LIMIT: they are nested too deep. */
bool value_copy_deep(const Value *value, bool arrays, Value *out, Error *err);
/* A new list or record with the same items, each one more reference. */
bool value_list_copy(const Value *value, Value *out, Error *err);
bool value_record_copy(const Record *record, Value *out, Error *err);

/* ---- lists and records ---- */

/* Makes room for so many items more. */
bool list_reserve(List *list, size_t more, Error *err);
/* Appends a new reference to item. The list is new, or was kept (shared_keep). */
bool list_append(List *list, Value item, Error *err);
/* Appends all that `items` gives when iterated; *list is as before on failure. ERR_TYPE when it has
 * no elements. */
bool value_extend(Value *list, const Value *items, Error *err);
/* `xs.append(item)`. ERR_TYPE: it is no list. */
bool value_append(Value *xs, const Value *item, Error *err);
/* A slice as the engine takes it. */
bool slice_item(const Value *slice, IndexItem *item, Error *err);
/* tensor[index] for one value: a number, slice, array or mask, or a tuple of these. */
bool array_index_by(Tensor *tensor, const Value *index, Value *out, Error *err);
/* Frees the List, whose items were given back. */
void list_free(List *list);
/* Exchanges the items of two that are no tuples. */
void list_swap(List *a, List *b);
/* Gives the list the items of another one, which is new and taken over, on failure too. */
bool list_exchange(List *list, Value *taken, Error *err);
/* Sets a field (a new reference), replacing one of that name. The record is new, or was kept. */
bool record_set(Record *record, const char *name, Value value, Error *err);
const Value *record_get(const Record *record, const char *name); /* borrowed; NULL */
/* The same by any key: ERR_TYPE for what cannot be one. True and False are 1 and 0, as in Python.
 */
bool record_put(Record *record, const Value *key, Value value, Error *err);
const Value *record_find(const Record *record, const Value *key);
/* True for what can be a key; else ERR_TYPE. */
bool value_is_key(const Value *value, Error *err);
/* The same, *field being NULL where there is none; ERR_TYPE for what cannot be a key. */
static inline bool record_look_up(const Record *record, const Value *key, const Value **field,
                                  Error *err) {
    *field = record_find(record, key);
    return *field || value_is_key(key, err);
}
/* Sets all fields of another record. */
bool record_put_all(Record *record, const Record *fields, Error *err);
/* Takes a field out of a record. *out is its value, unless out is NULL. */
bool value_record_remove(Value *value, const Value *key, Value *out, Error *err);
/* The same for the field of an index; *key (may be NULL): its key. */
bool value_record_take(Value *value, size_t at, Value *key, Value *out, Error *err);
/* Exchanges the fields, and the classes. */
void record_swap(Record *a, Record *b);
/* Takes all fields out of a record. */
void record_clear(Record *record);
/* Says that there is no such key, and the nearest name: ERR_NAME, a KeyError. Returns false. */
bool record_lacks(const Record *record, const Value *key, Error *err);
/* Key i as a name; NULL where it is none. */
const char *record_name(const Record *record, size_t i);
/* The same where all keys have to be names: ERR_TYPE says what for. */
const char *record_name_for(const Record *record, size_t i, const char *what, Error *err);

/* ---- sets (values/set.c) ---- */

bool value_set_new(Value *out, bool frozen, Error *err);
/* Sets *found to whether an item is in the set. ERR_TYPE for what cannot be in one. */
bool set_has(const Set *set, const Value *item, bool *found, Error *err);
/* Adds a new reference. The set is new, or was kept (shared_keep); so it is for the others. */
bool set_add(Set *set, const Value *item, Error *err);
/* Takes an item out; *found: it was there. */
bool set_discard(Set *set, const Value *item, bool *found, Error *err);
/* Takes any item out of a set that is not empty. */
void set_pop(Set *set, Value *out);
void set_clear(Set *set);
/* The next item, borrowed, *at being 0 at first; NULL: there are no more. */
const Value *set_next(const Set *set, size_t *at);
static inline bool value_is_view(const Value *value) {
    return value->kind == VALUE_LIST && value->shared->is_view;
}
/* A set of what `items` gives when iterated. */
bool value_set_of(const Value *items, bool frozen, Value *out, Error *err);
/* The same set once more, with the same order. */
bool value_set_clone(const Set *set, Value *out, Error *err);
void set_swap(Set *a, Set *b);
typedef enum SetOperation {
    SET_UNION,
    SET_INTERSECTION,
    SET_DIFFERENCE,
    SET_SYMMETRIC_DIFFERENCE,
} SetOperation;
/* A new set, frozen as a is; b is anything with elements. */
bool set_combine(SetOperation operation, const Set *a, const Value *b, Value *out, Error *err);
/* Makes *a the result. */
bool set_combine_in_place(SetOperation operation, Set *a, const Value *b, Error *err);
/* True if each item of one is in the other. */
bool set_within(const Set *one, const Set *other);

/* ---- questions ---- */

/* A number, a boolean, or an array without axes (as a recorded computation has them). */
static inline bool value_is_scalar(const Value *value) {
    return value->kind == VALUE_NUMBER || value->kind == VALUE_BOOL ||
           (value->kind == VALUE_TENSOR && value->tensor->shape.axes == 0);
}
/* The number in a scalar, for what has no gradient: comparing, writing. Else value_plain_number. */
double value_scalar(const Value *value);
/* An array with axes. */
static inline bool value_is_array(const Value *value) {
    return value->kind == VALUE_TENSOR && value->tensor->shape.axes > 0;
}

static inline bool value_is_numeric(const Value *value) {
    return value_is_scalar(value) || value_is_array(value);
}
static inline bool value_is_list(const Value *value) {
    return value->kind == VALUE_LIST || value->kind == VALUE_TUPLE;
}

/* True for functions and builtins; objects may be called too. */
static inline bool value_is_function(const Value *value) {
    return value->kind == VALUE_FUNCTION || value->kind == VALUE_BUILTIN;
}

/* "number" "bool" "string" "array" "list" ..., of an object the name of its type. */
const char *value_kind_word(const Value *value);
/* The name of its type in Python, "int" or "list"; of an object of a class the name of the class.
 */
const char *value_type_name(const Value *value);
/* Arrays with more than one element: ERR_VALUE naming any and all. */
bool value_truth(const Value *value, bool *out, Error *err);
/* Compares as Python's == does; arrays are equal when shapes and numbers are. */
bool value_equal(const Value *a, const Value *b);
const char *value_words(const Value *value); /* for messages: "a number", "an array", "None" */
/* Hints at the array that is meant where a value has one as its output, as the result of attention
 * does, or at the list of what an iterator gives; else changes nothing. Returns false, as
 * error_hint does. */
bool value_hint_output(const Value *value, Error *err);
/* True unless the value is a tracked array or number: that is refused, as tape_is_plain does it. */
bool value_is_untracked(const Value *value, const char *what, Error *err);
/* Reads a number or boolean as what no gradient can follow: an option, a size, an index. A tracked
 * number is refused; ERR_TYPE names `what` for another kind of value. */
bool value_plain_number(const Value *value, const char *what, double *out, Error *err);
/* A whole number, read likewise; ERR_TYPE/ERR_VALUE names `what`. */
bool value_whole(const Value *value, const char *what, long long *out, Error *err);
/* A new tensor reference of a number, boolean (no axes), array, or a list/tuple of these that
 * fits together. ERR_TYPE / ERR_SHAPE name `what`. */
Tensor *value_as_tensor(const Value *value, const char *what, Error *err);
/* True for numbers, arrays, and lists and tuples of these, which may stand where an array may. */
bool value_is_arraylike(const Value *value);
/* Makes a list or tuple that stands for an array that array; any other value, and one whose rows
 * are uneven, stays. */
void value_become_array(Value *value);
/* The axes of an array, or of a list that stands for one; 0 for any other value. */
int value_axes(const Value *value);
/* A new array of lists of numbers in lists, which are shown as one: a row on each line. NULL: it is
 * no such list, the rows are not equally long, or it has fewer axes. */
Tensor *value_as_rows(const Value *value, int axes);
/* True for a number, and for a list that holds numbers only, or such lists, and is not empty: + and
 * * compute with it. */
bool value_holds_numbers(const Value *value);
/* Makes the value of `[a, b; c, d]` from a list of its rows, which are lists: of numbers an array,
 * of arrays one as well, like np.block: items beside each other, and rows one above the other. */
bool value_from_rows(Value *out, List *rows, Error *err);

/* ---- writing ---- */

/* str(x), print, {x}: `nested` quotes strings, as inside lists. A matrix one row to a line,
 * indented so that brackets align; more than 1,000 elements are elided with "…" and the last line
 * says the shape. */
void value_write(Text *text, const Value *value, int digits, bool nested);
/* The same of a result, as the prompt shows it: strings in quotes, objects by their __repr__. */
void value_write_result(Text *text, const Value *value, int digits);
/* An array of more numbers is shown by its ends in a .py file; NaN is not allowed. */
void value_write_at_most(double most);
/* {x:spec}: a number or a string by Python's format mini-language; any value where the spec is
 * empty. */
bool value_format(Text *text, const Value *value, const char *spec, int digits, Error *err);
/* {x!r:spec} (`quoted`) and {x!s:spec}: the value as a string, which takes the format. */
bool value_format_converted(Text *text, const Value *value, bool quoted, const char *spec,
                            int digits, Error *err);
/* template % values, as "%d of %.2f" % (1, 2.5): a tuple, a record for %(name)s, or one value. */
bool value_percent(const Value *template, const Value *values, int digits, Value *out, Error *err);

#endif

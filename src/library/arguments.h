/* Included by every file of rows: how a row begins (library.h), formulas (compute.h), reading
 * arguments and giving results. The binder has checked types and filled in defaults already
 * (lang/builtin.h). */
#ifndef ATTN_LIBRARY_ARGUMENTS_H
#define ATTN_LIBRARY_ARGUMENTS_H

#include "base/random.h"
#include "engine/operators/compute.h"
#include "library/library.h"

static inline Tensor *tensor_at(const Call *call, int i) { return call->arguments[i].tensor; }
static inline double number_at(const Call *call, int i) { return call->arguments[i].number; }
/* An argument of type whole. */
static inline long long whole_at(const Call *call, int i) { return (long long)number_at(call, i); }
static inline bool bool_at(const Call *call, int i) { return call->arguments[i].boolean; }
static inline const String *string_at(const Call *call, int i) { return call->arguments[i].string; }
static inline bool given_at(const Call *call, int i) {
    return call->arguments[i].kind != VALUE_NONE && call->arguments[i].kind != VALUE_UNSET;
}
/* An array argument, borrowed; NULL where it is not given. */
static inline Tensor *tensor_or_null_at(const Call *call, int i) {
    return given_at(call, i) ? tensor_at(call, i) : NULL;
}

/* A new reference to an array argument. */
static inline Tensor *array_ref(const Call *call, int i) { return tensor_ref(tensor_at(call, i)); }

/* An argument whose numbers are read where no gradient can follow; false if it is tracked:
 * ERR_VALUE, "a gradient cannot go through WHAT". */
static inline bool untracked_at(const Call *call, int i, const char *what, Error *err) {
    return value_is_untracked(&call->arguments[i], what, err);
}

/* A new vector of doubles, to be filled. */
Tensor *vector_new(size_t count, Error *err);

/* start, start + step, …: a new vector of `count` numbers, none if it is negative. ERR_LIMIT,
 * ERR_INTERRUPT. */
Tensor *sequence(double start, double step, double count, Error *err);

/* The tensor, which is taken over, or a copy of it if others hold its numbers. */
Tensor *own_numbers(Tensor *tensor, Error *err);
/* Hands a tensor out (takes it over); false when it is NULL. */
bool give(Tensor *tensor, Value *out);

/* Called by a row that names an operator of one or two arrays (BuiltinDef.op). */
bool call_unary(const Call *call, Value *out, Error *err);
bool call_binary(const Call *call, Value *out, Error *err);
/* Columns that many rows share: those of a function of one array, and of two that broadcast. The
 * next two begin the row of a function that is a single operator. */
#define OF_ONE .parameters = "x:array", .shapes = "x (…) -> (…)"
#define OF_TWO .parameters = "x1:array x2:array", .shapes = "x1, x2 broadcast"
#define ELEMENTWISE(NAME, OPERATOR) BUILTIN(NAME, call_unary), .op = OPERATOR, OF_ONE
#define OPERATOR_OF_TWO(NAME, OPERATOR) BUILTIN(NAME, call_binary), .op = OPERATOR, OF_TWO

/* Called by a row of a method that only changes a variable: ERR_TYPE. */
bool call_no_variable(const Call *call, Value *out, Error *err);
/* The `change` of a row of composed.py: puts what the function gives in the place of the array that
 * is its first argument. ERR_TYPE if that is no array. */
bool call_composed_change(Value *place, const Call *call, Value *out, Error *err);

/* A whole argument that is a size: >= 0. ERR_VALUE names `what`. */
bool size_at(const Call *call, int i, const char *what, size_t *out, Error *err);
bool value_size(const Value *value, const char *what, size_t *out, Error *err);
/* The generator that an argument seed= asks for: *own, seeded by it, or the session's where it is
 * not given. */
Random *random_at(const Call *call, int i, Random *own);

/* An argument of type axis into attributes.axes; None: axis_count 0. */
bool axes_at(const Call *call, int i, OpAttributes *attributes, Error *err);
/* The same, where more than one axis is ERR_TYPE. */
bool one_axis_at(const Call *call, int i, OpAttributes *attributes, Error *err);
/* x, with the axis of an argument of type axis; for None x flat. Takes x over. */
Tensor *along_axis_at(const Call *call, int i, Tensor *x, int *axis, Error *err);
bool axes_of(const Value *axis, OpAttributes *attributes, Error *err);
/* Appends one axis, a whole number. */
bool axis_add(const Value *axis, OpAttributes *attributes, Error *err);

/* Sizes given as one tuple or as numbers, zeros((2, 3)) or zeros(2, 3): the parameter i of type
 * shape and the rest. -1 is kept: reshape resolves it. None is no axes. */
bool sizes_at(const Call *call, int i, long long sizes[AXES_MAX], int *count, Error *err);
/* The same, where -1 is an error. */
bool shape_at(const Call *call, int i, Shape *out, Error *err);

/* Checks that a `for` could visit a value. ERR_TYPE names `what`. */
bool elements_check(const Value *value, const char *what, Error *err);
/* The elements that a `for` would visit, as a new list: the items of a list or tuple, the rows of
 * an array, the characters of a string, the names in a record. ERR_TYPE names `what`. */
bool elements_of(const Value *value, const char *what, Value *list, Error *err);
/* The same to be read only, while no function of the user's runs: a list or tuple itself. */
bool items_of(const Value *value, const char *what, Value *list, Error *err);

typedef struct Tensors {
    Tensor **items; /* references */
    size_t count, capacity;
} Tensors;

void tensors_release(Tensors *tensors);
#define LocalTensors __attribute__((cleanup(tensors_release))) Tensors

/* Turns the items around. */
void list_reverse(List *list);

/* Appends an item that was made for this (takes it over, also on failure), or a new string. */
bool list_append_new(List *list, Value item, Error *err);
bool list_append_text(List *list, const char *text, size_t length, Error *err);
/* Appends the bytes of a text as a string; the text is empty afterwards. */
bool list_take_text(List *list, Text *text, Error *err);
/* Appends an array, which is taken over; false if it is NULL. */
bool list_append_array(List *list, Tensor *array, Error *err);

/* Gives a tuple of a few values; takes them over, also on failure. False if one is unset. */
bool give_tuple(Value *out, Value *items, size_t count, Error *err);

/* Gives a record of values, which are taken over, also on failure. False if one is unset, or if
 * `ok` is. */
bool give_record(bool ok, Value *out, const char *const *names, Value *values, size_t count,
                 Error *err);
/* Gives a record of what **NAME took. */
bool give_keywords(const Call *call, Value *out, Error *err);

/* The type that dtype= names: "float32", float64, bool … ; None leaves *out alone. `int` is
 * float64, whose numbers are cut off to whole ones: *whole, which may be NULL. */
bool dtype_of(const Value *value, DType *out, int *whole, Error *err);
/* The whole numbers in x, cut off towards 0. Takes x over. */
Tensor *truncated(Tensor *x, Error *err);
/* Truncates x, which it takes over, and wraps it to a type of whole numbers of NumPy: its bits,
 * with a - where it has no sign. A note says that arithmetic does not do so. */
Tensor *wrapped(struct Interp *interp, Tensor *x, int bits, Error *err);
/* x in the type that dtype= names. Takes x over. */
Tensor *cast_at(const Call *call, int i, Tensor *x, Error *err);

/* ---- expressions; each takes its tensors over, and is NULL where one of them is ---- */

/* x with axes of size 1 in front until there are `least`. */
Tensor *with_axes(Tensor *x, double least, Error *err);
/* The parts joined along an axis. */
Tensor *join_parts(Tensor *const *parts, size_t count, int axis, Error *err);
/* A row of numbers (…, 1, n) without the axis of size 1. */
Tensor *as_vector(Tensor *row, Error *err);
/* x[1:], and x[:-1], along an axis. */
Tensor *all_but_first(Tensor *x, int axis, Error *err);
Tensor *all_but_last(Tensor *x, int axis, Error *err);

/* Calls object.name(arguments) of an object of a class. */
bool call_named(struct Interp *interp, const Value *object, const char *name,
                const Value *arguments, size_t count, Value *out, Error *err);

#endif

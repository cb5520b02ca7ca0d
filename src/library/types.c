/* Converts one type to another: arrays of lists, single precision, lists of arrays. */
#include "base/interrupt.h"
#include "lang/class.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* array; asarray (constant 0) and copy (2) have no ndmin. */
static bool array(const Call *call, Value *out, Error *err) {
    Tensor *tensor = value_as_tensor(&call->arguments[0], "array", err);
    double least = call->builtin->constant == 1 ? number_at(call, 4) : 0;
    tensor = cast_at(call, 1, with_axes(tensor, least, err), err);
    return give(call->builtin->constant != 0 ? own_numbers(tensor, err) : tensor, out);
}

/* x.astype(float32), x.astype("bool"). */
static bool astype(const Call *call, Value *out, Error *err) {
    return give(own_numbers(cast_at(call, 1, array_ref(call, 0), err), err), out);
}

/* int64 and the like: the row's constant is the bits, negative where there is no sign. */
static bool whole(const Call *call, Value *out, Error *err) {
    Tensor *x = compute_cast(array_ref(call, 0), DTYPE_DOUBLE, err);
    return give(wrapped(call->interp, x, (int)call->builtin->constant, err), out);
}

/* float32, float64 and bool_: the type is in the row. */
static bool cast(const Call *call, Value *out, Error *err) {
    DType dtype = (DType)call->builtin->constant;
    return give(compute_cast(array_ref(call, 0), dtype, err), out);
}

/* Values are never changed once shared, so a reference is a copy; but for objects that are shared
 * on purpose. */
static bool copy_of(const Value *x, Value *out, Error *err) {
    Object *object = x->kind == VALUE_OBJECT ? x->object : NULL;
    if (object && object->type->copy) return object->type->copy(object, out, err);
    if (x->kind == VALUE_INSTANCE) {
        bool found;
        bool ok = call_special(x, SPECIAL_COPY, NULL, 0, &found, out, err);
        if (found) return ok;
        if (!instance_copy(x, out, err)) return false;
        Value *held = (Value *)instance_value(out), own;
        if (!held) return true;
        if (!copy_of(held, &own, err)) return value_if(false, out);
        value_release(held);
        *held = own;
        return true;
    }
    if (x->kind == VALUE_LIST) return value_list_copy(x, out, err);
    if (x->kind == VALUE_RECORD) return value_record_copy(x->record, out, err);
    if (x->kind == VALUE_SET) return value_set_of(x, x->set->frozen, out, err);
    *out = value_ref(*x);
    return x->kind != VALUE_TENSOR || give(own_numbers(out->tensor, err), out);
}

static bool copy(const Call *call, Value *out, Error *err) {
    return copy_of(&call->arguments[0], out, err);
}

static bool deepcopy(const Call *call, Value *out, Error *err) {
    return value_copy_deep(&call->arguments[0], true, out, err);
}

static bool list_of(Tensor *x, Value *out, Error *err) {
    if (x->shape.axes == 0) return give(tensor_ref(x), out);
    if (!value_list_new(out, VALUE_LIST, x->shape.size[0], err)) return false;
    bool plain = x->shape.axes == 1 && !x->node;
    for (size_t i = 0; plain && i < x->shape.size[0]; i++) {
        double number = tensor_get(x, i);
        out->list->items[out->list->count++] =
            x->dtype == DTYPE_BOOL ? value_bool(number != 0) : value_number(number);
    }
    for (size_t i = 0; !plain && i < x->shape.size[0]; i++) {
        LocalTensor *row = interrupted(err) ? NULL : compute_row(x, i, err);
        Value item;
        if (!row || !list_of(row, &item, err) || !list_append_new(out->list, item, err))
            return value_if(false, out);
    }
    return true;
}

static bool tolist(const Call *call, Value *out, Error *err) {
    return list_of(tensor_at(call, 0), out, err);
}

/* ---- what is said of types ---- */

static bool isscalar(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    (void)err;
    *out = value_bool(value_is_scalar(x) || x->kind == VALUE_STRING);
    return true;
}

/* Whole numbers are float64 here; what is said is that of the type that is named. */
static bool iinfo(const Call *call, Value *out, Error *err) {
    static const struct {
        const char *name;
        double bits;
    } types[] = {{"int8", 8},  {"int16", 16}, {"int32", 32},   {"int64", 64},   {"int", 64},
                 {"int_", 64}, {"uint8", -8}, {"uint16", -16}, {"uint32", -32}, {"uint64", -64}};
    const Value *type = &call->arguments[0];
    const char *name = type->kind == VALUE_STRING    ? type->string->data
                       : type->kind == VALUE_BUILTIN ? type->builtin->name
                                                     : value_kind_word(type);
    static const char *const names[] = {"bits", "max", "min"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) != 0) continue;
        double bits = fabs(types[i].bits), power = pow(2, types[i].bits < 0 ? bits : bits - 1);
        Value values[] = {value_number(bits), value_number(power - 1),
                          value_number(types[i].bits < 0 ? 0 : -power)};
        return give_record(true, out, names, values, 3, err);
    }
    error_set(err, ERR_TYPE, "there is no type %s of whole numbers", name);
    return error_hint(err, "Known are int8 to int64 and uint8 to uint64.");
}

#define GROUP "make"

/* np.copy of a list gives an array. */
static const BuiltinDef numpys_copy = {BUILTIN("copy", array), .constant = 2,
                                       .parameters = "a:any dtype:any=None order:text=\"K\""};

#define NARROW(NAME, BITS) \
    BUILTIN(NAME, whole), \
        .constant = BITS, OF_ONE, \
        .summary = "The whole numbers, with the digits behind the point cut off, " \
                   "wrapped to a narrow type of NumPy. They are float64 then.", \
        .see = "int64 astype"

const BuiltinDef types_table[] = {
    {BUILTIN("array", array), .constant = 1,
     .parameters = "object:any dtype:any=None * copy:bool=True order:text=\"K\" ndmin:whole=0",
     .summary =
         "Makes an array from numbers, or from lists and arrays that fit together. A list "
         "of numbers may be given wherever an array may; an array is faster, and + always adds "
         "it. dtype= chooses float64, float32 or bool. copy= and order= say in NumPy what is "
         "shared "
         "and how it lies in memory; here both change nothing.",
     .example = "array([[1, 2], [3, 4]]).shape\n# -> (2, 2)\narray([0, 1, 2], dtype=\"bool\")\n"
                "# -> [False, True, True]",
     .see = "asarray zeros full astype"},
    {BUILTIN("ndarray", array), .type = "numpy.ndarray", .parameters = "object:any dtype:any=None",
     .summary = "The type of arrays, for isinstance(x, np.ndarray); called, it is array.",
     .example = "isinstance(array([1, 2]), np.ndarray)\n# -> True", .see = "array isinstance"},
    {BUILTIN("asarray", array), .parameters = "a:any dtype:any=None order:text=\"K\"",
     .summary = "Makes an array from a list of numbers; an array stays as it is.",
     .example = "asarray((1, 2, 3)).sum()\n# -> 6", .see = "array astype"},
    {BUILTIN("astype", astype), .parameters = "a:array dtype:any order:text=\"K\" * copy:bool=True",
     .summary = "The same numbers in another type: float64, float32 or bool. int cuts off what is "
                "behind the point, and keeps the numbers as float64, as whole numbers are here.",
     .shapes = "a (…) -> (…)",
     .example = "[1.7, -1.7, 0].astype(int)\n# -> [1, -1, 0]\n[2, 0].astype(bool)\n"
                "# -> [True, False]",
     .see = "float32 float64 array"},
    {BUILTIN("tolist", tolist), .parameters = "a:array",
     .summary = "The numbers of an array as a list, rows as lists inside: what + joins, and what "
                "holds numbers and words together.",
     .shapes = "a (n,) -> list of n numbers", .example = "[1, 2].tolist() + [3]\n# -> [1, 2, 3]",
     .see = "array astype"},
    {BUILTIN("int64", whole), OF_ONE,
     .summary = "The whole numbers, with the digits behind the point cut off. They are float64, "
                "which is exact for whole numbers up to 2**53.",
     .example = "int64([1.7, -1.7])\n# -> [1, -1]", .see = "int32 astype int"},
    {BUILTIN("int32", whole), OF_ONE,
     .summary = "The whole numbers, with the digits behind the point cut off; the same as int64.",
     .example = "zeros(2, dtype=int32)\n# -> [0, 0]", .see = "int64 astype"},
    {BUILTIN("int_", whole), OF_ONE,
     .summary = "The whole numbers, with the digits behind the point cut off; the same as int64.",
     .example = "int_([1.5, 2.5])\n# -> [1, 2]", .see = "int64 astype"},
    {NARROW("int8", 8), .example = "int8([1.7, 130])\n# -> [1, -126]"},
    {NARROW("int16", 16), .example = "int16([1.7, 40000])\n# -> [1, -25536]"},
    {NARROW("uint8", -8), .example = "uint8([1.7, 300])\n# -> [1, 44]"},
    {NARROW("uint16", -16), .example = "uint16([1.7, 65536])\n# -> [1, 0]"},
    {NARROW("uint32", -32), .example = "uint32([1.7, -1])\n# -> [1, 4294967295]"},
    {NARROW("uint64", -64), .example = "uint64([1.7, 3])\n# -> [1, 3]"},
    {BUILTIN("bool_", cast), .constant = DTYPE_BOOL, OF_ONE,
     .summary = "True where a number is not 0, as an array of booleans.",
     .example = "bool_([2, 0])\n# -> [True, False]", .see = "astype bool"},
    {BUILTIN("float32", cast), .constant = DTYPE_FLOAT, OF_ONE,
     .summary = "The same numbers in single precision (about 7 digits), as models use them.",
     .example = "float32([0.1, 0.2]).dtype == \"float32\"\n# -> True", .see = "float64 array"},
    {BUILTIN("float64", cast), .constant = DTYPE_DOUBLE, OF_ONE,
     .summary = "The same numbers in double precision (about 16 digits), the usual type. Booleans "
                "become 0 and 1.",
     .example = "float64([True, False])\n# -> [1, 0]", .see = "float32 array"},
    {BUILTIN("isscalar", isscalar), .parameters = "element:any",
     .summary = "True if a value is a single number, a boolean or a string, and no array or list.",
     .example = "isscalar(3.1), isscalar([3])\n# -> (True, False)", .see = "isinstance"},
    {BUILTIN("iinfo", iinfo), .parameters = "type:any",
     .summary = "A record of the bits, the largest and the smallest number of a type of whole "
                "numbers. Here they are float64, which is exact up to 2**53.",
     .example = "iinfo(int32).max\n# -> 2147483647", .see = "finfo int64"},
    {BUILTIN("copy", copy), .numpys = &numpys_copy, .parameters = "x:any",
     .summary = "A copy of a value: of a list, record or model another one, which a change of the "
                "first leaves alone. Arrays need none: B = A; B[0] = 9 leaves A as it was.",
     .example = "xs = [1, \"a\"]\nys = copy(xs)\nys[0] = 9\nxs\n# -> [1, 'a']",
     .see = "deepcopy array transformer"},
    {BUILTIN("deepcopy", deepcopy), .parameters = "x:any memo:any=None",
     .summary = "A copy of a list, dict or object in which all lists, dicts and objects inside are "
                "copies, too.",
     .example = "xs = [[1, 2], \"a\"]\nys = deepcopy(xs)\nys[0].append(5)\nxs\n# -> [[1, 2], 'a']",
     .see = "copy"},
    {0},
};

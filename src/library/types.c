/* Converts one type to another: arrays of lists, single precision, lists of arrays. */
#include "base/interrupt.h"
#include "library/arguments.h"

/* array, and asarray without ndmin. */
static bool array(const Call *call, Value *out, Error *err) {
    Tensor *tensor = value_as_tensor(&call->arguments[0], "array", err);
    double least = call->builtin->constant == 1 ? number_at(call, 2) : 0;
    return give(cast_at(call, 1, with_axes(tensor, least, err), err), out);
}

/* x.astype(float32), x.astype("bool"). */
static bool astype(const Call *call, Value *out, Error *err) {
    return give(cast_at(call, 1, array_ref(call, 0), err), out);
}

/* int32, int64 and int_. */
static bool whole(const Call *call, Value *out, Error *err) {
    return give(truncated(compute_cast(array_ref(call, 0), DTYPE_DOUBLE, err), err), out);
}

/* float32, float64 and bool_: the type is in the row. */
static bool cast(const Call *call, Value *out, Error *err) {
    DType dtype = (DType)call->builtin->constant;
    return give(compute_cast(array_ref(call, 0), dtype, err), out);
}

/* Values are never changed once shared, so a reference is a copy; but for objects that are shared
 * on purpose. */
static bool copy(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    Object *object = x->kind == VALUE_OBJECT ? x->object : NULL;
    if (object && object->type->copy) return object->type->copy(object, out, err);
    *out = value_ref(*x);
    return true;
}

static bool list_of(Tensor *x, Value *out, Error *err) {
    if (x->shape.axes == 0) return give(tensor_ref(x), out);
    if (!value_list_new(out, VALUE_LIST, x->shape.size[0], err)) return false;
    for (size_t i = 0; i < x->shape.size[0]; i++) {
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

#define GROUP "make"

const BuiltinDef types_table[] = {
    {BUILTIN("array", array), .constant = 1,
     .parameters = "object:any dtype:any=None * ndmin:whole=0",
     .summary =
         "Makes an array from numbers, or from lists and arrays that fit together. Brackets do "
         "this by themselves: [1, 2] is an array already. dtype= chooses float64, float32 or bool.",
     .example = "array([[1, 2], [3, 4]]).shape\n# -> (2, 2)\narray([0, 1, 2], dtype=\"bool\")\n"
                "# -> [False, True, True]",
     .see = "asarray zeros full astype"},
    {BUILTIN("ndarray", array), .parameters = "object:any dtype:any=None",
     .summary = "The type of arrays, for isinstance(x, np.ndarray); called, it is array.",
     .example = "isinstance([1, 2], np.ndarray)\n# -> True", .see = "array isinstance"},
    {BUILTIN("asarray", array), .parameters = "a:any dtype:any=None",
     .summary = "Makes an array from a list of numbers; an array stays as it is.",
     .example = "asarray((1, 2, 3)).sum()\n# -> 6", .see = "array astype"},
    {BUILTIN("astype", astype), .parameters = "a:array dtype:any * copy:bool=True",
     .summary = "The same numbers in another type: float64, float32 or bool. int cuts off what "
                "stands behind the point, and keeps the numbers as float64, as whole numbers are "
                "here.",
     .shapes = "a (…) -> (…)",
     .example = "[1.7, -1.7, 0].astype(int)\n# -> [1, -1, 0]\n[2, 0].astype(bool)\n"
                "# -> [True, False]",
     .see = "float32 float64 array"},
    {BUILTIN("tolist", tolist), .parameters = "a:array",
     .summary = "The numbers of an array as a list, rows as lists inside: what + joins, and what "
                "holds numbers and words together.",
     .shapes = "a (n,) -> list of n numbers", .example = "[1, 2].tolist() + [3]\n# -> [1, 2, 3]",
     .see = "array astype"},
    {BUILTIN("int64", whole), .parameters = "x:array",
     .summary = "The whole numbers, with what stands behind the point cut off. They are float64, "
                "which is exact for whole numbers up to 2**53.",
     .shapes = "x (…) -> (…)", .example = "int64([1.7, -1.7])\n# -> [1, -1]",
     .see = "int32 astype int"},
    {BUILTIN("int32", whole), .parameters = "x:array",
     .summary = "The whole numbers, with what stands behind the point cut off; the same as int64.",
     .shapes = "x (…) -> (…)", .example = "zeros(2, dtype=int32)\n# -> [0, 0]",
     .see = "int64 astype"},
    {BUILTIN("int_", whole), .parameters = "x:array",
     .summary = "The whole numbers, with what stands behind the point cut off; the same as int64.",
     .shapes = "x (…) -> (…)", .example = "int_([1.5, 2.5])\n# -> [1, 2]", .see = "int64 astype"},
    {BUILTIN("bool_", cast), .constant = DTYPE_BOOL, .parameters = "x:array",
     .summary = "True where a number is not 0, as an array of booleans.", .shapes = "x (…) -> (…)",
     .example = "bool_([2, 0])\n# -> [True, False]", .see = "astype bool"},
    {BUILTIN("float32", cast), .constant = DTYPE_FLOAT, .parameters = "x:array",
     .summary = "The same numbers in single precision (about 7 digits), as models use them.",
     .shapes = "x (…) -> (…)", .example = "float32([0.1, 0.2]).dtype == \"float32\"\n# -> True",
     .see = "float64 array"},
    {BUILTIN("float64", cast), .constant = DTYPE_DOUBLE, .parameters = "x:array",
     .summary = "The same numbers in double precision (about 16 digits), the usual type. Booleans "
                "become 0 and 1.",
     .shapes = "x (…) -> (…)", .example = "float64([True, False])\n# -> [1, 0]",
     .see = "float32 array"},
    {BUILTIN("copy", copy), .parameters = "x:any",
     .summary =
         "A copy of a value. Arrays and lists need none: B = A; B[0] = 9 leaves A as it was. A "
         "model does: m2 = m is the same model, which learns under both names; copy(m) is another.",
     .example = "A = [1, 2]\nB = copy(A)\nB[0] = 9\nA\n# -> [1, 2]", .see = "array transformer"},
    {0},
};

/* Trigonometric and hyperbolic functions, their inverses, and what goes with them. */
#include "library/arguments.h"

/* ln(1 + t + √t √(x + 1)) with t = x − 1, exact near x = 1, and where x² would overflow. */
static bool arccosh(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    Tensor *t = compute_binary_number(OP_SUBTRACT, tensor_ref(x), 1, err),
           *more = compute_binary_number(OP_ADD, tensor_ref(x), 1, err);
    Tensor *root = t ? compute_unary(OP_SQRT, tensor_ref(t), err) : NULL;
    root = compute_multiply(root, compute_unary(OP_SQRT, more, err), err);
    return give(compute_unary(OP_LOG1P, compute_add(t, root, err), err), out);
}

/* Python's takes any number of coordinates, NumPy's two. */
static bool hypotenuse(const Call *call, Value *out, Error *err) {
    Tensor *length = op_binary(OP_HYPOT, tensor_at(call, 0), tensor_at(call, 1), err);
    for (size_t i = 0; length && i < call->rest_count; i++)
        length = compute_binary(OP_HYPOT, length,
                                value_as_tensor(&call->rest[i], "a coordinate", err), err);
    return give(length, out);
}

/* The row's constant is the factor. */
static bool scaled(const Call *call, Value *out, Error *err) {
    return give(compute_scale(array_ref(call, 0), call->builtin->constant, err), out);
}

#define GROUP "elementwise"
#define PER_DEGREE 0.017453292519943295

const BuiltinDef trigonometry_table[] = {
    {ELEMENTWISE("arcsin", OP_ARCSIN), .summary = "The angle from −π/2 to π/2 whose sine is x.",
     .example = "arcsin([0, 1])\n# -> [0, 1.571]", .see = "sin arccos arctan"},
    {ELEMENTWISE("asin", OP_ARCSIN), .pythons = &asin_of_math,
     .summary = "Another name of arcsin, from Python's math.", .example = "asin(0)\n# -> 0",
     .see = "arcsin"},
    {ELEMENTWISE("arccos", OP_ARCCOS), .summary = "The angle from 0 to π whose cosine is x.",
     .example = "arccos([1, -1])\n# -> [0, 3.142]", .see = "cos arcsin arctan"},
    {ELEMENTWISE("acos", OP_ARCCOS), .pythons = &acos_of_math,
     .summary = "Another name of arccos, from Python's math.", .example = "acos(1)\n# -> 0",
     .see = "arccos"},
    {ELEMENTWISE("arctan", OP_ARCTAN), .summary = "The angle from −π/2 to π/2 whose tangent is x.",
     .example = "arctan([0, inf])\n# -> [0, 1.571]", .see = "tan arctan2"},
    {ELEMENTWISE("atan", OP_ARCTAN), .summary = "Another name of arctan, from Python's math.",
     .example = "atan(0)\n# -> 0", .see = "arctan"},
    {OPERATOR_OF_TWO("arctan2", OP_ARCTAN2),
     .summary = "The angle, from −π to π, of the point whose height is x1 and whose way to the "
                "right is x2.",
     .example = "arctan2([1, 0], [0, -1])\n# -> [1.571, 3.142]", .see = "arctan hypot"},
    {OPERATOR_OF_TWO("atan2", OP_ARCTAN2),
     .summary = "Another name of arctan2, from Python's math.", .example = "atan2(0, 1)\n# -> 0",
     .see = "arctan2"},
    {ELEMENTWISE("sinh", OP_SINH), .pythons = &sinh_of_math,
     .summary = "The hyperbolic sine, odd like x.", .formula = "(eˣ − e⁻ˣ) / 2",
     .example = "sinh([0, 1])\n# -> [0, 1.175]", .see = "cosh tanh arcsinh"},
    {ELEMENTWISE("cosh", OP_COSH), .pythons = &cosh_of_math,
     .summary = "The hyperbolic cosine, even like x².", .formula = "(eˣ + e⁻ˣ) / 2",
     .example = "cosh([0, 1])\n# -> [1, 1.543]", .see = "sinh tanh arccosh"},
    {ELEMENTWISE("arcsinh", OP_ARCSINH), .summary = "The number whose hyperbolic sine is x.",
     .example = "arcsinh(sinh(2))\n# -> 2", .see = "sinh"},
    {ELEMENTWISE("asinh", OP_ARCSINH), .summary = "Another name of arcsinh, from Python's math.",
     .example = "asinh(0)\n# -> 0", .see = "arcsinh"},
    {BUILTIN("arccosh", arccosh), OF_ONE,
     .summary = "The number from 0 on whose hyperbolic cosine is x.",
     .example = "arccosh(cosh(2))\n# -> 2", .see = "cosh"},
    {BUILTIN("acosh", arccosh), OF_ONE, .summary = "Another name of arccosh, from Python's math.",
     .example = "acosh(1)\n# -> 0", .see = "arccosh"},
    {ELEMENTWISE("arctanh", OP_ARCTANH), .summary = "The number whose hyperbolic tangent is x.",
     .example = "arctanh(tanh(2))\n# -> 2", .see = "tanh"},
    {ELEMENTWISE("atanh", OP_ARCTANH), .summary = "Another name of arctanh, from Python's math.",
     .example = "atanh(0)\n# -> 0", .see = "arctanh"},
    {BUILTIN("hypot", hypotenuse), .op = OP_HYPOT, .parameters = "x1:array x2:array *more:array",
     .shapes = "x1, x2 broadcast",
     .summary = "The length of the vector with these coordinates, element by element.",
     .formula = "√(x₁² + x₂²)", .example = "hypot(3, [4, 0])\n# -> [5, 3]", .see = "norm arctan2"},
    {BUILTIN("deg2rad", scaled), .constant = PER_DEGREE, OF_ONE,
     .summary = "Angles in degrees as radians.", .formula = "π x / 180",
     .example = "deg2rad(180)\n# -> 3.142", .see = "rad2deg sin"},
    {BUILTIN("radians", scaled), .constant = PER_DEGREE, OF_ONE,
     .summary = "Another name of deg2rad.", .example = "radians(180)\n# -> 3.142",
     .see = "deg2rad"},
    {BUILTIN("rad2deg", scaled), .constant = 1 / PER_DEGREE, OF_ONE,
     .summary = "Angles in radians as degrees.", .formula = "180 x / π",
     .example = "rad2deg(pi)\n# -> 180", .see = "deg2rad"},
    {BUILTIN("degrees", scaled), .constant = 1 / PER_DEGREE, OF_ONE,
     .summary = "Another name of rad2deg.", .example = "degrees(pi)\n# -> 180", .see = "rad2deg"},
    {ELEMENTWISE("cbrt", OP_CBRT), .summary = "The cube root, of negative numbers too.",
     .formula = "∛x", .example = "cbrt([8, -27])\n# -> [2, -3]", .see = "sqrt"},
    {ELEMENTWISE("erf", OP_ERF),
     .summary = "The error function: how likely a normal number of variance 1/2 lies between −x "
                "and x.",
     .formula = "2/√π ∫₀ˣ e^(−t²) dt", .example = "erf([0, 1])\n# -> [0, 0.8427]", .see = "gelu"},
    {0},
};

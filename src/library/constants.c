/* Numbers with names. They may be shadowed. */
#include "library/library.h"

#include <math.h>
#include <stddef.h>

#define CONSTANT(NAME, VALUE) .name = NAME, .group = "constants", .constant = VALUE

const BuiltinDef constants_table[] = {
    {CONSTANT("pi", 3.14159265358979323846),
     .summary = "The ratio of a circle's circumference to its diameter.",
     .example = "pi\n# -> 3.142", .see = "sin cos"},
    {CONSTANT("e", 2.71828182845904523536), .summary = "Euler's number, the base of exp and log.",
     .example = "log(e)\n# -> 1", .see = "exp log"},
    {CONSTANT("inf", INFINITY),
     .summary = "Infinity: larger than every number. A score of -inf hides a key.",
     .example = "exp(-inf)\n# -> 0", .see = "isfinite nan"},
    {CONSTANT("nan", NAN),
     .summary = "Not a number: what 0/0 gives. It is not equal to anything, not even to itself.",
     .example = "nan == nan\n# -> False", .see = "isnan inf"},
    {0},
};

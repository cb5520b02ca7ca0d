#include "library/library.h"

#include <math.h>
#include <stddef.h>

/* The tables, in the order of the reference page. The build makes the composed ones from
 * composed.py, the functions that are compositions of others. */
/* clang-format off */
#define TABLES(T) \
    T(constants) T(make) T(random) T(random_generator) T(choosing) T(choosing_methods) \
    T(distributions) T(distribution_methods) T(types) T(composed_make) T(shape) T(joining) \
    T(applying) T(composed_shape) T(elementwise) T(arithmetic) T(trigonometry) T(whole_numbers) \
    T(composed_elementwise) T(reduce) T(sorting) T(searching) T(series) T(comparing) \
    T(composed_reduce) T(linear_algebra) T(norms) T(einsum) T(composed_linear_algebra) \
    T(probability) T(composed_probability) T(derivative) T(attention) T(composed_attention) \
    T(masks) T(positions) T(blocks) T(composed_blocks) T(models) T(shipped_models) T(tasks) \
    T(vocabulary) T(training) T(generation) T(composed_models) T(activations) T(text) T(strings) \
    T(composed_strings_and_lists) T(string_format) T(string_search) T(regex) T(lists) T(files) \
    T(composed_files) T(plain) T(collections) T(going_through) T(array_methods) \
    T(composed_plain) T(sets) T(composed_sets) T(classes) T(iterators) T(composed_classes)
#define DECLARED(NAME) extern const BuiltinDef NAME##_table[];
#define LISTED(NAME) NAME##_table,
TABLES(DECLARED)
const BuiltinDef *const library_tables[] = {TABLES(LISTED) NULL};
/* clang-format on */

/* Numbers with names. They may be shadowed. */

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

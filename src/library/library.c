#include "library/library.h"

#include <math.h>
#include <stddef.h>

/* clang-format off */
const BuiltinDef *const library_tables[] = {
    constants_table,
    make_table,
    random_table,
    random_generator_table,
    choosing_table,
    choosing_methods_table,
    distributions_table,
    distribution_methods_table,
    types_table,
    shape_table,
    joining_table,
    editing_table,
    places_table,
    applying_table,
    padding_table,
    elementwise_table,
    arithmetic_table,
    trigonometry_table,
    whole_numbers_table,
    reduce_table,
    without_nan_table,
    sorting_table,
    searching_table,
    taking_table,
    counting_table,
    series_table,
    comparing_table,
    statistics_table,
    linear_algebra_table,
    norms_table,
    least_squares_table,
    einsum_table,
    probability_table,
    derivative_table,
    attention_table,
    masks_table,
    positions_table,
    blocks_table,
    models_table,
    shipped_models_table,
    tasks_table,
    training_table,
    generation_table, activations_table, circuits_table,
    text_table,
    strings_table,
    string_format_table,
    string_search_table,
    lists_table,
    files_table,
    plain_table,
    collections_table,
    going_through_table,
    array_methods_table,
    testing_table,
    classes_table,
    NULL,
};
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

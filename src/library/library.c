#include "library/library.h"

#include <stddef.h>

/* clang-format off */
const BuiltinDef *const library_tables[] = {
    constants_table,
    make_table,
    random_table,
    types_table,
    shape_table,
    joining_table,
    padding_table,
    elementwise_table,
    arithmetic_table,
    reduce_table,
    sorting_table,
    searching_table,
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
    tasks_table,
    training_table,
    generation_table,
    text_table,
    strings_table,
    lists_table,
    files_table,
    plain_table,
    going_through_table,
    testing_table,
    NULL,
};
/* clang-format on */

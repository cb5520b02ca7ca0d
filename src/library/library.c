#include "library/library.h"

#include <stddef.h>

const BuiltinDef *const library_tables[] = {
    constants_table,
    make_table,
    random_table,
    shape_table,
    elementwise_table,
    reduce_table,
    sorting_table,
    linear_algebra_table,
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
    files_table,
    plain_table,
    NULL,
};

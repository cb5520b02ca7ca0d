/* The builtins: the rows that tie the language to engine and io. One file for
 * each group, one table in each file. */
#ifndef ATTN_LIBRARY_LIBRARY_H
#define ATTN_LIBRARY_LIBRARY_H

#include "lang/builtin.h"

/* How a row begins: its name and what it calls. The file defines GROUP, the heading of its rows on
 * the reference page. */
#define BUILTIN(NAME, CALL) .name = NAME, .group = GROUP, .call = CALL

/* All tables, NULL at the end: what interp_init is given. */
extern const BuiltinDef *const library_tables[];
/* The modules of Python that are written in the language itself (modules/NAME.py). */
extern const ModuleText module_texts[];

/* Each ends with a row without a name. */
extern const BuiltinDef constants_table[], make_table[], random_table[], random_generator_table[],
    choosing_table[], choosing_methods_table[], distributions_table[], distribution_methods_table[],
    types_table[], shape_table[], joining_table[], editing_table[], array_methods_table[],
    padding_table[], elementwise_table[], arithmetic_table[], trigonometry_table[],
    whole_numbers_table[], composed_elementwise_table[], composed_reduce_table[],
    composed_shape_table[], composed_make_table[], composed_linear_algebra_table[],
    composed_plain_table[], reduce_table[], without_nan_table[], sorting_table[], searching_table[],
    taking_table[], counting_table[], series_table[], comparing_table[], statistics_table[],
    linear_algebra_table[], norms_table[], einsum_table[], least_squares_table[],
    probability_table[], derivative_table[], attention_table[], masks_table[], positions_table[],
    blocks_table[], models_table[], shipped_models_table[], tasks_table[], training_table[],
    generation_table[], activations_table[], circuits_table[], text_table[], strings_table[],
    string_format_table[], string_search_table[], lists_table[], collections_table[], sets_table[],
    classes_table[], files_table[], plain_table[], going_through_table[], places_table[],
    applying_table[], testing_table[];

/* The functions that are compositions of others: composed.py. A row of one has interp_compose for
 * its call, and this text as its source. */
extern const char library_composed[];

/* The functions that a name means behind Python's modules random and math, where NumPy or attn has
 * another one of that name. */
extern const BuiltinDef randint_of_python, sample_of_python, log_of_math, prod_of_math,
    isclose_of_math, sqrt_of_math, exp_of_math, log2_of_math, log10_of_math, log1p_of_math,
    expm1_of_math, asin_of_math, acos_of_math, sinh_of_math, cosh_of_math;

#endif

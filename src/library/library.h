/* The builtins: the rows that tie the language to engine and io. One file for
 * each group, one table in each file. */
#ifndef ATTN_LIBRARY_LIBRARY_H
#define ATTN_LIBRARY_LIBRARY_H

#include "lang/builtin.h"

/* How a row begins: its name and what it calls. The file defines GROUP, the heading of its rows on
 * the reference page. */
#define BUILTIN(NAME, CALL) .name = NAME, .group = GROUP, .call = CALL

/* All tables, each of which ends with a row without a name, and NULL: what interp_init is given. */
extern const BuiltinDef *const library_tables[];
/* The modules of Python that are written in the language itself (modules/NAME.py). */
extern const ModuleText module_texts[];
/* The version of PCRE2, "10.42"; NULL: this build has none, and no regular expressions. */
const char *regex_version(void);

/* The functions that a name means behind Python's modules random and math, where NumPy or attn has
 * another one of that name. */
extern const BuiltinDef randint_of_python, sample_of_python, log_of_math, prod_of_math,
    isclose_of_math, sqrt_of_math, exp_of_math, log2_of_math, log10_of_math, log1p_of_math,
    expm1_of_math, asin_of_math, acos_of_math, sinh_of_math, cosh_of_math, remainder_of_math;

#endif

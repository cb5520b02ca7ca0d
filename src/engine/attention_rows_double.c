#define N double
#define NUMBERS f64
#define ROWS attention_rows_double
#include "engine/attention_rows.inc"

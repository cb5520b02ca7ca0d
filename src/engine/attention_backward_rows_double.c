#define N double
#define NUMBERS f64
#define BACKWARD_ROWS attention_backward_rows_double
#include "engine/attention_backward_rows.inc"

#define N float
#define NUMBERS f32
#define BACKWARD_ROWS attention_backward_rows_float
#include "engine/attention_backward_rows.inc"

#define N float
#define NUMBERS f32
#define ROWS attention_rows_float
#include "engine/attention_rows.inc"

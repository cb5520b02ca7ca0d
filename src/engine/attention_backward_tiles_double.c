#define N double
#define NUMBERS f64
#define BACKWARD_TILES attention_backward_tiles_double
#include "engine/attention_backward_tiles.inc"

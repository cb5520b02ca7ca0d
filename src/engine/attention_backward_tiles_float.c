#define N float
#define NUMBERS f32
#define BACKWARD_TILES attention_backward_tiles_float
#include "engine/attention_backward_tiles.inc"

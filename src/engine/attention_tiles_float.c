#define N float
#define NUMBERS f32
#define TILES attention_tiles_float
#include "engine/attention_tiles.inc"

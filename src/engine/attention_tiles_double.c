#define N double
#define NUMBERS f64
#define TILES attention_tiles_double
#include "engine/attention_tiles.inc"

/* The same as attention_rows.h, without a trace, in tiles that stay in the cache. Results differ by
 * rounding alone. */
#ifndef ATTN_ENGINE_ATTENTION_TILES_H
#define ATTN_ENGINE_ATTENTION_TILES_H

#include "engine/attention/attention_rows.h"

/* The job has no trace and at least one query and one key. left[b], false at first, becomes true
 * for each sample that is left to attention_rows: at a limit of the temperature, or where numbers
 * are not finite or nearly so. Fail with ERR_LIMIT or ERR_INTERRUPT. */
bool attention_tiles_double(const AttentionJob *job, bool *left, Error *err);
bool attention_tiles_float(const AttentionJob *job, bool *left, Error *err);

#endif

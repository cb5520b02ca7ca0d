/* Writing strict JSON: pieces that a caller puts together.
 *
 * What JSON has no number for becomes a string: "nan", "inf", "-inf". */
#ifndef ATTN_IO_JSON_H
#define ATTN_IO_JSON_H

#include "engine/tensor/tensor.h"

/* In double quotes, with what must be escaped escaped; other UTF-8 as it is. */
void json_write_string(Text *out, const char *text, size_t length);
/* The shortest digits that read back to the same double (or float, when `single`). */
void json_write_number(Text *out, double x, bool single);
/* Nested lists of numbers or booleans; a number for a tensor without axes. False, with
 * ERR_INTERRUPT, on Ctrl-C. */
bool json_write_tensor(Text *out, const Tensor *tensor, Error *err);

#endif

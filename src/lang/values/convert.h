/* Converts arguments to the types that a builtin's row declares (builtin.h). */
#ifndef ATTN_LANG_CONVERT_H
#define ATTN_LANG_CONVERT_H

#include "lang/builtin.h"

/* Converts in place: *value stays a value that the caller owns, on failure too. */
bool convert_argument(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                      Error *err);

#endif

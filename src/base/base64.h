/* Bytes as letters, for what takes only text. */
#ifndef ATTN_BASE_BASE64_H
#define ATTN_BASE_BASE64_H

#include "base/text.h"

/* Base64 (RFC 4648) with its = at the end. */
void base64_write(Text *out, const char *bytes, size_t length);

#endif

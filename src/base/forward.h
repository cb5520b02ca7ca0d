/* Declares what most headers need and nothing more. A header that only passes an Error on includes
 * this, so that a change of error.h does not rebuild what never looks into one. */
#ifndef ATTN_BASE_FORWARD_H
#define ATTN_BASE_FORWARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Error Error;

#if defined(__GNUC__)
#define ATTN_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define ATTN_PRINTF(at, first)
#endif

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER true
#else
#define ADDRESS_SANITIZER false
#endif

#endif

/* The entry of a fuzzing harness, as libFuzzer calls it. Whatever the bytes
 * are, it must come back with every allocation given back. */
#ifndef ATTN_TESTS_FUZZ_HARNESS_H
#define ATTN_TESTS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

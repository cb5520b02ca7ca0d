/* The one place that allocates. It counts, keeps a limit, and can be told to
 * fail, so that every failure path can be reached by a test. Any thread may
 * call it, and free what another has allocated. */
#ifndef ATTN_BASE_MEMORY_H
#define ATTN_BASE_MEMORY_H

#include "base/forward.h"

/* Uninitialised, aligned to 16 bytes; never NULL for 0 bytes. NULL and
 * ERR_LIMIT when it cannot be had. */
void *mem_alloc(size_t bytes, Error *err);
/* count * size zero bytes; the product is checked for overflow. */
void *mem_zeroed(size_t count, size_t size, Error *err);
/* Aligned to 64 bytes (a cache line, a vector): for numbers. */
void *mem_aligned(size_t bytes, Error *err);
/* p: NULL or from mem_alloc/mem_zeroed. On failure p is as before. */
void *mem_resize(void *p, size_t bytes, Error *err);
/* Room for one more item behind the `count` of an array from mem_resize (or NULL): the array, moved
 * where it had to grow; *capacity is then doubled. NULL on failure: the array is as before. */
void *mem_grow(void *items, size_t count, size_t *capacity, size_t size, Error *err);
/* A copy of `length` bytes with a zero byte after them. */
char *mem_string(const char *text, size_t length, Error *err);
/* Replaces a string by a copy of another; NULL by NULL. False: it is as before. */
bool mem_replace_string(char **string, const char *text, Error *err);
void mem_free(void *p);
/* LocalMemory double *sums = mem_alloc(...): a block that is freed where the C block that declares
 * it ends, however that is left. Each local of this kind begins with NULL or with its memory;
 * LocalText, LocalTensor, LocalValue and the others are the same for what they name. */
#define LocalMemory __attribute__((cleanup(mem_free_local)))
void mem_free_local(void *local);

/* a * b into out; false without an error when it does not fit. */
bool size_multiply(size_t a, size_t b, size_t *out);
/* A whole number from 0 on as a size. ERR_LIMIT where the machine cannot count so far: with 32
 * bits, from 2**32 on. */
bool size_from(double whole, size_t *out, Error *err);

/* ERR_LIMIT: so many bytes could not be had. Returns false always. */
bool mem_error(Error *err, size_t bytes);

/* Gives freed memory back and puts the rest on pages of 2 MB, where the system can: before a fork,
 * which copies the entries of all pages, and then each page that it writes to. */
void mem_trim(void);
size_t mem_used(void); /* bytes held now */
size_t mem_peak(void);
/* Requests that would take the total over the limit fail. At start, and at most: three quarters of
 * the machine's memory, or what ulimit leaves. */
void mem_set_limit(size_t bytes);
size_t mem_limit(void);

/* Tests: the n-th request from now fails, on whichever thread it is made, and
 * every one after it when `sticky`; 0 switches it off. */
void mem_fail_at(long n, bool sticky);
void mem_interrupt_at(long n); /* raises interrupt_flag there instead, as Ctrl-C would */
long mem_requests(void);       /* the number of requests so far */

#endif

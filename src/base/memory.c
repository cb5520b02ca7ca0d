#include "base/memory.h"

#include "base/error.h"
#include "base/interrupt.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Stands directly before every block, so that mem_free can count what comes
 * back and find where the C library's block begins. */
typedef struct Header {
    size_t bytes;  /* as asked for */
    size_t offset; /* from the C library's block to ours; more than HEADER only of mem_aligned */
} Header;

enum { HEADER = 16, CACHE_LINE = 64, SMALL = 16384 };
_Static_assert(sizeof(Header) <= HEADER, "a block's alignment is that of its header");

static struct {
    atomic_size_t first, others; /* bytes in use: what the first thread took, less what it freed */
    atomic_size_t peak, limit;   /* limit 0: not looked up yet */
    atomic_long requests, fail_at; /* fail_at: a value of requests; 0: never */
    atomic_bool sticky, interrupts, prepared;
} state;

/* Three quarters of the machine's memory, or what `ulimit -v` and `-d` leave the program. */
static size_t default_limit(void) {
    uint64_t bytes = (uint64_t)1 << 31;
    struct rlimit most;
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) bytes = (uint64_t)pages * (uint64_t)page / 4 * 3;
#endif
    if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur < bytes) bytes = most.rlim_cur;
    if (getrlimit(RLIMIT_DATA, &most) == 0 && most.rlim_cur < bytes) bytes = most.rlim_cur;
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

/* Small blocks that were freed, a chain for each size in steps of STEP bytes: a program in the
 * language makes and drops ten thousand strings or tuples at once, for which the C library has to
 * search. Only the thread that asked for memory first has chains, so they need no lock.
 * AddressSanitizer has to see the size of each block, and when it is freed. */
typedef struct Kept {
    struct Kept *next;
} Kept;
enum { STEP = ADDRESS_SANITIZER ? 1 : 16, KEPT_MOST = ADDRESS_SANITIZER ? 0 : 16 << 20 };
static Kept *kept[SMALL / STEP + 1];
static size_t kept_bytes;
static _Thread_local bool is_first;
static void *heap; /* where that of the C library begins, or a little behind it; NULL: not known */

/* An expression makes temporaries of some megabytes and drops them at once.
 * glibc would map and unmap each, and every page would fault anew: kept in the
 * heap they are there for the next operation. */
static void prepare(void) {
    is_first = !atomic_exchange(&state.prepared, true);
    mem_limit(); /* looks it up, if nobody has */
#ifdef __GLIBC__
    enum { MANY = 256 << 20, SUPPORTED = 32 << 20 };
    if (!mallopt(M_MMAP_THRESHOLD, MANY)) mallopt(M_MMAP_THRESHOLD, SUPPORTED);
    mallopt(M_TRIM_THRESHOLD, MANY);
    heap = sbrk(0);
#endif
}

/* Asks for pages of 2 MB behind a large block: there are fewer of them to fault and to find. */
static void want_huge_pages(void *raw, size_t bytes) {
    (void)raw, (void)bytes;
#ifdef MADV_HUGEPAGE
    enum { LARGE = 4 << 20, PAGE = 1 << 16 /* or a divisor of it */ };
    uintptr_t from = ((uintptr_t)raw + PAGE - 1) / PAGE * PAGE;
    if (raw && bytes >= LARGE) madvise((void *)from, bytes - PAGE, MADV_HUGEPAGE);
#endif
}

size_t mem_used(void) {
    size_t others = state.others, used = others + state.first;
    return used <= SIZE_MAX / 2 ? used : 0; /* a block is being handed over: it is below 0 */
}

/* 1500000 as "1.5 MB"; `buffer` holds 24 bytes. */
static const char *human_bytes(char *buffer, size_t bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double amount = (double)bytes;
    int unit = 0;
    for (; amount >= 999.5; amount /= 1000) unit++;
    snprintf(buffer, 24, "%.3g %s", amount, units[unit]);
    return buffer;
}

bool mem_error(Error *err, size_t bytes) {
    char wanted[24], used[24], limit[24];
    /* The system also counts code, stacks and what lies free between the values. */
    bool has_room = mem_used() < mem_limit() && bytes <= mem_limit() - mem_used();
    error_set(err, ERR_LIMIT, "not enough memory for another %s (%s in use, the limit is %s%s)",
              human_bytes(wanted, bytes), human_bytes(used, mem_used()),
              human_bytes(limit, mem_limit()), has_room ? " for all of the program" : "");
    return error_hint(err, "use smaller sizes, or del what is no longer needed");
}

/* Counts a request; true if it is told to fail. Only the one request that takes the order away
 * does, unless it is sticky. One that is told to interrupt raises the flag and does not fail. */
static bool count_to_failure(void) {
    long request = atomic_fetch_add(&state.requests, 1) + 1, fail_at = state.fail_at;
    if (fail_at == 0 || request < fail_at) return false;
    if (!state.interrupts)
        return state.sticky || atomic_compare_exchange_strong(&state.fail_at, &fail_at, 0);
    if (request == fail_at) interrupt_flag = 1;
    return false;
}

/* True if a block of `old` bytes may become one of `bytes`. */
static inline bool admit(size_t old, size_t bytes, Error *err) {
    if (!state.prepared) prepare();
    bool fails = false;
    if (state.fail_at) fails = count_to_failure();
    else /* two threads may count as one, which only matters where one is told to fail */
        atomic_store_explicit(&state.requests, state.requests + 1, memory_order_relaxed);
    size_t used = mem_used(), others = used > old ? used - old : 0, limit = state.limit;
    bool fits =
        others <= limit && bytes <= limit - others && bytes <= SIZE_MAX - HEADER - CACHE_LINE;
    return (fits && !fails) || mem_error(err, bytes);
}

/* Counts bytes that a thread took or, as a number below 0, freed. Nobody else writes the sum of the
 * first thread, which does nearly all of it, so that it needs no locked instruction. */
static void count_bytes(size_t more) {
    if (is_first) atomic_store_explicit(&state.first, state.first + more, memory_order_release);
    else atomic_fetch_add(&state.others, more);
}

/* Writes the header of a block that the C library gave, `offset` bytes into it, and counts it. NULL
 * and ERR_LIMIT where it gave none. */
static inline void *settle(char *raw, size_t offset, size_t old, size_t bytes, Error *err) {
    if (!raw) {
        mem_error(err, bytes);
        return NULL;
    }
    Header header = {bytes, offset};
    char *block = raw + offset;
    memcpy(block - sizeof header, &header, sizeof header);
    count_bytes(bytes - old); /* may be below 0: sums wrap around to the right one */
    size_t used = mem_used(), peak = state.peak;
    while (used > peak && !atomic_compare_exchange_weak(&state.peak, &peak, used)) {}
    return block;
}

static Header header_of(const void *p) {
    Header header;
    memcpy(&header, (const char *)p - sizeof header, sizeof header);
    return header;
}

/* A block of 0 bytes gets one: a pointer past the end of the C library's block
 * would look like a leak to the tools that search for them. */
static size_t at_least_one(size_t bytes) { return bytes ? bytes : 1; }

static size_t rounded(size_t bytes) { return (at_least_one(bytes) + STEP - 1) / STEP * STEP; }

/* Room for a header and so many bytes. */
static void *take_block(size_t bytes) {
    Kept **chain = bytes <= SMALL && is_first ? &kept[rounded(bytes) / STEP] : NULL;
    if (!chain || !*chain) return malloc(HEADER + rounded(bytes));
    Kept *block = *chain;
    *chain = block->next;
    kept_bytes -= rounded(bytes);
    return block;
}

/* A small block that was kept, for the first thread; NULL where there is none of that size, or
 * where the request has to be looked at: it may be told to fail, or be one too many. */
static inline void *reuse_kept(size_t bytes) {
    const size_t room = rounded(bytes), used = mem_used() + bytes;
    Kept *block = kept[room / STEP];
    if (!block || used > state.peak || used > state.limit || state.fail_at) return NULL;
    kept[room / STEP] = block->next;
    kept_bytes -= room;
    atomic_store_explicit(&state.requests, state.requests + 1, memory_order_relaxed);
    atomic_store_explicit(&state.first, state.first + bytes, memory_order_release);
    const Header header = {bytes, HEADER};
    return (char *)memcpy(block, &header, sizeof header) + HEADER;
}

/* Apart from mem_alloc, so that its quick way has no frame. */
static __attribute__((noinline)) void *alloc_counted(size_t bytes, Error *err) {
    if (!admit(0, bytes, err)) return NULL;
    return settle(take_block(bytes), HEADER, 0, bytes, err);
}

void *mem_alloc(size_t bytes, Error *err) {
    void *block = is_first && bytes <= SMALL ? reuse_kept(bytes) : NULL;
    return block ? block : alloc_counted(bytes, err);
}

void *mem_zeroed(size_t count, size_t size, Error *err) {
    size_t bytes;
    if (!size_multiply(count, size, &bytes)) bytes = SIZE_MAX;
    if (bytes <= SMALL) { /* it may be one that was kept */
        void *block = mem_alloc(bytes, err);
        return block ? memset(block, 0, bytes) : NULL;
    }
    if (!admit(0, bytes, err)) return NULL;
    return settle(calloc(1, HEADER + at_least_one(bytes)), HEADER, 0, bytes, err);
}

void *mem_aligned(size_t bytes, Error *err) {
    if (!admit(0, bytes, err)) return NULL;
    char *raw = take_block(CACHE_LINE + bytes);
    want_huge_pages(raw, bytes);
    size_t past = (size_t)(((uintptr_t)raw + HEADER) % CACHE_LINE);
    return settle(raw, HEADER + CACHE_LINE - past, 0, bytes, err);
}

void *mem_resize(void *p, size_t bytes, Error *err) {
    if (!p) return mem_alloc(bytes, err);
    size_t old = header_of(p).bytes;
    if (!admit(old, bytes, err)) return NULL;
    return settle(realloc((char *)p - HEADER, HEADER + rounded(bytes)), HEADER, old, bytes, err);
}

void *mem_grow(void *items, size_t count, size_t *capacity, size_t size, Error *err) {
    size_t wanted = *capacity ? *capacity * 2 : 16, bytes;
    if (count < *capacity) return items;
    if (!size_multiply(wanted, size, &bytes)) bytes = SIZE_MAX; /* more than there ever is */
    void *grown = mem_resize(items, bytes, err);
    if (grown) *capacity = wanted;
    return grown;
}

char *mem_string(const char *text, size_t length, Error *err) {
    char *copy = mem_alloc(length + 1, err);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void mem_free(void *p) {
    if (!p) return;
    const Header header = header_of(p);
    const size_t bytes = header.bytes + (header.offset > HEADER ? CACHE_LINE : 0);
    const size_t room = rounded(bytes);
    Kept *block = (Kept *)((char *)p - header.offset);
    count_bytes(-header.bytes);
    if (bytes > SMALL || !is_first || kept_bytes + room > KEPT_MOST) {
        free(block);
        return;
    }
    block->next = kept[room / STEP];
    kept[room / STEP] = block;
    kept_bytes += room;
}

bool mem_replace_string(char **string, const char *text, Error *err) {
    char *copy = text ? mem_string(text, strlen(text), err) : NULL;
    if (text && !copy) return false;
    mem_free(*string);
    *string = copy;
    return true;
}

void mem_free_local(void *local) {
    void *p;
    memcpy(&p, local, sizeof p);
    mem_free(p);
}

bool size_multiply(size_t a, size_t b, size_t *out) {
    size_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *out = product;
    return true;
}

bool size_from(double whole, size_t *out, Error *err) {
    if (whole >= (double)SIZE_MAX)
        return error_set(err, ERR_LIMIT, "%.0f items are more than this machine can count", whole);
    *out = (size_t)whole;
    return true;
}

void mem_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#ifdef MADV_HUGEPAGE
    /* Pages have 4, 16 or 64 kB, and madvise wants the beginning of one. MADV_COLLAPSE (Linux 6.1)
     * is newer than some headers. */
    enum { PAGE_MOST = 1 << 16, COLLAPSE = 25 };
    uintptr_t begin = ((uintptr_t)heap + PAGE_MOST - 1) / PAGE_MOST * PAGE_MOST;
    uintptr_t end = (uintptr_t)sbrk(0);
    if (heap && end > begin) madvise((void *)begin, end - begin, COLLAPSE);
#endif
#endif
}

size_t mem_peak(void) { return state.peak; }

void mem_set_limit(size_t bytes) {
    size_t most = default_limit();
    state.limit = at_least_one(bytes < most ? bytes : most);
}

size_t mem_limit(void) {
    if (!state.limit) state.limit = default_limit();
    return state.limit;
}

void mem_fail_at(long n, bool sticky) {
    state.fail_at = n > 0 ? state.requests + n : 0;
    state.sticky = sticky;
    state.interrupts = false;
}

void mem_interrupt_at(long n) {
    mem_fail_at(n, false);
    state.interrupts = true;
}

long mem_requests(void) { return state.requests; }

/* A picture drawn with each allocation failing in turn: an error or a picture, and nothing left
 * behind. */
#ifndef ATTN_TESTS_VIEW_SURVIVES_H
#define ATTN_TESTS_VIEW_SURVIVES_H

#include "base/error.h"
#include "base/memory.h"
#include "view/picture.h"

#include <check.h>

typedef bool Attempt(const Picture *picture, Error *err);

static inline void assert_survives(const Picture *picture, Attempt *attempt) {
    size_t before = mem_used();
    long last = 1;
    for (long n = 1; n <= last; n++) {
        Error err = {0};
        long start = mem_requests();
        mem_fail_at(n, false);
        bool ok = attempt(picture, &err);
        mem_fail_at(0, false);
        last = mem_requests() - start > last ? mem_requests() - start : last;
        ck_assert(ok || err.kind == ERR_LIMIT);
        ck_assert_uint_eq(mem_used(), before);
    }
}

#endif

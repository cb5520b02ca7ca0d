/* A merge sort from short runs upwards: sequential in memory, stable, and easily interrupted. */
#include "engine/operators/sort.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/scratch.h"

#include <math.h>

enum { RUN = 16, POLL_AFTER = 1 << 16 };

typedef struct Keyed {
    double *keys, *carried; /* carried: NULL when there is nothing to carry */
} Keyed;

static bool before(double a, double b) { return a < b || (isnan(b) && !isnan(a)); }

static Keyed keyed_at(Keyed x, size_t at) {
    return (Keyed){x.keys + at, x.carried ? x.carried + at : NULL};
}

static void insertion_sort(Keyed x, size_t n) {
    for (size_t i = 1; i < n; i++) {
        double key = x.keys[i], carried = x.carried ? x.carried[i] : 0;
        size_t j = i;
        for (; j > 0 && before(key, x.keys[j - 1]); j--) {
            x.keys[j] = x.keys[j - 1];
            if (x.carried) x.carried[j] = x.carried[j - 1];
        }
        x.keys[j] = key;
        if (x.carried) x.carried[j] = carried;
    }
}

static bool sort_runs(Keyed x, size_t n, Error *err) {
    for (size_t at = 0; at < n; at += RUN) {
        if (at % POLL_AFTER == 0 && interrupted(err)) return false;
        insertion_sort(keyed_at(x, at), at_most(n - at, RUN));
    }
    return true;
}

/* Two sorted neighbours in `from`, [0, middle) and [middle, end), into `to`. */
static bool merge(Keyed from, size_t middle, size_t end, Keyed to, size_t *done, Error *err) {
    size_t left = 0, right = middle;
    for (size_t i = 0; i < end; i++) {
        bool second = left == middle || (right < end && before(from.keys[right], from.keys[left]));
        size_t pick = second ? right++ : left++;
        to.keys[i] = from.keys[pick];
        if (to.carried) to.carried[i] = from.carried[pick];
        if (++*done == POLL_AFTER) {
            *done = 0;
            if (interrupted(err)) return false;
        }
    }
    return true;
}

static bool merge_all(Keyed from, Keyed to, size_t width, size_t n, Error *err) {
    size_t done = 0;
    for (size_t at = 0; at < n; at += 2 * width) {
        size_t left = n - at, end = at_most(left, 2 * width);
        size_t middle = width < end ? width : end;
        if (!merge(keyed_at(from, at), middle, end, keyed_at(to, at), &done, err)) return false;
    }
    return true;
}

static bool sort_keyed(Keyed x, Keyed space, size_t n, Error *err) {
    Keyed from = x, to = space;
    if (!sort_runs(x, n, err)) return false;
    for (size_t width = RUN; width < n; width *= 2) {
        if (!merge_all(from, to, width, n, err)) return false;
        Keyed swap = from;
        from = to;
        to = swap;
    }
    if (from.keys == x.keys) return true;
    size_t bytes = n * sizeof *x.keys;
    return copy_bytes(x.keys, from.keys, bytes, err) &&
           (!x.carried || copy_bytes(x.carried, from.carried, bytes, err));
}

bool sort_numbers(double *keys, double *carried, size_t n, Error *err) {
    Keyed x = {keys, carried};
    if (n <= RUN) {
        insertion_sort(x, n);
        return true;
    }
    double *space = mem_alloc((carried ? 2 : 1) * n * sizeof(double), err);
    if (!space) return false;
    bool done = sort_keyed(x, (Keyed){space, carried ? space + n : NULL}, n, err);
    mem_free(space);
    return done;
}

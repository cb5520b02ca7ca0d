/* A merge sort from short runs upwards: sequential in memory, stable, and easily interrupted. */
#include "engine/operators/sort.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/scratch.h"

#include <math.h>

enum { RUN_LENGTH = 16 };      /* numbers that an insertion sort brings in order */
enum { POLL_AFTER = 1 << 16 }; /* numbers between two looks at the interrupt flag */

typedef struct Pairs {
    double *keys, *values; /* values: moved like their keys; NULL when there are none */
} Pairs;

static bool before(double a, double b) { return a < b || (isnan(b) && !isnan(a)); }

static Pairs pairs_at(Pairs x, size_t at) {
    return (Pairs){x.keys + at, x.values ? x.values + at : NULL};
}

static void insertion_sort(Pairs x, size_t n) {
    for (size_t i = 1; i < n; i++) {
        double key = x.keys[i], value = x.values ? x.values[i] : 0;
        size_t j = i;
        for (; j > 0 && before(key, x.keys[j - 1]); j--) {
            x.keys[j] = x.keys[j - 1];
            if (x.values) x.values[j] = x.values[j - 1];
        }
        x.keys[j] = key;
        if (x.values) x.values[j] = value;
    }
}

/* Two sorted neighbours in `from`, [0, middle) and [middle, end), into `to`. */
static bool merge(Pairs from, size_t middle, size_t end, Pairs to, size_t *done, Error *err) {
    size_t left = 0, right = middle;
    for (size_t i = 0; i < end; i++) {
        bool second = left == middle || (right < end && before(from.keys[right], from.keys[left]));
        size_t pick = second ? right++ : left++;
        to.keys[i] = from.keys[pick];
        if (to.values) to.values[i] = from.values[pick];
        if (++*done == POLL_AFTER) {
            *done = 0;
            if (interrupted(err)) return false;
        }
    }
    return true;
}

bool sort_numbers(double *keys, double *values, size_t n, Error *err) {
    Pairs x = {keys, values};
    if (n <= RUN_LENGTH) {
        insertion_sort(x, n);
        return true;
    }
    LocalMemory double *space = mem_alloc((values ? 2 : 1) * n * sizeof *space, err);
    if (!space) return false;
    for (size_t at = 0; at < n; at += RUN_LENGTH) {
        if (at % POLL_AFTER == 0 && interrupted(err)) return false;
        insertion_sort(pairs_at(x, at), smaller(n - at, RUN_LENGTH));
    }

    /* Sorted runs of `width` numbers are merged by twos from one place into the other. */
    Pairs from = x, to = {space, values ? space + n : NULL};
    for (size_t width = RUN_LENGTH; width < n; width *= 2) {
        size_t done = 0;
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t end = smaller(n - at, 2 * width), middle = smaller(end, width);
            if (!merge(pairs_at(from, at), middle, end, pairs_at(to, at), &done, err)) return false;
        }
        Pairs swap = from;
        from = to;
        to = swap;
    }
    if (from.keys == keys) return true;
    return copy_bytes(keys, from.keys, n * sizeof *keys, err) &&
           (!values || copy_bytes(values, from.values, n * sizeof *values, err));
}

/* ---- selecting one element ---- */

/* Moves what is less than the pivot (or equal, if `equal`) to the front of x[*at .. end), and *at
 * behind it. Every number is moved, as a jump that may go either way takes longer. */
static bool move_to_front(double *x, size_t *at, size_t end, double pivot, bool equal, Error *err) {
    size_t front = *at;
    for (size_t i = front; i < end;) {
        if (i > *at && interrupted(err)) return false;
        for (size_t stop = i + smaller(end - i, POLL_AFTER); i < stop; i++) {
            double key = x[i];
            x[i] = x[front];
            x[front] = key;
            front += equal ? key <= pivot : key < pivot;
        }
    }
    *at = front;
    return true;
}

/* Floyd and Rivest (1975): of many numbers, a sample says which one is probably near index k. */
bool select_number(double *x, size_t n, size_t k, Error *err) {
    enum { FEW = 600 };
    size_t begin = 0, end = n;
    while (end - begin > 1) {
        if (end - begin > FEW) {
            double place = (double)(k - begin), all = (double)(end - begin), log_n = log(all);
            double sample = 0.5 * exp(2 * log_n / 3);
            double spread = 0.5 * sqrt(log_n * sample * (all - sample) / all);
            if (place < all / 2) spread = -spread;
            double first = place - place * sample / all + spread, last = first + sample;
            size_t from = begin + (size_t)fmax(first, 0), to = begin + (size_t)fmin(last, all);
            if (from > k) from = k;
            if (to <= k) to = k + 1;
            if (!select_number(x + from, to - from, k - from, err)) return false;
        }
        double pivot = x[k];
        size_t less = begin;
        if (!move_to_front(x, &less, end, pivot, false, err)) return false;
        if (k < less) {
            end = less;
            continue;
        }
        begin = less;
        if (!move_to_front(x, &begin, end, pivot, true, err)) return false;
        if (k < begin) return true; /* it equals the pivot */
    }
    return true;
}

#include "engine/tensor/index_item.h"

/* An end of a slice, moved into [least, most]. */
static long long clamp_end(long long end, long long length, long long least, long long most) {
    if (end < 0) end = end < -length ? -1 : end + length;
    return end < least ? least : end > most ? most : end;
}

bool slice_resolve(const IndexItem *slice, size_t length, long long *first, long long *step,
                   size_t *count, Error *err) {
    long long n = (long long)length, by = slice->has_step ? slice->step : 1;
    if (by == 0) {
        error_set(err, ERR_VALUE, "a slice cannot have step 0");
        return error_python(err, "slice step cannot be zero");
    }
    /* Walking back, the end may lie one before the first element. */
    long long least = by > 0 ? 0 : -1, most = by > 0 ? n : n - 1;
    long long from = slice->has_start ? clamp_end(slice->start, n, least, most)
                     : by > 0         ? least
                                      : most;
    long long to = slice->has_stop ? clamp_end(slice->stop, n, least, most) : by > 0 ? most : least;
    unsigned long long stride = by > 0 ? (unsigned long long)by : 0 - (unsigned long long)by;
    long long distance = by > 0 ? to - from : from - to;
    *first = from;
    /* A step past the whole length picks one element at most; cut it so that products fit, and is
     * still no step of 1. */
    *step = stride > length + 2 ? (by > 0 ? n + 2 : -n - 2) : by;
    *count = distance <= 0 ? 0 : (size_t)((unsigned long long)(distance - 1) / stride + 1);
    return true;
}

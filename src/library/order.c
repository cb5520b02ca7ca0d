#include "library/order.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { NESTING_MAX = 100, POLL_EVERY = 4096 };

static bool compare_at_depth(const Value *a, const Value *b, int depth, int *out, Error *err) {
    if (depth > NESTING_MAX)
        return error_set(err, ERR_LIMIT, "lists nested more than %d deep cannot be ordered",
                         NESTING_MAX);
    if (value_is_scalar(a) && value_is_scalar(b)) {
        double x = value_scalar(a), y = value_scalar(b);
        *out = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
        return true;
    }
    if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) {
        size_t x = a->string->length, y = b->string->length;
        int difference = memcmp(a->string->data, b->string->data, x < y ? x : y);
        *out = difference == 0 ? (x > y) - (x < y) : (difference > 0) - (difference < 0);
        return true;
    }
    if (a->kind == b->kind && (a->kind == VALUE_LIST || a->kind == VALUE_TUPLE)) {
        size_t x = a->list->count, y = b->list->count;
        *out = (x > y) - (x < y);
        if (a->list == b->list) return true;
        for (size_t i = 0; i < x && i < y; i++) {
            if (interrupted(err)) return false; /* what shares parts again and again has no end */
            int sign;
            if (!compare_at_depth(&a->list->items[i], &b->list->items[i], depth + 1, &sign, err))
                return false;
            if (sign == 0) continue;
            *out = sign;
            break;
        }
        return true;
    }
    /* The rows of an array, as the lists that they were written as. */
    if (value_is_array(a) && value_is_array(b) && a->tensor->shape.axes == b->tensor->shape.axes) {
        const Tensor *x = a->tensor, *y = b->tensor;
        *out = (x->count > y->count) - (x->count < y->count);
        for (size_t i = 0; i < x->count && i < y->count; i++) {
            double left = tensor_get(x, i), right = tensor_get(y, i);
            if (left == right) continue;
            *out = left > right ? 1 : -1;
            break;
        }
        return true;
    }
    return error_set(err, ERR_TYPE, "there is no order between a %s and a %s", value_kind_word(a),
                     value_kind_word(b));
}

bool order_compare(const Value *a, const Value *b, int *out, Error *err) {
    return compare_at_depth(a, b, 0, out, err);
}

/* Merges the sorted halves order[begin..middle) and order[middle..end) through `spare`. */
static bool merge_halves(const Value *keys, bool falling, size_t *order, size_t *spare,
                         size_t begin, size_t middle, size_t end, Error *err) {
    size_t left = begin, right = middle;
    for (size_t at = begin; at < end; at++) {
        int sign = 0;
        if (at % POLL_EVERY == 0 && interrupted(err)) return false;
        if (left < middle && right < end &&
            !order_compare(&keys[order[left]], &keys[order[right]], &sign, err))
            return false;
        bool take_left = right == end || (left < middle && (falling ? sign >= 0 : sign <= 0));
        spare[at] = order[take_left ? left++ : right++];
    }
    memcpy(order + begin, spare + begin, (end - begin) * sizeof *order);
    return true;
}

bool order_sort(const Value *keys, size_t count, bool falling, size_t *order, Error *err) {
    size_t *spare = mem_alloc(count * sizeof *spare, err);
    if (!spare) return false;
    for (size_t i = 0; i < count; i++) order[i] = i;
    bool ok = true;
    for (size_t width = 1; ok && width < count; width *= 2)
        for (size_t begin = 0; ok && begin + width < count; begin += 2 * width) {
            size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            ok = merge_halves(keys, falling, order, spare, begin, begin + width, end, err);
        }
    mem_free(spare);
    return ok;
}

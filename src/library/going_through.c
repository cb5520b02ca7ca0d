/* Going through lists: map, filter, reversed. What they give is what brackets would make of the
 * items, as with a comprehension. */
#include "base/interrupt.h"
#include "lang/interp.h"
#include "library/arguments.h"

/* The lists that map goes through beside each other are taken apart by zip's rule: as long as the
 * shortest. */
static bool map(const Call *call, Value *out, Error *err) {
    enum { LISTS_MAX = 8 };
    Value lists[LISTS_MAX], items[LISTS_MAX], mapped, result;
    size_t count = call->rest_count, read = 0, shortest = SIZE_MAX;
    if (count == 0 || count > LISTS_MAX)
        return error_set(err, ERR_TYPE, "map goes through 1 to %d lists, not %zu", LISTS_MAX,
                         count);
    bool ok = true;
    for (; ok && read < count; read += ok) {
        ok = elements_of(&call->rest[read], "what map is given", &lists[read], err);
        if (ok && lists[read].list->count < shortest) shortest = lists[read].list->count;
    }
    bool made = ok && value_list_new(&mapped, VALUE_LIST, shortest, err);
    ok = made;
    for (size_t i = 0; ok && i < shortest; i++) {
        for (size_t k = 0; k < count; k++) items[k] = lists[k].list->items[i];
        ok = !interrupted(err) &&
             interp_call(call->interp, &call->arguments[0], items, count, &result, err) &&
             list_append_new(mapped.list, result, err);
    }
    while (read > 0) value_release(&lists[--read]);
    return made && give_bracketed(ok, &mapped, out, err);
}

static bool filter(const Call *call, Value *out, Error *err) {
    const Value *function = &call->arguments[0];
    Value items, kept, result;
    if (!elements_of(&call->arguments[1], "what filter is given", &items, err)) return false;
    bool made = value_list_new(&kept, VALUE_LIST, 0, err), ok = made;
    for (size_t i = 0; ok && i < items.list->count; i++) {
        const Value *item = &items.list->items[i];
        bool wanted;
        result = VALUE_MISSING;
        ok = !interrupted(err) &&
             (given_at(call, 0) ? interp_call(call->interp, function, item, 1, &result, err)
                                : (result = value_ref(*item), true)) &&
             value_truth(&result, &wanted, err) && (!wanted || list_append(kept.list, *item, err));
        value_release(&result);
    }
    value_release(&items);
    return made && give_bracketed(ok, &kept, out, err);
}

static bool reversed(const Call *call, Value *out, Error *err) {
    Value items;
    if (!elements_of(&call->arguments[0], "what reversed is given", &items, err)) return false;
    for (size_t low = 0, high = items.list->count; low + 1 < high; low++) {
        Value first = items.list->items[low];
        items.list->items[low] = items.list->items[--high];
        items.list->items[high] = first;
    }
    return give_bracketed(true, &items, out, err);
}

#define GROUP "plain"

const BuiltinDef going_through_table[] = {
    {BUILTIN("map", map), .parameters = "function:function *lists:any",
     .summary = "What the function makes of each item; of several lists, of the first items "
                "together, then the second ones. The same as [f(x) for x in xs].",
     .example = "map(lambda x: x * x, [1, 2, 3])\n# -> [1, 4, 9]\n"
                "map(str, [1, 2])\n# -> ['1', '2']",
     .see = "filter zip"},
    {BUILTIN("filter", filter), .parameters = "function:function? list:any",
     .summary = "The items for which the function is true; with None, those that are true "
                "themselves. The same as [x for x in xs if f(x)].",
     .example = "filter(lambda x: x > 1, [1, 2, 3])\n# -> [2, 3]", .see = "map"},
    {BUILTIN("reversed", reversed), .parameters = "x:any",
     .summary = "The items from the last to the first.",
     .example = "for i in reversed(range(3)): print(i)\n# -> 2⏎1⏎0", .see = "flip sorted range"},
    {0},
};

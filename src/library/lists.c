/* Methods of lists. */
#include "base/interrupt.h"
#include "library/arguments.h"

#include <string.h>

/* ---- methods that change the list ---- */

/* The list, which the journal keeps as it was. Nothing is given, unless the method says otherwise.
 * NULL: ERR_TYPE, or an error of the journal. */
static List *list_to_change(Value *receiver, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (receiver->kind == VALUE_LIST)
        return shared_keep(receiver->shared, err) ? receiver->list : NULL;
    error_set(err, ERR_TYPE, "%s changes a list, not %s", call->builtin->name,
              value_words(receiver));
    error_hint(err, "list(x) makes a list of it.");
    return NULL;
}

static bool extend(Value *receiver, const Call *call, Value *out, Error *err) {
    return list_to_change(receiver, call, out, err) &&
           value_extend(receiver, &call->arguments[1], err);
}

/* Moves the item at `from` to `to`; those between make room. */
static void move_item(List *list, size_t from, size_t to) {
    Value moved = list->items[from];
    Value *first = &list->items[from < to ? from : to];
    size_t between = from < to ? to - from : from - to;
    memmove(first + (from > to), first + (from < to), between * sizeof moved);
    list->items[to] = moved;
}

static bool insert(Value *receiver, const Call *call, Value *out, Error *err) {
    List *list = list_to_change(receiver, call, out, err);
    if (!list) return false;
    long long at = whole_at(call, 1), count = (long long)list->count;
    if (at < 0) at = at + count < 0 ? 0 : at + count;
    if (at > count) at = count;
    if (!list_append(list, call->arguments[2], err)) return false;
    move_item(list, (size_t)count, (size_t)at);
    return true;
}

static bool pop(Value *receiver, const Call *call, Value *out, Error *err) {
    List *list = list_to_change(receiver, call, out, err);
    if (!list) return false;
    long long at = whole_at(call, 1), count = (long long)list->count;
    if (at < -count || at >= count) {
        error_set(err, ERR_VALUE, "index %lld is out of range: the list has %lld element%s", at,
                  count, count == 1 ? "" : "s");
        error_python(err, count ? "pop index out of range" : "pop from empty list");
        return error_mark(err, "IndexError");
    }
    move_item(list, (size_t)(at < 0 ? at + count : at), list->count - 1);
    *out = list->items[--list->count];
    return true;
}

static bool not_there(const Value *item, Error *err) {
    LocalText text = TEXT_EMPTY;
    value_write(&text, item, 6, true);
    error_set(err, ERR_VALUE, "%.60s is not in the list", text.data);
    return error_python(err, "%.60s is not in list", text.data);
}

static bool remove_item(Value *receiver, const Call *call, Value *out, Error *err) {
    List *list = list_to_change(receiver, call, out, err);
    size_t at = 0;
    if (!list) return false;
    while (at < list->count && !value_equal(&list->items[at], &call->arguments[1])) at++;
    if (at == list->count) {
        not_there(&call->arguments[1], err);
        return error_python(err, "list.remove(x): x not in list");
    }
    move_item(list, at, list->count - 1);
    value_release(&list->items[--list->count]);
    return true;
}

static bool reverse(Value *receiver, const Call *call, Value *out, Error *err) {
    List *list = list_to_change(receiver, call, out, err);
    if (list) list_reverse(list);
    return list != NULL;
}

static bool clear(Value *receiver, const Call *call, Value *out, Error *err) {
    List *list = list_to_change(receiver, call, out, err);
    while (list && list->count > 0) value_release(&list->items[--list->count]);
    return list != NULL;
}

/* ---- methods that search the list ---- */

static bool index_of(const Call *call, Value *out, Error *err) {
    LocalValue items = VALUE_MISSING;
    if (!items_of(&call->arguments[0], "index", &items, err)) return false;
    const long long count = (long long)items.list->count;
    long long start = whole_at(call, 2), stop = given_at(call, 3) ? whole_at(call, 3) : count;
    if (start < 0) start = start + count < 0 ? 0 : start + count;
    if (stop < 0) stop += count;
    for (long long i = start; i < stop && i < count && !interrupt_flag; i++) {
        if (!value_equal(&items.list->items[i], &call->arguments[1])) continue;
        *out = value_number((double)i);
        return true;
    }
    if (interrupted(err)) return false;
    not_there(&call->arguments[1], err);
    if (call->arguments[0].kind == VALUE_TUPLE) error_python(err, "tuple.index(x): x not in tuple");
    return false;
}

static bool count_of(const Call *call, Value *out, Error *err) {
    LocalValue items = VALUE_MISSING;
    if (!items_of(&call->arguments[0], "count", &items, err)) return false;
    size_t count = 0;
    for (size_t i = 0; i < items.list->count; i++)
        count += value_equal(&items.list->items[i], &call->arguments[1]);
    *out = value_number((double)count);
    return true;
}

static bool copy_list(const Call *call, Value *out, Error *err) {
    return elements_of(&call->arguments[0], "copy", out, err);
}

#define GROUP "strings and lists"
#define LIST(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "list"
#define CHANGING(NAME, CHANGE) \
    LIST(NAME, call_no_variable), .changes_receiver = true, .change = CHANGE

const BuiltinDef lists_table[] = {
    {LIST("append", call_no_variable), .changes_receiver = true, .parameters = "list:any item:any",
     .summary = "Puts one item at the end of a list. All that hold the list see it.",
     .example = "xs = []\nxs.append(\"a\")\nxs.append(2)\nxs\n# -> ['a', 2]",
     .see = "extend insert concatenate"},
    {CHANGING("extend", extend), .parameters = "list:any items:any",
     .summary = "Puts the items of another list at the end of a list.",
     .example = "xs = [1, 2]\nxs.extend([3, 4])\nxs\n# -> [1, 2, 3, 4]", .see = "append"},
    {CHANGING("insert", insert), .parameters = "list:any index:whole item:any",
     .summary = "Puts an item before the one with this index.",
     .example = "xs = [1, 3]\nxs.insert(1, 2)\nxs\n# -> [1, 2, 3]", .see = "append"},
    {CHANGING("pop", pop), .parameters = "list:any index:whole=-1",
     .summary = "Takes the last item out of a list, or the one with this index, and gives it.",
     .example = "xs = [1, 2, 3]\nxs.pop()\n# -> 3\nxs\n# -> [1, 2]", .see = "remove append"},
    {CHANGING("remove", remove_item), .parameters = "list:any item:any",
     .summary = "Takes the first item that equals this one out of a list.",
     .example = "xs = [\"a\", \"b\"]\nxs.remove(\"a\")\nxs\n# -> ['b']", .see = "pop"},
    {CHANGING("reverse", reverse), .parameters = "list:any",
     .summary = "Turns a list around. x[::-1] is a copy that is turned around.",
     .example = "xs = [1, 2, 3]\nxs.reverse()\nxs\n# -> [3, 2, 1]", .see = "flip sort"},
    {CHANGING("clear", clear), .parameters = "list:any",
     .summary = "Takes all items out of a list.", .example = "xs = [1, 2]\nxs.clear()\nxs\n# -> []",
     .see = "pop"},
    {LIST("index", index_of), .parameters = "list:any item:any start:whole=0 stop:whole?=None",
     .summary = "The index of the first item that equals this one, from start to before stop.",
     .example = "[\"a\", \"b\"].index(\"b\")\n# -> 1", .see = "count argmax"},
    {LIST("count", count_of), .parameters = "list:any item:any",
     .summary = "How many items equal this one.", .example = "[1, 2, 1].count(1)\n# -> 2",
     .see = "index"},
    {LIST("copy", copy_list), .parameters = "list:any",
     .summary = "Another list with the same items: a change of it leaves the first alone.",
     .example = "xs = [\"a\", 1]\nys = xs.copy()\nys.append(2)\nxs\n# -> ['a', 1]",
     .see = "append"},
    {0},
};

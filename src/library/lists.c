/* Methods of lists. Those that change a list find it in its variable; an array of numbers stays an
 * array where what it holds then still makes one. */
#include "library/arguments.h"

#include <string.h>

/* Takes the items out of the receiver, to be changed: those of an array as a list of its own.
 * close_list puts them back. */
static bool open_list(Value *receiver, const Call *call, Value *items, Error *err) {
    if (value_is_array(receiver)) {
        return value_list_new(items, VALUE_LIST, 0, err) &&
               value_if(value_extend(items, receiver, err), items);
    }
    if (receiver->kind != VALUE_LIST) {
        error_set(err, ERR_TYPE, "%s changes a list, not %s", call->builtin->name,
                  value_words(receiver));
        return receiver->kind == VALUE_TUPLE ? error_hint(err, "list(x) makes a list of it.")
                                             : false;
    }
    if (!value_unique_list(receiver, err)) return false;
    *items = *receiver;
    *receiver = VALUE_MISSING;
    return true;
}

/* An array is replaced if the change went well (`ok`), and that is what is returned. */
static bool close_list(Value *receiver, Value *items, bool ok, Error *err) {
    if (receiver->kind == VALUE_UNSET) {
        *receiver = *items;
        return ok;
    }
    Value array;
    ok = ok && value_from_items(&array, items->list->items, items->list->count, false, err);
    value_release(items);
    if (!ok) return false;
    value_release(receiver);
    *receiver = array;
    return true;
}

/* ---- methods that change the list ---- */

static bool extend(Value *receiver, const Call *call, Value *out, Error *err) {
    Value items;
    if (!open_list(receiver, call, &items, err)) return false;
    *out = VALUE_NOTHING;
    bool ok = value_extend(&items, &call->arguments[1], err);
    return close_list(receiver, &items, ok, err);
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
    Value items;
    long long at;
    if (!whole_at(call, 1, "index", &at, err) || !open_list(receiver, call, &items, err))
        return false;
    long long count = (long long)items.list->count;
    if (at < 0) at = at + count < 0 ? 0 : at + count;
    if (at > count) at = count;
    *out = VALUE_NOTHING;
    bool ok = list_append(items.list, call->arguments[2], err);
    if (ok) move_item(items.list, (size_t)count, (size_t)at);
    return close_list(receiver, &items, ok, err);
}

static bool pop(Value *receiver, const Call *call, Value *out, Error *err) {
    Value items;
    long long at;
    if (!whole_at(call, 1, "index", &at, err) || !open_list(receiver, call, &items, err))
        return false;
    long long count = (long long)items.list->count, place = at < 0 ? at + count : at;
    bool ok = place >= 0 && place < count;
    if (ok) {
        move_item(items.list, (size_t)place, (size_t)count - 1);
        *out = items.list->items[--items.list->count];
    } else {
        error_set(err, ERR_VALUE, "index %lld is out of range: the list has %lld element%s", at,
                  count, count == 1 ? "" : "s");
        error_mark(err, "IndexError");
    }
    return close_list(receiver, &items, ok, err);
}

/* The index of an item; the count when it is not there. */
static size_t find_item(const List *list, const Value *item) {
    size_t at = 0;
    while (at < list->count && !value_equal(&list->items[at], item)) at++;
    return at;
}

static bool not_there(const Value *item, Error *err) {
    Text text = TEXT_EMPTY;
    value_write(&text, item, 6, true);
    error_set(err, ERR_VALUE, "%.60s is not in the list", text.data);
    text_release(&text);
    return false;
}

static bool remove_item(Value *receiver, const Call *call, Value *out, Error *err) {
    Value items;
    if (!open_list(receiver, call, &items, err)) return false;
    List *list = items.list;
    size_t at = find_item(list, &call->arguments[1]);
    bool ok = at < list->count || not_there(&call->arguments[1], err);
    if (ok) {
        move_item(list, at, list->count - 1);
        value_release(&list->items[--list->count]);
    }
    *out = VALUE_NOTHING;
    return close_list(receiver, &items, ok, err);
}

static bool reverse(Value *receiver, const Call *call, Value *out, Error *err) {
    Value items;
    if (!open_list(receiver, call, &items, err)) return false;
    for (size_t i = 0; i < items.list->count; i++) move_item(items.list, items.list->count - 1, i);
    *out = VALUE_NOTHING;
    return close_list(receiver, &items, true, err);
}

static bool clear(Value *receiver, const Call *call, Value *out, Error *err) {
    Value items;
    if (!open_list(receiver, call, &items, err)) return false;
    while (items.list->count > 0) value_release(&items.list->items[--items.list->count]);
    *out = VALUE_NOTHING;
    return close_list(receiver, &items, true, err);
}

/* ---- methods that search the list ---- */

static bool index_of(const Call *call, Value *out, Error *err) {
    Value items;
    if (!elements_of(&call->arguments[0], "index", &items, err)) return false;
    size_t at = find_item(items.list, &call->arguments[1]);
    bool ok = at < items.list->count || not_there(&call->arguments[1], err);
    *out = value_number((double)at);
    value_release(&items);
    return ok;
}

static bool count_of(const Call *call, Value *out, Error *err) {
    Value items;
    if (!elements_of(&call->arguments[0], "count", &items, err)) return false;
    size_t count = 0;
    for (size_t i = 0; i < items.list->count; i++)
        count += value_equal(&items.list->items[i], &call->arguments[1]);
    *out = value_number((double)count);
    value_release(&items);
    return true;
}

static bool copy_list(const Call *call, Value *out, Error *err) {
    (void)err;
    *out = value_ref(call->arguments[0]);
    return true;
}

#define GROUP "strings and lists"
#define LIST(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "list"
#define CHANGING(NAME, CHANGE) \
    LIST(NAME, call_no_variable), .changes_receiver = true, .change = CHANGE

const BuiltinDef lists_table[] = {
    {LIST("append", call_no_variable), .changes_receiver = true, .parameters = "list:any item:any",
     .summary = "Puts one item at the end of a variable's list. An array of one axis becomes one "
                "longer with a number; any other item makes it a list.",
     .example = "xs = []\nxs.append(\"a\")\nxs.append(2)\nxs\n# -> ['a', 2]",
     .see = "extend insert concatenate"},
    {CHANGING("extend", extend), .parameters = "list:any items:any",
     .summary = "Puts the items of another list at the end of a variable's list.",
     .example = "xs = [1, 2]\nxs.extend([3, 4])\nxs\n# -> [1, 2, 3, 4]", .see = "append"},
    {CHANGING("insert", insert), .parameters = "list:any index:whole item:any",
     .summary = "Puts an item before the one with this index.",
     .example = "xs = [1, 3]\nxs.insert(1, 2)\nxs\n# -> [1, 2, 3]", .see = "append"},
    {CHANGING("pop", pop), .parameters = "list:any index:whole=-1",
     .summary = "Takes the last item out of a variable's list, or the one with this index, and "
                "gives it.",
     .example = "xs = [1, 2, 3]\nxs.pop()\n# -> 3\nxs\n# -> [1, 2]", .see = "remove append"},
    {CHANGING("remove", remove_item), .parameters = "list:any item:any",
     .summary = "Takes the first item that equals this one out of a variable's list.",
     .example = "xs = [\"a\", \"b\"]\nxs.remove(\"a\")\nxs\n# -> ['b']", .see = "pop"},
    {CHANGING("reverse", reverse), .parameters = "list:any",
     .summary = "Turns a variable's list around. x[::-1] is a copy that is turned around.",
     .example = "xs = [1, 2, 3]\nxs.reverse()\nxs\n# -> [3, 2, 1]", .see = "flip sort"},
    {CHANGING("clear", clear), .parameters = "list:any",
     .summary = "Takes all items out of a variable's list.",
     .example = "xs = [1, 2]\nxs.clear()\nxs\n# -> []", .see = "pop"},
    {LIST("index", index_of), .parameters = "list:any item:any",
     .summary = "The index of the first item that equals this one.",
     .example = "[\"a\", \"b\"].index(\"b\")\n# -> 1", .see = "count argmax"},
    {LIST("count", count_of), .parameters = "list:any item:any",
     .summary = "How many items equal this one.", .example = "[1, 2, 1].count(1)\n# -> 2",
     .see = "index"},
    {LIST("copy", copy_list), .parameters = "list:any",
     .summary = "The list itself: a list that is changed never changes another variable's.",
     .example = "xs = [\"a\", 1]\nys = xs.copy()\nys.append(2)\nxs\n# -> ['a', 1]",
     .see = "append"},
    {0},
};

/* Lists, tuples and records of what another value holds, and the methods
 * of records. */
#include "base/interrupt.h"
#include "lang/class.h"
#include "lang/interp.h"
#include "lang/key_index.h"
#include "library/arguments.h"

#include <string.h>

/* ---- list, tuple, set ---- */

static bool to_list(const Call *call, Value *out, Error *err) {
    if (!given_at(call, 0)) return value_list_new(out, VALUE_LIST, 0, err);
    return elements_of(&call->arguments[0], "list", out, err);
}

static bool to_tuple(const Call *call, Value *out, Error *err) {
    if (!given_at(call, 0)) return value_list_new(out, VALUE_TUPLE, 0, err);
    if (!elements_of(&call->arguments[0], "tuple", out, err)) return false;
    out->kind = VALUE_TUPLE;
    return true;
}

/* True if one of the items is equal; the index has those that it finds. */
static bool list_holds(const List *list, const KeyIndex *index, const Value *item) {
    if (key_is_found(item)) return key_index_find(index, list->items, list->count, item) != NO_KEY;
    for (size_t i = 0; i < list->count; i++)
        if (value_equal(&list->items[i], item)) return true;
    return false;
}

static bool to_set(const Call *call, Value *out, Error *err) {
    if (call->rest_count > 0) { /* set(temperature=2) */
        error_set(err, ERR_TYPE, "a setting is set by a command");
        LocalText value = TEXT_EMPTY;
        value_write(&value, &call->rest[1], call->interp->digits, false);
        if (!value.failed)
            error_hint(err, "write set %s %s", call->rest[0].string->data, value.data);
        return false;
    }
    if (!given_at(call, 0)) return value_list_new(out, VALUE_LIST, 0, err);
    LocalValue items = VALUE_MISSING;
    if (!elements_of(&call->arguments[0], "set", &items, err) ||
        !value_list_new(out, VALUE_LIST, 0, err))
        return false;
    KeyIndex index = {.size = 0};
    bool ok = true;
    for (size_t i = 0; ok && i < items.list->count; i++) {
        const Value *item = &items.list->items[i];
        ok =
            !interrupted(err) && (list_holds(out->list, &index, item) ||
                                  (list_append(out->list, *item, err) &&
                                   key_index_add(&index, out->list->items, out->list->count, err)));
    }
    key_index_release(&index);
    return value_if(ok, out);
}

/* ---- dict ---- */

/* Adds the pairs (key, value) of a list to a record. */
static bool add_pairs(Value *record, const Value *pairs, Error *err) {
    LocalValue items = VALUE_MISSING;
    if (!elements_of(pairs, "dict", &items, err)) return false;
    for (size_t i = 0; i < items.list->count; i++) {
        LocalValue pair = VALUE_MISSING;
        if (!elements_of(&items.list->items[i], "a pair of dict", &pair, err)) return false;
        if (pair.list->count != 2)
            return error_set(err, ERR_TYPE, "dict takes pairs of a key and a value, (\"a\", 1)");
        const Value *both = pair.list->items;
        if (!record_put(record->record, &both[0], both[1], err)) return false;
    }
    return true;
}

/* The arguments by keyword come first among the rest; what is given by position may be one. */
static bool to_dict(const Call *call, Value *out, Error *err) {
    const Value *from = &call->arguments[0];
    if (!(from->kind == VALUE_RECORD ? value_record_copy(from->record, out, err)
                                     : value_record_new(out, err)))
        return false;
    bool ok = true;
    if (from->kind != VALUE_RECORD && given_at(call, 0)) ok = add_pairs(out, from, err);
    for (size_t i = 0; ok && i + 1 < call->rest_count; i += 2)
        ok = record_set(out->record, call->rest[i].string->data, call->rest[i + 1], err);
    return value_if(ok, out);
}

/* ---- methods of records ---- */

static const Record *record_at(const Call *call, int i) { return call->arguments[i].record; }

static bool record_keys(const Call *call, Value *out, Error *err) {
    return elements_of(&call->arguments[0], "the record", out, err);
}

static bool record_values(const Call *call, Value *out, Error *err) {
    const Record *record = record_at(call, 0);
    return value_list_of(out, VALUE_LIST, record->values, record->count, err);
}

static bool record_items(const Call *call, Value *out, Error *err) {
    const Record *record = record_at(call, 0);
    if (!value_list_new(out, VALUE_LIST, record->count, err)) return false;
    for (size_t i = 0; i < record->count; i++) {
        Value pair[] = {value_ref(record->keys[i]), value_ref(record->values[i])};
        if (!give_items(&out->list->items[i], VALUE_TUPLE, pair, 2, err))
            return value_if(false, out);
        out->list->count++;
    }
    return true;
}

static bool record_get_or(const Call *call, Value *out, Error *err) {
    const Value *field = record_find(record_at(call, 0), &call->arguments[1]);
    (void)err;
    *out = value_ref(field ? *field : call->arguments[2]);
    return true;
}

/* None as the default means none. */
static bool pop_field(Value *receiver, const Call *call, Value *out, Error *err) {
    const Value *key = &call->arguments[1];
    if (record_find(receiver->record, key) || !given_at(call, 2))
        return value_record_remove(receiver, key, out, err);
    *out = value_ref(call->arguments[2]);
    return true;
}

static bool update(Value *receiver, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    return shared_keep(receiver->shared, err) &&
           record_put_all(receiver->record, record_at(call, 1), err);
}

static bool set_default(Value *receiver, const Call *call, Value *out, Error *err) {
    const Value *key = &call->arguments[1], *field = record_find(receiver->record, key);
    if (!field) {
        if (!shared_keep(receiver->shared, err) ||
            !record_put(receiver->record, key, call->arguments[2], err))
            return false;
        field = &call->arguments[2];
    }
    *out = value_ref(*field);
    return true;
}

#define GROUP "plain"

#define RECORD(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "record"

const BuiltinDef collections_table[] = {
    {BUILTIN("list", to_list), .parameters = "items:any=None",
     .summary = "A list of the items of something: of a tuple, a string, the names in a record. "
                "Numbers make an array, as in brackets.",
     .example = "list(\"abc\")\n# -> ['a', 'b', 'c']\nlist(range(3))\n# -> [0, 1, 2]",
     .see = "tuple set array"},
    {BUILTIN("tuple", to_tuple), .parameters = "items:any=None",
     .summary = "A tuple of the items of something.", .example = "tuple([1, 2])\n# -> (1, 2)",
     .see = "list"},
    {BUILTIN("set", to_set), .parameters = "items:any=None **settings:any",
     .summary = "The items of something without repeats, as a list, in the order in which they "
                "come first. There are no sets with an arithmetic of their own.",
     .example = "set([3, 1, 3])\n# -> [3, 1]\n\"a\" in set(\"cat\")\n# -> True",
     .see = "unique list"},
    {BUILTIN("dict", to_dict), .parameters = "items:any=None **fields:any",
     .summary = "A record: of fields that are given by keyword, of pairs, or of another record. "
                "{\"a\": 1} makes the same. The names are strings.",
     .example = "d = dict(a=1)\nd[\"b\"] = 2\nd\n# -> record(a=1, b=2)\n"
                "dict([(\"x\", 1)]) == {\"x\": 1}\n# -> True",
     .see = "record items get"},
    {RECORD("items", record_items), .parameters = "record:record",
     .summary = "The fields of a record, as tuples of a key and a value.",
     .example = "d = {\"a\": 1, \"b\": 2}\nfor k, v in d.items(): print(k, v)\n# -> a 1⏎b 2",
     .see = "keys values record"},
    {RECORD("keys", record_keys), .parameters = "record:record",
     .summary = "The keys of a record: the names of its fields.",
     .example = "{\"a\": 1, \"b\": 2}.keys()\n# -> ['a', 'b']", .see = "items values"},
    {RECORD("values", record_values), .parameters = "record:record",
     .summary = "The values of the fields of a record.",
     .example = "{\"a\": 1, \"b\": 2}.values()\n# -> [1, 2]", .see = "items keys"},
    {RECORD("get", record_get_or), .parameters = "record:record key:any default:any=None",
     .summary = "The value of a field, or the default where there is no such field.",
     .example = "{\"a\": 1}.get(\"b\", 0)\n# -> 0", .see = "items setdefault"},
    {RECORD("update", call_no_variable), .changes_receiver = true, .change = update,
     .parameters = "record:any fields:record",
     .summary = "Sets the fields of another record in a variable's record.",
     .example = "d = {\"a\": 1}\nd.update({\"b\": 2})\nd\n# -> record(a=1, b=2)", .see = "get"},
    {RECORD("pop", call_no_variable), .changes_receiver = true, .change = pop_field,
     .parameters = "record:any key:any default:any=None",
     .summary = "Takes a field out of a variable's record, and gives its value, or the default "
                "where there is no such field.",
     .example = "d = {\"a\": 1, \"b\": 2}\nd.pop(\"a\")\n# -> 1\nd\n# -> record(b=2)",
     .see = "get"},
    {RECORD("setdefault", call_no_variable), .changes_receiver = true, .change = set_default,
     .parameters = "record:any key:any default:any=None",
     .summary = "The value of a field; where there is none, it is set to the default first.",
     .example = "d = {\"a\": 1}\nd.setdefault(\"b\", 5)\n# -> 5", .see = "get update"},
    {0},
};

/* Functions of lists: map, filter, reversed. */

/* An iterator whose first part is `first`, unless it is NULL, before iterators of the values. */
static bool give_iterator(const Call *call, IteratorRole role, const Value *first,
                          const Value *values, size_t count, Value *out, Error *err) {
    LocalValue parts = VALUE_MISSING;
    if (!value_list_new(&parts, VALUE_LIST, count + 1, err)) return false;
    if (first) parts.list->items[parts.list->count++] = value_ref(*first);
    for (size_t i = 0; i < count; i++) {
        if (!value_iterator(&values[i], &parts.list->items[parts.list->count], err)) return false;
        parts.list->count++;
    }
    return iterator_new(call->interp, role, parts.list->items, parts.list->count, out, err);
}

static bool map(const Call *call, Value *out, Error *err) {
    if (call->rest_count == 0)
        return error_set(err, ERR_TYPE, "map goes through at least one list");
    return give_iterator(call, ITERATOR_MAP, &call->arguments[0], call->rest, call->rest_count, out,
                         err);
}

static bool filter(const Call *call, Value *out, Error *err) {
    return give_iterator(call, ITERATOR_FILTER, call->arguments, &call->arguments[1], 1, out, err);
}

static bool zip(const Call *call, Value *out, Error *err) {
    return give_iterator(call, ITERATOR_ZIP, NULL, call->rest, call->rest_count, out, err);
}

static bool enumerate(const Call *call, Value *out, Error *err) {
    return give_iterator(call, ITERATOR_ENUMERATE, &call->arguments[1], call->arguments, 1, out,
                         err);
}

static bool reversed(const Call *call, Value *out, Error *err) {
    LocalValue items = VALUE_MISSING;
    if (call->arguments[0].kind == VALUE_ITERATOR) {
        error_set(err, ERR_TYPE, "reversed needs all elements, and an iterator has only the next");
        return error_hint(err, "reversed(list(it)) takes them first.");
    }
    if (!elements_of(&call->arguments[0], "reversed", &items, err)) return false;
    List *list = items.list;
    for (size_t low = 0, high = list->count; low + 1 < high; low++) {
        Value first = list->items[low];
        list->items[low] = list->items[--high];
        list->items[high] = first;
    }
    Value parts[] = {items, value_number(0), value_number(0)};
    return iterator_new(NULL, ITERATOR_REVERSED, parts, 3, out, err);
}

const BuiltinDef going_through_table[] = {
    {BUILTIN("map", map), .parameters = "function:function *lists:any",
     .summary = "What the function makes of each item; of several lists, of the first items "
                "together, then the second ones. An iterator: its elements are made when they are "
                "asked for, once. [f(x) for x in xs] makes a list.",
     .example = "list(map(lambda x: x * x, [1, 2, 3]))\n# -> [1, 4, 9]\n"
                "list(map(str, [1, 2]))\n# -> ['1', '2']",
     .see = "filter zip"},
    {BUILTIN("filter", filter), .parameters = "function:function? list:any",
     .summary = "The items for which the function is true; with None, those that are true "
                "themselves. An iterator; [x for x in xs if f(x)] makes a list.",
     .example = "list(filter(lambda x: x > 1, [1, 2, 3]))\n# -> [2, 3]", .see = "map"},
    {BUILTIN("enumerate", enumerate), .parameters = "x:any start:whole=0",
     .summary = "The items with their numbers, as tuples, for loops that need both.",
     .example = "for i, t in enumerate([\"a\", \"b\"]): print(i, t)\n# -> 0 a⏎1 b",
     .see = "zip range"},
    {BUILTIN("zip", zip), .parameters = "*lists:any",
     .summary = "Goes through several lists at once: tuples, as many as the shortest has items. An "
                "iterator: list(zip(a, b)) makes a list.",
     .example = "for a, b in zip([1, 2], [\"x\", \"y\"]): print(a, b)\n# -> 1 x⏎2 y",
     .see = "enumerate"},
    {BUILTIN("reversed", reversed), .parameters = "x:any",
     .summary = "The items from the last to the first.",
     .example = "for i in reversed(range(3)): print(i)\n# -> 2⏎1⏎0", .see = "flip sorted range"},
    {0},
};

/* Lists, tuples and records of what another value holds, and the methods
 * of records. */
#include "lang/class.h"
#include "lang/interp.h"
#include "library/arguments.h"

/* ---- list, tuple ---- */

/* The row's constant is the kind. */
static bool to_list_or_tuple(const Call *call, Value *out, Error *err) {
    const ValueKind kind = (ValueKind)call->builtin->constant;
    if (call->arguments[0].kind == VALUE_UNSET) return value_list_new(out, kind, 0, err);
    if (!elements_of(&call->arguments[0], call->builtin->name, out, err)) return false;
    out->kind = kind;
    return true;
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

/* Adds what an object gives for each of its keys(); *has: whether it has that method. */
static bool add_mapping(Value *record, const Value *object, Interp *interp, bool *has, Error *err) {
    LocalValue keys = VALUE_MISSING, items = VALUE_MISSING;
    Symbol *symbol = interp_symbol(interp, "keys", 4, err);
    if (!symbol || !symbol_text(symbol, err)) return false;
    *has = class_find(object->record->class, symbol->text) != NULL;
    if (!*has) return true;
    if (!call_named(interp, object, "keys", NULL, 0, &keys, err) ||
        !elements_of(&keys, "dict", &items, err))
        return false;
    for (size_t i = 0; i < items.list->count; i++) {
        const Value *key = &items.list->items[i];
        LocalValue value = VALUE_MISSING;
        bool found;
        if (!call_special(object, SPECIAL_GETITEM, key, 1, &found, &value, err)) return false;
        if (!found)
            return error_set(err, ERR_TYPE, "%s has keys but no items by them",
                             value_words(object));
        if (!record_put(record->record, key, value, err)) return false;
    }
    return true;
}

/* Adds the fields of a record, or pairs, and those that are given by keyword. */
static bool add_fields(Value *record, const Value *from, const Call *call, Error *err) {
    bool ok = true, has_keys = false;
    if (instance_value(from)) from = instance_value(from);
    if (from->kind == VALUE_INSTANCE) ok = add_mapping(record, from, call->interp, &has_keys, err);
    if (from->kind == VALUE_RECORD) ok = record_put_all(record->record, from->record, err);
    else if (ok && !has_keys && from->kind != VALUE_UNSET) ok = add_pairs(record, from, err);
    for (size_t i = 0; ok && i + 1 < call->rest_count; i += 2)
        ok = record_put(record->record, &call->rest[i], call->rest[i + 1], err);
    return ok;
}

static bool to_dict(const Call *call, Value *out, Error *err) {
    const Value *from = &call->arguments[0];
    if (from->kind == VALUE_RECORD && call->rest_count == 0)
        return value_record_copy(from->record, out, err);
    return value_record_new(out, err) && value_if(add_fields(out, from, call, err), out);
}

/* dict.fromkeys(keys, value) */
static bool from_keys(const Call *call, Value *out, Error *err) {
    LocalValue keys = VALUE_MISSING;
    if (!elements_of(&call->arguments[1], "fromkeys", &keys, err) || !value_record_new(out, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < keys.list->count; i++)
        ok = record_put(out->record, &keys.list->items[i], call->arguments[2], err);
    return value_if(ok, out);
}

/* ---- methods of records ---- */

static const Record *record_of(const Call *call) { return call->arguments[0].record; }

static bool record_keys(const Call *call, Value *out, Error *err) {
    if (!elements_of(&call->arguments[0], "the record", out, err)) return false;
    return out->shared->is_view = true;
}

static bool record_values(const Call *call, Value *out, Error *err) {
    const Record *record = record_of(call);
    return value_list_of(out, VALUE_LIST, record->values, record->count, err);
}

static bool record_items(const Call *call, Value *out, Error *err) {
    const Record *record = record_of(call);
    if (!value_list_new(out, VALUE_LIST, record->count, err)) return false;
    for (size_t i = 0; i < record->count; i++) {
        Value pair[] = {value_ref(record->keys[i]), value_ref(record->values[i])};
        if (!give_tuple(&out->list->items[i], pair, 2, err)) return value_if(false, out);
        out->list->count++;
    }
    return out->shared->is_view = true;
}

static bool record_get_or(const Call *call, Value *out, Error *err) {
    const Value *field;
    if (!record_look_up(record_of(call), &call->arguments[1], &field, err)) return false;
    *out = value_ref(field ? *field : call->arguments[2]);
    return true;
}

static bool pop_field(Value *receiver, const Call *call, Value *out, Error *err) {
    const Value *key = &call->arguments[1], *field;
    if (!record_look_up(receiver->record, key, &field, err)) return false;
    if (call->rest_count > 1)
        return error_set(err, ERR_TYPE, "pop takes a key and one value for where it is not there");
    if (field || call->rest_count == 0) return value_record_remove(receiver, key, out, err);
    *out = value_ref(call->rest[0]);
    return true;
}

static bool pop_last(Value *receiver, const Call *call, Value *out, Error *err) {
    const Record *record = receiver->record;
    (void)call;
    if (record->count == 0) {
        error_set(err, ERR_NAME, "nothing can be taken out of an empty record");
        error_python(err, "'popitem(): dictionary is empty'");
        return error_mark(err, "KeyError");
    }
    Value pair[2];
    return value_record_take(receiver, record->count - 1, &pair[0], &pair[1], err) &&
           give_tuple(out, pair, 2, err);
}

static bool clear(Value *receiver, const Call *call, Value *out, Error *err) {
    (void)call;
    *out = VALUE_NOTHING;
    if (!shared_keep(receiver->shared, err)) return false;
    record_clear(receiver->record);
    return true;
}

static bool copy_record(const Call *call, Value *out, Error *err) {
    return value_record_copy(record_of(call), out, err);
}

static bool update(Value *receiver, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    return shared_keep(receiver->shared, err) &&
           add_fields(receiver, &call->arguments[1], call, err);
}

static bool set_default(Value *receiver, const Call *call, Value *out, Error *err) {
    const Value *key = &call->arguments[1], *field;
    if (!record_look_up(receiver->record, key, &field, err)) return false;
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
#define CHANGING(NAME, CHANGE) \
    RECORD(NAME, call_no_variable), .changes_receiver = true, .change = CHANGE

const BuiltinDef collections_table[] = {
    {BUILTIN("list", to_list_or_tuple), .constant = VALUE_LIST, .type = "list",
     .parameters = "items:any=...",
     .summary = "A list of the items of something: of a tuple, a string, an array, the keys of a "
                "record.",
     .example = "list(\"abc\")\n# -> ['a', 'b', 'c']\nlist(range(3))\n# -> [0, 1, 2]",
     .see = "tuple set array"},
    {BUILTIN("tuple", to_list_or_tuple), .constant = VALUE_TUPLE, .type = "tuple",
     .parameters = "items:any=...", .summary = "A tuple of the items of something.",
     .example = "tuple([1, 2])\n# -> (1, 2)", .see = "list"},
    {BUILTIN("dict", to_dict), .type = "dict", .parameters = "items:any=... / **fields:any",
     .summary = "A record: of fields that are given by keyword, of pairs, or of another record. "
                "{\"a\": 1} makes the same, and its keys may be numbers and tuples, too.",
     .example = "d = dict(a=1)\nd[\"b\"] = 2\nd\n# -> {'a': 1, 'b': 2}\n"
                "dict([(\"x\", 1)]) == {\"x\": 1}\n# -> True",
     .see = "record items get"},
    {RECORD("items", record_items), .parameters = "record:record",
     .summary = "The fields of a record, as tuples of a key and a value.",
     .example = "d = {\"a\": 1, \"b\": 2}\nfor k, v in d.items(): print(k, v)\n# -> a 1⏎b 2",
     .see = "keys values record"},
    {RECORD("keys", record_keys), .parameters = "record:record",
     .summary = "The keys of a record: the names of its fields. a.keys() & b.keys() are those of "
                "both, and - | ^ work as for sets, too.",
     .example = "{\"a\": 1, \"b\": 2}.keys()\n# -> ['a', 'b']", .see = "items values"},
    {RECORD("values", record_values), .parameters = "record:record",
     .summary = "The values of the fields of a record.",
     .example = "{\"a\": 1, \"b\": 2}.values()\n# -> [1, 2]", .see = "items keys"},
    {RECORD("get", record_get_or), .parameters = "record:record key:any default:any=None",
     .summary = "The value of a field, or the default where there is no such field.",
     .example = "{\"a\": 1}.get(\"b\", 0)\n# -> 0", .see = "items setdefault"},
    {CHANGING("update", update), .parameters = "record:any others:any=... / **fields:any",
     .summary = "Sets the fields of another record, or of pairs of a key and a value, in a record, "
                "and those that are given by keyword.",
     .example = "d = {\"a\": 1}\nd.update({\"b\": 2})\nd\n# -> {'a': 1, 'b': 2}", .see = "get"},
    {CHANGING("pop", pop_field), .parameters = "record:any key:any *default:any",
     .summary = "Takes a field out of a record, and gives its value, or the default "
                "where there is no such field.",
     .example = "d = {\"a\": 1, \"b\": 2}\nd.pop(\"a\")\n# -> 1\nd\n# -> {'b': 2}", .see = "get"},
    {CHANGING("popitem", pop_last), .parameters = "record:any",
     .summary = "Takes the field that came last out of a record, and gives its key and value.",
     .example = "d = {\"a\": 1, \"b\": 2}\nd.popitem()\n# -> ('b', 2)", .see = "pop"},
    {CHANGING("clear", clear), .parameters = "record:any",
     .summary = "Takes all fields out of a record.",
     .example = "d = {0: 1}\nd.clear()\nlen(d)\n# -> 0", .see = "pop"},
    {RECORD("copy", copy_record), .parameters = "record:record",
     .summary = "Another record with the same fields: a change of it leaves the first alone.",
     .example = "d = {0: 1}\ne = d.copy()\ne[0] = 2\nd\n# -> {0: 1}", .see = "update"},
    {BUILTIN("fromkeys", from_keys), .receiver = "function",
     .parameters = "function:any keys:any value:any=None",
     .summary = "dict.fromkeys(keys, value) is a record in which all keys have that value.",
     .example = "dict.fromkeys([1, 2], 0)\n# -> {1: 0, 2: 0}", .see = "dict"},
    {RECORD("fromkeys", from_keys), .parameters = "record:record keys:any value:any=None",
     .summary = "The same as dict.fromkeys(keys, value): the fields of the record do not matter.",
     .example = "{}.fromkeys([1, 2], 0)\n# -> {1: 0, 2: 0}", .see = "dict"},
    {CHANGING("setdefault", set_default), .parameters = "record:any key:any default:any=None",
     .summary = "The value of a field; where there is none, it is set to the default first.",
     .example = "d = {\"a\": 1}\nd.setdefault(\"b\", 5)\n# -> 5", .see = "get update"},
    {0},
};

/* set, frozenset, and the methods of sets. */
#include "lang/interp.h"
#include "library/arguments.h"

/* frozenset, whose constant is true, and set. */
static bool make_set(const Call *call, Value *out, Error *err) {
    const bool frozen = call->builtin->constant != 0;
    const Value *from = &call->arguments[0];
    if (from->kind == VALUE_UNSET) return value_set_new(out, frozen, err);
    if (from->kind == VALUE_SET && frozen && from->set->frozen) {
        *out = value_ref(*from);
        return true;
    }
    return elements_check(from, call->builtin->name, err) && value_set_of(from, frozen, out, err);
}

static bool to_set(const Call *call, Value *out, Error *err) {
    if (call->rest_count == 0) return make_set(call, out, err);
    error_set(err, ERR_TYPE, "a setting is set by a command"); /* set(temperature=2) */
    LocalText value = TEXT_EMPTY;
    value_write(&value, &call->rest[1], call->interp->digits, false);
    if (!value.failed) error_hint(err, "write set %s %s", call->rest[0].string->data, value.data);
    return false;
}

/* ---- methods that change the set, which is kept first ---- */

static bool not_there(const Value *item, Error *err) {
    LocalText text = TEXT_EMPTY, whole = TEXT_EMPTY;
    value_write(&text, item, 6, true);
    value_write(&whole, item, 0, true);
    error_set(err, ERR_NAME, "%.60s is not in the set", text.data);
    error_python(err, "%s", whole.data);
    error_mark(err, "KeyError");
    return error_hint(err, "s.discard(x) takes out x where it is there.");
}

enum { ADD, DISCARD, REMOVE, POP, CLEAR };

static bool change_items(Value *receiver, const Call *call, Value *out, Error *err) {
    Set *set = receiver->set;
    const Value *item = &call->arguments[1];
    bool found;
    *out = VALUE_NOTHING;
    if (!shared_keep(receiver->shared, err)) return false;
    switch ((int)call->builtin->constant) {
    case ADD: return set_add(set, item, err);
    case DISCARD: return set_discard(set, item, &found, err);
    case REMOVE: return set_discard(set, item, &found, err) && (found || not_there(item, err));
    case POP:
        if (set->used == 0) {
            error_set(err, ERR_NAME, "nothing can be taken out of an empty set");
            error_python(err, "'pop from an empty set'");
            return error_mark(err, "KeyError");
        }
        set_pop(set, out);
        return true;
    default: set_clear(set); return true;
    }
}

/* The row's constant is the operation; the sets may be several. */
static bool change_all(Value *receiver, const Call *call, Value *out, Error *err) {
    const SetOperation operation = (SetOperation)call->builtin->constant;
    *out = VALUE_NOTHING;
    if (!shared_keep(receiver->shared, err)) return false;
    for (size_t i = 0; i < call->rest_count; i++)
        if (!set_combine_in_place(operation, receiver->set, &call->rest[i], err)) return false;
    return true;
}

/* ---- methods that give another set ---- */

/* With no others, as in copy(), the result is the same set once more. */
static bool combine(const Call *call, Value *out, Error *err) {
    const SetOperation operation = (SetOperation)call->builtin->constant;
    const Set *set = call->arguments[0].set;
    if (call->rest_count == 0) return value_set_of(&call->arguments[0], set->frozen, out, err);
    if (!set_combine(operation, set, &call->rest[0], out, err)) return false;
    for (size_t i = 1; i < call->rest_count; i++) {
        LocalValue before = *out;
        if (!set_combine(operation, before.set, &call->rest[i], out, err)) return false;
    }
    return true;
}

#define GROUP "sets"
#define SET(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "set"
#define CHANGING(NAME, CHANGE) \
    SET(NAME, call_no_variable), .changes_receiver = true, .change = change_items, \
                                 .constant = CHANGE
#define COMBINING(NAME, OPERATION) \
    SET(NAME, combine), .constant = OPERATION, .parameters = "set:any *others:any"
#define UPDATING(NAME, OPERATION) \
    SET(NAME, call_no_variable), .changes_receiver = true, .change = change_all, \
                                 .constant = OPERATION, .parameters = "set:any *others:any"
const BuiltinDef sets_table[] = {
    {BUILTIN("set", to_set), .type = "set", .parameters = "items:any=... **settings:any",
     .summary =
         "The different items of something: each is in the set once, and x in s finds it at once. "
         "{1, 2} makes one, set() the empty one. Sets are shared as lists are; s | t, s & t, s - t "
         "and s ^ t are union, intersection, difference and symmetric difference, s <= t asks for "
         "a part. Items are strings, numbers, tuples of these, and objects. Numbers "
         "come in the order of CPython's sets, other items in the order in which they were added.",
     .example = "s = set([3, 1, 3])\ns.add(2)\ns\n# -> {1, 2, 3}\n\"a\" in set(\"cat\")\n# -> True",
     .see = "frozenset union add unique list"},
    {BUILTIN("frozenset", make_set), .constant = true, .type = "frozenset",
     .parameters = "items:any=...",
     .summary = "A set that never changes, so that it can be the key of a record and an item of "
                "another set.",
     .example = "{frozenset([1, 2]): \"edge\"}\n# -> {frozenset({1, 2}): 'edge'}", .see = "set"},
    {CHANGING("add", ADD), .parameters = "set:any item:any",
     .summary = "Puts an item into a set, unless it is there. All that hold the set see it.",
     .example = "s = {1, 2}\ns.add(3)\ns\n# -> {1, 2, 3}", .see = "update discard set"},
    {CHANGING("discard", DISCARD), .parameters = "set:any item:any",
     .summary = "Takes an item out of a set, where it is there.",
     .example = "s = {1, 2}\ns.discard(5)\ns\n# -> {1, 2}", .see = "remove add"},
    {CHANGING("remove", REMOVE), .parameters = "set:any item:any",
     .summary = "Takes an item out of a set; an error where it is not there.",
     .example = "s = {1, 2}\ns.remove(1)\ns\n# -> {2}", .see = "discard pop"},
    {CHANGING("pop", POP), .parameters = "set:any",
     .summary = "Takes an item out of a set, whichever it is, and gives it.",
     .example = "s = {7}\ns.pop()\n# -> 7", .see = "remove"},
    {CHANGING("clear", CLEAR), .parameters = "set:any", .summary = "Takes all items out of a set.",
     .example = "s = {1, 2}\ns.clear()\ns\n# -> set()", .see = "pop"},
    {SET("copy", combine), .parameters = "set:any",
     .summary = "Another set with the same items: a change of it leaves the first alone.",
     .example = "s = {1}\nt = s.copy()\nt.add(2)\ns\n# -> {1}", .see = "set"},
    {COMBINING("union", SET_UNION),
     .summary = "The items that are in any of the sets: s | t. The others may be lists.",
     .example = "{1, 2}.union([2, 3])\n# -> {1, 2, 3}", .see = "intersection difference update"},
    {COMBINING("intersection", SET_INTERSECTION),
     .summary = "The items that are in all the sets: s & t. The others may be lists.",
     .example = "{1, 2, 3}.intersection([2, 3, 4])\n# -> {2, 3}", .see = "union isdisjoint"},
    {COMBINING("difference", SET_DIFFERENCE),
     .summary = "The items that are in none of the others: s - t. The others may be lists.",
     .example = "{1, 2, 3}.difference([2])\n# -> {1, 3}", .see = "symmetric_difference"},
    {SET("symmetric_difference", combine), .constant = SET_SYMMETRIC_DIFFERENCE,
     .parameters = "set:any *other:any",
     .summary = "The items that are in one of two sets only: s ^ t. The other may be a list.",
     .example = "{1, 2}.symmetric_difference([2, 3])\n# -> {1, 3}", .see = "difference"},
    {UPDATING("update", SET_UNION),
     .summary = "Puts the items of others into a set: s |= t. The others may be lists.",
     .example = "s = {1}\ns.update([2, 3])\ns\n# -> {1, 2, 3}", .see = "add union"},
    {UPDATING("intersection_update", SET_INTERSECTION),
     .summary = "Keeps the items of a set that are in all the others: s &= t.",
     .example = "s = {1, 2}\ns.intersection_update([2])\ns\n# -> {2}", .see = "intersection"},
    {UPDATING("difference_update", SET_DIFFERENCE),
     .summary = "Takes the items of others out of a set: s -= t.",
     .example = "s = {1, 2}\ns.difference_update([2])\ns\n# -> {1}", .see = "difference discard"},
    {UPDATING("symmetric_difference_update", SET_SYMMETRIC_DIFFERENCE),
     .summary = "Keeps what is in one of two sets only: s ^= t.",
     .example = "s = {1, 2}\ns.symmetric_difference_update([2, 3])\ns\n# -> {1, 3}",
     .see = "symmetric_difference"},
    {0},
};

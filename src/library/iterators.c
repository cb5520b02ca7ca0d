/* The functions that give iterators, such as iter, map and zip; next; and the methods of
 * generators. */
#include "lang/class.h"
#include "lang/exception.h"
#include "library/arguments.h"

#include <string.h>

static bool iterator(const Call *call, Value *out, Error *err) {
    if (call->rest_count == 0) return value_iterator(&call->arguments[0], out, err);
    const Value parts[] = {call->arguments[0], call->rest[0]};
    return iterator_new(call->interp, ITERATOR_CALLS, parts, 2, out, err);
}

/* Raises StopIteration, whose argument is what the generator returned, unless that is None. */
static bool no_further(Interp *interp, const Value *returned, Error *err) {
    if (returned->kind != VALUE_NONE)
        return raise_predefined(interp, "StopIteration", returned, err);
    error_set(err, ERR_VALUE, "the iterator has no further value");
    error_python(err, " ");
    return error_mark(err, "StopIteration");
}

static bool next_of(const Call *call, Value *out, Error *err) {
    LocalValue returned = VALUE_NOTHING;
    bool ended;
    if (!generator_resume(call->interp, &call->arguments[0], NULL, NULL, &returned, &ended, out,
                          err))
        return false;
    if (!ended) return true;
    if (call->rest_count == 0) return no_further(call->interp, &returned, err);
    *out = value_ref(call->rest[0]);
    return true;
}

/* g.send(value) and g.throw(error), of which `constant` is 1. */
static bool send(const Call *call, Value *out, Error *err) {
    const Value *generator = &call->arguments[0], *given = &call->arguments[1];
    const bool throws = call->builtin->constant == 1;
    LocalValue returned = VALUE_NOTHING;
    bool ended;
    if (!throws && given->kind != VALUE_NONE &&
        !generator_begun((const IteratorState *)generator->list))
        return error_set(err, ERR_TYPE, "what is sent waits for a yield, and none has run yet") ||
               error_python(err, "can't send non-None value to a just-started generator") ||
               error_hint(err, "next(g) runs it up to the first yield.");
    return generator_resume(call->interp, generator, throws ? NULL : given, throws ? given : NULL,
                            &returned, &ended, out, err) &&
           (!ended || no_further(call->interp, &returned, err));
}

static bool close_method(const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    return generator_close(call->interp, &call->arguments[0], err);
}

#define GROUP "classes"

const BuiltinDef iterators_table[] = {
    {BUILTIN("iter", iterator), .parameters = "x:any *end:any",
     .summary = "Goes through the elements of x one by one: next(it) gives each in turn. iter(f, "
                "end) calls f() for each, until it returns the end.",
     .example = "it = iter([\"a\", \"b\"])\nnext(it)\n# -> 'a'\nnext(it)\n# -> 'b'", .see = "next"},
    {BUILTIN("next", next_of), .parameters = "iterator:any *default:any",
     .summary = "The next value of an iterator; the default, if it is given, behind the last one.",
     .example = "it = iter(\"ab\")\nnext(it)\n# -> 'a'\nnext(it)\n# -> 'b'\nnext(it, 0)\n# -> 0",
     .see = "iter"},
    {BUILTIN("send", send), .receiver = "generator", .parameters = "generator:any value:any",
     .summary = "Lets a function with yield go on: in x = yield, x is this value. Gives what it "
                "yields next.",
     .example = "def double():\n    x = 0\n    while True: x = yield 2 * x\ng = double()\n"
                "next(g)\n# -> 0\ng.send(4)\n# -> 8",
     .see = "next throw close"},
    {BUILTIN("throw", send), .receiver = "generator", .parameters = "generator:any error:any",
     .constant = 1,
     .summary = "Lets a function with yield go on with this error, raised at the "
                "yield. Gives what it yields next.",
     .example = "def rows():\n    try: yield 1\n    except ValueError: yield 2\ng = rows()\n"
                "next(g)\n# -> 1\ng.throw(ValueError(\"no row\"))\n# -> 2",
     .see = "send close"},
    {BUILTIN("close", close_method), .receiver = "generator", .parameters = "generator:any",
     .summary = "Ends a function with yield where it stopped, and does what its with and finally "
                "ask for.",
     .example = "def rows():\n    try: yield 1\n    finally: print(\"closed\")\ng = rows()\n"
                "next(g)\n# -> 1\ng.close()\n# -> closed",
     .see = "send"},
    {0},
};

/* ---- going through several values, or what a function makes of them ---- */

#undef GROUP
#define GROUP "plain"

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
    const Value *strict = call->rest_count > 0 ? &call->arguments[1] : NULL;
    return give_iterator(call, ITERATOR_ZIP, strict, call->rest, call->rest_count, out, err);
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
    list_reverse(items.list);
    Value parts[] = {items, value_number(0), value_number(0)};
    return iterator_new(NULL, ITERATOR_REVERSED, parts, 3, out, err);
}

const BuiltinDef going_through_table[] = {
    {BUILTIN("map", map), .type = "map", .parameters = "function:function *lists:any",
     .summary = "What the function makes of each item; of several lists, of the first items "
                "together, then the second ones. An iterator: its elements are made when they are "
                "asked for, once. [f(x) for x in xs] makes a list.",
     .example = "list(map(lambda x: x * x, [1, 2, 3]))\n# -> [1, 4, 9]\n"
                "list(map(str, [1, 2]))\n# -> ['1', '2']",
     .see = "filter zip"},
    {BUILTIN("filter", filter), .type = "filter", .parameters = "function:function? list:any",
     .summary = "The items for which the function is true; with None, those that are true "
                "themselves. An iterator; [x for x in xs if f(x)] makes a list.",
     .example = "list(filter(lambda x: x > 1, [1, 2, 3]))\n# -> [2, 3]", .see = "map"},
    {BUILTIN("enumerate", enumerate), .type = "enumerate", .parameters = "x:any start:whole=0",
     .summary = "The items with their numbers, as tuples, for loops that need both.",
     .example = "for i, t in enumerate([\"a\", \"b\"]): print(i, t)\n# -> 0 a⏎1 b",
     .see = "zip range"},
    {BUILTIN("zip", zip), .type = "zip", .parameters = "*lists:any strict:bool=False",
     .summary = "Goes through several lists at once: tuples, as many as the shortest has items, or "
                "strict=True, an error where they are not equally long. An iterator: "
                "list(zip(a, b)) makes a list.",
     .example = "for a, b in zip([1, 2], [\"x\", \"y\"]): print(a, b)\n# -> 1 x⏎2 y",
     .see = "enumerate"},
    {BUILTIN("reversed", reversed), .type = "reversed", .parameters = "x:any",
     .summary = "The items from the last to the first.",
     .example = "for i in reversed(range(3)): print(i)\n# -> 2⏎1⏎0", .see = "flip sorted range"},
    {0},
};

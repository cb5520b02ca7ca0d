/* iter and next, and the methods of generators. */
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
    LocalValue class = VALUE_MISSING, stop = VALUE_MISSING;
    if (returned->kind != VALUE_NONE)
        return exception_class(interp, exception_find("StopIteration"), &class, err) &&
               interp_call(interp, &class, returned, 1, &stop, err) &&
               raise_value(interp, &stop, err);
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

static bool close_generator(const Call *call, Value *out, Error *err) {
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
    {BUILTIN("close", close_generator), .receiver = "generator", .parameters = "generator:any",
     .summary = "Ends a function with yield where it stopped, and does what its with and finally "
                "ask for.",
     .example = "def rows():\n    try: yield 1\n    finally: print(\"closed\")\ng = rows()\n"
                "next(g)\n# -> 1\ng.close()\n# -> closed",
     .see = "send"},
    {0},
};

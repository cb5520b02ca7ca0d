/* Iterators as values: they give their elements one by one, and once. */
#include "base/interrupt.h"
#include "lang/eval/eval.h"

bool iterator_new(Interp *interp, IteratorRole role, const Value *parts, size_t count, Value *out,
                  Error *err) {
    if (!value_list_of(out, VALUE_ITERATOR, parts, count, err)) return false;
    IteratorState *state = (IteratorState *)out->list;
    state->interp = interp;
    state->role = role;
    return true;
}

const char *iterator_word(const Value *iterator) {
    static const char *const words[] = {[ITERATOR_ELEMENTS] = "iterator",
                                        [ITERATOR_REVERSED] = "reversed",
                                        [ITERATOR_ENUMERATE] = "enumerate",
                                        [ITERATOR_ZIP] = "zip",
                                        [ITERATOR_MAP] = "map",
                                        [ITERATOR_FILTER] = "filter",
                                        [ITERATOR_CALLS] = "callable_iterator",
                                        [ITERATOR_GENERATOR] = "generator",
                                        [ITERATOR_FUNCTION] = "generator"};
    return words[((const IteratorState *)iterator->list)->role];
}

bool value_is_iterable(const Value *value) {
    const Class *class = class_of(value);
    return value->kind == VALUE_ITERATOR || value->kind == VALUE_SET || class_members(value) ||
           (class && (class->holds || class_special(class, SPECIAL_ITER) ||
                      class_special(class, SPECIAL_GETITEM)));
}

bool value_iterator(const Value *source, Value *out, Error *err) {
    if (source->kind == VALUE_ITERATOR) {
        *out = value_ref(*source);
        return true;
    }
    LocalIterator iterator;
    if (!iterator_init(&iterator, source, err)) return false;
    if (iterator.source.kind >= VALUE_OBJECT && !iterator.indexed) { /* what __iter__ gave */
        *out = value_ref(iterator.source);
        return true;
    }
    Value parts[] = {iterator.source, value_number(0), value_number((double)iterator.count)};
    return iterator_new(NULL, ITERATOR_ELEMENTS, parts, 3, out, err);
}

/* ---- what each gives next ---- */

static bool next_element(List *list, bool *ended, Value *out, Error *err) {
    const size_t at = (size_t)list->items[1].number;
    if (list->items[0].kind == VALUE_LIST) { /* as most are */
        const List *source = list->items[0].list;
        *ended = at >= source->count;
        if (!*ended) *out = value_ref(source->items[at]);
        list->items[1].number++;
        return true;
    }
    Iterator iterator = {.source = list->items[0], .index = at, .count = 1};
    iterator.indexed = iterator.source.kind == VALUE_INSTANCE;
    if (!iterator.indexed) iterator.count = (size_t)list->items[2].number;
    *ended = iterator_done(&iterator);
    bool ok = *ended || iterator_next(&iterator, out, err);
    if (!*ended) list->items[1].number = (double)iterator.index;
    return ok;
}

/* The error of zip(…, strict=True) where the lists are not equally long. */
static bool unequal(size_t index, bool shorter, Error *err) {
    if (shorter) error_set(err, ERR_VALUE, "list %zu is shorter than the ones before it", index);
    else error_set(err, ERR_VALUE, "list %zu is longer than the ones before it", index);
    return error_python(err, "zip() argument %zu is %s than argument%s%zu", index,
                        shorter ? "shorter" : "longer", index > 2 ? "s 1-" : " ", index - 1);
}

/* The next values of the iterators behind the first item, as the items of a list or tuple. */
static bool next_of_each(const List *list, bool strict, ValueKind kind, bool *ended, Value *out,
                         Error *err) {
    if (!value_list_new(out, kind, list->count - 1, err)) return false;
    bool ok = true;
    for (size_t i = 1; ok && (strict || !*ended) && i < list->count; i++) {
        bool none;
        ok = value_next(&list->items[i], &none, &out->list->items[out->list->count], err);
        if (ok && !none) out->list->count++;
        if (ok && strict && i > 1 && none != *ended) {
            *ended = false;
            ok = unequal(i, none, err);
        } else if (ok && none) {
            *ended = true;
        }
    }
    if (!ok || *ended) drop(out);
    return ok;
}

static bool next_pair(List *list, bool *ended, Value *out, Error *err) {
    Value pair[] = {list->items[0], VALUE_MISSING};
    if (!value_next(&list->items[1], ended, &pair[1], err)) return false;
    if (*ended) return true;
    list->items[0].number++;
    bool ok = value_list_of(out, VALUE_TUPLE, pair, 2, err);
    drop(&pair[1]);
    return ok;
}

static bool next_mapped(Interp *interp, const List *list, bool *ended, Value *out, Error *err) {
    LocalValue arguments = VALUE_MISSING;
    const bool single = list->count == 2;
    if (!(single ? value_next(&list->items[1], ended, &arguments, err)
                 : next_of_each(list, false, VALUE_LIST, ended, &arguments, err)))
        return false;
    if (*ended) return true;
    const Value *items = single ? &arguments : arguments.list->items;
    return !interrupted(err) &&
           interp_call(interp, &list->items[0], items, list->count - 1, out, err);
}

static bool next_filtered(Interp *interp, const List *list, bool *ended, Value *out, Error *err) {
    for (;;) {
        bool wanted = false;
        LocalValue answer = VALUE_MISSING;
        if (!value_next(&list->items[1], ended, out, err)) return false;
        if (*ended) return true;
        bool ok = !interrupted(err);
        if (list->items[0].kind == VALUE_NONE) answer = value_ref(*out);
        else ok = ok && interp_call(interp, &list->items[0], out, 1, &answer, err);
        ok = ok && value_truth(&answer, &wanted, err);
        if (ok && wanted) return true;
        drop(out);
        if (!ok) return false;
    }
}

static bool next_call(Interp *interp, const List *list, bool *ended, Value *out, Error *err) {
    if (!interp_call(interp, &list->items[0], NULL, 0, out, err)) return false;
    *ended = value_equal(out, &list->items[1]);
    if (*ended) drop(out);
    return true;
}

/* ---- any iterator ---- */

static bool next_by_role(IteratorState *state, bool *ended, Value *out, Error *err) {
    List *list = &state->list;
    switch (state->role) {
    case ITERATOR_ELEMENTS:
    case ITERATOR_REVERSED: return next_element(list, ended, out, err);
    case ITERATOR_ENUMERATE: return next_pair(list, ended, out, err);
    case ITERATOR_ZIP:
        return next_of_each(list, list->items[0].boolean, VALUE_TUPLE, ended, out, err);
    case ITERATOR_MAP: return next_mapped(state->interp, list, ended, out, err);
    case ITERATOR_FILTER: return next_filtered(state->interp, list, ended, out, err);
    case ITERATOR_CALLS: return next_call(state->interp, list, ended, out, err);
    case ITERATOR_GENERATOR: return generator_next(state, ended, out, err);
    case ITERATOR_FUNCTION: return generator_function_next(state, ended, out, err);
    }
    return false;
}

bool value_next(const Value *source, bool *ended, Value *out, Error *err) {
    *ended = false;
    if (source->kind == VALUE_ITERATOR) {
        IteratorState *state = (IteratorState *)source->list;
        Interp *interp = state->interp;
        if (state->list.count == 0) return *ended = true;
        if (state->runs)
            return error_set(err, ERR_VALUE, "the iterator asks itself for an element") ||
                   error_python(err, "generator already executing");
        if (!shared_keep(source->shared, err) || (interp && !enter(interp, err))) return false;
        LocalValue held = value_ref(*source); /* what it calls may let go of it */
        (void)held;
        state->runs = true;
        bool ok = next_by_role(state, ended, out, err);
        state->runs = false;
        if (interp) leave(interp);
        if (*ended || !ok) /* its end, or an error, ends an iterator for good */
            while (state->list.count > 0) drop(&state->list.items[--state->list.count]);
        return ok;
    }
    bool found;
    bool ok = call_special(source, SPECIAL_NEXT, NULL, 0, &found, out, err);
    if (found && !ok && error_is(err, "StopIteration")) return *ended = true;
    if (found) return ok;
    error_set(err, ERR_TYPE, "next asks an iterator for its next value, not %s",
              value_words(source));
    error_python(err, "'%s' object is not an iterator", value_type_name(source));
    return error_hint(err, "it = iter(xs) makes one of a list.");
}

bool iterator_take_rest(const Value *source, Value *list, size_t *first) {
    IteratorState *state = source->kind == VALUE_ITERATOR ? (IteratorState *)source->list : NULL;
    if (!state || state->role != ITERATOR_REVERSED || state->list.count == 0) return false;
    if (!shared_keep(source->shared, NULL)) return false;
    *list = state->list.items[0];
    *first = (size_t)state->list.items[1].number;
    state->list.count = 0; /* the others are numbers */
    return true;
}

/* Sets. What is done first, and when a table grows, is as in CPython, since a program that prints a
 * set of numbers shows the order of its table. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/class.h"
#include "lang/eval/eval.h"
#include "lang/key_index.h"

enum { SMALLEST = 8, MANY = 50000 }; /* slots; items, from which on the table grows less */

static Keys keys_of(const Set *set) { return (Keys){&set->index, &set->items, &set->count}; }

bool value_set_new(Value *out, bool frozen, Error *err) {
    Set *set = mem_zeroed(1, sizeof *set, err);
    if (!set) return false;
    shared_begin(&set->shared, VALUE_SET);
    set->frozen = frozen;
    set->in_order_of_index = true;
    *out = (Value){.kind = VALUE_SET, .set = set};
    return true;
}

/* ---- items ---- */

/* The hash of an item; a set may be looked for among frozen ones. */
static KeyKind item_hash(const Value *item, uint64_t *hash, Error *err) {
    KeyKind kind;
    if (item->kind == VALUE_STRING) return value_hash(item, hash);
    bool open = item->kind == VALUE_SET && !item->set->frozen;
    if (open) item->set->frozen = true;
    kind = value_hash(item, hash);
    if (open) item->set->frozen = false;
    if (kind == KEY_UNFIT) value_unhashable(item, true, err);
    return kind;
}

bool set_has(const Set *set, const Value *item, bool *found, Error *err) {
    uint64_t hash;
    if (item_hash(item, &hash, err) == KEY_UNFIT) return false;
    *found = key_index_slot(keys_of(set), item, hash) != NULL;
    return true;
}

/* Moves the items together where half of them were taken out. */
static void close_gaps(Set *set) {
    LocalMemory size_t *moved = mem_alloc(set->count * sizeof *moved, NULL);
    if (!moved) return;
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        moved[i] = kept;
        if (set->items[i].kind != VALUE_UNSET) set->items[kept++] = set->items[i];
    }
    for (size_t i = 0; i < set->index.size; i++) {
        KeySlot *slot = &set->index.slots[i];
        if (key_slot_is_taken(slot)) slot->place = moved[slot->place - 1] + 1;
    }
    set->count = kept;
}

bool set_add(Set *set, const Value *item, Error *err) {
    uint64_t hash;
    KeyKind kind = value_hash(item, &hash);
    if (kind == KEY_UNFIT) return value_unhashable(item, true, err);
    if (key_index_slot(keys_of(set), item, hash)) return true;
    if (interrupted(err)) return false; /* it was perhaps not found although it is there */
    if (set->count == set->capacity && set->used * 2 < set->count) close_gaps(set);
    if (set->count == set->capacity) {
        Value *items = mem_grow(set->items, set->count, &set->capacity, sizeof *items, err);
        if (!items) return false;
        set->items = items;
    }
    if (!key_index_enter(&set->index, set->count, hash, err)) return false;
    set->items[set->count++] = value_ref(*item);
    set->used++;
    if (kind != KEY_NUMBERS) set->in_order_of_index = false;
    return true;
}

static void take_out(Set *set, KeySlot *slot, Value *out) {
    Value *item = &set->items[slot->place - 1];
    *out = *item;
    *item = VALUE_MISSING;
    *slot = (KeySlot){0, (size_t)KEY_REMOVED};
    set->used--;
    while (set->count > 0 && set->items[set->count - 1].kind == VALUE_UNSET) set->count--;
}

bool set_discard(Set *set, const Value *item, bool *found, Error *err) {
    uint64_t hash;
    if (item_hash(item, &hash, err) == KEY_UNFIT) return false;
    KeySlot *slot = key_index_slot(keys_of(set), item, hash);
    LocalValue taken = VALUE_MISSING;
    if (slot) take_out(set, slot, &taken);
    *found = slot != NULL;
    return true;
}

void set_pop(Set *set, Value *out) {
    KeySlot *slot;
    if (set->in_order_of_index) {
        size_t at = set->finger & (set->index.size - 1);
        for (;; at = (at + 1) & (set->index.size - 1)) {
            slot = &set->index.slots[at];
            if (key_slot_is_taken(slot)) break;
        }
        set->finger = at + 1;
    } else {
        uint64_t hash;
        const Value *last = &set->items[set->count - 1];
        bool plain = last->kind != VALUE_INSTANCE && last->kind != VALUE_TUPLE &&
                     value_hash(last, &hash) != KEY_UNFIT;
        slot = plain ? key_index_slot(keys_of(set), last, hash)
                     : key_index_slot_at(&set->index, set->count - 1);
    }
    take_out(set, slot, out);
}

void set_clear(Set *set) {
    Set old = *set;
    set->items = NULL;
    set->count = set->capacity = set->used = set->finger = 0;
    set->index = (KeyIndex){.size = 0};
    set->in_order_of_index = true;
    for (size_t i = 0; i < old.count; i++) value_release(&old.items[i]);
    mem_free(old.items);
    key_index_release(&old.index);
}

const Value *set_next(const Set *set, size_t *at) {
    if (!set->in_order_of_index) {
        while (*at < set->count && set->items[*at].kind == VALUE_UNSET) ++*at;
        return *at < set->count ? &set->items[(*at)++] : NULL;
    }
    while (*at < set->index.size) {
        const KeySlot *slot = &set->index.slots[(*at)++];
        if (key_slot_is_taken(slot)) return &set->items[slot->place - 1];
    }
    return NULL;
}

void set_swap(Set *a, Set *b) {
    const Set held = *a;
    *a = *b;
    *b = held;
    b->shared = a->shared;
    a->shared = held.shared;
    b->frozen = a->frozen;
    a->frozen = held.frozen;
}

bool value_set_clone(const Set *set, Value *out, Error *err) {
    if (!value_set_new(out, set->frozen, err)) return false;
    Set *clone = out->set;
    if (set->count > 0) clone->items = mem_alloc(set->count * sizeof *clone->items, err);
    if ((set->count > 0 && !clone->items) || !key_index_copy(&clone->index, &set->index, err))
        return value_if(false, out);
    for (size_t i = 0; i < set->count; i++) clone->items[i] = value_ref(set->items[i]);
    clone->count = clone->capacity = set->count;
    clone->used = set->used;
    clone->finger = set->finger;
    clone->in_order_of_index = set->in_order_of_index;
    return true;
}

/* ---- several items ---- */

/* Room for `more` further items, where CPython makes it at once. */
static bool make_room(Set *set, size_t more, Error *err) {
    const size_t mask = (set->index.size ? set->index.size : SMALLEST) - 1;
    return (set->index.fill + more) * 5 < mask * 3 ||
           key_index_resize(&set->index, (set->used + more) * 2, err);
}

/* Is called with each of the items that a set is changed by. */
typedef bool (*Visit)(Set *set, const Value *item, Error *err);

static bool visit_all(Set *set, const Value *items, Visit visit, Error *err) {
    enum { POLL_EVERY = 4096 };
    Iterator iterator;
    if (!iterator_init(&iterator, items, err)) return false;
    bool ok = true;
    for (size_t i = 1; ok && !iterator_done(&iterator); i++) {
        Value item;
        ok = !(i % POLL_EVERY == 0 && interrupted(err)) && iterator_next(&iterator, &item, err);
        if (!ok) break;
        ok = visit(set, &item, err);
        drop(&item);
    }
    iterator_release(&iterator);
    return ok;
}

static bool take_away(Set *set, const Value *item, Error *err) {
    bool found;
    return set_discard(set, item, &found, err);
}

static bool turn_round(Set *set, const Value *item, Error *err) {
    bool found;
    return set_discard(set, item, &found, err) && (found || set_add(set, item, err));
}

/* Adds all that is in it, or what it gives when iterated. */
static bool set_update(Set *set, const Value *items, Error *err) {
    size_t more = items->kind == VALUE_SET      ? items->set->used
                  : items->kind == VALUE_RECORD ? items->record->count
                                                : 0;
    if (items->kind == VALUE_SET && items->set == set) return true;
    if (more > 0 && !make_room(set, more, err)) return false;
    if (more > 0 && items->kind == VALUE_SET && set->index.fill == 0 &&
        (set->index.size ? set->index.size : SMALLEST) == items->set->index.size &&
        items->set->index.fill == items->set->used) {
        Value clone;
        if (!value_set_clone(items->set, &clone, err)) return false;
        clone.set->finger = set->finger;
        set_swap(set, clone.set);
        value_release(&clone);
        return true;
    }
    return visit_all(set, items, set_add, err);
}

bool value_set_of(const Value *items, bool frozen, Value *out, Error *err) {
    return value_set_new(out, frozen, err) && value_if(set_update(out->set, items, err), out);
}

/* The items of `from` that are in `in`, or that are not. */
static bool choose(const Value *from, const Set *in, bool wanted, Set *out, Error *err) {
    enum { POLL_EVERY = 4096 };
    Iterator iterator;
    if (!iterator_init(&iterator, from, err)) return false;
    bool ok = true, found;
    for (size_t i = 1; ok && !iterator_done(&iterator); i++) {
        Value item;
        ok = !(i % POLL_EVERY == 0 && interrupted(err)) && iterator_next(&iterator, &item, err);
        if (!ok) break;
        ok = set_has(in, &item, &found, err) && (found != wanted || set_add(out, &item, err));
        drop(&item);
    }
    iterator_release(&iterator);
    return ok;
}

bool set_combine_in_place(SetOperation operation, Set *a, const Value *b, Error *err) {
    LocalValue result = VALUE_MISSING, other = VALUE_MISSING;
    if (b->kind == VALUE_SET && b->set == a && operation >= SET_DIFFERENCE) {
        set_clear(a);
        return true;
    }
    switch (operation) {
    case SET_UNION: return set_update(a, b, err);
    case SET_INTERSECTION:
        if (!set_combine(operation, a, b, &result, err)) return false;
        set_swap(a, result.set);
        return true;
    case SET_DIFFERENCE:
        if (!visit_all(a, b, take_away, err)) return false;
        /* Many items that were taken out slow a table down. */
        if (a->index.fill - a->used <= (a->index.size - 1) / 4 || a->index.size == 0) return true;
        return key_index_resize(&a->index, a->used > MANY ? a->used * 2 : a->used * 4, err);
    default:
        if (b->kind == VALUE_SET) return visit_all(a, b, turn_round, err);
        return value_set_of(b, false, &other, err) && visit_all(a, &other, turn_round, err);
    }
}

bool set_combine(SetOperation operation, const Set *a, const Value *b, Value *out, Error *err) {
    const Value own = {.kind = VALUE_SET, .set = (Set *)a};
    const Value *from = &own, *in = b;
    bool is_set = b->kind == VALUE_SET;
    size_t others = is_set ? b->set->used : b->kind == VALUE_RECORD ? b->record->count : SIZE_MAX;
    bool copied = operation == SET_UNION ||
                  (operation == SET_DIFFERENCE && (others == SIZE_MAX || a->used / 4 > others));
    if (operation == SET_SYMMETRIC_DIFFERENCE) {
        /* CPython begins with the items of b. */
        return value_set_of(b, a->frozen, out, err) &&
               value_if(set_combine_in_place(operation, out->set, &own, err), out);
    }
    if (is_set && b->set == a && operation <= SET_INTERSECTION)
        return value_set_of(&own, a->frozen, out, err);
    if (copied)
        return value_set_of(&own, a->frozen, out, err) &&
               value_if(set_combine_in_place(operation, out->set, b, err), out);
    if (!value_set_new(out, a->frozen, err)) return false;
    if (operation == SET_INTERSECTION && (!is_set || b->set->used <= a->used)) {
        from = b;
        in = &own;
    }
    if (in->kind == VALUE_SET)
        return value_if(choose(from, in->set, operation == SET_INTERSECTION, out->set, err), out);
    LocalValue other = VALUE_MISSING;
    return value_if(value_set_of(in, false, &other, err) &&
                        choose(from, other.set, operation == SET_INTERSECTION, out->set, err),
                    out);
}

bool set_within(const Set *one, const Set *other) {
    const Value *item;
    if (one->used > other->used) return false;
    for (size_t at = 0; (item = set_next(one, &at)) != NULL && !interrupt_flag;) {
        LocalValue held = value_ref(*item);
        bool found;
        if (!set_has(other, &held, &found, NULL) || !found) return false;
    }
    return true;
}

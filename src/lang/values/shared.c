/* Payloads that hold values: the ring of all of them, and the cycles in it that nobody holds. */
#include "base/memory.h"
#include "lang/class.h"

size_t values_made, values_tolerated = 10000;

static Shared ring = {.next = &ring, .previous = &ring};

static void link_before(Shared *at, Shared *payload) {
    payload->next = at;
    payload->previous = at->previous;
    at->previous->next = payload;
    at->previous = payload;
}

static void unlink_payload(Shared *payload) {
    payload->previous->next = payload->next;
    payload->next->previous = payload->previous;
}

void shared_begin(Shared *payload, ValueKind kind) {
    *payload = (Shared){.refs = 1, .kind = kind, .kept = values_entry};
    link_before(&ring, payload);
    values_made++;
}

void shared_end(Shared *payload) {
    unlink_payload(payload);
    if (values_made > 0) values_made--;
}

const Shared *shared_after(const Shared *payload, ValueKind kind) {
    payload = payload ? payload->next : ring.next;
    while (payload != &ring && payload->kind != kind) payload = payload->next;
    return payload != &ring ? payload : NULL;
}

bool value_cell(Value *out, Value *taken, Error *err) {
    CellVariable *cell = mem_alloc(sizeof *cell, err);
    if (!cell) return value_if(false, taken);
    cell->count = 1;
    cell->value = *taken;
    shared_begin(&cell->shared, VALUE_CELL);
    *out = (Value){.kind = VALUE_CELL, .cell = cell};
    return true;
}

/* ---- cycles ---- */

/* Calls visit for each payload of the ring that the values of this one lead to. */
static void visit_held(Shared *payload, void (*visit)(Shared *held)) {
    Value holder = {.kind = payload->kind, .shared = payload};
    size_t *count = NULL;
    Value *values = value_contents(holder, &count);
    for (size_t i = 0; values && i < *count; i++)
        if (value_is_in_ring(&values[i])) visit(values[i].shared);
    for (size_t i = 0; payload->kind == VALUE_RECORD && i < *count; i++)
        if (value_is_in_ring(&holder.record->keys[i])) visit(holder.record->keys[i].shared);
    Class *class = payload->kind == VALUE_RECORD ? holder.record->class : NULL;
    if (class) visit(&class->shared);
}

enum { REACHED = -1 };
static Shared reached; /* a ring of its own, while cycles are looked for */

static void forget_reference(Shared *held) { held->outside--; }

static void reach(Shared *held) {
    if (held->outside == REACHED) return;
    held->outside = REACHED;
    unlink_payload(held);
    link_before(&reached, held);
}

/* Trial deletion (Bacon and Rajan 2001): what keeps a reference when those of the ring itself are
 * taken away is held from outside, and so is all that it leads to. The rest is garbage. */
void values_collect(void) {
    for (Shared *one = ring.next; one != &ring; one = one->next) one->outside = one->refs;
    for (Shared *one = ring.next; one != &ring; one = one->next) visit_held(one, forget_reference);
    reached.next = reached.previous = &reached;
    for (Shared *one = ring.next, *next; one != &ring; one = next) {
        next = one->next;
        if (one->outside > 0) reach(one);
    }
    size_t left = 0;
    for (Shared *one = reached.next; one != &reached; one = one->next, left++)
        visit_held(one, reach);

    /* Held once more, so that none of them is freed before all are empty. */
    Shared garbage = {.next = &garbage, .previous = &garbage};
    while (ring.next != &ring) {
        Shared *one = ring.next;
        one->refs++;
        unlink_payload(one);
        link_before(&garbage, one);
    }
    if (left > 0) {
        ring.next = reached.next;
        ring.previous = reached.previous;
        ring.next->previous = ring.previous->next = &ring;
    }
    for (Shared *one = garbage.next; one != &garbage; one = one->next) {
        Value holder = {.kind = one->kind, .shared = one};
        size_t *count = NULL;
        Value *values = value_contents(holder, &count);
        if (holder.kind == VALUE_RECORD) {
            Value class = {.kind = VALUE_CLASS, .class = holder.record->class};
            record_clear(holder.record);
            holder.record->class = NULL;
            if (class.class) value_release(&class);
        } else
            while (values && *count > 0) value_release(&values[--*count]);
    }
    while (garbage.next != &garbage) {
        Value one = {.kind = garbage.next->kind, .shared = garbage.next};
        value_release(&one);
    }
    values_made = 0;
    values_tolerated = left > 10000 ? left : 10000;
}

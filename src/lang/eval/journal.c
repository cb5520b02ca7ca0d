/* Keeps what an entry changes as it was before, so that undo and errors take the entry back. */
#include "base/memory.h"
#include "lang/eval/eval.h"

/* ---- the journal ---- */

uint64_t values_entry = 1;
static uint64_t entries = 1; /* of all interps */
static Journal *running;     /* of the entry that runs; NULL: nobody wants to take anything back */

void journal_begin(Interp *interp) {
    values_entry = interp->entry = ++entries;
    running = &interp->journal;
    take_late(NULL); /* of an entry that failed before it was heard */
}

void journal_end(const Interp *interp) {
    if (running == &interp->journal) running = NULL;
}

/* Takes the change's references over. */
static bool journal_add(Journal *journal, Change change, Error *err) {
    Change *changes =
        mem_grow(journal->changes, journal->count, &journal->capacity, sizeof *changes, err);
    if (!changes) {
        value_release(&change.holder);
        value_release(&change.value);
        return false;
    }
    journal->changes = changes;
    journal->changes[journal->count++] = change;
    return true;
}

bool journal_keep(Interp *interp, Symbol *symbol, Error *err) {
    if (symbol->touched == interp->entry) return true;
    const Change change = {.symbol = symbol, .value = value_ref(symbol->value)};
    if (!journal_add(&interp->journal, change, err)) return false;
    symbol->touched = interp->entry;
    return true;
}

bool shared_keep_now(Shared *payload, Error *err) {
    Change change = {.holder = {.kind = payload->kind, .shared = payload}};
    Value none = VALUE_MISSING;
    if (!running) return true;
    bool ok = payload->kind == VALUE_CELL ? value_cell(&change.value, &none, err)
              : payload->kind == VALUE_RECORD
                  ? value_record_copy(change.holder.record, &change.value, err)
              : payload->kind == VALUE_SET ? value_set_clone(change.holder.set, &change.value, err)
                                           : value_list_copy(&change.holder, &change.value, err);
    if (!ok) return false;
    if (payload->kind == VALUE_CELL)
        change.value.cell->value = value_ref(change.holder.cell->value);
    if (payload->kind == VALUE_RECORD && change.holder.record->class) { /* x.__class__ = B */
        change.value.record->class = change.holder.record->class;
        change.value.record->class->shared.refs++;
    }
    change.holder = value_ref(change.holder);
    if (!journal_add(running, change, err)) return false;
    payload->kept = values_entry;
    return true;
}

bool interp_keep_state(Interp *interp, SharedObject *object, Error *err) {
    if (object->kept == interp->entry) return true;
    Change change = {.holder = value_object(object_ref(object)),
                     .value = value_object(object_ref(object->state))};
    if (!journal_add(&interp->journal, change, err)) return false;
    object->kept = interp->entry;
    return true;
}

static void swap_values(Value *a, Value *b) {
    Value held = *a;
    *a = *b;
    *b = held;
}

/* Exchanges what was kept with what is there now. */
static void swap_change(Change *change) {
    const Value holder = change->holder;
    Value *kept = &change->value;
    if (change->symbol) {
        swap_values(&change->symbol->value, kept);
    } else if (holder.kind == VALUE_OBJECT) {
        SharedObject *object = (SharedObject *)holder.object;
        Object *state = object->state;
        object->state = kept->object;
        kept->object = state;
    } else if (holder.kind == VALUE_CELL) {
        swap_values(&holder.cell->value, &kept->cell->value);
    } else if (holder.kind == VALUE_RECORD) {
        record_swap(holder.record, kept->record);
    } else if (holder.kind == VALUE_SET) {
        set_swap(holder.set, kept->set);
    } else {
        list_swap(holder.list, kept->list);
    }
}

void journal_apply(Journal *journal) {
    size_t count = journal->count;
    class_changes++;
    for (size_t i = count; i > 0; i--) swap_change(&journal->changes[i - 1]);
    /* The other way round next time: one thing may have been kept twice. */
    for (size_t i = 0; i < count / 2; i++) {
        Change first = journal->changes[i];
        journal->changes[i] = journal->changes[count - 1 - i];
        journal->changes[count - 1 - i] = first;
    }
}

void journal_release(Journal *journal) {
    for (size_t i = 0; i < journal->count; i++) {
        value_release(&journal->changes[i].value);
        value_release(&journal->changes[i].holder);
    }
    mem_free(journal->changes);
    *journal = (Journal){0};
}

/* The bytes of a value and of its items, to `depth` levels below it: a list of large arrays is
 * common, and one level is enough to bound a history. */
static size_t value_bytes(const Value *value, int depth) {
    const bool record = value->kind == VALUE_RECORD;
    size_t *count;
    if (value->kind == VALUE_STRING) return value->string->length;
    if (value->kind == VALUE_TENSOR) return value->tensor->count * dtype_size(value->tensor->dtype);
    if (!value_is_list(value) && value->kind != VALUE_SET && !record) return 0;
    const Value *items = value_contents(*value, &count);
    size_t bytes = *count * sizeof *items * (record ? 2 : 1); /* with its keys */
    for (size_t i = 0; i < *count && depth > 0; i++) bytes += value_bytes(&items[i], depth - 1);
    return bytes;
}

size_t journal_bytes(const Journal *journal) {
    size_t bytes = journal->capacity * sizeof *journal->changes;
    for (size_t i = 0; i < journal->count; i++) {
        const Change *change = &journal->changes[i];
        if (change->holder.kind != VALUE_OBJECT) {
            bytes += value_bytes(&change->value, 1);
            continue;
        }
        const Object *state = change->value.object;
        const SharedObject *object = (const SharedObject *)change->holder.object;
        if (state->type->bytes) bytes += state->type->bytes(state, object->state);
    }
    return bytes;
}

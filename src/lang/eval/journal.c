#include "lang/eval/journal.h"

#include "base/memory.h"

static bool grow(Journal *journal, Error *err) {
    size_t wanted = journal->capacity * 2 + 8;
    struct Change *changes = mem_resize(journal->changes, wanted * sizeof *changes, err);
    if (!changes) return false;
    journal->changes = changes;
    journal->capacity = wanted;
    return true;
}

bool journal_keep(Interp *interp, Symbol *symbol, Error *err) {
    Journal *journal = &interp->journal;
    if (symbol->touched == interp->entry) return true;
    if (journal->count == journal->capacity && !grow(journal, err)) return false;
    journal->changes[journal->count++] = (struct Change){symbol, value_ref(symbol->value)};
    symbol->touched = interp->entry;
    return true;
}

void journal_apply(Journal *journal) {
    for (size_t i = 0; i < journal->count; i++) {
        struct Change *change = &journal->changes[i];
        Value kept = change->value;
        change->value = change->symbol->value;
        change->symbol->value = kept;
    }
}

void journal_release(Journal *journal) {
    for (size_t i = 0; i < journal->count; i++) value_release(&journal->changes[i].value);
    mem_free(journal->changes);
    *journal = (Journal){0};
}

/* Lists are counted by their places, not by what their items keep: enough to bound a history. */
static size_t value_bytes(const Value *value) {
    switch (value->kind) {
    case VALUE_STRING: return value->string->length;
    case VALUE_TENSOR: return value->tensor->count * dtype_size(value->tensor->dtype);
    case VALUE_LIST:
    case VALUE_TUPLE: return value->list->count * sizeof(Value);
    case VALUE_RECORD: return value->record->count * (sizeof(Value) + sizeof(String *));
    default: return 0;
    }
}

/* One level of items, since a list of large arrays is common. */
static size_t deep_bytes(const Value *value) {
    size_t bytes = value_bytes(value), count = 0;
    const Value *items = NULL;
    if (value->kind == VALUE_LIST || value->kind == VALUE_TUPLE)
        items = value->list->items, count = value->list->count;
    if (value->kind == VALUE_RECORD) items = value->record->values, count = value->record->count;
    for (size_t i = 0; i < count; i++) bytes += value_bytes(&items[i]);
    return bytes;
}

size_t journal_bytes(const Journal *journal) {
    size_t bytes = journal->capacity * sizeof *journal->changes;
    for (size_t i = 0; i < journal->count; i++) bytes += deep_bytes(&journal->changes[i].value);
    return bytes;
}

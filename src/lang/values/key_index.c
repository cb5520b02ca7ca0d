#include "lang/key_index.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/class.h"

#include <math.h>
#include <string.h>

/* ---- hashes ---- */

/* x modulo the prime 2^61 - 1, as CPython takes it of integers and fractions. */
static uint64_t number_hash(double x) {
    const uint64_t prime = ((uint64_t)1 << 61) - 1;
    enum { BITS = 61, TAKEN = 28 };
    if (fabs(x) < 0x1p53 && x == (double)(int64_t)x)
        return x == -1 ? (uint64_t)-2 : (uint64_t)(int64_t)x;
    if (isnan(x)) return 0;
    if (isinf(x)) return x > 0 ? 314159 : (uint64_t)-314159;
    int exponent;
    double rest = frexp(fabs(x), &exponent);
    uint64_t sum = 0;
    while (rest != 0) {
        sum = ((sum << TAKEN) & prime) | sum >> (BITS - TAKEN);
        rest *= 1 << TAKEN;
        exponent -= TAKEN;
        const uint64_t digit = (uint64_t)rest;
        rest -= (double)digit;
        sum += digit;
        if (sum >= prime) sum -= prime;
    }
    exponent = exponent >= 0 ? exponent % BITS : BITS - 1 - (-1 - exponent) % BITS;
    sum = ((sum << exponent) & prime) | sum >> (BITS - exponent);
    if (x < 0) sum = -sum;
    return sum == (uint64_t)-1 ? (uint64_t)-2 : sum;
}

static KeyKind hash_of(const Value *key, int depth, uint64_t *hash);

/* Tuples that hold the same tuples over and over may take for ever: Ctrl-C ends that. */
enum { ITEMS_MANY = 1000000 };
static size_t items_hashed; /* since value_hash was called */

/* xxHash over the hashes of the items, as CPython has it. */
static KeyKind tuple_hash(const List *items, int depth, uint64_t *hash) {
    const uint64_t first = 11400714785074694791u, second = 14029467366897019727u,
                   fifth = 2870177450012600261u;
    KeyKind kind = KEY_NUMBERS;
    uint64_t sum = fifth, lane;
    for (size_t i = 0; i < items->count; i++) {
        if (++items_hashed > ITEMS_MANY && interrupt_flag) return KEY_UNFIT;
        KeyKind own = hash_of(&items->items[i], depth + 1, &lane);
        if (own == KEY_UNFIT) return own;
        if (own < kind) kind = own;
        sum += lane * second;
        sum = (sum << 31 | sum >> 33) * first;
    }
    sum += items->count ^ (fifth ^ 3527539);
    *hash = sum == (uint64_t)-1 ? 1546275796 : sum;
    return kind;
}

/* The order of the items does not count. */
static KeyKind set_hash(const Set *set, uint64_t *hash) {
    uint64_t sum = 0;
    for (size_t i = 0; i < set->index.size; i++) {
        const KeySlot *slot = &set->index.slots[i];
        if (key_slot_is_taken(slot))
            sum ^= ((slot->hash ^ 89869747) ^ (slot->hash << 16)) * 3644798167;
    }
    sum ^= (set->used + 1) * 1927868237;
    sum ^= (sum >> 11) ^ (sum >> 25);
    sum = sum * 69069 + 907133923;
    *hash = sum == (uint64_t)-1 ? 590923713 : sum;
    return set->in_order_of_index ? KEY_NUMBERS : KEY_OWN;
}

static KeyKind hash_of(const Value *key, int depth, uint64_t *hash) {
    enum { DEPTH_MAX = 200 };
    switch (key->kind) {
    case VALUE_STRING: *hash = string_hash(key->string); return KEY_OWN;
    case VALUE_BOOL:
    case VALUE_NUMBER: *hash = number_hash(value_scalar(key)); return KEY_NUMBERS;
    case VALUE_TENSOR:
        if (!value_is_scalar(key)) return KEY_UNFIT;
        *hash = number_hash(value_scalar(key));
        return KEY_NUMBERS;
    case VALUE_NONE: *hash = 0xfca86420; return KEY_OWN;
    case VALUE_TUPLE: return depth > DEPTH_MAX ? KEY_UNFIT : tuple_hash(key->list, depth, hash);
    case VALUE_SET: return key->set->frozen ? set_hash(key->set, hash) : KEY_UNFIT;
    case VALUE_INSTANCE: return instance_hash(key, hash) ? KEY_OWN : KEY_UNFIT;
    case VALUE_METHOD:
        *hash = (uintptr_t)key->method->parts[0].shared ^ (uintptr_t)key->method->parts[1].shared;
        return KEY_OWN;
    case VALUE_FUNCTION:
    case VALUE_BUILTIN:
    case VALUE_CLASS:
    case VALUE_OBJECT: *hash = (uintptr_t)key->shared >> 4; return KEY_OWN;
    default: return KEY_UNFIT;
    }
}

KeyKind value_hash(const Value *key, uint64_t *hash) {
    items_hashed = 0;
    if (key->kind != VALUE_STRING) return hash_of(key, 0, hash);
    *hash = string_hash(key->string);
    return KEY_OWN;
}

/* The part of a tuple that is at fault. */
static const Value *unfit_part(const Value *value) {
    uint64_t hash;
    for (size_t i = 0; value->kind == VALUE_TUPLE && i < value->list->count; i++)
        if (hash_of(&value->list->items[i], 1, &hash) == KEY_UNFIT)
            return unfit_part(&value->list->items[i]);
    return value;
}

bool value_unhashable(const Value *value, bool set, Error *err) {
    if (interrupted(err)) return false;
    const Value *part = unfit_part(value);
    error_set(err, ERR_TYPE,
              set ? "%s cannot be an element of a set" : "%s cannot be a key of a record",
              value_words(part));
    error_python(err, "unhashable type: '%s'", value_type_name(part));
    if (part->kind == VALUE_INSTANCE)
        return error_hint(err, "A class that has __eq__ needs a method __hash__(self) as well.");
    if (part->kind == VALUE_LIST || value_is_array(part))
        return error_hint(err, "A tuple can be one: tuple(x).");
    if (part->kind == VALUE_SET) return error_hint(err, "frozenset(s) can be one.");
    return error_hint(err, "Strings, numbers and tuples of these can be one.");
}

/* ---- slots ---- */

/* The way through the slots that a hash leads. */
typedef struct Probe {
    size_t begin, at, left; /* the slot where the run began; the current one; how many follow it */
    uint64_t perturb;
} Probe;

enum { RUN = 9, SHIFT = 5, SMALLEST = 8 };

static inline Probe probe_run(size_t begin, uint64_t perturb, size_t mask) {
    return (Probe){begin, begin, begin + RUN <= mask ? RUN : 0, perturb};
}

static inline Probe probe_begin(const KeyIndex *index, uint64_t hash) {
    return probe_run((size_t)hash & (index->size - 1), hash, index->size - 1);
}

static inline void probe_next(Probe *probe, const KeyIndex *index) {
    const size_t mask = index->size - 1;
    if (probe->left > 0) {
        probe->left--;
        probe->at++;
        return;
    }
    const uint64_t perturb = probe->perturb >> SHIFT;
    *probe = probe_run((size_t)(probe->begin * (uint64_t)5 + 1 + perturb) & mask, perturb, mask);
}

KeySlot *key_index_slot_of_string(const KeyIndex *index, const Value *items, const char *string,
                                  size_t length, uint64_t hash) {
    if (index->size == 0) return NULL;
    for (Probe probe = probe_begin(index, hash);; probe_next(&probe, index)) {
        KeySlot *slot = &index->slots[probe.at];
        if (slot->place == 0) return NULL;
        if (slot->hash == hash && slot->place != (size_t)KEY_REMOVED &&
            key_is_string(&items[slot->place - 1], string, length))
            return slot;
    }
}

/* Held meanwhile: a method __eq__ may take both out of where they are. */
static bool equal_held(const Value *a, const Value *b) {
    LocalValue one = value_ref(*a), other = value_ref(*b);
    return one.kind != VALUE_UNSET && value_equal(&one, &other);
}

KeySlot *key_index_slot(Keys keys, const Value *key, uint64_t hash) {
    const KeyIndex *index = keys.index;
    if (index->size == 0) return NULL;
    if (key->kind == VALUE_STRING)
        return key_index_slot_of_string(index, *keys.items, key->string->data, key->string->length,
                                        hash);
    for (Probe probe = probe_begin(index, hash);; probe_next(&probe, index)) {
        KeySlot *slot = &index->slots[probe.at];
        const size_t place = slot->place;
        if (place == 0) return NULL;
        if (slot->hash != hash || place == (size_t)KEY_REMOVED) continue;
        const Value *other = &(*keys.items)[place - 1];
        if (value_is_scalar(key) && value_is_scalar(other)) {
            if (value_scalar(key) == value_scalar(other)) return slot;
            continue;
        }
        if (key->kind == other->kind && key->shared == other->shared) return slot;
        const KeyIndex before = *index;
        bool same = equal_held(other, key);
        if (index->slots != before.slots || index->size != before.size || slot->place != place)
            return NULL; /* a method changed them */
        if (same) return slot;
    }
}

KeySlot *key_index_slot_at(const KeyIndex *index, size_t place) {
    for (size_t i = 0; i < index->size; i++)
        if (index->slots[i].place == place + 1) return &index->slots[i];
    return NULL;
}

/* ---- changes ---- */

/* Fills the last slot of a removed key that lies before the first free one, or that one. */
static KeySlot *take_slot(KeyIndex *index, size_t place, uint64_t hash) {
    KeySlot *removed = NULL, *slot;
    Probe probe = probe_begin(index, hash);
    while (slot = &index->slots[probe.at], slot->place != 0) {
        if (slot->place == (size_t)KEY_REMOVED) removed = slot;
        probe_next(&probe, index);
    }
    index->fill += removed == NULL;
    if (removed) slot = removed;
    *slot = (KeySlot){hash, place};
    return slot;
}

bool key_index_resize(KeyIndex *index, size_t keys, Error *err) {
    KeyIndex larger = {.size = SMALLEST};
    while (larger.size <= keys) larger.size *= 2;
    larger.slots = mem_zeroed(larger.size, sizeof *larger.slots, err);
    if (!larger.slots) return false;
    for (size_t i = 0; i < index->size; i++) {
        const KeySlot *slot = &index->slots[i];
        if (key_slot_is_taken(slot)) take_slot(&larger, slot->place, slot->hash);
    }
    mem_free(index->slots);
    *index = larger;
    return true;
}

bool key_index_enter(KeyIndex *index, size_t place, uint64_t hash, Error *err) {
    enum { MANY = 50000 };
    if (index->size == 0 && !key_index_resize(index, 0, err)) return false;
    const size_t fill = index->fill;
    KeySlot *slot = take_slot(index, place + 1, hash);
    if (index->fill == fill || index->fill * 5 < (index->size - 1) * 3) return true;
    size_t used = 0;
    for (size_t i = 0; i < index->size; i++) used += key_slot_is_taken(&index->slots[i]);
    if (key_index_resize(index, used > MANY ? used * 2 : used * 4, err)) return true;
    *slot = (KeySlot){0, 0};
    index->fill--;
    return false;
}

bool key_index_copy(KeyIndex *copy, const KeyIndex *index, Error *err) {
    if (index->size == 0) return true;
    const size_t bytes = index->size * sizeof *index->slots;
    KeySlot *slots = mem_alloc(bytes, err);
    if (!slots) return false;
    memcpy(slots, index->slots, bytes);
    *copy = *index;
    copy->slots = slots;
    return true;
}

void key_index_release(KeyIndex *index) {
    mem_free(index->slots);
    *index = (KeyIndex){.size = 0};
}

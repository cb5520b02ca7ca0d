/* Changes a variable, an element or a field in place. */
#include "base/interrupt.h"
#include "lang/eval/eval.h"

#include <string.h>

/* One bracket or field on the way from a variable to what is changed. They are on the C stack, the
 * variable's own first. */
typedef struct Step {
    const Node *node;
    Subscripts subscripts;
    struct Step *next;
} Step;

typedef enum ChangeKind {
    CHANGE_STORE,
    CHANGE_AUGMENT,
    CHANGE_METHOD,
    CHANGE_REMOVE, /* del */
} ChangeKind;

typedef struct TargetChange {
    ChangeKind kind;
    Op op;       /* CHANGE_AUGMENT */
    bool python; /* CHANGE_AUGMENT in a .py file */
    const Value *value;
    const Call *call; /* CHANGE_METHOD, and where its result goes */
    Value *out;
} TargetChange;

/* ---- changing what a place holds ---- */

/* *place = *place op value. Lists, strings and records grow in place by what is on the right. */
static bool augment(Interp *interp, Value *place, const TargetChange *change, Error *err) {
    Value result;
    const Op op = change->op;
    const Value *value = change->value;
    if (place->kind == VALUE_NUMBER && value->kind == VALUE_NUMBER &&
        number_binary(op, place->number, value->number, place))
        return true;
    if (place->kind == VALUE_STRING && value->kind == VALUE_STRING && op == OP_ADD)
        return value_string_extend(place, value->string, err);
    bool grows = place->kind == VALUE_LIST && op == OP_ADD && value->kind >= VALUE_STRING &&
                 value->kind <= VALUE_SET;
    if (grows && (value->kind != VALUE_TENSOR || value_is_array(value)))
        return value_extend(place, value, err);
    if (place->kind == VALUE_LIST && op == OP_MULTIPLY && value_is_joined(op, place, value) &&
        (change->python || !value_holds_numbers(place)))
        return value_join(op, place, value, &result, err) &&
               list_exchange(place->list, &result, err);
    if (place->kind == VALUE_RECORD && value->kind == VALUE_RECORD && op == OP_OR)
        return shared_keep(place->shared, err) && record_put_all(place->record, value->record, err);
    SetOperation operation;
    if (place->kind == VALUE_SET && value->kind == VALUE_SET && !place->set->frozen &&
        set_operation(op, &operation))
        return shared_keep(place->shared, err) &&
               set_combine_in_place(operation, place->set, value, err);
    if (place->kind == VALUE_INSTANCE) {
        bool augmented;
        LocalValue object = value_ref(*place);
        bool ok = instance_augment(op, &object, value, &augmented, &result, err);
        if (ok && augmented) value_replace(place, result);
        if (!ok || augmented) return ok;
    }
    /* Held once more, so that both are as before if it fails. */
    LocalValue left = value_ref(*place), right = value_ref(*value);
    if (!value_binary(interp, op, &left, &right, &result, err)) return false;
    value_replace(place, result);
    return true;
}

static bool change_whole(Interp *interp, Value *place, const TargetChange *change, Error *err) {
    if (change->kind == CHANGE_AUGMENT) return augment(interp, place, change, err);
    if (change->kind == CHANGE_METHOD)
        return change->call->builtin->change(place, change->call, change->out, err);
    value_replace(place, value_ref(*change->value));
    return true;
}

/* ---- the way to the place ---- */

/* True for Q[0] = x where Q[0] is a list of numbers: NumPy would fill the row. */
static bool replaces_row(const Value *place, const Subscripts *subscripts) {
    Value row;
    if (place->kind != VALUE_LIST || subscripts->nodes->count > 1 || is_slice(subscripts) ||
        !value_is_scalar(&subscripts->values[0]) || !value_index(place, subscripts, &row, NULL))
        return false;
    bool replaced = row.kind == VALUE_LIST && value_holds_numbers(&row);
    drop(&row);
    return replaced;
}

static bool store_step(Interp *interp, Value *place, const Step *step, const Value *value,
                       Error *err) {
    if (step->node->kind == NODE_ATTRIBUTE)
        return place->kind >= VALUE_INSTANCE
                   ? member_store(interp, place, step->node->attribute.symbol, value, err)
                   : value_attribute_store(interp, place, step->node->attribute.name, value, err);
    if (interp->notes && value_is_scalar(value) && replaces_row(place, &step->subscripts) &&
        interp_first_in_entry(interp, "row"))
        host_note(interp->host,
                  "(a row of the list is replaced by one value; Q[0, :] = x fills it)");
    return value_index_store(interp, place, &step->subscripts, value, err);
}

static bool remove_step(Interp *interp, Value *place, const Step *step, Error *err) {
    if (step->node->kind == NODE_INDEX) return value_index_remove(place, &step->subscripts, err);
    const char *name = step->node->attribute.name;
    LocalValue key = VALUE_MISSING;
    if (place->kind >= VALUE_INSTANCE)
        return member_store(interp, place, step->node->attribute.symbol, NULL, err);
    if (place->kind != VALUE_RECORD)
        return error_set(err, ERR_TYPE, "no field can be taken from %s", value_words(place));
    return value_string(&key, name, strlen(name), err) &&
           value_record_remove(place, &key, NULL, err);
}

/* The string in `m.parameters["W"] = A`, where the model itself replaces one of them; else NULL. */
static const char *object_key(const Value *place, const Step *step, const TargetChange *change) {
    const Step *key = step->next;
    if (place->kind != VALUE_OBJECT || !place->object->type->assign ||
        step->node->kind != NODE_ATTRIBUTE || change->kind != CHANGE_STORE || !key || key->next)
        return NULL;
    if (key->node->kind == NODE_ATTRIBUTE) return key->node->attribute.name;
    const Value *subscript = key->subscripts.values;
    bool single = key->subscripts.nodes->count == 1 && subscript->kind == VALUE_STRING;
    return single ? subscript->string->data : NULL;
}

/* Finds the part that the step names within a list or record, which is kept; *inner is NULL where
 * the parts are no values that can be changed in place. */
static bool place_of_step(Value *place, const Step *step, Value **inner, Error *err) {
    *inner = NULL;
    if (step->node->kind == NODE_INDEX)
        return value_index_place(place, &step->subscripts, inner, err);
    if (place->kind >= VALUE_INSTANCE)
        return member_place(place, step->node->attribute.symbol, inner, err);
    if (place->kind != VALUE_RECORD) return true;
    const char *name = step->node->attribute.name;
    if (!record_get(place->record, name)) return no_field(place->record, name, err);
    if (!shared_keep(place->shared, err)) return false;
    *inner = (Value *)record_get(place->record, name);
    return true;
}

/* True if the step takes elements of an array by an array: a[[1, 2]] is a copy, as in NumPy, and a
 * change of it leaves a alone. */
static bool picks_elements(const Step *step) {
    if (step->node->kind != NODE_INDEX) return false;
    for (int i = 0; i < step->subscripts.nodes->count; i++) {
        const Value *subscript = &step->subscripts.values[i];
        if (subscript->kind == VALUE_LIST || value_is_array(subscript)) return true;
    }
    return false;
}

/* True if the change is one of such a copy. a[[1, 2]] = x is none. */
static bool changes_copy(const Step *step, const TargetChange *change) {
    return (step->next || change->kind == CHANGE_METHOD) && picks_elements(step);
}

static bool is_shared_payload(const Value *value) {
    return value->kind == VALUE_LIST || value->kind == VALUE_RECORD || value->kind == VALUE_SET ||
           value->kind == VALUE_OBJECT || value->kind >= VALUE_INSTANCE;
}

static bool change_place(Frame *frame, Value *place, const Step *step, const TargetChange *change,
                         const Node *node, Error *err);

static bool change_at(Frame *frame, Value *place, const Step *step, const TargetChange *change,
                      Error *err) {
    Interp *interp = frame->interp;
    Value *inner, part;
    if (!step) return change_whole(interp, place, change, err);
    if (!step->next && change->kind == CHANGE_STORE)
        return store_step(interp, place, step, change->value, err);
    if (!step->next && change->kind == CHANGE_REMOVE) return remove_step(interp, place, step, err);
    const char *key = object_key(place, step, change);
    if (key)
        return place->object->type->assign(interp, place->object, step->node->attribute.name, key,
                                           change->value, err);
    if (!place_of_step(place, step, &inner, err)) return false;
    /* A method of an object may move what lies beside the place: its result is stored afterwards.
     */
    if (inner && !step->next && change->kind == CHANGE_AUGMENT &&
        (inner->kind == VALUE_INSTANCE || change->value->kind == VALUE_INSTANCE))
        inner = NULL;
    if (inner) return change_place(frame, inner, step->next, change, step->node, err);

    /* The elements of arrays and the attributes of objects cannot be changed in place: read,
     * change, write back. */
    bool ok = step->node->kind == NODE_ATTRIBUTE
                  ? value_attribute(interp, place, step->node->attribute.name, &part, err)
                  : value_index(place, &step->subscripts, &part, err);
    if (!ok) return false;
    /* A payload that is shared was changed where it lies, so it need not be stored again. */
    bool stays = (step->next || change->kind != CHANGE_AUGMENT) && is_shared_payload(&part) &&
                 place->kind != VALUE_OBJECT; /* it may have given a copy */
    ok = change_at(frame, &part, step->next, change, err) &&
         (stays || changes_copy(step, change) || store_step(interp, place, step, &part, err));
    drop(&part);
    return ok;
}

/* Changes what lies in a variable, an item or a field. */
static bool change_place(Frame *frame, Value *place, const Step *step, const TargetChange *change,
                         const Node *node, Error *err) {
    if (place->kind == VALUE_TENSOR && frame->interp->notes) note_alias(frame, place, node);
    return change_at(frame, place, step, change, err);
}

/* ---- the variable ---- */

/* Sets an error that says why a name cannot be changed, when it has no value. */
static bool has_value(Frame *frame, const Node *name, Error *err) {
    LocalValue value = VALUE_MISSING;
    if (name_place(frame, name)->kind != VALUE_UNSET) return true;
    if (!eval_name(frame, name, &value, err)) return place_error(frame, name, err);
    if (name_place(frame, name)->kind != VALUE_UNSET) return true; /* made as it was read */
    error_set(err, ERR_NAME, "%s is predefined and is no variable yet", name->name.symbol->name);
    return error_hint(err, "Assign it first: %s = ...", name->name.symbol->name);
}

/* Evaluates what is between the brackets of the steps. */
static bool steps_eval(Frame *frame, Step *steps, Error *err) {
    for (Step *step = steps; step; step = step->next)
        if (step->node->kind == NODE_INDEX &&
            !subscripts_eval(frame, step->node, &step->subscripts, err))
            return false;
    return true;
}

/* Called before the variable, or what it holds, is changed. */
static bool keep_variable(Frame *frame, const Node *name, Error *err) {
    if (name->name.slot < 0) return journal_keep(frame->interp, name->name.symbol, err);
    const Value *slot = &frame->slots[name->name.slot];
    return slot->kind != VALUE_CELL || shared_keep(slot->shared, err);
}

static bool change_variable(Frame *frame, const Node *name, Step *steps, const TargetChange *change,
                            Error *err) {
    if (!steps_eval(frame, steps, err) || !has_value(frame, name, err) ||
        !keep_variable(frame, name, err) ||
        !change_place(frame, name_place(frame, name), steps, change, name, err))
        return false;
    for (Step *step = steps; frame->interp->notes && step; step = step->next)
        if (changes_copy(step, change)) note_change_of_copy(frame, step->node);
    return true;
}

/* Makes a step of each bracket or field of the target, from its last to its variable, and then
 * changes what they lead to. */
static bool change_target(Frame *frame, const Node *target, Step *steps, const TargetChange *change,
                          Error *err) {
    if (target->kind == NODE_NAME) return change_variable(frame, target, steps, change, err);
    if (!node_is_part(target)) {
        LocalValue value = VALUE_MISSING;
        if (steps && !eval(frame, target, &value, err)) return false;
        if (is_shared_payload(&value) || value.kind == VALUE_FUNCTION)
            return steps_eval(frame, steps, err) && change_at(frame, &value, steps, change, err);
        error_set(err, ERR_TYPE, "only a variable, an element or a field can be changed");
        error_hint(err, "Give the value a name first, then change it.");
        return place_error(frame, target, err);
    }
    Step step = {.node = target, .next = steps};
    const Node *object =
        target->kind == NODE_INDEX ? target->index.object : target->attribute.object;
    bool ok = change_target(frame, object, &step, change, err) || place_error(frame, target, err);
    subscripts_release(&step.subscripts);
    return ok;
}

/* Called before the variable or element is changed; its holder, a list or record, may be NULL. */
static inline bool keep_target(Frame *frame, const Node *target, const Value *holder, Error *err) {
    return (keep_variable(frame, node_root(target), err) &&
            (!holder || shared_keep(holder->shared, err))) ||
           place_error(frame, target, err);
}

/* The place of a number that the target names, or of any item but a list in a list, which is kept
 * for a change; NULL: it is another target, which change_target changes. */
static INLINED Value *number_to_change(Frame *frame, const Node *target, bool any, bool *ok,
                                       Error *err) {
    const Value *holder = NULL;
    Value *place = target->kind == NODE_NAME    ? name_place(frame, target)
                   : target->kind == NODE_INDEX ? element_place(frame, target, &holder)
                                                : NULL;
    if (!place || (holder && holder->kind == VALUE_TUPLE)) return NULL;
    if (any ? place->kind == VALUE_LIST : place->kind != VALUE_NUMBER) return NULL;
    *ok = keep_target(frame, target, holder, err);
    return place;
}

/* Adds a key that is new to the record in d[key] = value, where d is a leaf. False: it is another
 * target. */
static NOT_INLINED bool put_key(Frame *frame, const Node *target, const Value *value, bool *ok,
                                Error *err) {
    const Value *holder = leaf_place(frame, target->index.object);
    if (!holder || holder->kind != VALUE_RECORD || target->index.items.count > 1) return false;
    const Value *key = leaf_key(frame, target->index.items.items[0]);
    if (!key) return false;
    *ok = keep_target(frame, target, holder, err) &&
          (record_put(holder->record, key, *value, err) || place_error(frame, target, err));
    return true;
}

/* ---- assignment ---- */

/* Gives each target its item, which is taken over, on failure too. */
static bool assign_items(Frame *frame, const NodeList *targets, Value *items, Error *err) {
    bool ok = true;
    for (int i = 0; i < targets->count; i++)
        if (ok) ok = assign(frame, targets->items[i], &items[i], err);
        else drop(&items[i]);
    return ok;
}

static bool has_star(const NodeList *nodes) {
    for (int i = 0; i < nodes->count; i++)
        if (nodes->items[i]->kind == NODE_STAR) return true;
    return false;
}

enum { ITEMS_FEW = 4 };

bool assign_in_turn(Frame *frame, const Node *target, const Node *value, bool *ok, Error *err) {
    const NodeList *targets = &target->list, *values = &value->list;
    Value items[ITEMS_FEW];
    if (target->kind != NODE_TUPLE || value->kind != NODE_TUPLE || values->count > ITEMS_FEW ||
        values->count != targets->count || has_star(targets) || has_star(values))
        return false;
    for (int i = 0; i < values->count; i++) {
        if (eval(frame, values->items[i], &items[i], err)) continue;
        while (i-- > 0) drop(&items[i]);
        *ok = false;
        return true;
    }
    *ok = assign_items(frame, targets, items, err);
    return true;
}

/* The next `count` elements, as a list. */
static bool take_several(Iterator *iterator, size_t count, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_LIST, count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        if (!iterator_next(iterator, &out->list->items[i], err)) return value_if(false, out);
        out->list->count++;
    }
    return true;
}

/* a, b = value, and a, *b = value */
static bool unpack(Frame *frame, const NodeList *targets, const Value *value, Error *err) {
    if (value_is_list(value) && targets->count <= ITEMS_FEW && !has_star(targets) &&
        value->list->count == (size_t)targets->count) {
        Value items[ITEMS_FEW];
        for (int i = 0; i < targets->count; i++) items[i] = value_ref(value->list->items[i]);
        return assign_items(frame, targets, items, err);
    }
    if (value_is_iterable(value)) { /* how many there are is seen at the end */
        LocalValue items = VALUE_MISSING;
        return value_list_new(&items, VALUE_LIST, 0, err) && value_extend(&items, value, err) &&
               unpack(frame, targets, &items, err);
    }
    LocalIterator iterator;
    if (!iterator_init(&iterator, value, err))
        return error_set(err, ERR_TYPE, "%s cannot be taken apart into %d names",
                         value_words(value), targets->count);
    size_t count = value->kind == VALUE_STRING ? string_count(value->string) : iterator.count;
    size_t names = (size_t)targets->count;
    bool ok = count == names || (has_star(targets) && count + 1 >= names);
    if (!ok)
        error_set(err, ERR_VALUE, "%s of %zu cannot be taken apart into %d names",
                  value_words(value), count, targets->count);
    if (!ok && count > names) error_python(err, "too many values to unpack (expected %zu)", names);
    else if (!ok)
        error_python(err, "not enough values to unpack (expected %s%zu, got %zu)",
                     has_star(targets) ? "at least " : "", names - has_star(targets), count);
    for (int i = 0; ok && i < targets->count; i++) {
        Node *target = targets->items[i];
        Value item;
        if (target->kind == NODE_STAR) {
            ok = take_several(&iterator, count + 1 - names, &item, err);
            target = target->operand;
        } else ok = iterator_next(&iterator, &item, err);
        ok = ok && assign(frame, target, &item, err);
    }
    return ok;
}

/* The object of x.name = ... where a variable holds it and no method is asked; NULL. */
static Record *object_to_change(const Frame *frame, const Node *target) {
    if (target->kind != NODE_ATTRIBUTE || target->attribute.object->kind != NODE_NAME) return NULL;
    const Value *object = name_place(frame, target->attribute.object);
    bool plain = object->kind == VALUE_INSTANCE &&
                 !class_takes_store(class_of(object), target->attribute.symbol);
    return plain ? object->record : NULL;
}

bool assign_target(Frame *frame, const Node *target, Value *taken, Error *err) {
    bool ok;
    if (target->kind == NODE_NAME)
        return variable_store(frame->interp, target->name.symbol, *taken, err);
    Value *place =
        target->kind == NODE_INDEX ? number_to_change(frame, target, true, &ok, err) : NULL;
    if (place) {
        if (ok) value_replace(place, *taken);
        else drop(taken);
        return ok;
    }
    if (target->kind == NODE_INDEX && put_key(frame, target, taken, &ok, err)) {
        drop(taken);
        return ok;
    }
    Record *object = object_to_change(frame, target);
    if (object) {
        String *name = target->attribute.symbol->text;
        ok = shared_keep(&object->shared, err);
        place = ok ? (Value *)fields_find(object, name) : NULL;
        if (place) {
            value_replace(place, *taken);
            return true;
        }
        ok = ok && fields_set(object, name, *taken, err);
        drop(taken);
        return ok || place_error(frame, target, err);
    }
    if (target->kind == NODE_TUPLE || target->kind == NODE_ARRAY)
        ok = unpack(frame, &target->list, taken, err) || place_error(frame, target, err);
    else
        ok = change_target(frame, target, NULL,
                           &(TargetChange){.kind = CHANGE_STORE, .value = taken}, err);
    drop(taken);
    return ok;
}

bool assign_augmented(Frame *frame, const Node *node, Error *err) {
    Value value;
    bool ok;
    if (!eval(frame, node->augmented.value, &value, err)) return false;
    if (interrupted(err)) return value_if(false, &value); /* as in eval_to_keep */
    Value *place = value.kind == VALUE_NUMBER
                       ? number_to_change(frame, node->augmented.target, false, &ok, err)
                       : NULL;
    if (place && (!ok || number_binary(node->op, place->number, value.number, place))) return ok;
    const Node *target = node->augmented.target;
    Record *object = value.kind == VALUE_NUMBER ? object_to_change(frame, target) : NULL;
    if (object && object->shared.kept == values_entry) {
        Value *field = (Value *)fields_find(object, target->attribute.symbol->text);
        if (field && field->kind == VALUE_NUMBER &&
            number_binary(node->op, field->number, value.number, field))
            return true;
    }
    if (frame->interp->notes && !frame->chunk->python) note_augmented_list(frame, node, &value);
    TargetChange change = {
        .kind = CHANGE_AUGMENT, .op = node->op, .python = frame->chunk->python, .value = &value};
    ok = change_target(frame, node->augmented.target, NULL, &change, err);
    drop(&value);
    return ok;
}

bool delete_target(Frame *frame, const Node *target, Error *err) {
    Value nothing = VALUE_MISSING;
    if (target->kind == NODE_NAME)
        return has_value(frame, target, err) && assign(frame, target, &nothing, err);
    return change_target(frame, target, NULL, &(TargetChange){.kind = CHANGE_REMOVE}, err);
}

bool change_by_method(Frame *frame, const Node *target, const Call *call, Value *out, Error *err) {
    return change_target(frame, target, NULL,
                         &(TargetChange){.kind = CHANGE_METHOD, .call = call, .out = out}, err);
}

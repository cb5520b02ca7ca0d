#include "engine/operators/compute.h"
#include "engine/tensor/index.h"
#include "engine/tensor/recording.h"
#include "lang/eval/eval.h"

/* New axes and `...` may come beside an index for each axis. */
enum { ITEMS_MAX = 2 * AXES_MAX + 4 };

/* ---- as the engine's items ---- */

typedef struct Items {
    IndexItem items[ITEMS_MAX];
    Tensor *owned[ITEMS_MAX]; /* of lists and float arrays; NULL: borrowed */
    int count;
} Items;

static void items_release(Items *items) {
    for (int i = 0; i < items->count; i++) tensor_unref(items->owned[i]);
}

static bool slice_bound(const Value *value, const char *what, bool *has, long long *at,
                        Error *err) {
    *has = value->kind != VALUE_NONE;
    return !*has || value_whole(value, what, at, err);
}

bool slice_item(const Value *bounds, IndexItem *item, Error *err) {
    const Value *values = bounds->list->items;
    item->kind = INDEX_SLICE;
    return slice_bound(&values[0], "the start of a slice", &item->has_start, &item->start, err) &&
           slice_bound(&values[1], "the end of a slice", &item->has_stop, &item->stop, err) &&
           slice_bound(&values[2], "the step of a slice", &item->has_step, &item->step, err);
}

static bool add_item(Items *items, const Node *node, const Value *value, Error *err) {
    IndexItem *item = &items->items[items->count];
    *item = (IndexItem){.kind = INDEX_INTEGER};
    items->owned[items->count] = NULL;
    bool ok = true;
    if (value->kind == VALUE_SLICE) ok = slice_item(value, item, err);
    else if (node && node->kind == NODE_ELLIPSIS) item->kind = INDEX_ELLIPSIS;
    else if (value->kind == VALUE_NONE) item->kind = INDEX_NEW_AXIS;
    else if (value->kind == VALUE_NUMBER ||
             (value->kind == VALUE_TENSOR && value->tensor->shape.axes == 0))
        ok = value_whole(value, "an index", &item->at, err);
    else if (value->kind == VALUE_TENSOR || value->kind == VALUE_LIST ||
             value->kind == VALUE_TUPLE || value->kind == VALUE_BOOL) {
        Tensor *index = value_as_tensor(value, "an index", err);
        index = tensor_if(index && tape_is_plain(index, "an index", err), index);
        if (index && index->dtype == DTYPE_FLOAT) index = compute_cast(index, DTYPE_DOUBLE, err);
        item->kind = INDEX_ARRAY;
        item->array = items->owned[items->count] = index;
        ok = index != NULL;
    } else
        ok = error_set(err, ERR_TYPE,
                       "an array is indexed with numbers, slices and arrays, not with %s",
                       value_words(value));
    items->count += ok;
    return ok;
}

static bool too_many(Error *err) {
    return error_set(err, ERR_SHAPE, "too many indices: an array has at most %d axes", AXES_MAX);
}

/* NumPy refuses an index of floats. One of 0 and 1 for each element was surely meant to choose
 * among them; written out as a list it is rows by their numbers. */
static bool refuse_numbers_for_mask(const Tensor *tensor, const Subscripts *subscripts,
                                    Error *err) {
    const Value *value = &subscripts->values[0];
    if (subscripts->nodes->count != 1 || subscripts->nodes->items[0]->kind == NODE_ARRAY ||
        value->kind != VALUE_TENSOR || value->tensor->dtype == DTYPE_BOOL ||
        value->tensor->shape.axes < 2 || !shape_equal(&value->tensor->shape, &tensor->shape))
        return true;
    for (size_t i = 0; i < value->tensor->count; i++) {
        double x = tensor_get(value->tensor, i);
        if (x != 0 && x != 1) return true;
    }
    error_set(err, ERR_TYPE, "this index holds only 0 and 1, which are numbers of rows");
    return error_hint(err, "to choose where it is 1: A[M == 1]; rows by their numbers: "
                           "take(A, M, axis=0)");
}

static bool items_from(Items *items, const Tensor *tensor, const Subscripts *subscripts,
                       Error *err) {
    if (!refuse_numbers_for_mask(tensor, subscripts, err)) return false;
    const NodeList *nodes = subscripts->nodes;
    items->count = 0;
    if (nodes->count > ITEMS_MAX) return too_many(err);
    bool ok = true;
    const List *tuple = NULL; /* as the only index it means its items: A[(0, 1)] is A[0, 1] */
    if (nodes->count == 1 && subscripts->values[0].kind == VALUE_TUPLE)
        tuple = subscripts->values[0].list;
    if (tuple && tuple->count > ITEMS_MAX) return too_many(err);
    for (size_t i = 0; ok && i < (tuple ? tuple->count : (size_t)nodes->count); i++)
        ok = add_item(items, tuple ? NULL : nodes->items[i],
                      tuple ? &tuple->items[i] : &subscripts->values[i], err);
    if (!ok) items_release(items);
    return ok;
}

/* ---- arrays ---- */

bool fits_no_axes(const Subscripts *subscripts) {
    for (int i = 0; i < subscripts->nodes->count; i++) {
        const Value *value = &subscripts->values[i];
        bool empty =
            value->kind == VALUE_TUPLE && value->list->count == 0 && subscripts->nodes->count == 1;
        if (subscripts->nodes->items[i]->kind != NODE_ELLIPSIS && value->kind != VALUE_NONE &&
            !empty)
            return false;
    }
    return true;
}

/* The position along an axis that a plain number in range names; false: not such a case. */
static bool plain_index(const Value *value, size_t size, size_t *out) {
    double count = (double)size, at = value->number;
    if (value->kind != VALUE_NUMBER || !(at >= -count && at < count)) return false;
    if (at < 0) at += count;
    *out = (size_t)at;
    return (double)*out == at;
}

/* The flat index of A[i] or A[i, j] with such numbers. */
static bool flat_index(const Tensor *tensor, const Subscripts *subscripts, size_t *flat) {
    int axes = tensor->shape.axes;
    if (subscripts->nodes->count != axes || axes > 2) return false;
    *flat = 0;
    for (int i = 0; i < axes; i++) {
        size_t at;
        if (!plain_index(&subscripts->values[i], tensor->shape.size[i], &at)) return false;
        *flat = *flat * tensor->shape.size[i] + at;
    }
    return true;
}

bool array_pick(Tensor *tensor, const IndexItem *items, int count, Value *out, Error *err) {
    Shape shape;
    size_t offset;
    Tensor *picked = NULL;
    if (!tensor->node && index_is_piece(&tensor->shape, items, count, &shape, &offset)) {
        if (shape.axes == 0) {
            double x = tensor_get(tensor, offset);
            *out = tensor->dtype == DTYPE_BOOL ? value_bool(x != 0) : value_number(x);
            return true;
        }
        picked = tensor_piece(tensor, &shape, offset, err);
    } else {
        const OpAttributes attributes = {.items = items, .item_count = count};
        if (!op_apply(OP_INDEX, &tensor, 1, &attributes, &picked, err)) return false;
    }
    bool copies = false; /* as in NumPy */
    for (int i = 0; i < count; i++) copies = copies || items[i].kind == INDEX_ARRAY;
    *out = value_tensor(copies ? picked : tensor_part(picked, tensor));
    return picked != NULL;
}

bool array_index(Tensor *tensor, const Subscripts *subscripts, Value *out, Error *err) {
    size_t flat;
    if (!tensor->node && flat_index(tensor, subscripts, &flat)) {
        double x = tensor_get(tensor, flat);
        *out = tensor->dtype == DTYPE_BOOL ? value_bool(x != 0) : value_number(x);
        return true;
    }
    const bool row = subscripts->nodes->count == 1 && tensor->shape.axes > 1;
    if (row && plain_index(&subscripts->values[0], tensor->shape.size[0], &flat))
        return tensor_element(tensor, flat, out, err);
    Items items;
    if (!items_from(&items, tensor, subscripts, err)) return false;
    bool ok = array_pick(tensor, items.items, items.count, out, err);
    items_release(&items);
    return ok;
}

bool array_index_by(Tensor *tensor, const Value *index, Value *out, Error *err) {
    Node node = {.kind = NODE_NAME};
    const NodeList nodes = {.items = (Node *[]){&node}, .count = 1};
    const Subscripts subscripts = {.nodes = &nodes, .values = (Value *)index};
    return array_index(tensor, &subscripts, out, err);
}

bool array_store(Interp *interp, Value *object, const Subscripts *subscripts, const Value *value,
                 Error *err) {
    size_t flat;
    bool plain =
        value->kind == VALUE_NUMBER && object->tensor->dtype != DTYPE_BOOL && !object->tensor->node;
    if (plain && flat_index(object->tensor, subscripts, &flat)) {
        if (!tensor_unique(&object->tensor, err)) return false;
        tensor_set(object->tensor, flat, value->number);
        return true;
    }
    if (!value_is_scalar(value) && !value_is_array(value) && value->kind != VALUE_LIST &&
        value->kind != VALUE_TUPLE)
        return error_set(err, ERR_TYPE, "an array holds numbers, so %s cannot be put into it",
                         value_words(value));
    Items items;
    if (!items_from(&items, object->tensor, subscripts, err)) return false;
    Tensor *numbers = operand_tensor(interp, value, "what is put into an array", err);
    bool ok = numbers && op_store(&object->tensor, items.items, items.count, numbers, err);
    tensor_unref(numbers);
    items_release(&items);
    return ok;
}

#include "model/intervention.h"

#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/compute.h"

#include <string.h>

/* ---- the list ---- */

static bool intervention_copy(Intervention *out, const Intervention *from, Error *err) {
    *out = *from;
    out->from = from->from ? mem_string(from->from, strlen(from->from), err) : NULL;
    tensor_ref(out->values);
    return out->from || !from->from;
}

static bool same_part(const Intervention *a, const Intervention *b) {
    return strcmp(a->hook, b->hook) == 0 && a->head == b->head && a->place == b->place &&
           a->sample == b->sample && a->samples == b->samples;
}

/* The list without the one for that part, and with `added` at its end, unless that is NULL. */
static Interventions *rebuild(const Interventions *list, const Intervention *part,
                              const Intervention *added, Error *err) {
    size_t count = list ? list->count : 0;
    Interventions *made = mem_zeroed(1, sizeof *made, err);
    if (!made) return NULL;
    made->refs = 1;
    made->items = mem_zeroed(count + 1, sizeof *made->items, err);
    bool ok = made->items != NULL;
    for (size_t i = 0; ok && i < count; i++)
        if (!same_part(&list->items[i], part))
            ok = intervention_copy(&made->items[made->count++], &list->items[i], err);
    if (ok && added) ok = intervention_copy(&made->items[made->count++], added, err);
    if (ok) return made;
    interventions_unref(made);
    return NULL;
}

Interventions *interventions_with(const Interventions *list, const Intervention *added,
                                  Error *err) {
    return rebuild(list, added, added, err);
}

bool interventions_without(const Interventions *list, const Intervention *part, Interventions **out,
                           Error *err) {
    *out = rebuild(list, part, NULL, err);
    if (!*out) return false;
    if ((*out)->count > 0) return true;
    interventions_unref(*out);
    *out = NULL;
    return true;
}

const Intervention *interventions_find(const Interventions *list, const Intervention *part) {
    for (size_t i = 0; list && i < list->count; i++)
        if (same_part(&list->items[i], part)) return &list->items[i];
    return NULL;
}

Interventions *interventions_ref(Interventions *list) {
    if (list) list->refs++;
    return list;
}

void interventions_unref(Interventions *list) {
    if (!list || --list->refs > 0) return;
    for (size_t i = 0; i < list->count; i++) {
        tensor_unref(list->items[i].values);
        mem_free(list->items[i].from);
    }
    mem_free(list->items);
    mem_free(list);
}

/* ---- applying ---- */

HookAxes hook_axes(const char *hook) {
    static const struct {
        const char *end;
        HookAxes axes;
    } rows[] = {
        {"hook_attn_scores", {2, 1}}, {"hook_pattern", {2, 1}}, {"hook_position_bias", {2, 1}},
        {"hook_visible", {2, 1}},     {"hook_q", {1, 2}},       {"hook_k", {1, 2}},
        {"hook_v", {1, 2}},           {"hook_z", {1, 2}},       {"hook_rot_q", {1, 2}},
        {"hook_rot_k", {1, 2}},       {"hook_result", {1, 2}},  {"hook_pos_embed", {0, -1}},
    };
    const char *last = strrchr(hook, '.');
    last = last ? last + 1 : hook;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(last, rows[i].end) == 0) return rows[i].axes;
    return (HookAxes){1, -1};
}

Shape hook_shape(const char *hook, const Shape *shape, bool many) {
    Shape shown = *shape;
    if (many || hook_axes(hook).place == 0) return shown;
    shown.axes--;
    memmove(shown.size, shown.size + 1, (size_t)shown.axes * sizeof *shown.size);
    return shown;
}

bool hook_can_change(const char *hook, Error *err) {
    static const char *const read_only[] = {"hook_rot_q", "hook_rot_k", "hook_position_bias",
                                            "hook_visible"};
    const char *last = strrchr(hook, '.');
    last = last ? last + 1 : hook;
    for (size_t i = 0; i < sizeof read_only / sizeof *read_only; i++)
        if (strcmp(last, read_only[i]) == 0) {
            error_set(err, ERR_VALUE, "%s can be looked at, but nothing is computed from it", last);
            return error_hint(err,
                              "hook_q, hook_k, hook_attn_scores and hook_pattern can be patched.");
        }
    return true;
}

/* The first axis of x that values of a patch have: they may be without the axis of samples, which
 * all activations have but the rows of positions. */
static int first_axis(const Tensor *values, const Tensor *x) {
    return x->shape.axes - values->shape.axes;
}

/* The offset of the cell with these indices in the values of a patch; SIZE_MAX: it has none. */
static size_t patch_cell(const Intervention *change, const size_t *index, const Tensor *x,
                         HookAxes axes, long long offset) {
    const Tensor *values = change->values;
    int first = first_axis(values, x);
    size_t cell = 0;
    for (int a = first; a < x->shape.axes; a++) {
        size_t at = index[a];
        if (a == axes.place) at += (size_t)offset;
        else if (a == 0) at -= change->sample;
        if (at >= values->shape.size[a - first]) return SIZE_MAX;
        cell = cell * values->shape.size[a - first] + at;
    }
    return cell;
}

/* The share of a visible key: 1 over how many the row has. */
static double uniform_share(const Tensor *visible, size_t cell) {
    size_t keys = shape_columns(&visible->shape), seen = 0;
    const unsigned char *row = tensor_bools(visible) + cell / keys * keys;
    for (size_t k = 0; k < keys; k++) seen += row[k] != 0;
    return row[cell % keys] ? 1 / (double)seen : 0;
}

/* x with what one intervention puts into it; takes x over. */
static Tensor *replace_part(const Intervention *change, long long offset, const Tensor *visible,
                            Tensor *x, Error *err) {
    HookAxes axes = hook_axes(change->hook);
    Shape shape = x->shape;
    size_t index[AXES_MAX] = {0};
    bool gives = change->kind == INTERVENE_PATCH || change->kind == INTERVENE_ADD;
    Tensor *chosen = tensor_zeros(DTYPE_BOOL, &shape, err);
    Tensor *values = chosen ? tensor_zeros(x->dtype, &shape, err) : NULL;
    bool some = change->samples > 0 && axes.place != 0;
    size_t sample = shape.size[0] ? x->count / shape.size[0] : 0,
           begin = some ? smaller(change->sample * sample, x->count) : 0,
           end = some ? smaller(begin + change->samples * sample, x->count) : x->count;
    index[0] = some ? change->sample : 0;
    for (size_t i = begin; values && i < end; i++) {
        bool here =
            (change->head == ALL_HEADS || axes.head < 0 ||
             (long long)index[axes.head] == change->head) &&
            (change->place == ALL_PLACES || (long long)index[axes.place] + offset == change->place);
        size_t cell = i;
        if (here && gives) here = (cell = patch_cell(change, index, x, axes, offset)) != SIZE_MAX;
        if (here) {
            tensor_bools(chosen)[i] = 1;
            if (gives) tensor_set(values, i, tensor_get(change->values, cell));
            if (change->kind == INTERVENE_MEAN)
                tensor_set(values, i, tensor_get(change->values, i % change->values->count));
            if (change->kind == INTERVENE_UNIFORM) tensor_set(values, i, uniform_share(visible, i));
        }
        for (int a = shape.axes - 1; a >= 0 && ++index[a] == shape.size[a]; a--) index[a] = 0;
    }
    if (change->kind == INTERVENE_ADD) {
        tensor_unref(chosen);
        return compute_add(x, values, err);
    }
    return compute_where(chosen, values, x, err);
}

/* True if an activation has the sizes that a change of it counts on. */
static bool change_fits(const Intervention *change, const Tensor *visible, const Tensor *x) {
    HookAxes axes = hook_axes(change->hook);
    const Tensor *values = change->values;
    int first;
    switch (change->kind) {
    case INTERVENE_PATCH:
    case INTERVENE_ADD: /* the same sizes but for positions, and perhaps samples */
        first = first_axis(values, x);
        if (first < 0 || first > (axes.place == 0 ? 0 : 1)) return false;
        for (int a = first; a < x->shape.axes; a++) {
            bool of_samples = a == 0 && axes.place != 0 && change->samples > 0;
            size_t size = of_samples ? change->samples : x->shape.size[a];
            if (a != axes.place && values->shape.size[a - first] != size) return false;
        }
        return true;
    case INTERVENE_MEAN: /* the same last axes */
        for (int a = 1; a <= values->shape.axes; a++)
            if (values->shape.size[values->shape.axes - a] != x->shape.size[x->shape.axes - a])
                return false;
        return true;
    case INTERVENE_UNIFORM: return visible && visible->count == x->count;
    case INTERVENE_ZERO: break;
    }
    return true;
}

bool interventions_apply(const Interventions *list, const char *hook, long long offset,
                         const Tensor *visible, Tensor **x, Error *err) {
    for (size_t i = 0; list && i < list->count; i++) {
        const Intervention *change = &list->items[i];
        if (strcmp(change->hook, hook) != 0 || !change_fits(change, visible, *x)) continue;
        *x = replace_part(change, offset, visible, *x, err);
        if (!*x) return false;
    }
    return true;
}

bool interventions_touch(const Interventions *list, const char *hook) {
    for (size_t i = 0; list && i < list->count; i++)
        if (strcmp(list->items[i].hook, hook) == 0) return true;
    return false;
}

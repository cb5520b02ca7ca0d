#include "model/blocks.h"

#include "engine/operators/compute.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static Tensor *view_of(const Run *run, int row) {
    return row == NO_PARAMETER ? NULL : run->views[row];
}

/* ---- observers ---- */

/* True if somebody looks at PATH.HOOK, or changes it; *name becomes that. */
static bool is_wanted(const Run *run, const char *path, const char *hook, char *name) {
    const Observer *observer = run->options->observer;
    if (!observer && !run->interventions) return false;
    int length = snprintf(name, HOOK_NAME, "%s%s%s", path, *path ? "." : "", hook);
    assert(length < HOOK_NAME);
    (void)length;
    return interventions_touch(run->interventions, name) ||
           (observer && observer->wants(observer->self, name));
}

/* Changes *x, and shows it, under that name; `visible` as interventions_apply takes it. */
static bool show_and_change(const Run *run, const char *name, const Tensor *visible, Tensor **x) {
    const Observer *observer = run->options->observer;
    return interventions_apply(run->interventions, name, run->offset, visible, x, run->err) &&
           (!observer || !observer->wants(observer->self, name) ||
            observer->see(observer->self, name, x, run->err));
}

Tensor *run_shown(const Run *run, const char *path, const char *hook, const Shape *as, Tensor *x) {
    char name[HOOK_NAME];
    if (!x || !is_wanted(run, path, hook, name)) return x;
    LocalTensor *shown = as ? compute_reshape(tensor_ref(x), as, run->err) : tensor_ref(x);
    LocalTensor *before = tensor_ref(shown); /* held, so that no new tensor gets its address */
    bool ok = shown && show_and_change(run, name, NULL, &shown);
    if (ok && shown != before)
        ok = tensor_replace(&x, compute_reshape(tensor_ref(shown), &x->shape, run->err));
    return tensor_if(ok, x);
}

/* ---- parts ---- */

Tensor *run_linear(const Run *run, Tensor *x, int w, int b) {
    Tensor *inputs[] = {x, view_of(run, w), view_of(run, b)}, *y;
    if (!x || !op_apply(OP_LINEAR, inputs, 2 + (inputs[2] != NULL), NULL, &y, run->err))
        return NULL;
    return y;
}

Tensor *run_norm(const Run *run, const char *path, const char *name, Tensor *x, NormRows rows) {
    Tensor *inputs[] = {x, view_of(run, rows.gamma), view_of(run, rows.beta)}, *y = NULL;
    char hook[HOOK_NAME];
    Op op = run->config->rms_norm ? OP_RMSNORM : OP_LAYERNORM;
    const OpAttributes how = {.number = run->config->norm_epsilon};
    if (!x || !op_apply(op, inputs, 2 + (inputs[2] != NULL), &how, &y, run->err)) y = NULL;
    tensor_unref(x);
    snprintf(hook, sizeof hook, "%s.hook_normalized", name);
    return run_shown(run, path, hook, NULL, y);
}

Tensor *run_activation(const Run *run, Tensor *x) {
#define ACTIVATION_OP(identifier, name) OP_##identifier,
    static const Op operators[] = {ACTIVATIONS(ACTIVATION_OP)};
    return compute_unary(operators[run->config->activation], x, run->err);
}

Tensor *run_dropout(const Run *run, Tensor *x) {
    if (run->config->dropout == 0 || !run->options->dropout) return x;
    OpAttributes how = {.number = run->config->dropout, .seed = random_next(run->options->dropout)};
    return compute(OP_DROPOUT, x, &how, run->err);
}

/* ---- attention ---- */

/* One of the sums that a layer is made of: x + dropout(f(norm(x))), or norm(x + dropout(f(x))). */
typedef struct Sublayer {
    const char *norm, *out, *after; /* hooks: of the norm, of f, of the sum */
    const AttentionSpec *spec;      /* f is attention, over `context` or over its own input */
    const AttentionRows *attention;
    const char *name;
    Tensor *context;
    CachedRows *cached; /* of this attention; or NULL */
} Sublayer;

/* Transposes the axes of positions and heads: (B, T, H, w) and (B, H, T, w). Takes x over. */
static Tensor *swap_heads(const Run *run, Tensor *x) {
    return compute_swap_axes(x, 1, 2, run->err);
}

static Tensor *number(const Run *run, double x) {
    return compute_cast(tensor_scalar(x, run->err), run->config->dtype, run->err);
}

/* A grid of scores with its axis of heads also where there is one head: (B, H, Tq, Tk). */
static Tensor *with_heads(const Run *run, Tensor *grid) {
    const size_t *size = grid->shape.size + grid->shape.axes - 2;
    Shape as = {4, {grid->shape.size[0], run->config->heads, size[0], size[1]}};
    return compute_reshape(tensor_ref(grid), &as, run->err);
}

/* Shows what only observers ask for: what entered the products, the positions' part of the scores,
 * and which keys each query sees. What they replace it with changes nothing. */
static bool show_inputs(const Run *run, const char *path, const AttentionTrace *trace) {
    bool rotated = run->config->position == &rope_position;
    const struct {
        const char *hook;
        Tensor *tensor;
        bool rows; /* not a grid */
    } shown[] = {{"hook_rot_q", rotated ? trace->q : NULL, true},
                 {"hook_rot_k", rotated ? trace->k : NULL, true},
                 {"hook_position_bias", trace->position, false},
                 {"hook_visible", trace->visible, false}};
    char name[HOOK_NAME];
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (!shown[i].tensor || !is_wanted(run, path, shown[i].hook, name)) continue;
        LocalTensor *x = with_heads(run, shown[i].tensor);
        if (x && shown[i].rows) x = swap_heads(run, x);
        if (!x || !show_and_change(run, name, NULL, &x)) return false;
    }
    return true;
}

/* softmax of scores, -inf where a key is hidden; rows that see none become 0. Takes scores over. */
static Tensor *weights_of_scores(const Run *run, Tensor *scores) {
    Tensor *most = compute_axis(OP_MAX, tensor_ref(scores), -1, true, run->err);
    Tensor *sees = compute_binary_number(OP_GREATER, most, -INFINITY, run->err);
    Tensor *weights = compute_unary(OP_SOFTMAX, scores, run->err);
    return compute_where(sees, weights, number(run, 0), run->err);
}

/* Shows and changes scores and weights. Where either is changed, z is computed from the weights
 * that there are then, and replaces *z. */
static bool observe_weights(const Run *run, const char *path, const AttentionTrace *trace,
                            const Tensor *v, Tensor **z) {
    char scores_name[HOOK_NAME], pattern_name[HOOK_NAME];
    bool changed = false;
    LocalTensor *visible = with_heads(run, trace->visible),
                *weights = with_heads(run, trace->weights);
    if (!visible || !weights) return false;
    if (is_wanted(run, path, "hook_attn_scores", scores_name)) {
        LocalTensor *scores = compute_where(tensor_ref(visible), with_heads(run, trace->scores),
                                            number(run, -INFINITY), run->err);
        LocalTensor *before = tensor_ref(scores);
        if (!scores || !show_and_change(run, scores_name, NULL, &scores)) return false;
        changed = scores != before;
        if (changed && !tensor_replace(&weights, weights_of_scores(run, tensor_ref(scores))))
            return false;
    }
    if (is_wanted(run, path, "hook_pattern", pattern_name)) {
        LocalTensor *before = tensor_ref(weights);
        if (!show_and_change(run, pattern_name, visible, &weights)) return false;
        changed = changed || weights != before;
    }
    if (!changed) return true;
    Shape split = {4, {v->shape.size[0], v->shape.size[1], run->config->heads, 0}};
    split.size[3] = v->shape.size[2] / run->config->heads;
    Tensor *values = swap_heads(run, compute_reshape(tensor_ref((Tensor *)v), &split, run->err));
    Tensor *made =
        swap_heads(run, compute_binary(OP_MATMUL, tensor_ref(weights), values, run->err));
    return tensor_replace(z, compute_reshape(made, &(*z)->shape, run->err));
}

static bool is_traced(const Run *run, const char *path) {
    static const char *const hooks[] = {"hook_pattern", "hook_attn_scores",   "hook_rot_q",
                                        "hook_rot_k",   "hook_position_bias", "hook_visible"};
    char name[HOOK_NAME];
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        if (is_wanted(run, path, hooks[i], name)) return true;
    return false;
}

/* z Wo + bo: (B, T, d_model). Observers may ask for what each head adds to it, z_h Wo_h, and put
 * other vectors there. */
static Tensor *join_heads(const Run *run, const char *path, Tensor *z, const AttentionRows *rows) {
    char name[HOOK_NAME];
    if (!is_wanted(run, path, "hook_result", name)) return run_linear(run, z, rows->wo, rows->bo);
    size_t heads = run->config->heads, d = run->config->d_model, width = d / heads;
    Shape split = {5, {z->shape.size[0], z->shape.size[1], heads, 1, width}}, result = split,
          by_head = shape_3d(heads, width, d);
    result.axes = 4;
    result.size[3] = d;
    Tensor *wo = tensor_ref(view_of(run, rows->wo));
    LocalTensor *sums = compute_binary(OP_MATMUL, compute_reshape(tensor_ref(z), &split, run->err),
                                       compute_reshape(wo, &by_head, run->err), run->err);
    sums = compute_reshape(sums, &result, run->err);
    LocalTensor *before = tensor_ref(sums);
    if (!sums || !show_and_change(run, name, NULL, &sums)) return NULL;
    if (sums == before) return run_linear(run, z, rows->wo, rows->bo);
    Tensor *out = compute_axis(OP_SUM, tensor_ref(sums), 2, false, run->err);
    if (rows->bo == NO_PARAMETER) return out;
    return compute_add(out, tensor_ref(view_of(run, rows->bo)), run->err);
}

/* Attention of x over sub->context, or over x: (B, T, d_model). */
static Tensor *attention_block(const Run *run, const char *layer, const Sublayer *sub, Tensor *x) {
    const AttentionRows *rows = sub->attention;
    AttentionSpec spec = *sub->spec; /* borrows what it holds */
    char path[HOOK_NAME];
    if (!x) return NULL;
    if (rows->relative != NO_PARAMETER) spec.position.table = run->views[rows->relative];
    snprintf(path, sizeof path, "%s.%s", layer, sub->name);

    /* The keys and values of cross-attention are computed once for a cache, which keeps them. */
    CachedRows *kept = sub->context ? sub->cached : NULL;
    bool known = kept && kept->keys;
    Tensor *context = sub->context ? sub->context : x;
    LocalTensor *q = run_linear(run, x, rows->wq, rows->bq), *k = NULL, *v = NULL;
    if (!q) return NULL;
    k = known ? tensor_ref(kept->keys) : run_linear(run, context, rows->wk, rows->bk);
    v = known ? tensor_ref(kept->values) : run_linear(run, context, rows->wv, rows->bv);
    if (!k || !v) return NULL;
    if (kept && !known) *kept = (CachedRows){tensor_ref(k), tensor_ref(v)};

    size_t heads = run->config->heads, width = run->config->d_model / heads;
    Shape queries = {4, {q->shape.size[0], q->shape.size[1], heads, width}}, keys = queries;
    keys.size[1] = k->shape.size[1];
    if (!(q = run_shown(run, path, "hook_q", &queries, q)) ||
        !(k = run_shown(run, path, "hook_k", &keys, k)) ||
        !(v = run_shown(run, path, "hook_v", &keys, v)))
        return NULL;
    /* In self-attention the cache puts the earlier keys and values before these. */
    if (sub->cached && !sub->context &&
        !cache_extend(run->options->cache, sub->cached, &k, &v, run->err))
        return NULL;

    bool traced = is_traced(run, path);
    LocalResult result = {.output = NULL};
    LocalTrace trace = {.weights = NULL};
    if (!attention_forward(&spec, q, k, v, &result, traced ? &trace : NULL, run->err)) return NULL;
    LocalTensor *z = tensor_ref(result.output);
    if (traced && (!show_inputs(run, path, &trace) || !observe_weights(run, path, &trace, v, &z)))
        return NULL;
    z = run_shown(run, path, "hook_z", &queries, z);
    return z ? join_heads(run, path, z, rows) : NULL;
}

/* ---- feed-forward ---- */

static Tensor *ffn_block(const Run *run, const char *layer, const LayerRows *rows, Tensor *x) {
    LocalTensor *inner = run_linear(run, x, rows->w1, rows->b1);
    inner = run_activation(run, run_shown(run, layer, "mlp.hook_pre", NULL, inner));
    if (rows->w3 != NO_PARAMETER)
        inner = compute_multiply(inner, run_linear(run, x, rows->w3, rows->b3), run->err);
    inner = run_shown(run, layer, "mlp.hook_post", NULL, inner);
    return run_linear(run, inner, rows->w2, rows->b2);
}

/* ---- a layer ---- */

/* x + f(norm(x)), with post-norm norm(x + f(x)), without norms x + f(x): f is attention, or the
 * feed-forward layer where sub->spec is NULL. Takes x over. */
static Tensor *run_sublayer(const Run *run, const char *layer, const Sublayer *sub,
                            const LayerRows *rows, NormRows norm, Tensor *x) {
    bool first = run->config->norm == NORM_PRE;
    Tensor *in = x ? tensor_ref(x) : NULL;
    if (first) in = run_norm(run, layer, sub->norm, in, norm);
    Tensor *f = sub->spec ? attention_block(run, layer, sub, in) : ffn_block(run, layer, rows, in);
    tensor_unref(in);
    f = run_dropout(run, run_shown(run, layer, sub->out, NULL, f));
    Tensor *sum = compute_add(x, f, run->err);
    if (run->config->norm == NORM_POST) sum = run_norm(run, layer, sub->norm, sum, norm);
    return run_shown(run, layer, sub->after, NULL, sum);
}

Tensor *run_layer(const Run *run, const StackSpec *stack, size_t l, const LayerRows *rows,
                  Tensor *x) {
    const Cache *cache = stack->cache;
    const Sublayer self = {.norm = "ln1",
                           .out = "hook_attn_out",
                           .after = "hook_resid_mid",
                           .spec = &stack->self,
                           .attention = &rows->self,
                           .name = "attn",
                           .cached = cache ? &cache->self[l] : NULL};
    const Sublayer cross = {.norm = "ln2",
                            .out = "hook_cross_attn_out",
                            .after = "hook_resid_mid_cross",
                            .spec = &stack->cross,
                            .attention = &rows->cross,
                            .name = "cross_attn",
                            .context = stack->context,
                            .cached = cache ? &cache->cross[l] : NULL};
    Sublayer ffn = {.norm = "ln2", .out = "hook_mlp_out", .after = "hook_resid_post"};
    char layer[HOOK_NAME];
    snprintf(layer, sizeof layer, "%s.%zu", stack->path, l);
    const NormRows *norm = rows->norm;
    x = run_shown(run, layer, "hook_resid_pre", NULL, x);
    x = run_sublayer(run, layer, &self, rows, *norm++, x);
    if (stack->context) {
        x = run_sublayer(run, layer, &cross, rows, *norm++, x);
        ffn.norm = "ln3";
    }
    if (rows->w1 != NO_PARAMETER) return run_sublayer(run, layer, &ffn, rows, *norm, x);
    return run_shown(run, layer, ffn.after, NULL, x); /* attention alone */
}

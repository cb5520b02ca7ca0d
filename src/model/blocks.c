#include "model/blocks.h"

#include "engine/operators/compute.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static Tensor *view_of(const Pass *pass, int row) {
    return row == NO_PARAMETER ? NULL : pass->views[row];
}

/* ---- observers ---- */

/* True if somebody looks at PATH.HOOK, or changes it; *name becomes that. */
static bool is_wanted(const Pass *pass, const char *path, const char *hook, char *name) {
    const Observer *observer = pass->options->observer;
    if (!observer && !pass->interventions) return false;
    int length = snprintf(name, HOOK_NAME, "%s%s%s", path, *path ? "." : "", hook);
    assert(length < HOOK_NAME);
    (void)length;
    return interventions_touch(pass->interventions, name) ||
           (observer && observer->wants(observer->self, name));
}

/* Changes *x, and shows it, under that name; `visible` as interventions_apply takes it. */
static bool show_and_change(const Pass *pass, const char *name, const Tensor *visible, Tensor **x) {
    const Observer *observer = pass->options->observer;
    return interventions_apply(pass->interventions, name, pass->offset, visible, x, pass->err) &&
           (!observer || !observer->wants(observer->self, name) ||
            observer->see(observer->self, name, x, pass->err));
}

Tensor *pass_shown(const Pass *pass, const char *path, const char *hook, const Shape *as,
                   Tensor *x) {
    char name[HOOK_NAME];
    if (!x || !is_wanted(pass, path, hook, name)) return x;
    LocalTensor *shown = as ? compute_reshape(tensor_ref(x), as, pass->err) : tensor_ref(x);
    LocalTensor *before = tensor_ref(shown); /* held, so that no new tensor gets its address */
    bool ok = shown && show_and_change(pass, name, NULL, &shown);
    if (ok && shown != before)
        ok = tensor_replace(&x, compute_reshape(tensor_ref(shown), &x->shape, pass->err));
    return tensor_if(ok, x);
}

/* ---- parts ---- */

Tensor *pass_weights(const Pass *pass, Op op, Tensor *x, int w, int b, const OpAttributes *how) {
    Tensor *inputs[] = {x, view_of(pass, w), view_of(pass, b)}, *y;
    if (!x || !op_apply(op, inputs, 2 + (inputs[2] != NULL), how, &y, pass->err)) return NULL;
    return y;
}

Tensor *pass_linear(const Pass *pass, Tensor *x, int w, int b) {
    return pass_weights(pass, OP_LINEAR, x, w, b, NULL);
}

Tensor *pass_norm(const Pass *pass, const char *path, const char *name, Tensor *x, NormRows rows) {
    char hook[HOOK_NAME];
    Op op = pass->config->rms_norm ? OP_RMSNORM : OP_LAYERNORM;
    const OpAttributes how = {.number = pass->config->norm_epsilon};
    Tensor *y = pass_weights(pass, op, x, rows.gamma, rows.beta, &how);
    tensor_unref(x);
    snprintf(hook, sizeof hook, "%s.hook_normalized", name);
    return pass_shown(pass, path, hook, NULL, y);
}

Tensor *pass_activation(const Pass *pass, Tensor *x) {
#define ACTIVATION_OP(identifier, name) OP_##identifier,
    static const Op operators[] = {ACTIVATIONS(ACTIVATION_OP)};
    return compute_unary(operators[pass->config->activation], x, pass->err);
}

Tensor *pass_dropout(const Pass *pass, Tensor *x) {
    if (pass->config->dropout == 0 || !pass->options->dropout) return x;
    OpAttributes how = {.number = pass->config->dropout,
                        .seed = random_next(pass->options->dropout)};
    return compute(OP_DROPOUT, x, &how, pass->err);
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
static Tensor *swap_heads(const Pass *pass, Tensor *x) {
    return compute_swap_axes(x, 1, 2, pass->err);
}

static Tensor *number(const Pass *pass, double x) {
    return compute_cast(tensor_scalar(x, pass->err), pass->config->dtype, pass->err);
}

/* A grid of scores with its axis of heads also where there is one head: (B, H, Tq, Tk). */
static Tensor *with_heads(const Pass *pass, Tensor *grid) {
    const size_t *size = grid->shape.size + grid->shape.axes - 2;
    Shape as = {4, {grid->shape.size[0], pass->config->heads, size[0], size[1]}};
    return compute_reshape(tensor_ref(grid), &as, pass->err);
}

/* Shows what only observers ask for: what entered the products, the positions' part of the scores,
 * and which keys each query sees. What they replace it with changes nothing. */
static bool show_inputs(const Pass *pass, const char *path, const AttentionTrace *trace) {
    bool rotated = pass->config->position == &rope_position;
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
        if (!shown[i].tensor || !is_wanted(pass, path, shown[i].hook, name)) continue;
        LocalTensor *x = with_heads(pass, shown[i].tensor);
        if (x && shown[i].rows) x = swap_heads(pass, x);
        if (!x || !show_and_change(pass, name, NULL, &x)) return false;
    }
    return true;
}

/* softmax of scores, -inf where a key is hidden; rows that see none become 0. Takes scores over. */
static Tensor *weights_of_scores(const Pass *pass, Tensor *scores) {
    Tensor *most = compute_axis(OP_MAX, tensor_ref(scores), -1, true, pass->err);
    Tensor *sees = compute_binary_number(OP_GREATER, most, -INFINITY, pass->err);
    Tensor *weights = compute_unary(OP_SOFTMAX, scores, pass->err);
    return compute_where(sees, weights, number(pass, 0), pass->err);
}

/* Shows and changes scores and weights. Where either is changed, z is computed from the weights
 * that there are then, and replaces *z. */
static bool observe_weights(const Pass *pass, const char *path, const AttentionTrace *trace,
                            const Tensor *v, Tensor **z) {
    char scores_name[HOOK_NAME], pattern_name[HOOK_NAME];
    bool changed = false;
    LocalTensor *visible = with_heads(pass, trace->visible),
                *weights = with_heads(pass, trace->weights);
    if (!visible || !weights) return false;
    if (is_wanted(pass, path, "hook_attn_scores", scores_name)) {
        LocalTensor *scores = compute_where(tensor_ref(visible), with_heads(pass, trace->scores),
                                            number(pass, -INFINITY), pass->err);
        LocalTensor *before = tensor_ref(scores);
        if (!scores || !show_and_change(pass, scores_name, NULL, &scores)) return false;
        changed = scores != before;
        if (changed && !tensor_replace(&weights, weights_of_scores(pass, tensor_ref(scores))))
            return false;
    }
    if (is_wanted(pass, path, "hook_pattern", pattern_name)) {
        LocalTensor *before = tensor_ref(weights);
        if (!show_and_change(pass, pattern_name, visible, &weights)) return false;
        changed = changed || weights != before;
    }
    if (!changed) return true;
    Shape split = {4, {v->shape.size[0], v->shape.size[1], pass->config->heads, 0}};
    split.size[3] = v->shape.size[2] / pass->config->heads;
    Tensor *values = swap_heads(pass, compute_reshape(tensor_ref((Tensor *)v), &split, pass->err));
    Tensor *made =
        swap_heads(pass, compute_binary(OP_MATMUL, tensor_ref(weights), values, pass->err));
    return tensor_replace(z, compute_reshape(made, &(*z)->shape, pass->err));
}

static bool is_traced(const Pass *pass, const char *path) {
    static const char *const hooks[] = {"hook_pattern", "hook_attn_scores",   "hook_rot_q",
                                        "hook_rot_k",   "hook_position_bias", "hook_visible"};
    char name[HOOK_NAME];
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        if (is_wanted(pass, path, hooks[i], name)) return true;
    return false;
}

/* z Wo + bo: (B, T, d_model). Observers may ask for what each head adds to it, z_h Wo_h, and put
 * other vectors there. */
static Tensor *join_heads(const Pass *pass, const char *path, Tensor *z,
                          const AttentionRows *rows) {
    char name[HOOK_NAME];
    if (!is_wanted(pass, path, "hook_result", name))
        return pass_linear(pass, z, rows->wo, rows->bo);
    size_t heads = pass->config->heads, d = pass->config->d_model, width = d / heads;
    Shape split = {5, {z->shape.size[0], z->shape.size[1], heads, 1, width}}, result = split,
          by_head = shape_3d(heads, width, d);
    result.axes = 4;
    result.size[3] = d;
    Tensor *wo = tensor_ref(view_of(pass, rows->wo));
    LocalTensor *sums = compute_binary(OP_MATMUL, compute_reshape(tensor_ref(z), &split, pass->err),
                                       compute_reshape(wo, &by_head, pass->err), pass->err);
    sums = compute_reshape(sums, &result, pass->err);
    LocalTensor *before = tensor_ref(sums);
    if (!sums || !show_and_change(pass, name, NULL, &sums)) return NULL;
    if (sums == before) return pass_linear(pass, z, rows->wo, rows->bo);
    Tensor *out = compute_axis(OP_SUM, tensor_ref(sums), 2, false, pass->err);
    if (rows->bo == NO_PARAMETER) return out;
    return compute_add(out, tensor_ref(view_of(pass, rows->bo)), pass->err);
}

/* Attention of x over sub->context, or over x: (B, T, d_model). */
static Tensor *attention_block(const Pass *pass, const char *layer, const Sublayer *sub,
                               Tensor *x) {
    const AttentionRows *rows = sub->attention;
    AttentionSpec spec = *sub->spec; /* borrows what it holds */
    char path[HOOK_NAME];
    if (!x) return NULL;
    if (rows->relative != NO_PARAMETER) spec.position.table = pass->views[rows->relative];
    snprintf(path, sizeof path, "%s.%s", layer, sub->name);

    /* The keys and values of cross-attention are computed once for a cache, which keeps them. */
    CachedRows *kept = sub->context ? sub->cached : NULL;
    bool known = kept && kept->keys;
    Tensor *context = sub->context ? sub->context : x;
    LocalTensor *q = pass_linear(pass, x, rows->wq, rows->bq), *k = NULL, *v = NULL;
    if (!q) return NULL;
    k = known ? tensor_ref(kept->keys) : pass_linear(pass, context, rows->wk, rows->bk);
    v = known ? tensor_ref(kept->values) : pass_linear(pass, context, rows->wv, rows->bv);
    if (!k || !v) return NULL;
    if (kept && !known) *kept = (CachedRows){tensor_ref(k), tensor_ref(v)};

    size_t heads = pass->config->heads, width = pass->config->d_model / heads;
    Shape queries = {4, {q->shape.size[0], q->shape.size[1], heads, width}}, keys = queries;
    keys.size[1] = k->shape.size[1];
    if (!(q = pass_shown(pass, path, "hook_q", &queries, q)) ||
        !(k = pass_shown(pass, path, "hook_k", &keys, k)) ||
        !(v = pass_shown(pass, path, "hook_v", &keys, v)))
        return NULL;
    /* In self-attention the cache puts the earlier keys and values before these. */
    if (sub->cached && !sub->context &&
        !cache_extend(pass->options->cache, sub->cached, &k, &v, pass->err))
        return NULL;

    bool traced = is_traced(pass, path);
    LocalResult result = {.output = NULL};
    LocalTrace trace = {.weights = NULL};
    if (!attention_forward(&spec, q, k, v, &result, traced ? &trace : NULL, pass->err)) return NULL;
    LocalTensor *z = tensor_ref(result.output);
    if (traced && (!show_inputs(pass, path, &trace) || !observe_weights(pass, path, &trace, v, &z)))
        return NULL;
    z = pass_shown(pass, path, "hook_z", &queries, z);
    return z ? join_heads(pass, path, z, rows) : NULL;
}

/* ---- feed-forward ---- */

static Tensor *ffn_block(const Pass *pass, const char *layer, const LayerRows *rows, Tensor *x) {
    LocalTensor *inner = pass_linear(pass, x, rows->w1, rows->b1);
    inner = pass_activation(pass, pass_shown(pass, layer, "mlp.hook_pre", NULL, inner));
    if (rows->w3 != NO_PARAMETER)
        inner = compute_multiply(inner, pass_linear(pass, x, rows->w3, rows->b3), pass->err);
    inner = pass_shown(pass, layer, "mlp.hook_post", NULL, inner);
    return pass_linear(pass, inner, rows->w2, rows->b2);
}

/* ---- a layer ---- */

/* x + f(norm(x)), with post-norm norm(x + f(x)), without norms x + f(x): f is attention, or the
 * feed-forward layer where sub->spec is NULL. Takes x over. */
static Tensor *pass_sublayer(const Pass *pass, const char *layer, const Sublayer *sub,
                             const LayerRows *rows, NormRows norm, Tensor *x) {
    bool first = pass->config->norm == NORM_PRE;
    Tensor *in = x ? tensor_ref(x) : NULL;
    if (first) in = pass_norm(pass, layer, sub->norm, in, norm);
    Tensor *f =
        sub->spec ? attention_block(pass, layer, sub, in) : ffn_block(pass, layer, rows, in);
    tensor_unref(in);
    f = pass_dropout(pass, pass_shown(pass, layer, sub->out, NULL, f));
    Tensor *sum = compute_add(x, f, pass->err);
    if (pass->config->norm == NORM_POST) sum = pass_norm(pass, layer, sub->norm, sum, norm);
    return pass_shown(pass, layer, sub->after, NULL, sum);
}

Tensor *pass_layer(const Pass *pass, const StackSpec *stack, size_t l, const LayerRows *rows,
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
    x = pass_shown(pass, layer, "hook_resid_pre", NULL, x);
    x = pass_sublayer(pass, layer, &self, rows, *norm++, x);
    if (stack->context) {
        x = pass_sublayer(pass, layer, &cross, rows, *norm++, x);
        ffn.norm = "ln3";
    }
    if (rows->w1 != NO_PARAMETER) return pass_sublayer(pass, layer, &ffn, rows, *norm, x);
    return pass_shown(pass, layer, ffn.after, NULL, x); /* attention alone */
}

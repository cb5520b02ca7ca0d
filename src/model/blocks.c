#include "model/blocks.h"

#include "engine/operators/compute.h"

#include <stdio.h>

enum { PATH = 64 };

static Tensor *view_of(const Run *run, int row) {
    return row == NO_PARAMETER ? NULL : run->views[row];
}

/* ---- observers ---- */

static bool is_wanted(const Run *run, const char *path, const char *hook, char *name) {
    const Observer *observer = run->options->observer;
    if (!observer) return false;
    snprintf(name, PATH, "%s%s%s", path, *path ? "." : "", hook);
    return observer->wants(observer->self, name);
}

bool run_observe(const Run *run, const char *path, const char *hook, const Shape *as, Tensor **x) {
    const Observer *observer = run->options->observer;
    char name[PATH];
    if (!*x || !is_wanted(run, path, hook, name)) return *x != NULL;
    Shape own = (*x)->shape;
    Tensor *shown = as ? compute_reshape(tensor_ref(*x), as, run->err) : tensor_ref(*x);
    Tensor *before = shown;
    if (!shown) return false;
    if (!observer->see(observer->self, name, &shown, run->err)) {
        tensor_unref(shown);
        return false;
    }
    if (shown == before) {
        tensor_unref(shown);
        return true;
    }
    return tensor_replace(x, compute_reshape(shown, &own, run->err));
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
    char hook[PATH];
    Op op = run->config->rms_norm ? OP_RMSNORM : OP_LAYERNORM;
    if (!x || !op_apply(op, inputs, 2 + (inputs[2] != NULL), NULL, &y, run->err)) return NULL;
    snprintf(hook, sizeof hook, "%s.hook_normalized", name);
    if (run_observe(run, path, hook, NULL, &y)) return y;
    tensor_unref(y);
    return NULL;
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

/* What each head adds to the sum, z_h Wo_h, which only observers ask for. */
static bool observe_results(const Run *run, const char *path, Tensor *z, Tensor *wo) {
    char name[PATH];
    if (!is_wanted(run, path, "hook_result", name)) return true;
    size_t heads = run->config->heads, d = run->config->d_model, width = d / heads;
    Shape rows = {5, {z->shape.size[0], z->shape.size[1], heads, 1, width}}, result = rows,
          by_head = shape_3d(heads, width, d);
    result.axes = 4;
    result.size[3] = d;
    Tensor *sums = compute_binary(OP_MATMUL, compute_reshape(tensor_ref(z), &rows, run->err),
                                  compute_reshape(tensor_ref(wo), &by_head, run->err), run->err);
    sums = compute_reshape(sums, &result, run->err);
    bool ok = run_observe(run, path, "hook_result", NULL, &sums);
    tensor_unref(sums);
    return ok;
}

/* The weights, or scores, of all heads: (B, heads, Tq, Tk). */
static bool observe_grid(const Run *run, const char *path, const char *hook, Tensor **grid) {
    const size_t *size = (*grid)->shape.size + (*grid)->shape.axes - 2;
    Shape as = {4, {(*grid)->shape.size[0], run->config->heads, size[0], size[1]}};
    return run_observe(run, path, hook, &as, grid);
}

/* Attention before Wo: (B, T, d_model). extends: what a cache holds of this self-attention, which
 * gets k and v and lets q see what came before them; or NULL. */
static Tensor *attend(const Run *run, const char *path, const AttentionSpec *spec, Tensor *q,
                      Tensor *k, Tensor *v, CachedRows *extends) {
    size_t heads = run->config->heads, width = run->config->d_model / heads;
    Shape queries = {4, {q->shape.size[0], q->shape.size[1], heads, width}}, keys = queries;
    AttentionResult result;
    AttentionTrace trace;
    char name[PATH];
    keys.size[1] = k->shape.size[1];
    Tensor *seen[] = {tensor_ref(q), tensor_ref(k), tensor_ref(v)}, *z = NULL;
    bool traced = is_wanted(run, path, "hook_pattern", name) ||
                  is_wanted(run, path, "hook_attn_scores", name);
    bool ok =
        run_observe(run, path, "hook_q", &queries, &seen[0]) &&
        run_observe(run, path, "hook_k", &keys, &seen[1]) &&
        run_observe(run, path, "hook_v", &keys, &seen[2]) &&
        (!extends || cache_extend(run->options->cache, extends, &seen[1], &seen[2], run->err)) &&
        attention_forward(spec, seen[0], seen[1], seen[2], &result, traced ? &trace : NULL,
                          run->err);
    for (int i = 0; i < 3; i++) tensor_unref(seen[i]);
    if (!ok) return NULL;
    if (traced)
        ok = observe_grid(run, path, "hook_attn_scores", &trace.scores) &&
             observe_grid(run, path, "hook_pattern", &trace.weights);
    z = tensor_ref(result.output);
    attention_result_release(&result);
    if (traced) attention_trace_release(&trace);
    if (ok && run_observe(run, path, "hook_z", &queries, &z)) return z;
    tensor_unref(z);
    return NULL;
}

/* The keys and values of `context`; a cache computes those of cross-attention once and keeps them.
 */
static bool keys_and_values(const Run *run, const Sublayer *sub, Tensor *context, Tensor **k,
                            Tensor **v) {
    const AttentionRows *rows = sub->attention;
    CachedRows *kept = sub->context ? sub->cached : NULL;
    bool known = kept && kept->keys;
    *k = known ? tensor_ref(kept->keys) : run_linear(run, context, rows->wk, rows->bk);
    *v = known ? tensor_ref(kept->values) : run_linear(run, context, rows->wv, rows->bv);
    if (kept && !known && *k && *v) *kept = (CachedRows){tensor_ref(*k), tensor_ref(*v)};
    return *k && *v;
}

/* Attention of x over sub->context, or over x. */
static Tensor *attention_block(const Run *run, const char *layer, const Sublayer *sub, Tensor *x) {
    const AttentionRows *rows = sub->attention;
    AttentionSpec spec = *sub->spec; /* borrows what it holds */
    CachedRows *extends = sub->context ? NULL : sub->cached;
    char path[PATH];
    if (!x) return NULL;
    if (rows->relative != NO_PARAMETER) spec.position.table = run->views[rows->relative];
    snprintf(path, sizeof path, "%s.%s", layer, sub->name);

    Tensor *q = run_linear(run, x, rows->wq, rows->bq), *k, *v, *z = NULL, *out = NULL;
    if (keys_and_values(run, sub, sub->context ? sub->context : x, &k, &v) && q)
        z = attend(run, path, &spec, q, k, v, extends);
    if (z && observe_results(run, path, z, run->views[rows->wo]))
        out = run_linear(run, z, rows->wo, rows->bo);
    tensor_unref(q);
    tensor_unref(k);
    tensor_unref(v);
    tensor_unref(z);
    return out;
}

/* ---- feed-forward ---- */

static Tensor *ffn_block(const Run *run, const char *layer, const LayerRows *rows, Tensor *x) {
    static const Op activations[] = {[ACTIVATION_RELU] = OP_RELU,
                                     [ACTIVATION_GELU] = OP_GELU,
                                     [ACTIVATION_GELU_TANH] = OP_GELU_TANH};
    Tensor *inner = run_linear(run, x, rows->w1, rows->b1), *out = NULL;
    bool ok =
        run_observe(run, layer, "mlp.hook_pre", NULL, &inner) &&
        tensor_replace(&inner, op_unary(activations[run->config->activation], inner, run->err)) &&
        run_observe(run, layer, "mlp.hook_post", NULL, &inner);
    if (ok) out = run_linear(run, inner, rows->w2, rows->b2);
    tensor_unref(inner);
    return out;
}

/* ---- a layer ---- */

static Tensor *run_sublayer(const Run *run, const char *layer, const Sublayer *sub,
                            const LayerRows *rows, NormRows norm, Tensor *x) {
    bool first = run->config->norm_first;
    Tensor *in = first ? run_norm(run, layer, sub->norm, x, norm) : x ? tensor_ref(x) : NULL;
    Tensor *f = sub->spec ? attention_block(run, layer, sub, in) : ffn_block(run, layer, rows, in);
    tensor_unref(in);
    if (!run_observe(run, layer, sub->out, NULL, &f)) {
        tensor_unref(f);
        f = NULL;
    }
    Tensor *sum = compute_add(x, run_dropout(run, f), run->err);
    if (!first) {
        Tensor *normed = run_norm(run, layer, sub->norm, sum, norm);
        tensor_unref(sum);
        sum = normed;
    }
    if (run_observe(run, layer, sub->after, NULL, &sum)) return sum;
    tensor_unref(sum);
    return NULL;
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
    char layer[PATH];
    snprintf(layer, sizeof layer, "%s.%zu", stack->path, l);
    if (!run_observe(run, layer, "hook_resid_pre", NULL, &x)) {
        tensor_unref(x);
        return NULL;
    }
    const NormRows *norm = rows->norm;
    x = run_sublayer(run, layer, &self, rows, *norm++, x);
    if (stack->context) {
        x = run_sublayer(run, layer, &cross, rows, *norm++, x);
        ffn.norm = "ln3";
    }
    return run_sublayer(run, layer, &ffn, rows, *norm, x);
}

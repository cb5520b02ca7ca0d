/* Probabilities: softmax, and measures of how spread out or how far apart distributions are.
 * Everything is in nats unless a base is given. */
#include "engine/tensor/recording.h"
#include "library/arguments.h"

#include <math.h>

static bool softmax(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.number = number_at(call, 2)};
    double axis = number_at(call, 1);
    if (axis != floor(axis)) {
        error_set(err, ERR_VALUE, "axis is %g, but an axis has a whole number", axis);
        return error_hint(err, "Write softmax(x, temperature=%g).", axis);
    }
    if (!(attributes.number >= 0))
        return error_set(err, ERR_VALUE, "temperature is %g; it must be 0 or more",
                         attributes.number);
    return axes_at(call, 1, &attributes, err) &&
           give(compute(OP_SOFTMAX, array_ref(call, 0), &attributes, err), out);
}

static bool log_softmax(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.number = 1};
    return axes_at(call, 1, &attributes, err) &&
           give(compute(OP_LOG_SOFTMAX, array_ref(call, 0), &attributes, err), out);
}

/* Applies an operator along the axis at argument 1, or with None to all elements at once. */
static Tensor *along_axis(const Call *call, Op op, OpAttributes *attributes, Error *err) {
    if (!one_axis_at(call, 1, attributes, err)) return NULL;
    Tensor *x = array_ref(call, 0);
    Shape ones = {.axes = x->shape.axes};
    bool all = attributes->axis_count == 0 && ones.axes > 0;
    Tensor *result = compute(op, all ? compute_flat(x, err) : x, attributes, err);
    for (int i = 0; i < ones.axes; i++) ones.size[i] = 1;
    return all && attributes->keepdims ? compute_reshape(result, &ones, err) : result;
}

static bool logsumexp(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.keepdims = bool_at(call, 2), .number = 1};
    return give(along_axis(call, OP_LOGSUMEXP, &attributes, err), out);
}

static bool entropy(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.number = number_at(call, 2), .keepdims = bool_at(call, 3)};
    if (!(attributes.number > 0) || attributes.number == 1)
        return error_set(err, ERR_VALUE, "base is %g; a logarithm needs one above 0 other than 1",
                         attributes.number);
    return give(along_axis(call, OP_ENTROPY, &attributes, err), out);
}

static bool perplexity(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.number = exp(1)};
    return give(compute_unary(OP_EXP, along_axis(call, OP_ENTROPY, &attributes, err), err), out);
}

/* ---- cross-entropy ---- */

/* The loss of each row by the number of its class. */
static Tensor *class_losses(Tensor *logits, Tensor *target, Error *err) {
    const IndexItem item = {.kind = INDEX_ARRAY, .array = target};
    const OpAttributes how = {.items = &item, .item_count = 1};
    Tensor *losses;
    if (!tape_is_plain(target, "the number of a class", err)) return NULL;
    /* The operator takes -1 for a row that does not count. */
    for (size_t i = 0; i < target->count; i++) {
        if (tensor_get(target, i) != -1) continue;
        error_set(err, ERR_VALUE, "target -1 is out of range: classes count from 0");
        return NULL;
    }
    return op_apply(OP_CROSS_ENTROPY, &logits, 1, &how, &losses, err) ? losses : NULL;
}

/* -Σ target · log p of each row; a target of 0 counts 0 even where log p is -inf. */
static Tensor *expected_losses(Tensor *logits, Tensor *target, Error *err) {
    Tensor *log_p = op_axis(OP_LOG_SOFTMAX, logits, -1, false, err);
    Tensor *logs = compute_where_zero(tensor_ref(target), 0, log_p, err);
    Tensor *terms = compute_multiply(tensor_ref(target), logs, err);
    return compute_unary(OP_NEGATIVE, compute_axis(OP_SUM, terms, -1, false, err), err);
}

static bool cross_entropy(const Call *call, Value *out, Error *err) {
    Tensor *logits = tensor_at(call, 0), *target = tensor_at(call, 1);
    int axes = logits->shape.axes;
    if (axes == 0)
        return error_set(err, ERR_SHAPE,
                         "logits are one number for each class, not a single number");
    Shape rows = shape_remove(&logits->shape, axes - 1);
    bool classes = shape_equal(&target->shape, &rows);
    if (!classes && !shape_equal(&target->shape, &logits->shape)) {
        error_set(err, ERR_SHAPE, "logits %s and target %s do not fit together",
                  shape_words(&logits->shape), shape_words(&target->shape));
        return error_hint(err, "The target is one class number for each row, or a row of "
                               "probabilities for each.");
    }
    const double share = number_at(call, 2);
    if (!(share >= 0 && share <= 1))
        return error_set(err, ERR_VALUE, "label_smoothing is %g; it is a share from 0 to 1", share);
    Tensor *losses =
        classes ? class_losses(logits, target, err) : expected_losses(logits, target, err);
    if (share > 0) {
        Tensor *log_p = op_axis(OP_LOG_SOFTMAX, logits, -1, false, err);
        Tensor *even = compute_axis(OP_MEAN, log_p, -1, false, err);
        losses = compute_subtract(compute_scale(losses, 1 - share, err),
                                  compute_scale(even, share, err), err);
    }
    return give(compute(OP_MEAN, losses, NULL, err), out);
}

#define GROUP "probability"

const BuiltinDef probability_table[] = {
    {BUILTIN("softmax", softmax), .parameters = "x:array axis:number=-1 temperature:number=1",
     .summary = "Turns any numbers into probabilities: larger numbers get more, and each row sums "
                "to 1; with axis=0 each column. A low temperature sharpens towards the largest "
                "number, a high one evens out; 0 and inf are the limits.",
     .shapes = "x (…, n) -> (…, n)", .formula = "softmax(x)ᵢ = exp(xᵢ / τ) / Σⱼ exp(xⱼ / τ)",
     .example = "softmax([0, 0])\n# -> [0.5, 0.5]\nsoftmax([1, 2, 3])\n"
                "# -> [0.09003, 0.2447, 0.6652]\nsoftmax([1, 2, 3], temperature=0.1)\n"
                "# -> [2.061e-09, 0.0000454, 1]",
     .see = "log_softmax entropy attention"},
    {BUILTIN("log_softmax", log_softmax), .parameters = "x:array axis:whole=-1",
     .summary = "The logarithm of softmax, computed so that tiny probabilities keep their digits.",
     .shapes = "x (…, n) -> (…, n)", .formula = "xᵢ − ln Σⱼ exp(xⱼ)",
     .example = "log_softmax([0, 1000])\n# -> [-1000, 0]",
     .see = "softmax logsumexp cross_entropy"},
    {BUILTIN("logsumexp", logsumexp), .parameters = "x:array axis:axis=-1 keepdims:bool=False",
     .summary = "The logarithm of the sum of exponentials, computed without overflow: a soft "
                "maximum. It is what softmax divides by, in logarithms.",
     .shapes = "x (…, n) -> (…)", .formula = "ln Σⱼ exp(xⱼ) = m + ln Σⱼ exp(xⱼ − m),  m = max x",
     .example = "logsumexp([1000, 1000])\n# -> 1001", .see = "softmax log_softmax"},
    {BUILTIN("entropy", entropy),
     .parameters = "p:array axis:axis=-1 base:number=e keepdims:bool=False",
     .summary = "How spread out probabilities are: 0 when one has everything, ln n when n of them "
                "share equally. In nats; base=2 gives bits. The numbers are taken as they are, "
                "without making them sum to 1.",
     .shapes = "p (…, n) -> (…)", .formula = "H(p) = −Σᵢ pᵢ ln pᵢ over pᵢ > 0",
     .example = "entropy([0.5, 0.5])\n# -> 0.6931\nentropy([0.5, 0.5], base=2)\n# -> 1",
     .see = "perplexity kl_divergence softmax"},
    {BUILTIN("perplexity", perplexity), .parameters = "p:array axis:axis=-1",
     .summary =
         "The exponential of the entropy: as uncertain as a fair choice among that many. That "
         "of a decoder m on a text is exp(cross_entropy(m(text)[:-1], "
         "m.vocab.encode(text)[1:])).",
     .shapes = "p (…, n) -> (…)", .formula = "exp(H(p))",
     .example = "perplexity([0.25, 0.25, 0.25, 0.25])\n# -> 4", .see = "entropy"},
    {BUILTIN("cross_entropy", cross_entropy),
     .parameters = "logits:array target:array label_smoothing:number=0",
     .summary = "The usual loss of a classifier, in nats: how surprised softmax(logits) is by the "
                "target, averaged over the rows. The target is a class number for each row, or a "
                "row of probabilities for each. label_smoothing takes that share of the target and "
                "gives it to all classes alike.",
     .shapes = "logits (…, n), target (…) or (…, n) -> a number",
     .formula = "−mean over rows of ln softmax(logits)[target]",
     .example = "cross_entropy([[0, 0], [5, 0]], [0, 0])\n# -> 0.3499\n"
                "cross_entropy([0, 0], [0.5, 0.5])\n# -> 0.6931\n"
                "cross_entropy([2, 0], 0, label_smoothing=0.1)\n# -> 0.2269",
     .see = "log_softmax kl_divergence one_hot"},
    {0},
};

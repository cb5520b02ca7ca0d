/* Masks as arrays: true means that a query may see a key. */
#include "engine/attention/mask.h"
#include "library/arguments.h"

/* The square array of a mask over n tokens. */
static bool give_square(const Call *call, const MaskDef *kind, double number, Value *out,
                        Error *err) {
    size_t n;
    MaskTerm term = {.kind = kind, .number = number};
    return size_at(call, 0, "n", &n, err) && give(mask_alone(&term, n, n, err), out);
}

static bool causal(const Call *call, Value *out, Error *err) {
    return give_square(call, &causal_mask, 0, out, err);
}

static bool window(const Call *call, Value *out, Error *err) {
    return give_square(call, &window_mask, number_at(call, 1), out, err);
}

static bool segments(const Call *call, Value *out, Error *err) {
    Tensor *ids = tensor_at(call, 0);
    MaskTerm term = {.kind = &segments_mask, .array = ids};
    return give(mask_alone(&term, ids->count, ids->count, err), out);
}

/* One row, as it is the same for every query. */
static bool padding(const Call *call, Value *out, Error *err) {
    size_t n;
    MaskTerm term = {.kind = &padding_mask, .number = number_at(call, 1)};
    return size_at(call, 0, "n", &n, err) &&
           give(compute_flat(mask_alone(&term, 1, n, err), err), out);
}

#define GROUP "masks"

const BuiltinDef masks_table[] = {
    {BUILTIN("causal_mask", causal), .parameters = "n:whole",
     .summary = "Each position sees itself and what came before, not the future: the mask of a "
                "language model. True means visible.",
     .shapes = "-> (n, n), boolean", .formula = "maskᵢⱼ = j ≤ i",
     .example = "causal_mask(2)\n# -> [[True, False],⏎ [True, True]]",
     .see = "window_mask attention tril"},
    {BUILTIN("window_mask", window), .parameters = "n:whole width:number",
     .summary = "Each position sees only those at most width places away. Masks are combined with "
                "& (and), | (or) and ~ (not).",
     .shapes = "-> (n, n), boolean", .formula = "maskᵢⱼ = |i − j| ≤ width",
     .example = "window_mask(3, 1)[0]\n# -> [True, True, False]\n"
                "(window_mask(3, 1) & causal_mask(3))[1]\n# -> [True, True, False]",
     .see = "causal_mask long_short_attention"},
    {BUILTIN("segment_mask", segments), .parameters = "ids:array",
     .summary = "Each position sees only those with the same segment number: several texts in one "
                "sequence stay apart.",
     .shapes = "ids (n,) -> (n, n), boolean", .formula = "maskᵢⱼ = (idsᵢ = idsⱼ)",
     .example = "segment_mask([0, 0, 1])[1]\n# -> [True, True, False]",
     .see = "padding_mask hierarchical_attention"},
    {BUILTIN("padding_mask", padding), .parameters = "n:whole valid:number",
     .summary = "Only the first valid keys are real; the rest is padding that nobody sees. Samples "
                "of an array (B, T, d) that are of different lengths take one row for each: "
                "mask=stack([padding_mask(n, a), padding_mask(n, b)])[:, None, :], with several "
                "heads [:, None, None, :].",
     .shapes = "-> (n,), boolean", .formula = "maskⱼ = j < valid",
     .example = "padding_mask(4, 2)\n# -> [True, True, False, False]",
     .see = "segment_mask attention"},
    {0},
};

/* Masks and positions as arrays. In a mask, true means that a query may see a key. Positions are
 * rows that are added to inputs, terms that are added to scores, and the rotation of RoPE. */
#include "engine/attention/mask.h"
#include "engine/attention/position.h"
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

/* ---- positions ---- */

static bool sinusoidal(const Call *call, Value *out, Error *err) {
    size_t n, d;
    return size_at(call, 0, "n", &n, err) && size_at(call, 1, "d", &d, err) &&
           give(position_sinusoidal(n, d, number_at(call, 2), 0, err), out);
}

static bool learned(const Call *call, Value *out, Error *err) {
    size_t n, d, trained;
    if (!size_at(call, 0, "n", &n, err) || !size_at(call, 1, "d", &d, err)) return false;
    trained = n;
    if (given_at(call, 2) && !size_at(call, 2, "trained", &trained, err)) return false;
    if (trained == 0 && n > 0)
        return error_set(err, ERR_VALUE,
                         "trained is 0: without a trained row there is none to repeat");
    return give(position_learned(n, d, trained, (uint64_t)whole_at(call, 3), err), out);
}

static bool relative(const Call *call, Value *out, Error *err) {
    size_t n;
    return size_at(call, 0, "n", &n, err) &&
           give(position_relative(n, number_at(call, 1), tensor_or_null_at(call, 2), err), out);
}

static bool alibi(const Call *call, Value *out, Error *err) {
    size_t n, heads;
    return size_at(call, 0, "n", &n, err) && size_at(call, 1, "heads", &heads, err) &&
           give(position_alibi(n, heads, err), out);
}

static bool rope(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.number = number_at(call, 1)};
    return give(compute(OP_ROPE, array_ref(call, 0), &attributes, err), out);
}

#undef GROUP
#define GROUP "positions"

const BuiltinDef positions_table[] = {
    {BUILTIN("sinusoidal", sinusoidal), .parameters = "n:whole d:whole base:number=10000",
     .summary = "The position vectors of the first Transformer: sines and cosines of falling "
                "frequencies, added to the inputs. An odd width ends with a sine.",
     .shapes = "-> (n, d)",
     .formula = "P[t, 2i] = sin(t / base^(2i/d)),  P[t, 2i+1] = cos(t / base^(2i/d))",
     .example = "sinusoidal(2, 4)\n# -> [[0, 1, 0, 1],⏎ [0.8415, 0.5403, 0.01, 1]]",
     .see = "learned_positions rope"},
    {BUILTIN("learned_positions", learned),
     .parameters = "n:whole d:whole trained:whole?=None seed:whole=0",
     .summary = "Position vectors as a model might have learned them: here standard normal rows. "
                "Past the trained ones (n unless given) the last one comes again, as a model has "
                "nothing to offer there.",
     .shapes = "-> (n, d)",
     .example = "P = learned_positions(4, 2, trained=2)\nall(P[1] == P[3])\n# -> True",
     .see = "sinusoidal"},
    {BUILTIN("relative_bias", relative), .parameters = "n:whole slope:number=1 table:array?=None",
     .summary = "A term for the scores that depends on the distance alone: the further away, the "
                "lower. A table of 2m + 1 numbers gives the term for each distance from −m to m, "
                "further ones count as m.",
     .shapes = "-> (n, n)", .formula = "Bᵢⱼ = −slope·|i − j|, or table[clip(i − j, −m, m) + m]",
     .example = "relative_bias(3, slope=0.5)[0]\n# -> [0, -0.5, -1]\n"
                "relative_bias(3, table=[1, 0, 2])[1]\n# -> [2, 0, 1]",
     .see = "alibi attention"},
    {BUILTIN("alibi", alibi), .parameters = "n:whole heads:whole",
     .summary = "Attention with linear biases: a penalty on distance, steep in some heads and "
                "gentle in others.",
     .shapes = "-> (heads, n, n)",
     .formula = "Bₕᵢⱼ = −2^(−8h/heads)·|i − j|,  h = 1 … heads;  slope 1/2 for one head",
     .example = "alibi(3, 1)[0, 0]\n# -> [0, -0.5, -1]\nalibi(2, 8)[:, 0, 1]\n"
                "# -> [-0.5, -0.25, -0.125, -0.0625, -0.03125, -0.01562, -0.007812, -0.003906]",
     .see = "relative_bias attention"},
    {BUILTIN("rope", rope), .parameters = "X:array base:number=10000",
     .summary = "Rotary positions: each pair of columns is rotated by an angle that grows with the "
                "row. Products of rotated queries and keys then depend only on their distance. "
                "LLaMA's code pairs columns i and i + d/2: the same for columns in another order.",
     .shapes = "X (…, n, d), d even -> (…, n, d)",
     .formula = "pair (2i, 2i+1) of row t is rotated by t · base^(−2i/d)",
     .example = "rope([[1, 0], [1, 0]])\n# -> [[1, 0],⏎ [0.5403, 0.8415]]",
     .see = "sinusoidal attention"},
    {0},
};

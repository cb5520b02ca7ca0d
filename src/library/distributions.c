/* Random numbers of other distributions than the uniform and the normal one. */
#include "base/interrupt.h"
#include "engine/operators/linalg.h"
#include "library/draw.h"

#include <math.h>

/* ---- a number at a time ---- */

static double uniform_above_0(Random *random) { return 1 - random_uniform(random); }

/* Transformed rejection (Hörmann 1993) where the mean is large, else products of uniform numbers.
 */
static double next_poisson(Random *random, double mean) {
    enum { SMALL = 10 };
    if (mean < SMALL) {
        const double limit = exp(-mean);
        double count = 0;
        for (double product = uniform_above_0(random); product > limit;
             product *= uniform_above_0(random))
            count++;
        return count;
    }
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b,
                 inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), accept = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = random_uniform(random) - 0.5, v = uniform_above_0(random), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= accept) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (log(v * inverse_alpha / (a / (us * us) + b)) <= k * log(mean) - mean - lgamma(k + 1))
            return k;
    }
}

/* Goes from success to success: how many trials lie between two follows from one uniform number. */
static double next_binomial(Random *random, double trials, double p) {
    if (p > 0.5) return trials - next_binomial(random, trials, 1 - p);
    double count = 0, at = 0;
    if (p <= 0) return 0;
    for (;;) {
        at += floor(log(uniform_above_0(random)) / log1p(-p)) + 1;
        if (at > trials || interrupt_flag) return count;
        count++;
    }
}

/* Marsaglia and Tsang 2000; a shape below 1 by one that is larger by 1. */
static double next_gamma(Random *random, double shape) {
    if (shape < 1) return next_gamma(random, shape + 1) * pow(uniform_above_0(random), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = random_normal(random), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(uniform_above_0(random)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}

/* ---- arrays of them ---- */

/* The parameters of a distribution, broadcast to the shape of the draw, which the caller releases
 * also on failure. b: NULL if it has one. */
static bool parameters_at(const Call *call, int first, Tensor **a, Tensor **b, Error *err) {
    const int size = first + (b ? 2 : 1); /* the argument behind them */
    Shape shape = tensor_at(call, first)->shape;
    if (b && !shape_broadcast(&shape, &tensor_at(call, first + 1)->shape, &shape, err))
        return false;
    if (given_at(call, size) && !shape_at(call, size, &shape, err)) return false;
    *a = compute_broadcast(array_ref(call, first), &shape, err);
    if (b && *a) *b = compute_broadcast(array_ref(call, first + 1), &shape, err);
    return *a && (!b || *b);
}

/* -scale ln u: its derivative by scale passes. */
static bool exponential(const Call *call, Value *out, Error *err) {
    DrawSource source;
    LocalTensor *scale = NULL;
    if (!source_at(call, 2, &source, err) || !parameters_at(call, source.first, &scale, NULL, err))
        return false;
    for (size_t i = 0; i < scale->count; i++)
        if (!(tensor_get(scale, i) >= 0))
            return error_set(err, ERR_VALUE, "scale is %g; a mean of waiting times is 0 or more",
                             tensor_get(scale, i));
    Tensor *u = draw_numbers(source.random, uniform_above_0, 0, 0, &scale->shape, err);
    u = compute_unary(OP_NEGATIVE, compute_unary(OP_LOG, u, err), err);
    return give(compute_multiply(u, tensor_ref(scale), err), out);
}

static bool poisson(const Call *call, Value *out, Error *err) {
    DrawSource source;
    LocalTensor *means = NULL, *counts = NULL;
    if (!source_at(call, 2, &source, err) || !untracked_at(call, source.first, "lam", err) ||
        !parameters_at(call, source.first, &means, NULL, err))
        return false;
    counts = tensor_new(DTYPE_DOUBLE, &means->shape, err);
    for (size_t i = 0; counts && i < counts->count; i++) {
        double lam = tensor_get(means, i);
        if (interrupted(err)) return false;
        if (!(lam >= 0 && isfinite(lam)))
            return error_set(err, ERR_VALUE, "lam is %g; a mean is 0 or more", lam);
        tensor_doubles(counts)[i] = next_poisson(source.random, lam);
    }
    return counts && give(tensor_ref(counts), out);
}

static bool binomial(const Call *call, Value *out, Error *err) {
    DrawSource source;
    LocalTensor *trials = NULL, *shares = NULL, *counts = NULL;
    if (!source_at(call, 3, &source, err) || !untracked_at(call, source.first + 1, "p", err) ||
        !parameters_at(call, source.first, &trials, &shares, err))
        return false;
    counts = tensor_new(DTYPE_DOUBLE, &trials->shape, err);
    for (size_t i = 0; counts && i < counts->count; i++) {
        double trial = tensor_get(trials, i), share = tensor_get(shares, i);
        if (!(trial >= 0 && trial == floor(trial) && share >= 0 && share <= 1))
            return error_set(err, ERR_VALUE, "there are no %g trials of probability %g", trial,
                             share);
        tensor_doubles(counts)[i] = next_binomial(source.random, trial, share);
        if (interrupted(err)) return false;
    }
    return counts && give(tensor_ref(counts), out);
}

/* Numbers of gamma distributions over their sum, for each draw. */
static bool dirichlet(const Call *call, Value *out, Error *err) {
    DrawSource source;
    Shape shape;
    if (!source_at(call, 2, &source, err)) return false;
    const Tensor *alpha = tensor_at(call, source.first);
    if (!untracked_at(call, source.first, "alpha", err) ||
        !shape_at(call, source.first + 1, &shape, err))
        return false;
    if (alpha->shape.axes != 1)
        return error_set(err, ERR_SHAPE, "alpha is a vector, not %s", shape_words(&alpha->shape));
    for (size_t i = 0; i < alpha->count; i++)
        if (!(tensor_get(alpha, i) > 0) || isinf(tensor_get(alpha, i)))
            return error_set(err, ERR_VALUE, "alpha holds %g; its numbers are above 0 and finite",
                             tensor_get(alpha, i));
    if (!shape_insert(&shape, shape.axes, alpha->count, &shape, err)) return false;
    Tensor *draws = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; draws && i < draws->count; i++) {
        if (interrupted(err)) return give(tensor_if(false, draws), out);
        tensor_doubles(draws)[i] = next_gamma(source.random, tensor_get(alpha, i % alpha->count));
    }
    Tensor *sums = draws ? op_axis(OP_SUM, draws, -1, true, err) : NULL;
    return give(compute_divide(draws, sums, err), out);
}

/* mean + √values · z turned by the vectors of cov. */
static bool multivariate_normal(const Call *call, Value *out, Error *err) {
    DrawSource source;
    Shape shape;
    if (!source_at(call, 3, &source, err)) return false;
    Tensor *mean = tensor_at(call, source.first), *cov = tensor_at(call, source.first + 1);
    if (!untracked_at(call, source.first + 1, "cov", err) ||
        !shape_at(call, source.first + 2, &shape, err))
        return false;
    size_t n = mean->count;
    Shape square = shape_2d(n, n);
    if (mean->shape.axes != 1 || !shape_equal(&cov->shape, &square))
        return error_set(err, ERR_SHAPE, "mean is %s and cov is %s; n and n×n are needed",
                         shape_words(&mean->shape), shape_words(&cov->shape));
    if (!shape_insert(&shape, shape.axes, n, &shape, err)) return false;
    LocalTensor *packed = op_unary(OP_EIGH, cov, err);
    LocalTensor *values = packed ? as_vector(eigh_part(packed, EIGH_VALUES, err), err) : NULL;
    if (!values) return false;
    double largest = n ? tensor_doubles(values)[n - 1] : 0;
    for (size_t i = 0; i < n; i++) {
        double *value = &tensor_doubles(values)[i];
        if (*value < -1e-8 * fmax(largest, 1))
            return error_set(err, ERR_VALUE, "cov is no covariance: one of its eigenvalues is %g",
                             *value);
        *value = sqrt(fmax(*value, 0));
    }
    Tensor *z = draw_numbers(source.random, random_normal, 0, 0, &shape, err);
    Tensor *scaled = compute_multiply(z, tensor_ref(values), err);
    Tensor *vectors = eigh_part(packed, EIGH_VECTORS, err);
    Tensor *turned = compute_matmul(scaled, false, vectors, true, err);
    return give(compute_add(turned, tensor_ref(mean), err), out);
}

#define GROUP "make"
#define SESSION " * seed:whole?=None"
#define GENERATOR(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "Generator"

#define EXPONENTIAL "scale:array=1 size:shape?=None"
#define POISSON "lam:array=1 size:shape?=None"
#define BINOMIAL "n:array p:array size:shape?=None"
#define DIRICHLET "alpha:array size:shape?=None"
#define MULTIVARIATE "mean:array cov:array size:shape?=None"

const BuiltinDef distributions_table[] = {
    {BUILTIN("exponential", exponential), .parameters = EXPONENTIAL SESSION,
     .summary = "Random numbers from the exponential distribution, of this mean: the waiting times "
                "of events that do not know of each other.",
     .shapes = "-> size; else the shape of scale", .formula = "density e^(−x/scale) / scale",
     .example = "all(exponential(2, size=100) >= 0)\n# -> True", .see = "poisson uniform"},
    {BUILTIN("poisson", poisson), .parameters = POISSON SESSION,
     .summary = "Random counts of events of which lam are expected.",
     .shapes = "-> size; else the shape of lam", .formula = "probability λᵏ e^(−λ) / k!",
     .example = "poisson(0, size=3)\n# -> [0, 0, 0]", .see = "exponential binomial"},
    {BUILTIN("binomial", binomial), .parameters = BINOMIAL SESSION,
     .summary = "Random counts of successes in n trials, each with the probability p.",
     .shapes = "-> size; else the shape of n and p",
     .example = "binomial(10, [0, 1])\n# -> [0, 10]", .see = "poisson choice"},
    {BUILTIN("dirichlet", dirichlet), .parameters = DIRICHLET SESSION,
     .summary = "Random probabilities that add up to 1; a large alpha draws them to its shares.",
     .shapes = "alpha (n,) -> (size, n)",
     .example = "p = dirichlet([1, 1, 1])\nabs(sum(p) - 1) < 1e-12\n# -> True",
     .see = "softmax exponential"},
    {BUILTIN("multivariate_normal", multivariate_normal), .parameters = MULTIVARIATE SESSION,
     .summary = "Random vectors from the normal distribution with these means and covariances.",
     .shapes = "mean (n,), cov (n, n) -> (size, n)",
     .example = "multivariate_normal([1, 2], eye(2), size=5).shape\n# -> (5, 2)",
     .see = "normal cov"},
    {0},
};

const BuiltinDef distribution_methods_table[] = {
    {GENERATOR("exponential", exponential), .parameters = "rng:any " EXPONENTIAL,
     .summary = "Random numbers from this generator, of the exponential distribution.",
     .shapes = "-> size; else the shape of scale",
     .example = "default_rng(0).exponential(2, size=3).shape\n# -> (3,)", .see = "exponential"},
    {GENERATOR("poisson", poisson), .parameters = "rng:any " POISSON,
     .summary = "Random counts from this generator, of events of which lam are expected.",
     .shapes = "-> size; else the shape of lam",
     .example = "default_rng(0).poisson(0, size=3)\n# -> [0, 0, 0]", .see = "poisson"},
    {GENERATOR("binomial", binomial), .parameters = "rng:any " BINOMIAL,
     .summary = "Random counts from this generator, of successes in n trials.",
     .shapes = "-> size; else the shape of n and p",
     .example = "default_rng(0).binomial(10, 1)\n# -> 10", .see = "binomial"},
    {GENERATOR("dirichlet", dirichlet), .parameters = "rng:any " DIRICHLET,
     .summary = "Random probabilities from this generator, which add up to 1.",
     .shapes = "alpha (n,) -> (size, n)",
     .example = "default_rng(0).dirichlet([1, 1], size=4).shape\n# -> (4, 2)", .see = "dirichlet"},
    {GENERATOR("multivariate_normal", multivariate_normal), .parameters = "rng:any " MULTIVARIATE,
     .summary = "Random vectors from this generator, with these means and covariances.",
     .shapes = "mean (n,), cov (n, n) -> (size, n)",
     .example = "default_rng(0).multivariate_normal([1, 2], eye(2)).shape\n# -> (2,)",
     .see = "multivariate_normal"},
    {0},
};

/* The inner loops, in the compiler's vector types. Compiled once for each
 * instruction set (KERNEL_ISA) and number type (KERNEL_double or KERNEL_float);
 * N is the number, V a vector of LANES numbers, U the same bits as unsigned integers.
 *
 * Never with -ffast-math: masks are -inf, and nan must pass through. */
#include "engine/kernels.h"

#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64, TILE_ROWS = 14 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32, TILE_ROWS = 6 };
#else
enum { VECTOR_BYTES = 16, TILE_ROWS = 4 };
#endif

#if defined(KERNEL_double)
typedef double N;
typedef uint64_t Bits;
#define TABLE_TYPE DoubleKernels
#define TABLE_SUFFIX double
#elif defined(KERNEL_float)
typedef float N;
typedef uint32_t Bits;
#define TABLE_TYPE FloatKernels
#define TABLE_SUFFIX float
#endif

#define JOIN_EXPANDED(isa, suffix) kernels_##isa##_##suffix
#define JOIN(isa, suffix) JOIN_EXPANDED(isa, suffix)
#define TABLE JOIN(KERNEL_ISA, TABLE_SUFFIX)

#define INLINE static inline __attribute__((always_inline))

typedef N V __attribute__((vector_size(VECTOR_BYTES)));
typedef Bits U __attribute__((vector_size(VECTOR_BYTES)));
enum { LANES = VECTOR_BYTES / sizeof(N) };

INLINE V splat(N x) { return (V){0} + x; }

INLINE V load(const N *x) {
    V v;
    memcpy(&v, x, sizeof v);
    return v;
}

INLINE void store(N *x, V v) { memcpy(x, &v, sizeof v); }

/* The last few numbers of a row, the other lanes filled. */
INLINE V load_part(const N *x, size_t n, N fill) {
    V v = splat(fill);
    memcpy(&v, x, n * sizeof(N));
    return v;
}

INLINE void store_part(N *x, V v, size_t n) { memcpy(x, &v, n * sizeof(N)); }

/* mask: all bits of a lane or none, as comparisons of vectors give. */
INLINE V select(U mask, V yes, V no) { return (V)((mask & (U)yes) | (~mask & (U)no)); }

/* ---- the exponential function ----
 *
 * x = n ln 2 + r with |r| <= ln 2 / 2 (Cody and Waite: ln 2 in two parts, so that n times the
 * first is exact), exp(r) by its Taylor polynomial, whose remainder is below a tenth of an ulp,
 * and 2^n added to the exponent. What r and 1 + r lose in rounding is added with the small terms, so
 * that the result is within 0.8 ulp, in both types; below the smallest normal number it is 0. */

#if defined(KERNEL_double)
enum { MANTISSA = 52 };
static const N exp_least = -708.39, exp_greatest = 0x1.62e42fefa39efp+9;
static const N ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
static const N log2_e = 0x1.71547652b82fep+0, magic = 0x1.8p+52;
static const N taylor[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                           1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                           1.0 / 120,        1.0 / 24,        1.0 / 6,        1.0 / 2};
#else
enum { MANTISSA = 23 };
static const N exp_least = -87.33f, exp_greatest = 0x1.62e42ep+6f;
static const N ln2_high = 0x1.63p-1f, ln2_low = -0x1.bd0106p-13f;
static const N log2_e = 0x1.715476p+0f, magic = 0x1.8p+23f;
static const N taylor[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 1.0f / 2};
#endif
enum { TAYLOR_TERMS = sizeof taylor / sizeof taylor[0] };

/* exp(r) for x = n ln 2 + r; *power gets n in its lowest bits: adding the magic number leaves
 * the nearest whole number there. */
INLINE V exp_fraction(V x, U *power) {
    V shifted = x * log2_e + magic;
    V n = shifted - magic;
    V high = x - n * ln2_high;
    V r = high - n * ln2_low, lost = (high - r) - n * ln2_low;
    /* Two polynomials in r^2 side by side: half as long a chain as Horner's rule. */
    V square = r * r, odd = splat(taylor[0]), even = splat(taylor[1]);
    for (int i = 2; i < TAYLOR_TERMS; i += 2) {
        odd = odd * square + taylor[i];
        even = even * square + taylor[i + 1];
    }
    V q = odd * r + even;
    V first = r + (N)1;
    *power = (U)shifted;
    return first + ((r - (first - (N)1)) + (square * q + lost));
}

INLINE V exp_vector(V x) {
    U power;
    V e = exp_fraction(x, &power);
    V y = (V)((U)e + (power << MANTISSA));
    y = select((U)(x < exp_least), splat(0), y);
    y = select((U)(x > exp_greatest), splat((N)INFINITY), y);
    return select((U)(x != x), x, y);
}

/* For x <= 0, where 2^n can be a factor, which lets nan pass by itself. */
INLINE V exp_falling(V x) {
    U power;
    V e = exp_fraction(x, &power);
    V y = e * (V)((power << MANTISSA) + (U)splat(1));
    return select((U)(x < exp_least), splat(0), y);
}

static void exp_all(N *out, const N *x, size_t n) {
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) store(out + i, exp_vector(load(x + i)));
    if (i < n) store_part(out + i, exp_vector(load_part(x + i, n - i, 0)), n - i);
}

/* Halves onto halves: a short chain of additions. */
INLINE N sum_lanes(V v) {
    N part[LANES];
    store(part, v);
#pragma GCC unroll 4
    for (int width = LANES / 2; width > 0; width /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < width; i++) part[i] += part[i + width];
    return part[0];
}

/* -inf - -inf and -inf / inf would be nan: where they can come, `infinite` asks for a look. */
INLINE V exp_step(V x, N maximum, N temperature, bool divide, bool infinite) {
    V d = x - maximum;
    if (divide) d /= temperature;
    V e = infinite ? exp_vector(d) : exp_falling(d);
    return infinite ? select((U)(x == -(N)INFINITY), splat(0), e) : e;
}

INLINE N exp_sum_loop(N *out, const N *x, size_t n, N maximum, N temperature, bool divide, bool infinite) {
    V total = splat(0);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        V e = exp_step(load(x + i), maximum, temperature, divide, infinite);
        store(out + i, e);
        total += e;
    }
    if (i < n) {
        V e = exp_step(load_part(x + i, n - i, -(N)INFINITY), maximum, temperature, divide, infinite);
        store_part(out + i, e, n - i);
        total += e;
    }
    return sum_lanes(total);
}

static N exp_sum(N *out, const N *x, size_t n, N maximum, N temperature) {
    bool finite = isfinite(maximum) && isfinite(temperature) && temperature > 0;
    if (!finite) return exp_sum_loop(out, x, n, maximum, temperature, true, true);
    if (temperature == 1) return exp_sum_loop(out, x, n, maximum, temperature, false, false);
    return exp_sum_loop(out, x, n, maximum, temperature, true, false);
}

/* ---- elementwise ---- */

static void negative_all(N *out, const N *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = -x[i];
}

static void abs_all(N *out, const N *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = (N)fabs((double)x[i]);
}

static void sqrt_all(N *out, const N *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = (N)sqrt((double)x[i]);
}

static void relu_all(N *out, const N *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] < 0 ? 0 : x[i];
}

INLINE N combine(BinaryKernel kernel, N a, N b) {
    switch (kernel) {
    case KERNEL_ADD: return a + b;
    case KERNEL_SUBTRACT: return a - b;
    case KERNEL_MULTIPLY: return a * b;
    case KERNEL_DIVIDE: return a / b;
    case KERNEL_MAXIMUM: return a >= b || a != a ? a : b;
    case KERNEL_MINIMUM: return a <= b || a != a ? a : b;
    case BINARY_KERNELS: break;
    }
    return a;
}

/* Three loops, because a step that is only known at run time keeps the compiler from using vectors. */
INLINE void combine_all(BinaryKernel kernel, N *out, const N *a, size_t step_a, const N *b,
                        size_t step_b, size_t n) {
    if (step_a && step_b)
        for (size_t i = 0; i < n; i++) out[i] = combine(kernel, a[i], b[i]);
    else if (step_a)
        for (size_t i = 0, x = 0; i < n; i++) out[i] = combine(kernel, a[i], b[x]);
    else
        for (size_t i = 0; i < n; i++) out[i] = combine(kernel, a[0], b[i * step_b]);
}

static void add(N *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    combine_all(KERNEL_ADD, out, a, step_a, b, step_b, n);
}
static void subtract(N *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    combine_all(KERNEL_SUBTRACT, out, a, step_a, b, step_b, n);
}
static void multiply(N *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    combine_all(KERNEL_MULTIPLY, out, a, step_a, b, step_b, n);
}
static void divide(N *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    combine_all(KERNEL_DIVIDE, out, a, step_a, b, step_b, n);
}
static void maximum(N *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    combine_all(KERNEL_MAXIMUM, out, a, step_a, b, step_b, n);
}
static void minimum(N *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    combine_all(KERNEL_MINIMUM, out, a, step_a, b, step_b, n);
}

INLINE uint8_t holds(CompareKernel kernel, N a, N b) {
    switch (kernel) {
    case KERNEL_EQUAL: return a == b;
    case KERNEL_NOT_EQUAL: return a != b;
    case KERNEL_LESS: return a < b;
    case KERNEL_LESS_EQUAL: return a <= b;
    case COMPARE_KERNELS: break;
    }
    return 0;
}

INLINE void compare_all(CompareKernel kernel, uint8_t *out, const N *a, size_t step_a, const N *b,
                        size_t step_b, size_t n) {
    if (step_a && step_b)
        for (size_t i = 0; i < n; i++) out[i] = holds(kernel, a[i], b[i]);
    else
        for (size_t i = 0; i < n; i++) out[i] = holds(kernel, a[i * step_a], b[i * step_b]);
}

static void equal(uint8_t *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    compare_all(KERNEL_EQUAL, out, a, step_a, b, step_b, n);
}
static void not_equal(uint8_t *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    compare_all(KERNEL_NOT_EQUAL, out, a, step_a, b, step_b, n);
}
static void less(uint8_t *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    compare_all(KERNEL_LESS, out, a, step_a, b, step_b, n);
}
static void less_equal(uint8_t *out, const N *a, size_t step_a, const N *b, size_t step_b, size_t n) {
    compare_all(KERNEL_LESS_EQUAL, out, a, step_a, b, step_b, n);
}

static void scale(N *x, size_t n, N factor) {
    for (size_t i = 0; i < n; i++) x[i] *= factor;
}

/* ---- rows to one number ---- */

enum { SUM_WAYS = 8, SUM_BLOCK = 128 };

static N sum_block(const N *x, size_t n) {
    N total = 0, part[SUM_WAYS] = {0};
    size_t i = 0;
    if (n >= SUM_WAYS) {
        for (; i + SUM_WAYS <= n; i += SUM_WAYS)
            for (int j = 0; j < SUM_WAYS; j++) part[j] += x[i + j];
        total = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    }
    for (; i < n; i++) total += x[i];
    return total;
}

/* Halves are summed apart, so the error grows with log n. The order does not
 * depend on the instruction set. */
static N sum(const N *x, size_t n) {
    if (n <= SUM_BLOCK) return sum_block(x, n);
    size_t half = n / 2 / SUM_WAYS * SUM_WAYS;
    return sum(x, half) + sum(x + half, n - half);
}

/* Where one of the two is nan, best stays. */
INLINE V larger(V x, V best) { return select((U)(x > best), x, best); }

INLINE N max_lanes(V v) {
    N part[LANES];
    store(part, v);
#pragma GCC unroll 4
    for (int width = LANES / 2; width > 0; width /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < width; i++) part[i] = part[i] > part[i + width] ? part[i] : part[i + width];
    return part[0];
}

INLINE bool any_lane(U mask) {
    Bits any = 0;
    for (int i = 0; i < LANES; i++) any |= mask[i];
    return any != 0;
}

/* The maximum; nan where there is one, if that is to be `watched`, else what is not nan.
 * Two chains, because each step waits for the one before. */
INLINE N max_loop(const N *x, size_t n, bool watched) {
    V even = splat(-(N)INFINITY), odd = even;
    U nan = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        V a = load(x + i), b = load(x + i + LANES);
        even = larger(a, even);
        odd = larger(b, odd);
        if (watched) nan |= (U)(a != a) | (U)(b != b);
    }
    for (; i < n; i += LANES) {
        V a = load_part(x + i, n - i < LANES ? n - i : LANES, -(N)INFINITY);
        even = larger(a, even);
        if (watched) nan |= (U)(a != a);
    }
    return watched && any_lane(nan) ? (N)NAN : max_lanes(larger(even, odd));
}

static N max(const N *x, size_t n) { return max_loop(x, n, true); }

/* ---- softmax ----
 *
 * A few rows go through each pass together, so that none waits for the sum of the one before. */

enum { SOFTMAX_ROWS = 8 };

INLINE void softmax_rows(N *out, const N *x, size_t rows, size_t n, N temperature, bool divide) {
    N most[SOFTMAX_ROWS], total[SOFTMAX_ROWS];
    for (size_t r = 0; r < rows; r++) {
        N m = max_loop(x + r * n, n, false);
        most[r] = m == -(N)INFINITY ? 0 : m;
    }
    for (size_t r = 0; r < rows; r++)
        total[r] = exp_sum_loop(out + r * n, x + r * n, n, most[r], temperature, divide, false);
    for (size_t r = 0; r < rows; r++) scale(out + r * n, n, total[r] == 0 ? 0 : 1 / total[r]);
}

static void softmax(N *out, const N *x, size_t rows, size_t n, N temperature) {
    for (size_t r = 0; r < rows; r += SOFTMAX_ROWS) {
        size_t group = rows - r < SOFTMAX_ROWS ? rows - r : SOFTMAX_ROWS;
        if (temperature == 1) softmax_rows(out + r * n, x + r * n, group, n, 1, false);
        else softmax_rows(out + r * n, x + r * n, group, n, temperature, true);
    }
}

/* ---- matrix product ----
 *
 * Goto and van de Geijn 2008: blocks of a and b are packed into panels, and a
 * tile of c stays in registers while k runs. The panels at the edges are filled up
 * with zeros and run the same code, so that every element is summed in the same order.
 * Panels of a have TILE_ROWS, 4 or 1 rows, panels of b one or two vectors. */

enum {
    TILE_VECTORS = 2,
    TILE_COLUMNS = TILE_VECTORS * LANES,
    BLOCK_ROWS = TILE_ROWS * (int)(128 / sizeof(N)), /* with GEMM_DEPTH: under half of a 1 MB second cache */
    BLOCK_COLUMNS = 1024,
};

/* Number i of column p of a stands at a[i * a_row + p * a_column]. */
INLINE void tile_strided(const int rows, const int vectors, size_t k, N alpha, const N *restrict a, const size_t a_row,
                         const size_t a_column, const N *restrict b, N *restrict c, size_t ldc, bool accumulate) {
    V sum[TILE_ROWS][TILE_VECTORS];
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++) sum[i][j] = splat(0);
    for (size_t p = 0; p < k; p++) {
        V column[TILE_VECTORS];
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++) column[j] = load(b + j * LANES);
#pragma GCC unroll 16
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
            for (int j = 0; j < vectors; j++) sum[i][j] += column[j] * a[i * a_row];
        a += a_column;
        b += vectors * LANES;
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 2
        for (int j = 0; j < vectors; j++) {
            N *place = c + i * ldc + j * LANES;
            V product = sum[i][j] * alpha;
            store(place, accumulate ? load(place) + product : product);
        }
}

INLINE void tile(const int rows, const int vectors, size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc,
                 bool accumulate) {
    tile_strided(rows, vectors, k, alpha, a, 1, (size_t)rows, b, c, ldc, accumulate);
}

typedef void Tile(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate);

static void tile_full_2(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate) {
    tile(TILE_ROWS, 2, k, alpha, a, b, c, ldc, accumulate);
}
static void tile_full_1(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate) {
    tile(TILE_ROWS, 1, k, alpha, a, b, c, ldc, accumulate);
}
static void tile_4_2(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate) {
    tile(4, 2, k, alpha, a, b, c, ldc, accumulate);
}
static void tile_4_1(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate) {
    tile(4, 1, k, alpha, a, b, c, ldc, accumulate);
}
static void tile_1_2(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate) {
    tile(1, 2, k, alpha, a, b, c, ldc, accumulate);
}
static void tile_1_1(size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc, bool accumulate) {
    tile(1, 1, k, alpha, a, b, c, ldc, accumulate);
}

static size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

/* The height of the panel for the `rows` that are left, and the width likewise. */
static size_t panel_height(size_t rows) { return rows == 1 ? 1 : rows <= 4 ? 4 : TILE_ROWS; }
static size_t panel_width(size_t columns) { return columns <= LANES ? LANES : TILE_COLUMNS; }

static Tile *tile_for(size_t height, size_t width) {
    bool narrow = width == LANES;
    if (height == 1) return narrow ? tile_1_1 : tile_1_2;
    if (height == TILE_ROWS) return narrow ? tile_full_1 : tile_full_2;
    return narrow ? tile_4_1 : tile_4_2;
}

/* One panel of `width` lines: out[p * width + i] = x[i * line + p * along], zero past `lines`. */
INLINE void pack_panel(N *restrict out, const N *restrict x, size_t line, size_t along, size_t lines,
                       const size_t width, size_t k) {
    for (size_t p = 0; p < k; p++, x += along, out += width) {
        if (lines == width)
            for (size_t i = 0; i < width; i++) out[i] = x[i * line];
        else
            for (size_t i = 0; i < width; i++) out[i] = i < lines ? x[i * line] : 0;
    }
}

static void pack_rows(N *out, const N *a, size_t a_row, size_t a_column, size_t rows, size_t k) {
    while (rows > 0) {
        size_t height = panel_height(rows), filled = at_most(rows, height);
        if (height == TILE_ROWS)
            pack_panel(out, a, a_row, a_column, filled, TILE_ROWS, k);
        else
            pack_panel(out, a, a_row, a_column, filled, height, k);
        out += height * k;
        a += filled * a_row;
        rows -= filled;
    }
}

static void pack_columns(N *out, const N *b, size_t b_row, size_t b_column, size_t columns, size_t k) {
    while (columns > 0) {
        size_t width = panel_width(columns), filled = at_most(columns, width);
        if (filled == TILE_COLUMNS && b_column == 1)
            pack_panel(out, b, 1, b_row, filled, TILE_COLUMNS, k);
        else
            pack_panel(out, b, b_column, b_row, filled, width, k);
        out += width * k;
        b += filled * b_column;
        columns -= filled;
    }
}

/* A tile that reaches over the edge of c is made in `whole` and its part copied. */
static void tile_at_edge(Tile *run, size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc,
                         size_t rows, size_t columns, bool accumulate) {
    N whole[TILE_ROWS * TILE_COLUMNS] = {0};
    for (size_t i = 0; accumulate && i < rows; i++)
        memcpy(whole + i * TILE_COLUMNS, c + i * ldc, columns * sizeof(N));
    run(k, alpha, a, b, whole, TILE_COLUMNS, accumulate);
    for (size_t i = 0; i < rows; i++)
        memcpy(c + i * ldc, whole + i * TILE_COLUMNS, columns * sizeof(N));
}

/* c (m,n) from packed blocks of a and b. */
static void block(size_t m, size_t n, size_t k, N alpha, const N *a, const N *b, N *c, size_t ldc,
                  bool accumulate) {
    for (size_t j = 0; j < n; j += TILE_COLUMNS) {
        size_t width = panel_width(n - j), columns = at_most(n - j, width);
        for (size_t i = 0; i < m; i += TILE_ROWS) {
            size_t height = panel_height(m - i), rows = at_most(m - i, height);
            Tile *run = tile_for(height, width);
            const N *panel_a = a + i * k, *panel_b = b + j * k;
            N *corner = c + i * ldc + j;
            if (rows == height && columns == width)
                run(k, alpha, panel_a, panel_b, corner, ldc, accumulate);
            else
                tile_at_edge(run, k, alpha, panel_a, panel_b, corner, ldc, rows, columns, accumulate);
        }
    }
}

static size_t rows_up(size_t m) { return (at_most(m, BLOCK_ROWS) + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS; }
static size_t columns_up(size_t n) {
    return (at_most(n, BLOCK_COLUMNS) + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS;
}

/* Panels of a first; their size keeps those of b aligned. */
static size_t gemm_rows_bytes(size_t m, size_t k) {
    size_t bytes = rows_up(m) * at_most(k, GEMM_DEPTH) * sizeof(N);
    return (bytes + 63) / 64 * 64;
}

static size_t gemm_bytes(size_t m, size_t n, size_t k) {
    return gemm_rows_bytes(m, k) + columns_up(n) * at_most(k, GEMM_DEPTH) * sizeof(N);
}

static void clear(size_t m, size_t n, N *c, size_t ldc) {
    for (size_t i = 0; i < m; i++) memset(c + i * ldc, 0, n * sizeof(N));
}

static void gemm(size_t m, size_t n, size_t k, N alpha, const N *a, size_t a_row, size_t a_column,
                 const N *b, size_t b_row, size_t b_column, N *c, size_t ldc, bool accumulate, void *work) {
    N *panels_a = work, *panels_b = (N *)((char *)work + gemm_rows_bytes(m, k));
    if (k == 0 && !accumulate) clear(m, n, c, ldc);
    for (size_t j = 0; j < n; j += BLOCK_COLUMNS) {
        size_t columns = at_most(n - j, BLOCK_COLUMNS);
        for (size_t p = 0; p < k; p += GEMM_DEPTH) {
            size_t depth = at_most(k - p, GEMM_DEPTH);
            pack_columns(panels_b, b + p * b_row + j * b_column, b_row, b_column, columns, depth);
            for (size_t i = 0; i < m; i += BLOCK_ROWS) {
                size_t rows = at_most(m - i, BLOCK_ROWS);
                pack_rows(panels_a, a + i * a_row + p * a_column, a_row, a_column, rows, depth);
                block(rows, columns, depth, alpha, panels_a, panels_b, c + i * ldc + j, ldc,
                      accumulate || p > 0);
            }
        }
    }
}

#include "engine/kernels_attention.inc"

extern const TABLE_TYPE TABLE;
const TABLE_TYPE TABLE = {
    .unary = {[KERNEL_EXP] = exp_all,
              [KERNEL_NEGATIVE] = negative_all,
              [KERNEL_ABS] = abs_all,
              [KERNEL_SQRT] = sqrt_all,
              [KERNEL_RELU] = relu_all},
    .binary = {[KERNEL_ADD] = add,
               [KERNEL_SUBTRACT] = subtract,
               [KERNEL_MULTIPLY] = multiply,
               [KERNEL_DIVIDE] = divide,
               [KERNEL_MAXIMUM] = maximum,
               [KERNEL_MINIMUM] = minimum},
    .compare = {[KERNEL_EQUAL] = equal,
                [KERNEL_NOT_EQUAL] = not_equal,
                [KERNEL_LESS] = less,
                [KERNEL_LESS_EQUAL] = less_equal},
    .sum = sum,
    .max = max,
    .exp_sum = exp_sum,
    .scale = scale,
    .softmax = softmax,
    .gemm = gemm,
    .gemm_work = (size_t)(BLOCK_ROWS + BLOCK_COLUMNS) * GEMM_DEPTH * sizeof(N),
    .gemm_bytes = gemm_bytes,
    .largest = largest,
    .pack_queries = pack_queries,
    .pack_keys = pack_keys,
    .pack_values = pack_values,
    .tile_scores = tile_scores,
    .tile_add = tile_add,
    .tile_hide = tile_hide,
    .tile_soften = tile_soften,
    .tile_outputs = tile_outputs,
};

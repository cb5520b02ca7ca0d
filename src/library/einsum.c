/* einsum: products of arrays in which each axis has a letter. Axes with one letter are multiplied
 * with each other, and a letter that the result does not have is summed over.
 *
 * The operands are joined from left to right, two at a time. A pair whose letters make a product of
 * matrices, as "bhqd,bhkd->bhqk" does, is one call of the operator of @; everything is made of
 * operators, so it has derivatives. */
#include "base/memory.h"
#include "library/arguments.h"

#include <ctype.h>
#include <string.h>

/* A label is a letter, by its index in A…Za…z, or after these an axis of "...", counted so that the
 * last axis has the last label. */
enum { LETTERS = 52, LABELS = LETTERS + AXES_MAX };

/* Some axes, in order. */
typedef struct Axes {
    int count;
    int labels[2 * AXES_MAX]; /* room for those of two arrays */
} Axes;

/* An array whose axes have labels, each once after term_take_diagonal. */
typedef struct Term {
    Tensor *tensor;
    Axes axes;
    const char *text; /* its letters in the subscripts, "bhqd" */
    int length;
} Term;

typedef struct Einsum {
    Term *terms;
    size_t count;
    Axes result;
    int ellipsis;        /* the most axes that a "..." covers */
    size_t size[LABELS]; /* of the axis; 1 broadcasts */
    const Term *sized_by[LABELS];
    int uses[LABELS]; /* the number of operands' axes with the label */
} Einsum;

static char letter_of(int label) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return label < LETTERS ? letters[label] : '.';
}

static int place_in(const Axes *axes, int label) {
    for (int i = 0; i < axes->count; i++)
        if (axes->labels[i] == label) return i;
    return -1;
}

static bool axes_have(const Axes *axes, int label) { return place_in(axes, label) >= 0; }

/* ---- reading the subscripts ---- */

static bool axes_append(Axes *axes, int label, Error *err) {
    if (axes->count == AXES_MAX)
        return error_set(err, ERR_SHAPE, "einsum: an array has at most %d axes", AXES_MAX);
    axes->labels[axes->count++] = label;
    return true;
}

static bool append_ellipsis(Axes *axes, int count, Error *err) {
    for (int i = 0; i < count; i++)
        if (!axes_append(axes, LABELS - count + i, err)) return false;
    return true;
}

/* Reads the letters of one operand, or of the result, where "..." covers `ellipsis` axes. */
static bool read_axes(const char *text, int length, int ellipsis, Axes *out, bool *dots,
                      Error *err) {
    *out = (Axes){0};
    *dots = false;
    for (int i = 0; i < length; i++) {
        char c = text[i];
        if (c == ' ') continue;
        if (c == '.') {
            bool whole = i + 2 < length && text[i + 1] == '.' && text[i + 2] == '.';
            if (!whole || *dots)
                return error_set(err, ERR_VALUE,
                                 "einsum: \"%.*s\": \"...\" is written once, as three dots", length,
                                 text);
            *dots = true;
            i += 2;
            if (!append_ellipsis(out, ellipsis, err)) return false;
            continue;
        }
        if (!isalpha((unsigned char)c)) {
            error_set(err, ERR_VALUE, "einsum: \"%.*s\" holds more than letters from a to z",
                      length, text);
            return error_hint(err, "For example: einsum(\"ij,jk->ik\", A, B).");
        }
        int label = isupper((unsigned char)c) ? c - 'A' : c - 'a' + LETTERS / 2;
        if (!axes_append(out, label, err)) return false;
    }
    return true;
}

/* Gives the axes of one operand their labels, and each label its size. */
static bool label_operand(Einsum *e, Term *term, Error *err) {
    const Shape *shape = &term->tensor->shape;
    int letters = 0;
    bool dots;
    for (int i = 0; i < term->length; i++) letters += isalpha((unsigned char)term->text[i]) != 0;
    int ellipsis = shape->axes > letters ? shape->axes - letters : 0;
    if (!read_axes(term->text, term->length, ellipsis, &term->axes, &dots, err)) return false;
    if (letters > shape->axes || (!dots && letters != shape->axes)) {
        error_set(err, ERR_SHAPE, "einsum: \"%.*s\" has %d letter%s, but its operand is %s",
                  term->length, term->text, letters, letters == 1 ? "" : "s", shape_words(shape));
        return letters < shape->axes && error_hint(err, "\"...\" stands for the axes in front.");
    }
    if (ellipsis > e->ellipsis) e->ellipsis = ellipsis;
    for (int i = 0; i < shape->axes; i++) {
        int label = term->axes.labels[i];
        size_t size = shape->size[i], known = e->size[label];
        if (e->uses[label]++ && known != size && known != 1 && size != 1)
            return error_set(err, ERR_SHAPE, "einsum: %c is %zu in \"%.*s\" and %zu in \"%.*s\"",
                             letter_of(label), known, e->sized_by[label]->length,
                             e->sized_by[label]->text, size, term->length, term->text);
        if (e->uses[label] > 1 && known != 1) continue;
        e->size[label] = size;
        e->sized_by[label] = term;
    }
    return true;
}

static bool read_subscripts(Einsum *e, const char *text, Error *err) {
    const char *arrow = strstr(text, "->"), *end = arrow ? arrow : text + strlen(text);
    size_t parts = 1;
    for (const char *at = text; at < end; at++) parts += *at == ',';
    if (parts != e->count) {
        error_set(err, ERR_VALUE, "einsum: \"%s\" is for %zu operands, but there are %zu", text,
                  parts, e->count);
        return error_hint(err, "For example: einsum(\"ij,jk->ik\", A, B).");
    }
    for (size_t i = 0; i < e->count; i++) {
        Term *term = &e->terms[i];
        term->text = text;
        while (text < end && *text != ',') text++;
        term->length = (int)(text++ - term->text);
        if (!label_operand(e, term, err)) return false;
    }
    if (!arrow) { /* the result has the axes of "..." and the letters that occur once, in order */
        if (!append_ellipsis(&e->result, e->ellipsis, err)) return false;
        for (int label = 0; label < LETTERS; label++)
            if (e->uses[label] == 1 && !axes_append(&e->result, label, err)) return false;
        return true;
    }

    const char *result = arrow + 2;
    bool dots;
    if (!read_axes(result, (int)strlen(result), e->ellipsis, &e->result, &dots, err)) return false;
    if (e->ellipsis && !dots)
        return error_set(err, ERR_VALUE, "einsum: the result \"%s\" leaves out \"...\"", result);
    for (int i = 0; i < e->result.count; i++) {
        int label = e->result.labels[i];
        if (!e->uses[label])
            return error_set(err, ERR_VALUE, "einsum: %c of the result \"%s\" is in no operand",
                             letter_of(label), result);
        if (place_in(&e->result, label) < i)
            return error_set(err, ERR_VALUE, "einsum: %c is twice in the result \"%s\"",
                             letter_of(label), result);
    }
    return true;
}

/* ---- one operand ---- */

/* Drops an axis of size 1 that another operand has longer: the product repeats it. */
static bool term_drop_ones(Term *term, const Einsum *e, Error *err) {
    Shape shape = shape_scalar();
    Axes kept = {0};
    for (int i = 0; i < term->axes.count; i++) {
        int label = term->axes.labels[i];
        if (term->tensor->shape.size[i] == 1 && e->size[label] != 1) continue;
        shape.size[shape.axes++] = term->tensor->shape.size[i];
        kept.labels[kept.count++] = label;
    }
    if (kept.count == term->axes.count) return true;
    term->axes = kept;
    term->tensor = compute_reshape(term->tensor, &shape, err);
    return term->tensor != NULL;
}

/* "ii" is the diagonal: the elements are picked from all of them in a row. */
static bool term_take_diagonal(Term *term, Error *err) {
    const Shape *whole = &term->tensor->shape;
    Axes once = {0};
    Shape shape = shape_scalar();
    size_t strides[AXES_MAX] = {0};
    for (int i = 0; i < term->axes.count; i++) {
        int place = place_in(&once, term->axes.labels[i]);
        if (place < 0) {
            place = once.count++;
            once.labels[place] = term->axes.labels[i];
            shape.size[shape.axes++] = whole->size[i];
        }
        if (whole->size[i] != shape.size[place])
            return error_set(err, ERR_SHAPE, "einsum: %c is %zu and %zu in \"%.*s\"",
                             letter_of(once.labels[place]), shape.size[place], whole->size[i],
                             term->length, term->text);
        strides[place] += shape_stride(whole, i);
    }
    if (once.count == term->axes.count) return true;

    Tensor *places = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; places && i < places->count; i++) {
        size_t place = 0;
        for (int axis = 0; axis < shape.axes; axis++)
            place += i / shape_stride(&shape, axis) % shape.size[axis] * strides[axis];
        tensor_doubles(places)[i] = (double)place;
    }
    term->axes = once;
    term->tensor = compute_pick(compute_flat(term->tensor, err), 0, places, err);
    return term->tensor != NULL;
}

/* Sums over the axes whose label is not needed, nor one of `also`. */
static bool term_sum_unused(Term *term, const bool *needed, const Axes *also, Error *err) {
    OpAttributes summed = {0};
    Axes kept = {0};
    for (int i = 0; i < term->axes.count; i++) {
        int label = term->axes.labels[i];
        if (needed[label] || (also && axes_have(also, label))) kept.labels[kept.count++] = label;
        else summed.axes[summed.axis_count++] = i;
    }
    if (summed.axis_count == 0) return true;
    term->axes = kept;
    term->tensor = compute(OP_SUM, term->tensor, &summed, err);
    return term->tensor != NULL;
}

static bool same_axes(const Axes *a, const Axes *b) {
    return a->count == b->count &&
           memcmp(a->labels, b->labels, sizeof(int) * (size_t)a->count) == 0;
}

/* The array with its axes in another order. */
static Tensor *in_order(const Term *term, const Axes *order, Error *err) {
    OpAttributes attributes = {.axis_count = order->count};
    if (same_axes(&term->axes, order)) return tensor_ref(term->tensor);
    for (int i = 0; i < order->count; i++)
        attributes.axes[i] = place_in(&term->axes, order->labels[i]);
    return compute(OP_TRANSPOSE, tensor_ref(term->tensor), &attributes, err);
}

/* ---- two operands ---- */

/* The axes of a pair: of both and of the result, of one alone, of both and summed over. */
typedef struct Pair {
    Axes batch, left, right, summed;
    size_t batches, rows, columns, terms; /* the number of elements of these together */
} Pair;

static void pair_add(const Einsum *e, Axes *axes, size_t *elements, int label) {
    axes->labels[axes->count++] = label;
    *elements *= e->size[label];
}

static Pair pair_of(const Einsum *e, const Term *a, const Term *b, const bool *needed) {
    Pair pair = {.batches = 1, .rows = 1, .columns = 1, .terms = 1};
    for (int i = 0; i < a->axes.count; i++) {
        int label = a->axes.labels[i];
        if (!axes_have(&b->axes, label)) pair_add(e, &pair.left, &pair.rows, label);
        else if (needed[label]) pair_add(e, &pair.batch, &pair.batches, label);
        else pair_add(e, &pair.summed, &pair.terms, label);
    }
    for (int i = 0; i < b->axes.count; i++)
        if (!axes_have(&a->axes, b->axes.labels[i]))
            pair_add(e, &pair.right, &pair.columns, b->axes.labels[i]);
    return pair;
}

static Axes join_axes(const Axes *first, const Axes *second, const Axes *third) {
    Axes all = {0};
    const Axes *parts[] = {first, second, third};
    for (int part = 0; part < 3; part++)
        for (int i = 0; i < parts[part]->count; i++)
            all.labels[all.count++] = parts[part]->labels[i];
    return all;
}

/* One side of the product as matrices (batches, rows, columns), where `inner` are the columns; or
 * transposed, *transposed, where the axes are in that order already. */
static Tensor *as_matrices(const Term *term, const Pair *pair, const Axes *outer, size_t outer_size,
                           bool inner_first, bool *transposed, Error *err) {
    Axes outer_last = join_axes(&pair->batch, &pair->summed, outer),
         inner_last = join_axes(&pair->batch, outer, &pair->summed);
    *transposed = same_axes(&term->axes, inner_first ? &inner_last : &outer_last);
    bool outer_is_last = inner_first != *transposed;
    Shape shape = outer_is_last ? shape_3d(pair->batches, pair->terms, outer_size)
                                : shape_3d(pair->batches, outer_size, pair->terms);
    Tensor *x = in_order(term, outer_is_last ? &outer_last : &inner_last, err);
    return compute_reshape(x, &shape, err);
}

static Tensor *product_of_matrices(const Term *a, const Term *b, const Pair *pair, Error *err) {
    bool transpose_a, transpose_b;
    Tensor *left = as_matrices(a, pair, &pair->left, pair->rows, false, &transpose_a, err);
    Tensor *right = as_matrices(b, pair, &pair->right, pair->columns, true, &transpose_b, err);
    return compute_matmul(left, transpose_a, right, transpose_b, err);
}

/* The same where no matrices are multiplied: each row of one side with each of the other, element
 * by element. */
static Tensor *product_of_elements(const Term *a, const Term *b, const Pair *pair, Error *err) {
    Axes left = join_axes(&pair->batch, &pair->left, &pair->summed),
         right = join_axes(&pair->batch, &pair->right, &pair->summed);
    Shape rows = {4, {pair->batches, pair->rows, 1, pair->terms}},
          columns = {4, {pair->batches, 1, pair->columns, pair->terms}};
    Tensor *x = compute_reshape(in_order(a, &left, err), &rows, err),
           *y = compute_reshape(in_order(b, &right, err), &columns, err);
    Tensor *product = compute_multiply(x, y, err);
    return pair->summed.count ? compute_axis(OP_SUM, product, -1, false, err) : product;
}

/* Joins b to a: their product, in which only the axes that are needed are left. */
static bool join_terms(const Einsum *e, Term *a, Term *b, const bool *needed, Error *err) {
    if (!term_sum_unused(a, needed, &b->axes, err) || !term_sum_unused(b, needed, &a->axes, err))
        return false;
    Pair pair = pair_of(e, a, b, needed);
    Shape shape = shape_scalar();
    if (pair.batch.count + pair.left.count + pair.right.count > AXES_MAX) {
        error_set(err, ERR_SHAPE, "einsum: \"%.*s\" would make an array of more than %d axes",
                  b->length, b->text, AXES_MAX);
        return error_hint(err, "Put the operands that share letters beside each other.");
    }
    Axes axes = join_axes(&pair.batch, &pair.left, &pair.right);
    for (int i = 0; i < axes.count; i++) shape.size[shape.axes++] = e->size[axes.labels[i]];

    bool rows = pair.batches > 1 && pair.rows == 1 && pair.columns == 1;
    Tensor *product = pair.summed.count == 0 || rows ? product_of_elements(a, b, &pair, err)
                                                     : product_of_matrices(a, b, &pair, err);
    tensor_unref(a->tensor);
    a->tensor = compute_reshape(product, &shape, err);
    a->axes = axes;
    return a->tensor != NULL;
}

/* ---- all of them ---- */

/* Marks the labels that the result has, or an operand from number `from` on. */
static void mark_needed(const Einsum *e, size_t from, bool needed[LABELS]) {
    memset(needed, 0, LABELS * sizeof *needed);
    for (size_t j = from; j <= e->count; j++) {
        const Axes *axes = j < e->count ? &e->terms[j].axes : &e->result;
        for (int i = 0; i < axes->count; i++) needed[axes->labels[i]] = true;
    }
}

static Tensor *contract(Einsum *e, Error *err) {
    Term *all = &e->terms[0];
    bool needed[LABELS];
    for (size_t i = 0; i < e->count; i++)
        if (!term_take_diagonal(&e->terms[i], err) || !term_drop_ones(&e->terms[i], e, err))
            return NULL;
    for (size_t i = 1; i < e->count; i++) {
        mark_needed(e, i + 1, needed);
        if (!join_terms(e, all, &e->terms[i], needed, err)) return NULL;
    }
    mark_needed(e, e->count, needed);
    if (!term_sum_unused(all, needed, NULL, err)) return NULL;
    return in_order(all, &e->result, err);
}

static bool einsum(const Call *call, Value *out, Error *err) {
    Einsum e = {.count = call->rest_count};
    if (e.count == 0)
        return error_set(err, ERR_TYPE, "einsum needs arrays behind the subscripts") ||
               error_hint(err, "For example: einsum(\"ij,jk->ik\", A, B).");
    e.terms = mem_zeroed(e.count, sizeof *e.terms, err);
    if (!e.terms) return false;
    for (size_t i = 0; i < e.count; i++) e.terms[i].tensor = tensor_ref(call->rest[i].tensor);
    bool ok = read_subscripts(&e, string_at(call, 0)->data, err) && give(contract(&e, err), out);
    for (size_t i = 0; i < e.count; i++) tensor_unref(e.terms[i].tensor);
    mem_free(e.terms);
    return ok;
}

#define GROUP "linear algebra"

const BuiltinDef einsum_table[] = {
    {BUILTIN("einsum", einsum), .parameters = "subscripts:text *operands:array optimize:any=False",
     .summary =
         "Products and sums of arrays whose axes have letters. Axes with one letter are multiplied "
         "element by element, and a letter that the result does not have is summed over: "
         "\"ij,jk->ik\" is the matrix product, \"bhqd,bhkd->bhqk\" the scores of attention with "
         "heads. \"...\" stands for further axes, a letter that is repeated in one operand for its "
         "diagonal. Without -> the result has the letters that occur once, in order.",
     .shapes = "as the letters say", .formula = "outᵢₖ = Σⱼ aᵢⱼ bⱼₖ for \"ij,jk->ik\"",
     .example = "einsum(\"ij,jk->ik\", [[1, 2], [3, 4]], eye(2))\n# -> [[1, 2],⏎ [3, 4]]\n"
                "einsum(\"ii\", [[1, 2], [3, 4]])\n# -> 5\n"
                "einsum(\"qd,kd->qk\", [[1, 0], [1, 1]], [[2, 3]])\n# -> [[2],⏎ [5]]",
     .see = "matmul dot outer transpose"},
    {0},
};

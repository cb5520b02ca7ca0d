#include "engine/attention/mask.h"

#include "base/interrupt.h"

#include <string.h>

bool mask_add(MaskSpec *mask, const MaskDef *kind, double number, Tensor *array, Error *err) {
    WordTerm term = {&kind->words, kind->words.takes == WORD_TAKES_WHOLE, number, array};
    if (!word_check(&term, err)) return false;
    if (mask->count == MASK_TERMS_MAX)
        return error_set(err, ERR_LIMIT, "a mask joins at most %d terms", MASK_TERMS_MAX);
    mask->terms[mask->count++] = (MaskTerm){kind, number, tensor_ref(array)};
    return true;
}

void mask_release(MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++) tensor_unref(mask->terms[t].array);
    mask->count = 0;
}

void mask_copy(MaskSpec *out, const MaskSpec *mask) {
    *out = *mask;
    for (int t = 0; t < out->count; t++) tensor_ref(out->terms[t].array);
}

bool mask_read(WordSource *source, MaskSpec *out, Error *err) {
    MaskSpec mask = {.count = 0};
    bool ok;
    do {
        WordTerm term;
        ok = word_read(source, &mask_grammar, &term, err);
        if (!ok) break;
        const MaskDef *kind = (const MaskDef *)term.def; /* whose first member it is */
        if (kind == &no_mask && mask.count == 0) break;
        if (kind == &no_mask) ok = error_set(err, ERR_VALUE, "the mask none is given alone");
        else ok = mask_add(&mask, kind, term.number, term.array, err);
        tensor_unref(term.array);
    } while (ok && source->take(source, mask_grammar.joint));
    if (ok) *out = mask;
    else mask_release(&mask);
    return ok;
}

bool mask_parse(MaskSpec *out, const char *words, Error *err) {
    WordText text = word_text(words);
    MaskSpec mask;
    if (!mask_read(&text.source, &mask, err)) return false;
    bool ok = word_text_finish(&text, &mask_grammar, err);
    if (ok) *out = mask;
    else mask_release(&mask);
    return ok;
}

void mask_write_term(Text *text, const MaskTerm *term) {
    const WordDef *words = &term->kind->words;
    word_write(text, words, words->takes == WORD_TAKES_WHOLE, term->number);
}

void mask_write(Text *text, const MaskSpec *mask) {
    if (mask->count == 0) text_string(text, no_mask.words.word);
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (t > 0) text_format(text, " %s ", mask_grammar.joint);
        mask_write_term(text, term);
        if (term->array) text_string(text, term->kind->words.word ? " array" : "array");
    }
}

/* ---- resolving the terms ---- */

bool mask_adds(const MaskTerm *term) {
    return term->kind->over_scores && term->array->dtype != DTYPE_BOOL;
}

bool mask_has_numbers(const MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++)
        if (mask_adds(&mask->terms[t])) return true;
    return false;
}

bool mask_looks_boolean(const MaskTerm *term, int *seen) {
    if (!mask_adds(term)) return false;
    const Tensor *array = term->array;
    size_t keys = array->shape.axes ? shape_columns(&array->shape) : 1;
    bool one = false, row_without_one = false, row_without_zero = false;
    for (size_t i = 0; i < array->count; i += keys) {
        size_t ones = 0;
        for (size_t j = i; j < i + keys; j++) {
            double x = tensor_get(array, j);
            if (x != 0 && x != 1) return false;
            ones += x == 1;
        }
        one = one || ones > 0;
        row_without_one = row_without_one || ones == 0;
        row_without_zero = row_without_zero || ones == keys;
    }
    *seen = row_without_one && !row_without_zero ? 0 : 1;
    return one;
}

bool mask_is_range(const MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++)
        if (mask->terms[t].kind->hide) return false;
    return true;
}

bool mask_check(const MaskSpec *mask, GridSize size, long long offset, Error *err) {
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (term->kind->check && !term->kind->check(term, size, offset, err)) return false;
    }
    return true;
}

/* ---- a row ---- */

void mask_range(const MaskSpec *mask, long long first, long long last, size_t keys, size_t *begin,
                size_t *end) {
    double from = 0, to = (double)keys;
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (term->kind->range)
            term->kind->range(term->number, (double)first, (double)last, &from, &to);
    }
    bool empty = from >= to;
    *begin = empty ? 0 : (size_t)from;
    *end = empty ? 0 : (size_t)to;
}

bool mask_apart(const MaskSpec *mask, long long first, size_t rows, size_t begin, size_t end) {
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (term->kind->apart && term->kind->apart(term->array, first, rows, begin, end))
            return true;
    }
    return false;
}

void mask_visible_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end,
                      long long offset, uint8_t *row) {
    long long at = offset + (long long)place.query;
    size_t from, to;
    memset(row, 0, end - begin);
    mask_range(mask, at, at, end, &from, &to);
    if (from < begin) from = begin;
    if (from >= to) return;
    MaskRow part = {place, at, from, to, true, row + (from - begin)};
    memset(part.row, 1, to - from);
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (!term->kind->hide) continue;
        term->kind->hide(term, &part);
        part.whole = false;
    }
}

void mask_add_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end, double *row) {
    for (int t = 0; t < mask->count; t++)
        if (mask_adds(&mask->terms[t])) grid_add_row(mask->terms[t].array, place, begin, end, row);
}

/* ---- all rows ---- */

/* Visibility as booleans, or what is added as double: (Tq,Tk), or (heads,Tq,Tk) where an array
 * differs from head to head. */
static Tensor *resolve_rows(const MaskSpec *mask, DType dtype, GridSize size, long long offset,
                            Error *err) {
    bool numbers = dtype == DTYPE_DOUBLE, by_head = false;
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (term->kind->over_scores && mask_adds(term) == numbers && grid_by_head(term->array))
            by_head = true;
    }
    Shape shape =
        by_head ? shape_3d(size.heads, size.queries, size.keys) : shape_2d(size.queries, size.keys);
    Tensor *out = tensor_zeros(dtype, &shape, err);
    size_t rows = (by_head ? size.heads : 1) * size.queries;
    for (size_t r = 0; out && r < rows; r++) {
        if (interrupted(err)) return tensor_if(false, out);
        GridPlace place = {size.heads, r / size.queries, r % size.queries};
        if (numbers) mask_add_row(mask, place, 0, size.keys, tensor_doubles(out) + r * size.keys);
        else mask_visible_row(mask, place, 0, size.keys, offset, tensor_bools(out) + r * size.keys);
    }
    return out;
}

bool mask_resolve(const MaskSpec *mask, size_t heads, size_t queries, size_t keys, long long offset,
                  Tensor **visible, Tensor **added, Error *err) {
    GridSize size = {heads, queries, keys, .samples = 1};
    bool adds = mask_has_numbers(mask);
    if (!mask_check(mask, size, offset, err)) return false;
    LocalTensor *shown = resolve_rows(mask, DTYPE_BOOL, size, offset, err);
    if (!shown) return false;
    Tensor *sum = adds ? resolve_rows(mask, DTYPE_DOUBLE, size, offset, err) : NULL;
    if (adds && !sum) return false;
    *visible = tensor_ref(shown);
    *added = sum;
    return true;
}

Tensor *mask_alone(const MaskTerm *term, size_t queries, size_t keys, Error *err) {
    MaskSpec mask = {.count = 0};
    Tensor *visible = NULL, *added;
    if (mask_add(&mask, term->kind, term->number, term->array, err))
        mask_resolve(&mask, 1, queries, keys, 0, &visible, &added, err);
    mask_release(&mask);
    return visible;
}

#include "engine/attention/position.h"

#include "base/interrupt.h"
#include "engine/operators/compute.h"

void position_release(PositionSpec *position) {
    tensor_unref(position->table);
    *position = (PositionSpec){.kind = &no_position};
}

void position_copy(PositionSpec *out, const PositionSpec *position) {
    *out = *position;
    tensor_ref(out->table);
}

/* ---- words ---- */

bool position_read(WordSource *source, PositionSpec *out, Error *err) {
    WordTerm term;
    if (!word_read(source, &position_grammar, &term, err)) return false;
    *out = (PositionSpec){.kind = (const PositionDef *)term.def, /* whose first member it is */
                          .has_number = term.has_number,
                          .number = term.number,
                          .table = term.array};
    return true;
}

bool position_parse(PositionSpec *out, const char *words, Error *err) {
    WordText text = word_text(words);
    return position_read(&text.source, out, err) && word_text_finish(&text, &position_grammar, err);
}

void position_write(Text *text, const PositionSpec *position) {
    word_write(text, &position->kind->words, position->has_number, position->number);
    if (position->table) text_string(text, " array");
}

/* ---- rows and terms ---- */

Tensor *position_rows(const PositionSpec *position, size_t n, size_t d, long long offset,
                      Error *err) {
    return position->kind->rows(position, n, d, offset, err);
}

Tensor *position_added(Tensor *x, const PositionSpec *position, long long offset, Error *err) {
    if (!position_is_additive(position->kind)) return tensor_ref(x);
    const size_t *last = x->shape.size + x->shape.axes - 2;
    LocalTensor *rows = position_rows(position, last[0], last[1], offset, err);
    LocalTensor *same =
        rows ? tensor_cast(rows, x->dtype == DTYPE_FLOAT ? DTYPE_FLOAT : DTYPE_DOUBLE, err) : NULL;
    return same ? op_binary(OP_ADD, x, same, err) : NULL;
}

bool position_check(const PositionSpec *position, size_t heads, size_t head_width, Error *err) {
    return !position->kind->check || position->kind->check(position, heads, head_width, err);
}

Tensor *position_bias(const PositionSpec *position, size_t heads, size_t queries, size_t keys,
                      long long offset, Error *err) {
    if (!position_check(position, heads, 0, err)) return NULL;
    Shape shape = shape_3d(heads, queries, keys);
    Tensor *bias = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t r = 0; bias && r < heads * queries; r++) {
        if (interrupted(err)) return tensor_if(false, bias);
        long long place = offset + (long long)(r % queries);
        position->kind->score_row(position, heads, r / queries, place, keys,
                                  tensor_doubles(bias) + r * keys);
    }
    return bias;
}

Tensor *position_table_term(Tensor *table, size_t queries, size_t keys, long long offset,
                            Error *err) {
    size_t heads = table->shape.axes == 2 ? table->shape.size[0] : 1;
    Shape shape = heads > 1 ? shape_3d(heads, queries, keys) : shape_2d(queries, keys);
    Tensor *entries = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t r = 0; entries && r < heads * queries; r++)
        for (size_t j = 0; j < keys; j++) {
            long long distance = offset + (long long)(r % queries) - (long long)j;
            tensor_doubles(entries)[r * keys + j] =
                (double)position_table_entry(table, r / queries, distance);
        }
    return compute_pick(compute_flat(tensor_ref(table), err), 0, entries, err);
}

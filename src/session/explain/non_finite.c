#include "session/explain/non_finite.h"

#include "base/memory.h"
#include "base/number.h"
#include "session/bench/measure.h"
#include "session/bench/place.h"

#include <math.h>

/* ---- the first one among the inputs ---- */

/* An input by name. */
typedef struct NamedArray {
    const char *name;
    const Tensor *array;
    bool keeps_minus_inf; /* a mask may hold -inf, which hides */
} NamedArray;

/* The index of the first number that is not finite; the count where there is none. */
static size_t first_in(const NamedArray *input) {
    const Tensor *array = input->array;
    size_t i = 0;
    for (; i < array->count; i++) {
        double x = tensor_get(array, i);
        if (!isfinite(x) && !(input->keeps_minus_inf && x == -INFINITY)) break;
    }
    return i;
}

/* Appends "K[2, 1] is nan", or with one of several "K[2, 1] is nan, the first of 3 such numbers".
 */
static void write_place(const NamedArray *input, size_t first, Text *out) {
    const Tensor *array = input->array;
    size_t count = 0, rest = first, size = array->count;
    for (size_t i = first; i < array->count; i++) {
        double x = tensor_get(array, i);
        count += !isfinite(x) && !(input->keeps_minus_inf && x == -INFINITY);
    }
    text_format(out, "%s[", input->name);
    for (int a = 0; a < array->shape.axes; a++) {
        size /= array->shape.size[a];
        text_format(out, "%s%zu", a ? ", " : "", rest / size);
        rest %= size;
    }
    text_string(out, "] is ");
    number_write(out, tensor_get(array, first), 1);
    if (count > 1) text_format(out, ", the first of %zu such numbers", count);
}

/* Appends it of the inputs of the run. False: all of them are finite. */
static bool write_first(const Session *session, const Run *run, Text *out) {
    const AttentionGiven *given = &run->given;
    const Inputs *inputs = &session->bench.inputs;
    const Tensor *arrays[INPUTS_MOST] = {given->q, given->k, given->v};
    static const char *const roles[][INPUTS_MOST] = {{"Q", "K", "V"}, {"X", "Y", ""}};
    NamedArray all[INPUTS_MOST + 4 + MASK_TERMS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < INPUTS_MOST; i++) {
        const Symbol *symbol = inputs->items[i].name;
        all[count++] =
            (NamedArray){symbol ? symbol->name : roles[given->multihead][i], arrays[i], false};
    }
    const Tensor *weights[] = {given->weights.q, given->weights.k, given->weights.v,
                               given->weights.o};
    for (size_t i = 0; i < 4; i++)
        all[count++] = (NamedArray){projection_names[i], weights[i], false};
    const MaskSpec *mask = &given->spec.mask;
    for (int t = 0; t < mask->count; t++) {
        const Symbol *symbol = session->bench.settings.mask_names[t];
        if (mask_adds(&mask->terms[t]))
            all[count++] =
                (NamedArray){symbol ? symbol->name : "the mask", mask->terms[t].array, true};
    }
    for (size_t i = 0; i < count; i++) {
        if (!all[i].array) continue;
        size_t first = first_in(&all[i]);
        if (first == all[i].array->count) continue;
        write_place(&all[i], first, out);
        return true;
    }
    return false;
}

/* ---- the rows that it reaches ---- */

typedef struct BadRows {
    const Run *run;
    bool *weights; /* for each row of each head: a weight is not finite */
    size_t weight_count;
} BadRows;

static void find_bad_weights(void *context, const RunRows *rows, size_t row, size_t at) {
    BadRows *bad = context;
    size_t keys = rows->run->keys;
    for (size_t j = at * keys; j < (at + 1) * keys; j++)
        if (!isfinite(tensor_get(rows->trace->weights, j))) bad->weights[row] = true;
    bad->weight_count += bad->weights[row];
}

/* Appends "; the weights of 2 of 3 queries (0, 2) are nan". */
static void write_rows(Session *session, const Run *run, const char *what, const bool *rows,
                       size_t heads, size_t count, Text *out) {
    size_t all = heads * run->queries;
    if (count == 0) return;
    if (count == all) {
        text_format(out, "; %s of all %zu %s are not finite", what, all,
                    all == 1 ? "query" : "queries");
        return;
    }
    text_format(out, "; %s of %zu of %zu queries are not finite (", what, count, all);
    place_write_rows(out, session, run, heads, rows);
    text_char(out, ')');
}

bool non_finite_write(Session *session, const Run *run, Text *out, Error *err) {
    const Tensor *output = run->result.output;
    size_t rows = run->heads * run->queries, width = output->shape.size[1], outputs = 0;
    Text input = TEXT_EMPTY;
    bool found = write_first(session, run, &input);
    bool *marks = mem_zeroed(rows + run->queries + 1, sizeof *marks, err), *bad_output = NULL;
    BadRows bad = {run, marks, 0};
    bool ok = marks && text_ok(&input, err) && run_rows_each(run, find_bad_weights, &bad, err);
    if (ok) bad_output = marks + rows;
    for (size_t i = 0; ok && i < run->queries; i++) {
        for (size_t j = 0; j < width; j++)
            if (!isfinite(tensor_get(output, i * width + j))) bad_output[i] = true;
        outputs += bad_output[i];
    }
    if (ok && (found || bad.weight_count || outputs)) {
        text_string(out, "not finite: ");
        if (found) text_string(out, input.data);
        else text_string(out, "the inputs are finite, but so large that what is computed is not");
        write_rows(session, run, "the weights", marks, run->heads, bad.weight_count, out);
        write_rows(session, run, "the outputs", bad_output, 1, outputs, out);
        if (!bad.weight_count && !outputs) text_string(out, "; no weight and no output has it");
    }
    text_release(&input);
    mem_free(marks);
    return ok;
}

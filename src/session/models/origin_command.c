/* lens, rollout, saliency: where a prediction of the inspected run comes from. */
#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"
#include "library/arguments.h"
#include "model/generate.h"
#include "session/models/inspection.h"

#include <math.h>
#include <string.h>

/* ---- tables ---- */

/* A record of two columns: tokens, as a list of strings, and a number for each. */
static bool token_table(const Inspection *inspection, const Tokens *tokens, const Tensor *numbers,
                        const char *name, Value *out, Error *err) {
    const char *names[] = {"token", name};
    Value values[2] = {VALUE_MISSING, VALUE_MISSING};
    Tensor *wide = tensor_cast((Tensor *)numbers, DTYPE_DOUBLE, err);
    values[1] = value_tensor(wide);
    if (wide && inspection_token_list(inspection, tokens, &values[0], err))
        return give_record(out, names, values, 2, err);
    value_release(&values[1]);
    return false;
}

/* The record of an encoder-decoder, whose tokens are the target's, with a record of the source's.
 */
static bool both_tables(Value *table, Value source, Error *err) {
    bool ok = record_set(table->record, "source", source, err);
    value_release(&source);
    if (!ok) value_release(table);
    return ok;
}

/* A row for each token, labelled by its place and itself. */
static bool write_tokens(const Host *host, const Inspection *inspection, const Tokens *tokens,
                         const Tensor *numbers, bool is_signed, Text *out, Error *err) {
    BarRow *rows = mem_zeroed(tokens->length, sizeof *rows, err);
    if (!rows) return false;
    for (size_t i = 0; i < tokens->length; i++) {
        rows[i].value = tensor_get(numbers, i);
        text_format(&rows[i].label, "%2zu ", i);
        inspection_write_token(inspection, tokens->ids[i], &rows[i].label);
    }
    bars_write(host, rows, tokens->length, is_signed, out);
    for (size_t i = 0; i < tokens->length; i++) text_release_for(&rows[i].label, out);
    mem_free(rows);
    return true;
}

/* ---- rollout and saliency ---- */

/* Takes the place that is asked for; without one, that where the model answers, or the last. */
static const Inspection *place_of_call(Session *session, CommandCall *call, size_t *place,
                                       Error *err) {
    const Inspection *inspection = inspection_needed(session, err);
    if (!inspection) return NULL;
    inspection_asks(inspection, place);
    bool ok = read_place_argument(call, inspection, true, place, err) && command_finish(call, err);
    return ok ? inspection : NULL;
}

/* Shows and keeps numbers for the tokens of the predicting stack, and of the source where it has
 * some, with a remark below. The tensors are taken over. */
static bool give_origin(Session *session, CommandCall *call, const char *name, size_t place,
                        Tensor *own, Tensor *source, Text *remark, Error *err) {
    const Inspection *inspection = session->bench.inspection;
    const Host *host = session->interp.host;
    const Tokens *read = inspected_read(&inspection->run);
    bool is_signed = strcmp(name, "saliency") == 0;
    Value table = VALUE_MISSING, of_source = VALUE_MISSING;
    Text text = TEXT_EMPTY, heading = TEXT_EMPTY;
    inspection_write_heading(session, is_signed ? "saliency of" : "rollout of", place, &heading);
    heading_write_line(host, heading.data, &text);
    bool ok = token_table(inspection, read, own, name, &table, err);
    if (ok && source) {
        ok = token_table(inspection, &inspection->run.source, source, name, &of_source, err);
        if (ok) ok = both_tables(&table, of_source, err);
        else value_release(&table);
    }
    if (ok && source) {
        ok = write_tokens(host, inspection, &inspection->run.source, source, is_signed, &text, err);
        text_string(&text, "and of its own answer\n");
    }
    if (ok) ok = write_tokens(host, inspection, read, own, is_signed, &text, err);
    utf8_wrap_lines(&text, remark, (size_t)host->columns);
    if (table.kind != VALUE_UNSET) {
        if (ok) ok = inspection_keep_table(session, table, &heading, err);
        else value_release(&table);
    }
    tensor_unref(own);
    tensor_unref(source);
    text_release_for(&heading, &text);
    if (ok && call->quiet) text_clear(&text);
    return session_write_text(session, ok, &text, err);
}

static bool rollout(Session *session, CommandCall *call, Error *err) {
    Tensor *own, *source;
    Text remark = TEXT_EMPTY;
    size_t place;
    const Inspection *inspection = place_of_call(session, call, &place, err);
    if (!inspection || !inspected_rollout(&inspection->run, place, &own, &source, err))
        return false;
    text_string(&remark, "(the share of each token that has come there through all layers)\n");
    return give_origin(session, call, "share", place, own, source, &remark, err);
}

/* Where among the tokens the number is that is farthest from 0. */
static size_t largest_at(const Tensor *numbers) {
    size_t most = 0;
    for (size_t i = 1; i < numbers->count; i++)
        if (fabs(tensor_get(numbers, i)) > fabs(tensor_get(numbers, most))) most = i;
    return most;
}

static bool saliency(Session *session, CommandCall *call, Error *err) {
    Tensor *own, *source;
    Text remark = TEXT_EMPTY;
    size_t place;
    const Inspection *inspection = place_of_call(session, call, &place, err);
    if (!inspection) return false;
    int token = inspection_predicted(inspection, place);
    if (!inspected_saliency(&inspection->run, place, token, &own, &source, err)) return false;
    text_string(&remark, "(gradient times input, for \"");
    inspection_write_token(inspection, token, &remark);
    text_format(&remark,
                "\". It can mislead: gradients fade where the answer is sure, and no token is the "
                "embedding 0. The test: patch \"%shook_embed\" at %zu from \"...\")\n",
                source ? "encoder." : "", largest_at(source ? source : own));
    return give_origin(session, call, "saliency", place, own, source, &remark, err);
}

/* ---- lens ---- */

/* Row l as a person calls it: "embedding", "layer 0". */
static void write_layer(size_t l, Text *out) {
    if (l == 0) text_string(out, "embedding");
    else text_format(out, "layer %zu", l - 1);
}

/* What each layer would predict, with its probability. */
typedef struct LensRows {
    size_t count;
    Candidate *first; /* of each */
} LensRows;

static bool lens_rows(const Tensor *logits, LensRows *out, Error *err) {
    size_t vocabulary = logits->shape.size[1];
    out->count = logits->shape.size[0];
    out->first = mem_alloc(out->count * sizeof *out->first, err);
    Candidate *all = out->first ? mem_alloc(vocabulary * sizeof *all, err) : NULL;
    bool ok = all != NULL;
    for (size_t l = 0; ok && l < out->count; l++) {
        ok = generate_candidates(logits, l, 1, all, err);
        out->first[l] = all[0];
    }
    mem_free(all);
    if (ok) return true;
    mem_free(out->first);
    return false;
}

static bool lens_table(const Inspection *inspection, const LensRows *rows, Tensor *logits,
                       Value *out, Error *err) {
    static const char *const names[] = {"token", "probability", "logits"};
    Value values[3] = {VALUE_MISSING, VALUE_MISSING, VALUE_MISSING};
    int *ids = mem_alloc(rows->count * sizeof *ids, err);
    Shape shape = shape_1d(rows->count);
    Tensor *probabilities = ids ? tensor_zeros(DTYPE_DOUBLE, &shape, err) : NULL;
    for (size_t l = 0; probabilities && l < rows->count; l++) {
        ids[l] = rows->first[l].id;
        tensor_doubles(probabilities)[l] = rows->first[l].probability;
    }
    values[1] = value_tensor(probabilities);
    const Tokens tokens = {1, rows->count, ids, NULL};
    bool ok = probabilities && inspection_token_list(inspection, &tokens, &values[0], err);
    mem_free(ids);
    if (!ok) {
        value_release(&values[1]);
        return false;
    }
    values[2] = value_tensor(tensor_ref(logits));
    return give_record(out, names, values, 3, err);
}

static bool lens(Session *session, CommandCall *call, Error *err) {
    const Host *host = session->interp.host;
    LensRows rows = {.count = 0};
    Value table = VALUE_MISSING;
    Text text = TEXT_EMPTY, heading = TEXT_EMPTY;
    size_t place;
    const Inspection *inspection = place_of_call(session, call, &place, err);
    Tensor *logits = inspection ? inspected_lens(&inspection->run, place, err) : NULL;
    bool ok = logits && lens_rows(logits, &rows, err) &&
              lens_table(inspection, &rows, logits, &table, err);
    BarRow *bars = ok ? mem_zeroed(rows.count, sizeof *bars, err) : NULL;
    if (bars) {
        inspection_write_heading(session, "lens of", place, &heading);
        heading_write_line(host, heading.data, &text);
        for (size_t l = 0; l < rows.count; l++) {
            write_layer(l, &bars[l].label);
            text_string(&bars[l].label, host->utf8 ? " → " : " > ");
            inspection_write_token(inspection, rows.first[l].id, &bars[l].label);
            bars[l].value = rows.first[l].probability;
        }
        bars_write(host, bars, rows.count, false, &text);
        for (size_t l = 0; l < rows.count; l++) text_release_for(&bars[l].label, &text);
    }
    ok = bars != NULL;
    if (table.kind != VALUE_UNSET) {
        if (ok) ok = inspection_keep_table(session, table, &heading, err);
        else value_release(&table);
    }
    text_release_for(&heading, &text);
    mem_free(bars);
    mem_free(rows.first);
    tensor_unref(logits);
    if (ok && call->quiet) text_clear(&text);
    return session_write_text(session, ok, &text, err);
}

#define EXAMPLE_INSPECTED \
    "m = transformer(\"decoder\", vocab=[\"the\", \"cat\", \"sat\"], d_model=8, heads=2, " \
    "layers=2, " \
    "d_ff=8, max_len=8)\ninspect m \"the cat sat\";\n"

/* clang-format off */
const CommandDef origin_commands[] = {
    {{.name = "lens", .words = "at"}, lens, false,
     "lens [[at] PLACE]",
     "What the inspected run would predict at a place if each layer were the last: the final norm "
     "and the logits of the residual stream behind it (the logit lens). Places are counted from "
     "0, or from the end by negative numbers; without one it is where the model answers. "
     "last.table has tokens, probabilities and all logits.",
     EXAMPLE_INSPECTED "lens\nlast.table.logits.shape  # -> (3, 3)", "inspect rollout saliency"},
    {{.name = "rollout", .words = "at"}, rollout, false,
     "rollout [[at] PLACE]",
     "How much of each token has come to a place through all layers, if attention were all that "
     "moves it: each layer's weights, averaged over its heads, half and half with the residual "
     "stream, multiplied through (attention rollout, Abnar and Zuidema 2020). The shares come to "
     "1; of an encoder-decoder those of the source come first.",
     EXAMPLE_INSPECTED "rollout\nsum(last.table.share)  # -> 1", "inspect lens saliency"},
    {{.name = "saliency", .words = "at"}, saliency, false,
     "saliency [[at] PLACE]",
     "Gradient times input, for each token: the slope of the logit of the token that the inspected "
     "run predicts at a place, along the token's embedding. Above 0, the logit would rise if the "
     "embedding grew a little; below 0, it would fall. That does not say what the token is worth: "
     "where the answer is sure, slopes are small, and an embedding of 0 is no neutral token, so "
     "that a token on which all depends may have a small or negative number. patch "
     "\"hook_embed\" at 1 from \"...\" puts another token's embedding there and measures it "
     "(of an encoder-decoder \"encoder.hook_embed\"); ablate measures heads.",
     EXAMPLE_INSPECTED "saliency\nlen(last.table.saliency)  # -> 3", "patch ablate rollout lens grad"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
